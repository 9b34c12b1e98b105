"""Figures measured side by side on this machine: `python -m bench`. Ratios travel between machines, seconds do not."""
