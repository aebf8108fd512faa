// Texts of the start page, of invitations and of new tables in German.

export default {
  "join.loading": "Dein Tisch wird gesucht …", "join.invited": "Du bist eingeladen", "join.led": "{game} mit {gm}", "join.there": "Schon da: {who}",
  "join.sits": "Du sitzt hier schon als {who}.", "join.name": "Dein Name", "join.colour": "Deine Farbe", "join.colour_of": "{colour}, wie {who}",
  "join.character": "Wen spielst du?", "join.ready": "liegt für dich bereit", "join.sample": "aus dem Spiel", "join.own": "Ich mache eine eigene Figur", "join.later": "Das entscheide ich später",
  "join.just_watch": "Ich schaue nur zu", "join.sit": "Hinsetzen", "join.watch": "Zuschauen",
  "start.hello": "Eine Handvoll Würfel, gespielt nach den Regeln.", "start.what": "Ein Tisch im Browser für Spiele mit Würfelpools. Du eröffnest ihn, alle anderen kommen per Handy dazu, und jede Wahl zeigt ihre genaue Chance.",
  "start.foot": "Ohne Konto. Nichts verlässt diesen Server.", "start.loading": "Spiele werden geladen …", "start.pages": "Seiten", "start.pick": "Such dir ein Spiel aus",
  "start.try_now": "Jetzt ausprobieren", "start.demo": "Ausprobieren", "start.demo_what": "Ausprobieren: {what}", "start.open": "Tisch eröffnen", "start.open_what": "Tisch eröffnen: {what}", "start.odds_of": "Chancen von {what} erkunden",
  "start.demo_title": "{game} zum Ausprobieren", "start.again": "Noch mal würfeln", "start.demo_gm": "SL", "start.demo_one": "Anna", "start.demo_two": "Ben",
  "start.usual_title": "Unser Tisch", "start.new": "Neuer Tisch: {game}", "start.title": "Name des Tisches", "start.gm": "Dein Name (du leitest das Spiel)", "start.make": "Tisch eröffnen",
  "start.fact_odds": "Genaue Chancen", "start.fact_odds_why": "Ausgerechnet, nicht geschätzt. Auch mitten im Wurf.",
  "start.fact_check": "Würfe zum Nachprüfen", "start.fact_check_why": "Jeder Wurf ist versprochen, bevor er fällt. Hinterher können alle ihn prüfen. Oder wirf eigene Würfel und tipp die Augen ein.",
  "start.fact_lost": "Link verloren?", "start.fact_lost_why": "Wer mitspielt, fragt die Spielleitung. Wer leitet, hat einen Wiederherstellungscode.",
  "start.chance": "{what} gegen {goal}",
  "mine.title": "Meine Tische", "mine.gm": "du bist {who} und leitest", "mine.player": "du bist {who}", "mine.watcher": "du schaust als {who} zu", "mine.last": "zuletzt {when}",
  "mine.here.one": "{who} ist gerade da", "mine.here.other": "Gerade da: {who}", "mine.gone": "Diesen Platz gibt es nicht mehr: Der Tisch ist gelöscht, oder dein Link gilt nicht mehr.",
  "mine.forget": "Vergessen", "mine.forget_what": "{what} vergessen", "mine.sit": "Hinsetzen", "mine.sit_at": "Hinsetzen: {what}", "mine.more": "{n} weitere",
  "recover.title": "Dein Wiederherstellungscode", "recover.why": "Damit bekommst du einen neuen Link zu deinem Platz als Spielleitung. Im Log des Tisches steht das dann auch.",
  "recover.code": "Wiederherstellungscode", "recover.do": "Zurück an meinen Tisch", "recover.else": "Kein Code? Wer den Server betreibt, macht dir einen Link:",
  "start.own_why": "oder schreib dein eigenes",
  "start.own_do": "Ein Spiel schreiben",
};
