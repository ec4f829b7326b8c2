//! The manners: what they like.

use super::engine::exchange;
use super::rules::attacks::Points;
use super::rules::board::{Board, Move, point};
use super::rules::piece::{Piece, Role};
use crate::rules::Side;
use crate::table::Manner;
use std::ops::RangeInclusive;

/// The manners in which a level can play.
pub(super) const MANNERS: [Manner<Board>; 4] = [
    Manner { key: "attacks", likes: |board, mv| board.gives_check(mv) || goes_over(board, mv) },
    Manner { key: "trades", likes: trades },
    Manner { key: "cannons", likes: has_central_cannon },
    Manner { key: "home", likes: |board, mv| !crosses(board, mv.to()) },
];

/// True if a point lies across the river for the side to move.
fn crosses(board: &Board, at: usize) -> bool {
    (point(at).y > 4) == (board.turn() == Side::First)
}

/// True if a piece goes across the river to a point on which the other side cannot capture.
fn goes_over(board: &Board, mv: Move) -> bool {
    crosses(board, mv.to()) && !crosses(board, mv.from()) && board.attackers(!board.turn(), mv.to()) == 0
}

/// The gain in an even exchange: less than half a soldier is lost or won.
const EVEN: RangeInclusive<i32> = -70..=70;

/// True if a chariot, horse or cannon is captured in an even exchange; or if one moves, and one of both sides could begin an even exchange with it.
fn trades(board: &Board, mv: Move) -> bool {
    let to = mv.to();
    let captured = board.at(to);
    if captured.or(board.at(mv.from())).is_none_or(|traded| !is_major(traded)) {
        return false;
    }
    if captured.is_some() {
        return EVEN.contains(&exchange::worth(board, mv));
    }
    let mut next = board.clone();
    next.apply(mv);
    let Some(piece) = next.at(to) else { return false };
    let gain = |from: usize, to: usize| exchange::worth(&next, Move::new(from, to));
    let lost = Points(next.attackers(!board.turn(), to)).map(|from| gain(from, to)).max();
    let targets = next.reach(piece, to) & next.side(!board.turn());
    lost.is_some_and(|lost| EVEN.contains(&lost)) || Points(targets).any(|target| EVEN.contains(&gain(to, target)))
}

/// True for a chariot, horse or cannon.
fn is_major(piece: Piece) -> bool {
    matches!(piece.role(), Role::Chariot | Role::Horse | Role::Cannon)
}

/// True if a cannon of the side to move stands on the middle file after its move.
fn has_central_cannon(board: &Board, mv: Move) -> bool {
    let cannons = board.of(board.turn(), Role::Cannon);
    Points(cannons).any(|at| point(if at == mv.from() { mv.to() } else { at }).x == 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manner, a position, the moves that are of it, and some that are not.
    const CASES: &[(&str, &str, &[&str], &[&str])] = &[
        // A check, and over the river; then along the other half, and to a point that a soldier attacks.
        ("attacks", "3k5/9/9/p8/9/9/2R6/9/9/4K4 w", &["c3d3", "c3c5", "c3c6"], &["c3c4", "c3b3"]),
        ("attacks", "3k5/9/9/p8/2R6/9/9/9/9/4K4 w", &["c5d5"], &["c5b5", "c5c7"]),
        ("attacks", "3k5/9/9/2p6/9/9/2R6/9/9/4K4 w", &["c3d3"], &["c3c5"]),
        // A horse for a cannon, and for a soldier; a soldier for a soldier; a chariot that may be exchanged, and one that may be taken.
        ("trades", "3k5/1n7/9/2c6/9/3N5/9/9/9/4K4 w", &["d4c6"], &["d4e6"]),
        ("trades", "3k5/1n7/9/2p6/9/3N5/9/9/9/4K4 w", &[], &["d4c6"]),
        ("trades", "3k5/1n7/9/2p6/2P6/9/9/9/9/4K4 w", &[], &["c5c6"]),
        ("trades", "1r1k5/9/9/9/9/9/9/9/R8/1R2K4 w", &["a1b1"], &["a1c1"]),
        ("trades", "1r1k5/9/9/9/9/9/9/9/R8/4K4 w", &[], &["a1b1"]),
    ];

    #[test]
    fn moves_are_of_a_manner_or_not() {
        for &(key, fen, of, not) in CASES {
            let board = Board::parse(fen).unwrap_or_else(|e| panic!("{fen}: {e:?}"));
            let at = |text: &[u8]| usize::from(text[1] - b'0') * 9 + usize::from(text[0] - b'a');
            let manner = MANNERS.iter().find(|manner| manner.key == key).unwrap();
            for (mv, expected) in of.iter().map(|mv| (mv, true)).chain(not.iter().map(|mv| (mv, false))) {
                let step = Move::new(at(&mv.as_bytes()[..2]), at(&mv.as_bytes()[2..]));
                assert_eq!((manner.likes)(&board, step), expected, "{key} {fen} {mv}");
            }
        }
    }
}
