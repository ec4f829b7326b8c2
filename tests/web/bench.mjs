// Counts nodes with the workers' module and compares them with the desktop's: node bench.mjs FOLDER_OF_THE_PAGE FILE_WITH_COUNTS
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const [folder, file] = process.argv.slice(2);
// What a worker has: the address of the page without a version, and requests that are waited for, here of the folder.
globalThis.location = { search: "" };
globalThis.loaded = () => {};
globalThis.XMLHttpRequest = class {
    open(_, name) {
        this.name = name;
    }
    send() {
        [this.status, this.response] = [200, readFileSync(`${folder}/${this.name}`)];
    }
};
const wasm_bindgen = runInThisContext(`${readFileSync(`${folder}/engine.js`, "utf8")}\nwasm_bindgen`);
await wasm_bindgen({ module_or_path: readFileSync(`${folder}/engine_bg.wasm`) });

const expected = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() && !line.startsWith("#"))
    .map((line) => line.trim().split(/\s+/));
let wrong = 0;
for (const [game, nodes] of expected) {
    const counted = JSON.parse(wasm_bindgen.bench(game));
    const same = counted.nodes === Number(nodes);
    wrong += !same;
    console.log(`${game.padEnd(12)} ${String(counted.nodes).padStart(12)} nodes ${String(counted.nps).padStart(12)} nodes/s${same ? "" : `, not ${nodes}`}`);
}
if (!expected.length || wrong) process.exit(1);
