//! Connections that are cut.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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
