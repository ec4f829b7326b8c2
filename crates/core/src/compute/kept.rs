//! What is kept between computations: the last few players and provers, by number. A message has the number only.

use crate::search::StopToken;
use crate::table::{Action, Player, PlayerError, PlayerHandle, Progress, Prover, SearchRequest, Table};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// So many are kept of each kind; an engine can have a transposition table of many megabytes.
const MOST: usize = 3;

/// The last values that were used, by number.
struct RecentlyUsed<T>(Mutex<VecDeque<(u64, T)>>);

impl<T: Clone> RecentlyUsed<T> {
    const fn new() -> RecentlyUsed<T> {
        RecentlyUsed(Mutex::new(VecDeque::new()))
    }

    /// The value with this number, made if it is not there. The one that was not used for the longest time makes room.
    fn get(&self, number: u64, make: impl FnOnce() -> T) -> T {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|(of, _)| *of == number).and_then(|index| kept.remove(index));
        let (number, value) = found.unwrap_or_else(|| (number, make()));
        kept.truncate(MOST - 1);
        kept.push_front((number, value.clone()));
        value
    }
}

/// Plays with the engine of whatever table comes first.
struct OfTable(Option<Box<dyn Player>>);

impl OfTable {
    fn player(&mut self, table: &dyn Table) -> &mut Box<dyn Player> {
        self.0.get_or_insert_with(|| table.player())
    }
}

impl Player for OfTable {
    fn prepare(&mut self, table: &dyn Table, request: &SearchRequest) -> Result<(), PlayerError> {
        self.player(table).prepare(table, request)
    }

    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, PlayerError> {
        self.player(table).think(table, request, stop, tell)
    }

    fn new_game(&mut self) {
        self.0 = None;
    }
}

/// The player with this number on the side that answers.
pub(super) fn player(number: u64) -> PlayerHandle {
    static PLAYERS: RecentlyUsed<PlayerHandle> = RecentlyUsed::new();
    PLAYERS.get(number, || PlayerHandle::new(Box::new(OfTable(None))))
}

/// `None` until it is needed.
type SharedProver = Arc<Mutex<Option<Box<dyn Prover>>>>;

/// A prover that keeps its results between questions. Clones are the same prover.
#[derive(Clone)]
pub struct SentProver {
    number: u64,
    prover: SharedProver,
}

impl Default for SentProver {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        SentProver { number: NEXT.fetch_add(1, Ordering::Relaxed), prover: Arc::default() }
    }
}

impl SentProver {
    /// Its number, different for every prover of this process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Works with the prover; `None` if the game has none, or if the question is stopped before the prover is free.
    pub(super) fn with<T>(
        &self,
        table: &dyn Table,
        stop: &StopToken,
        work: impl FnOnce(&mut dyn Prover) -> Option<T>,
    ) -> Option<T> {
        let make = table.capabilities().prover?;
        let mut prover = stop.lock(&self.prover)?;
        work(&mut **prover.get_or_insert_with(make))
    }
}

impl Serialize for SentProver {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.number.serialize(to)
    }
}

impl<'de> Deserialize<'de> for SentProver {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SentProver, D::Error> {
        static PROVERS: RecentlyUsed<SharedProver> = RecentlyUsed::new();
        let number = u64::deserialize(from)?;
        Ok(SentProver { number, prover: PROVERS.get(number, Arc::default) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_makes_room() {
        let shelf = RecentlyUsed::new();
        assert_eq!([1, 2, 3].map(|number| shelf.get(number, || number * 10)), [10, 20, 30]);
        // The first is used again, so the second is the one to go.
        assert_eq!(shelf.get(1, || 0), 10);
        assert_eq!(shelf.get(4, || 40), 40);
        assert_eq!((shelf.get(1, || 0), shelf.get(3, || 0), shelf.get(4, || 0)), (10, 30, 40));
        assert_eq!(shelf.get(2, || 21), 21);
    }
}
