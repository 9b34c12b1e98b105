"""The words of every refusal that work with finished archives may end with: bulk audits, layers, tables, proofs, anchors.

None of these is a fault of a game; they say why something could not be read, made or compared.
"""

from __future__ import annotations

from engine import Code

ARCHIVE = (
    Code(
        "archive/too-long",
        "An archive of at most {limit} bytes.",
        "It has {size} bytes.",
        "No game is that long. If you know better, audit it alone, without --jobs and --jsonl.",
    ),
    Code(
        "archive/not-a-file",
        "A regular file.",
        "It is something else: a folder, a device or a pipe.",
        "Name a file, or the folder that holds it.",
    ),
    Code(
        "archive/died",
        "An audit that comes to its end.",
        "The process that audited this file died, or the audit broke off ({problem}).",
        "Audit this file alone. If it happens again, send it to the makers of pbem.",
    ),
    Code(
        "archive/resume",
        "With --resume, the file of earlier results: --jsonl FILE.",
        "There is no --jsonl.",
        "Give the file to which the earlier audit wrote its results.",
    ),
    Code(
        "archive/site",
        "A folder for the site in which no archives are.",
        "{site} is the folder {folder} itself, or lies around it.",
        "Say another folder with -o. It may lie among the archives.",
    ),
    Code(
        "archive/cluster-missing",
        "The package distributed, for --scheduler.",
        "It is not installed.",
        'Install it: pip install "pbem[cluster]"',
    ),
    Code(
        "archive/scheduler",
        "A Dask scheduler at {address}.",
        "None answers ({problem}).",
        "Start one with `dask scheduler`, and workers with `dask worker {address}`.",
    ),
    Code(
        "archive/hosts",
        "A host's public key in 64 hex digits and its name on each line; # begins a remark.",
        "Line {line} of the keyring is otherwise.",
        "Correct that line.",
    ),
    Code(
        "archive/layer-seat",
        "A seat of this game, for its layer: {seats}.",
        "There is no seat {seat}.",
        "Say --seat with one of these.",
    ),
    Code(
        "archive/not-a-log",
        "A log whose lines can be read.",
        "Line {line} is no record.",
        "Audit the file to learn more.",
    ),
    Code(
        "archive/not-sound",
        "A log that level 1 finds in order.",
        "Line {line} is at fault: {code}.",
        "Audit the file to learn more; nothing is made of a log that is not sound.",
    ),
    Code(
        "archive/since",
        "A record number from 0 to {last}.",
        "It is {found}.",
        "Give the number of the first record that you want.",
    ),
    Code(
        "fork/nothing",
        "A log, or pieces of one; or --proof with a proof to be judged.",
        "Neither is given.",
        "Name the log, or the letters that brought it.",
    ),
    Code(
        "fork/none",
        "Two logs, or a log and a receipt, that contradict each other.",
        "They do not: one continues the other, or they share no record.",
        "Nothing is wrong with these two. Compare with other players.",
    ),
    Code(
        "fork/earlier",
        "The record at which the two histories part, in both files.",
        "They already follow different lines before record {record}.",
        "Add the letters or logs that have the records before it.",
    ),
    Code(
        "fork/other-game",
        "Two logs of one game.",
        "One is of the game {one}, the other of {other}.",
        "Name logs, or letters, of the same game.",
    ),
    Code(
        "fork/other-host",
        "Two lines sealed by one and the same host.",
        "Record {record} of the one or the other is not sealed by the host of the charter.",
        "A line that the host did not seal is no evidence against him. Audit both files.",
    ),
    Code(
        "fork/proof",
        "A proof of a fork: a charter, a record number, and two lines that contradict each other.",
        "It is not one, at {where}.",
        "Ask for the proof again, or for the two logs.",
    ),
    Code(
        "text/line",
        "A line of a game record: turn.record, seat, verb, and fields as name=value.",
        "Line {line} is otherwise.",
        "Correct that line, or make the text again from the archive.",
    ),
    Code(
        "text/tag",
        'Tags at the head, each once, as [Name "value"], the first being [Format "pbem game record 1"].',
        "Line {line} is otherwise.",
        "Correct that line, or make the text again from the archive.",
    ),
    Code(
        "text/form",
        "Of a game record: --format jsonl, csv or text, and --since.",
        "{option} is asked for, which takes the archive itself.",
        "Name the archive, or leave {option} out.",
    ),
    Code(
        "text/missing",
        "The tag {tag}.",
        "It is missing.",
        "Make the text again from the archive.",
    ),
    Code(
        "text/order",
        "Records in rising order, each with the lines of one seat and kind.",
        "Line {line} is out of order.",
        "Put the lines back in order, or make the text again from the archive.",
    ),
    Code(
        "anchor/shape",
        "An OpenTimestamps proof (.ots) or an RFC 3161 time stamp (.tsr).",
        "The file is neither, or is damaged at {where}.",
        "Ask for the file again from whoever made the time stamp.",
    ),
    Code(
        "anchor/weak",
        "A time stamp over SHA-256, SHA-384 or SHA-512.",
        "It is over another digest, on which nobody should rely.",
        "Ask the authority for a time stamp over SHA-256.",
    ),
    Code(
        "anchor/not-granted",
        "A time stamp that was granted.",
        "The answer of the time stamping authority has the status {status}.",
        "Ask the authority again.",
    ),
    Code(
        "anchor/other",
        "A time stamp over a line of this log, or over this file.",
        "It is over something else ({digest}).",
        "Look for the file that this time stamp belongs to.",
    ),
    Code(
        "anchor/certificate",
        "A certificate in PEM or DER.",
        "{file} is no certificate.",
        "Ask the time stamping authority for its certificate.",
    ),
    Code(
        "anchor/signature",
        "A time stamp signed under the given certificate.",
        "It is not, or cannot be checked: {problem}.",
        "Make sure that this is the authority's certificate. If it is, the time stamp proves nothing.",
    ),
    Code(
        "anchor/header",
        "Headers of Bitcoin blocks, 160 hex digits each, one a line.",
        "Line {line} is otherwise.",
        "Ask a node for `getblockheader HASH false`.",
    ),
    Code(
        "about/shape",
        "An .about.json file as pbem writes it.",
        "At {where} a field is missing, is one too many, or has a value that does not fit.",
        "Write it again with --licence and --source.",
    ),
)
