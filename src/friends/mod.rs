//! What carries letters between two friends by itself: a broker of MQTT keeps the last letter of each of them, sealed, and hands it to the other one.
//! The broker is one that is run by others, or one of this program on the local network ([`Broker`]). It sees neither moves nor names.
//!
//! What goes through a broker is a state, not an event: each letter tells the whole match. So whatever is lost, doubled, late or out of order
//! is mended by the next letter, and a program that comes back asks for nothing.
//!
//! No part of this knows the window; [`Carrier`] works in a thread of its own, on a page in a browser between the frames. There it is all that there is:
//! a page is no broker and finds no tables nearby.

mod beats;
#[cfg(not(target_arch = "wasm32"))]
mod broker;
mod carrier;
#[cfg(not(target_arch = "wasm32"))]
mod nearby;
mod seal;
#[cfg(not(target_arch = "wasm32"))]
mod served;
#[cfg_attr(target_arch = "wasm32", path = "browser.rs")]
mod socket;
mod watchers;
mod wire;

pub use beats::Beats;
#[cfg(not(target_arch = "wasm32"))]
pub use broker::{Broker, local_address};
pub use carrier::{Carrier, News, checked_address};
#[cfg(not(target_arch = "wasm32"))]
pub use nearby::{Announced, Lookout};
pub use seal::{Key, PublicKey, ShowKey, WatchKey};
#[cfg(not(target_arch = "wasm32"))]
pub use served::Page;
pub use watchers::{Watchers, Watching};

use qiju_core::record::letter::name_of;
use qiju_core::rules::Side;

/// The longest message, in bytes. A letter of 500 moves has less than 2000.
const LONGEST: usize = 64 * 1024;

/// The topic of the letters that a seat of a match writes.
pub fn topic(number: u64, writer: Side) -> String {
    format!("qiju/{}/{}", name_of(number), writer.key())
}

/// The topic of the beats that say that a seat of a match is at the board.
pub fn beats_topic(number: u64, writer: Side) -> String {
    topic(number, writer) + BEATS
}

/// The topic of what those who look on at a match are shown, by the key that signs it.
pub fn shown_topic(number: u64, signer: &str) -> String {
    format!("qiju/{}/shown/{signer}", name_of(number))
}

/// The topic in which those who look on say so.
pub fn watchers_topic(number: u64, signer: &str) -> String {
    shown_topic(number, signer) + BEATS
}

/// The match of a topic of what is shown; `None` if it is none.
pub fn of_shown_topic(text: &str) -> Option<u64> {
    let (start, signer) = text.split_once("/shown/")?;
    let (number, _) = of_topic(&format!("{start}/first"))?;
    seal::bytes_of(signer).map(|_| number)
}

/// What is added to a topic for that of beats.
const BEATS: &str = "/here";

/// The match of a topic of those who look on; `None` if it is none.
pub fn of_watchers_topic(text: &str) -> Option<u64> {
    of_shown_topic(text.strip_suffix(BEATS)?)
}

/// The match and the seat of a topic of beats; `None` if it is none.
pub fn of_beats_topic(text: &str) -> Option<(u64, Side)> {
    of_topic(text.strip_suffix(BEATS)?)
}

/// The match and the seat of a topic; `None` if it is none of ours.
pub fn of_topic(text: &str) -> Option<(u64, Side)> {
    let number = u64::from_str_radix(text.strip_prefix("qiju/")?.get(..16)?, 16).ok()?;
    Side::BOTH.into_iter().map(|writer| (number, writer)).find(|(number, writer)| topic(*number, *writer) == text)
}
