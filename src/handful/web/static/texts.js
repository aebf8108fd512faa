// Every text of the pages, in one place.  What games say comes from the server.

export const LANGUAGE = "en";

/** Where a number decides, there are two texts: .one and .other. */
const TEXTS = {
  name: "Handful",
  back: "Back", close: "Close", yes: "yes", no: "no", say: "Say it", success: "Success", failure: "Failure",
  percent: "{n} %", "percent.less": "< {n} %", "percent.more": "> {n} %",
  "role.gm": "GM", "role.player": "player", "role.watcher": "watcher",

  "fault.away": "The server does not answer.", "fault.away_hint": "Is it running, and is the network there?",
  "fault.odd": "The server answered with {status}.",

  "lost.title": "This link leads nowhere",
  "lost.why": "It is not complete, or it was taken back. Ask the GM for a new one.",
  "lost.start": "To the first page",

  "join.title": "Take a seat", "join.why": "You were invited to a table. What should the others call you?",
  "join.name": "Your name", "join.sit": "Sit down",

  "start.hello": "A dice table that knows the rules. Pick a game and roll within a minute.",
  "start.loading": "Looking for the games …",
  "start.demo": "Try it", "start.open": "Open a table",
  "start.demo_title": "{game} demo", "start.demo_gm": "GM", "start.demo_one": "Ann", "start.demo_two": "Bob",
  "start.foot": "Everything stays on this server. No accounts: whoever has a link has its seat.",
  "start.usual_title": "Our table", "start.new": "A new table for {game}",
  "start.title": "Name of the table", "start.gm": "Your name (you are the GM)", "start.players": "Players",
  "start.players_example": "Ann, Bob", "start.players_hint": "Names with commas. You can also invite people later.",
  "start.make": "Open the table",
  "glance.title": "{what} against {goal}",
  "opened.title": "The table is open",
  "opened.once": "Send each player their link. The links are shown this once; you can make new ones at the table.",
  "opened.yours": "{name} (you, the GM)", "opened.sit": "Sit down at the table",
  "links.watchers": "Watchers: anybody with this link", "links.players": "Players: anybody with this link",
  "links.copy": "Copy", "links.copied": "Copied", "links.code": "QR code", "links.code_of": "QR code of the link: {what}",

  "table.opening": "Opening the table …", "table.you": "You are", "table.parts": "Parts of the table",
  "table.other_rules": "This table was begun with other rules of the game; some words may differ.", "table.not_sent": "not sent yet", "table.lost": "Connection lost, trying again …",
  "table.unsent.one": "One thing you did is kept and will be sent.",
  "table.unsent.other": "{n} things you did are kept and will be sent.",
  "part.act": "Dice", "part.feed": "Table", "part.side": "People",
  "act.ask": "Ask", "act.contest": "Contest", "act.call": "Doubt", "people.all": "all", "people.none": "nobody",
  "ask.nobody": "There are no players yet. Invite some under Seats.", "ask.whom": "Whom do you ask?", "ask.do": "Ask for the check",
  "ask.open": "What you leave open, such as the skill, the players propose.",
  "call.why": "You doubt what was said? The GM permits the skill, you roll, and the GM tells what you find.",
  "call.what": "What do you doubt?", "call.do": "Call it",
  "request.called": "{who} calls", "request.asks": "The GM asks", "request.rolls": "rolls", "request.proposes": "proposes",
  "request.waits": "has not answered yet", "request.absent": "is absent", "request.instead": "Answer for {who}", "request.accept": "Accept",
  "request.refuse": "Refuse", "request.why": "Why not (if you like)", "request.propose": "Propose", "request.accept_for": "Declare it for {who}",
  "request.withdraw": "Withdraw", "request.again": "Propose something else",
  "settle.against": "What was doubted", "settle.check": "Compare by", "settle.compare": "Compare and tell", "settle.nothing": "There was nothing to find",
  "contest.ask": "ask {who}", "contest.asked": "{who}, asked: {what}", "contest.each": "Each side rolls", "contest.do": "Begin", "contest.versus": "vs",
  "contest.wins": "{who} wins", "contest.nobody": "Nobody wins", "contest.somebody": "A contest", "contest.call_off": "Call it off",
  "phase.declared": "declared", "phase.rolling": "rolling", "phase.deciding": "deciding", "phase.decided": "decided", "phase.finalised": "finished",
  "phase.rolled": "rolled", "phase.cancelled": "cancelled", "phase.asked": "is asked",
  "act.roll": "Roll", "act.watching": "You are watching. What happens is in the middle.",
  "side.characters": "Characters", "side.seats": "Seats", "side.log": "Log", "side.house": "Rules",
  "act.fight": "Fight",
  "characters.none": "Nobody has come yet.", "kind.pc": "player character", "kind.npc": "NPC",
  "sheet.attributes": "Attributes", "sheet.skills": "Skills", "sheet.take": "Take it into the roll", "sheet.use": "{what}: {for}",
  "sheet.damage": "Damage", "sheet.harm": "Harm", "sheet.shown": "Who sees the sheet",
  "shown.open": "everybody", "shown.own": "owner and GM; others the name", "shown.hidden": "owner and GM only", "shown.usual": "as usual",
  "do.undo_points": "Undo the last change", "do.forget": "Forget: {task}", "do.dismiss": "Send away",
  "bring.title": "Bring a character", "bring.for": "For", "bring.sample": "A sample", "bring.file": "A file (JSON)", "bring.paste": "Or paste the sheet (JSON)",
  "bring.no_json": "This is no JSON.", "bring.new": "is new here.", "bring.changes": "is here already. This would change:", "bring.same": "is here with this very sheet.",
  "bring.do": "Bring", "bring.replace": "Replace",
  "seats.absent": "absent", "seats.link": "New link", "seats.revoke.one": "Take back its link", "seats.revoke.other": "Take back its {n} links",
  "seats.leave": "Leave the table", "seats.gone": "Is absent", "seats.back": "Is back", "seats.fresh": "New links", "seats.once": "They are shown this once.",
  "seats.new": "A new seat", "seats.name": "Name", "seats.role": "Role", "seats.make": "Make the seat and its link",
  "seats.open": "Open invitations", "seats.open_player": "Link for any player", "seats.open_watcher": "Link for any watcher",
  "house.mode": "No roll is more open than this.", "house.title": "House rules", "house.why": "They count from the next roll on.", "house.differs": "The game says: {what}",
  "fight.who": "Who fights?", "fight.begin": "Begin the fight", "fight.round": "Round {n}", "fight.join": "Somebody joins", "fight.actions": "{left} of {n} actions left",
  "fight.waiting": "waits", "fight.over": "done", "fight.prepared": "prepares", "fight.hidden": "hidden", "fight.turn": "turn",
  "fight.next_round": "Next round", "fight.end_fight": "End the fight", "fight.how_many": "How many actions", "fight.fix": "actions this round",
  "fight.act": "Act", "fight.wait": "Wait", "fight.prepare": "Prepare", "fight.end_turn": "End the turn", "fight.undo_move": "Undo", "fight.react": "React",
  "fight.out": "Is out", "fight.uncover": "Uncover", "fight.interrupt": "Interrupt {who}",
  "log.search": "Search", "log.topic": "What", "log.seat": "Who", "log.anybody": "anybody", "log.count.one": "one line", "log.count.other": "{n} lines",
  "log.export": "Export", "log.markdown": "Markdown", "log.verify": "Verify", "log.none": "none", "log.something": "something",
  "topic.all": "everything", "topic.rolls": "rolls", "topic.requests": "requests", "topic.characters": "characters", "topic.fights": "fights", "topic.table": "the table",
  "log.table_opened": "{who} opened the table.", "log.seat_taken": "{name} has a seat: {role}.", "log.seat_left": "{name} is absent.",
  "log.house_rules_changed": "{who} changed house rules: {options}.", "log.visibility_changed": "{who}: rolls are {mode}.",
  "log.roll_declared": "{roller} declares {check} {title}.", "log.line_switched": "{who} switched a line.", "log.line_added": "{who} added a line.",
  "log.dice_thrown": "{who} throws: {faces}.", "log.faces_typed": "{who} types: {faces}.", "log.faces_taken_back": "{who} takes back: {faces}.",
  "log.decision_taken": "{who} decides, {decision}: {answer} {words}.", "log.decision_undone": "{who} takes back a decision.",
  "log.roll_result": "{result}.", "log.roll_finalised": "A roll is over.", "log.roll_corrected": "{who} corrects a roll {words}.", "log.roll_judged": "{who}: {grade} {words}.",
  "log.roll_revealed": "A roll of {roller} is revealed.", "log.target_revealed": "{who} shows what was hidden.", "log.roll_cancelled": "{who} cancels a roll.",
  "log.contest_opened": "A contest: {sides}.", "log.contest_called_off": "A contest is called off.", "log.contest_kept": "A contest is kept as it was.",
  "log.character_brought": "{name} has come.", "log.character_updated": "{character} has a new sheet.", "log.character_shown": "{character} is shown otherwise.",
  "log.character_dismissed": "{character} is gone.", "log.points_changed": "{character}: {changes} {words}.", "log.points_spent": "{character} pays: {changes}.",
  "log.check_requested": "{who} asks {to} for {check} {title}.", "log.check_called": "{who} calls: {check} {title}.", "log.check_proposed": "{name} proposes.",
  "log.proposal_accepted": "{who} accepts {name}’s proposal.", "log.proposal_refused": "{who} refuses {name}’s proposal {words}.",
  "log.request_withdrawn": "{who} withdraws a request.", "log.request_reopened": "A request to {name} is open again.", "log.call_settled": "{name}: {found}",
  "log.fight_begun": "A fight begins.", "log.round_begun": "Round {n}.", "log.fight_ended": "The fight is over.", "log.combatant_joined": "{combatant} joins.",
  "log.combatant_left": "{combatant} is out.", "log.actions_fixed": "{combatant}: {n} actions.", "log.action_taken": "{combatant} acts. {what}", "log.waited": "{combatant} waits.",
  "log.turn_ended": "{combatant} is done.", "log.move_undone": "{combatant} takes back a move.", "log.paced": "{combatant} moves: {what}.", "log.stance_taken": "{combatant}: {what}.",
  "log.reacted": "{combatant} reacts. {what}", "log.interrupted": "{combatant} interrupts. {what}", "log.round_prepared": "{combatant} prepares.",
  "proof.broken": "✗ Line {n} was changed or does not follow.", "proof.cut": "✗ The end does not fit: something is missing.",
  "proof.log.one": "✓ One line, whole. Head {head}.", "proof.log.other": "✓ {n} lines, whole and in order. Head {head}.",

  "field.required": "(needed)", "field.less": "less {what}", "field.more": "more {what}",
  "field.type": "type a value …", "field.on_sheet": "On the sheet", "field.not_on_sheet": "Not on the sheet",

  "panel.title": "A roll", "panel.check": "Check", "panel.character": "Character",
  "panel.no_character": "nobody: numbers only", "panel.add_side": "Add a side", "panel.drop_side": "Drop the last side",
  "panel.modifiers": "Modifiers", "panel.modifiers_set.one": "Modifiers (1 set)", "panel.modifiers_set.other": "Modifiers ({n} set)",
  "panel.hide": "hide it", "panel.is_hidden": "hidden",
  "panel.how": "How", "panel.mode": "Who sees it", "panel.dice": "Dice", "panel.dice.table": "the table throws",
  "panel.dice.own": "my own dice", "panel.what": "What is it about?", "panel.for": "Who rolls", "panel.for_me": "me",
  "panel.roll": "Roll", "panel.declare": "Declare",
  "mode.revealed": "revealed", "mode.public": "open to all", "mode.private": "GM and roller", "mode.blind": "blind", "mode.secret": "roller only", "mode.gm": "GM only",
  "mode.public.long": "Everybody sees the roll and its result.",
  "mode.private.long": "The GM and whoever rolls see it; others see that somebody rolls.",
  "mode.blind.long": "Only the GM sees the result; whoever rolls knows what was rolled.",
  "mode.secret.long": "Only whoever rolls sees it, not even the GM.",
  "mode.gm.long": "Only the GM sees it; nobody else hears of it.",

  "deed.title": "In the story", "deed.given": "In the story (set)", "deed.target": "Against", "deed.spends": "Costs", "deed.answers": "Answers", "deed.item": "With (item)", "deed.task": "Task (tries count)",
  "deed.action": "an action", "deed.interruption": "an interruption", "deed.reaction": "a reaction", "deed.resistance": "nothing: it resists", "deed.nothing": "nothing",

  "chance.success": "chance of success", "chance.win": "chance to win", "chance.each": "against each",
  "chance.mean": "{what} on average", "chance.missing": "Fill in {what} to see the chance.", "chance.none": "no chance to tell", "chance.spread": "Distribution",
  "chart.label": "How likely each result is: {what}", "chart.table": "As a table", "chart.exactly": "exactly",
  "chart.at_least": "at least", "chart.from": "{n} and more", "chart.policy": "{what}: {how}",

  "feed.title": "Rolls", "feed.empty": "Nothing was rolled yet.", "feed.begin": "Choose what to roll, look at the chance, and press Roll.", "feed.invite": "Others get their links under Seats.",
  "tray.title": "What waits for you", "tray.count.one": "One thing waits for you", "tray.count.other": "{n} things wait for you",
  "tray.answer": "Decide", "tray.throw": "Throw", "tray.finalise": "Finish", "tray.propose": "You are asked",
  "tray.accept": "Proposal", "tray.absent": "Somebody is absent", "tray.settle": "Settle the call", "tray.check": "a check",

  "die.shows": "shows {face}", "die.by_hand": "thrown by hand", "die.again": "It was rerolled already.",
  "die.not_eligible": "This die cannot be chosen here.", "die.not_yours": "Somebody else decides.",
  "die.no_more.one": "No more than one die.", "die.no_more.other": "No more than {n} dice.",
  "die.choose.one": "Click the die that you want, one at most.", "die.choose.other": "Click the dice that you want, {n} at most.",
  "decision.dice.one": "Take this die", "decision.dice.other": "Take these {n} dice",
  "decision.reroll.one": "Reroll this die", "decision.reroll.other": "Reroll these {n} dice",

  "roll.label": "{who}: {what}", "roll.against": "against", "roll.hides": "hidden from players: {what}", "roll.hidden": "something is hidden",
  "roll.waits_for": "Waits for {who}.", "roll.words": "What happens (if you like)", "roll.no_odds": "The odds of this would take too long.",
  "roll.keep": "Finish now", "roll.best": "Best choice: {dice}",
  "roll.throw_due.one": "{who} throws one die.", "roll.throw_due.other": "{who} throws {n} dice.",
  "roll.throw": "Throw the dice",
  "roll.own_dice": "I throw my own dice", "roll.table_dice": "Let the table throw",
  "roll.type_faces.one": "Throw one d{sides} {role} and type what it shows.", "roll.type_faces.other": "Throw {n} d{sides} {role} and type what they show.",
  "roll.face_of": "Die {n}, 1 to {sides}", "roll.take_faces": "That is it", "roll.some_faces.one": "Take one", "roll.some_faces.other": "Take {n}",
  "roll.finalise": "Finish the roll", "roll.cancelled": "Cancelled.", "roll.rolled_blind": "Thrown; the GM knows the result.",
  "roll.side": "Side {n}", "roll.instead": "Do it for {who}", "roll.presence": "{who} rolls, not for your eyes.", "roll.margin": "margin", "roll.breakdown": "Where it comes from",
  "roll.off": "switched off by {who}", "roll.lines": "Counted before the dice are thrown", "roll.more": "More",
  "by.rules": "rules", "by.sheet": "sheet",
  "do.undo": "Undo", "do.cancel": "Cancel the roll", "do.reveal_target": "Show what is hidden", "do.reveal": "Reveal to everybody",
  "do.reveal_to": "Reveal to {who}", "do.judge": "What the result means", "do.correct": "Correct a number", "do.correct_faces": "Correct typed faces", "correct.throw": "Throw", "correct.faces": "What it shows: 6, 3, 1", "do.add_line": "Add a modifier",
  "correct.what": "What", "correct.value": "Value", "correct.why": "Why", "correct.do": "Count it anew", "line.note": "Where it comes from", "line.add": "Add it",
  "proof.title": "Verify", "proof.roll": "Roll", "proof.promise": "Promise before the throw", "proof.key": "Key", "proof.check": "Check it here",
  "proof.later": "The key is shown when the roll is over.",
  "proof.insecure": "This browser can check only over https or on the same machine. Export the log and run: handful verify",
  "proof.other_key": "✗ The key is not the one that was promised.", "proof.other_faces": "✗ The faces do not follow from the key.",
  "proof.good.one": "✓ The key was promised, and the face follows from it.", "proof.good.other": "✓ The key was promised, and {n} faces follow from it.",
  "say.result": "{who}: {what}: {result}", "say.asked": "You are asked for a check: {what}",
  "call.found": "The call has found something.", "call.nothing": "The call has found nothing.",
};

/** A text by its key; the key itself where there is none. */
export function t(key, values = {}) {
  const text = TEXTS[key];
  if (text === undefined) return key;
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "").trim();
}

const plural = new Intl.PluralRules(LANGUAGE);

/** A text that counts; `otherwise` is the key where the first has no text. */
export function tn(key, n, values = {}, otherwise = key) {
  const form = plural.select(n);
  const found = [`${key}.${form}`, `${key}.other`, `${otherwise}.${form}`, `${otherwise}.other`];
  return t(found.find((one) => one in TEXTS) ?? key, { n, ...values });
}
