"""Sites for readers: the replay page of one archive, and the library over a folder of them.

The law. What is shown is made from archives alone and from nothing else: no clock, no network, no service. The
same archives give the same bytes. No game is named here; what a game has to say it says through its functions.
"""

from __future__ import annotations

from pbem.site.page import page_of

__all__ = ["page_of"]
