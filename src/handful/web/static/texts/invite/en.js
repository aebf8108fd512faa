// Texts of the dialog that invites players in English.

export default {
  "recovery.title": "If you lose your link", "recovery.why": "Write this code down. It brings you back to your seat, from the start page of this server. It is shown only now.",
  "recovery.copy": "Copy the code", "recovery.exists": "You have a recovery code. A new one replaces it.", "recovery.none": "A recovery code brings you back to your seat.",
  "recovery.make": "Make a recovery code", "recovery.again": "Make a new code",
  "invite.title": "Invite the players", "invite.why": "One link for everybody. They scan it, type a name, and sit down.", "invite.link": "link to join",
  "invite.type_machine": "On this machine", "invite.type_network": "Or type this on a phone in the same network", "invite.type_public": "Or type this", "invite.other_address": "If that doesn’t open: {addresses}",
  "invite.copy": "Copy invitation", "invite.copy_link": "Copy the link", "invite.share": "Share …", "invite.network": "Only devices on this network can reach it.",
  "invite.text": "{gm} invites you to “{table}” ({game}).\nOpen the link, type your name and sit down:\n{link}",
  "invite.off": "The link for everybody is switched off.", "invite.on": "Make a link", "invite.came": "Who came", "invite.nobody": "Nobody yet.",
  "invite.plays": "plays {who}", "invite.no_character": "has no character yet", "invite.others": "Other links", "invite.watch_on": "Make a link for watchers", "invite.watch_off": "Switch the watchers’ link off",
  "invite.personal": "A link for one person, or for someone who runs the game with you, is under", "invite.renew": "New link for everybody", "invite.switch_off": "Switch it off",
  "invite.renew_why": "The old link stops working. Who sits already stays.",
  "reach.only_here": "Only this machine can open this link.", "reach.open": "Let others on this network join",
  "reach.what": "Press the button, and the server answers at {address}, too, until you stop it. Everybody on this network could then open a table here.",
  "reach.restart": "So that others can, start the server with", "reach.no_network": "This machine is on no network yet. Connect it, or start the server later with",
};
