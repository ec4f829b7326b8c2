// A worker of the page: loads the module without the window and answers questions with it, one after the other.
importScripts("engine.js" + location.search);

let ready = null;

const fail = (error) => {
    postMessage({ died: String(error && error.message ? error.message : error) });
    close();
};

onmessage = async ({ data }) => {
    try {
        if (data instanceof WebAssembly.Module) {
            ready = wasm_bindgen({ module_or_path: data });
            await ready;
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
