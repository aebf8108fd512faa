// Texts of the start page, of invitations and of new tables in English.

export default {
  "join.loading": "Looking for your table …", "join.invited": "You’re invited to", "join.led": "{game} with {gm}", "join.there": "Already there: {who}",
  "join.sits": "You already sit here as {who}.", "join.name": "Your name", "join.colour": "Your colour", "join.colour_of": "{colour}, like {who}",
  "join.character": "Who do you play?", "join.ready": "ready for you", "join.sample": "from the game", "join.own": "I make my own", "join.later": "I decide later",
  "join.just_watch": "I just watch", "join.sit": "Sit down", "join.watch": "Watch",
  "start.hello": "A handful of dice, played by the rules.", "start.what": "A table in the browser for dice-pool games. You open it, players join by phone, and every choice shows its exact odds.",
  "start.foot": "No account. Nothing leaves this server.", "start.loading": "Loading games …", "start.pages": "Pages", "start.pick": "Pick a game",
  "start.try_now": "Try it now", "start.demo": "Try it", "start.demo_what": "Try it: {what}", "start.open": "Open a table", "start.open_what": "Open a table: {what}", "start.odds_of": "Explore the odds of {what}",
  "start.demo_title": "{game} demo", "start.again": "Throw again", "start.demo_gm": "GM", "start.demo_one": "Ann", "start.demo_two": "Bob",
  "start.usual_title": "Our table", "start.new": "New table: {game}", "start.title": "Table name", "start.gm": "Your name (you run the game)", "start.make": "Open the table",
  "start.fact_odds": "Exact odds", "start.fact_odds_why": "Worked out, not sampled. Also in the middle of a roll.",
  "start.fact_check": "Rolls you can check", "start.fact_check_why": "Every throw is promised before it falls. Anybody can verify it afterwards. Or throw your own dice and type the faces.",
  "start.fact_lost": "Lost your link?", "start.fact_lost_why": "Players ask their GM. A GM has a recovery code.",
  "start.chance": "{what} against {goal}",
  "mine.title": "My tables", "mine.gm": "you are {who} and run the game", "mine.player": "you are {who}", "mine.watcher": "you watch as {who}", "mine.last": "last visit {when}",
  "mine.here.one": "{who} is there now", "mine.here.other": "There now: {who}", "mine.gone": "This seat is gone: the table was deleted, or your link was revoked.",
  "mine.forget": "Forget", "mine.forget_what": "Forget {what}", "mine.sit": "Sit down", "mine.sit_at": "Sit down: {what}", "mine.more": "{n} more",
  "recover.title": "Your recovery code", "recover.why": "It gives you a new link to your GM’s seat. The table’s log will say so.",
  "recover.code": "Recovery code", "recover.do": "Back to my table", "recover.else": "No code? Whoever runs the server can make a link:",
  "start.own_why": "or write your own",
  "start.own_do": "Write a game",
};
