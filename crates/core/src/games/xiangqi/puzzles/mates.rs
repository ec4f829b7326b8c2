//! The search for mates: by continuous checks, which is quick and deep, and by all moves, to exclude other solutions.

use super::LONGEST;
use crate::games::xiangqi::engine::engine::XiangqiEngine;
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::rules::key_table::KeyTable;
use crate::rules::{History, Position};
use crate::search::{Engine, Job, Limits, StopToken, Value};
use crate::table::EngineOptions;

/// Positions visited by the search for checks: to find a mate in any position, and to check one.
pub const CHECKS: [u64; 2] = [4_000, 60_000];
/// Positions visited by the search of all moves.
const ALL: u64 = 3_000_000;
/// Other mates of at most so many moves are excluded by the search of all moves, longer ones by the engine.
const EXHAUSTIVE: usize = 3;
/// Nodes of the engine's search.
const NODES: u64 = 300_000;

/// What is known of a position with the attacker to move: it mates within the first number of moves, and not within the second.
#[derive(Clone, Copy)]
struct Known {
    mates: u8,
    not: u8,
}

/// The searcher.
#[derive(Default)]
pub struct Mates {
    /// Results with checks only, and with all moves.
    known: [KeyTable<Known>; 2],
    left: u64,
    engine: Option<XiangqiEngine>,
}

/// The budget is used up.
struct Exhausted;

impl Mates {
    fn begin(&mut self, budget: u64) {
        self.known.iter_mut().for_each(KeyTable::clear);
        self.left = budget;
    }

    /// The moves of the shortest mate by continuous checks, if one of at most [`LONGEST`] moves is found within this number of positions.
    pub fn shortest(&mut self, board: &mut Board, budget: u64) -> Option<usize> {
        self.begin(budget);
        self.distance(board, LONGEST)
    }

    fn distance(&mut self, board: &mut Board, longest: usize) -> Option<usize> {
        (1..=longest).find_map(|moves| match self.attack(board, moves, false) {
            Ok(true) => Some(Some(moves)),
            Ok(false) => None,
            Err(Exhausted) => Some(None),
        })?
    }

    /// Whether the side to move mates within this number of moves: by checks alone, or by any moves.
    fn attack(&mut self, board: &mut Board, moves: usize, all: bool) -> Result<bool, Exhausted> {
        let key = board.hash();
        if let Some(known) = self.known[usize::from(all)].get(&key) {
            if usize::from(known.mates) <= moves {
                return Ok(true);
            }
            if usize::from(known.not) >= moves {
                return Ok(false);
            }
        }
        self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
        let mut legal = Vec::with_capacity(64);
        board.legal_moves(&mut legal);
        let mut mates = false;
        // Checks first.
        'search: for checks in [true, false] {
            if !checks && !all {
                break;
            }
            for &mv in &legal {
                let undo = board.apply(mv);
                let found = if board.in_check(board.turn()) == checks { self.defend(board, moves, all) } else { Ok(false) };
                board.revert(mv, undo);
                if found? {
                    mates = true;
                    break 'search;
                }
            }
        }
        let known = self.known[usize::from(all)].entry(key).or_insert(Known { mates: u8::MAX, not: 0 });
        if mates {
            known.mates = known.mates.min(moves as u8);
        } else {
            known.not = known.not.max(moves as u8);
        }
        Ok(mates)
    }

    /// Whether the side to move cannot avoid mate within this number of the attacker's moves, the one just made included. A side without a
    /// move has lost, in check or not.
    fn defend(&mut self, board: &mut Board, moves: usize, all: bool) -> Result<bool, Exhausted> {
        if moves == 1 {
            return Ok(!board.can_move());
        }
        let mut legal = Vec::with_capacity(64);
        board.legal_moves(&mut legal);
        for mv in legal {
            let undo = board.apply(mv);
            let mates = self.attack(board, moves - 1, all);
            board.revert(mv, undo);
            if !mates? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The moves that mate within this number of moves. If there is only one by checks, all other moves are searched too. `None` if that
    /// takes too long.
    pub fn only(&mut self, board: &mut Board, moves: usize, at_root: bool) -> Option<Vec<Move>> {
        self.begin(ALL);
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let mut right = Vec::new();
        for &mv in &legal {
            let undo = board.apply(mv);
            let mates = if board.in_check(board.turn()) { self.defend(board, moves, false) } else { Ok(false) };
            board.revert(mv, undo);
            if mates.ok()? {
                right.push(mv);
            }
        }
        let &[only] = &right[..] else { return Some(right) };
        if moves == 1 && !at_root {
            return Some(right);
        }
        if moves <= EXHAUSTIVE {
            for &mv in legal.iter().filter(|mv| **mv != only) {
                let undo = board.apply(mv);
                let mates = self.defend(board, moves, true);
                board.revert(mv, undo);
                if mates.ok()? {
                    right.push(mv);
                }
            }
        } else if let Some((mv, mate)) = self.other(board, only)
            && mate as usize <= moves
        {
            right.push(mv);
        }
        Some(right)
    }

    /// The engine's best other move, if it mates, with the number of moves.
    fn other(&mut self, board: &Board, only: Move) -> Option<(Move, u32)> {
        let options = EngineOptions { hash_mb: 4, ..EngineOptions::default() };
        let engine = self.engine.get_or_insert_with(|| XiangqiEngine::new(&options));
        engine.forget();
        let mut value = None;
        let mut info = |info: crate::search::Info<Move>| value = Some(info.value);
        let job = Job { left_out: vec![only], ..Job::new(Limits::nodes(NODES), StopToken::new(), &mut info) };
        let mv = engine.think(&History::new(board.clone()), job)?;
        match value? {
            Value::Mate(moves @ 1..) => Some((mv, moves as u32)),
            _ => None,
        }
    }

    /// The answers after which mate takes longest, if mate is in `moves` moves, the one just made included.
    pub fn longest_answers(&mut self, board: &mut Board, moves: usize) -> Vec<Move> {
        self.begin(ALL);
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let mut longest = (0, Vec::new());
        for mv in legal {
            let undo = board.apply(mv);
            let distance = self.distance(board, moves - 1).unwrap_or(0);
            board.revert(mv, undo);
            match distance.cmp(&longest.0) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => longest.1.push(mv),
                std::cmp::Ordering::Greater => longest = (distance, vec![mv]),
            }
        }
        longest.1
    }

    /// The line of a mate with one solution against a longest defence, if there is one.
    pub fn line(&mut self, board: &mut Board, moves: usize) -> Option<Vec<Move>> {
        self.rest(board, moves, true)
    }

    fn rest(&mut self, board: &mut Board, moves: usize, at_root: bool) -> Option<Vec<Move>> {
        let right = self.only(board, moves, at_root)?;
        let first = *right.first()?;
        if right.len() > 1 && (moves > 1 || at_root) {
            return None;
        }
        let undo = board.apply(first);
        let rest = if moves == 1 {
            Some(Vec::new())
        } else {
            self.longest_answers(board, moves).into_iter().find_map(|answer| {
                let undo = board.apply(answer);
                let rest = self.rest(board, moves - 1, false);
                board.revert(answer, undo);
                let mut line = vec![answer];
                line.extend(rest?);
                (line.len() == 2 * moves - 2).then_some(line)
            })
        };
        board.revert(first, undo);
        let mut line = vec![first];
        line.extend(rest?);
        Some(line)
    }
}
