//! A search for a move.

use super::{Computation, SentPlayer, SentTable};
use crate::message::Message;
use crate::search::StopToken;
use crate::table::{Action, Progress, SearchRequest};
use serde::{Deserialize, Serialize};

/// The search of a position by a player.
#[derive(Serialize, Deserialize)]
pub struct Think {
    /// Who searches.
    pub player: SentPlayer,
    /// The position and its past.
    pub table: SentTable,
    /// How to search.
    pub request: SearchRequest,
}

/// What a search tells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Thought {
    /// The engine is loaded and searches.
    Begun,
    /// A line of progress.
    Progress(Progress),
}

impl Computation for Think {
    const KEY: &'static str = "think";
    type News = Thought;
    /// A move, no move, or why there is none.
    type Answer = Result<Option<Action>, Message>;

    fn run(self, stop: &StopToken, tell: &mut dyn FnMut(Thought)) -> Self::Answer {
        let Some(mut player) = self.player.0.lock_unless(stop) else { return Ok(None) };
        player.prepare(&*self.table, &self.request)?;
        tell(Thought::Begun);
        let found = player.think(&*self.table, &self.request, stop, &mut |progress| tell(Thought::Progress(progress)));
        found.map_err(Message::from)
    }

    fn keeps(&self) -> Option<u64> {
        Some(self.player.0.number())
    }
}
