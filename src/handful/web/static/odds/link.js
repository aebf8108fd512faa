// The URL of the odds page for a game's first check.

export const oddsOf = (game) => `/odds#('v':1,'s':[('g':'${encodeURIComponent(game)}')])`;
