//! The positions of the search.

use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::spot::{Spot, Spots};

/// The number of a position that is lost for the winner, as far as the search looks.
pub const INFINITE: u32 = 100_000_000;
/// So many replies count as one before any of them was looked at.
const SHARE: u32 = 12;

/// A position of the search.
pub struct Node {
    /// How much is left to prove: 0 if it is won for the winner.
    pub proof: u32,
    /// The moves that are searched.
    pub choices: Vec<Choice>,
    /// How often it was searched.
    pub visits: u32,
    /// How often the engine was asked for a move.
    pub asked: u32,
    /// With the defender to move: how often a win after a pass was searched in vain.
    pub pending: u32,
    /// Added to the number of the position, since the engine saw no win.
    pub doubt: u32,
    /// How often it was searched for threats.
    pub looks: u32,
    /// The zone of a win by threats.
    pub zone: Option<Spots>,
    /// With the defender to move: the replies, as long as none of them was looked at.
    pub replies: Option<Spots>,
    /// With the winner to move: what the move looked at first had left to prove.
    pub first: u32,
}

/// A move of a position.
#[derive(Clone, Copy)]
pub struct Choice {
    /// The move.
    pub spot: Spot,
    /// The key of the position after it.
    pub key: u64,
    /// How many moves seem better.
    pub rank: u32,
    /// Added to the number of the position after it.
    pub handicap: u32,
}

impl Node {
    /// A position with these moves.
    pub fn of(proof: u32, choices: Vec<Choice>) -> Node {
        Node { proof, choices, visits: 0, asked: 0, pending: 0, doubt: 0, looks: 1, zone: None, replies: None, first: 0 }
    }

    /// A position with the defender to move, which has these replies.
    pub fn against(board: &Board, mut replies: Spots) -> Node {
        replies.intersect(board.empty());
        Node { replies: Some(replies), ..Node::of(1 + replies.len() as u32 / SHARE, Vec::new()) }
    }
}
