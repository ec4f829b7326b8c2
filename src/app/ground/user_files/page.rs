//! Files of the user in a page: chosen, dropped or pasted ones come in, downloads go out.

use crate::app::ground::requests::FileAim;
use js_sys::{Array, Uint8Array};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, ClipboardEvent, Document, DragEvent, FileList, HtmlAnchorElement, HtmlInputElement, Url};

/// What has come into the page.
pub enum Incoming {
    /// Files, and what they are for; [`taken`] gives their bytes.
    Files(FileAim, Vec<PathBuf>),
    /// A text that was pasted.
    Text(String),
}

/// So many files are kept: those of the last choice can be opened again from the list of their games.
const KEPT: usize = 64;
/// Larger files are refused.
const LARGEST: f64 = (256u32 << 20) as f64;

thread_local! {
    static FILES: RefCell<VecDeque<(PathBuf, Vec<u8>)>> = const { RefCell::new(VecDeque::new()) };
    static INCOMING: RefCell<VecDeque<Incoming>> = const { RefCell::new(VecDeque::new()) };
    static NUMBER: Cell<u32> = const { Cell::new(0) };
    static WAKE: RefCell<Option<Box<dyn Fn()>>> = const { RefCell::new(None) };
}

/// The bytes of a file that has come into the page.
pub fn taken(path: &Path) -> Option<Vec<u8>> {
    FILES.with_borrow(|files| files.iter().find(|(known, _)| known == path).map(|(_, bytes)| bytes.clone()))
}

/// What has come in since the last call.
pub fn incoming() -> Option<Incoming> {
    INCOMING.with_borrow_mut(VecDeque::pop_front)
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

fn bring(incoming: Incoming) {
    INCOMING.with_borrow_mut(|all| all.push_back(incoming));
    WAKE.with_borrow(|wake| {
        if let Some(wake) = wake {
            wake();
        }
    });
}

/// Reads files in the background; then they have come in together.
fn take(aim: FileAim, files: Option<FileList>) {
    let Some(files) = files else { return };
    let files: Vec<web_sys::File> = (0..files.length()).filter_map(|index| files.get(index)).collect();
    spawn_local(async move {
        let mut paths = Vec::new();
        for file in files {
            // A file that cannot be read is told when it is opened: it has no bytes here.
            let path = PathBuf::from(file.name());
            let path = if taken(&path).is_some() { numbered(&path) } else { path };
            if file.size() <= LARGEST
                && let Ok(buffer) = JsFuture::from(file.array_buffer()).await
            {
                FILES.with_borrow_mut(|kept| {
                    kept.push_back((path.clone(), Uint8Array::new(&buffer).to_vec()));
                    while kept.len() > KEPT {
                        kept.pop_front();
                    }
                });
            }
            paths.push(path);
        }
        if !paths.is_empty() {
            bring(Incoming::Files(aim, paths));
        }
    });
}

/// A path that no other file has.
fn numbered(path: &Path) -> PathBuf {
    let number = NUMBER.get() + 1;
    NUMBER.set(number);
    PathBuf::from(number.to_string()).join(path)
}

/// Has the user choose files. A browser permits this for a moment after a click or a key.
pub fn choose(aim: FileAim) {
    let Some(input) = document().and_then(|document| document.create_element("input").ok()) else { return };
    let input: HtmlInputElement = input.unchecked_into();
    input.set_type("file");
    input.set_multiple(true);
    let chosen = input.clone();
    let change = Closure::once_into_js(move || take(aim, chosen.files()));
    input.set_onchange(Some(change.unchecked_ref()));
    input.click();
}

/// Reads the clipboard, for the menu; the keys of the browser bring a text without asking.
pub fn paste() {
    let Some(window) = web_sys::window() else { return };
    let clipboard = js_sys::Reflect::get(&window.navigator(), &"clipboard".into()).ok().filter(JsValue::is_object);
    let Some(clipboard) = clipboard else { return bring(Incoming::Text(String::new())) };
    let text = clipboard.unchecked_into::<web_sys::Clipboard>().read_text();
    spawn_local(async move {
        // Nothing is pasted where the user does not permit it.
        let text = JsFuture::from(text).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
        bring(Incoming::Text(text));
    });
}

/// Listens to what is dropped on the page and pasted into it, and to links in its address. `wake` is called when something has come in.
pub fn listen(wake: impl Fn() + 'static) {
    WAKE.set(Some(Box::new(wake)));
    linked().into_iter().for_each(|link| bring(Incoming::Text(link)));
    let Some(window) = web_sys::window() else { return };
    let over = Closure::<dyn FnMut(DragEvent)>::new(|event: DragEvent| event.prevent_default());
    let drop = Closure::<dyn FnMut(DragEvent)>::new(|event: DragEvent| {
        event.prevent_default();
        take(FileAim::Open, event.data_transfer().and_then(|data| data.files()));
    });
    let paste = Closure::<dyn FnMut(ClipboardEvent)>::new(|event: ClipboardEvent| {
        let Some(data) = event.clipboard_data() else { return };
        match data.get_data("text/plain") {
            Ok(text) if !text.is_empty() => bring(Incoming::Text(text)),
            _ => take(FileAim::Open, data.files()),
        }
    });
    // Another link is opened in the same tab.
    let link = Closure::<dyn FnMut()>::new(|| linked().into_iter().for_each(|link| bring(Incoming::Text(link))));
    let _ = window.add_event_listener_with_callback("hashchange", link.as_ref().unchecked_ref());
    link.forget();
    for (name, closure) in [("dragover", over.as_ref()), ("drop", drop.as_ref()), ("paste", paste.as_ref())] {
        let _ = window.add_event_listener_with_callback(name, closure.unchecked_ref());
    }
    over.forget();
    drop.forget();
    paste.forget();
}

/// Downloads a file.
///
/// # Errors
/// The browser does not permit it.
pub fn download(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let failed = |_| io::Error::other("the browser does not permit the download");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let blob = Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(bytes))).map_err(failed)?;
    let address = Url::create_object_url_with_blob(&blob).map_err(failed)?;
    let link = document().map(|document| document.create_element("a")).transpose().map_err(failed)?;
    let link: HtmlAnchorElement = link.ok_or_else(|| failed(JsValue::NULL))?.unchecked_into();
    link.set_href(&address);
    link.set_download(&name);
    link.click();
    // It is no longer needed when the download has begun.
    let free = Closure::once_into_js(move || drop(Url::revoke_object_url(&address)));
    if let Some(window) = web_sys::window() {
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(free.unchecked_ref(), 60_000);
    }
    Ok(())
}

/// The game in the fragment of the page's address, if there is one.
pub fn linked() -> Option<String> {
    let fragment = web_sys::window()?.location().hash().ok()?;
    qiju_core::record::is_link(Path::new(&fragment)).then_some(fragment)
}

/// The address of this page without its fragment, for links.
pub fn address() -> Option<String> {
    let location = web_sys::window()?.location();
    Some(format!("{}{}", location.origin().ok()?, location.pathname().ok()?))
}
