//! What a page has for a [`Carrier`](super::Carrier): the WebSockets and the timers of the browser. The work is done between the frames.

use super::LONGEST;
use super::wire::{Sends, TURN};
use http::Uri;
use js_sys::{Function, Promise, Uint8Array};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_time::{Duration, Instant};

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most messages that wait to be read.
const MOST_WAITING: usize = 1024;

#[wasm_bindgen]
extern "C" {
    type WebSocket;
    #[wasm_bindgen(constructor, catch)]
    fn new(address: &str, protocol: &str) -> Result<WebSocket, JsValue>;
    #[wasm_bindgen(method, setter, js_name = binaryType)]
    fn set_binary_type(this: &WebSocket, kind: &str);
    #[wasm_bindgen(method, setter, js_name = onopen)]
    fn set_on_open(this: &WebSocket, call: Option<&Function>);
    #[wasm_bindgen(method, setter, js_name = onmessage)]
    fn set_on_message(this: &WebSocket, call: Option<&Function>);
    #[wasm_bindgen(method, setter, js_name = onclose)]
    fn set_on_close(this: &WebSocket, call: Option<&Function>);
    #[wasm_bindgen(method, catch)]
    fn send(this: &WebSocket, message: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &WebSocket) -> Result<(), JsValue>;

    type Event;
    #[wasm_bindgen(method, getter)]
    fn data(this: &Event) -> JsValue;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &Function, milliseconds: f64);
}

/// What the browser has told about a WebSocket.
#[derive(Default)]
struct Heard {
    open: bool,
    closed: bool,
    messages: VecDeque<Vec<u8>>,
    waker: Option<Waker>,
}

/// A WebSocket.
pub struct Socket {
    socket: WebSocket,
    heard: Rc<RefCell<Heard>>,
    _calls: [Closure<dyn FnMut(Event)>; 3],
}

impl Socket {
    /// Connects to a broker.
    ///
    /// # Errors
    /// None is reached, or the browser does not permit it.
    pub async fn connect(address: &Uri) -> io::Result<Socket> {
        let socket = WebSocket::new(&address.to_string(), "mqtt").map_err(|error| error_of(&error))?;
        socket.set_binary_type("arraybuffer");
        let heard: Rc<RefCell<Heard>> = Rc::default();
        let call = |work: fn(&mut Heard, &Event)| {
            let heard = heard.clone();
            Closure::<dyn FnMut(Event)>::new(move |event: Event| {
                let mut heard = heard.borrow_mut();
                work(&mut heard, &event);
                heard.waker.take().into_iter().for_each(Waker::wake);
            })
        };
        let calls = [
            call(|heard, _| heard.open = true),
            call(|heard, event| match event.data().dyn_into::<js_sys::ArrayBuffer>() {
                // The limits of the desktop.
                Ok(bytes) if bytes.byte_length() as usize <= 2 * LONGEST && heard.messages.len() < MOST_WAITING => {
                    heard.messages.push_back(Uint8Array::new(&bytes).to_vec());
                }
                _ => heard.closed = true,
            }),
            call(|heard, _| heard.closed = true),
        ];
        let [open, message, close] = &calls;
        socket.set_on_open(Some(open.as_ref().unchecked_ref()));
        socket.set_on_message(Some(message.as_ref().unchecked_ref()));
        socket.set_on_close(Some(close.as_ref().unchecked_ref()));
        let socket = Socket { socket, heard, _calls: calls };
        let begun = Instant::now();
        loop {
            socket.wait(|heard| (heard.open || heard.closed).then_some(())).await;
            let heard = socket.heard.borrow();
            if heard.open {
                drop(heard);
                return Ok(socket);
            }
            if heard.closed || begun.elapsed() > PATIENCE {
                // The browser does not say more.
                return Err(io::ErrorKind::ConnectionRefused.into());
            }
        }
    }

    /// The next message; an empty one if none comes within [`TURN`].
    ///
    /// # Errors
    /// The connection is broken or closed.
    pub async fn next(&mut self) -> io::Result<Vec<u8>> {
        let found = self.wait(|heard| match heard.messages.pop_front() {
            Some(message) => Some(Ok(message)),
            None => heard.closed.then(|| Err(io::ErrorKind::ConnectionReset.into())),
        });
        found.await.unwrap_or(Ok(Vec::new()))
    }

    /// Looks at what was heard until there is an answer, for at most [`TURN`].
    async fn wait<T>(&self, mut look: impl FnMut(&mut Heard) -> Option<T>) -> Option<T> {
        let mut timer = timer();
        poll_fn(|context| {
            let mut heard = self.heard.borrow_mut();
            if let Some(found) = look(&mut heard) {
                return Poll::Ready(Some(found));
            }
            heard.waker = Some(context.waker().clone());
            Pin::new(&mut timer).poll(context).map(|_| None)
        })
        .await
    }
}

impl Sends for Socket {
    fn send(&mut self, message: Vec<u8>) -> io::Result<()> {
        self.socket.send(&message).map_err(|error| error_of(&error))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_on_open(None);
        self.socket.set_on_message(None);
        self.socket.set_on_close(None);
        let _ = self.socket.close();
    }
}

/// What an error of the browser says.
fn error_of(error: &JsValue) -> io::Error {
    let said = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|said| said.as_string());
    io::Error::other(said.unwrap_or_else(|| format!("{error:?}")))
}

fn timer() -> JsFuture {
    Promise::new(&mut |done, _| set_timeout(&done, TURN.as_millis() as f64)).into()
}

/// Waits for [`TURN`].
pub async fn turn() {
    // A timer does not fail.
    let _ = timer().await;
}

/// Does this work between the frames.
///
/// # Errors
/// There are none.
pub fn begin<F: Future<Output = ()> + 'static>(work: impl FnOnce() -> F + 'static) -> io::Result<()> {
    spawn_local(work());
    Ok(())
}
