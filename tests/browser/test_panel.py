"""The turn panel in Chromium: clicked, typed and by keyboard alone, at 320 pixels, and what it gives to be signed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect

import engine
from engine import AnyGame, Below, foresee, plain
from engine.games.arena import ARENA
from engine.games.cybertron import CYBERTRON
from pbem.player.check_words import check_word
from pbem.render import to_svg, to_tables
from tests.board.positions import Seen, cases, seen
from tests.browser.panel import PanelPage, harness
from tests.contract.playing import chance

pytestmark = pytest.mark.needs("browser")

Json = dict[str, Any]
Panel = Callable[..., PanelPage]


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("panel") / "panel.html"
    file.write_text(harness(engine.GAMES), encoding="utf-8")
    return file


@pytest.fixture
def panel(browser: Browser, html: Path) -> Iterator[Panel]:
    """Opens the page, 320 pixels wide if nothing else is said; at the end nothing went wrong in it."""
    opened: list[PanelPage] = []

    def begin(wide: int = 320, dark: bool = False) -> PanelPage:
        colours: Literal["dark", "light"] = "dark" if dark else "light"
        page = browser.new_page(viewport={"width": wide, "height": 900}, color_scheme=colours)
        opened.append(PanelPage(page))
        page.goto(html.as_uri())
        return opened[-1]

    yield begin
    problems = [problem for one in opened for problem in one.problems]
    for one in opened:
        one.page.close()
    assert problems == []


def to_move(game: AnyGame, verb: str = "") -> list[Seen]:
    """Views of seats that are asked something; those that may use this verb."""
    return [
        one
        for case in cases()
        if case.game.id == game.id and not case.world
        for one in seen(case)
        if one.seat is not None
        and any(act.do == verb or not verb for asked in game.menu(one.view).asked for act in asked.acts)
    ]


def begun(opened: PanelPage, one: Seen, **more: Any) -> PanelPage:
    assert one.seat is not None
    return opened.begin(one.game, one.seat, one.view, news=plain(one.news), **more)


def click_on(opened: PanelPage, below: Below) -> None:
    """One answer to whatever is asked."""
    page = opened.page
    if page.locator("#number").count():
        low, high = (int(str(page.get_attribute("#number", name))) for name in ("min", "max"))
        page.fill("#number", str(low + below(high - low + 1)))
        page.keyboard.press("Enter")
    elif page.locator(".asking .main:not(:disabled)").count() and below(2):
        page.click(".asking .main")
    elif (free := page.locator(".asking .choice:not(:disabled)")).count():
        free.nth(below(free.count())).click()
    else:
        page.locator(".asking .buttons button:not(:disabled)").first.click()


def clicked(opened: PanelPage, one: Seen, below: Below, clicks: int) -> int:
    """So many answers in a position: Python foresees the same of the orders, and refuses none. How many orders came."""
    begun(opened, one)
    for _ in range(clicks):
        if opened.page.locator(".asking button:not(:disabled)").count() == 0:
            break
        click_on(opened, below)
    if opened.page.locator(".asking .quiet").count():
        opened.page.click(".asking .quiet")
    assert one.seat is not None
    ahead = foresee(one.game, one.view, one.seat, opened.orders)
    marks = [str(item.get_attribute("class")) for item in opened.page.locator(".orders > li").all()]
    assert marks == [step.certainty for step in ahead.steps]
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 320
    return len(marks)


@pytest.mark.parametrize("game", [ARENA, CYBERTRON], ids=lambda game: str(game.id))
def test_whatever_is_clicked_gives_orders_that_the_rules_accept(game: AnyGame, panel: Panel) -> None:
    opened = panel()
    below = chance("clicks", game.id)
    assert sum(clicked(opened, one, below, 12) for one in to_move(game)[::5][:4]) > 4


@pytest.mark.soak
@pytest.mark.parametrize("game", [ARENA, CYBERTRON], ids=lambda game: str(game.id))
def test_whatever_is_clicked_for_long_is_accepted(game: AnyGame, panel: Panel) -> None:
    opened = panel()
    below = chance("many clicks", game.id)
    assert sum(clicked(opened, one, below, 60) for one in to_move(game) * 3) > 50


def test_a_click_on_the_board_begins_and_fills_an_order(panel: Panel) -> None:
    """FI p.8: robots are placed zone by zone; the board then shows what will stand there."""
    opened = panel(wide=1280)
    one = to_move(CYBERTRON, "place")[0]
    begun(opened, one)
    zone = next(word for word in _first_words(opened, "place"))
    before = one.view.zones[zone].robots
    changes = opened.page.evaluate("window.changes")
    opened.pick(zone).click()
    assert opened.page.locator(".asking .answered li").count() == 1
    opened.page.fill("#number", "1")
    opened.page.keyboard.press("Enter")
    assert opened.orders == [{"do": "place", "zone": zone, "robots": 1}]
    assert opened.page.evaluate("window.changes") == changes + 2
    shown = opened.page.locator(".picture svg").inner_html()
    assert f">{before + 1}</text>" in shown
    expect(opened.page.locator(".said")).to_contain_text("Order 1: sure to be carried out.")
    assert "As it will be after your orders." in opened.page.inner_text(".caption")


def _first_words(opened: PanelPage, verb: str) -> list[str]:
    opened.choose(verb)
    words = opened.words()
    opened.page.click(".asking .quiet")
    return words


def test_by_keyboard_alone(panel: Panel) -> None:
    """Tab to the board, arrows on it, Enter; every button of it has a name and shows where the keyboard is."""
    opened = panel()
    begun(opened, to_move(CYBERTRON, "place")[0])
    page = opened.page
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('pick')"):
            break
    at = "document.activeElement.getAttribute('data-of')"
    first = page.evaluate(at)
    page.keyboard.press("End")
    last = page.evaluate(at)
    page.keyboard.press("Home")
    assert (first, first != last) == (page.evaluate(at), True)
    found = {first}
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        found.add(page.evaluate(at))
    assert len(found) > 2
    chosen = page.evaluate(at)
    assert page.evaluate("parseFloat(getComputedStyle(document.activeElement).strokeWidth)") > 5
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "ask"
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "number":
            break
    page.keyboard.press("Control+a")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    assert opened.orders == [{"do": "place", "zone": chosen, "robots": 1}]


def test_who_points_at_the_board_stays_there_while_it_is_asked_for(panel: Panel) -> None:
    """From one zone to the next: the keyboard is on the nearest of those that may be chosen, and the question is told."""
    opened = panel()
    words: list[str] = []
    for one in to_move(CYBERTRON, "attack"):
        begun(opened, one)
        opened.choose("attack")
        words = opened.words()
        if len(words) > 1:
            break
    opened.pick(words[-1]).click()
    page = opened.page
    question = page.inner_text("#question")
    assert page.evaluate("document.activeElement.getAttribute('data-of')") in opened.words()
    assert page.inner_text(".said").strip() == page.inner_text(".caption strong").strip() == question
    page.keyboard.press("Enter")
    assert page.locator(".answered li").count() >= 2


def test_every_control_has_a_name(panel: Panel) -> None:
    opened = panel()
    begun(opened, to_move(ARENA, "play")[0])
    opened.choose("play")
    names = opened.page.evaluate("""
        [...document.querySelectorAll("button, input, textarea, .pick[role]")].map((one) =>
          one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent)""")
    assert len(names) > 10
    assert all(name.strip() for name in names)
    assert opened.page.locator(".picture svg[role=group]").get_attribute("aria-label") == "Colossal Arena"
    cards = opened.page.locator(".pick[role]").all()
    assert cards
    assert {str(card.get_attribute("aria-label")) for card in cards} <= set(
        opened.page.locator(".asking .choice").all_inner_texts()
    )


def test_orders_are_moved_taken_out_and_brought_back(panel: Panel) -> None:
    opened = panel()
    one = next(one for one in to_move(CYBERTRON, "place") if one.view.agenda[0].left > 2)
    begun(opened, one)
    zones = _first_words(opened, "place")[:2]
    for zone in zones:
        opened.choose("place")
        opened.choose(zone)
        opened.page.fill("#number", "1")
        opened.page.keyboard.press("Enter")
    first, second = opened.orders
    opened.page.click("[aria-label='Move order 2 up']")
    assert opened.orders == [second, first]
    opened.page.locator(".orders > li").nth(0).drag_to(opened.page.locator(".orders > li").nth(1))
    assert opened.orders == [first, second]
    opened.page.click("[aria-label='Take order 1 out']")
    assert opened.orders == [second]
    opened.page.click("#undo")
    assert opened.orders == [first, second]
    for _ in range(20):
        if opened.page.locator("#undo:disabled").count():
            break
        opened.page.click("#undo")
    assert opened.orders == []


def test_what_can_no_longer_be_given_is_taken_out_and_told(panel: Panel) -> None:
    """An order that rests on one before it does not stay when that one goes; and it can't be moved before it."""
    opened = panel()
    one = to_move(ARENA, "bet")[0]
    creature = next(name for name in one.view.creatures if name not in one.view.dead)
    begun(
        opened,
        one,
        draft=opened_draft([{"do": "bet", "creature": creature}, {"do": "bet", "creature": creature}]),
    )
    assert opened.orders == [{"do": "bet", "creature": creature}]
    assert "Order 2 can not be given and was taken out. Expected:" in opened.page.inner_text(".said")


def opened_draft(orders: list[Json]) -> str:
    return engine.encode({"orders": orders}).decode()


def test_a_list_is_put_in_order(panel: Panel) -> None:
    """Several values are chosen by click, and moved by buttons or by dragging; not more than there may be."""
    field = {"name": "cards", "kind": "list", "say": {"id": "Cards"}, "low": 2, "high": 3, "distinct": True}
    item = {
        "name": "card",
        "kind": "card",
        "say": {"id": "Card"},
        "options": [{"value": one} for one in "abcd"],
    }
    form = {"name": "f", "fields": [{**field, "item": item}]}
    acts = [{"do": "sort", "say": {"id": "Sort"}, "form": "f"}]
    menu = {"asked": [{"decision": "d", "say": {"id": "Now"}, "acts": acts}], "forms": [form]}
    opened = panel()
    one = to_move(ARENA)[0]
    opened.page.evaluate("window.games.bare = { id: 'bare' }")
    opened.page.evaluate(
        "scene => window.begin(scene)",
        {"game": "bare", "seat": one.seat, "view": plain(one.view), "menu": menu, "news": [], "lang": "en"},
    )
    opened.choose("sort")
    assert opened.page.locator(".asking .main:disabled").count() == 1
    for word in "cab":
        opened.choose(word)
    assert opened.page.locator(".asking .choice:disabled").count() == 1
    opened.page.click("[aria-label='Move b up']")
    opened.page.locator(".chosen > li").nth(0).drag_to(opened.page.locator(".chosen > li").nth(2))
    opened.page.click(".asking .main")
    assert opened.orders == [{"do": "sort", "cards": ["b", "a", "c"]}]
    assert "depends on what is hidden" in opened.page.inner_text(".orders")


def test_a_number_out_of_range_is_answered(panel: Panel) -> None:
    opened = panel()
    begun(opened, to_move(CYBERTRON, "place")[0])
    opened.choose("place")
    opened.page.locator(".asking .choice").first.click()
    opened.page.fill("#number", "999")
    opened.page.keyboard.press("Enter")
    assert re.search("Type a number from 1 to [0-9]+", opened.page.inner_text(".asking .trouble"))
    assert opened.page.evaluate("document.activeElement.id") == "number"
    with pytest.raises(Exception, match="desk/half-order"):
        assert opened.orders


def test_lines_are_typed_and_every_fault_points_at_its_word(panel: Panel) -> None:
    opened = panel()
    one = to_move(ARENA, "bet")[0]
    creature = next(name for name in one.view.creatures if name not in one.view.dead)
    begun(opened, one)
    page = opened.page
    page.click(".typed summary")
    page.fill("#typed", f"Bet  {creature.upper()}\n\nbett x\nplay troll–3 powr\n")
    page.click("#take-lines")
    assert page.locator(".faults pre").all_inner_texts() == [
        "bett x\n^^^^",
        "play troll–3 powr\n             ^^^^",
    ]
    page.locator(".faults button").nth(1).click()
    assert (
        page.evaluate(
            "getSelection().toString() || typed.value.slice(typed.selectionStart, typed.selectionEnd)"
        )
        == "powr"
    )
    assert opened.orders == []
    page.fill("#typed", f"Bet  {creature.upper()}\nbet {creature}")
    page.click("#take-lines")
    assert page.locator(".faults li").count() == 1, "the second bet is refused by the rules"
    page.fill("#typed", f"Bet  {creature.upper()}")
    page.check("#with-words")
    line = f"bet {creature}"
    expect(page.locator("#typed")).to_have_value(f"{line} #{check_word([line])}")
    page.click("#take-lines")
    assert page.inner_text(".typed .outcome") == "1 order was taken over."
    assert opened.orders == [{"do": "bet", "creature": creature}]
    page.fill("#typed", f"{line}x #{check_word([line])}")
    page.click("#take-lines")
    assert "fits its check word" in page.inner_text(".faults")


def test_a_draft_brings_everything_back(panel: Panel) -> None:
    """Orders, and the order that is half filled in; what is no draft is no harm."""
    opened = panel()
    one = to_move(CYBERTRON, "place")[0]
    begun(opened, one)
    opened.choose("place")
    zone = opened.words()[0]
    opened.choose(zone)
    draft = opened.draft
    begun(opened, one, draft=draft)
    assert opened.draft == draft
    opened.page.fill("#number", "1")
    opened.page.keyboard.press("Enter")
    assert opened.orders == [{"do": "place", "zone": zone, "robots": 1}]
    begun(opened, one, draft=opened.draft)
    assert opened.orders == [{"do": "place", "zone": zone, "robots": 1}]
    begun(opened, one, draft='{"orders": [], "act": 0, "answers": ["x", 7], "many": [99, "y"]}')
    assert opened.words(), "what fits no question is asked again"
    for odd in ("bet troll", "[7]", '{"orders": 3, "act": 99}', '{"act": 99, "answers": ["x"]}', "null"):
        begun(opened, one, draft=odd)
        assert opened.orders == []


@pytest.mark.parametrize("game", [ARENA, CYBERTRON], ids=lambda game: str(game.id))
def test_a_picture_and_its_tables_are_pythons(game: AnyGame, panel: Panel) -> None:
    """The tables as elements, and the colours that the reader's screen has; on paper the light ones."""
    opened = panel(dark=True)
    one = to_move(game)[3]
    picture = game.shapes(one.view, one.news)
    opened.page.evaluate("picture => window.draw(picture, 'en')", plain(picture))
    markup = "document.querySelector('.tables').innerHTML.replace(/^<summary>.*?<.summary>/, '')"
    wanted = to_tables(picture)
    for written, shown in (("\n", ""), ("&#x27;", "'"), ("&quot;", '"'), ("\u00a0", "&nbsp;")):
        wanted = wanted.replace(written, shown)
    assert opened.page.evaluate(markup) == wanted
    parsed = """(svg) => new XMLSerializer().serializeToString(
        new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement)"""
    drawn = "new XMLSerializer().serializeToString(document.querySelector('.picture svg'))"
    for dark, media in ((True, "screen"), (False, "print")):
        opened.page.emulate_media(media=media)  # type: ignore[arg-type]
        ground = "#15181d" if dark else "#ffffff"
        expect(opened.page.locator(".picture svg rect").first).to_have_attribute("fill", ground)
        wanted = opened.page.evaluate(parsed, to_svg(picture, dark=dark).decode())
        assert opened.page.evaluate(drawn) == wanted


def test_wide_and_in_print(panel: Panel) -> None:
    """Two columns beside each other where there is room; on paper neither questions nor frames."""
    opened = panel(wide=1600)
    begun(opened, to_move(ARENA)[0])
    boxes = [opened.page.locator(where).bounding_box() for where in (".turn .left", ".turn .right")]
    left, right = (box for box in boxes if box is not None)
    assert left["x"] + left["width"] <= right["x"]
    opened.page.emulate_media(media="print")
    assert not opened.page.locator(".asking").is_visible()
    assert not opened.page.locator(".pick").first.is_visible()
    assert opened.page.locator(".picture svg").is_visible()
