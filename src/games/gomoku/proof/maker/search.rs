//! The search for the tree: at each position with the winner to move the engine names moves, and each of them has to hold against every reply.

use super::zone::zone;
use crate::games::gomoku::engine::engine::GomokuEngine;
use crate::games::gomoku::engine::values;
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::engine::vct::Vct;
use crate::games::gomoku::proof::key::{Key, Place, key, turned, turned_back};
use crate::games::gomoku::proof::work::{Known, Work};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::{History, Position, Side};
use crate::search::{Engine, Job, Limits, StopToken, Value};
use crate::table::EngineOptions;

/// Node budgets of a win that needs no answer in the tree: by fours, and by fours and threes.
const LEAF_FOURS: u64 = 300;
const LEAF_THREATS: u64 = 2_000;
/// The node budget of a win by threats whose moves are put into the tree.
const SETTLED: u64 = 200_000;
/// The first node budget of the engine for a move; it grows fourfold up to a limit.
const FIRST_NODES: u64 = 50_000;
/// The limit for effort 0, and its factor for each further effort.
const MOST_NODES: u64 = 800_000;
const MORE: u64 = 8;
/// Moves tried in one position for each effort.
const TRIES: usize = 3;
/// Answers to other replies that are tried first.
const SIBLINGS: usize = 3;

/// Finds answers on one thread.
pub struct Maker<'a> {
    work: &'a Work,
    stop: &'a StopToken,
    fours: Vcf,
    threats: Vct,
    engine: GomokuEngine,
    winner: Side,
}

/// The place of a spot.
pub fn place(spot: Spot, size: u8) -> Place {
    let point = spot.point();
    u16::from(point.y) * u16::from(size) + u16::from(point.x)
}

/// The spot of a place.
pub fn spot(place: Place, size: u8) -> Spot {
    Spot::new((place % u16::from(size)) as u8, (place / u16::from(size)) as u8)
}

/// The key of a position.
pub fn key_of(board: &Board) -> Key {
    let size = board.size();
    let stones = Side::BOTH.into_iter().flat_map(|side| board.stones(side).iter().map(move |spot| (place(spot, size), side)));
    key(stones, size)
}

/// Stopped before an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<'a> Maker<'a> {
    /// A maker that proves wins of `winner`.
    pub fn new(winner: Side, work: &'a Work, stop: &'a StopToken) -> Maker<'a> {
        let options = EngineOptions { hash_mb: 64, ..EngineOptions::default() };
        Maker { work, stop, fours: Vcf::new(18), threats: Vct::new(18), engine: GomokuEngine::new(&options), winner }
    }

    /// Whether the winner, who is to move, is proven to win with this effort.
    ///
    /// # Errors
    /// It was stopped.
    pub fn attack(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        if self.is_leaf(board) {
            return Ok(true);
        }
        self.answer(board, effort)
    }

    /// Adds an answer for a position that the walk could not prove without one.
    ///
    /// # Errors
    /// It was stopped.
    pub fn settle(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        let key = key_of(board);
        if let Some(Known::Won(_)) = self.work.known(key.hash) {
            return Ok(true);
        }
        let line = match self.fours.wins(board, SETTLED) {
            Some(_) => Some(self.fours.line(board, SETTLED)),
            None => self.threats.proves(board, &mut self.fours, SETTLED, &mut || self.stop.is_stopped()).map(|proof| proof.line),
        };
        match line.as_deref() {
            Some([first, ..]) => {
                let size = board.size();
                self.work.add(key.hash, Known::Won(turned(place(*first, size), key.symmetry, size)));
                Ok(true)
            }
            _ => self.answer(board, effort),
        }
    }

    /// The same for a position that is not won by plain threats.
    fn answer(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        if self.stop.is_stopped() {
            return Err(Stopped);
        }
        let blocks = *board.of_class(!self.winner, Class::Five);
        if let Some(block) = blocks.first() {
            return Ok(blocks.len() == 1 && self.holds(board, block, effort)?);
        }
        let size = board.size();
        let key = key_of(board);
        match self.work.known(key.hash) {
            Some(Known::Won(_)) => return Ok(true),
            Some(Known::Open(before)) if before >= effort => return Ok(false),
            _ => {}
        }
        let most = MOST_NODES * MORE.pow(u32::from(effort));
        let mut failed: Vec<Spot> = Vec::new();
        let mut nodes = FIRST_NODES;
        while failed.len() < TRIES {
            let Some((best, claimed)) = self.ask(board, nodes, &failed) else { break };
            if self.stop.is_stopped() {
                return Err(Stopped);
            }
            if !claimed && nodes < most {
                nodes = (nodes * 4).min(most);
                continue;
            }
            // Without a claim only the first few stones are worth a try.
            if !claimed && board.stone_count() > 2 * usize::from(effort) {
                break;
            }
            if self.holds(board, best, effort)? {
                self.work.add(key.hash, Known::Won(turned(place(best, size), key.symmetry, size)));
                return Ok(true);
            }
            failed.push(best);
        }
        self.work.add(key.hash, Known::Open(effort));
        Ok(false)
    }

    /// The engine's move, and whether it claims a win by it.
    fn ask(&mut self, board: &Board, nodes: u64, left_out: &[Spot]) -> Option<(Spot, bool)> {
        let mut claimed = false;
        let mut info = |info: crate::search::Info<Spot>| claimed = matches!(info.value, Value::Mate(moves) if moves > 0);
        let job = Job { limits: Limits::nodes(nodes), left_out: left_out.to_vec(), stop: self.stop.clone(), info: &mut info };
        let best = self.engine.think(&History::new(board.clone()), job)?;
        Some((best, claimed && !left_out.contains(&best)))
    }

    /// Whether the winner's move holds against every reply.
    fn holds(&mut self, board: &mut Board, spot: Spot, effort: u8) -> Result<bool, Stopped> {
        board.make(spot);
        let held = board.winner().is_some() || !board.empty().is_empty() && self.replies_fail(board, effort)?;
        board.unmake(spot, ());
        Ok(held)
    }

    fn replies_fail(&mut self, board: &mut Board, effort: u8) -> Result<bool, Stopped> {
        let Some((replies, _)) = self.replies(board) else { return Ok(false) };
        let mut dangerous = Vec::new();
        for reply in self.ordered(board, &replies) {
            if self.stop.is_stopped() {
                return Err(Stopped);
            }
            board.make(reply);
            let leaf = self.is_leaf(board);
            let known = if leaf { None } else { self.work.known(key_of(board).hash) };
            board.unmake(reply, ());
            match known {
                Some(Known::Open(before)) if before >= effort => return Ok(false),
                Some(Known::Won(_)) => {}
                _ if leaf => {}
                _ => dangerous.push(reply),
            }
        }
        let mut siblings = Vec::new();
        for reply in dangerous {
            board.make(reply);
            let won = self.answer_like(board, effort, &mut siblings);
            board.unmake(reply, ());
            if !won? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same as [`answer`](Maker::answer), but the answers to other replies are tried first. They are the moves in `siblings`, with the number of
    /// positions in which they won.
    fn answer_like(&mut self, board: &mut Board, effort: u8, siblings: &mut Vec<(u32, Spot)>) -> Result<bool, Stopped> {
        let size = board.size();
        let key = key_of(board);
        let free = board.count(!self.winner, Class::Five) == 0 && self.work.known(key.hash).is_none();
        siblings.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let tried = siblings.iter().map(|(_, spot)| *spot).filter(|spot| free && board.is_empty(*spot)).take(SIBLINGS);
        for spot in tried.collect::<Vec<_>>() {
            if self.holds_at_once(board, spot) {
                self.work.add(key.hash, Known::Won(turned(place(spot, size), key.symmetry, size)));
                break;
            }
        }
        let won = self.answer(board, effort)?;
        if let Some(Known::Won(kept)) = self.work.known(key.hash) {
            let answer = spot(turned_back(kept, key.symmetry, size), size);
            match siblings.iter_mut().find(|(_, known)| *known == answer) {
                Some((count, _)) => *count += 1,
                None => siblings.push((1, answer)),
            }
        }
        Ok(won)
    }

    /// Whether the winner's move threatens a win, and after every reply there is a win by plain threats or a known one.
    fn holds_at_once(&mut self, board: &mut Board, spot: Spot) -> bool {
        board.make(spot);
        let held = match self.replies(board) {
            Some((replies, true)) => self.ordered(board, &replies).into_iter().all(|reply| {
                board.make(reply);
                let won = self.is_leaf(board) || matches!(self.work.known(key_of(board).hash), Some(Known::Won(_)));
                board.unmake(reply, ());
                won
            }),
            _ => false,
        };
        board.unmake(spot, ());
        held
    }

    /// The replies to the winner's last move that may matter, and whether that move threatens a win; `None` if a reply makes five.
    fn replies(&mut self, board: &mut Board) -> Option<(Spots, bool)> {
        if board.count(board.side_to_move(), Class::Five) > 0 {
            return None;
        }
        let fives = *board.of_class(self.winner, Class::Five);
        match fives.len() {
            0 => {
                board.pass();
                let zone = zone(board, &mut self.fours, &mut self.threats);
                board.pass();
                let threatens = zone.is_some();
                let mut replies = zone.unwrap_or(*board.empty());
                replies.intersect(board.empty());
                Some((replies, threatens))
            }
            1 => Some((fives, true)),
            // One of two fives cannot be stopped.
            _ => Some((Spots::default(), true)),
        }
    }

    /// The replies, those first that do most for either side.
    fn ordered(&self, board: &Board, replies: &Spots) -> Vec<Spot> {
        let side = board.side_to_move();
        let danger = |spot| values::ordering_score(board, spot, side) + values::ordering_score(board, spot, !side);
        let mut list: Vec<(i32, Spot)> = replies.iter().map(|spot| (danger(spot), spot)).collect();
        list.sort_by_key(|(danger, _)| std::cmp::Reverse(*danger));
        list.into_iter().map(|(_, spot)| spot).collect()
    }

    /// Whether the winner, who is to move, wins by fours and threes within a small budget.
    fn is_leaf(&mut self, board: &mut Board) -> bool {
        self.fours.wins(board, LEAF_FOURS).is_some()
            || self.threats.proves(board, &mut self.fours, LEAF_THREATS, &mut || false).is_some()
    }
}
