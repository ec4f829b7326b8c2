//! A small broker for the local network: it keeps the last message of each topic of ours, and hands it to those who watch the topic.
//! It listens at one address alone, knows no files, and everything it keeps is bounded.

use super::served::Page;
use super::socket::{Socket, limits};
use super::wire::{TURN, Wire};
use super::{LONGEST, of_beats_topic, of_shown_topic, of_topic, of_watchers_topic};
use mqtt_protocol_core::mqtt::connection::role::Server;
use mqtt_protocol_core::mqtt::packet::{Packet, Qos, v5_0};
use mqtt_protocol_core::mqtt::result_code::{ConnectReasonCode, MqttError, SubackReasonCode, UnsubackReasonCode};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tungstenite::http::HeaderValue;
use web_time::{Duration, Instant};

/// The most connections at a time, and the most topics.
const MOST_CONNECTIONS: usize = 32;
const MOST_TOPICS: usize = 768;
/// The time for the beginning of a connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes that are looked at to see what a connection wants.
const PEEKED: usize = 4096;

/// The broker. Dropping it ends it, a moment later.
pub struct Broker {
    address: SocketAddr,
    serves: bool,
    stop: Arc<AtomicBool>,
}

type Watcher = (BTreeSet<String>, SyncSender<(String, Arc<[u8]>)>);

#[derive(Default)]
struct Kept {
    messages: BTreeMap<String, Arc<[u8]>>,
    watchers: BTreeMap<u64, Watcher>,
}

impl Broker {
    /// Begins to listen. Port 0 takes a free one.
    ///
    /// # Errors
    /// The address is not one of this computer, or the port is in use.
    pub fn new(address: SocketAddr) -> io::Result<Broker> {
        Broker::with_page(address, None)
    }

    /// The same; browsers are given a page, if there is one.
    ///
    /// # Errors
    /// As [`new`](Broker::new).
    pub fn with_page(address: SocketAddr, page: Option<Page>) -> io::Result<Broker> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let (seen, serves) = (stop.clone(), page.is_some());
        thread::Builder::new().name("broker".to_owned()).spawn(move || listen(&listener, &seen, &Arc::new(page)))?;
        Ok(Broker { address, serves, stop })
    }

    /// The address of the page that it gives to browsers.
    pub fn page(&self) -> Option<String> {
        self.serves.then(|| format!("http://{}/", self.address))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // Its thread waits for somebody who comes. Nobody waits for that here: the address may be gone.
        let address = self.address;
        drop(thread::Builder::new().spawn(move || drop(TcpStream::connect_timeout(&address, PATIENCE))));
    }
}

/// The address of this computer on its network; the loopback without one. Nothing is sent for it.
pub fn local_address() -> IpAddr {
    let found = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    found.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}

fn listen(listener: &TcpListener, stop: &Arc<AtomicBool>, page: &Arc<Option<Page>>) {
    let kept = Arc::new(Mutex::new(Kept::default()));
    let running = Arc::new(());
    let mut number = 0;
    loop {
        let taken = listener.accept();
        if stop.load(Ordering::Acquire) {
            return;
        }
        // There may be too many open files for the moment.
        let Ok((stream, _)) = taken else {
            thread::sleep(PATIENCE);
            continue;
        };
        if Arc::strong_count(&running) > MOST_CONNECTIONS {
            continue;
        }
        number += 1;
        let (kept, stop, page, one) = (kept.clone(), stop.clone(), page.clone(), running.clone());
        let begun = thread::Builder::new().name("broker".to_owned()).spawn(move || {
            drop(serve(stream, number, &kept, &stop, page.as_ref().as_ref()));
            lock(&kept).watchers.remove(&number);
            drop(one);
        });
        drop(begun);
    }
}

fn lock(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True for a topic of letters or beats, or of what is shown to those who look on, or that of theirs.
fn is_ours(topic: &str) -> bool {
    of_topic(topic).or_else(|| of_beats_topic(topic)).is_some()
        || of_shown_topic(topic).or_else(|| of_watchers_topic(topic)).is_some()
}

/// Serves one connection.
fn serve(stream: TcpStream, number: u64, kept: &Mutex<Kept>, stop: &AtomicBool, page: Option<&Page>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(&stream)?;
    if !head.to_lowercase().contains("upgrade: websocket") {
        return super::served::answer(stream, &head, page);
    }
    let same = stream.try_clone()?;
    let socket = tungstenite::accept_hdr_with_config(stream, Mqtt, Some(limits()));
    let socket = socket.map_err(|error| io::Error::other(error.to_string()))?;
    same.set_read_timeout(Some(TURN))?;
    let mut wire: Wire<Server, Socket<TcpStream>> = Wire::new(Socket(socket));
    let (sender, out) = sync_channel(MOST_TOPICS);
    lock(kept).watchers.insert(number, (BTreeSet::new(), sender));
    let begun = Instant::now();
    let mut connected = false;
    while !stop.load(Ordering::Acquire) {
        let message = wire.socket.read()?;
        for packet in wire.receive(&message)? {
            connected |= matches!(packet, Packet::V5_0Connect(_));
            answer_to(packet, number, &mut wire, kept)?;
        }
        if connected {
            hand_out(&out, &mut wire)?;
        } else if begun.elapsed() > PATIENCE {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    Ok(())
}

/// Says that it speaks MQTT.
struct Mqtt;

impl Callback for Mqtt {
    fn on_request(self, _: &Request, mut answer: Response) -> Result<Response, ErrorResponse> {
        answer.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_static("mqtt"));
        Ok(answer)
    }
}

/// The head of a request, with the empty line that ends it. It stays in the stream.
fn head(stream: &TcpStream) -> io::Result<String> {
    let begun = Instant::now();
    let mut bytes = [0; PEEKED];
    loop {
        let count = stream.peek(&mut bytes)?;
        if let Some(end) = bytes[..count].windows(4).position(|part| part == b"\r\n\r\n") {
            return Ok(String::from_utf8_lossy(&bytes[..end + 4]).into_owned());
        }
        if count == 0 || count == PEEKED || begun.elapsed() > PATIENCE {
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn answer_to(packet: Packet, number: u64, wire: &mut Wire<Server, Socket<TcpStream>>, kept: &Mutex<Kept>) -> io::Result<()> {
    let answer: Packet = match packet {
        Packet::V5_0Connect(_) => {
            let answer = v5_0::Connack::builder().session_present(false).reason_code(ConnectReasonCode::Success).build();
            answer.map_err(told)?.into()
        }
        Packet::V5_0Subscribe(asked) => {
            let mut kept = lock(kept);
            let mut codes = Vec::new();
            for entry in asked.entries() {
                let topic = entry.topic_filter().to_owned();
                let there = kept.messages.get(&topic).cloned();
                let Some((topics, sender)) = kept.watchers.get_mut(&number) else { break };
                if !is_ours(&topic) || topics.len() >= MOST_TOPICS {
                    codes.push(SubackReasonCode::NotAuthorized);
                    continue;
                }
                drop(there.map(|bytes| sender.try_send((topic.clone(), bytes))));
                topics.insert(topic);
                codes.push(SubackReasonCode::GrantedQos1);
            }
            v5_0::Suback::builder().packet_id(asked.packet_id()).reason_codes(codes).build().map_err(told)?.into()
        }
        Packet::V5_0Unsubscribe(asked) => {
            let mut kept = lock(kept);
            let Some((topics, _)) = kept.watchers.get_mut(&number) else { return Ok(()) };
            topics.retain(|topic| asked.entries().iter().all(|left| left.as_str() != topic));
            let codes = vec![UnsubackReasonCode::Success; asked.entries().len()];
            v5_0::Unsuback::builder().packet_id(asked.packet_id()).reason_codes(codes).build().map_err(told)?.into()
        }
        Packet::V5_0Publish(one) => {
            let (topic, bytes) = (one.topic_name(), one.payload().as_slice());
            let mut kept = lock(kept);
            let room = kept.messages.contains_key(topic) || kept.messages.len() < MOST_TOPICS;
            if !is_ours(topic) || bytes.len() > LONGEST || !room {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let bytes: Arc<[u8]> = bytes.into();
            // Who does not take what he watches is cut off, and finds it when he comes again.
            kept.watchers.retain(|_, (topics, sender)| {
                !topics.contains(topic) || sender.try_send((topic.to_owned(), bytes.clone())).is_ok()
            });
            kept.messages.insert(topic.to_owned(), bytes);
            return Ok(());
        }
        Packet::V5_0Disconnect(_) => return Err(io::ErrorKind::ConnectionAborted.into()),
        _ => return Ok(()),
    };
    wire.send(answer).map(drop)
}

/// Hands out what stands in the topics that are watched. What is lost on the way is handed out again with the next connection.
fn hand_out(out: &Receiver<(String, Arc<[u8]>)>, wire: &mut Wire<Server, Socket<TcpStream>>) -> io::Result<()> {
    loop {
        let (topic, bytes) = match out.try_recv() {
            Ok(one) => one,
            Err(TryRecvError::Empty) => return Ok(()),
            Err(TryRecvError::Disconnected) => return Err(io::ErrorKind::ConnectionAborted.into()),
        };
        let packet = v5_0::Publish::builder()
            .topic_name(topic)
            .and_then(|one| one.qos(Qos::AtMostOnce).retain(true).payload(bytes.to_vec()).build());
        wire.send(packet.map_err(told)?.into())?;
    }
}

fn told(error: MqttError) -> io::Error {
    io::Error::other(error.to_string())
}
