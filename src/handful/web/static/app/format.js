// The game's words and numbers as they are said; all of it comes from the server.

import { LANGUAGE, t, written } from "./i18n.js";
import { game, view } from "./state.js";

/** A text in several languages, in ours. */
export function say(texts, otherwise = "") {
  if (typeof texts === "string") return texts;
  return texts?.[LANGUAGE] ?? texts?.en ?? Object.values(texts ?? {})[0] ?? otherwise;
}

/** A name of the rules in words; one that the game has no words for is made readable. */
export function word(name) {
  const known = game.value?.words?.[name];
  if (known) return say(known);
  const own = t(`word.${name}`);
  return own === `word.${name}` ? String(name).replaceAll(/[_-]/g, " ") : own;
}

/** A value of a house rule or of a choice in words: the game has its own for some. */
export function choiceWord(of, value) {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map((one) => choiceWord(of, one)).join(", ");
  return say(of?.says?.[value], typeof value === "string" ? word(value) : plain(value));
}

/** What somebody at the table is: a game may call the one who leads it otherwise. */
export const roleName = (role) => say((role === "gm" && game.value?.words?.gm) || null, t(`role.${role}`));

export const checkOf = (name) => game.value?.checks.find((one) => one.name === name);
export const checkTitle = (name) => say(checkOf(name)?.title, name);
export const paramOf = (check, name) => checkOf(check)?.parameters.find((one) => one.name === name);
export const paramLabel = (check, name) => say(paramOf(check, name)?.label, word(name));
export const characterOf = (id) => view.value?.characters.find((one) => one.character === id);
export const characterName = (id) => characterOf(id)?.name ?? id.split("/").slice(1).join("/");

/** Who is to go on with a roll: its roller, in a contest whoever has that side. */
export const turnOf = (roll) => roll.parts?.[(roll.question?.side ?? 0) - 1]?.roller ?? roll.roller;

/** Whether this seat goes on with a roll; the GM also for those who are absent. */
export function isMine(roll) {
  const { seats, seat, role } = view.value;
  const who = turnOf(roll);
  if (who === seat || (roll.question?.by === "gm" && role === "gm")) return true;
  return role === "gm" && seats.some((one) => one.name === who && one.left);
}

/** Whose side it is, by the character if there is one. */
export function sideName(roll, side) {
  const as = roll.as?.[side - 1];
  return as ? characterName(as) : roll.parts?.[side - 1]?.roller ?? t("roll.side", { n: side });
}

/** What stands on a sheet, by the name of an attribute or a skill. */
export function sheetWord(name) {
  const sheet = game.value?.sheet;
  return say(sheet?.attributes[name] ?? sheet?.skills[name] ?? sheet?.derived?.[name], word(name));
}

/** The value of a parameter in words: a rung of the ladder, a skill, a yes. */
export function valueWord(check, name, value) {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map((one) => valueWord(check, name, one)).join(", ");
  const param = paramOf(check, name);
  if (param?.ladder && typeof value === "string") {
    const rung = game.value.ladder.find((one) => one.name === value);
    if (rung) return say(rung.title);
  }
  if (typeof value === "string" && game.value?.sheet?.picks[name]) return sheetWord(value);
  return typeof value === "string" && param?.values.includes(value) ? choiceWord(param, value) : plain(value);
}

/** An exact number as it is typed: 7/2 is 3.5. */
export function typed(value) {
  if (typeof value !== "string" || !/^-?\d+\/\d+$/.test(value)) return String(value);
  const [top, bottom] = value.split("/").map(Number);
  const made = top / bottom;
  return Number.isInteger(made * 100) ? String(made) : value;
}

/** An exact number as it is read: 7/2 is 3.5, in German 3,5. */
export function plain(value) {
  const said = typed(value);
  return /^-?\d+\.\d+$/.test(said) ? written(Number(said)) : said;
}

export const signed = (value) => {
  const said = plain(value);
  return /^[1-9]/.test(said) ? `+${said}` : said.replace(/^-/, "−");
};

/** A fraction of any size as a number. */
export function share(fraction) {
  const [top, bottom = "1"] = String(fraction).split("/");
  return Number((BigInt(top) * 10n ** 12n) / BigInt(bottom)) / 1e12;
}

/** A chance in percent; what is not certain is never shown as certain. */
export function percent(fraction) {
  const exact = share(fraction);
  const parts = String(fraction).split("/");
  if (exact === 1 || (parts.length > 1 && parts[0] === parts[1])) return t("percent", { n: 100 });
  if (String(fraction) === "0") return t("percent", { n: 0 });
  if (exact < 0.001) return t("percent.less", { n: written(0.1) });
  if (exact > 0.999) return t("percent.more", { n: written(99.9) });
  const shown = exact * 100;
  return t("percent", { n: written(shown, shown < 10 || shown > 90 ? 1 : 0) });
}
