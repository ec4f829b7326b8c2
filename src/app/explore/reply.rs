//! The best reply to a move that stands on the board, and what the move is worth: by the rules, by exact results or by a search.

use crate::app::play::Search;
use qiju_core::search::{Limits, Value};
use qiju_core::study::best;
use qiju_core::table::{Action, PlayerHandle, SearchRequest, Table};

/// What follows a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The best reply; `None` if the game is over or nothing was found.
    pub action: Option<Action>,
    /// The value of the position after the move, for the side to move; `None` if nothing was found.
    pub value: Option<Value>,
}

/// Looks for replies. The player is kept from one position to the next.
#[derive(Default)]
pub struct ReplySearch {
    player: Option<PlayerHandle>,
    search: Option<(Search, Option<Value>, Option<Action>)>,
}

impl ReplySearch {
    /// Ends the search.
    pub fn stop(&mut self) {
        self.search = None;
    }

    /// The best reply in a position, once it is known. A search visits `nodes` positions at most.
    pub fn poll(&mut self, table: &dyn Table, nodes: u64) -> Option<Reply> {
        if let Some(outcome) = table.outcome() {
            return Some(Reply { action: None, value: Some(Value::of_outcome(outcome, table.turn())) });
        }
        let solved = table.capabilities().solution.and_then(|solution| solution.verdicts_now(table));
        if let Some((action, verdict)) = solved.and_then(|all| best(&all)) {
            return Some(Reply { action: Some(action), value: Some(Value::Exact(verdict)) });
        }
        let player = self.player.get_or_insert_with(|| PlayerHandle::new(table.player()));
        let (search, value, action) = self.search.get_or_insert_with(|| {
            let request = SearchRequest { limits: Limits::nodes(nodes), ..SearchRequest::default() };
            (Search::start(table, &request, player), None, None)
        });
        let ended = search.poll_all(|news| {
            if news.multipv <= 1 {
                *value = Some(news.value);
                *action = news.pv.first().copied().or(*action);
            }
        });
        let reply = Reply { action: *action, value: *value };
        ended.then(|| {
            self.search = None;
            reply
        })
    }
}
