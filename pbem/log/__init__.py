"""Pure: canonical JSON, envelopes, seals, chains, draws, records and the order of a log (protocol.md 2–7).

Nothing here reads a file, a clock or a source of chance, and nothing here knows a rule of any game.
"""
