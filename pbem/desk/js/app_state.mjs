// Questions to the app's state that several parts ask.

// The game, its newest view and its invitation that are open; null if there is nothing.
export function opened(app) {
  if (app.chosen === null) return null;
  const game = app.desk.games.get(app.chosen.game);
  const { seat } = app.chosen;
  return { game, seat, view: game.views.get(seat) ?? null, invitation: game.invitations.get(seat) ?? null };
}

// What the rules of a view's game bring to the page, or null.
export const rulesOf = (app, { ruleset }) => app.games.get(`${ruleset.id} ${ruleset.version}`) ?? null;

export const filesOf = (list) => Promise.all([...list].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
