//! Connections that are cut, a broker of others, and somebody who listens there.
#![allow(dead_code, reason = "each test uses a part of it")]

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::read::DeflateDecoder;
use qiju_core::record::letter::Letter;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tungstenite::{ClientRequestBuilder, Message, WebSocket};

/// How many of something are tried: as many as the environment says.
pub fn wanted(key: &str, otherwise: usize) -> usize {
    std::env::var(key).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Passes bytes on between a client and a broker, and cuts a connection after some bytes, or after some time.
pub struct Proxy {
    pub address: SocketAddr,
    cuts: Arc<AtomicUsize>,
}

impl Proxy {
    /// At most so many connections are cut, each at the latest after this time.
    pub fn to(broker: SocketAddr, wanted: usize, longest: Option<Duration>, seed: u64) -> Proxy {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let cuts = Arc::new(AtomicUsize::new(0));
        let (counted, random) = (cuts.clone(), Arc::new(Mutex::new(fastrand::Rng::with_seed(seed))));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let Ok(client) = client else { return };
                // The broker may be down at the moment.
                let Ok(server) = TcpStream::connect(broker) else { continue };
                let cuts = counted.load(Ordering::Relaxed) < wanted;
                let mut random = random.lock().unwrap();
                let left = Arc::new(AtomicU64::new(if cuts { random.u64(400..6000) } else { u64::MAX }));
                let until = longest.filter(|_| cuts).map(|longest| Instant::now() + longest.mul_f64(random.f64()));
                let once = Arc::new(AtomicUsize::new(0));
                for (from, to) in [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)] {
                    let (left, counted, once) = (left.clone(), counted.clone(), once.clone());
                    std::thread::spawn(move || pass(from, to, &left, until, &counted, &once));
                }
            }
        });
        Proxy { address, cuts }
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> usize {
        self.cuts.load(Ordering::Relaxed)
    }
}

fn pass(
    mut from: TcpStream,
    mut to: TcpStream,
    left: &AtomicU64,
    until: Option<Instant>,
    counted: &AtomicUsize,
    once: &AtomicUsize,
) {
    let mut bytes = [0; 512];
    loop {
        let wait = until.map(|until| until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1)));
        from.set_read_timeout(wait).unwrap_or_default();
        let (count, over) = match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => (count as u64, false),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => (0, true),
            Err(_) => break,
        };
        let before = left.load(Ordering::Relaxed);
        let passed = count.min(before);
        left.store(before - passed, Ordering::Relaxed);
        // A message is cut in its middle, too.
        let written = to.write_all(&bytes[..passed as usize]);
        if written.is_err() || over || before <= count {
            if once.fetch_add(1, Ordering::Relaxed) == 0 && written.is_ok() {
                counted.fetch_add(1, Ordering::Relaxed);
            }
            break;
        }
    }
    drop(from.shutdown(Shutdown::Both));
    drop(to.shutdown(Shutdown::Both));
}

/// Debian's `mosquitto`.
pub struct Mosquitto {
    pub address: SocketAddr,
    program: &'static str,
    folder: tempfile::TempDir,
    stores: bool,
    child: Child,
}

impl Mosquitto {
    /// `None`, which is told, where it is not installed.
    pub fn begin(stores: bool) -> Option<Mosquitto> {
        let program = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"];
        let Some(program) = program.into_iter().find(|path| Path::new(path).exists()) else {
            eprintln!("mosquitto is not installed: this was not tried");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let free = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
        // Without a plain listener as well, Debian's version 2.0.11 says that it listens to nothing.
        let (address, plain) = (free(), free().port());
        // Begun by root it would become a user who cannot write here.
        let store = format!("user root\npersistence true\npersistence_location {}/\n", folder.path().display());
        let listeners = format!("listener {plain} 127.0.0.1\nlistener {} 127.0.0.1\nprotocol websockets\n", address.port());
        let text = format!("allow_anonymous true\n{}{listeners}", if stores { &store } else { "" });
        std::fs::write(folder.path().join("mosquitto.conf"), text).unwrap();
        let child = begun(program, folder.path());
        Some(Mosquitto { address, program, folder, stores, child })
    }

    /// Ends, and begins again after a moment.
    pub fn again(&mut self) {
        self.end();
        std::thread::sleep(Duration::from_millis(200));
        self.child = begun(self.program, self.folder.path());
    }

    /// Only a broker that is ended properly writes its store.
    fn end(&mut self) {
        #[cfg(unix)]
        if self.stores {
            let child = rustix::process::Pid::from_child(&self.child);
            rustix::process::kill_process(child, rustix::process::Signal::TERM).unwrap_or_default();
            drop(self.child.wait());
            return;
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        self.end();
    }
}

fn begun(program: &str, folder: &Path) -> Child {
    let mut command = Command::new(program);
    command.arg("-c").arg(folder.join("mosquitto.conf")).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// A client of MQTT that has no part in a match, and takes all that a broker gives it.
pub struct Outsider {
    socket: WebSocket<TcpStream>,
    bytes: Vec<u8>,
    /// For each topic that it has asked for, what the broker has answered: less than 128 is yes.
    pub answers: Vec<u8>,
    /// The packets that came after that.
    pub seen: Vec<Vec<u8>>,
}

impl Outsider {
    /// Asks for these topics.
    pub fn at(broker: SocketAddr, topics: &[&str]) -> Outsider {
        let text = |text: &str| [&(text.len() as u16).to_be_bytes(), text.as_bytes()].concat();
        let packet = |kind: u8, body: &[u8]| {
            let (low, high) = ((body.len() % 128) as u8, (body.len() / 128) as u8);
            let length = if high == 0 { vec![low] } else { vec![low | 128, high] };
            Message::binary([&[kind], &length[..], body].concat())
        };
        let begun = Instant::now();
        let stream = loop {
            match TcpStream::connect(broker) {
                Ok(stream) => break stream,
                Err(error) => assert!(begun.elapsed() < Duration::from_secs(20), "{error}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        let request = ClientRequestBuilder::new(format!("ws://{broker}/").parse().unwrap()).with_sub_protocol("mqtt");
        let (mut socket, _) = tungstenite::client(request, stream).unwrap();
        socket.get_ref().set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        // Version 5, a clean start, no end for want of words, no properties.
        socket.send(packet(0x10, &[&text("MQTT")[..], &[5, 2, 0, 0, 0], &text("outsider")].concat())).unwrap();
        let asked: Vec<u8> = topics.iter().flat_map(|topic| [text(topic), vec![0]].concat()).collect();
        socket.send(packet(0x82, &[&[0, 1, 0], &asked[..]].concat())).unwrap();
        let mut outsider = Outsider { socket, bytes: Vec::new(), answers: Vec::new(), seen: Vec::new() };
        while outsider.answers.is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(20), "no answer");
            outsider.listen();
            if let Some(index) = outsider.seen.iter().position(|packet| packet[0] == 0x90) {
                let answer = outsider.seen.remove(index);
                outsider.answers = answer[answer.len() - topics.len()..].to_vec();
            }
        }
        outsider.seen.retain(|packet| packet[0] >> 4 == 3);
        outsider
    }

    /// Takes what has come, until nothing comes for a moment.
    pub fn listen(&mut self) {
        while let Ok(message) = self.socket.read() {
            self.bytes.extend(message.into_data());
        }
        while let Some(end) = end_of(&self.bytes) {
            self.seen.push(self.bytes.drain(..end).collect());
        }
    }
}

/// Where the first packet ends, if it is whole.
fn end_of(bytes: &[u8]) -> Option<usize> {
    let (mut length, mut at) = (0, 1);
    loop {
        let byte = *bytes.get(at)?;
        length |= usize::from(byte & 127) << (7 * (at - 1));
        at += 1;
        if byte < 128 {
            return Some(at + length).filter(|end| *end <= bytes.len());
        }
    }
}

/// The shortest word that does not come about by chance.
const LONG: usize = 6;

/// Which of these words are told by a message to somebody without a key. Of shorter words at least two are needed.
pub fn tells<'a>(message: &[u8], words: &'a [Vec<u8>]) -> Vec<&'a [u8]> {
    let readings = readings(message);
    let is_in = |word: &[u8]| readings.iter().any(|reading| reading.windows(word.len()).any(|part| part == word));
    let found: Vec<&[u8]> = words.iter().map(Vec::as_slice).filter(|word| is_in(word)).collect();
    if found.len() > 1 || found.iter().any(|word| word.len() >= LONG) { found } else { Vec::new() }
}

/// A message, and all that can be made of it without a key: what is in base64, what is packed, and the game of a letter.
fn readings(message: &[u8]) -> Vec<Vec<u8>> {
    let form = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    let base64 = GeneralPurpose::new(&STANDARD, form.with_decode_padding_mode(DecodePaddingMode::Indifferent));
    let mut readings = vec![message.to_vec()];
    for run in message.split(|byte| !byte.is_ascii_alphanumeric() && !b"-_+/".contains(byte)).filter(|run| run.len() >= 16) {
        let text = String::from_utf8_lossy(run).into_owned();
        readings.extend(Letter::in_text(&format!("#qiju={text}")).map(|letter| words_of(&letter).concat()));
        let text = text.replace('-', "+").replace('_', "/");
        // It may begin after other letters, and one letter more than a whole number of groups is none of it.
        let parts = (0..4).map(|from| &text[from..text.len() - usize::from((text.len() - from) % 4 == 1)]);
        readings.extend(parts.filter_map(|part| base64.decode(part).ok()));
    }
    let mut packed = Vec::new();
    for reading in &readings {
        for from in 0..reading.len() {
            let mut unpacked = Vec::new();
            drop(DeflateDecoder::new(&reading[from..]).take(1 << 16).read_to_end(&mut unpacked));
            packed.extend(Some(unpacked).filter(|unpacked| unpacked.len() >= LONG));
        }
    }
    readings.extend(packed);
    readings
}

/// The moves of a letter in each notation, and the position after them.
pub fn words_of(letter: &Letter) -> Vec<Vec<u8>> {
    let table = letter.table().unwrap();
    let moves = table.notations().iter().flat_map(|notation| table.played_text(*notation));
    moves.chain([table.position_text()]).map(String::into_bytes).collect()
}
