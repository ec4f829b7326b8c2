//! The storage of a page: [`Logged`] with the browser's `localStorage` as the log, and IndexedDB as the database.
//!
//! [`open`] is awaited before the program begins, because the database answers later; from then on everything is in memory. Of several tabs, the one
//! that holds a lock of the Web Locks API owns the data; the browser releases it when the tab is closed or crashes. A browser
//! without that API (a page that is not served over https) has no way to know of other tabs.

use super::{Batch, Database, Log, Logged, Memory, Storage};
use crate::message;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, OnceLock};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{IdbDatabase, IdbOpenDbRequest, IdbRequest, IdbTransaction, IdbTransactionMode, Window};

/// The names of the database, of what is in it, and of the lock.
const NAME: &str = "qiju";
const BLOBS: &str = "blobs";
const STATE: &str = "state";
/// In [`STATE`]: the number of the last change of the log that is in the blobs.
const LAST: &str = "last";
/// The beginning of the keys of the log, before the number.
const ENTRY: &str = "qiju.log.";
/// The key that says that the browser was asked to keep the data.
const ASKED: &str = "qiju.persist";
/// How often the database is tried again after an error, in milliseconds.
const AGAIN: i32 = 2000;

type Page = Logged<Entries, Tables>;

static STORAGE: OnceLock<Arc<dyn Storage>> = OnceLock::new();

thread_local! {
    static DATABASE: RefCell<Option<IdbDatabase>> = const { RefCell::new(None) };
    /// The result of the batch that was written.
    static RESULT: RefCell<Option<io::Result<()>>> = const { RefCell::new(None) };
    static OPENING: Cell<bool> = const { Cell::new(false) };
    static TOLD: RefCell<Option<String>> = const { RefCell::new(None) };
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["navigator", "locks"], js_name = request, catch)]
    fn request_lock(name: &str, options: &Object, callback: &Function) -> Result<Promise, JsValue>;
}

/// Opens the data of this page. Called once, before the program begins. If the data cannot be kept, or something is wrong with them, [`told`] says so.
pub async fn open() {
    let opened = found().await;
    let (storage, told): (Arc<dyn Storage>, _) = match opened {
        Ok((page, damaged)) => {
            PAGE.set(Some(page.clone()));
            begin_work();
            let told = (damaged > 0).then(|| format!("localStorage: {damaged} damaged entries ({ENTRY}…) are left there"));
            (Arc::new(page), told)
        }
        Err(why) => (Arc::new(Memory::default()), Some(why)),
    };
    let _ = STORAGE.set(storage);
    TOLD.set(told);
}

/// What the player has to know about the data, in the words of the browser: why they are not kept, or what is wrong with them.
pub fn told() -> Option<String> {
    TOLD.with_borrow(Clone::clone)
}

/// The storage of the page; before [`open`] and where it failed, one that lasts as long as the page.
pub fn storage() -> Arc<dyn Storage> {
    STORAGE.get_or_init(|| Arc::new(Memory::default())).clone()
}

async fn found() -> Result<(Page, usize), String> {
    let is_owner = own().await;
    let database = connect().await.map_err(|error| text_of(&error))?;
    let found = load(&database).await.map_err(|error| text_of(&error))?;
    DATABASE.set(Some(database));
    Logged::open(found, Entries, Tables, is_owner).map_err(|error| error.to_string())
}

fn window() -> Option<Window> {
    web_sys::window()
}

/// The browser's own words for an error, without a full stop.
fn text_of(error: &JsValue) -> String {
    let part = |key: &str| Reflect::get(error, &key.into()).ok().and_then(|part| part.as_string());
    match (part("name"), part("message")) {
        (Some(name), Some(message)) => format!("{name}: {}", message.trim_end_matches('.')),
        _ => error.as_string().unwrap_or_else(|| "the browser gives no reason".to_owned()),
    }
}

fn error_of(error: &JsValue) -> io::Error {
    let name = Reflect::get(error, &"name".into()).ok().and_then(|name| name.as_string());
    match name.as_deref() {
        Some("QuotaExceededError" | "NS_ERROR_DOM_QUOTA_REACHED") => {
            io::Error::new(io::ErrorKind::StorageFull, message!("the browser gives this page no more room"))
        }
        _ => io::Error::other(text_of(error)),
    }
}

/// Takes the lock of the page. False if another tab has it.
async fn own() -> bool {
    let has_locks = window().is_some_and(|window| {
        Reflect::get(&window.navigator(), &"locks".into()).is_ok_and(|locks| !locks.is_undefined() && !locks.is_null())
    });
    if !has_locks {
        return true;
    }
    let answer = Promise::new(&mut |resolve, _| {
        // The lock is held until the promise that is returned here is settled: never.
        let taken = Closure::once_into_js(move |lock: JsValue| -> JsValue {
            let owns = !lock.is_null();
            let _ = resolve.call1(&JsValue::NULL, &owns.into());
            if owns { Promise::new(&mut |_, _| {}).into() } else { JsValue::UNDEFINED }
        });
        let options = Object::new();
        let _ = Reflect::set(&options, &"ifAvailable".into(), &true.into());
        // A page that may not use locks is like one without them.
        let _ = request_lock(NAME, &options, taken.unchecked_ref());
    });
    JsFuture::from(answer).await.ok().and_then(|owns| owns.as_bool()).unwrap_or(true)
}

/// The result of a request, when it is there.
async fn result_of(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let (done, failed) = (request.clone(), request.clone());
    let answer = Promise::new(&mut |resolve, reject| {
        let (done, failed) = (done.clone(), failed.clone());
        let success = Closure::once_into_js(move || resolve.call1(&JsValue::NULL, &done.result().unwrap_or(JsValue::UNDEFINED)));
        let error = Closure::once_into_js(move || {
            let why = failed.error().ok().flatten().map_or(JsValue::UNDEFINED, JsValue::from);
            reject.call1(&JsValue::NULL, &why)
        });
        request.set_onsuccess(Some(success.unchecked_ref()));
        request.set_onerror(Some(error.unchecked_ref()));
    });
    JsFuture::from(answer).await
}

async fn connect() -> Result<IdbDatabase, JsValue> {
    let factory = window().and_then(|window| window.indexed_db().ok().flatten());
    let factory = factory.ok_or_else(|| JsValue::from_str("this browser offers no database (IndexedDB) to this page"))?;
    let request: IdbOpenDbRequest = factory.open_with_u32(NAME, 1)?;
    let fresh = request.clone();
    let create = Closure::once_into_js(move || {
        let database: IdbDatabase = fresh.result().unwrap_or(JsValue::UNDEFINED).unchecked_into();
        for name in [BLOBS, STATE] {
            let _ = database.create_object_store(name);
        }
    });
    request.set_onupgradeneeded(Some(create.unchecked_ref()));
    let database: IdbDatabase = result_of(&request).await?.dyn_into()?;
    // The browser may close it (a phone that has slept). The next batch opens it again.
    let closed = Closure::<dyn FnMut()>::new(|| DATABASE.set(None));
    database.set_onclose(Some(closed.as_ref().unchecked_ref()));
    closed.forget();
    Ok(database)
}

fn transaction(database: &IdbDatabase, mode: IdbTransactionMode) -> Result<IdbTransaction, JsValue> {
    let names = Array::of2(&BLOBS.into(), &STATE.into());
    database.transaction_with_str_sequence_and_mode(&names, mode)
}

/// Reads the whole database.
async fn load(database: &IdbDatabase) -> Result<Batch, JsValue> {
    let transaction = transaction(database, IdbTransactionMode::Readonly)?;
    let blobs = transaction.object_store(BLOBS)?;
    let (names, contents) = (blobs.get_all_keys()?, blobs.get_all()?);
    let last = transaction.object_store(STATE)?.get(&LAST.into())?;
    // All three are asked before the first is awaited: a transaction ends when nothing is asked of it.
    let (names, contents) = (result_of(&names).await?, result_of(&contents).await?);
    let last = result_of(&last).await?.as_f64().unwrap_or(0.0) as u64;
    let (names, contents) = (Array::from(&names), Array::from(&contents));
    let blob = |(name, bytes): (JsValue, JsValue)| Some((name.as_string()?, Some(Uint8Array::new(&bytes).to_vec())));
    let blobs: BTreeMap<_, _> = names.iter().zip(contents.iter()).filter_map(blob).collect();
    Ok(Batch { blobs, last })
}

/// The log: `localStorage`, an item for each entry.
#[derive(Clone, Debug)]
struct Entries;

fn items() -> io::Result<web_sys::Storage> {
    let items = window().ok_or(io::ErrorKind::Unsupported)?.local_storage().map_err(|error| error_of(&error))?;
    items.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, message!("this browser offers no localStorage to this page")))
}

impl Log for Entries {
    fn entries(&self) -> io::Result<Vec<(u64, String)>> {
        let items = items()?;
        let count = items.length().map_err(|error| error_of(&error))?;
        let entry = |index| {
            let key = items.key(index).ok().flatten()?;
            let number = key.strip_prefix(ENTRY)?.parse().ok()?;
            Some((number, items.get_item(&key).ok().flatten()?))
        };
        Ok((0..count).filter_map(entry).collect())
    }

    fn add(&self, number: u64, entry: &str) -> io::Result<()> {
        items()?.set_item(&format!("{ENTRY}{number}"), entry).map_err(|error| error_of(&error))
    }

    fn remove(&self, number: u64) {
        // One that stays is known by its number to be in the database.
        let _ = items().map(|items| items.remove_item(&format!("{ENTRY}{number}")));
    }
}

/// The database: IndexedDB.
#[derive(Debug)]
struct Tables;

impl Tables {
    fn write(batch: &Batch) -> Result<(), JsValue> {
        let database = DATABASE.with_borrow(Clone::clone);
        let database = database.ok_or_else(|| JsValue::from_str("the browser has closed the database"))?;
        let transaction = transaction(&database, IdbTransactionMode::Readwrite)?;
        let blobs = transaction.object_store(BLOBS)?;
        let write = || {
            for (name, bytes) in &batch.blobs {
                match bytes {
                    Some(bytes) => blobs.put_with_key(&Uint8Array::from(&bytes[..]), &name.into())?,
                    None => blobs.delete(&name.into())?,
                };
            }
            // Numbers up to 2^53 are exact.
            transaction.object_store(STATE)?.put_with_key(&(batch.last as f64).into(), &LAST.into()).map(drop)
        };
        if let Err(error) = write() {
            let _ = transaction.abort();
            return Err(error);
        }
        let done = Closure::once_into_js(|| finished(Ok(())));
        let failed = transaction.clone();
        let aborted = Closure::once_into_js(move || {
            let why = failed.error().map_or(JsValue::from_str("the browser has stopped writing"), JsValue::from);
            finished(Err(error_of(&why)));
        });
        transaction.set_oncomplete(Some(done.unchecked_ref()));
        transaction.set_onabort(Some(aborted.unchecked_ref()));
        Ok(())
    }
}

impl Database for Tables {
    fn begin(&self, batch: Batch) {
        if let Err(error) = Tables::write(&batch) {
            RESULT.set(Some(Err(error_of(&error))));
            reconnect();
        }
    }

    fn poll(&self) -> Option<io::Result<()>> {
        RESULT.take()
    }
}

/// Opens the database again.
fn reconnect() {
    if OPENING.replace(true) {
        return;
    }
    spawn_local(async {
        if let Ok(database) = connect().await {
            DATABASE.set(Some(database));
        }
        OPENING.set(false);
    });
}

/// A batch is permanent, or could not be written.
fn finished(result: io::Result<()>) {
    let is_good = result.is_ok();
    RESULT.set(Some(result));
    if is_good {
        work();
        ask_to_keep();
    }
}

fn work() {
    if let Some(page) = PAGE.with_borrow(Clone::clone) {
        page.work();
    }
}

/// Tries again from time to time what could not be written; and has the browser ask before the page is closed while something is in memory only.
fn begin_work() {
    let Some(window) = window() else { return };
    let again = Closure::<dyn FnMut()>::new(work);
    let _ = window.set_interval_with_callback_and_timeout_and_arguments_0(again.as_ref().unchecked_ref(), AGAIN);
    again.forget();
    let leaving = Closure::<dyn FnMut(web_sys::Event)>::new(|event: web_sys::Event| {
        if storage().waiting().blobs > 0 {
            event.prevent_default();
        }
    });
    let _ = window.add_event_listener_with_callback("beforeunload", leaving.as_ref().unchecked_ref());
    leaving.forget();
}

/// Asks the browser once not to delete the data when its disk is full. It may ask the user.
fn ask_to_keep() {
    let Ok(items) = items() else { return };
    if items.get_item(ASKED).ok().flatten().is_some() || items.set_item(ASKED, "1").is_err() {
        return;
    }
    let Some(window) = window() else { return };
    // Only a page that is served over https has it.
    let keeper = Reflect::get(&window.navigator(), &"storage".into()).ok().filter(|keeper| keeper.is_object());
    if let Some(keeper) = keeper
        && let Ok(asked) = keeper.unchecked_into::<web_sys::StorageManager>().persist()
    {
        spawn_local(async { drop(JsFuture::from(asked).await) });
    }
}
