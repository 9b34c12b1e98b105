// How the orders of this game are written as lines of text.
// Written by `python -m tests.board.written`; not to be edited.

export const grammar = {
  verbs: {"bet":"Bet","secret_bet":"SecretBet","reveal_bet":"RevealBet","play":"Play","show_hand":"ShowHand","discard":"Discard","end_turn":"EndTurn","keep":"Keep","give":"Give","declare_stalemate":"DeclareStalemate","object":"ObjectTo","accept":"Accept"},
  forms: {
    Bet: [
      {"name":"creature","node":{"kind":"word"},"required":true},
    ],
    SecretBet: [
      {"name":"card","node":{"kind":"word"},"required":true},
    ],
    RevealBet: [
    ],
    Play: [
      {"name":"card","node":{"kind":"word"},"required":true},
      {"name":"on","node":{"kind":"word"}},
      {"name":"take","node":{"kind":"word"}},
      {"name":"power","node":{"kind":"record","tag":"use","forms":{"amazon":"Amazon","colossus":"Colossus","cyclops":"Cyclops","daimon":"Daimon","ettin":"Ettin","gorgon":"Gorgon","magus":"Magus","seraphim":"Seraphim","titan":"Titan","troll":"Troll","unicorn":"Unicorn","wyrm":"Wyrm"}}},
    ],
    Amazon: [
    ],
    Colossus: [
      {"name":"token","node":{"kind":"record","forms":{"":"Token"}},"required":true},
    ],
    Token: [
      {"name":"creature","node":{"kind":"word"}},
      {"name":"row","node":{"kind":"number"}},
      {"name":"secret","node":{"kind":"flag"}},
      {"name":"revealed","node":{"kind":"word"}},
    ],
    Cyclops: [
      {"name":"seat","node":{"kind":"word"},"required":true},
    ],
    Daimon: [
      {"name":"creature","node":{"kind":"word"},"required":true},
      {"name":"row","node":{"kind":"number"},"required":true},
    ],
    Ettin: [
      {"name":"then","node":{"kind":"list","items":[{"kind":"record","forms":{"":"CardPlay"}}]}},
    ],
    CardPlay: [
      {"name":"card","node":{"kind":"word"},"required":true},
      {"name":"on","node":{"kind":"word"}},
      {"name":"take","node":{"kind":"word"}},
      {"name":"power","node":{"kind":"record","tag":"use","forms":{"amazon":"Amazon","colossus":"Colossus","cyclops":"Cyclops","daimon":"Daimon","ettin":"Ettin","gorgon":"Gorgon","magus":"Magus","seraphim":"Seraphim","titan":"Titan","troll":"Troll","unicorn":"Unicorn","wyrm":"Wyrm"}}},
    ],
    Gorgon: [
      {"name":"seat","node":{"kind":"word"},"required":true},
      {"name":"creature","node":{"kind":"word"},"required":true},
    ],
    Magus: [
    ],
    Seraphim: [
      {"name":"as","node":{"kind":"record","tag":"use","forms":{"amazon":"Amazon","colossus":"Colossus","cyclops":"Cyclops","daimon":"Daimon","ettin":"Ettin","gorgon":"Gorgon","magus":"Magus","seraphim":"Seraphim","titan":"Titan","troll":"Troll","unicorn":"Unicorn","wyrm":"Wyrm"}},"required":true},
    ],
    Titan: [
      {"name":"seat","node":{"kind":"word"},"required":true},
      {"name":"keep","node":{"kind":"list","items":[{"kind":"word"}]}},
    ],
    Troll: [
      {"name":"take","node":{"kind":"word"}},
    ],
    Unicorn: [
      {"name":"swap","node":{"kind":"list","items":[{"kind":"word"},{"kind":"word"}],"fixed":true},"required":true},
    ],
    Wyrm: [
      {"name":"creature","node":{"kind":"word"},"required":true},
    ],
    ShowHand: [
    ],
    Discard: [
      {"name":"cards","node":{"kind":"list","items":[{"kind":"word"}]},"required":true},
    ],
    EndTurn: [
    ],
    Keep: [
      {"name":"card","node":{"kind":"word"},"required":true},
    ],
    Give: [
      {"name":"card","node":{"kind":"word"},"required":true},
    ],
    DeclareStalemate: [
    ],
    ObjectTo: [
    ],
    Accept: [
    ],
  },
};
