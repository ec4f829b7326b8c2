// Keeps every file of one version of the page, so that it works offline after the first visit.
"use strict";

const VERSION = "@VERSION@";
const FILES = @FILES@;
// Fetched when they are needed, then kept.
const LARGE = @LARGE@;
const PREFIX = `qiju ${registration.scope} `;
const NAME = PREFIX + VERSION;

const address = (name) => new URL(name, registration.scope).href;
// Kept when they were loaded once.
const FONTS = address("fonts/");
const known = new Set([...FILES, ...LARGE].map(address));

addEventListener("install", (event) => {
    const all = async () => {
        const cache = await caches.open(NAME);
        await cache.addAll(FILES.map((name) => new Request(address(name) + (name === "./" ? "" : `?v=${VERSION}`), { cache: "no-cache" })));
    };
    event.waitUntil(all());
});

// A new version waits until no page of the old one is open; then the old files go. Until this is done, every request of the page waits.
addEventListener("activate", (event) => {
    const tidy = async () => {
        const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
        await Promise.all(old.map((name) => caches.delete(name)));
        await clients.claim();
    };
    event.waitUntil(tidy());
});

// What is being loaded. What the page asks for while it is loaded is not loaded twice.
const loading = new Map();

// A file of this version: the one that is kept, or else the host's, which is kept from now on.
const file = async (plain, request) => {
    const cache = await caches.open(NAME);
    const kept = await cache.match(plain, { ignoreSearch: true });
    if (kept) return kept;
    let load = loading.get(plain);
    if (!load) {
        load = (async () => {
            const fresh = await fetch(request);
            if (fresh.ok) await cache.put(plain, fresh.clone());
            return fresh;
        })().finally(() => loading.delete(plain));
        loading.set(plain, load);
    }
    return (await load).clone();
};

// The page is ready: the large files follow, so that everything works offline.
addEventListener("message", (event) => {
    const follow = async () => {
        for (const name of LARGE) await file(address(name), `${address(name)}?v=${VERSION}`).catch(() => {});
    };
    event.waitUntil(follow());
});

addEventListener("fetch", (event) => {
    const { request } = event;
    const plain = new URL(request.url);
    const asked = plain.searchParams.get("v");
    plain.search = plain.hash = "";
    if (request.method !== "GET" || !(known.has(plain.href) || plain.href.startsWith(FONTS))) return;
    // A page of another version, loaded past this worker, gets its own files from the host.
    if (asked !== null && asked !== VERSION) return;
    event.respondWith(file(plain.href, request));
});
