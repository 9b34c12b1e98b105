"""The kernel: what every game shares. It knows no game, no file, no clock and no seed."""
