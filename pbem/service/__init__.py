"""The mail service: games in a database, mail in by SMTP, letters out through a relay. All I/O of a host is here.

Decides nothing about a game: what a mail does is the straight line of `pbem.turn`. What is decided here is
when something is safe. A mail is answered 250 once it is committed to the inbox; records, snapshot, letters and
"done" are one transaction; a letter is sent until somebody took it, always with the same Message-ID.
"""
