//! The page's side of its workers: asks them the questions of [`compute`](qiju_core::compute), stops them, and starts them again when they die.

pub use super::pool::Question;

use super::pool::{Cancelled, Death, Pool};
use super::shell;
use js_sys::{Array, Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::collections::HashMap;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, Url, Worker};

/// What comes back from a worker.
pub enum Heard {
    /// News, as bytes.
    News(Vec<u8>),
    /// The answer, as bytes.
    Answer(Vec<u8>),
    /// The worker has died; see [`trouble`]. If there will be no answer, this is the last that is heard.
    Trouble,
}

/// What happened to the workers, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A worker has died; its question is asked again.
    Restarted,
    /// Two workers have died of one question, which stays without an answer.
    GivenUp(String),
}

type Hear = Box<dyn FnMut(Heard)>;

/// A worker of the page.
struct Live {
    worker: Worker,
    /// Different for every worker of the page.
    serial: u64,
    _hears: Closure<dyn FnMut(JsValue)>,
    _fails: Closure<dyn FnMut(JsValue)>,
}

#[derive(Default)]
struct Workers {
    pool: Pool,
    live: HashMap<usize, Live>,
    hears: HashMap<u64, Hear>,
    /// The addresses that are revoked to stop, by worker.
    stops: HashMap<usize, String>,
    started: u64,
    trouble: Vec<Trouble>,
}

thread_local! {
    static WORKERS: RefCell<Workers> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Workers) -> T) -> T {
    WORKERS.with(|workers| work(&mut workers.borrow_mut()))
}

/// A question under way. Dropping it stops the worker and forgets the answer.
pub struct Asked(u64);

impl Drop for Asked {
    fn drop(&mut self) {
        let dropped = with(|workers| {
            if let Cancelled::Running(worker) = workers.pool.cancel(self.0) {
                workers.revoke(worker);
            }
            workers.hears.remove(&self.0)
        });
        // What it holds may ask or cancel something itself.
        drop(dropped);
    }
}

/// Asks a question. `hear` is called with everything that comes back, in the order in which it was told.
pub fn ask(question: Question, hear: impl FnMut(Heard) + 'static) -> Asked {
    let number = with(|workers| {
        let number = workers.pool.ask(question);
        workers.hears.insert(number, Box::new(hear));
        number
    });
    with(Workers::send);
    Asked(number)
}

/// What happened to the workers since the last call.
pub fn trouble() -> Vec<Trouble> {
    with(|workers| std::mem::take(&mut workers.trouble))
}

impl Workers {
    fn revoke(&mut self, worker: usize) {
        if let Some(address) = self.stops.remove(&worker) {
            let _ = Url::revoke_object_url(&address);
        }
    }

    /// Sends every question that can be sent.
    fn send(&mut self) {
        while let Some((worker, number, question)) = self.pool.send() {
            if let Err(why) = self.send_one(worker, number, &question) {
                let serial = self.live.get(&worker).map_or(0, |live| live.serial);
                died(worker, serial, &text(&why));
            }
        }
    }

    fn send_one(&mut self, worker: usize, number: u64, question: &Question) -> Result<(), JsValue> {
        if !self.live.contains_key(&worker) {
            let live = self.start(worker)?;
            self.live.insert(worker, live);
        }
        let address = Url::create_object_url_with_blob(&Blob::new()?)?;
        let bytes = Uint8Array::from(&question.bytes[..]);
        let message = Object::new();
        for (name, value) in [
            ("number", &JsValue::from_f64(number as f64)),
            ("key", &JsValue::from_str(question.key)),
            ("stop", &JsValue::from_str(&address)),
            ("question", &bytes),
        ] {
            Reflect::set(&message, &JsValue::from_str(name), value)?;
        }
        self.stops.insert(worker, address);
        let moved = Array::of1(&bytes.buffer());
        self.live[&worker].worker.post_message_with_transfer(&message, &moved)
    }

    fn start(&mut self, index: usize) -> Result<Live, JsValue> {
        self.started += 1;
        let serial = self.started;
        let worker = shell::worker()?;
        let hears = Closure::new(move |event: JsValue| hear(index, serial, &part(&event, "data").unwrap_or_default()));
        worker.set_onmessage(Some(hears.as_ref().unchecked_ref()));
        let fails = Closure::new(move |event: JsValue| died(index, serial, &text(&event)));
        worker.set_onerror(Some(fails.as_ref().unchecked_ref()));
        let to = worker.clone();
        spawn_local(async move {
            match JsFuture::from(shell::engine()).await {
                Ok(module) => drop(to.post_message(&module)),
                Err(why) => died(index, serial, &text(&why)),
            }
        });
        Ok(Live { worker, serial, _hears: hears, _fails: fails })
    }

    /// A worker is ended, and its question asked again if that may help. Returns the number of the question.
    fn die(&mut self, index: usize, serial: u64, why: &str) -> Option<(u64, Death)> {
        // It may have been ended before, and another one be in its place.
        let live = self.live.remove(&index)?;
        if live.serial != serial {
            self.live.insert(index, live);
            return None;
        }
        live.worker.set_onmessage(None);
        live.worker.set_onerror(None);
        live.worker.terminate();
        self.revoke(index);
        let number = self.pool.asked_of(index);
        let death = self.pool.died(index);
        match death {
            Death::Idle => {}
            Death::AskedAgain => self.trouble.push(Trouble::Restarted),
            Death::GivenUp(_) => self.trouble.push(Trouble::GivenUp(why.to_owned())),
        }
        Some((number?, death))
    }
}

/// A part of a message, an event or an error, if it is there.
fn part(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
}

/// What an error says.
fn text(error: &JsValue) -> String {
    part(error, "message")
        .and_then(|message| message.as_string())
        .or_else(|| error.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}

fn died(index: usize, serial: u64, why: &str) {
    web_sys::console::error_1(&JsValue::from_str(&format!("worker {index}: {why}")));
    // The closure of the event that called this one is freed with the worker, so later.
    let why = why.to_owned();
    spawn_local(async move {
        if let Some((number, death)) = with(|workers| workers.die(index, serial, &why)) {
            call(number, Heard::Trouble, death != Death::AskedAgain);
        }
        with(Workers::send);
    });
}

/// Hears a message of a worker.
fn hear(index: usize, serial: u64, message: &JsValue) {
    let bytes = |value: JsValue| Uint8Array::new(&value).to_vec();
    if let Some(news) = part(message, "news") {
        if let Some(number) = with(|workers| workers.pool.asked_of(index)) {
            call(number, Heard::News(bytes(news)), false);
        }
    } else if let Some(answer) = part(message, "answer") {
        let number = with(|workers| {
            workers.revoke(index);
            workers.pool.answered(index)
        });
        // The next question is on its way while this answer is read.
        with(Workers::send);
        if let Some(number) = number {
            call(number, Heard::Answer(bytes(answer)), true);
        }
    } else if let Some(why) = part(message, "died") {
        died(index, serial, &text(&why));
    }
}

/// Tells whoever asked. It may ask or cancel something itself meanwhile.
fn call(number: u64, heard: Heard, last: bool) {
    let Some(mut hear) = with(|workers| workers.hears.remove(&number)) else { return };
    hear(heard);
    if !last {
        with(|workers| {
            workers.hears.insert(number, hear);
        });
    }
}
