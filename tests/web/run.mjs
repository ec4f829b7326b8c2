// Plays on the page in a real browser: node run.mjs chromium|firefox ADDRESS FOLDER_FOR_SCREENSHOTS PROCESS_OF_THE_HOST PROGRAM FOLDER_OF_THE_PAGE
// It sees what a screen reader is told, and goes by the keyboard from button to button. Only mouse and fingers need places: those on the board.
import puppeteer from "puppeteer-core";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { execFileSync, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [kind, address, folder, server, program, built] = process.argv.slice(2);
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
              defaultViewport: null,
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

// What the page does not show: all that it has announced, frames that it asks for, and how long a worker takes to hear that it is to stop.
const watch = () => {
    globalThis.seen = { said: [], frames: 0, stops: [] };
    addEventListener("DOMContentLoaded", () => {
        const note = (changes) => changes.forEach((change) => change.addedNodes.forEach((node) => seen.said.push(node.textContent)));
        new MutationObserver(note).observe(document.getElementById("said"), { childList: true });
    });
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

async function resize(page, { width, height, touch }) {
    const size = page.setViewport({ width, height, hasTouch: Boolean(touch), isMobile: Boolean(touch) && kind === "chromium" });
    // Asked together with the size; Firefox 140 does not know it.
    await size.catch((error) => assert.match(error.message, /setScreenOrientationOverride/));
}

async function open(path = "", size = SIZE, context = browser) {
    const page = await context.newPage();
    opened.push(page);
    await resize(page, size);
    await page.evaluateOnNewDocument(watch);
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(path.includes("://") ? path : address + path);
    await loaded(page);
    return page;
}

async function loaded(page) {
    await page.waitForFunction(() => document.getElementById("loading").hidden, { timeout: 240_000 });
    await pause(1500);
}

// What the page has announced since the last `fresh`.
const said = async (page) => (await page.evaluate(() => seen.said)).slice(page.from ?? 0);
const fresh = async (page) => (page.from = await page.evaluate(() => seen.said.length));

// Waits until the page has announced something that matches.
async function hears(page, what, timeout = 60_000) {
    const until = Date.now() + timeout;
    for (;;) {
        const all = await said(page);
        const found = all.find((text) => what.test(text));
        if (found !== undefined) return found;
        assert(Date.now() < until, `waited for ${what}, and was told ${JSON.stringify(all)}`);
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

// Goes with Tab to a button or a field whose name matches.
async function to(page, what, most = 90) {
    const passed = [];
    for (let times = 0; times < most; times++) {
        await fresh(page);
        await key(page, "Tab");
        // A frame may be slow: what was told last counts.
        const last = async () => (await hears(page, /./, 8000).catch(() => ""), (await said(page)).at(-1) ?? "");
        const told = await last();
        if (what.test(told) && (await pause(500), await last()) === told) return told;
        passed.push(told);
    }
    assert.fail(`no ${what} among ${JSON.stringify(passed)}`);
}

// Presses the button whose name matches.
async function choose(page, what) {
    await to(page, what);
    await fresh(page);
    await key(page, "Enter");
    await pause(500);
}

async function chord(page, ...keys) {
    for (const name of keys.slice(0, -1)) await page.keyboard.down(name);
    await key(page, keys.at(-1));
    for (const name of keys.slice(0, -1)) await page.keyboard.up(name);
}

// A move, typed.
async function play(page, move) {
    await fresh(page);
    await key(page, "i");
    await pause(1500);
    await page.keyboard.type(move, { delay: 120 });
    await key(page, "Enter");
}

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
        await fresh(page);
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
    await fresh(page);
    await chord(page, "Control", "z");
    await hears(page, /takes a move back/);
};

// A key, held for more than a frame: without a graphics card frames are slow.
const key = async (page, name) => {
    await page.keyboard.press(name, { delay: 120 });
    await pause(250);
};

const NAMES = { xiangqi: "Xiangqi", gomoku: "Gomoku", "two-eat-one": "Two-eat-one", "tic-tac-toe": "Tic-tac-toe" };

// From the title to the setup of this game, and to a match of the person, who has the first side, against level 3.
async function setUp(page, game) {
    await choose(page, new RegExp(`^${NAMES[game]}`));
    await pause(2500);
}
async function begin(page, game) {
    await setUp(page, game);
    // The slider of the level.
    const [level] = (await to(page, /^Level \d.* \d+$/)).match(/\d+$/).map(Number);
    for (let steps = Math.abs(level - 3); steps > 0; steps--) await key(page, level > 3 ? "ArrowLeft" : "ArrowRight");
    await shot(page, `${game}-setup`);
    await choose(page, /^Play$/);
    await pause(3000);
    await fresh(page);
}

const GAME = '[Game "gomoku"]\n[Variant "freestyle"]\n\n1. h8 i9 2. h7 h9 *\n';
const OVER = '[Game "gomoku"]\n[Variant "freestyle"]\n\n1. h8 a1 2. h9 a3 3. h10 a5 4. h11 a7 5. h12 1-0\n';
// The same game as a link.
const LINK = "#qiju=ASqbsSw9Pzc_u3TSyrSi1NTiksqc1AOTlnqU5ibmQcgJByZOYmCZcLaVHwAP7LFK4z1Pew";

// With `qiju host`, which gives this page as well.
async function hosted(options, act) {
    const data = mkdtempSync(join(tmpdir(), "qiju-host-"));
    const arguments_ = ["host", "--page", built, "--json", ...options];
    const host = spawn(program, arguments_, { env: { ...process.env, QIJU_HOME: data }, stdio: ["ignore", "pipe", "inherit"] });
    try {
        await act(JSON.parse(await new Promise((done) => host.stdout.once("data", (bytes) => done(String(bytes))))));
    } finally {
        host.kill();
    }
}

// First moves of the person, and who answers.
const MOVES = {
    xiangqi: { points: ["b2", "e2"], move: "b2e2", answer: /Black [A-Z+-]\d/ },
    gomoku: { points: ["h8"], move: "h8", answer: /White [a-o]\d/ },
    "two-eat-one": { points: ["c1", "c2"], move: "c1-c2", answer: /Black \S/ },
    "tic-tac-toe": { points: ["b2"], move: "b2", answer: /Ring [a-c]\d/ },
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
        // The exact results.
        await key(page, "t");
        await page.waitForFunction(() => told.length > 0 && document.getElementById("more").hidden, { timeout: 120_000 });
        const told = await page.evaluate(() => globalThis.told);
        assert(told.every((text) => /\d+ %/.test(text)), `told: ${told}`);
        await largeKept(page);
        const [worker, all] = await page.evaluate(() => {
            const files = performance.getEntriesByType("resource").filter((file) => file.name.includes("/worker.js"));
            return [Math.min(...files.map((file) => file.responseEnd)), performance.now()];
        });
        assert(worker + 4000 < all, `the first worker was there after ${worker} ms, the large files after ${all} ms`);
        await shot(page, "exact");
        await page.close();
    },
    // Each game against level 3, with an answer of the engine, and undo.
    async games() {
        for (const game of GAMES) {
            const page = await open();
            if (game === GAMES[0]) await shot(page, "title");
            await begin(page, game);
            const { move, answer } = MOVES[game];
            await startFrames(page);
            await play(page, move);
            await hears(page, answer);
            assert((await stopFrames(page)) > 1, "no frame was drawn while the engine thought");
            await pause(1500);
            await shot(page, `${game}-answer`);
            await undo(page);
            await shot(page, `${game}-undo`);
            await page.close();
        }
    },
    // Moves by mouse, by touch and by keyboard: each time the engine answers.
    async hands() {
        const page = await open();
        await begin(page, "gomoku");
        await click(page, "gomoku", "h8");
        const first = await hears(page, MOVES.gomoku.answer);
        // The first touch makes the buttons larger, which takes a frame that may be slow.
        await touch(page, 1100, 250);
        await pause(2500);
        await fresh(page);
        // A stone by touch is confirmed by another touch.
        const second = await until(
            async () => {
                await tap(page, "gomoku", "e4");
                await tap(page, "gomoku", "e4");
            },
            page,
            MOVES.gomoku.answer,
        );
        assert.notEqual(first, second);
        await pause(2000);
        // Enter shows the cursor on the board, arrow keys move it, Enter places the stone.
        await fresh(page);
        for (const name of ["Enter", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"]) await key(page, name);
        await hears(page, MOVES.gomoku.answer);
        await shot(page, "touch-and-keyboard");
        await page.close();
    },
    // A teaching match: each move is judged, with its reason.
    async teacher() {
        const page = await open();
        await setUp(page, "xiangqi");
        await choose(page, /^Teaching/);
        await choose(page, /^Play$/);
        await pause(3000);
        // The cannon takes the horse, and is taken.
        await play(page, "b2b9");
        await hears(page, /blunder|mistake|inaccura/i, 120_000);
        await shot(page, "teacher");
        await page.close();
    },
    // A puzzle: a hint, and the solution that is shown.
    async puzzle() {
        const page = await open();
        await setUp(page, "gomoku");
        await choose(page, /^Puzzles/);
        await pause(3000);
        await shot(page, "puzzle");
        await fresh(page);
        await key(page, " ");
        await hears(page, /file|marked/, 60_000);
        await page.close();
    },
    // A game that is interrupted by a reload goes on, and a second tab neither takes nor changes it.
    async kept() {
        let page = await open();
        await begin(page, "gomoku");
        await play(page, "h8");
        await hears(page, MOVES.gomoku.answer);
        await pause(1500);
        await page.reload();
        await loaded(page);
        const other = await open();
        await hears(other, /open in another tab/);
        await shot(other, "second-tab");
        await begin(other, "tic-tac-toe");
        await play(other, "b2");
        await hears(other, MOVES["tic-tac-toe"].answer);
        await other.close();
        await page.bringToFront();
        await page.reload();
        page.from = 0;
        await loaded(page);
        await shot(page, "unfinished");
        await choose(page, /^Resume$/);
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
            await choose(page, /^Menu of this move/);
            await choose(page, /^Save as/);
            await choose(page, /^Download$/);
            await hears(page, /Saved: .*\.pgn/);
            await page.close();
        }
        const text = String(await downloaded(".pgn"));
        assert(/1\. h8[^]*i9[^]*2\. h7[^]*h9/.test(text), `another game was downloaded: ${text}`);
        const page = await open(LINK);
        await pause(2000);
        await choose(page, /^Menu of this move/);
        await choose(page, /^Picture/);
        await shot(page, "picture");
        await choose(page, /^Download$/);
        await hears(page, /Saved: .*\.png/);
        assert.equal((await downloaded(".png")).subarray(1, 4).toString(), "PNG");
        await page.close();
    },
    // The library takes the games of a file that is chosen, and finds them.
    async library() {
        const page = await open();
        await chord(page, "Control", "l");
        await pause(2500);
        await to(page, /^Add games/);
        const file = join(downloads, "games.pgn");
        const games = [7, 6, 5].map((rank) => GAME.replace("2. h7", `2. h${rank}`)).join("\n");
        if (kind === "chromium") {
            writeFileSync(file, games);
            const [chooser] = await Promise.all([page.waitForFileChooser({ timeout: 20_000 }), key(page, "Enter")]);
            await chooser.accept([file]);
        } else {
            // Firefox 140 does not tell of its dialog: it is not opened, and the file is chosen at once.
            await page.evaluate((games) => {
                HTMLInputElement.prototype.click = function () {
                    const data = new DataTransfer();
                    data.items.add(new File([games], "games.pgn"));
                    this.files = data.files;
                    this.dispatchEvent(new Event("change"));
                };
            }, games);
            await key(page, "Enter");
        }
        await hears(page, /Library: 3 games added/);
        await pause(1500);
        await shot(page, "library");
        await page.close();
    },
    // A finished game is reviewed, by a worker.
    async review() {
        const page = await open();
        await drop(page, "over.pgn", OVER);
        await pause(3000);
        await key(page, "r");
        await pause(1000);
        await choose(page, /^At a glance/);
        // When it is done, it can be done again.
        for (let rounds = 0; !(await to(page, /^Again/, 14).catch(() => "")); rounds++) assert(rounds < 30, "the review does not end");
        await shot(page, "review");
        await page.close();
    },
    // A match by letter: the page shows a link of its own, the friend opens it and moves, and the answer comes back.
    async letters() {
        const link = async (page) => (await to(page, /#qiju=/)).match(/\S*#qiju=\S+/)[0];
        const own = await browser.createBrowserContext();
        let page = await open("", SIZE, own);
        await setUp(page, "gomoku");
        await choose(page, /^Friend/);
        await choose(page, /^Play$/);
        await pause(3000);
        await shot(page, "letter");
        const first = await link(page);
        assert(first.startsWith(address), `the link is ${first}`);
        await page.close();
        const friend = await open(first.slice(address.length), SIZE, await browser.createBrowserContext());
        await shot(friend, "letter-read");
        await choose(friend, /^Play$/);
        await pause(2500);
        await play(friend, "h9");
        await hears(friend, /h9/);
        await pause(1500);
        const answer = await link(friend);
        await friend.close();
        page = await open(answer.slice(address.length), SIZE, own);
        await pause(2500);
        await shot(page, "letter-answered");
        await play(page, "h8");
        await hears(page, /White h8/);
        await page.close();
    },
    // A match against a table of the program: the host gives the page and carries the moves.
    async host() {
        await hosted(["--game", "gomoku", "--level", "2"], async (told) => {
            assert(told.invitation.startsWith(`http://${told.address}/#qiju=`), told.invitation);
            const page = await open(told.invitation, SIZE, await browser.createBrowserContext());
            await shot(page, "invitation");
            await choose(page, /^Play$/);
            await pause(3000);
            for (const move of ["h8", "h9", "h10"]) {
                await play(page, move);
                await hears(page, MOVES.gomoku.answer);
                await pause(500);
            }
            await shot(page, "hosted");
            await page.close();
        });
    },
    // Two browsers play with each other: a host gives them the page and carries the moves.
    async friends() {
        await hosted([], async (told) => {
            const own = await open(`http://${told.address}/`, SIZE, await browser.createBrowserContext());
            await setUp(own, "gomoku");
            await choose(own, /^Friend/);
            await choose(own, /^Broker/);
            // The field of its address comes next.
            await key(own, "Tab");
            await pause(1000);
            await own.keyboard.type(`ws://${told.address}/`, { delay: 120 });
            await shot(own, "friends-setup");
            await choose(own, /^Play$/);
            await pause(3000);
            const invitation = (await to(own, /#qiju=/)).match(/\S*#qiju=\S+/)[0];
            await shot(own, "friends-invitation");
            assert(invitation.startsWith(`http://${told.address}/#qiju=`), invitation);
            // It is shown until the friend comes.
            const friend = await open(invitation, SIZE, await browser.createBrowserContext());
            await choose(friend, /^Play$/);
            await pause(3000);
            for (const [index, move] of ["h8", "h9", "i9", "g9", "g7"].entries()) {
                const [mover, other] = index % 2 ? [own, friend] : [friend, own];
                // A page that is not in front draws nothing and takes nothing in.
                await mover.bringToFront();
                await pause(1000);
                await fresh(other);
                await play(mover, move);
                const what = new RegExp(`${index % 2 ? "White" : "Black"} ${move}`);
                await hears(mover, what);
                await other.bringToFront();
                await hears(other, what);
            }
            await shot(own, "friends");
            await friend.bringToFront();
            await shot(friend, "friends");
            await own.close();
            await friend.close();
        });
    },
    // A match whose connections are cut again and again, against a player of tests/friends.rs: each move comes once, and the page says so once.
    async friend() {
        const page = await open(process.env.INVITATION, SIZE, await browser.createBrowserContext());
        await choose(page, /^Play$/);
        page.from = 0;
        const played = async () => (await said(page)).flatMap((text) => [...text.matchAll(/(Black|White) ([a-o]\d+)/g)].map(([move]) => move));
        const plies = Number(process.env.PLIES);
        const comes = async (count) => {
            const until = Date.now() + 120_000;
            for (;;) {
                const moves = await played();
                assert.equal(new Set(moves.map((move) => move.split(" ")[1])).size, moves.length, `a move came twice: ${moves}`);
                if (moves.length >= count) return moves;
                assert(Date.now() < until, `waited for move ${count} after ${moves}`);
                await pause(100);
            }
        };
        // The first move was made before the page came.
        const free = [..."abcdefghijklmno"].flatMap((file) => Array.from({ length: 15 }, (_, rank) => `${file}${rank + 1}`));
        for (let ply = 1; ply < plies; ply += 2) {
            const moves = ply > 1 ? await comes(ply - 1) : [];
            for (;;) {
                const taken = moves.map((move) => move.split(" ")[1]);
                const [point] = free.filter((point) => !taken.includes(point)).sort(() => Math.random() - 0.5);
                await key(page, "i");
                await pause(500);
                await page.keyboard.type(point, { delay: 60 });
                await key(page, "Enter");
                for (let wait = 0; wait < 60 && (await played()).length < ply; wait++) await pause(100);
                if ((await played()).length >= ply) break;
                // The first stone stands there, which the page has not told.
                await key(page, "Escape");
            }
        }
        await shot(page, "cut");
        await new Promise((done) => process.stdin.resume().once("end", done));
        assert.equal((await comes(plies - 1)).length, plies - 1);
        // What the browser says of connections that are cut.
        const others = faults.filter((fault) => !fault.includes("WebSocket"));
        faults.splice(0, faults.length, ...others);
        await page.close();
    },
    // A bad link is refused with its reason, and the page goes on.
    async badLink() {
        const page = await open("#qiju=ASqbsSw9");
        await hears(page, /link/i);
        await begin(page, "tic-tac-toe");
        await play(page, "b2");
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
            await resize(page, { width, height, touch: true });
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
        // What is needed later does not hold up the title page.
        const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, startTime })));
        const early = loaded.filter(({ name, startTime }) => startTime < ready && /\/(data|fonts)\//.test(name));
        assert.deepEqual(early, [], "loaded before the title page");
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
    // Another language, by the button of the title page: what is announced is in it, and fonts that it needs are loaded.
    async language() {
        // With data of its own: the language is kept.
        const page = await open("", SIZE, await browser.createBrowserContext());
        await choose(page, /^English$/);
        await choose(page, /^日本語/);
        await pause(3000);
        await shot(page, "language");
        assert(await page.evaluate(() => performance.getEntriesByType("resource").some((file) => file.name.includes("NotoSansCJK-ja"))));
        await choose(page, /三目|井/);
        await pause(2500);
        await key(page, "Enter");
        await pause(3000);
        await play(page, "b2");
        await hears(page, /[\u3040-\u30ff\u4e00-\u9fff]/);
        assert.equal(await page.$eval("html", (node) => node.lang), "ja");
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
        page.from = 0;
        await loaded(page);
        await begin(page, "two-eat-one");
        await play(page, MOVES["two-eat-one"].move);
        await hears(page, MOVES["two-eat-one"].answer);
        await shot(page, "offline");
        await page.close();
    },
};

// It needs a friend.
if (!process.env.INVITATION) delete tests.friend;
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
