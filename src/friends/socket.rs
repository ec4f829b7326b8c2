//! What the desktop has for a [`Carrier`](super::Carrier): WebSockets of the system, with TLS, and threads. The functions of the carrier are `async`, as
//! the page needs it, but wait in their thread: nothing else runs there.

use super::LONGEST;
use super::wire::{Sends, TURN};
use http::Uri;
use qiju_core::message;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{ClientRequestBuilder, Message, WebSocket};
use web_time::Duration;

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The limits of a WebSocket.
pub fn limits() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(2 * LONGEST)).max_frame_size(Some(2 * LONGEST))
}

/// A WebSocket. It must wait for [`TURN`] at most when it is read.
pub struct Socket<S = MaybeTlsStream<TcpStream>>(pub WebSocket<S>);

impl Socket {
    /// Connects to a broker.
    ///
    /// # Errors
    /// None is reached.
    pub async fn connect(address: &Uri) -> io::Result<Socket> {
        let host = address.host().unwrap_or_default().trim_matches(['[', ']']);
        let port = address.port_u16().unwrap_or(if address.scheme_str() == Some("wss") { 443 } else { 80 });
        let mut failed = io::ErrorKind::AddrNotAvailable.into();
        let mut stream = None;
        let found = (host, port).to_socket_addrs();
        for address in found.map_err(|_| io::Error::other(message!("the address of {} was not found", host)))? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(found) => {
                    stream = Some(found);
                    break;
                }
                Err(error) => failed = error,
            }
        }
        let stream = stream.ok_or(failed)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let same = stream.try_clone()?;
        let request = ClientRequestBuilder::new(address.clone()).with_sub_protocol("mqtt");
        let asked = tungstenite::client_tls_with_config(request, stream, Some(limits()), None);
        let none = |why: String| io::Error::other(message!("no broker answers there ({})", why));
        let (socket, _) = asked.map_err(|error| none(error.to_string()))?;
        same.set_read_timeout(Some(TURN))?;
        Ok(Socket(socket))
    }

    /// The next message, as [`read`](Socket::read).
    ///
    /// # Errors
    /// The connection is broken or closed.
    pub async fn next(&mut self) -> io::Result<Vec<u8>> {
        self.read()
    }
}

impl<S: Read + Write> Socket<S> {
    /// The next message; an empty one if none comes within [`TURN`].
    ///
    /// # Errors
    /// The connection is broken or closed.
    pub fn read(&mut self) -> io::Result<Vec<u8>> {
        match self.0.read() {
            Ok(Message::Binary(bytes)) => Ok(bytes.to_vec()),
            Ok(Message::Close(_)) => Err(io::ErrorKind::ConnectionReset.into()),
            Ok(_) => Ok(Vec::new()),
            Err(error) => wait_or_fail(error).map(|()| Vec::new()),
        }
    }
}

impl<S: Read + Write> Sends for Socket<S> {
    fn send(&mut self, message: Vec<u8>) -> io::Result<()> {
        self.0.send(Message::binary(message)).or_else(wait_or_fail)
    }
}

/// Nothing came in time, which is no error.
fn wait_or_fail(error: tungstenite::Error) -> io::Result<()> {
    match error {
        tungstenite::Error::Io(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => Ok(()),
        tungstenite::Error::Io(error) => Err(error),
        other => Err(io::Error::other(other.to_string())),
    }
}

/// Waits for [`TURN`].
pub async fn turn() {
    std::thread::sleep(TURN);
}

/// Does this work in a thread of its own.
///
/// # Errors
/// There are too many threads.
pub fn begin<F: Future<Output = ()>>(work: impl FnOnce() -> F + Send + 'static) -> io::Result<()> {
    let thread = std::thread::Builder::new().name("letters".to_owned());
    thread.spawn(move || futures_lite::future::block_on(work())).map(drop)
}
