// A worker of the page: loads the module without the window and answers questions with it, one after the other.
importScripts("engine.js" + location.search);

// The module comes as a message of its own, often after the first question.
let begin;
const ready = new Promise((done) => (begin = done));

// Told by the module while it waits for a large file: how much of it is there, from 0 to 1.
globalThis.loaded = (part) => postMessage({ loaded: part });

const fail = (error) => {
    postMessage({ died: String(error && error.message ? error.message : error) });
    close();
};

onmessage = async ({ data }) => {
    try {
        if (data instanceof WebAssembly.Module) {
            begin(await wasm_bindgen({ module_or_path: data }));
            return;
        }
        await ready;
        const news = (bytes) => postMessage({ news: bytes }, [bytes.buffer]);
        const answer = wasm_bindgen.answer(data.key, data.question, data.stop, news);
        postMessage({ answer }, [answer.buffer]);
    } catch (error) {
        fail(error);
    }
};
