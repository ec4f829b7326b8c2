// Says how much a page loads and when, compressed as a host does it, and fails where that is too much: node sizes.mjs FOLDER_OF_THE_PAGE
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// The most megabytes by brotli: before the title page, and of what comes later: the module of the workers, which also paint the boards of the title page;
// then what comes when a game, a page or a language is opened.
const FIRST = 6.5;
const LATER = 3;
// Packed already, in eight parts.
const TABLE = "data/oracles/two-eat-one.outcomes";

const [folder] = process.argv.slice(2);
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
const sums = new Map();
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = `${entry.parentPath}/${entry.name}`;
    const name = path.slice(folder.length + 1);
    if (!entry.isFile() || name.startsWith("licences/")) continue;
    const bytes = readFileSync(path);
    // The parts of a file are one.
    const of = name.startsWith("engine") ? "engine" : /^(data|fonts)\//.test(name) ? name.replace(/\.\d$/, "") : "first";
    const sum = sums.get(of) ?? { plain: 0, gzip: 0, brotli: 0 };
    const sizes = { plain: bytes.length, gzip: gzipSync(bytes).length, brotli: brotliCompressSync(bytes, options).length };
    for (const kind in sizes) sum[kind] += sizes[kind] / 1e6;
    sums.set(of, sum);
    if (of === "first" && bytes.length > 1e6) console.log(`  ${name}: ${Object.entries(sizes).map(([kind, size]) => `${kind} ${(size / 1e6).toFixed(2)}`)} MB`);
}
let wrong = 0;
for (const [name, sum] of sums) {
    const most = name === "first" ? FIRST : name === TABLE ? 7 : LATER;
    const much = sum.brotli > most;
    wrong += much;
    console.log(`${name.padEnd(32)} ${Object.entries(sum).map(([kind, size]) => `${kind} ${size.toFixed(2)}`).join(", ")} MB${much ? `, more than ${most} MB by brotli` : ""}`);
}
if (wrong) process.exit(1);
