// Games as the server describes them, small enough to read in a test.

const texts = (en, de = en) => ({ en, de });

/** A parameter of a check; `more` replaces fields. */
export const param = (name, more = {}) => ({
  name, type: "number", label: texts(name), help: texts(""), unit: "dice", required: false, list: false,
  default: null, values: [], min: 0, max: 20, ladder: false, words: [], follows: false, whole: true, says: {}, ...more,
});

/** A game with a simple check, a contest of sides, difficulties and a house rule. */
export const GAME = {
  id: "toy", hash: "0", title: texts("Toy game", "Spielzeug"), about: texts(""), decisions: {}, characters: [],
  words: { hits: texts("hits", "Treffer") }, singular: { hits: texts("hit", "Treffer") }, critical: ["fumble"],
  ladder: [
    { name: "easy", title: texts("Easy", "Leicht"), target: 1 },
    { name: "hard", title: texts("Hard", "Schwer"), target: 3 },
  ],
  options: [{ name: "wild", label: texts("Wild dice", "Joker"), values: [false, true], default: false, says: {} }],
  checks: [
    {
      name: "direct", title: texts("Direct check", "Einfache Probe"), help: texts(""), main: "hits", sides: null,
      parameters: [
        param("attribute", { required: true, label: texts("Attribute", "Attribut") }),
        param("difficulty", { type: "choice", ladder: true, unit: "", label: texts("Difficulty", "Schwierigkeit") }),
        param("bonus", { default: 0 }),
      ],
    },
    {
      name: "contest", title: texts("Contest", "Vergleich"), help: texts(""), main: "hits", sides: { word: "vs", min: 2, max: 5 },
      parameters: [
        param("stakes", { unit: "", label: texts("Stakes", "Einsatz") }),
        param("attribute", { required: true, whole: false, label: texts("Attribute", "Attribut") }),
      ],
    },
  ],
  sheet: {
    attributes: { grace: texts("Grace", "Anmut"), might: texts("Might", "Kraft") },
    skills: { stealth: texts("Stealth", "Schleichen"), climbing: texts("Climbing", "Klettern") },
    resources: {}, derived: {}, conditions: {}, picks: { attribute: { attributes: true, skills: true } },
    rounds: { kinds: {}, targets: ["direct"] }, form: {},
  },
};

/** Ann's view of a table with her own character, Mira. */
export const VIEW = {
  table: "table", game: { id: "toy", hash: "0" }, seat: "ann", role: "player", options: {}, mode: "public", may: [],
  seats: [{ name: "gm", role: "gm", left: false }, { name: "ann", role: "player", left: false }],
  characters: [{
    character: "ann/Mira", owner: "ann", name: "Mira", kind: "pc", sheet: { attributes: { grace: 3 } }, skills: { stealth: 2 },
  }],
  rolls: [], requests: [], contests: [], messages: [], fight: null, scratchpad: { text: "", mark: "" },
};
