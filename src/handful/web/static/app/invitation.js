// Addresses that others can open, and the text that goes into a chat.

import { t } from "./i18n.js";

/** @typedef {{scope: "machine"|"network"|"public", addresses: string[], may_open: boolean, would_open: string[]}} Reach */

/** True for an address that only this machine can open. @param {string} hostname */
export const isLoopback = (hostname) =>
  hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/**
 * A link with an address that others can open, as far as there is one: the page's own, unless only this
 * machine can open that.
 * @param {string} link @param {Reach|null} reach @param {{origin: string, hostname: string}} page
 */
export function wholeLink(link, reach, page = location) {
  const [first] = reach?.addresses ?? [];
  const own = !isLoopback(page.hostname) && reach?.scope !== "public";
  return new URL(link, own || !first ? page.origin : first).href;
}

/**
 * The text of an invitation.
 * @param {{gm: string, table: string, game: string, link: string}} values
 */
export const invitationText = (values) => t("invite.text", values);
