//! What is kept of a repertoire.

use super::Repertoire;
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::rules::Side;
use crate::study::schedule::{self, Learnt, Rating};
use crate::table::Setup;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A repertoire in a file: its moves as a record in our own format, and when its positions are asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRepertoire {
    /// The game's key,
    pub game: String,
    /// how it begins,
    pub setup: Setup,
    /// and whose repertoire it is.
    pub side: Side,
    /// The record.
    record: String,
    /// What is known of each position, by its key.
    #[serde(default)]
    positions: BTreeMap<u64, Learnt>,
}

impl SavedRepertoire {
    /// A repertoire of which nothing was asked yet.
    pub fn new(repertoire: &Repertoire) -> SavedRepertoire {
        let (Record { game, setup, .. }, side) = (repertoire.record().clone(), repertoire.side());
        let mut saved = SavedRepertoire { game, setup, side, record: String::new(), positions: BTreeMap::new() };
        saved.put(repertoire);
        saved
    }

    /// Keeps these moves in place of its own. What is known of a position stays, as long as it has an answer.
    pub fn put(&mut self, repertoire: &Repertoire) {
        self.record = repertoire.record().to_line();
        let learnt = |key: &u64| (*key, self.positions.get(key).copied().unwrap_or_default());
        self.positions = repertoire.asked().iter().map(learnt).collect();
    }

    /// Its moves as they are kept.
    pub fn text(&self) -> &str {
        &self.record
    }

    /// Its moves.
    ///
    /// # Errors
    /// The record is damaged.
    pub fn record(&self) -> Result<Record, Message> {
        let records = Record::read_all("repertoire", &self.record).map_err(|error| Message::from(&error))?;
        records.into_iter().next().ok_or_else(|| message!("there is no record here"))
    }

    /// The repertoire.
    ///
    /// # Errors
    /// The record is damaged.
    pub fn read(&self) -> Result<Repertoire, Message> {
        Repertoire::new(&self.record()?, self.side)
    }

    /// The number of positions in which it has an answer.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if it has none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions that are due on a day, in the order in which they are asked.
    pub fn due(&self, today: i32) -> Vec<u64> {
        schedule::due(self.positions.iter().map(|(key, learnt)| (*key, *learnt)), today)
    }

    /// What is known of each position.
    pub fn learnt(&self) -> impl Iterator<Item = Learnt> + Clone {
        self.positions.values().copied()
    }

    /// Takes down what came of a position. Only one that was due counts.
    pub fn count(&mut self, key: u64, rating: Rating, today: i32) {
        if let Some(learnt) = self.positions.get_mut(&key) {
            learnt.count(rating, today);
        }
    }

    /// The same from a file, in which numbers may be anything.
    pub fn sane(mut self) -> SavedRepertoire {
        self.positions.values_mut().for_each(|learnt| *learnt = learnt.sane());
        self
    }
}
