//! Winning tactics: positions in which one move wins decisively and all others clearly do not, by the engine's search.

use crate::games::xiangqi::engine::engine::XiangqiEngine;
use crate::games::xiangqi::engine::exchange;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::rules::{History, Position};
use crate::search::{Engine, Info, Job, Limits, StopToken};
use crate::table::EngineOptions;

/// A decisive value, in hundredths of a soldier: the right move has at least this one.
const WON: i32 = 350;
/// The best other move has at most this value.
const OTHER: i32 = 120;
/// The same limits in the check, which searches longer.
const CHECKED: (i32, i32) = (300, 160);
/// Nodes for a first look, for a puzzle, and for the check.
const NODES: [u64; 3] = [3_000, 100_000, 300_000];
/// At most so many moves are asked.
const MOST: usize = 4;
/// A capture that wins at least this much is seen at once and makes no puzzle.
const PLAIN: i32 = 200;
/// Plies shown after the last move that is asked.
const SHOWN: usize = 4;

/// The search.
pub struct Tactics(XiangqiEngine);

/// A line and its value for the side to move.
type Line = (Vec<Move>, i32);

impl Tactics {
    /// A search with an empty table.
    pub fn new() -> Tactics {
        Tactics(XiangqiEngine::new(&EngineOptions { hash_mb: 4, ..EngineOptions::default() }))
    }

    /// The best lines of a position.
    fn lines(&mut self, board: &Board, count: usize, nodes: u64, left_out: Vec<Move>) -> Vec<Line> {
        self.0.forget();
        let mut lines = vec![None; count];
        let mut info = |info: Info<Move>| {
            if let Some(line) = lines.get_mut(usize::from(info.multipv) - 1) {
                *line = Some((info.pv, info.value.units()));
            }
        };
        let job = Job { multipv: count, left_out, ..Job::new(Limits::nodes(nodes), StopToken::new(), &mut info) };
        self.0.think(&History::new(board.clone()), job);
        lines.into_iter().flatten().collect()
    }

    /// The best line, if its move wins and no other does.
    fn only(&mut self, board: &Board, nodes: u64) -> Option<Vec<Move>> {
        let lines = self.lines(board, 2, nodes, Vec::new());
        let [(best, value), (_, other)] = &lines[..] else { return None };
        (*value >= WON && *other <= OTHER).then(|| best.clone())
    }

    /// The line of a puzzle and the number of moves asked.
    pub fn find(&mut self, board: &Board) -> Option<(Vec<Move>, usize)> {
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        if legal.len() < 4 {
            return None;
        }
        let seen = *self.only(board, NODES[0])?.first()?;
        let mut best = self.only(board, NODES[1])?;
        let first = *best.first()?;
        if first != seen && exchange::worth(board, seen) >= PLAIN || exchange::worth(board, first) >= PLAIN {
            return None;
        }
        let mut board = board.clone();
        let (mut line, mut asked) = (Vec::new(), 0);
        loop {
            let mv = *best.first()?;
            line.push(mv);
            board.apply(mv);
            asked += 1;
            let answer = self.lines(&board, 1, NODES[1], Vec::new()).pop().and_then(|(line, _)| Some((*line.first()?, line)));
            let Some((answer, rest)) = answer else { break };
            let mut next = board.clone();
            next.apply(answer);
            let only = if asked < MOST { self.only(&next, NODES[1]) } else { None };
            let Some(only) = only else {
                line.extend(rest.into_iter().take(SHOWN));
                break;
            };
            line.push(answer);
            board = next;
            best = only;
        }
        Some((line, asked))
    }

    /// Checks with a longer search that at each move asked the right one wins and the others do not.
    pub fn check(&mut self, board: &Board, line: &[Move], asked: usize) -> Result<(), String> {
        if !(1..=MOST).contains(&asked) || line.len() < 2 * asked - 1 {
            return Err(format!("{} plies do not have {asked} moves to find", line.len()));
        }
        let mut board = board.clone();
        for (ply, &mv) in line.iter().enumerate().take(2 * asked - 1) {
            if ply % 2 == 0 {
                let other = self.lines(&board, 1, NODES[2], vec![mv]).pop().map_or(i32::MIN, |(_, value)| value);
                if other > CHECKED.1 {
                    return Err(format!("another move at ply {} has the value {other}", ply + 1));
                }
                let mut next = board.clone();
                next.apply(mv);
                let value = self.lines(&next, 1, NODES[2], Vec::new()).pop().map_or(i32::MAX, |(_, value)| -value);
                if value < CHECKED.0 {
                    return Err(format!("the move at ply {} has only the value {value}", ply + 1));
                }
            }
            board.apply(mv);
        }
        Ok(())
    }
}
