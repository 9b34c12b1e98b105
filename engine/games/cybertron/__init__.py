"""Cybertron (Risk: Transformers, Cybertron Battle Edition): six days of war for 42 zones.

Rules: the Finnish, German and English manuals, whose pages are named as "FI p.n", "DE p.n", "EN p.n"; "section n, m" is a
row of the settled readings in docs/cybertron.md. The catalog takes `CYBERTRON` from here, and nothing else.
"""
