//! What `page.js` does for the window.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::Worker;

#[wasm_bindgen]
extern "C" {
    /// The module of the workers, compiled once. While it cannot be loaded, it is asked for again and again.
    #[wasm_bindgen(js_namespace = qiju)]
    pub(super) fn engine() -> Promise;
    /// A new worker, which waits for its module.
    #[wasm_bindgen(js_namespace = qiju, catch)]
    pub(super) fn worker() -> Result<Worker, JsValue>;
    /// Shows an error in place of the page, which has ended.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn fail(text: &str);
    /// The user's locale, such as `zh-CN`.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn locale() -> String;
    /// Writes a text in this language where screen readers read it.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn announce(text: &str, language: &str);
    /// True if the browser can say texts aloud.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn can_speak() -> bool;
    /// Says a text in this language aloud; what is being said ends.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn speak(text: &str, language: &str);
    /// True if the system can hand a text on to other programs.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn can_share() -> bool;
    /// Has the user choose a program that gets a text.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn share(text: &str);
    /// A file of the page; `None` until it has come. The first call asks for it.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn file(path: &str) -> Option<js_sys::Uint8Array>;
    /// Says whether a text is edited: then the keyboard of a telephone is shown after a touch.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn typing(now: bool);
    /// Removes the loading screen: the program draws.
    #[wasm_bindgen(js_namespace = qiju)]
    pub fn ready();
}
