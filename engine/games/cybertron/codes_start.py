"""Why a game of cybertron can't be started (`game/…`), boards and decks among it, and why a position can't be."""

from __future__ import annotations

from engine.kernel.refusal import Code

GAME_CODES = (
    Code(
        "game/leaders",
        "Two leaders, an Autobot and a Decepticon; three, one Autobot and both Decepticons; or all four of {seats}.",
        "{found}",
        "Choose the players' leaders again.",
    ),
    Code(
        "game/first",
        "One of the seats of this game, or random, in the option first.",
        "{found}",
        "Name a seat that plays: {seats}.",
    ),
    Code(
        "game/no-such-data",
        "Data named board or deck.",
        "Data named {name}.",
        "Leave it out, or name it board or deck.",
    ),
    Code(
        "game/board-shape",
        "A board of the form of the standard one.",
        "{problem}",
        "Compare the file with engine/games/cybertron/data/board.json.",
    ),
    Code(
        "game/board-count",
        "{expected} zones, factories apart.",
        "{found}.",
        "Add or remove zones: the rules and the deck count on so many.",
    ),
    Code(
        "game/board-name",
        "Ids of small letters, digits and underscores, and names of at most {most} characters.",
        "{id}",
        "Correct this id, or its name.",
    ),
    Code(
        "game/board-twice", "Each id once.", "{id} twice.", "Give each zone, factory and sector its own id."
    ),
    Code(
        "game/board-sector",
        "Each zone in the list of exactly the sector that it names.",
        "{zone}, which names {sector}.",
        "Correct the zone's sector, or the sectors' lists.",
    ),
    Code(
        "game/board-size",
        "As many zones in the sector {sector} as its size says, {size}.",
        "{found}.",
        "Correct the size or the list of zones.",
    ),
    Code(
        "game/board-link",
        "Links between two different zones, each pair once.",
        "A link from {zone} to {to}.",
        "Correct or remove this link.",
    ),
    Code(
        "game/board-symmetry",
        "The same neighbours in the list of links and in the zones' own lists, in both directions.",
        "{zone} and {to}, of which only one names the other.",
        "Correct the lists of both zones, or the list of links.",
    ),
    Code(
        "game/board-special",
        "For each spinner its zone, and gated links to just the zones that it opens to; for each slider its factory.",
        "Something else at {zone}.",
        "Correct its kind, its links, and its entry among the spinners or factories.",
    ),
    Code(
        "game/board-connected",
        "A board in which every zone can be reached once all spinners are open.",
        "No way to {zone}.",
        "Add a link.",
    ),
    Code(
        "game/board-coordinates",
        "Each zone and factory at a point of its own within the canvas.",
        "{zone} at {x}, {y}.",
        "Correct its coordinates.",
    ),
    Code(
        "game/board-leaders",
        "The leaders {leaders}, Autobots the first two, each with a start zone of his own.",
        "Something else at {leader}.",
        "Correct the list of leaders.",
    ),
    Code(
        "game/board-panel",
        "A panel that gives robots, one at least, for every number of zones from 1 to {most}, without gaps.",
        "Nothing for {zones}.",
        "Correct the rows of zones_to_robots.",
    ),
    Code(
        "game/board-number",
        "A number from {low} to {high} in {field}.",
        "{found}.",
        "Correct the number.",
    ),
    Code(
        "game/board-launch-pad",
        "A zone of the board as launch_pad.",
        "{zone}",
        "Name one of the zones.",
    ),
    Code(
        "game/deck-shape",
        "A deck of the form of the standard one.",
        "{problem}",
        "Compare the file with engine/games/cybertron/data/deck.json.",
    ),
    Code(
        "game/deck-zone",
        "One card for each zone of the board.",
        "{found} for {zone}.",
        "Correct the zones of the cards; a board with other zones needs a deck of its own.",
    ),
    Code(
        "game/deck-name",
        "Ids of small letters, digits and underscores, each once, and names and texts of at most {most} characters.",
        "{id}",
        "Correct this id, its name or its text.",
    ),
    Code(
        "game/deck-upgrade",
        "Cards that carry upgrades of this deck.",
        "{card} with {upgrade}.",
        "Correct the card's upgrade, or add the upgrade to the deck.",
    ),
    Code(
        "game/deck-effect",
        "An effect with fitting numbers, for the player or the side that can use it, that lasts as such effects do.",
        "The upgrade {upgrade}.",
        "Compare it with the standard deck's upgrades of its kind.",
    ),
)

POSITION_CODES = (
    Code(
        "position/shape",
        "A position of this game with its own fields.",
        "{problem}",
        "Compare the position with the game's page of positions.",
    ),
    Code("position/seat", "A seat of this game.", "{seat} in {place}.", "Correct the seat."),
    Code(
        "position/seating",
        "Every seat once, teams in turn, and a seat whose turn it is.",
        "{found}",
        "Correct the turn order.",
    ),
    Code("position/zone", "A zone of this board.", "{zone} in {place}.", "Correct the zone."),
    Code(
        "position/zones",
        "An owner and robots for {count} zones and factories.",
        "{found}.",
        "Give as many, in board order, or use zones.",
    ),
    Code(
        "position/empty-zone",
        "A piece in every zone; nothing in a closed factory or where nobody is.",
        "{zone}: owner {seat}, {robots} robots.",
        "Give the zone an owner and a robot, open the slider, or take its pieces away.",
    ),
    Code(
        "position/leader",
        "A leader in a zone of his own.",
        "{seat} in {zone}.",
        "Give him the zone, or leave him in the scrapheap.",
    ),
    Code(
        "position/special",
        "Spinners and sliders, each once.",
        "{zone} among the open ones.",
        "Name special zones only.",
    ),
    Code("position/unknown-card", "A card of this game.", "{card} in {place}.", "Correct the card's name."),
    Code("position/card-twice", "Each card once.", "{card} again in {place}.", "Place the card once."),
    Code(
        "position/rest-twice",
        "The word rest once.",
        "{count} times.",
        "Let the remaining cards lie in one place only.",
    ),
    Code(
        "position/count",
        "A turn and a day that have begun, nothing below nothing, and as many robots as were placed and not destroyed.",
        "{field}: {found}.",
        "Correct the number, or leave it out.",
    ),
    Code(
        "position/fate",
        "A seat that is out if and only if it holds nothing, and holds no cards then.",
        "{seat}",
        "Give it a zone, or call it out.",
    ),
    Code(
        "position/phases",
        "The rest of a turn's phases, for whose turn it is, and before them what a battle asks: {expected}.",
        "{found}",
        "Correct the agenda or leave it out.",
    ),
    Code(
        "position/battle",
        "A battle that can go on between {zone} and {to}, if and only if the agenda asks something of it.",
        "Something else.",
        "Correct the battle, its pieces or its dice, or leave it out.",
    ),
    Code(
        "position/captured",
        "Zones that whose turn it is, or his team-mate, holds, each once.",
        "{zone} among the captured.",
        "Correct the list.",
    ),
)
