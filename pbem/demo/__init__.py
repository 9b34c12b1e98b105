"""The demo: one whole game by real mail on this machine, from invitation to audited archive (`make demo`)."""
