"""The desk page: one HTML file in which a player reads his letters, makes his turn and signs it, without a network."""
