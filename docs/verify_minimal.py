"""A stranger's verifier, written from format.md alone (dense on purpose): `python verify_minimal.py FILE...`
All of level 1, and of level 2 what needs no rules. Exit code 0 sound, 1 a fault, 3 sound so far but unfinished."""
import base64, calendar, hashlib, hmac, json, re, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
HEAD, SAID = "kind:str n:count at:str prev:hex sig:seal ", "seat:name envelope:hex base:hex "
PLAYED = HEAD + "seat:name turn:count events:*obj draws:*dice|mix auto:*obj public:hex state:hex link?hex next?*name "
SHAPES = {  # sections 2 and 3; `?` may be absent, `*` a list of, `%` an object of, `|` either
    "charter": HEAD + "game:name ruleset:rules options:obj seats:*name host_key:hex tip:hex hidden:hex schemas:%hex deadline:any terms?obj",
    "data": HEAD + "name:name value:any", "join": HEAD + SAID + "public_key:hex tip:hex", "ready": HEAD + SAID + "reveal:hex rev:count",
    "start": HEAD + "turn:zero link:hex next:*name order:*name events:*obj draws:*dice|mix public:hex state:hex",
    "move": PLAYED + SAID + "reveal?hex", "timeout": PLAYED + "by?by", "resign": PLAYED + SAID, "standing": HEAD + SAID, "press": HEAD + SAID, "time": HEAD + SAID + "ask:obj",
    "key": HEAD + SAID + "public_key:hex tip:hex how:how", "ruling": HEAD + "turn:count reason:str link:hex next:*name",
    "undo": HEAD + SAID + "turn:count to?count reason?str", "undone": HEAD + "turn:count to:count reason:str public:hex state:hex",
    "deadline": HEAD + "old:any new:any who:name reason:str", "end": HEAD + "result:any k_hidden:hex host_seed:hex", "names": HEAD + "names:%str",
    "opened": HEAD + "of:count payload_and_sig:envelope", "drawn": HEAD + "of:count draws:*dice|mix", "rules": "id:str version:str|count",
    "seal": "alg:ed25519 key:str val:base64", "envelope": "payload:obj sig:any", "dice": "label:ascii sides:count values:*count", "mix": "label:ascii items:*str values:*str"}
TYPES = {"str": (str, ".*"), "hex": (str, "[0-9a-f]{64}"), "name": (str, ".{1,64}"), "ascii": (str, "[\0-\x7f]+"), "count": (int, r"\d+"), "zero": (int, "0"),
         "by": (str, "bot|skip"), "how": (str, "rotated|reset|taken"), "ed25519": (str, "ed25519"), "base64": (str, "[A-Za-z0-9+/]{85}[AQgw]=="), "obj": (dict, ".*")}
MAY = {"": "charter", "joining": "data join key ready standing press time deadline end", "readying": "ready standing press time deadline start end", "playing": "move timeout resign undo undone ruling key standing press time deadline", "over": "end", "ended": "opened drawn names"}  # section 4
AT = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
P, ORDER, un = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493, bytes.fromhex
class Seat: key = tip = link = reveal = fresh = b""; ready = resigned = excused = mute = spoke = back = False; since = linked = came = wish = 0
class Log: phase = at = last = ""; turn = named = 0; lines = keys = ids = closed = said = opened = due = labels = way = gone = (); drawn = played = accs = {}
class Fault(Exception): """What is wrong, and in which line if not the one at hand (0)."""
def need(truth, what, line=0):
    if not truth: raise Fault(what, line)
def sha(data): return hashlib.sha256(data).digest()
def canon(v): return json.dumps(v, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
def lp(x): return lp(x.encode()) if type(x) is str else lp(x.to_bytes(4, "big")) if type(x) is int else len(x).to_bytes(4, "big") + x
def ctx(label, *parts): return lp("pbem/v1/" + label) + b"".join(map(lp, parts))
def walk(v, depth):
    need(type(v) in (str, bool) or type(v) is int and abs(v) < 2**53 or type(v) in (list, dict) and depth > 0 and (type(v) is list or all(re.fullmatch("[a-z][a-z0-9_]*", k) for k in v)), "outside the subset, or too deep")
    for inner in v.values() if type(v) is dict else v if type(v) is list else (): walk(inner, depth - 1)
def fits(kind, v):
    if kind[0] in "*%": return type(v) is {"*": list, "%": dict}[kind[0]] and all(fits(kind[1:], x) for x in (v if kind[0] == "*" else v.values()))
    if "|" in kind: return any(fits(one, v) for one in kind.split("|"))
    if kind in TYPES: return type(v) is TYPES[kind][0] and re.fullmatch(TYPES[kind][1], str(v), re.S)
    fields = [re.split("([:?])", field) for field in SHAPES.get(kind, "").split()]
    return kind == "any" or type(v) is dict and {f for f, mark, _ in fields if mark == ":"} <= v.keys() <= {f for f, *_ in fields} and all(fits(inner, v[f]) for f, _, inner in fields if f in v)
def sound(key):  # section 5: the one encoding of a point of prime order
    y, odd, D = int.from_bytes(key, "little") % 2**255, key[31] >> 7, -121665 * pow(121666, -1, P)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = next((x for r in (1, pow(2, P // 4, P)) if (x := pow(square, (P + 3) // 8, P) * r % P) ** 2 % P == square), None)
    if y >= P or x is None or (x, y) == (0, 1) or x == 0 and odd: return False
    def add(a, b, c, d): k = D * a * b * c * d; return (a * d + b * c) * pow(1 + k, -1, P) % P, (b * d + a * c) * pow(1 - k, -1, P) % P
    point, total = (x if x % 2 == odd else P - x, y), (0, 1)
    for bit in bin(ORDER)[2:]: total = add(*total, *total) if bit == "0" else add(*add(*total, *total), *point)
    return total == (0, 1)
def seal(key, kind, v, sig, line=0):
    need(fits("seal", sig) and sig["key"] == sha(key).hex()[:16], "no seal, or of another signer", line)
    try:
        value, name, body = base64.b64decode(sig["val"]), b"application/vnd.pbem.%b+json" % kind.encode(), canon(v)
        Ed25519PublicKey.from_public_bytes(key).verify(value, b"DSSEv1 %d %b %d %b" % (len(name), name, len(body), body))
    except InvalidSignature: raise Fault("a false signature", line) from None
def again(key, message, draw):  # section 6: a draw under its label; chains; accumulators
    blocks = (hmac.digest(own, i.to_bytes(8, "big"), "sha256") for own in [hmac.digest(key, message, "sha256")] for i in range(2**62))
    words = (int.from_bytes(block[i:i + 4], "big") for block in blocks for i in range(0, 32, 4))
    def below(n): return next(word for word in words if word < 2**32 - 2**32 % n) % n
    if "sides" in draw: return [1 + below(draw["sides"]) for _ in draw["values"]]
    mixed = list(draw["items"])
    for i in range(len(mixed) - 1, 0, -1): j = below(i + 1); mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed
def link(g, who, new, old): need(sha(ctx("chain", g.game, who, un(new))) == old, "a link that leads elsewhere"); return un(new)
def due(g): return [s for s, m in g.seats.items() if s in g.due and (m.back or not m.reveal and not m.excused and not (m.mute and m.spoke))]
def new_key(g, r): g.keys = (*g.keys, key := un(r["public_key"])); need(sound(key) and {key} - {g.host, *g.keys[:-1]}, "a weak or used key"); return key
def close(g, r, *before, after=b""):  # the host's link and who is next; then the draws of the turn are made again
    need(len({*r["next"]}) == len(r["next"]) and {*r["next"]} <= g.seats.keys(), "next"); g.host_link = link(g, "host", r["link"], g.host_link)
    g.acc = sha(ctx("acc0", sha(ctx("setup", un(g.lines[0]), g.host_link, *before))) if before else ctx("acc", g.acc, g.turn, g.host_link) + after)
    g.due, g.phase = r["next"], "playing" if r["next"] else "over"; others = {m: [o for o in g.seats.values() if o is not m and not o.resigned and not o.mute] for m in g.seats.values() if m.fresh}
    for m in [m for m in others if all(o.linked > m.since for o in others[m])]: m.tip, m.link, m.fresh, m.mute = m.fresh, m.fresh, b"", False
    for m in g.seats.values(): m.reveal, m.excused, m.spoke, m.back, m.came, m.wish = b"", m.resigned, False, False, 0, 0
    for n, d in ((one["n"], d) for one in g.played.values() if one["turn"] == g.turn for d in one["draws"]):
        need(again(g.acc, ctx("public", g.game, g.turn, d["label"]), d) == d["values"], "a false draw", n + 1)
    g.closed, g.accs, g.turn, g.way = (*g.closed, r), {**g.accs, g.turn: g.acc}, g.turn + 1, (r["n"],)
def go_back(g, to):  # an undo: links stay given, so labels that are drawn again draw the same
    need(all(m.resigned or m.wish == to for m in g.seats.values()), "an undo that not all have wished")
    for m in g.seats.values(): m.wish, m.back, m.came = 0, m.back or m.came > to and not m.resigned, m.came * (m.came <= to)
    more = [one for n, one in g.played.items() if n > to and one["turn"] == g.turn]
    g.gone, g.way = (*g.gone, *(one["n"] for one in more)), tuple(n for n in g.way if n <= to); g.labels = tuple(x for x in g.labels if x not in [d["label"] for one in more for d in one["draws"]])
def step(g, line):  # section 4: one line after another
    need(len(line) <= 65536, "too long"); walk(r := json.loads(line), 32); need(canon(r) == line, "not canonical")
    need(type(r) is dict and r.get("kind") in MAY[g.phase].split() and fits(r["kind"], r) and not g.named, "shape, or order of records")
    if not g.lines: g.charter, g.game, g.host, g.host_link, g.seats = r, r["game"], un(r["host_key"]), un(r["tip"]), {s: Seat() for s in r["seats"]}
    kind, seat, every, labels = r["kind"], g.seats.get(r.get("seat")), g.seats.values(), [d["label"] for d in r.get("draws", ()) if r.get("of") not in g.gone]
    seal(g.host, "record", {f: v for f, v in r.items() if f != "sig"}, r["sig"]); old = seat and seat.key
    need(r["n"] == len(g.lines) and r["prev"] == ("0" * 64, *g.lines)[-1], "number or previous line")
    need(re.fullmatch(AT, at := r["at"]) and at >= g.at and int(at[8:10]) <= calendar.mdays[int(at[5:7])] + (at[5:7] == "02" and calendar.isleap(int(at[:4]))), "no such time, or an earlier one")
    need("seat" not in r or seat and (kind in ("join", "ready") or seat.key and not seat.resigned), "a seat not in the game")
    need("envelope" not in r or r["base"] in g.lines and r["envelope"] not in g.ids, "base, or an envelope twice")
    need(all(0 < d["sides"] <= 2**32 and all(0 < x <= d["sides"] for x in d["values"]) if "sides" in d else len(d["items"]) == len(d["values"]) for d in r.get("draws", ())) and len({*labels, *g.labels}) == len(labels) + len(g.labels), "a draw that is none, or a label twice")
    if "draws" in r and kind != "drawn": g.played = {**g.played, r["n"]: r}
    match kind:
        case "charter": g.phase = need(0 < len(g.seats) == len(r["seats"]) and "host" not in g.seats and sound(g.host), "seats or host key") or "joining"
        case "data" | "deadline": need(g.last in ("charter", "data") if kind == "data" else r["who"] in ("host", *g.seats), "data comes first; or who")
        case "join" | "key":
            need(kind == "key" or not seat.key and r["base"] == g.lines[0], "join"); seat.key = new_key(g, r)
            if g.phase == "joining": seat.tip, seat.link = un(r["tip"]), un(r["tip"])
            else: seat.fresh, seat.since, seat.mute = un(r["tip"]), g.turn, seat.mute or r["how"] != "rotated"
        case "ready": seat.ready, g.phase, seat.link = need(all(m.key for m in every) and not seat.ready, "ready too early, or twice") is None, "readying", link(g, r["seat"], r["reveal"], seat.link)
        case "start": need(all(m.ready for m in every) and sorted(r["order"]) == sorted(g.seats), "start too early, or the turn order")
        case "move" | "timeout" | "resign":
            owed, seat.spoke = r["seat"] in due(g), seat.spoke or kind == "move"
            need(r["turn"] == g.turn and (kind != "move" or (owed and not seat.mute and not seat.back) == ("reveal" in r)), "the turn, or a link too many or missing")
            if "reveal" in r: seat.link = seat.reveal = link(g, r["seat"], r["reveal"], seat.link); seat.linked = g.turn
            elif kind != "move": seat.excused, seat.resigned = seat.excused or owed, kind == "resign"
            g.way, seat.came, seat.back = (*(g.way if kind != "resign" else ()), r["n"]), r["n"] if owed else seat.came, seat.back and not owed
            for m in every if kind != "move" or not due(g) else (): m.wish = 0
            need(all(a.get("seat") in [*g.seats] and a.get("by") in ("standing", "default") and "decision" in a for a in r["auto"]), "auto")
            need(not (due(g) and (r["draws"] or "link" in r)) and ("link" in r) == ("next" in r) and (not r["draws"] or kind != "resign" or "link" in r or r["seat"] in [*g.due, *(a["seat"] for a in r["auto"])]), "draws or a close too early, or out of turn")
        case "ruling" | "undo" | "undone":
            need(r["turn"] == g.turn and not r.get("next") and ("to" not in r or r["to"] in g.way[:-1]), "a ruling, or an undo to where the turn was not")
            if kind == "undo": seat.wish = r.get("to", 0)
            elif kind == "undone": go_back(g, r["to"])
        case "end": g.end, g.phase = r, "ended"
        case "opened":
            need(not walk(e := r["payload_and_sig"], 24) and len(canon(e)) <= 32768 and not g.drawn, "an envelope too long, or too late")
            g.opened = need(r["of"] == [*(e["n"] for e in g.said), -1][len(g.opened)], "the order of opened") or (*g.opened, r)
        case "drawn": g.drawn = need(len(g.opened) == len(g.said) and r["of"] in g.played and r["of"] > max(g.drawn, default=-1), "drawn") or {**g.drawn, r["of"]: r}
        case "names": g.named = need(len(g.opened) == len(g.said) and r["names"].keys() <= g.seats.keys(), "names") is None
    tips = [x for m in sorted(every, key=lambda m: m.key) for x in (m.tip, m.link)] if kind == "start" else ()
    if "link" in r: close(g, r, *tips, after=b"".join(lp(i) + lp(m.reveal) for i, m in enumerate(every)))
    g.lines, g.labels, g.ids, g.at, g.last = (*g.lines, sha(line).hex()), (*g.labels, *labels), (*g.ids, r.get("envelope")), at, kind
    if "envelope" in r and kind != "press": g.said = (*g.said, {**r, "by": seat.key if kind == "join" or r.get("how") in ("reset", "taken") else old})
def level2(g):  # section 7
    end, k, links = g.end["n"] + 1, un(g.end["k_hidden"]), [un(g.end["host_seed"])]
    for _ in range(4096): links.append(sha(ctx("chain", g.game, "host", links[-1])))
    need(sha(ctx("hidden-commit", g.game, k)).hex() == g.charter["hidden"] and links[4096].hex() == g.charter["tip"], "secrets", end)
    for r, n, e in ((r, opened["n"], opened["payload_and_sig"]) for r, opened in zip(g.said, g.opened)):
        need(sha(canon(e)).hex() == r["envelope"], "another envelope", n + 1)
        seal(r["by"], kind := r["kind"] if r["kind"] != "key" else "rekey" if r["how"] == "rotated" else "take", e["payload"], e["sig"], r["n"] + 1)
        same = {"join": ["public_key", "tip"], "key": ["public_key", "tip"], "ready": ["reveal", "rev"], "move": ["reveal", "turn"][:2 - (e["payload"].get("advance") is True)], "time": ["ask"], "undo": ["turn", "to", "reason"]}.get(r["kind"], [])
        says = {"v": 1, "game": g.game, "kind": kind, **{f: r.get(f) for f in ["seat", "base", *same]}}
        need(canon({f: e["payload"].get(f) for f in says}) == canon(says) and ("turn" in same or kind != "move" or fits("count", t := e["payload"].get("turn")) and t < r["turn"]), "a record unlike its envelope", r["n"] + 1)
    for r in g.closed: need(g.turn <= 4096 and links[4096 - (r["turn"] + 1)].hex() == r["link"], "a link of another chain", r["n"] + 1)
    for of, n, d in ((of, r["n"], d) for of, r in g.drawn.items() for d in r["draws"]):
        need(again(k, ctx("hidden", g.game, d["label"], g.accs[g.played[of]["turn"]]), d) == d["values"], "a false hidden draw", n + 1)
def check(data, secrets=True):
    g = Log()
    try:
        for line in (lines := data.split(b"\n"))[:-1]: step(g, line)
        need(data and not lines[-1], "no line end, or an empty file")
        return ("finished", 0, level2(g) if secrets else "") if g.phase == "ended" and len(g.opened) == len(g.said) else ("unfinished", 0, "")
    except (Fault, ValueError, RecursionError) as error:
        return "fault", type(error) is Fault and error.args[1] or len(g.lines) + 1, str(error.args[0])
if __name__ == "__main__":
    found = [(path, *check(open(path, "rb").read())) for path in sys.argv[1:]]
    for path, verdict, line, what in found: print(f"{path}: {verdict}" + (f" in line {line}: {what}" if line else ""))
    sys.exit(1 if "fault" in [one[1] for one in found] else 3 if "unfinished" in [one[1] for one in found] else 0)
