//! Manners: what an opponent likes to do where it costs next to nothing.
//!
//! A level searches as always. If its move is not of the manner, it searches once more, just as deep, among the moves that are; the best of these is
//! played if its winning chance is hardly lower. So a manner never plays what its level sees to lose, and a won or lost game is played out as the level does.

use super::{Chance, Curve};
use crate::rules::{History, Position};
use crate::search::{Engine, Info, Job, Known, Limits, StopToken};
use std::time::Duration;

/// A manner of a game. Its name, its portrait and its margin are in the game's sheet.
pub struct Manner<P: Position> {
    /// Its key.
    pub key: &'static str,
    /// True if a legal move is of this manner.
    pub likes: fn(&P, P::Move) -> bool,
}

/// The part of the time for a move that is left for the search among the moves of a manner.
const LEFT: u32 = 4;

impl<P: Position> Manner<P> {
    /// The limits of the level's own search, which leave time for the second one.
    pub(super) fn before(limits: &Limits) -> Limits {
        Limits { time: limits.time.map(|time| time - time / LEFT), ..limits.clone() }
    }

    /// The limits of the second search, under the same limits of the move, after the first one has reached this depth in this time.
    fn after(limits: &Limits, depth: u16, spent: Duration) -> Limits {
        let time = match limits.clock {
            None => limits.time.map(|time| time / LEFT),
            Some(_) => Some(spent / (LEFT - 1)),
        };
        Limits { depth: Some(depth), nodes: limits.nodes, time, ..Limits::default() }
    }

    /// The report on the move that is played in place of `own`, the best move of the level's own search and its report; `None` if that is played.
    /// The winning chance falls by the margin at most.
    pub(super) fn instead(
        &self,
        (mv, own): (P::Move, &Info<P::Move>),
        root: &History<P>,
        engine: &mut dyn Engine<P>,
        (limits, curve, margin): (&Limits, Curve, Chance),
        (left_out, stop): (&[P::Move], &StopToken),
    ) -> Option<Info<P::Move>> {
        let position = root.current();
        if (self.likes)(position, mv) || matches!(own.value.known(), Some(Known::Win | Known::Loss)) {
            return None;
        }
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let repeats = |mv: P::Move| {
            let mut next = position.clone();
            next.make(mv);
            root.keys().any(|key| key == next.key())
        };
        let suits = |&mv: &P::Move| (self.likes)(position, mv) && !left_out.contains(&mv) && !repeats(mv);
        let others: Vec<P::Move> = legal.iter().copied().filter(|mv| !suits(mv)).collect();
        if others.len() == legal.len() {
            return None;
        }
        let mut found = None;
        let mut hear = |info: Info<P::Move>| found = Some(info);
        let job = Job { left_out: others, ..Job::new(Self::after(limits, own.depth, own.time), stop.clone(), &mut hear) };
        let mv = engine.think(root, job)?;
        let found = found.filter(|info| info.pv.first() == Some(&mv) && info.depth >= own.depth && suits(&mv))?;
        let [before, after] = [own.value, found.value].map(|value| curve.chance(value).0);
        let near = after.saturating_add(margin.0) >= before && found.value.known() != Some(Known::Loss);
        (near && !stop.is_stopped()).then_some(found)
    }
}
