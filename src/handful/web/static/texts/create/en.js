// Texts of the form that makes a character in English.

export default {
  "create.title": "New character", "create.loading": "Getting the dice out …", "create.begin": "Begin with", "create.why": "Everything is filled in. Change what you like, or play it as it is.", "create.chance": "Surprise me", "create.blank": "Blank",
  "create.samples": "Ready-made …", "create.random_name": "Random name", "create.nameless": "Nameless", "create.for": "Who plays it?", "create.npc": "You, as an NPC", "create.own": "{name}, as your own", "create.left": "{n} left",
  "create.too_many": "{n} too many", "create.all_spent": "all spent", "create.too_few": "spend at least {least}, {n} left", "create.too_high": "{what}: at most {most}", "create.own_entry": "Your own …", "create.choose": "Choose: {what}",
  "create.search": "Search", "create.nothing": "Nothing fits.", "create.follows": "What follows", "create.here": "{name} is here already. Take another name.", "create.add": "Add {name}", "create.copy": "Copy of {name}", "rename.title": "Another name for {name}",
  "rename.why": "Rolls and history stay.", "rename.do": "Rename",
};
