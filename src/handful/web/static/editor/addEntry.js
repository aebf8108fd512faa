// Add an entry to the form: a difficulty, a house rule, a parameter, a row. It starts with sample values.

import { html, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { Select } from "../ui/select.js";
import { fill } from "./model.js";

/** A valid key for the file: lowercase letters, digits and _. */
const keyOf = (name) => name.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");

/**
 * An input for a name, and a button.
 * @param {{label: string, there: {name: string}[], add: (key: string, name: string) => void,
 *   children?: any}} props children: further inputs
 */
export function Add({ label, there, add, children = null }) {
  const [name, setName] = useState("");
  const key = keyOf(name), taken = there.some((one) => one.name === key);
  const good = /^[a-z]/.test(key) && !taken;
  const done = () => {
    if (!good) return;
    add(key, name.trim());
    setName("");
  };
  return html`
    <div class="row wrap adding"><label class="field grow"><span>${label}</span>
      <input value=${name} maxlength="40" onInput=${(event) => setName(event.target.value)}
        onKeyDown=${(event) => event.key === "Enter" && done()} /></label>${children}
      <button type="button" disabled=${!good} aria-label=${`${t("form.add")}: ${label}`} onClick=${done}>${t("form.add")}</button>
      ${taken && html`<small role="status">${t("form.taken")}</small>`}</div>`;
}

/** A new difficulty, with the last one's numbers. */
export const addRung = (rungs) => (key, name) => {
  const numbers = rungs.at(-1)?.fields.filter((one) => one.kind === "number").map((one) => [one.path.at(-1), one.value]);
  fill(["ladder", key], { ...Object.fromEntries(numbers ?? []), title: { en: name } });
};

/** A new row, copied from the last one. */
export const addRow = (group) => (key) => fill([...group.path, key], group.fields.at(-1)?.value ?? 0);

/** A new house rule: yes or no, or one of several values; the first is the default. */
export function AddOption({ there }) {
  const [typed, setTyped] = useState("");
  const add = (key, name) => {
    const words = typed.split(",").map((one) => one.trim()).filter(Boolean);
    const numbers = words.every((one) => /^-?\d{1,9}$/.test(one));
    const values = words.length > 1 ? words.map((one) => (numbers ? Number(one) : keyOf(one))) : [false, true];
    fill(["options", key], { values, default: values[0], label: { en: name } });
    setTyped("");
  };
  return html`<${Add} label=${t("form.new_option")} there=${there} add=${add}>
    <label class="field grow"><span>${t("form.values")}</span><input value=${typed} maxlength="200" placeholder=${t("form.yes_no")}
      onInput=${(event) => setTyped(event.target.value)} /></label><//>`;
}

const PARAMS = { number: { type: "number", min: 0, max: 10, default: 0 }, truth: { type: "truth", default: false } };

/** A new parameter: a number, or yes or no. */
export function AddParam({ path, there }) {
  const [type, setType] = useState("number");
  return html`<${Add} label=${t("form.new_param")} there=${there}
    add=${(key, name) => fill([...path, "params", key], { ...PARAMS[type], label: { en: name } })}>
    <${Select} label=${t("form.type")} value=${type} set=${setType}
      options=${[["number", t("form.type_number")], ["truth", t("form.yes_no")]]} /><//>`;
}
