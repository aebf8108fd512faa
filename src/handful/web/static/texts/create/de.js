// Texts of the form that makes a character in German.

export default {
  "create.title": "Neue Figur", "create.loading": "Die Würfel kommen auf den Tisch …", "create.begin": "Anfangen mit", "create.why": "Alles ist schon ausgefüllt. Ändere, was du magst, oder spiel sie so.", "create.chance": "Überrasch mich",
  "create.blank": "Leer", "create.samples": "Fertige …", "create.random_name": "Zufälliger Name", "create.nameless": "Namenlos", "create.for": "Wer spielt sie?", "create.npc": "Du, als NSC", "create.own": "{name}, als eigene Figur",
  "create.left": "noch {n}", "create.too_many": "{n} zu viel", "create.all_spent": "alles verteilt", "create.too_few": "mindestens {least} verteilen, noch {n}", "create.too_high": "{what}: höchstens {most}", "create.own_entry": "Eigenes …",
  "create.choose": "Aussuchen: {what}", "create.search": "Suchen", "create.nothing": "Nichts passt.", "create.follows": "Was sich ergibt", "create.here": "{name} ist schon am Tisch. Nimm einen anderen Namen.", "create.add": "{name} hinzufügen",
  "create.copy": "Kopie von {name}", "rename.title": "Anderer Name für {name}", "rename.why": "Würfe und Verlauf bleiben.", "rename.do": "Umbenennen",
};
