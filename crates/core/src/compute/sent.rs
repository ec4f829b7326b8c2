//! Tables and players in messages. In this process they are handed over as they are.

use super::kept;
use crate::games;
use crate::message::Message;
use crate::table::{Action, OtherSide, PlayerHandle, Setup, Table};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Deref;

/// A table to compute with. As a message it is its game, its setup and its moves; moves that were taken back stay behind.
pub struct SentTable(Box<dyn Table>);

impl SentTable {
    /// A copy of this table.
    pub fn of(table: &dyn Table) -> SentTable {
        SentTable(table.boxed_clone())
    }

    /// The table.
    pub fn into_inner(self) -> Box<dyn Table> {
        self.0
    }
}

impl Clone for SentTable {
    fn clone(&self) -> Self {
        SentTable::of(&*self.0)
    }
}

impl Deref for SentTable {
    type Target = dyn Table;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// A table as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    game: String,
    setup: Setup,
    still: bool,
    adjudicates: bool,
    actions: Vec<Action>,
}

impl Written {
    fn table(&self) -> Result<Box<dyn Table>, Message> {
        let entry = games::find(&self.game)?;
        let other = if self.still { OtherSide::Skips } else { OtherSide::Plays };
        let mut table = match other {
            OtherSide::Skips => entry.task_table(&self.setup, other),
            OtherSide::Waits | OtherSide::Follows | OtherSide::Plays => entry.table(&self.setup),
        }?;
        table.adjudicate(false);
        // The position of a setup may list moves, which are then among the actions.
        while table.undo().is_some() {}
        for action in &self.actions {
            table.play(*action)?;
        }
        table.adjudicate(self.adjudicates);
        Ok(table)
    }
}

impl Serialize for SentTable {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let table = &*self.0;
        Written {
            game: table.game().to_owned(),
            setup: table.setup().clone(),
            still: table.is_still(),
            adjudicates: table.adjudicates(),
            actions: table.played(),
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for SentTable {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SentTable, D::Error> {
        Written::deserialize(from)?.table().map(SentTable).map_err(D::Error::custom)
    }
}

/// A player to search with. As a message it is its number: the side that answers keeps players of our own engines by number. Other programs
/// cannot be sent.
#[derive(Clone, Debug)]
pub struct SentPlayer(pub PlayerHandle);

impl Serialize for SentPlayer {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.number().serialize(to)
    }
}

impl<'de> Deserialize<'de> for SentPlayer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SentPlayer, D::Error> {
        u64::deserialize(from).map(|number| SentPlayer(kept::player(number)))
    }
}
