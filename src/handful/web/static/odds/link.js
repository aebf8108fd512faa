// The way to the explorer page, for one game: its first check, ready to be changed.

export const oddsOf = (game) => `/odds#('v':1,'s':[('g':'${encodeURIComponent(game)}')])`;
