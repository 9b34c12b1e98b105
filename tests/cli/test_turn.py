"""`pbem turn`: a game in a folder from its invitation to its archive, with files at both ends."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from pbem.log.canonical import digest
from pbem.log.envelope import make_envelope
from pbem.player import move_envelope, ready_envelope, resign_envelope
from tests.cli.table import SEATS, Game, code, key_of, pbem, said


def test_a_whole_game(tmp_path: Path) -> None:
    game = Game(tmp_path / "friday").begin()
    while not game.over:
        assert game.apply(game.move()).exit_code == 0
    audit = pbem("audit", game.log())
    assert audit.exit_code == 0, audit.output
    assert ": sound: " in audit.stdout
    for seat in SEATS:
        assert b"the archive is open" in game.letters[seat].read_bytes()
    after = game.apply(move_envelope_after_the_end(game))
    assert after.exit_code == 1
    assert said(after)[0]["refused"]["code"] == "fresh/over"


def move_envelope_after_the_end(game: Game) -> bytes:
    head = digest(game.log().read_bytes().splitlines()[-1])
    name = json.loads(game.log().read_bytes().splitlines()[0])["game"]
    payload = {"v": 1, "kind": "resign", "game": name, "seat": "red", "base": head}
    move = {**payload, "kind": "move", "turn": 99, "orders": [{"do": "end_turn"}], "rev": 0}
    return make_envelope(key_of("red"), move).text()


def test_new_writes_everything_a_host_needs_and_keeps_his_secrets(tmp_path: Path) -> None:
    game = Game(tmp_path / "friday")
    (answer,) = said(game.new("--option", "reactions=ask", "--address", "host@pbem.example.org"))
    assert answer["records"] == [0, 0]
    assert answer["over"] is False
    names = {path.name for path in game.folder.iterdir()} - {".lock"}
    assert names == {
        "charter.json",
        "host.json",
        "letters",
        "people.json",
        "sealed.jsonl",
        "states",
        game.log().name,
    }
    for name in ("host.json", "people.json", "sealed.jsonl", "states/0000.state.json"):
        assert stat.S_IMODE((game.folder / name).stat().st_mode) == 0o600, name
    charter = json.loads((game.folder / "charter.json").read_bytes())
    assert charter["options"] == {"reactions": "ask"}
    assert charter == json.loads(game.log().read_bytes())
    for seat in SEATS:
        mail = game.letters[seat].read_text()
        assert f"To: {seat}@example.org" in mail
        assert "From: host@pbem.example.org" in mail
        assert (game.letters[seat].parent / f"{charter['game']}-{seat}.invitation.json").is_file()
        assert game.letters[seat].with_suffix(".txt").read_text().startswith("[pbem ")


def test_people_read_what_machines_read(game: Game) -> None:
    file = game.folder.with_name("move.json")
    file.write_bytes(game.move().text())
    result = pbem("turn", "apply", game.folder, file)
    assert result.exit_code == 0
    first, *rows = result.stdout.splitlines()
    assert first.startswith("Recorded as 6 of game ")
    assert [row.split()[1] for row in rows] == ["red@example.org:", "green@example.org:"]
    assert all(Path(row.split()[2]).is_file() for row in rows)


def test_a_letter_s_files_lie_beside_it(game: Game) -> None:
    game.apply(game.move())
    seat = next(seat for seat in SEATS if game.view(seat).menu.asked)
    folder = game.letters[seat].parent
    name = game.view(seat).head.game
    assert folder.name == "0006"
    for file in (f"{name}-0006-{seat}.view.json", f"{name}-0006-{seat}.move.json", f"{seat}.txt"):
        assert (folder / file).is_file()
    lines = next(folder.glob("*.log.pbem")).read_bytes().splitlines()
    assert set(lines) <= set(game.log().read_bytes().splitlines())


def test_a_saved_mail_is_as_good_as_its_file(game: Game) -> None:
    move = game.move()
    text = move.text().decode()
    mail = f"From: {move.seat}@example.org\nSubject: my move\n\nHere it is:\n\n> {text.replace(chr(10), chr(10) + '> ')}\n"
    result = game.apply(mail.encode(), "letter.eml")
    assert result.exit_code == 0, result.output
    assert said(result)[0]["records"] == [6, 6]


def test_a_refused_move_writes_its_letter_and_nothing_else(game: Game) -> None:
    view = game.view(game.move().seat)
    bad = move_envelope(key_of(view.seat), view, ({"do": "bet", "creature": "dragon"},))
    before = game.files()
    result = game.apply(bad)
    assert result.exit_code == 1
    (answer,) = said(result)
    assert answer["refused"]["code"] == "order/unknown-creature"
    assert answer["refused"]["order"] == 1
    assert answer["text"].startswith("Code order/unknown-creature")
    new = game.files().keys() - before.keys()
    assert new == {f"letters/refused/{view.seat}.eml", f"letters/refused/{view.seat}.txt"}
    assert {name: data for name, data in game.files().items() if name not in new} == before
    shown = pbem("turn", "apply", game.folder, game.folder.with_name("move.json"))
    assert shown.exit_code == 1
    assert code(shown) == "order/unknown-creature"
    assert '"creature":"dragon"' in shown.stderr.replace(" ", "")


def test_what_is_sent_again_after_a_refusal_uses_the_same_link(game: Game) -> None:
    good = game.move()
    view = game.view(good.seat)
    bad = move_envelope(key_of(view.seat), view, ({"do": "bet", "creature": "dragon"},))
    assert bad.payload["reveal"] == good.payload["reveal"]
    assert game.apply(bad).exit_code == 1
    result = game.apply(good)
    assert result.exit_code == 0
    assert json.loads(game.log().read_bytes().splitlines()[-1])["reveal"] == good.payload["reveal"]


def test_the_same_move_twice_is_nothing_new(game: Game) -> None:
    move = game.move()
    assert game.apply(move).exit_code == 0
    before = game.log().read_bytes()
    states = sorted((game.folder / "states").iterdir())
    result = game.apply(move)
    assert result.exit_code == 0
    (answer,) = said(result)
    assert len(answer["letters"]) == 1
    assert b"already recorded as 6" in Path(answer["letters"][0]).read_bytes()
    assert game.log().read_bytes() == before
    assert sorted((game.folder / "states").iterdir()) == states
    told = pbem("turn", "apply", game.folder, game.folder.with_name("move.json"))
    assert told.stdout.startswith("Nothing new: ")


def test_silence_plays_the_safe_default(game: Game) -> None:
    seat = game.move().seat
    result = game.command("timeout", game.folder, seat)
    assert result.exit_code == 0
    record = json.loads(game.log().read_bytes().splitlines()[-1])
    assert (record["kind"], record["seat"]) == ("timeout", seat)
    again = game.command("timeout", game.folder, seat)
    assert again.exit_code == 2
    assert code(again) == "moment/not-your-turn"
    nobody = game.command("timeout", game.folder, "purple")
    assert code(nobody) == "log/unknown-seat"


def test_a_game_can_be_called_off_before_it_starts(tmp_path: Path) -> None:
    game = Game(tmp_path / "friday")
    game.new()
    early = game.command("timeout", game.folder, "red")
    assert early.exit_code == 2
    assert code(early) == "fresh/not-playing"
    result = game.command("cancel", game.folder)
    assert result.exit_code == 0
    assert said(result)[0]["over"] is True
    record = json.loads(game.log().read_bytes().splitlines()[-1])
    assert record["result"] == {"how": "cancelled", "places": []}
    assert pbem("audit", game.log()).exit_code == 0
    again = game.command("cancel", game.folder)
    assert code(again) == "fresh/not-over"


def test_a_game_that_is_played_is_not_called_off(game: Game) -> None:
    before = game.files()
    result = game.command("cancel", game.folder)
    assert result.exit_code == 2
    assert code(result) == "fresh/not-over"
    assert game.files() == before


def test_the_last_who_stays_wins_and_the_archive_opens_at_once(game: Game) -> None:
    result = game.apply(resign_envelope(key_of("red"), game.view("red")))
    assert result.exit_code == 0
    move, end = said(result)
    assert (move["over"], end["over"]) == (True, True)
    assert end["records"][0] == move["records"][1] + 1
    assert pbem("audit", game.log()).exit_code == 0


def test_who_confirms_twice_is_told_so(tmp_path: Path) -> None:
    game = Game(tmp_path / "friday").begin()
    late = ready_envelope_of(game)
    assert said(game.apply(late))[0]["refused"]["code"] == "fresh/already-started"


def ready_envelope_of(game: Game) -> bytes:
    """A confirmation made anew from the letter that asked for it."""
    asked = sorted(game.folder.glob("letters/*/red.eml"))
    for path in asked:
        game.letters["red"] = path
        if b"please confirm" in path.read_bytes():
            view = game.view("red")
            payload = {**ready_envelope(key_of("red"), view, {}).payload, "rev": 5}
            return make_envelope(key_of("red"), payload).text()
    raise AssertionError("nobody was asked to confirm")
