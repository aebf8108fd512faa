// Chances, numbers and wording, as readers of each language see them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LANGUAGES, load } from "./support/page.js";
import { GAME } from "./support/games.js";

const WRITTEN = {
  en: { certain: "100%", never: "0%", third: "33%", small: "1.5%", less: /^< ?0\.1%$/, more: /^> ?99\.9%$/, half: "3.5" },
  de: { certain: "100 %", never: "0 %", third: "33 %", small: "1,5 %", less: /^< ?0,1 %$/, more: /^> ?99,9 %$/, half: "3,5" },
};
const plain = (text) => text.replaceAll(/[\u00a0\u202f]/g, " ");

for (const language of LANGUAGES) {
  const { percent, formatNumber, formatForInput, fractionToNumber, localize, resultText, wordFor } = await load("app/format.js", language);
  const { t } = await load("app/i18n.js", language);
  const state = await load("app/state.js", language);
  const written = WRITTEN[language];

  test(`${language}: a chance is written as readers know it`, () => {
    assert.equal(plain(percent("1")), written.certain);
    assert.equal(plain(percent("7/7")), written.certain);
    assert.equal(plain(percent("0")), written.never);
    assert.equal(plain(percent("1/3")), written.third);
    assert.equal(plain(percent("3/200")), written.small);
    assert.match(plain(percent("1/1000000")), written.less);
    assert.match(plain(percent("999999/1000000")), written.more);
  });

  test(`${language}: only certainty is 100 percent, and only the impossible 0`, () => {
    for (let digits = 1; digits <= 30; digits += 1) {
      const bottom = 10n ** BigInt(digits);
      assert.notEqual(plain(percent(`${bottom - 1n}/${bottom}`)), written.certain, `1 - 10^-${digits}`);
      assert.notEqual(plain(percent(`1/${bottom}`)), written.never, `10^-${digits}`);
    }
  });

  test(`${language}: a greater chance never looks smaller`, () => {
    const shown = [];
    for (let top = 0; top <= 2000; top += 1) shown.push(Number.parseFloat(percent(`${top}/2000`).replace(/[^\d,.]/g, "").replace(",", ".")));
    for (let at = 1; at < shown.length; at += 1) assert.ok(shown[at] >= shown[at - 1], `${at}/2000: ${shown[at]} after ${shown[at - 1]}`);
  });

  test(`${language}: halves are decimals, other fractions stay exact`, () => {
    assert.equal(formatNumber("7/2"), written.half);
    assert.equal(formatNumber(3.5), written.half);
    assert.equal(formatNumber("-4"), "−4");
    assert.equal(formatNumber("-1/3"), "−1/3");
    assert.equal(formatNumber("3D-1"), "3D−1");
    assert.equal(formatNumber(-3.5), `−${written.half}`);
    assert.equal(formatNumber("T-1000"), "T-1000", "a name");
    assert.equal(formatNumber("1/3"), "1/3");
    assert.equal(formatForInput("7/2"), "3.5", "input fields are the same in every language");
  });

  test(`${language}: a game has its own word for the GM, with the article that it gives`, () => {
    state.game.value = { ...GAME, words: { gm: { en: "Narrator", de: "Erzähler" }, the_gm: { en: "the Narrator", de: "der Erzähler" } } };
    assert.equal(t("roll.gm_tells"), { en: "The Narrator reveals the result.", de: "Der Erzähler deckt das Ergebnis auf." }[language]);
    state.game.value = { ...GAME, words: { gm: { en: "Oracle", de: "Orakel" } } };
    assert.equal(t("fight.only_gm"), { en: "Hidden: only the Oracle sees them", de: "Verborgen: Nur Orakel sieht sie" }[language]);
    state.game.value = GAME;
    assert.match(t("roll.gm_tells"), { en: /^The GM reveals/, de: /^Die Spielleitung deckt/ }[language]);
  });

  test(`${language}: fractions of any size become numbers`, () => {
    assert.equal(fractionToNumber("1"), 1);
    assert.equal(fractionToNumber(`${10n ** 400n}/${4n * 10n ** 400n}`), 0.25);
  });

  test(`${language}: a text is shown in the reader's language, else in one that it has`, () => {
    assert.equal(localize({ en: "Easy", de: "Leicht" }), { en: "Easy", de: "Leicht" }[language]);
    assert.equal(localize({ en: "Easy" }), "Easy");
    assert.equal(localize({ fr: "Facile" }), "Facile");
    assert.equal(localize("as it is"), "as it is");
    assert.equal(localize(null, "otherwise"), "otherwise");
  });

  test(`${language}: results are counted where the game counts them`, () => {
    const rules = {
      words: { hits: { en: "hits", de: "Treffer" }, total: { en: "total", de: "Summe" } },
      singular: { hits: { en: "hit", de: "Treffer" } },
    };
    assert.equal(resultText("hits", 1, rules), { en: "1 hit", de: "1 Treffer" }[language]);
    assert.equal(resultText("hits", 3, rules), { en: "3 hits", de: "3 Treffer" }[language]);
    assert.equal(resultText("total", 17, rules), { en: "total 17", de: "Summe 17" }[language]);
    assert.equal(wordFor("own_word-here", null, rules), "own word here");
  });
}
