"""The desk page where a player is on his own: without a network, with a keyboard only, on small and large screens, at an
address, in other languages, with a key that is locked or written on paper.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from playwright.sync_api import FilePayload, Page, expect

from engine import GAMES
from pbem.player import bot_orders, key_file, read_invitation
from pbem.player.answers import join_envelope, move_envelope
from pbem.player.keys import locked_file, read_key
from pbem.player.paper import to_words
from pbem.service.config import Endpoint
from pbem.service.web import Web
from pbem.turn.desk_file import desk_file, plain_desk
from tests.browser.conftest import Desk
from tests.browser.desk import DeskPage, payload_of
from tests.player.host import Host, key_of

pytestmark = pytest.mark.needs("browser")

GAME = GAMES[0]
SEATS = ("red", "blue")
INSECURE = """
Object.defineProperty(window, "isSecureContext", { value: false });
Object.defineProperty(Crypto.prototype, "subtle", { get: () => undefined });
"""
LEAKS = """async (url) => {
  const tried = [];
  const attempt = async (name, work) => {
    try { await work(); tried.push(name); } catch (error) { /* what is wanted */ }
  };
  await attempt("fetch", () => fetch(url, { mode: "no-cors" }));
  await attempt("xhr", () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.onload = resolve;
    request.onerror = reject;
    request.send();
  }));
  await attempt("import", () => import(url + "x.mjs"));
  await attempt("socket", () => new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace("http", "ws"));
    socket.onopen = resolve;
    socket.onerror = reject;
  }));
  navigator.sendBeacon(url, "x");
  for (const [tag, name] of [["img", "src"], ["script", "src"], ["iframe", "src"], ["video", "src"], ["object", "data"]]) {
    const made = document.createElement(tag);
    made[name] = url + tag;
    document.body.append(made);
  }
  const style = document.createElement("link");
  Object.assign(style, { rel: "stylesheet", href: url + "css" });
  document.head.append(style);
  const form = document.createElement("form");
  Object.assign(form, { action: url, method: "post" });
  document.body.append(form);
  form.submit();
  const script = document.createElement("script");
  script.textContent = "window.taken = true";
  document.body.append(script);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return [...tried, ...(window.taken ? ["inline"] : [])];
}"""


class Ear(BaseHTTPRequestHandler):
    """Notes every request that comes."""

    heard: ClassVar[list[str]] = []
    timeout = 5  # who connects and says nothing

    def do_GET(self) -> None:
        self.heard.append(self.path)
        self.send_response(200)
        self.end_headers()

    do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def ear() -> Iterator[str]:
    """An address that notes who asks it for anything."""
    Ear.heard.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Ear)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.socket.close()


@pytest.fixture
def address() -> Iterator[str]:
    """Where `pbem serve --http` shows the page."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    web = Web(lambda: desk_file().data)
    port = asyncio.run_coroutine_threadsafe(web.open(Endpoint("127.0.0.1", 0)), loop).result(20)
    yield f"http://127.0.0.1:{port}/"
    asyncio.run_coroutine_threadsafe(web.close(), loop).result(20)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(scope="module")
def host() -> Host:
    """A game in its third turn, with a seat that is asked."""
    made = Host(GAME, SEATS).begin()
    for _ in range(2):
        seat = made.asked()
        view = made.read(seat)
        assert made.take(move_envelope(key_of(seat), view, bot_orders(view, 7))) == ""
    return made


def given(opened: DeskPage, host: Host, seat: str) -> DeskPage:
    """The page with a seat's key, its newest letter and the log."""
    codes = opened.give(
        ("key.json", key_file(key_of(seat))), ("log.pbem", host.log), ("v.json", host.view(seat))
    )
    assert set(codes) == {""}
    return opened


def test_nothing_leaves_the_page(desk: Desk, host: Host, ear: str) -> None:
    """Even a script that ran in it could ask nobody and tell nobody: the policy lets nothing out."""
    opened = given(desk(), host, host.asked())
    assert opened.page.evaluate(LEAKS, ear) == []
    assert Ear.heard == []
    assert any("Content Security Policy" in problem for problem in opened.problems)


def test_it_plays_with_the_network_cut(desk: Desk, host: Host) -> None:
    opened = desk()
    opened.page.context.set_offline(True)
    seat = host.asked()
    given(opened, host, seat)
    orders = bot_orders(host.read(seat), 7)
    opened.orders(GAME, orders)
    opened.page.click("#sign")
    assert opened.signed() == move_envelope(key_of(seat), host.read(seat), orders).text()
    assert opened.problems == []


@pytest.mark.parametrize("plain", [True, False])
def test_both_forms_of_the_page_do_the_same(desk: Desk, host: Host, tmp_path: Path, plain: bool) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(plain_desk() if plain else desk_file().data)
    seat = host.asked()
    opened = given(desk(url=file.as_uri()), host, seat)
    assert "sound so far" in opened.text("#checks")
    assert opened.page.locator("#part-turn svg, #board svg").count() >= 1
    assert opened.problems == []


def tab_to(page: Page, id: str) -> None:
    """Presses the tabulator until something has the focus; whoever has no mouse gets there too."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == id:
            outline = page.evaluate(
                "[document.activeElement, document.activeElement.nextElementSibling].filter(Boolean)"
                ".some((one) => getComputedStyle(one).outlineStyle !== 'none')"
            )
            assert outline, f"{id} does not show that it has the focus"
            return
    raise AssertionError(f"{id} can not be reached by keyboard")


def test_a_player_joins_by_keyboard_alone(desk: Desk) -> None:
    host = Host(GAME, SEATS)
    opened = desk()
    page = opened.page
    # The browser is told long before the key is pressed that a chooser is ours: it does not say when it has heard so.
    page.on("filechooser", lambda _: None)
    tab_to(page, "files")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(
        [FilePayload(name="invitation.eml", mimeType="", buffer=host.invitation_mail("red"))]
    )
    expect(page.locator("#findings li")).to_have_count(1)
    tab_to(page, "make-key")
    page.keyboard.press("Enter")
    expect(page.locator("#save-key")).to_be_focused()
    with page.expect_download() as download:
        page.keyboard.press("Space")
    key = read_key(download.value.path().read_bytes(), "key")
    tab_to(page, "name")
    page.keyboard.type("Anna")
    tab_to(page, "sign")
    page.keyboard.press("Enter")
    expected = join_envelope(key, read_invitation(host.invitation("red")), "Anna").text()
    assert opened.signed() == expected
    tab_to(page, "mailto")
    tab_to(page, "copy")


def test_everything_has_a_name_and_fits(desk: Desk, host: Host) -> None:
    """In every language, from 320 pixels to 4k, dark and light: a name for whatever can be used, nothing is too wide."""
    seat = host.asked()
    opened = given(desk(), host, seat)
    page = opened.page
    for lang in ("en", "fi", "de", "hu"):
        page.select_option("#lang", lang)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        for width, scheme in ((320, "dark"), (360, "light"), (3840, "light")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (lang, width)
        nameless = page.evaluate(
            """[...document.querySelectorAll("button, input, select, textarea, a, summary, [role=button]")]
            .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
            .map((one) => one.outerHTML)"""
        )
        assert nameless == [], lang
        small = page.evaluate(
            """[...document.querySelectorAll("main button, main select, main .button")]
            .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)"""
        )
        assert small == [], lang
    assert opened.problems == []


def test_words_half_written_outlive_another_language_and_another_file(desk: Desk, host: Host) -> None:
    """A note was lost when the language changed; it is kept, but not for another letter than the one it was written to."""
    seat = host.asked()
    opened = given(desk(), host, seat)
    page = opened.page
    for where, words in (("#note", "next: the troll"), ("#press", "Well played"), ("#leave-name", seat)):
        page.locator("details", has=page.locator(where)).last.evaluate("one => { one.open = true; }")
        page.fill(where, words)
    page.select_option("#lapse", "stop")
    page.focus("#lang")
    page.select_option("#lang", "fi")
    expect(page.locator("html")).to_have_attribute("lang", "fi")
    expect(page.locator("#lang")).to_be_focused()
    opened.give(("log.pbem", host.log))
    for where, words in (("#note", "next: the troll"), ("#press", "Well played"), ("#leave-name", seat)):
        expect(page.locator(where)).to_have_value(words)
        expect(page.locator(where)).to_be_visible()
    expect(page.locator("#lapse")).to_have_value("stop")
    expect(page.locator("#sign-resign")).to_be_enabled()
    host.take(move_envelope(key_of(seat), host.read(seat), bot_orders(host.read(seat), 7)))
    opened.give(("log.pbem", host.log), ("v.json", host.view(seat)))
    assert page.locator("#note").count() == 0 or page.input_value("#note") == ""
    expect(page.locator("#press")).to_have_value("")


def test_at_an_address_the_browser_keeps_key_and_letters(desk: Desk, host: Host, address: str) -> None:
    seat = host.asked()
    opened = given(desk(url=address), host, seat)
    page = opened.page
    expect(page.locator("#key-name")).to_be_visible()
    page.select_option("#lang", "fi")
    opened.wait_for_kept("lang", "fi")
    opened.wait_for_kept("chosen")
    page.reload()
    page.wait_for_selector("#key-name")
    expect(page.locator("html")).to_have_attribute("lang", "fi")
    assert page.locator("#sign").count() == 1
    orders = bot_orders(host.read(seat), 7)
    opened.orders(GAME, orders)
    page.click("#sign")
    assert opened.signed() == move_envelope(key_of(seat), host.read(seat), orders).text()
    page.click("#forget-key")
    expect(page.locator("#make-key")).to_be_visible()
    page.reload()
    expect(page.locator("#make-key")).to_be_visible()
    assert opened.problems == []
    assert {url.split("?")[0] for url in opened.requests if not url.startswith(("data:", "blob:"))} == {
        address
    }


def test_from_a_file_no_key_and_no_letter_is_kept(desk: Desk, host: Host) -> None:
    opened = given(desk(), host, host.asked())
    page = opened.page
    page.on("dialog", lambda dialog: dialog.accept())
    opened.wait_for_kept("game g1")
    page.reload()
    page.wait_for_selector("#files", state="attached")
    assert page.locator("#key-name").count() == 0
    kept = opened.kept()
    assert set(kept) <= {"lang", "game g1"}
    assert set(kept["game g1"]) == {"aside", "id", "lines"}


def test_without_https_it_plays_with_its_own_arithmetic(desk: Desk, host: Host) -> None:
    seat = host.asked()
    opened = given(desk(init=INSECURE), host, seat)
    page = opened.page
    expect(page.locator("#no-https")).to_be_visible()
    assert "Agrees with your copy of the log" in opened.text("#checks")
    orders = bot_orders(host.read(seat), 7)
    opened.orders(GAME, orders)
    page.click("#sign")
    assert opened.signed() == move_envelope(key_of(seat), host.read(seat), orders).text()
    assert opened.give(("locked.json", locked_file(key_of("oak"), "x", bytes(28)))) == ["kit/key-locked"]
    page.fill("#passphrase", "x")
    page.click("#unlock")
    assert opened.refused() == "desk/no-crypto"


def test_a_key_that_is_locked_or_on_paper(desk: Desk) -> None:
    key = key_of("red")
    opened = desk()
    page = opened.page
    assert opened.give(("locked.json", locked_file(key, "Tanév", bytes(28)))) == ["kit/key-locked"]
    page.fill("#passphrase", "tanév")
    page.click("#unlock")
    assert opened.refused() == "kit/passphrase"
    page.fill("#passphrase", "Tanév")
    page.click("#unlock")
    expect(page.locator("#key-name")).to_be_visible()
    page.click("#show-words")
    assert page.locator("#words li").all_inner_texts() == list(to_words(key))
    page.click("#part-key details:has(#lock-with) > summary")
    page.fill("#lock-with", "another")
    _, data = opened.saved("#save-key")
    assert read_key(data, "k", "another") == key
    opened.page.reload()
    page.click("#part-key details:has(#words-in) > summary")
    page.fill("#words-in", " ".join(word[:4] for word in to_words(key)))
    page.click("#read-words")
    expect(page.locator("#key-name")).to_be_visible()
    _, data = opened.saved("#save-key")
    assert read_key(data, "k") == key


def test_a_letter_may_be_pasted(desk: Desk) -> None:
    host = Host(GAME, SEATS)
    opened = desk()
    page = opened.page
    page.click("#part-letter details > summary")
    page.fill("#pasted", "Hello!\n\n" + host.invitation("red").decode() + "\n-- \nAnna")
    page.click("#read")
    expect(page.locator("#findings li.good")).to_have_count(1)


def test_what_else_may_be_signed(desk: Desk, host: Host) -> None:
    seat = host.asked()
    opened = given(desk(), host, seat)
    page = opened.page
    other = next(one for one in SEATS if one != seat)
    page.click("#message > summary")
    page.select_option("#to", other)
    page.fill("#press", "Well played <b>!")
    page.click("#sign-press")
    assert payload_of(opened.signed())["to"] == [other]
    page.click("#standing > summary")
    page.fill("#policy", "not JSON")
    page.click("#sign-standing")
    assert opened.refused() == "desk/object"
    page.fill("#policy", "{}")
    page.click("#sign-standing")
    assert page.locator("#standing [role=alert]").count() == 0
    expect(page.locator("#file-name")).to_contain_text(".standing.json")
    page.click("#leave > summary")
    assert page.is_disabled("#sign-resign")
    page.fill("#leave-name", seat)
    page.click("#sign-resign")
    expect(page.locator("#file-name")).to_contain_text(".resign.json")
    assert payload_of(opened.signed())["kind"] == "resign"
