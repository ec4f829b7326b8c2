//! The game's own engine as an adviser: which move of the winner to try first.

use qiju_core::games::gomoku::engine::engine::GomokuEngine;
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::History;
use qiju_core::search::{Engine, Info, Job, Limits, StopToken, Value};
use qiju_core::table::EngineOptions;

/// The size of the engine's transposition table in MiB.
const TABLE_MB: usize = 256;

/// The nodes of the first question in a position with up to four stones; an eighth of that with six, and so on, down to the least.
const NODES_OF_FOUR: u64 = 64_000_000;
const LEAST: u64 = 60_000;
/// The nodes of any question at most: more would take hours.
const MOST: u64 = 100_000_000;
/// After this number of visits without a proof the engine is asked again, with eight times the nodes, and after each eightfold number.
const AGAIN: u32 = 16;
/// The most questions in one position.
const QUESTIONS: u32 = 8;
/// When the engine has seen a win, it goes on until it has searched so many times the nodes: the next wins that it sees are shorter, and easier to prove.
const ON: u64 = 3;

/// The nodes of a question in a position with so many stones that was asked so often before.
pub fn nodes(stones: usize, asked: u32) -> u64 {
    let first = (NODES_OF_FOUR >> (3 * stones.saturating_sub(4) / 2).min(32)).max(LEAST);
    (first << (3 * asked)).min(MOST)
}

/// Whether the engine is asked at this visit.
pub fn is_due(visits: u32, asked: u32) -> bool {
    asked == 0 || asked < QUESTIONS && visits >= AGAIN << (3 * asked - 3)
}

/// What the engine says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Its move.
    pub spot: Spot,
    /// Whether it says that the move wins soon enough. This is no proof: the engine leaves out moves of the defender.
    pub wins: bool,
}

/// The engine and its tables.
pub struct Adviser(GomokuEngine);

impl Adviser {
    /// An adviser with empty tables.
    pub fn new() -> Adviser {
        Adviser(GomokuEngine::new(&EngineOptions { hash_mb: TABLE_MB, ..EngineOptions::default() }))
    }

    /// The engine's move with this number of nodes. The search ends some time after the first win of `left` moves at most that it sees, or when the token is raised.
    pub fn ask(&mut self, board: &Board, nodes: u64, left: u16, stop: &StopToken) -> Option<Advice> {
        let all = stop.clone();
        let ends = StopToken::looking(move || all.is_stopped());
        let mut wins = false;
        let mut until = None;
        let mut info = |info: Info<Spot>| {
            wins = matches!(info.value, Value::Mate(moves) if moves > 0 && moves <= i32::from(left));
            if wins && info.nodes >= *until.get_or_insert(info.nodes * ON) {
                ends.stop();
            }
        };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let job = Job::new(limits, ends.clone(), &mut info);
        let spot = self.0.think(&History::new(board.clone()), job)?;
        Some(Advice { spot, wins })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games::gomoku::rules::notation::read_moves;
    use qiju_core::games::gomoku::rules::rule::Rule;

    #[test]
    fn the_engine_is_asked_with_fewer_nodes_where_more_stones_are() {
        assert_eq!([2, 4, 6, 8, 60].map(|stones| nodes(stones, 0)), [64_000_000, 64_000_000, 8_000_000, 1_000_000, 60_000]);
        assert_eq!([nodes(6, 1), nodes(2, 1), nodes(2, 7)], [64_000_000, 100_000_000, 100_000_000]);
        assert!(is_due(1, 0) && !is_due(15, 1) && is_due(16, 1) && !is_due(127, 2) && is_due(128, 2));
    }

    #[test]
    fn the_engine_sees_a_win_and_none() {
        let board = |moves: &str| read_moves(Rule::Freestyle, 15, moves).unwrap().current().clone();
        let ask = |moves: &str, nodes| Adviser::new().ask(&board(moves), nodes, u16::MAX, &StopToken::new()).unwrap();
        // Black makes an open four out of an open three.
        let advice = ask("h8a1i8a2j8a3", 1_000);
        assert!(advice.wins && ["g8", "k8"].contains(&advice.spot.to_string().as_str()), "{advice:?}");
        assert!(!ask("h8i9", 1_000).wins);
    }
}
