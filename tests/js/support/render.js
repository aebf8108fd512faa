// Imported once per language, so that it draws with the same Preact as the components of that language.

export { renderToString } from "preact-render-to-string";
