//! The side of the worker: a module without the window that answers the questions of [`compute`](qiju_core::compute). `worker.js` passes the
//! messages on.

use js_sys::{Function, Uint8Array};
use qiju_core::compute;
use qiju_core::games::large;
use qiju_core::search::StopToken;
use std::sync::Mutex;
use wasm_bindgen::prelude::*;
use web_time::{Duration, Instant};

/// After so much time a search looks again whether it is to stop, or later where looking itself takes long.
const LOOK: Duration = Duration::from_millis(15);
const LATEST_LOOK: Duration = Duration::from_millis(35);
/// Between two looks is so many times the time of a look.
const SHARE: u32 = 15;

#[wasm_bindgen]
extern "C" {
    /// Tells the page which part of a large file is loaded, from 0 to 1.
    fn loaded(part: f64);
    /// The version of the page, with which it asks for every file.
    #[wasm_bindgen(thread_local_v2, js_namespace = location, js_name = search)]
    static VERSION: String;

    type XMLHttpRequest;
    #[wasm_bindgen(constructor, catch)]
    fn new() -> Result<XMLHttpRequest, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn open(this: &XMLHttpRequest, method: &str, address: &str, later: bool) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn send(this: &XMLHttpRequest) -> Result<(), JsValue>;
    #[wasm_bindgen(method, setter, js_name = responseType)]
    fn set_response_type(this: &XMLHttpRequest, kind: &str);
    #[wasm_bindgen(method, getter)]
    fn status(this: &XMLHttpRequest) -> u16;
    #[wasm_bindgen(method, getter)]
    fn response(this: &XMLHttpRequest) -> JsValue;
}

/// Asks for an address and waits for the answer.
fn get(address: &str, kind: &str) -> Result<XMLHttpRequest, JsValue> {
    let request = XMLHttpRequest::new()?;
    request.open("GET", address, false)?;
    request.set_response_type(kind);
    request.send()?;
    Ok(request)
}

/// The last look at the address whose end means stop.
struct Look {
    next: Instant,
    stopped: bool,
}

/// True once the page has revoked this address. A worker hears no message while it computes, but a request that it waits for it can make.
fn is_revoked(address: &str) -> bool {
    !get(address, "text").is_ok_and(|request| request.status() == 200)
}

/// A token that is raised when the page revokes this address.
fn stop_at(address: String) -> StopToken {
    let look = Mutex::new(Look { next: Instant::now() + LOOK, stopped: false });
    StopToken::looking(move || {
        let Ok(mut look) = look.lock() else { return true };
        let now = Instant::now();
        if !look.stopped && now >= look.next {
            look.stopped = is_revoked(&address);
            let after = Instant::now();
            look.next = after + ((after - now) * SHARE).clamp(LOOK, LATEST_LOOK);
        }
        look.stopped
    })
}

/// Fetches a large file of the page, part by part, while the question waits. The page is told how far it is.
fn fetch(name: &str, parts: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in 0..parts {
        loaded(part as f64 / parts as f64);
        let name = VERSION.with(|version| format!("{name}.{part}{version}"));
        match get(&name, "arraybuffer") {
            Ok(request) if request.status() == 200 => bytes.extend(Uint8Array::new(&request.response()).to_vec()),
            Ok(request) => panic!("{name} cannot be loaded: status {}", request.status()),
            Err(why) => panic!("{name} cannot be loaded: {why:?}"),
        }
    }
    loaded(1.0);
    bytes
}

/// Answers a question of the page. `news` gets an array of bytes for each piece of news, `stop` is the address that the page revokes to stop it.
///
/// # Errors
/// The question is not valid.
#[wasm_bindgen]
pub fn answer(key: &str, question: &[u8], stop: String, news: &Function) -> Result<Vec<u8>, String> {
    let tell = &mut |bytes: Vec<u8>| {
        // A worker that is told nothing more is being ended.
        let _ = news.call1(&JsValue::NULL, &Uint8Array::from(&bytes[..]));
    };
    compute::answer(key, question, &stop_at(stop), tell).map_err(|error| error.to_string())
}

/// Prepares the worker: its panics say why in the console, and large data are fetched when they are needed.
pub fn start() {
    console_error_panic_hook::set_once();
    large::set_source(fetch);
}
