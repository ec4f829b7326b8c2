//! A search in the background, which stops when it is dropped.

use crate::app::ground::background::{Place, Running, WakeHandle};
use qiju_core::compute::{SentPlayer, SentTable, Think, Thought};
use qiju_core::message::Message;
use qiju_core::table::{Action, PlayerHandle, Progress, SearchRequest, Table};

/// The result of a search: a move, no move, or an error.
type Answer = Result<Option<Action>, Message>;

/// A running search. Dropping it stops the search.
pub struct Search {
    running: Running<Think>,
    begun: bool,
}

/// The output of a running search since the last call.
pub struct News {
    /// The last progress line since the last call, if any.
    pub news: Option<Progress>,
    /// The answer, if it is ready: `Some(Ok(None))` if there is no move.
    pub answer: Option<Answer>,
}

impl Search {
    /// Starts a search of a position by this player: our engine or an external program. Whoever waits for it looks regularly; its news do not wake
    /// the window.
    pub fn start(table: &dyn Table, request: &SearchRequest, player: &PlayerHandle) -> Search {
        let think = Think { player: SentPlayer(player.clone()), table: SentTable::of(table), request: request.clone() };
        Search { running: Running::start(Place::Search, WakeHandle::default(), think), begun: false }
    }

    /// True when the engine is loaded and searches.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// All progress lines since the last call.
    pub fn news(&mut self) -> Vec<Progress> {
        let told = self.running.news().into_iter();
        told.filter_map(|thought| match thought {
            Thought::Begun => {
                self.begun = true;
                None
            }
            Thought::Progress(progress) => Some(progress),
        })
        .collect()
    }

    /// Hears every line of progress since the last look; true once the search has ended and everything was heard.
    pub fn poll_all(&mut self, mut hear: impl FnMut(Progress)) -> bool {
        // The answer comes after the last line.
        let ended = self.running.poll().is_some();
        self.news().into_iter().for_each(&mut hear);
        ended
    }

    /// Checks for output without waiting.
    pub fn poll(&mut self) -> News {
        let answer = self.running.poll();
        News { news: self.news().pop(), answer }
    }
}
