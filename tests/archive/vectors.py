"""The vectors of docs/format.md, made by the project's own code: `python -m tests.archive.vectors` writes them anew."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from engine import roll, shuffle
from pbem.log import chain, draws
from pbem.log.canonical import canonical, digest
from pbem.log.envelope import envelope_id
from pbem.log.record import line_digest, seal_record
from pbem.log.seal import PrivateKey, key_id, pae, public_of, sign

PAGE = Path(__file__).resolve().parents[2] / "docs" / "format.md"
BLOCK = re.compile(r"(?<=<!-- vectors -->\n```json\n).*?(?=```\n)", re.DOTALL)
GAME, SEATS = "vectors", ("red", "blue")
HOST, RED = PrivateKey(b"\x01" * 32), PrivateKey(b"\x02" * 32)
HOST_SEED, K_HIDDEN, CHARTER = b"\x41" * 32, b"\x77" * 32, b"\xc0" * 32
ITEMS = ["ant", "bee", "cat", "dog", "eel"]


def vectors() -> dict[str, Any]:
    """All of them, as they stand on the page."""
    return {
        "canonical": _canonical(),
        "ctx": _ctx(),
        "seal": _seal(),
        "chain": _chain(),
        "dice": _dice(),
        "log": log(),
        "faults": faults(),
    }


def _canonical() -> dict[str, Any]:
    value = {"b": [1, -2, True], "a": {"text": 'Zoë\n"\\\u007f'}, "empty": []}
    return {"value": value, "bytes": canonical(value).decode(), "sha256": digest(canonical(value))}


def _ctx() -> dict[str, Any]:
    return {
        "label": "acc",
        "parts": [{"hex": "00ff"}, {"int": 7}, {"text": "é"}],
        "hex": chain.ctx("acc", b"\x00\xff", 7, "é").hex(),
    }


def _seal() -> dict[str, Any]:
    payload = canonical({"kind": "resign"})
    return {
        "private": RED.raw.hex(),
        "public": public_of(RED).hex(),
        "id": key_id(public_of(RED)),
        "kind": "resign",
        "payload": payload.decode(),
        "signed_bytes": pae("resign", payload).decode(),
        "sig": sign(RED, "resign", payload),
        "unsound_keys": [
            "01" + "00" * 31,
            "ec" + "ff" * 30 + "7f",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ed" + "ff" * 30 + "7f",
            "02" + "00" * 31,
        ],
    }


def _chain() -> dict[str, Any]:
    seed = chain.seat_seed(RED, GAME, "red", CHARTER)
    links = {str(k): chain.chain_link(seed, GAME, "red", k).hex() for k in (0, 1, 2, 4095, 4096)}
    return {"private": RED.raw.hex(), "game": GAME, "seat": "red", "charter": CHARTER.hex(), "links": links}


def _dice() -> dict[str, Any]:
    host = [chain.chain_link(HOST_SEED, GAME, "host", k) for k in range(3)]
    keys = {"red": b"\x0a" * 32, "blue": b"\x09" * 32}
    tips, reveals = {"red": b"\x1a" * 32, "blue": b"\x1b" * 32}, {"red": b"\x2a" * 32, "blue": b"\x2b" * 32}
    setup = draws.setup_digest(CHARTER, host[1], [(keys[s], tips[s], reveals[s]) for s in SEATS])
    first = draws.acc0(setup)
    second = draws.acc_next(first, 1, host[2], [reveals["red"], b""])
    public = draws.source(second, None, GAME, 1)
    hidden = draws.source(second, K_HIDDEN, GAME, 1)
    return {
        "game": GAME,
        "charter": CHARTER.hex(),
        "host_seed": HOST_SEED.hex(),
        "host_links": [link.hex() for link in host],
        "seats": [
            {"seat": s, "public_key": keys[s].hex(), "tip": tips[s].hex(), "link_1": reveals[s].hex()}
            for s in SEATS
        ],
        "setup": setup.hex(),
        "acc_0": first.hex(),
        "turn_1": {"host_link": host[2].hex(), "reveals": [reveals["red"].hex(), ""], "acc_1": second.hex()},
        "k_hidden": K_HIDDEN.hex(),
        "hidden_commit": draws.hidden_commit(GAME, K_HIDDEN).hex(),
        "draws_of_turn_1": [
            {"label": "d6", "sides": 6, "values": list(roll(public("d6", hidden=False), 6, 8))},
            {"label": "wide", "sides": 2**32, "values": list(roll(public("wide", hidden=False), 2**32, 2))},
            {
                "label": "odd",
                "sides": 3_000_000_001,
                "values": list(roll(public("odd", hidden=False), 3_000_000_001, 4)),
            },
            {"label": "deck", "items": ITEMS, "values": list(shuffle(public("deck", hidden=False), ITEMS))},
        ],
        "hidden_draws_of_turn_1": [
            {"label": "hand", "items": ITEMS, "values": list(shuffle(hidden("hand", hidden=True), ITEMS))}
        ],
        "state_mac": {"n": 9, "state": "{}", "hex": draws.state_mac(K_HIDDEN, GAME, 9, b"{}").hex()},
    }


def log() -> list[str]:
    """A whole archive in four lines: a game called off after one of two had joined. Level 1, and 2 without rules."""
    charter = {
        "kind": "charter",
        "game": GAME,
        "ruleset": {"id": "none", "version": 1},
        "options": {},
        "seats": list(SEATS),
        "host_key": public_of(HOST).hex(),
        "tip": chain.tip(HOST_SEED, GAME, "host").hex(),
        "hidden": draws.hidden_commit(GAME, K_HIDDEN).hex(),
        "schemas": {},
        "deadline": "none",
    }
    lines: list[bytes] = []
    _append(lines, charter)
    tip = chain.tip(
        chain.seat_seed(RED, GAME, "red", bytes.fromhex(line_digest(lines[0]))), GAME, "red"
    ).hex()
    own = {
        "kind": "join",
        "seat": "red",
        "base": line_digest(lines[0]),
        "public_key": public_of(RED).hex(),
        "tip": tip,
    }
    payload = {**own, "v": 1, "game": GAME, "token": "token"}
    sig = sign(RED, "join", canonical(payload))
    _append(lines, {**own, "envelope": envelope_id(payload, sig)})
    result: dict[str, Any] = {"how": "cancelled", "places": []}
    _append(
        lines, {"kind": "end", "result": result, "k_hidden": K_HIDDEN.hex(), "host_seed": HOST_SEED.hex()}
    )
    _append(lines, {"kind": "opened", "of": 1, "payload_and_sig": {"payload": payload, "sig": sig}})
    return [line.decode() for line in lines]


def faults() -> list[dict[str, Any]]:
    """What is replaced where in that archive (all its lines, each with its LF), and the line that must be found at fault."""
    return [
        {"replace": '"n":1', "by": '"n":2', "line": 2},
        {"replace": "none", "by": "some", "line": 1},
        {"replace": "cancelled", "by": "last_round", "line": 3},
        {"replace": '"token":"token"', "by": '"token":"taken"', "line": 4},
        {"replace": '"seats":["red","blue"]', "by": '"seats":["red", "blue"]', "line": 1},
        {"replace": "\n", "by": "\r\n", "line": 1},
    ]


def _append(lines: list[bytes], record: dict[str, Any]) -> None:
    number = len(lines)
    head = {
        "n": number,
        "at": f"2026-01-01T0{number}:00:00Z",
        "prev": line_digest(lines[-1]) if lines else "0" * 64,
    }
    lines.append(seal_record(HOST, {**head, **record}))


def block() -> str:
    """The block of JSON as it stands on the page."""
    return json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n"


def on_page() -> str:
    """The block that stands there now."""
    found = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return found[0]


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _match: block(), text), encoding="utf-8")
