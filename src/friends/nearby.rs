//! Tables nearby: whoever has an open invitation on the local network says so by multicast DNS, and whoever looks for one finds it. What is found is a
//! link as any other: it is read as a letter, and nothing else that a stranger sends is believed.

use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent, ServiceInfo};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::letter::{Letter, name_of};
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The kind of service.
const KIND: &str = "_qiju._tcp.local.";
/// The link goes in pieces of so many bytes, which have numbers: a text of DNS has at most 255.
const PIECE: usize = 200;
const MOST_PIECES: usize = 12;
/// The most tables that are shown.
const MOST_TABLES: usize = 20;

fn daemon() -> Result<ServiceDaemon, Message> {
    let daemon = ServiceDaemon::new().map_err(told)?;
    // Nothing is done at rest.
    daemon.set_ip_check_interval(0).map_err(told)?;
    Ok(daemon)
}

fn told(error: mdns_sd::Error) -> Message {
    message!("tables nearby: {}", error.to_string())
}

/// An invitation that those nearby see. Dropping it takes it back.
pub struct Announced {
    daemon: ServiceDaemon,
    name: String,
}

impl Announced {
    /// Announces the table of a match, whose broker listens at this address.
    ///
    /// # Errors
    /// The network does not let it.
    pub fn new(number: u64, broker: SocketAddr, link: &str) -> Result<Announced, Message> {
        let (name, host) = (name_of(number), format!("qiju-{}.local.", name_of(number)));
        let pieces = link.as_bytes().chunks(PIECE).map(|piece| String::from_utf8_lossy(piece).into_owned());
        let pieces: HashMap<String, String> = (0..MOST_PIECES).map(|index| index.to_string()).zip(pieces).collect();
        let service = ServiceInfo::new(KIND, &name, &host, broker.ip(), broker.port(), pieces).map_err(told)?;
        let daemon = daemon()?;
        let name = service.get_fullname().to_owned();
        daemon.register(service).map_err(told)?;
        Ok(Announced { daemon, name })
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        drop(self.daemon.unregister(&self.name));
        drop(self.daemon.shutdown());
    }
}

/// Looks for tables nearby. Dropping it ends that.
pub struct Lookout {
    daemon: ServiceDaemon,
    found: Arc<Mutex<BTreeMap<String, Letter>>>,
}

impl Lookout {
    /// Begins to look. `wake` is called when a table comes or goes.
    ///
    /// # Errors
    /// The network does not let it.
    pub fn new(wake: impl Fn() + Send + 'static) -> Result<Lookout, Message> {
        let daemon = daemon()?;
        let events = daemon.browse(KIND).map_err(told)?;
        let found: Arc<Mutex<BTreeMap<String, Letter>>> = Arc::default();
        let seen = found.clone();
        let begun = std::thread::Builder::new().name("nearby".to_owned()).spawn(move || {
            // The channel is closed when the daemon ends.
            while let Ok(event) = events.recv() {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                match event {
                    ServiceEvent::ServiceResolved(service) if seen.len() < MOST_TABLES => {
                        seen.extend(invitation(&service).map(|letter| (service.fullname, letter)));
                    }
                    ServiceEvent::ServiceRemoved(_, name) => drop(seen.remove(&name)),
                    _ => continue,
                }
                drop(seen);
                wake();
            }
        });
        begun.map_err(|error| message!("{}", error))?;
        Ok(Lookout { daemon, found })
    }

    /// The invitations that are open nearby.
    pub fn tables(&self) -> Vec<Letter> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

impl Drop for Lookout {
    fn drop(&mut self) {
        drop(self.daemon.shutdown());
    }
}

/// The letter of a service: one to a match that has not ended, with the way to its broker.
fn invitation(service: &ResolvedService) -> Option<Letter> {
    let pieces = (0..MOST_PIECES).map_while(|index| service.txt_properties.get_property_val_str(&index.to_string()));
    let link: String = pieces.collect();
    let letter = Letter::in_text(&link)?;
    (letter.post.is_some() && letter.record.result.is_none()).then_some(letter)
}
