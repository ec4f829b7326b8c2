//! Watching a simple searcher at work: it reports every node that it opens and closes.

use super::Score;
use serde::{Deserialize, Serialize};

/// How the search of a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeEnd {
    /// The depth was used up: the node has its static evaluation.
    Leaf,
    /// The game is over here.
    GameOver,
    /// All moves were searched.
    Searched,
    /// One move was good enough: the opponent avoids this node, so the remaining moves (their number) were not searched.
    CutOff(usize),
    /// The transposition table knew the position.
    Table,
}

/// Is told what a searcher does, in the order in which it does it. Between the opening and the closing of a node come its moves.
///
/// Minimax reports all scores from the view of the side to move at the root; the other searchers report them from the view of the side to
/// move at the node.
pub trait Observer<M> {
    /// A move leads to a new node, which is now searched; `None` at the root. The window is what alpha-beta still asks for.
    fn open(&mut self, _mv: Option<M>, _window: Option<(Score, Score)>) {}

    /// A move of the open node gave it this new best score.
    fn improve(&mut self, _score: Score) {}

    /// The open node is finished with this score.
    fn close(&mut self, _score: Score, _end: NodeEnd) {}
}

/// Nobody watches.
impl<M> Observer<M> for () {}
