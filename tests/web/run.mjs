// Plays on the page in a real browser: node run.mjs chromium|firefox ADDRESS FOLDER_FOR_SCREENSHOTS PROCESS_OF_THE_HOST
// What the page announces to screen readers tells the test what happened; where things are on the board it knows from the size of the window.
import puppeteer from "puppeteer-core";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [kind, address, folder, server] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const programs = { chromium: ["chromium", "chromium-browser", "google-chrome"], firefox: ["firefox-esr", "firefox"] };
const found = (name) => {
    try {
        return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
        return "";
    }
};
const executablePath = programs[kind].map(found).find(Boolean);
assert(executablePath, `no ${kind} is installed`);

const SIZE = { width: 1280, height: 800 };
const downloads = mkdtempSync(join(tmpdir(), "qiju-page-"));
// Without a graphics card: WebGL 2 by software.
const browser = await puppeteer.launch(
    kind === "firefox"
        ? {
              browser: "firefox",
              executablePath,
              // Without a screen it has no WebGL; the script gives it a virtual one.
              headless: false,
              env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: "1" },
              extraPrefsFirefox: { "webgl.force-enabled": true, "intl.accept_languages": "en", "browser.download.folderList": 2, "browser.download.dir": downloads },
          }
        : {
              browser: "chrome",
              executablePath,
              headless: true,
              args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--lang=en"],
          },
);

if (kind === "chromium") {
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const faults = [];
const opened = [];
let shots = 0;

// What the page does not show: frames that it asks for, and how long a worker takes to hear that it is to stop.
const watch = () => {
    globalThis.seen = { frames: 0, stops: [] };
    const ask = requestAnimationFrame;
    globalThis.requestAnimationFrame = (call) => {
        seen.frames++;
        return ask(call);
    };
    const revoked = new Map();
    const revoke = URL.revokeObjectURL;
    URL.revokeObjectURL = (address) => {
        revoked.set(address, performance.now());
        revoke(address);
    };
    globalThis.Worker = class extends Worker {
        constructor(...args) {
            super(...args);
            this.addEventListener("message", ({ data }) => {
                const since = data.answer && revoked.get(this.stop_);
                if (since) seen.stops.push(performance.now() - since);
            });
        }
        postMessage(message, ...rest) {
            this.stop_ = message.stop ?? this.stop_;
            super.postMessage(message, ...rest);
        }
    };
};

async function open(path = "", { width, height, touch } = SIZE, context = browser) {
    const page = await context.newPage();
    opened.push(page);
    await page.setViewport({ width, height, hasTouch: Boolean(touch), isMobile: Boolean(touch) && kind === "chromium" });
    await page.evaluateOnNewDocument(watch);
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(address + path);
    await loaded(page);
    return page;
}

async function loaded(page) {
    await page.waitForFunction(() => document.getElementById("loading").hidden, { timeout: 240_000 });
    await pause(1500);
}

const said = (page) => page.$eval("#said", (node) => node.textContent);

// Waits until the page announces something that matches.
async function hears(page, what, timeout = 60_000) {
    const until = Date.now() + timeout;
    for (;;) {
        const text = await said(page);
        if (what.test(text)) return text;
        assert(Date.now() < until, `waited for ${what}, and the last announcement is '${text}'`);
        await pause(100);
    }
}

async function shot(page, name) {
    await page.screenshot({ path: `${folder}/${kind}-${String(++shots).padStart(2, "0")}-${name}.png` });
}


// Where a point of a board lies in the window of this size: as in app/ground/layout.rs and paint/board.rs.
const PANEL = 320;
const BOARDS = {
    xiangqi: { files: 9, ranks: 10, edge: 0.58 },
    gomoku: { files: 15, ranks: 15, edge: 0.58 },
    "two-eat-one": { files: 5, ranks: 5, edge: 0.58 },
    "tic-tac-toe": { files: 3, ranks: 3, edge: 0.64 },
};
const GAMES = Object.keys(BOARDS);

function place(game, point) {
    const { files, ranks } = BOARDS[game];
    const [x, y] = [point.charCodeAt(0) - 97, Number(point.slice(1)) - (game === "xiangqi" ? 0 : 1)];
    const frame = 0.46 * (0.5 + 0.5 * Math.min(1, Math.max(files, ranks) / 9));
    const edge = BOARDS[game].edge + frame + 0.35;
    const space = [SIZE.width - PANEL, SIZE.height];
    const cell = Math.floor(Math.min(space[0] / (files - 1 + 2 * edge + 0.2), space[1] / (ranks - 1 + 2 * edge + 0.2)));
    return [space[0] / 2 + (x - (files - 1) / 2) * cell, space[1] / 2 - (y - (ranks - 1) / 2) * cell];
}

// As slowly as a hand: without a graphics card frames are slow, and a press between two frames may be missed.
const press = async (page, x, y) => {
    await page.mouse.move(x, y);
    await pause(400);
    await page.mouse.down();
    await pause(250);
    await page.mouse.up();
    await pause(400);
};
const click = (page, game, point) => press(page, ...place(game, point));
const touch = async (page, x, y) => {
    const finger = await page.touchscreen.touchStart(x, y);
    // Longer than a slow frame, and shorter than what counts as a long press.
    await pause(250);
    await finger.end();
    await pause(500);
};
const tap = async (page, game, point) => {
    // On the board at once: if a frame is slow, a hand's time may become a long press.
    await page.touchscreen.tap(...place(game, point));
    await pause(1000);
};

// Waits until the service worker has the last of the large files.
async function largeKept(page) {
    const isKept = async (file) => {
        for (const name of await caches.keys()) if (await (await caches.open(name)).match(file, { ignoreSearch: true })) return true;
        return false;
    };
    for (let wait = 0; !(await page.evaluate(isKept, "data/oracles/two-eat-one.outcomes.7")); wait++) {
        assert(wait < 600, "the large files are not kept");
        await pause(200);
    }
}

// Does something until the page announces what follows, at most three times: without a graphics card a frame can be longer than a touch.
async function until(act, page, what) {
    for (let times = 1; ; times++) {
        await act();
        try {
            return await hears(page, what, times < 3 ? 10_000 : 60_000);
        } catch (error) {
            if (times === 3) throw error;
        }
    }
}

// A file that is dropped on the page.
const drop = (page, name, text) =>
    page.evaluate(
        (name, text) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name));
            dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        },
        name,
        text,
    );

// The first file that is downloaded and whose name ends so.
async function downloaded(ending) {
    const until = Date.now() + 30_000;
    for (;;) {
        const name = readdirSync(downloads).find((name) => name.endsWith(ending));
        if (name) return readFileSync(join(downloads, name));
        assert(Date.now() < until, `nothing was downloaded that ends with ${ending}`);
        await pause(200);
    }
}

const undo = async (page) => {
    await page.keyboard.down("Control");
    await key(page, "z");
    await page.keyboard.up("Control");
    await hears(page, /takes a move back/);
};

// A key, held for more than a frame: without a graphics card frames are slow.
const key = async (page, name) => {
    await page.keyboard.press(name, { delay: 120 });
    await pause(250);
};

// From the title to a match of this game: by a click on its card, then Enter. The person has the first side.
async function begin(page, game) {
    await press(page, 166 + 316 * GAMES.indexOf(game), 420);
    await pause(2500);
    await shot(page, `${game}-setup`);
    await key(page, "Enter");
    await pause(3500);
}

// Buttons in a window of this size: of the unfinished game on the title page, of a move by touch, of a solved game, and of the menu beside the moves.
const RESUME = [682, 762];
const CONFIRM = [1045, 556];
const EXACT = [1043, 551];
const MORE = [1162, 508];
const SAVE_AS = [1000, 436];
const PICTURE = [1000, 470];
const DOWNLOAD = [640, 545];
const DOWNLOAD_PICTURE = [640, 482];

const GAME = '[Game "gomoku"]\n[Variant "freestyle"]\n\n1. h8 i9 2. h7 h9 *\n';
// The same game as a link.
const LINK = "#qiju=ASqbsSw9Pzc_u3TSyrSi1NTiksqc1AOTlnqU5ibmQcgJByZOYmCZcLaVHwAP7LFK4z1Pew";

// First moves of the person, and who answers.
const MOVES = {
    xiangqi: { points: ["b2", "e2"], answer: /^Black [A-Z+-]\d/ },
    gomoku: { points: ["h8"], answer: /^White [a-o]\d/ },
    "two-eat-one": { points: ["c1", "c2"], answer: /^Black \S/ },
    "tic-tac-toe": { points: ["b2"], answer: /^Ring [a-c]\d/ },
};

// Counts frames of the page while something else goes on.
const startFrames = (page) =>
    page.evaluate(() => {
        globalThis.frames_ = { count: 0, on: true };
        const tick = () => {
            frames_.count++;
            if (frames_.on) requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    });
const stopFrames = (page) =>
    page.evaluate(() => {
        frames_.on = false;
        return frames_.count;
    });

const tests = {
    // The server is slow with the large files. They follow when the page is ready, and hold nothing up.
    async largeFiles() {
        const page = await open();
        await page.evaluate(() => {
            const line = document.getElementById("more");
            globalThis.told = [];
            new MutationObserver(() => line.hidden || told.push(line.textContent)).observe(line, { attributes: true, childList: true });
        });
        await begin(page, "two-eat-one");
        await press(page, ...EXACT);
        await page.waitForFunction(() => told.length > 0 && document.getElementById("more").hidden, { timeout: 120_000 });
        const told = await page.evaluate(() => globalThis.told);
        assert(told.every((text) => /\d+ %/.test(text)), `told: ${told}`);
        await largeKept(page);
        const [worker, all] = await page.evaluate(() => {
            const files = performance.getEntriesByType("resource").filter((file) => file.name.includes("/worker.js"));
            return [Math.min(...files.map((file) => file.responseEnd)), performance.now()];
        });
        assert(worker + 4000 < all, `the first worker was there after ${worker} ms, the large files after ${all} ms`);
        await page.close();
    },
    // Each game by mouse, with an answer of the engine, and undo.
    async games() {
        for (const game of GAMES) {
            const page = await open();
            if (game === GAMES[0]) await shot(page, "title");
            await begin(page, game);
            const { points, answer } = MOVES[game];
            await startFrames(page);
            for (const point of points) await click(page, game, point);
            await hears(page, answer);
            assert((await stopFrames(page)) > 1, "no frame was drawn while the engine thought");
            await pause(1500);
            await shot(page, `${game}-answer`);
            await undo(page);
            await shot(page, `${game}-undo`);
            await page.close();
        }
    },
    // A move by touch, and one by keyboard: after the first answer the engine answers again.
    async hands() {
        const page = await open();
        await begin(page, "gomoku");
        // The first touch makes the buttons larger, which takes a frame that may be slow.
        await touch(page, 1100, 250);
        await pause(2500);
        await tap(page, "gomoku", "h8");
        // A stone by touch is confirmed.
        const first = await until(() => touch(page, ...CONFIRM), page, MOVES.gomoku.answer);
        await pause(2000);
        // Enter shows the cursor on the board, arrow keys move it, Enter places the stone.
        for (const name of ["Enter", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"]) await key(page, name);
        await hears(page, new RegExp(`^(?!${first}$)White [a-o]\\d`));
        await shot(page, "touch-and-keyboard");
        await page.close();
    },
    // A game that is interrupted by a reload goes on, and a second tab neither takes nor changes it.
    async kept() {
        let page = await open();
        await begin(page, "gomoku");
        await click(page, "gomoku", "h8");
        await hears(page, MOVES.gomoku.answer);
        await pause(1500);
        await page.reload();
        await loaded(page);
        const other = await open();
        await hears(other, /open in another tab/);
        await shot(other, "second-tab");
        await begin(other, "tic-tac-toe");
        await click(other, "tic-tac-toe", "b2");
        await hears(other, MOVES["tic-tac-toe"].answer);
        await other.close();
        await page.bringToFront();
        await page.reload();
        await loaded(page);
        await shot(page, "unfinished");
        await press(page, ...RESUME);
        await pause(3000);
        await shot(page, "resumed");
        await undo(page);
        await page.close();
    },
    // A file in by dropping it, a link in by the address, and files out: a record and a picture.
    async files() {
        for (const [path, name] of [
            ["", "file"],
            [LINK, "link"],
        ]) {
            const page = await open(path);
            if (!path) await drop(page, "game.pgn", GAME);
            await pause(3000);
            await shot(page, name);
            await press(page, ...MORE);
            await press(page, ...SAVE_AS);
            await pause(500);
            await press(page, ...DOWNLOAD);
            await hears(page, /^Saved: .*\.pgn/);
            await page.close();
        }
        const text = String(await downloaded(".pgn"));
        assert(/1\. h8[^]*i9[^]*2\. h7[^]*h9/.test(text), `another game was downloaded: ${text}`);
        const page = await open(LINK);
        await pause(2000);
        await press(page, ...MORE);
        await press(page, ...PICTURE);
        await pause(500);
        await shot(page, "picture");
        await press(page, ...DOWNLOAD_PICTURE);
        await hears(page, /^Saved: .*\.png/);
        assert.equal((await downloaded(".png")).subarray(1, 4).toString(), "PNG");
        await page.close();
    },
    // A bad link is refused with its reason, and the page goes on.
    async badLink() {
        const page = await open("#qiju=ASqbsSw9");
        await hears(page, /link/i);
        await begin(page, "tic-tac-toe");
        await click(page, "tic-tac-toe", "b2");
        await hears(page, MOVES["tic-tac-toe"].answer);
        await page.close();
    },
    // Telephones and tablets, upright and lying: a game is begun and played by touch alone.
    async telephones() {
        const page = await open("", { width: 390, height: 844, touch: true });
        await shot(page, "telephone-title");
        await touch(page, 195, 330);
        await pause(2500);
        await shot(page, "telephone-setup");
        // Play; then a stone, and the same point again confirms it.
        const begun = async () => {
            await touch(page, 195, 806);
            await pause(3000);
            await page.touchscreen.tap(195, 300);
            await pause(1000);
            await shot(page, "telephone-confirm");
            await page.touchscreen.tap(195, 300);
        };
        await until(begun, page, MOVES.gomoku.answer);
        await pause(1000);
        await shot(page, "telephone-match");
        for (const [width, height, name] of [
            [844, 390, "lying"],
            [1024, 1366, "tablet"],
        ]) {
            await page.setViewport({ width, height, hasTouch: true, isMobile: kind === "chromium" });
            await pause(3000);
            await shot(page, name);
        }
        await page.close();
    },
    // A table at rest asks for no frames; an endless search is stopped at once, and the page is soon ready.
    async figures() {
        const page = await open();
        const [downloaded, ready] = await page.evaluate(() => ["qiju-downloaded", "qiju-ready"].map((name) => performance.getEntriesByName(name)[0].startTime));
        console.log(`${kind}: ready ${Math.round(ready - downloaded)} ms after the download`);
        await begin(page, "xiangqi");
        await page.mouse.move(1270, 790);
        await pause(6000);
        const before = await page.evaluate(() => seen.frames);
        await pause(5000);
        const frames = (await page.evaluate(() => seen.frames)) - before;
        console.log(`${kind}: ${frames} frames in 5 s at rest`);
        assert(frames <= 2, `${frames} frames in 5 s at rest`);
        for (let times = 0; times < 4; times++) {
            await key(page, "a");
            await pause(2500);
            await key(page, "a");
            await pause(1000);
        }
        const stops = await page.evaluate(() => seen.stops);
        console.log(`${kind}: stopped after ${stops.map((ms) => `${Math.round(ms)} ms`).join(", ")}`);
        assert(stops.length >= 3 && Math.max(...stops) < 1000, "an analysis was not stopped");
        await page.close();
    },
    // The other language, by the button of the title page: what is announced is in it.
    async language() {
        // With data of its own: the language is kept.
        const page = await open("", SIZE, await browser.createBrowserContext());
        await press(page, 882, 29);
        await pause(1500);
        await shot(page, "language");
        await begin(page, "tic-tac-toe");
        await click(page, "tic-tac-toe", "b2");
        await hears(page, /[\u4e00-\u9fff]/);
        assert.equal(await page.$eval("html", (node) => node.lang), "zh");
        await page.close();
    },
    // A second visit without the host.
    async offline() {
        const page = await open();
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null, { timeout: 120_000 });
        await largeKept(page);
        process.kill(Number(server));
        await pause(500);
        await page.reload();
        await loaded(page);
        await begin(page, "two-eat-one");
        for (const point of MOVES["two-eat-one"].points) await click(page, "two-eat-one", point);
        await hears(page, MOVES["two-eat-one"].answer);
        await shot(page, "offline");
        await page.close();
    },
};

const only = process.env.ONLY?.split(",");
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
    if (only && !only.includes(name)) continue;
    faults.length = 0;
    const began = Date.now();
    try {
        await test();
        assert.deepEqual(faults, [], "errors on the console");
        console.log(`${kind}: ${name} ok, ${Math.round((Date.now() - began) / 1000)} s`);
    } catch (error) {
        failed++;
        console.error(`${kind}: ${name} FAILED: ${error.message}\n${faults.join("\n")}`);
        for (const page of opened) await page.screenshot({ path: `${folder}/${kind}-failed-${name}.png` }).catch(() => {});
    }
    // A tab that stays open would keep the data from the next test.
    for (const page of opened.splice(0)) await page.close().catch(() => {});
}
await browser.close();
process.exit(failed ? 1 : 0);
