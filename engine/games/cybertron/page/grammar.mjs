// How the orders of this game are written as lines of text.
// Written by `python -m tests.board.written`; not to be edited.

export const grammar = {
  verbs: {"claim":"Claim","spare":"Spare","play_card":"PlayCard","recall_leader":"RecallLeader","place":"Place","flip_leader":"FlipLeader","morph":"Morph","attack":"Attack","back_up":"BackUp","jump":"Jump","give":"Give","end_turn":"EndTurn","defend":"Defend","bonus":"Bonus","flee":"Flee"},
  forms: {
    Claim: [
      {"name":"zone","node":{"kind":"word"},"required":true},
    ],
    Spare: [
      {"name":"zone","node":{"kind":"word"},"required":true},
    ],
    PlayCard: [
      {"name":"card","node":{"kind":"word"},"required":true},
      {"name":"zone","node":{"kind":"word"}},
      {"name":"form","node":{"kind":"either","items":[{"kind":"choice","words":["robot","vehicle"]},{"kind":"choice","words":[""]}]}},
      {"name":"from","node":{"kind":"word"}},
      {"name":"to","node":{"kind":"word"}},
      {"name":"robots","node":{"kind":"number"}},
      {"name":"leader","node":{"kind":"flag"}},
    ],
    RecallLeader: [
      {"name":"zone","node":{"kind":"word"},"required":true},
      {"name":"form","node":{"kind":"choice","words":["robot","vehicle"]}},
    ],
    Place: [
      {"name":"zone","node":{"kind":"word"},"required":true},
      {"name":"robots","node":{"kind":"either","items":[{"kind":"number"},{"kind":"choice","words":["rest"]}]}},
    ],
    FlipLeader: [
    ],
    Morph: [
      {"name":"card","node":{"kind":"word"},"required":true},
      {"name":"zone","node":{"kind":"word"},"required":true},
    ],
    Attack: [
      {"name":"from","node":{"kind":"word"},"required":true},
      {"name":"to","node":{"kind":"word"},"required":true},
      {"name":"dice","node":{"kind":"number"},"required":true},
      {"name":"leader","node":{"kind":"flag"}},
      {"name":"cards","node":{"kind":"list","items":[{"kind":"word"}]}},
      {"name":"until","node":{"kind":"either","items":[{"kind":"number"},{"kind":"choice","words":["captured"]}]}},
      {"name":"keep","node":{"kind":"number"}},
      {"name":"move_in","node":{"kind":"either","items":[{"kind":"number"},{"kind":"choice","words":["all","least"]}]}},
      {"name":"when","node":{"kind":"record","forms":{"":"When"}}},
    ],
    When: [
      {"name":"held","node":{"kind":"list","items":[{"kind":"word"}]}},
      {"name":"not_held","node":{"kind":"list","items":[{"kind":"word"}]}},
      {"name":"captured","node":{"kind":"list","items":[{"kind":"word"}]}},
      {"name":"at_least","node":{"kind":"map","items":[{"kind":"number"}]}},
      {"name":"at_most","node":{"kind":"map","items":[{"kind":"number"}]}},
    ],
    BackUp: [
      {"name":"from","node":{"kind":"word"},"required":true},
      {"name":"to","node":{"kind":"word"},"required":true},
      {"name":"robots","node":{"kind":"number"},"required":true},
      {"name":"leader","node":{"kind":"flag"}},
    ],
    Jump: [
      {"name":"to","node":{"kind":"word"},"required":true},
    ],
    Give: [
      {"name":"zone","node":{"kind":"word"},"required":true},
    ],
    EndTurn: [
    ],
    Defend: [
      {"name":"dice","node":{"kind":"number"},"required":true},
      {"name":"leader","node":{"kind":"flag"}},
      {"name":"cards","node":{"kind":"list","items":[{"kind":"word"}]}},
    ],
    Bonus: [
      {"name":"plus","node":{"kind":"number"},"required":true},
    ],
    Flee: [
      {"name":"zone","node":{"kind":"word"},"required":true},
    ],
  },
};
