"""The replay page in Chromium, opened from a file."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from pbem.audit import audit, replay
from pbem.audit.replay import Reader
from pbem.log.ledger import lines_of
from pbem.log.record import Changed, Drawn, read_record
from pbem.site import page_of
from tests.browser.conftest import Open

pytestmark = pytest.mark.needs("browser")

ARCHIVE = sorted((Path(__file__).parents[2] / "fixtures" / "games").glob("*/3p-a.pbem"))[0]
LOG = ARCHIVE.read_bytes()
BASE64 = re.compile(rb'(<script type="text/plain" id="log">\n)([^<]*)(\n</script>)')
NO_ED25519 = """
const { importKey } = crypto.subtle;
crypto.subtle.importKey = function (format, key, algorithm, ...rest) {
  if (algorithm === "Ed25519") return Promise.reject(new DOMException("unknown", "NotSupportedError"));
  return importKey.call(this, format, key, algorithm, ...rest);
};
"""


@pytest.fixture(scope="module")
def html() -> bytes:
    return page_of(LOG)


def with_log(html: bytes, log: bytes) -> bytes:
    """The page with another log in it, as a forger would put it there."""
    return BASE64.sub(lambda found: found[1] + base64.b64encode(log) + found[3], html)


def test_it_judges_itself_and_asks_nobody(html: bytes, open_page: Open) -> None:
    opened = open_page(html)
    assert opened.judged() == "sound"
    page = opened.page
    page.select_option("#eyes", "open")
    for detail in page.query_selector_all("details.roll summary"):
        detail.click()
    page.click("#last")
    page.wait_for_timeout(300)
    assert [url.split("#")[0] for url in opened.requests] == [page.url.split("#")[0]]
    assert opened.problems == []


def test_a_browser_without_ed25519_comes_to_the_same_verdict(html: bytes, open_page: Open) -> None:
    assert open_page(html, init=NO_ED25519).judged() == "sound"
    lines = list(lines_of(LOG))
    wrong = lines[9].replace(b'"val":"', b'"val":"AA', 1)
    wrong = re.sub(rb'("val":"AA.{86})..', rb"\1==", wrong) if len(wrong) != len(lines[9]) else wrong
    spoilt = with_log(html, b"".join([*lines[:9], wrong, *lines[10:]]))
    assert open_page(spoilt, init=NO_ED25519).judged() == "fault"


def test_the_policy_holds(html: bytes, open_page: Open) -> None:
    """Even if a script could be put into the page, it would not run, and nothing could be fetched."""
    spoilt = html.replace(b"<main>", b'<script>document.title = "taken"</script><main>')
    opened = open_page(spoilt)
    assert opened.judged() == "sound"
    assert opened.page.title() != "taken"
    assert any("Content Security Policy" in problem for problem in opened.problems)


def test_a_link_leads_to_a_turn(html: bytes, open_page: Open) -> None:
    page = open_page(html, "#turn-7").page
    assert page.input_value("#turn") == "7"
    page.evaluate("location.hash = '#turn-12'")
    expect(page.locator("#turn")).to_have_value("12")
    page.select_option("#turn", "3")
    expect(page).to_have_url(re.compile("#turn-3$"))
    record = next(one for one in replay(LOG).pages if one.turn == 3)
    page.evaluate(f"location.hash = '#record-{record.n + 1}'")
    expect(page.locator("#turn")).not_to_have_value("3")


def test_it_is_played_by_keyboard(html: bytes, open_page: Open) -> None:
    page = open_page(html).page
    moments = replay(LOG).pages

    def place() -> int:
        return int(page.input_value("#place"))

    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert place() == 2
    page.keyboard.press("ArrowLeft")
    assert place() == 1
    page.keyboard.press("End")
    assert place() == len(moments) - 1
    assert page.is_disabled("#next")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    assert page.input_value("#turn") == "1"
    page.keyboard.press("PageUp")
    assert place() == 0
    page.keyboard.press("2")
    assert page.input_value("#eyes") == "2"
    page.keyboard.press("o")
    assert page.input_value("#eyes") == "open"
    page.keyboard.press("p")
    assert page.get_attribute("#play", "aria-pressed") == "true"
    expect(page.locator("#place")).not_to_have_value("0")
    page.keyboard.press("p")
    assert page.get_attribute("#play", "aria-pressed") == "false"


def test_every_seat_is_shown_its_own_diary(html: bytes, open_page: Open) -> None:
    page = open_page(html, "#turn-5").page
    seats = audit(LOG).result["places"]
    charter = msgspec.json.decode(LOG.splitlines()[0])["seats"]
    assert len(seats) == len(charter)
    for number, seat in enumerate([None, *charter]):
        page.select_option("#eyes", str(number))
        told = next(one for one in replay(LOG, Reader(seat)).pages if one.turn == 5)
        assert page.inner_text("#diary").splitlines() == told.text.splitlines()
        assert page.locator("#pictures svg").count() == 1
    page.select_option("#eyes", "open")
    assert page.locator("#pictures svg").count() == len(charter)
    assert page.locator("#written li").count() > 0


def test_every_roll_is_shown_with_its_proof(html: bytes, open_page: Open) -> None:
    records = [read_record(line[:-1]) for line in lines_of(LOG)]
    start = next(one for one in records if isinstance(one, Changed))
    hidden = [one for one in records if isinstance(one, Drawn) and one.of == start.n]
    opened = open_page(html, "#turn-0")
    assert opened.judged() == "sound"
    page = opened.page
    page.select_option("#eyes", "open")
    labels = [draw.label for draw in start.draws] + [draw.label for one in hidden for draw in one.draws]
    details = page.locator("details.roll")
    assert details.count() == len(labels) + 1
    for number, label in enumerate(labels):
        details.nth(number).locator("summary").click()
        details.nth(number).locator(".good").wait_for()
        assert label in details.nth(number).inner_text()
    assert page.locator("details.roll .bad").count() == 0
    details.last.locator("summary").click()
    assert start.link
    assert start.link in details.last.inner_text()


@pytest.mark.parametrize("line", [1, 8, 20, -30, -1])
def test_a_tampered_log_is_told_with_its_line(html: bytes, open_page: Open, line: int) -> None:
    lines = list(lines_of(LOG))
    number = line % len(lines)
    found = lines[number].replace(b'"kind"', b'"kinb"', 1)
    log = b"".join([*lines[:number], found, *lines[number + 1 :]])
    report = audit(log)
    assert report.line == number + 1
    opened = open_page(with_log(html, log))
    assert opened.judged() == "fault"
    said = opened.page.inner_text("#verdict")
    assert f"line {report.line}" in said
    assert report.code in said


def test_a_change_of_pictures_or_words_is_told(html: bytes, open_page: Open) -> None:
    spoilt = html.replace(b"WHAT HAS HAPPENED", b"WHAT NEVER HAPPENED", 1)
    assert spoilt != html
    opened = open_page(spoilt)
    assert opened.judged() == "fault"
    assert "changed" in opened.page.inner_text("#verdict")


def test_another_games_log_does_not_fit_the_pictures(html: bytes, open_page: Open) -> None:
    other = ARCHIVE.with_name("2p-a.pbem").read_bytes()
    assert open_page(with_log(html, other)).judged() == "fault"


def test_a_changed_script_does_not_run(html: bytes, open_page: Open) -> None:
    spoilt = html.replace(b"return fault === null ?", b"return true ?")
    assert spoilt != html
    opened = open_page(spoilt)
    opened.page.wait_for_timeout(500)
    assert opened.page.get_attribute("#verdict", "data-verdict") == "none"
    assert "Not judged" in opened.page.inner_text("#verdict")


def test_a_game_in_progress(open_page: Open) -> None:
    opened = open_page(page_of(b"".join(list(lines_of(LOG))[:30])), "#turn-4")
    assert opened.judged() == "unfinished"
    assert opened.page.input_value("#turn") == "4"
    assert '"event"' in opened.page.inner_text("#diary")
    assert opened.problems == []


def test_nothing_at_all(open_page: Open) -> None:
    opened = open_page(page_of(b""))
    assert opened.judged() == "fault"
    assert "log/empty" in opened.page.inner_text("#verdict")
    opened.page.keyboard.press("ArrowRight")
    opened.page.keyboard.press("PageDown")
    assert opened.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_the_screen(html: bytes, open_page: Open, width: int, scheme: str) -> None:
    opened = open_page(html, "#turn-9", viewport={"width": width, "height": 800}, color_scheme=scheme)
    opened.judged()
    page = opened.page
    for eyes in ("0", "1", "open"):
        page.select_option("#eyes", eyes)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    rect = page.evaluate("getComputedStyle(document.querySelector('#pictures rect')).fill")
    dark = [sum(map(int, re.findall(r"\d+", colour)[:3])) < 384 for colour in (ground, rect)]
    assert dark == [scheme == "dark"] * 2
    page.click("#theme")
    turned = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert turned != ground


def test_screen_readers_are_told_names(html: bytes, open_page: Open) -> None:
    page = open_page(html).page
    for role in ("button", "combobox", "slider"):
        for control in page.get_by_role(role).all():
            assert control.is_visible()
            named = control.evaluate("node => node.innerText || node.labels?.[0]?.innerText || ''")
            assert str(named).strip()
    assert page.get_by_role("img").count() == 1
    assert page.get_by_role("img").get_attribute("aria-label")
    assert page.get_by_role("status").count() == 1
    assert page.get_by_role("main").count() == page.get_by_role("navigation").count() == 1


def test_it_prints_the_moment_or_the_whole(html: bytes, open_page: Open) -> None:
    page = open_page(html, "#turn-2").page
    one = page.pdf()
    page.check("#whole")
    whole = page.pdf()
    page.emulate_media(media="print")
    assert page.is_hidden("nav")
    assert whole.startswith(b"%PDF")
    pages = [data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") for data in (one, whole)]
    assert pages[1] > 10 * max(1, pages[0])


def test_the_log_can_be_saved(html: bytes, open_page: Open) -> None:
    opened = open_page(html)
    with opened.page.expect_download() as waiting:
        opened.page.click("#save")
    assert Path(waiting.value.path()).read_bytes() == LOG


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<title>", b"<title>Not "),
        (b'<p class="audited">', b'<p class="audited">No fault at all. '),
        (b'<option value="1">', b'<option value="1">Anna '),
        (b'"verdict.sound":"', b'"verdict.sound":"Really '),
        (b'id="words">{', b'id="words">{{'),
        (b'"lines":["', b'"lines":["Anna won. '),
        (b'"moments":[', b'"moments":7,"more":['),
        (b'"pieces":[', b'"pieces":[[99999,1],'),
        (b'}</script>\n<script type="text/plain"', b'</script>\n<script type="text/plain"'),
        (b'data-digest="', b'data-digest="0'),
    ],
)
def test_a_page_whose_words_were_changed_says_so(
    html: bytes, open_page: Open, old: bytes, new: bytes
) -> None:
    """Found by a stranger: only the tale's own text was held to its digest, and a broken one kept the page silent."""
    assert old in html
    opened = open_page(html.replace(old, new, 1))
    assert opened.judged() == "fault"
    assert "this page was changed" in opened.page.inner_text("#verdict")
