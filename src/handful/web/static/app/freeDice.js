// Free dice: expressions such as 3d6+2, outside the rules of the game. The server reads and solves them; the page
// asks only about what looks whole, so that half a word is never refused.

const PREFIX = "dice:";
const TERM = String.raw`(?:\d{0,3}\s*[dw]\s*(?:\d{1,4}|%)!?(?:\s*(?:keep|k)\s*(?:highest|lowest|h|l)?\s*\d{1,3})?|\d{1,5})`;
const WHOLE = new RegExp(String.raw`^\s*-?\s*${TERM}(?:\s*[+\-−]\s*${TERM})*(?:\s*(?:>=|<=|==?|>|<|≥|≤)\s*-?\d{1,5})?\s*$`, "i");

/** The check of an expression. @param {string} text */
export const freeCheck = (text) => `${PREFIX}${text.trim()}`;

/** True for a check that is an expression. @param {string} check */
export const isFree = (check) => check.startsWith(PREFIX);

/** The expression of such a check. @param {string} check */
export const expressionOf = (check) => check.slice(PREFIX.length);

/** True if a text may be an expression with dice. @param {string} text */
export const looksWhole = (text) => WHOLE.test(text) && /[dw]/i.test(text);
