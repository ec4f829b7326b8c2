//! Threats: what must be answered, and by which points.

use super::board::{Board, STEPS, Spot, Spots};
use super::lines::Pattern;
use super::worth::Class;
use crate::rules::{Position, Side};

/// The only points worth a look if there is a five to make or to stop, an open four to make, or one to stop (with the own fours
/// that put it off); `None` if the side to move is free. Forbidden points are not taken out.
pub fn forced(board: &Board) -> Option<Spots> {
    let (own, other) = (board.side_to_move(), !board.side_to_move());
    if board.count(own, Class::Five) > 0 {
        return Some(*board.of_class(own, Class::Five));
    }
    if board.count(other, Class::Five) > 0 {
        return Some(*board.of_class(other, Class::Five));
    }
    if board.count(own, Class::OpenFour) > 0 {
        return Some(*board.of_class(own, Class::OpenFour));
    }
    if board.count(other, Class::OpenFour) > 0 {
        return Some(against_open_four(board, own));
    }
    None
}

/// The points that may stop every open four `side`'s enemy can make, and the side's own fours.
pub fn against_open_four(board: &Board, side: Side) -> Spots {
    let mut defences = *board.empty();
    for spot in board.of_class(!side, Class::OpenFour).iter() {
        defences.intersect(&spoilers(board, spot, !side));
    }
    defences.unite(&fours(board, side));
    defences
}

/// The points where a side makes a four (or more).
pub fn fours(board: &Board, side: Side) -> Spots {
    board.at_least(side, Class::Four)
}

/// The points where a stone of the other side can take away the fours that `side` would make on `spot`: the spot itself
/// and the empty points of those lines.
pub fn spoilers(board: &Board, spot: Spot, side: Side) -> Spots {
    let mut spots = Spots::default();
    spots.insert(spot);
    for (direction, step) in STEPS.into_iter().enumerate() {
        if board.pattern(spot, side, direction) < Pattern::Four {
            continue;
        }
        let (back, ahead) = board.reach(spot, direction);
        for distance in 1..=ahead {
            let other = Spot::from_index(spot.index() + step * distance);
            if board.at(other) == Some(!side) {
                break;
            }
            if board.is_empty(other) {
                spots.insert(other);
            }
        }
        for distance in 1..=back {
            let other = Spot::from_index(spot.index() - step * distance);
            if board.at(other) == Some(!side) {
                break;
            }
            if board.is_empty(other) {
                spots.insert(other);
            }
        }
    }
    spots
}
