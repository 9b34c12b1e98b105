"""The rules laboratory: games that bots play among themselves, and what can be counted in them.

The law. Everything comes from one seed: no clock, no chance of the machine, and the same figures however many
processes play. It names no game and no thing of one; what happened is counted by the words of public events.
"""
