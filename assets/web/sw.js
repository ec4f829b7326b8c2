// Keeps every file of one version of the page, so that it works offline after the first visit.
"use strict";

const VERSION = "@VERSION@";
const FILES = @FILES@;
// Fetched when they are needed, then kept.
const LARGE = @LARGE@;
const PREFIX = `qiju ${registration.scope} `;
const NAME = PREFIX + VERSION;

const address = (name) => new URL(name, registration.scope).href;
const known = new Set([...FILES, ...LARGE].map(address));

addEventListener("install", (event) => {
    const all = async () => {
        const cache = await caches.open(NAME);
        await cache.addAll(FILES.map((name) => new Request(address(name) + (name === "./" ? "" : `?v=${VERSION}`), { cache: "no-cache" })));
    };
    event.waitUntil(all());
});

// A new version waits until no page of the old one is open; then the old files go.
addEventListener("activate", (event) => {
    const tidy = async () => {
        const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
        await Promise.all(old.map((name) => caches.delete(name)));
        await clients.claim();
        // The large files follow when everything else is there.
        const cache = await caches.open(NAME);
        for (const name of LARGE) if (!(await cache.match(address(name), { ignoreSearch: true }))) await cache.add(address(name)).catch(() => {});
    };
    event.waitUntil(tidy());
});

addEventListener("fetch", (event) => {
    const { request } = event;
    const plain = new URL(request.url);
    const asked = plain.searchParams.get("v");
    plain.search = plain.hash = "";
    if (request.method !== "GET" || !known.has(plain.href)) return;
    // A page of another version, loaded past this worker, gets its own files from the host.
    if (asked !== null && asked !== VERSION) return;
    const answer = async () => {
        const cache = await caches.open(NAME);
        const kept = await cache.match(plain.href, { ignoreSearch: true });
        if (kept) return kept;
        const fresh = await fetch(request);
        if (fresh.ok) await cache.put(plain.href, fresh.clone());
        return fresh;
    };
    event.respondWith(answer());
});
