//! Exercises: won positions of a class, so many plies from the end.

use super::board::{Bits, Board, Kind};
use super::oracle::Oracle;
use crate::rules::Side;
use crate::search::{Known, StopToken};
use crate::table::Exercise;

/// Positions tried before an exercise is given up: enough to meet one in ten thousand.
const TRIES: u32 = 60_000;

/// A position of the wanted class, White to move and win in the wanted number of plies; `None` if none was met, or if the distances of the class are not
/// at hand.
pub fn find(wanted: &Exercise) -> Option<String> {
    let kind = Kind::from_key(&wanted.variant)?;
    let (own, other) = (usize::from(wanted.own), usize::from(wanted.other));
    let most = kind.stones() as usize;
    if !(2..=most).contains(&own) || !(2..=most).contains(&other) {
        return None;
    }
    let oracle = Oracle::of(kind);
    oracle.wait(&StopToken::new());
    let mut random = fastrand::Rng::with_seed(wanted.seed);
    let mut points: Vec<u32> = (0..u32::from(kind.size()).pow(2)).collect();
    for _ in 0..TRIES {
        random.shuffle(&mut points);
        let set = |points: &[u32]| points.iter().fold(0, |set: Bits, point| set | 1 << point);
        let (white, black) = (set(&points[..own]), set(&points[own..own + other]));
        let verdict = oracle.verdict(white, black);
        if verdict.known == Known::Win && wanted.plies.contains(&verdict.plies?) {
            return Some(Board::new(kind, [white, black], Side::First).text());
        }
        if verdict.known != Known::Draw && verdict.plies.is_none() {
            return None;
        }
    }
    None
}
