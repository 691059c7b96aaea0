/* The service worker: the page opens without a connection, and the gate's page works. Requests to the API are never
 * answered from here. The build fills in the files. */

const VERSION = "__VERSION__";
const FILES = __FILES__;
const SHELL = "/";
const OWN = /\/brand\/[\w.]+/g;
/** A slow network is not a missing one, but a guard does not wait longer than this, in milliseconds. */
const PATIENCE = 4_000;

self.addEventListener("install", (event) => {
  event.waitUntil(keep());
});

async function keep() {
  const cache = await caches.open(VERSION);
  const shell = await (await fetch(SHELL)).text();
  // The installation's own logo and colours, which the page names.
  const own = new Set(shell.match(OWN) ?? []);
  await cache.addAll([SHELL, ...FILES, ...own]);
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate" && isPage(url)) event.respondWith(page(request));
  // Files with a hash in their name never change.
  else if (url.pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (FILES.includes(url.pathname) || url.pathname.startsWith("/brand/"))
    event.respondWith(fresh(request));
});

/** Addresses of the server itself are not pages of the app. */
const isPage = ({ pathname }) => !/^\/(api|services|v1|mcp|openapi|healthz|readyz|metrics)\b/.test(pathname);

/** The server's page; without a connection, the one that was kept. */
async function page(request) {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status < 500) return response;
  } catch {
    // No connection.
  }
  return (await caches.match(SHELL)) ?? Response.error();
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function fresh(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

/** Brings a tab of the app to the front, at the notification's address. */
async function show(path) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const [tab] = tabs;
  if (!tab) return self.clients.openWindow(path);
  await tab.focus();
  return tab.navigate(path);
}
