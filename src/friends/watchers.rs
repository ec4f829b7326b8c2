//! How many look on at a match. The program of each of them says so every few seconds, sealed with the key of their link, in a topic beside that of what
//! they are shown; the player who shows the match counts them.
//!
//! Who has the link can say that more look on than do, and no more than that: nothing else is read here.

use super::WatchKey;
use qiju_core::record::letter::MOST_WATCHERS;
use std::collections::BTreeMap;
use web_time::{Duration, Instant};

/// So often a program says that its user looks on.
const EVERY: Duration = Duration::from_secs(20);
/// The time between the first two times.
const FIRST: Duration = Duration::from_secs(2);
/// Who says nothing for so long looks on no longer.
const GONE: Duration = Duration::from_secs(50);
/// The shortest time between two numbers that are told.
const TOLD: Duration = Duration::from_secs(5);
/// The most who are remembered: those who are there, and those who were.
const MOST: usize = 1000;
/// The version of the messages.
const VERSION: &str = "1";

/// One who looks on.
#[derive(Debug)]
pub struct Watching {
    key: WatchKey,
    name: u64,
    /// How often it was said,
    said: u64,
    /// over this connection as well,
    here: u64,
    /// and when it is due again.
    due: Instant,
}

impl Watching {
    /// Says it at once.
    pub fn new(key: WatchKey, now: Instant) -> Watching {
        Watching { key, name: fastrand::u64(..), said: 0, here: 0, due: now }
    }

    /// The next message, if it is due.
    pub fn next(&mut self, now: Instant) -> Option<Vec<u8>> {
        (now >= self.due).then(|| {
            self.here += 1;
            self.due = now + if self.here == 1 { FIRST } else { EVERY };
            self.message("here")
        })
    }

    /// There is a new connection.
    pub fn again(&mut self, now: Instant) {
        (self.here, self.due) = (0, now);
    }

    /// The last message: the user looks on no longer.
    pub fn last(&mut self) -> Vec<u8> {
        self.message("gone")
    }

    fn message(&mut self, word: &str) -> Vec<u8> {
        self.said += 1;
        self.key.seal(&format!("watcher {VERSION} {word} {} {}", self.name, self.said))
    }
}

/// Those who look on at a match, by what they say.
#[derive(Debug)]
pub struct Watchers {
    key: WatchKey,
    known: BTreeMap<u64, Known>,
    told: u8,
    /// When a number may be told again.
    due: Instant,
}

#[derive(Debug)]
struct Known {
    /// The last number of their messages, and when it came.
    said: u64,
    at: Instant,
    here: bool,
}

impl Watchers {
    /// Nobody yet.
    pub fn new(key: WatchKey, now: Instant) -> Watchers {
        Watchers { key, known: BTreeMap::new(), told: 0, due: now }
    }

    /// Takes what came; what nobody who looks on says is nothing.
    pub fn came(&mut self, bytes: &[u8], now: Instant) {
        if let Some(text) = self.key.said(bytes) {
            self.read(&text, now).unwrap_or_default();
        }
    }

    fn read(&mut self, text: &str, now: Instant) -> Option<()> {
        let words: Vec<&str> = text.split(' ').collect();
        let ["watcher", VERSION, word @ ("here" | "gone"), name, said] = words[..] else { return None };
        let (name, said): (u64, u64) = (name.parse().ok()?, said.parse().ok()?);
        let before = self.known.get(&name);
        // The broker keeps the last message, and anybody can send an old one again: only the second one proves that somebody is there.
        let here = before.is_some() && word == "here";
        if before.is_some_and(|before| before.said >= said) {
            return None;
        }
        if before.is_none() && self.known.len() >= MOST {
            let (oldest, _) = self.known.iter().min_by_key(|(_, known)| known.at)?;
            let oldest = *oldest;
            self.known.remove(&oldest);
        }
        self.known.insert(name, Known { said, at: now, here });
        Some(())
    }

    /// How many look on, if this is news, and another number was not told a moment ago.
    pub fn news(&mut self, now: Instant) -> Option<u8> {
        let here = |known: &&Known| known.here && now.duration_since(known.at) < GONE;
        let count = self.known.values().filter(here).count().min(usize::from(MOST_WATCHERS)) as u8;
        if count == self.told || now < self.due {
            return None;
        }
        (self.told, self.due) = (count, now + TOLD);
        Some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friends::ShowKey;

    #[test]
    fn those_who_look_on_are_counted_until_they_are_gone() {
        let (key, begun) = (ShowKey::fresh().watch(), Instant::now());
        let mut counted = Watchers::new(key.clone(), begun);
        let mut all = [0, 1, 2].map(|_| Watching::new(key.clone(), begun));
        let mut written = 0;
        let mut told = Vec::new();
        let mut run = |all: &mut [Watching], from: u64, to: u64| {
            for second in from..to {
                let now = begun + Duration::from_secs(second);
                for one in &mut *all {
                    if let Some(bytes) = one.next(now) {
                        written += 1;
                        counted.came(&bytes, now);
                    }
                }
                told.extend(counted.news(now).map(|count| (second, count)));
            }
        };
        run(&mut all, 0, 60);
        // One says that he goes, and another one is cut off.
        let gone = all[0].last();
        run(&mut all[2..], 60, 61);
        assert_eq!(told, [(2, 3)]);
        assert_eq!(written, 3 * 4, "messages of three in a minute");
        counted.came(&gone, begun + Duration::from_secs(61));
        assert_eq!(counted.news(begun + Duration::from_secs(61)), Some(2));
        assert_eq!(counted.news(begun + Duration::from_secs(100)), Some(0), "nothing was heard since");
    }

    #[test]
    fn what_is_old_or_bad_counts_nobody() {
        let (key, now) = (ShowKey::fresh().watch(), Instant::now());
        let later = now + TOLD;
        let mut counted = Watchers::new(key.clone(), now);
        let mut one = Watching::new(key.clone(), now);
        let first = one.next(now).unwrap();
        for _ in 0..3 {
            counted.came(&first, now);
        }
        assert_eq!(counted.news(now), None, "the broker has kept it");
        let second = one.next(now + FIRST).unwrap();
        let last = one.last();
        counted.came(&second, now);
        assert_eq!(counted.news(now), Some(1));
        counted.came(&last, now);
        assert_eq!(counted.news(now), None, "a moment ago it was another number");
        assert_eq!(counted.news(later), Some(0));
        for again in [&first, &second] {
            counted.came(again, later);
        }
        assert_eq!(counted.news(later + TOLD), None);
        // Of another link, and words that are none.
        let mut other = Watching::new(ShowKey::fresh().watch(), now);
        for at in [now, now + FIRST] {
            counted.came(&other.next(at).unwrap(), later);
        }
        let bad = [
            "",
            "watcher",
            "watcher 1 here 5",
            "watcher 2 here 5 {}",
            "watcher 1 away 5 {}",
            "watcher 1 here x {}",
            "watcher 1 here 5 {} 1",
        ];
        for bad in bad {
            for said in ["1", "2"] {
                counted.came(&key.seal(&bad.replace("{}", said)), later);
            }
        }
        assert_eq!(counted.news(later + TOLD), None);
        // Many at one link are no more than a number.
        for name in 0..2 * MOST as u64 {
            for said in 1..3 {
                counted.came(&key.seal(&format!("watcher 1 here {name} {said}")), later);
            }
        }
        assert_eq!((counted.known.len(), counted.news(later + TOLD)), (MOST, Some(MOST_WATCHERS)));
    }
}
