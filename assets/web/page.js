// The page around the program: shows what is loaded and what fails, loads both modules, and keeps the page for the next visit.
"use strict";

(() => {
    const texts = {
        en: {
            loading: "Loading, %",
            starting: "Starting …",
            again: "Try again",
            offline: "The program could not be loaded: %. Is there a connection?",
            webgl: "This browser does not offer WebGL 2, with which Qiju draws. Switch on hardware acceleration in the browser's settings, or use a newer browser.",
            wasm: "This browser does not offer WebAssembly, in which Qiju is written. Use a newer browser.",
            failed: "Qiju has stopped: %",
        },
        zh: {
            loading: "正在载入，%",
            starting: "正在启动……",
            again: "重试",
            offline: "程序无法载入：%。网络是否连接？",
            webgl: "此浏览器不支持 WebGL 2，棋局无法绘制。请在浏览器设置中开启硬件加速，或换用较新的浏览器。",
            wasm: "此浏览器不支持 WebAssembly，棋局无法运行。请换用较新的浏览器。",
            failed: "棋局已停止：%",
        },
        "zh-hant": {
            loading: "載入中，%",
            starting: "正在啟動……",
            again: "重試",
            offline: "無法載入程式：%。網路是否已連線？",
            webgl: "此瀏覽器不支援 WebGL 2，Qiju 無法繪圖。請在瀏覽器設定中開啟硬體加速，或改用較新的瀏覽器。",
            wasm: "此瀏覽器不支援 WebAssembly，Qiju 無法執行。請改用較新的瀏覽器。",
            failed: "Qiju 已停止：%",
        },
        ja: {
            loading: "読み込み中、%",
            starting: "起動中…",
            again: "再試行",
            offline: "プログラムを読み込めませんでした：%。ネットワークに接続していますか？",
            webgl: "このブラウザーは Qiju の描画に必要な WebGL 2 に対応していません。設定でハードウェアアクセラレーションを有効にするか、新しいブラウザーをお使いください。",
            wasm: "このブラウザーは Qiju の実行に必要な WebAssembly に対応していません。新しいブラウザーをお使いください。",
            failed: "Qiju が停止しました：%",
        },
        ko: {
            loading: "불러오는 중, %",
            starting: "시작하는 중…",
            again: "다시 시도",
            offline: "프로그램을 불러오지 못했습니다: %. 네트워크에 연결되어 있습니까?",
            webgl: "이 브라우저는 Qiju가 그리는 데 필요한 WebGL 2를 지원하지 않습니다. 브라우저 설정에서 하드웨어 가속을 켜거나 최신 브라우저를 사용하십시오.",
            wasm: "이 브라우저는 Qiju 실행에 필요한 WebAssembly를 지원하지 않습니다. 최신 브라우저를 사용하십시오.",
            failed: "Qiju가 멈췄습니다: %",
        },
        vi: {
            loading: "Đang tải, %",
            starting: "Đang khởi động…",
            again: "Thử lại",
            offline: "Không tải được chương trình: %. Có kết nối mạng không?",
            webgl: "Trình duyệt này không hỗ trợ WebGL 2 mà Qiju cần để vẽ. Hãy bật tăng tốc phần cứng trong cài đặt hoặc dùng trình duyệt mới hơn.",
            wasm: "Trình duyệt này không hỗ trợ WebAssembly mà Qiju cần để chạy. Hãy dùng trình duyệt mới hơn.",
            failed: "Qiju đã dừng: %",
        },
        ru: {
            loading: "Загрузка, %",
            starting: "Запуск…",
            again: "Повторить",
            offline: "Не удалось загрузить программу: %. Есть ли подключение к сети?",
            webgl: "Этот браузер не поддерживает WebGL 2, которым рисует Qiju. Включите аппаратное ускорение в настройках браузера или возьмите браузер новее.",
            wasm: "Этот браузер не поддерживает WebAssembly, без которого Qiju не работает. Возьмите браузер новее.",
            failed: "Qiju остановилась: %",
        },
    };
    const locale = (navigator.language || "en").toLowerCase();
    const traditional = /^zh.*(hant|-tw|-hk|-mo)/.test(locale);
    const language = traditional ? "zh-hant" : Object.keys(texts).find((code) => locale.startsWith(code)) || "en";
    const say = (key, part = "") => texts[language][key].replace("%", part);
    // Every file is asked for with the version of the page, so that files of two versions are never mixed.
    const version = new URL(document.currentScript.src).search;
    const sizes = qijuSizes;
    const [loading, bar, told, again, canvas, said, agent, more] = ["loading", "bar", "told", "again", "qiju", "said", "egui_text_agent", "more"].map(
        (id) => document.getElementById(id),
    );

    let failed = false;
    const fail = (text) => {
        if (failed) return;
        failed = true;
        loading.hidden = false;
        loading.setAttribute("role", "alert");
        bar.hidden = true;
        told.textContent = text;
        again.textContent = say("again");
        again.hidden = false;
        again.onclick = () => location.reload();
        again.focus();
    };

    // Compiles a module while it is loaded. `seen` hears the number of bytes so far.
    const compile = async (name, seen) => {
        const response = await fetch(name + version);
        if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
        let bytes = 0;
        const count = new TransformStream({
            transform(part, out) {
                seen(bytes += part.byteLength);
                out.enqueue(part);
            },
        });
        // The type is said here: some hosts do not know it.
        const body = new Response(response.body.pipeThrough(count), { headers: { "content-type": "application/wasm" } });
        return WebAssembly.compileStreaming(body);
    };

    // The next visit works offline. It begins when the page is ready, so that nothing is loaded beside the window. A page opened as a file, or from a
    // host without encryption, has no service worker.
    const keep = async () => {
        const workers = navigator.serviceWorker;
        if (!workers) return;
        try {
            await workers.register("sw.js");
        } catch (error) {
            return console.warn(`not kept for offline use: ${error.message}`);
        }
        (await workers.ready).active.postMessage("ready");
    };

    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    // The workers' module; asked for until it is there, since the connection may come back.
    let engine = null;
    const loadEngine = async () => {
        for (;;) {
            try {
                return await compile("engine_bg.wasm", () => {});
            } catch (error) {
                if (error instanceof WebAssembly.CompileError) throw error;
                console.warn(`the engine cannot be loaded yet: ${error.message}`);
                await pause(3000);
            }
        }
    };

    const files = {};
    // A telephone shows its keyboard only for an element that takes text. While a text is edited by touch, the keys go to one that is not seen, and
    // what changes in it goes to the program as keys.
    let typing = false;
    // There is always something to delete.
    const FILLER = "\u00a0".repeat(8);
    let written = FILLER;
    const refill = () => {
        agent.value = written = FILLER;
        agent.setSelectionRange(FILLER.length, FILLER.length);
    };
    const stopTyping = () => {
        if (document.activeElement !== agent) return;
        agent.hidden = true;
        canvas.focus();
    };
    const send = (type, given) => canvas.dispatchEvent(new KeyboardEvent(type, { bubbles: true, cancelable: true, ...given }));
    const strike = (given) => ["keydown", "keyup"].forEach((type) => send(type, given));
    const startTyping = () => {
        agent.hidden = false;
        agent.focus();
        refill();
    };
    // Some systems show the keyboard only while the touch is handled; on others it may follow when the program has seen the touch.
    let touched = -Infinity;
    canvas.addEventListener("touchend", () => {
        touched = performance.now();
        if (typing) startTyping();
        else stopTyping();
    });
    agent.addEventListener("input", (event) => {
        const [before, now] = [[...written], [...agent.value]];
        let same = 0;
        while (same < before.length && before[same] === now[same]) same++;
        for (let gone = before.length - same; gone > 0; gone--) strike({ key: "Backspace", code: "Backspace" });
        for (const character of now.slice(same)) strike({ key: character });
        written = agent.value;
        if (!event.isComposing && (now.length < 4 || now.length > 80)) refill();
    });
    for (const type of ["keydown", "keyup"]) {
        agent.addEventListener(type, (event) => {
            const { key, code, location, repeat, ctrlKey, shiftKey, altKey, metaKey } = event;
            const writes = key === "Backspace" || (key.length === 1 && !ctrlKey && !metaKey);
            if (writes || event.isComposing || event.keyCode === 229) return;
            if (!ctrlKey && !metaKey) event.preventDefault();
            send(type, { key, code, location, repeat, ctrlKey, shiftKey, altKey, metaKey });
        });
    }

    globalThis.qiju = {
        engine: () => (engine ??= loadEngine()),
        worker() {
            const worker = new Worker("worker.js" + version);
            // How much of a large file is there, which the worker's question waits for.
            worker.addEventListener("message", ({ data }) => {
                if (data.died) more.hidden = true;
                if (data.loaded === undefined) return;
                more.hidden = data.loaded === 1;
                more.textContent = say("loading", `${Math.round(100 * data.loaded)} %`);
            });
            return worker;
        },
        locale: () => navigator.language || "en",
        announce(text, language) {
            said.lang = document.documentElement.lang = language;
            // A new node is read even if it says the same.
            const line = document.createElement("p");
            line.textContent = text;
            said.replaceChildren(line);
        },
        can_speak: () => "speechSynthesis" in window,
        speak(text, language) {
            const words = new SpeechSynthesisUtterance(text);
            words.lang = language;
            speechSynthesis.cancel();
            speechSynthesis.speak(words);
        },
        // A browser offers it for a page with encryption, mostly on telephones.
        can_share: () => "share" in navigator,
        share(text) {
            const link = URL.canParse?.(text);
            // Whoever closes the sheet of the system wants nothing; the text stays on the page.
            navigator.share(link ? { url: text } : { text }).catch((error) => console.warn(`not shared: ${error.message}`));
        },
        // What is large is loaded when it is asked for: the fonts of languages, games.
        file(path) {
            if (!(path in files)) {
                files[path] = undefined;
                fetch(`${path}${version}`)
                    .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(answer.status)))
                    .then((bytes) => (files[path] = new Uint8Array(bytes)))
                    // It is asked for again after a while.
                    .catch(() => setTimeout(() => delete files[path], 5000));
            }
            return files[path];
        },
        // Whether a text is edited, or will be by the touch that goes on.
        typing(now) {
            typing = now;
            if (!now) stopTyping();
            else if (performance.now() - touched < 1500) startTyping();
        },
        fail: (text) => fail(say("failed", text)),
        ready() {
            if (failed) return;
            performance.mark("qiju-ready");
            loading.hidden = true;
            canvas.focus();
            keep();
        },
    };

    // Keys that the program uses and that would move or leave the page. All others stay the browser's.
    const own = new Set(["Tab", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Backspace", "'", "/"]);
    const ownWithControl = new Set(["s", "o", "z", "y", "d", "e"]);
    canvas.addEventListener("keydown", (event) => {
        const control = event.ctrlKey || event.metaKey;
        if (control ? !event.shiftKey && ownWithControl.has(event.key.toLowerCase()) : own.has(event.key) && !event.altKey) event.preventDefault();
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => event.ctrlKey || event.preventDefault(), { passive: false });
    for (const gesture of ["gesturestart", "gesturechange", "gestureend"]) {
        document.addEventListener(gesture, (event) => event.preventDefault());
    }

    // Without encryption the browser offers no clipboard, but an older way to copy a text. The program takes the event of it for the user's.
    if (!navigator.clipboard) {
        let copying = false;
        addEventListener("copy", (event) => copying && event.stopImmediatePropagation(), { capture: true });
        const writeText = async (text) => {
            const field = document.createElement("textarea");
            field.value = text;
            document.body.append(field);
            field.select();
            copying = true;
            const done = document.execCommand("copy");
            copying = false;
            field.remove();
            canvas.focus();
            if (!done) throw new Error("not permitted");
        };
        Object.defineProperty(navigator, "clipboard", { value: { writeText, readText: async () => "" } });
    }

    // Sound starts after the first touch or key: until then a browser keeps every context asleep.
    const contexts = [];
    if (globalThis.AudioContext) {
        globalThis.AudioContext = new Proxy(AudioContext, {
            construct(target, args) {
                const made = new target(...args);
                contexts.push(made);
                return made;
            },
        });
        const wake = () => contexts.forEach((context) => context.state === "suspended" && context.resume());
        for (const event of ["pointerdown", "pointerup", "touchend", "keydown"]) addEventListener(event, wake, { capture: true });
    }

    addEventListener("error", (event) => {
        if (event.error instanceof WebAssembly.RuntimeError) fail(say("failed", event.message));
    });
    canvas.addEventListener("webglcontextlost", () => fail(say("failed", "WebGL")));

    const start = async () => {
        if (typeof WebAssembly !== "object" || !WebAssembly.compileStreaming) return fail(say("wasm"));
        // A canvas of its own: the page's canvas is asked for once only.
        const trial = document.createElement("canvas").getContext("webgl2");
        if (!trial) return fail(say("webgl"));
        trial.getExtension("WEBGL_lose_context")?.loseContext();
        const show = (bytes) => {
            bar.value = bytes / sizes["qiju_bg.wasm"];
            told.textContent = say("loading", `${(bytes / 1e6).toFixed(1)} / ${(sizes["qiju_bg.wasm"] / 1e6).toFixed(1)} MB`);
        };
        show(0);
        let module;
        try {
            module = await compile("qiju_bg.wasm", show);
        } catch (error) {
            return fail(say("offline", error.message));
        }
        performance.mark("qiju-downloaded");
        told.textContent = say("starting");
        bar.removeAttribute("value");
        try {
            await wasm_bindgen({ module_or_path: module });
        } catch (error) {
            fail(say("failed", error.message));
            throw error;
        }
    };
    const glue = document.createElement("script");
    glue.src = "qiju.js" + version;
    glue.onload = start;
    glue.onerror = () => fail(say("offline", "qiju.js"));
    document.head.append(glue);
})();
