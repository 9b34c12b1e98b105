"""The words of every reason why the service, or a command of the host, cannot do what was asked.

Law: only the host reads these; players are answered by the codes of the turn.
"""

from __future__ import annotations

from engine import Code

CODES: tuple[Code, ...] = (
    Code(
        "host/no-home",
        "The home of a mail service in {folder}.",
        "There is none.",
        "Make one with `pbem host init`, or name it with --home or PBEM_HOST.",
    ),
    Code(
        "host/exists",
        "A new home, or one whose settings are the ones you named.",
        "{file} is there already, and is never overwritten.",
        "Change the settings in that file with an editor, or name another home with --home.",
    ),
    Code(
        "host/config",
        "Settings that can be read in {file}.",
        "{problem}.",
        "Correct the file; docs/hosting.md says what each setting means.",
    ),
    Code(
        "host/key",
        "The host's key in {file}: 64 hex digits.",
        "There is none that can be read.",
        "Put it back from your copy. Without it the games of this home cannot go on.",
    ),
    Code(
        "host/no-such-table",
        "A table that is laid here.",
        "{found}",
        "Look at `pbem table list` for their names.",
    ),
    Code(
        "host/no-such-player",
        "The display name or an address of somebody who plays here.",
        "{found}",
        "Look at `pbem game show GAME` for the addresses; a name may be that of a seat's player, not of the seat.",
    ),
    Code(
        "host/which-player",
        "One person.",
        "Several are called {name}: {addresses}",
        "Say the address instead of the name.",
    ),
    Code(
        "host/is-player",
        "An observer who plays no seat of this game.",
        "That is an address of the player of {seat}.",
        "Players see more than observers; nothing needs to be done.",
    ),
    Code(
        "host/observers",
        "At most {most} observers of a game.",
        "One more.",
        "Stop somebody else first: pbem game observe GAME ADDRESS --stop",
    ),
    Code(
        "host/no-ratings",
        "Ratings that are turned on.",
        "They are off.",
        "Write `ratings = true` into config.toml, and tell your players.",
    ),
    Code(
        "host/too-late",
        "Players whose share of turns in time is at least {least}%.",
        "{address}: {percent}%.",
        "Invite somebody else, or ask for less with --on-time.",
    ),
    Code(
        "host/reason",
        "A reason, for the game {game} is under way: it goes into the log, and to all players.",
        "None.",
        'Say it with --reason "...".',
    ),
    Code(
        "host/endpoint",
        "A name or address and a port, such as 127.0.0.1:8025.",
        "{found}",
        "Write HOST:PORT; an IPv6 address stands in brackets, as in [::1]:8025. `lmtp` may also be unix:/PATH.",
    ),
    Code(
        "host/listen",
        "To listen on {address}.",
        "{problem}.",
        "Choose another address or port under `{setting}`, or stop what is using it.",
    ),
    Code(
        "host/database",
        "A database that answers and is up to date.",
        "{problem}.",
        "Check `database` in the settings, that the server runs, and that the disk is not full.",
    ),
    Code(
        "host/database-url",
        "For `database` nothing, for the file of the home, or an address such as `postgresql://USER:PASSWORD@HOST/NAME`.",
        "An address that can't be read, or that is of another kind. It may hold a password, and is not shown.",
        "Write every sign of the password that is neither a letter nor a digit as % and its number: %40 for @, %2F for /.",
    ),
    Code(
        "host/database-driver",
        "psycopg, by which PostgreSQL is reached.",
        "It is not installed.",
        "Install it where pbem is: `pip install 'pbem[postgres]'`.",
    ),
    Code(
        "host/database-damaged",
        "A database file as it was written.",
        "{problem}.",
        "Stop the service, keep the file, and put the newest copy into a new home with `pbem host restore`."
        " `pbem host doctor` says what else is wrong.",
    ),
    Code(
        "host/store-gone",
        "The database that this home has begun, with the games whose logs lie in {logs}.",
        "None, an empty one, or one with other games: {place}.",
        "Put the database back where it was, or mount its disk; or restore the newest backup into a new home with"
        " `pbem host restore`. To begin anew, make a new home.",
    ),
    Code(
        "host/other-key",
        "The key in `host.key` that the charters of the games here name.",
        "Another one.",
        "Put back the right `host.key`: every backup holds it, and so does each other machine of this service. Nothing has"
        " been signed.",
    ),
    Code(
        "host/newer-database",
        "A database made by this release or an older one.",
        "One at revision {found}, which this release does not know.",
        "Use the release that made it, or a newer one.",
    ),
    Code(
        "host/roles",
        "A SQLite file to be used by one process that has all roles.",
        "Some roles only.",
        "Start `pbem serve` without --role, or move the games to PostgreSQL: docs/hosting.md says how.",
    ),
    Code(
        "host/passphrase",
        "A passphrase for the copy: in a file (--passphrase-file), in PBEM_PASSPHRASE, or typed.",
        "None, or an empty one.",
        "Choose one and keep it apart from the copy: without it nobody can read the copy, not even you.",
    ),
    Code(
        "host/passphrase-text",
        "A passphrase that is text, in UTF-8.",
        "Other bytes in {place}.",
        "Write the passphrase anew, as plain text in UTF-8 (not UTF-16).",
    ),
    Code(
        "host/passphrase-wrong",
        "The passphrase under which the copy was made.",
        "The copy does not open with this one.",
        "Try another, or an older copy.",
    ),
    Code(
        "host/backup-place",
        "A file that is none of this home's own.",
        "{file} is one of them, or holds the passphrase.",
        "Name another file, best on another disk. Nothing was written.",
    ),
    Code(
        "host/backup-target",
        "A name for a new file, or an older copy to take the place of.",
        "{file} is something else.",
        "Name a file of its own for each copy. Nothing was written.",
    ),
    Code(
        "host/no-backup",
        "A file that `pbem host backup` has written.",
        "It is none.",
        "Name the right file.",
    ),
    Code(
        "host/backup-damaged",
        "A copy as it was written.",
        "It has been cut short or changed.",
        "Use another copy. Nothing was made from this one.",
    ),
    Code(
        "host/not-empty",
        "A new place, with nothing in it.",
        "There is something in {place} already.",
        "Name another home with --home (or another --database), or move away what is there.",
    ),
    Code(
        "host/adopt-log",
        "The log of a game of this home, going on where the store ends.",
        "{problem}",
        "Name a log file that a player received or has put together, such as GAME.pbem.",
    ),
    Code(
        "host/adopt-missing",
        "The envelope of record {n} ({kind} of {seat}), in one of the files.",
        "None of them has it.",
        "Ask that player for the mail or file with it, and name it too. Nothing was changed.",
    ),
    Code(
        "host/adopt-differs",
        "Record {n} as it follows from what the store holds and the envelope says.",
        "It says something else.",
        "These lines belong to another history of the game. Nothing was changed.",
    ),
    Code(
        "host/on-hold",
        "A game that is not on hold.",
        "{game} was put back from a copy, and its players have not all been heard.",
        "See `pbem host holds`. A record written now might give the game two histories.",
    ),
    Code(
        "host/not-held",
        "A game on hold.",
        "{game} is not.",
        "See the games on hold with `pbem host holds`.",
    ),
    Code(
        "host/no-such-game",
        "A game of this home.",
        "{found}",
        "See the games with `pbem game list`.",
    ),
    Code(
        "host/game-exists",
        "A new game's id.",
        "{found} is there already.",
        "Try once more.",
    ),
    Code(
        "host/busy",
        "To change the game {game} while nothing else changes it.",
        "Other changes came first, several times over.",
        "Try again in a moment.",
    ),
    Code(
        "host/certificate",
        "A certificate in the file that `tls_ca` names.",
        "None can be read in {file}: {problem}.",
        "Name a file in PEM form that the service may read, or leave `tls_ca` empty.",
    ),
    Code(
        "host/password",
        "The password that belongs to `{name}_user`.",
        "There is none, or its file cannot be read.",
        "Write it into a file and name that under `{name}_password`, or set {variable}.",
    ),
    Code(
        "host/no-imap",
        "A mailbox to look into: the settings `imap`, `imap_user` and `imap_password`.",
        "No way in: no `imap` in the settings, or neither `listen` nor `lmtp`.",
        "Name the mail server of the mailbox as HOST:PORT (port 993) and use --imap, or set `listen` or `lmtp`.",
    ),
    Code(
        "host/no-such-mail",
        "A mail of the inbox, by its number.",
        "{found}",
        "See the mails that were put aside with `pbem inbox list`.",
    ),
    Code(
        "host/not-poison",
        "A mail that was put aside.",
        "Mail {mail} is in the state {state}.",
        "Only mails that were put aside can be tried again or dropped.",
    ),
    Code(
        "host/no-such-seat",
        "One of the seats of this game: {seats}.",
        "{found}",
        "See the seats with `pbem game show`.",
    ),
    Code(
        "host/long-address",
        "Mail addresses whose part before the @ has at most 64 letters.",
        "{found}",
        "Choose a shorter service address.",
    ),
)
