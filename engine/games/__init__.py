"""One folder a game; only `engine.catalog` imports them."""
