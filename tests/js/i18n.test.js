// Texts of the pages: plural forms, gaps, numbers and times.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LANGUAGES, load } from "./support/page.js";

for (const language of LANGUAGES) {
  const { LANGUAGE, formatDecimal, formatTime, t, tn } = await load("app/i18n.js", language);
  const texts = (await load(`texts/${language}.js`, language)).default;

  test(`${language}: the reader's choice is the language of the page`, () => {
    assert.equal(LANGUAGE, language);
  });

  test(`${language}: every counted text has a form for one and for several, with its number`, () => {
    const counted = Object.keys(texts).filter((key) => key.endsWith(".other")).map((key) => key.slice(0, -6));
    assert.ok(counted.length > 10);
    for (const key of counted) {
      assert.equal(tn(key, 1), t(`${key}.one`, { n: 1 }), key);
      for (const n of [0, 2, 11, 101]) assert.equal(tn(key, n), t(`${key}.other`, { n }), `${key} ${n}`);
      if (texts[`${key}.other`].includes("{n}")) assert.ok(tn(key, 17).includes("17"), key);
    }
  });

  test(`${language}: gaps are filled, left-over ones leave nothing behind, and words are not markup`, () => {
    const [key, text] = Object.entries(texts).find(([, one]) => /^[^{]*\{(\w+)\}[^{]*$/.test(one));
    const name = /\{(\w+)\}/.exec(text)[1];
    assert.equal(t(key, { [name]: "$& <b>" }), text.replace(`{${name}}`, () => "$& <b>").trim());
    assert.ok(!t(key).includes("{"));
  });

  test(`${language}: a key without a text is shown as it is`, () => {
    assert.equal(t("no.such.key"), "no.such.key");
  });

  test(`${language}: decimals and times`, () => {
    assert.equal(formatDecimal(1234.5), { en: "1234.5", de: "1234,5" }[language]);
    assert.equal(formatDecimal(2, 2), { en: "2.00", de: "2,00" }[language]);
    assert.match(formatTime("2026-11-15T20:05:00"), { en: /^0?8:05\sPM$/, de: /^20:05$/ }[language]);
  });
}
