"""Subjects as mail programs make them of a command, and what is no command."""

from __future__ import annotations

import base64

import pytest

from pbem.turn import mail_text
from pbem.turn.commands import ASKING, WITH_SIGNATURE, Command, read_subject


@pytest.mark.parametrize(
    "subject",
    [
        "status",
        "Status",
        "  STATUS  ",
        "status!",
        "Re: status",
        "Re: AW: Fwd: status",
        "RE: Re: re: status",
        "AW:WG:status",
        "Re[2]: status",
        "Re (3): status",
        "SV: VS: Antw: status",
        "\u56de: status"[2:],
        "Re\uff1astatus",
        # in any language, and as gateways mark mail
        "\u041e\u0442\u0432\u0435\u0442: status",
        "\u56de\u590d\uff1astatus",
        "Betreff: status",
        "***SPAM*** status",
        "[Ticket#17] Re: status",
        # with what people put around a word of a manual
        '"status"',
        "\u201cstatus\u201d",
        "\u201estatus\u201c",
        "'status'",
        "<status>",
        "*status*",
        "`status`",
        "/status",
        "#status",
        "-status",
        "status:",
        "status\u2026",
        "status (fwd)",
        "pbem status",
    ],
)
def test_what_stands_before_a_command_is_no_part_of_it(subject: str) -> None:
    assert read_subject(subject) == Command("status")


@pytest.mark.parametrize(
    "subject",
    [
        "[pbem abc] status",
        "Re: [pbem abc] status",
        "[pbem abc] Re: AW: status",
        "[External] Re: [pbem ABC] status",
        "status abc",
        "Re: status: ABC.",
        "[pbem other] status abc",
        "status [pbem abc]",
        '"status abc"',
    ],
)
def test_the_game_is_named_in_brackets_or_behind_the_word(subject: str) -> None:
    assert read_subject(subject) == Command("status", "abc")


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "my move",
        "status of the war",
        "please help me",
        "helpless",
        "statusstatus",
        "Re: [pbem abc] turn 3: your move",
        "[pbem abc] how the game stands",
        "status; rm -rf",
        "The post office: out of status reports",
        "stat us",
        "help -- sent from my phone",
        "status\u0000",
        "Re: " * 60 + "status",
    ],
)
def test_any_other_subject_is_no_command(subject: str) -> None:
    assert read_subject(subject) is None


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252"])
def test_encoded_subjects(charset: str) -> None:
    coded = base64.b64encode(b"Re: AW: resend").decode()
    assert read_subject(mail_text.header(f"=?{charset}?B?{coded}?=".encode())) == Command("resend")
    assert read_subject(mail_text.header(f"Fwd: =?{charset}?Q?Re=3A_resend?=".encode())) == Command("resend")


def test_what_asks_and_what_needs_a_signature_are_two_things() -> None:
    assert not set(ASKING) & set(WITH_SIGNATURE)
    assert not Command("resign").asks
