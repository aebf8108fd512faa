// Service worker: shows an offline page without a network. It caches nothing else: a table's data comes
// from the server or not at all.

const KEPT = "offline-2";
const PAGE = "/static/offline.html";
const FILES = [PAGE, "/static/css/tokens.css", "/static/css/base.css", "/static/icon.svg"];

self.addEventListener("install", (event) => event.waitUntil(
  caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
    .then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { mode, url } = event.request;
  const { pathname } = new URL(url);
  if (mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
  else if (FILES.includes(pathname)) event.respondWith(fetch(event.request).catch(() => caches.match(pathname)));
});
