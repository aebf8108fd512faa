// Texts of the dialog that invites players in German.

export default {
  "recovery.title": "Falls du deinen Link verlierst", "recovery.why": "Schreib dir diesen Code auf. Er bringt dich von der Startseite dieses Servers zurück auf deinen Platz. Du siehst ihn nur jetzt.",
  "recovery.copy": "Code kopieren", "recovery.exists": "Du hast einen Wiederherstellungscode. Ein neuer ersetzt ihn.", "recovery.none": "Ein Wiederherstellungscode bringt dich zurück auf deinen Platz.",
  "recovery.make": "Code machen", "recovery.again": "Neuen Code machen",
  "invite.title": "Lade deine Runde ein", "invite.why": "Ein Link für alle. Scannen, Namen eingeben, hinsetzen.", "invite.link": "Link zum Mitspielen",
  "invite.type_machine": "An diesem Rechner", "invite.type_network": "Oder das hier am Handy im selben Netz eintippen", "invite.type_public": "Oder das hier eintippen", "invite.other_address": "Falls das nicht aufgeht: {addresses}",
  "invite.copy": "Einladung kopieren", "invite.copy_link": "Link kopieren", "invite.share": "Teilen …", "invite.network": "Nur Geräte in diesem Netz erreichen ihn.",
  "invite.text": "{gm} lädt dich ein: „{table}“ ({game}).\nÖffne den Link, gib deinen Namen ein und setz dich:\n{link}",
  "invite.off": "Der Link für alle ist abgeschaltet.", "invite.on": "Link machen", "invite.came": "Wer da ist", "invite.nobody": "Noch niemand.",
  "invite.plays": "spielt {who}", "invite.no_character": "hat noch keine Figur", "invite.others": "Andere Links", "invite.watch_on": "Link zum Zuschauen machen", "invite.watch_off": "Link zum Zuschauen abschalten",
  "invite.personal": "Links für einzelne Leute oder jemanden, der mitleitet, findest du unter", "invite.renew": "Neuer Link für alle", "invite.switch_off": "Abschalten",
  "invite.renew_why": "Der alte Link gilt dann nicht mehr. Wer schon sitzt, bleibt.",
  "reach.only_here": "Diesen Link kann nur dieser Rechner öffnen.", "reach.open": "Andere in diesem Netz mitspielen lassen",
  "reach.what": "Mit dem Knopf antwortet der Server auch unter {address}, bis du ihn beendest. Alle in diesem Netz können dann hier einen Tisch eröffnen.",
  "reach.restart": "Damit auch andere ihn öffnen können, starte den Server mit", "reach.no_network": "Dieser Rechner ist noch in keinem Netz. Verbinde ihn, oder starte den Server später mit",
};
