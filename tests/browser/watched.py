"""A page in a browser that is listened to: what it asks for, and what goes wrong in it."""

from __future__ import annotations

from playwright.sync_api import Page


class Watched:
    """A page. `requests` are all that it asked for, `problems` all that went wrong."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.problems: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self.problems.append(message.text))
