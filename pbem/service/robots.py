"""Subjects of automatic answers, in the languages of those who play, for responders that no field of the header tells.

Law: only how a subject begins counts, behind `Re:` and the like; a person who writes of his vacation begins otherwise.
"""

from __future__ import annotations

import re

_BEFORE = r"\s*(?:(?:re|aw|fwd?|sv|vs|tr|rv|\[auto\])\s*:?\s*)*"
_ANSWER = (
    # German, Finnish, Hungarian, Dutch, the Scandinavian languages, Polish, Czech, Slovak, Romanian, Turkish
    r"auto(?:m\w{2,14})?[ :_-]{0,2}(?:reply|response|re:|antwort|vastaus|v[áa]lasz|antwoord|svar|odpowied|odpov)",
    r"auto:",
    r"odpowiedź automatyczna|r[ăa]spuns automat|otomatik yan[ıi]t",
    r"r[ée]ponse automatique|respuesta autom|risposta automatica|resposta autom",
    # Russian, Ukrainian, Bulgarian, Greek
    r"авто(?:матич\w{1,6})?[ -]?(?:ответ|отговор|відповідь)|αυτόματη απάντηση",
    # Japanese, Chinese, Korean, Hebrew, Arabic
    r"自動(?:応答|返信|回覆|答覆)|自动(?:答复|回复)|자동 ?(?:회신|응답)|תשובה אוטומטית|رد تلقائي",
)
_ABSENCE = (
    r"out[ -]of[ -](?:the[ -])?office|on vacation|vacation (?:reply|response|notice)|abwesen|absence du bureau",
    r"fuera de la oficina|fuori sede|afwezig|fravær|frånvaro|poissa(?:olo|:)|h[áa]zon k[íi]v[üu]l",
    r"不在(?:通知|の?連絡)|부재중",
)
_SUBJECT = re.compile(f"{_BEFORE}(?:{'|'.join((*_ANSWER, *_ABSENCE))})", re.IGNORECASE)


def is_robots(subject: str) -> bool:
    """Whether a decoded subject is that of an automatic answer."""
    return _SUBJECT.match(subject) is not None
