//! Threats and the points that answer them.

use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::lines::Pattern;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::{STEPS, Spot, Spots};
use crate::rules::{Position, Side};

/// The only sensible points if there is a five to make or to stop, an open four to make, or one to stop (including the mover's own fours,
/// which delay it); `None` without such a threat. Points forbidden to black in renju are excluded, so the set is
/// empty if no legal move helps.
pub fn forced(board: &Board) -> Option<Spots> {
    let (own, other) = (board.side_to_move(), !board.side_to_move());
    if board.has(own, Class::Five) {
        return Some(board.of_class(own, Class::Five));
    }
    let mut spots = if board.has(other, Class::Five) {
        against_five(board, own)
    } else if let Some(spot) = open_four(board, own) {
        let mut one = Spots::default();
        one.insert(spot);
        one
    } else if open_four(board, other).is_some() {
        against_open_four(board, own)
    } else {
        return None;
    };
    keep_legal(board, &mut spots);
    Some(spots)
}

/// A point where `side` may make an open four (or two fours).
#[inline]
pub fn open_four(board: &Board, side: Side) -> Option<Spot> {
    if !board.has(side, Class::OpenFour) {
        return None;
    }
    board.of_class(side, Class::OpenFour).iter().find(|&spot| board.may_play(spot, side))
}

/// Removes the points that are forbidden to the side to move.
pub fn keep_legal(board: &Board, spots: &mut Spots) {
    if board.rule() == Rule::Renju && board.side_to_move() == Side::First {
        for spot in spots.iter() {
            if board.forbidden(spot).is_some() {
                spots.remove(spot);
            }
        }
    }
}

/// The points that stop every five of `side`'s opponent; some may be forbidden to `side`. Usually this is one
/// point or none. In rules where a five needs an open end, the ends of the row stop it too.
#[inline]
pub fn against_five(board: &Board, side: Side) -> Spots {
    let fives = board.of_class(!side, Class::Five);
    if !matches!(board.rule(), Rule::Caro | Rule::CaroLong) {
        return if board.count(!side, Class::Five) == 1 { fives } else { Spots::default() };
    }
    let mut stops = *board.empty();
    for five in fives.iter() {
        stops.intersect(&stopping_points(board, five, !side, Pattern::Five));
    }
    stops
}

/// A move for a side that cannot avoid the loss: on a point where the opponent makes five if that is legal, else any legal move. `None` if it has no move.
pub fn last_answer(board: &Board) -> Option<Spot> {
    let side = board.side_to_move();
    let fives = board.of_class(!side, Class::Five);
    against_five(board, side).iter().chain(fives.iter()).chain(board.empty().iter()).find(|&spot| board.may_play(spot, side))
}

/// The points that may stop every open four of `side`'s opponent, and `side`'s own fours.
pub fn against_open_four(board: &Board, side: Side) -> Spots {
    let mut defences = stops_of_open_fours(board, side);
    defences.unite(&fours(board, side));
    defences
}

/// The points that may stop every open four of `side`'s opponent.
pub fn stops_of_open_fours(board: &Board, side: Side) -> Spots {
    let mut stops = *board.empty();
    for spot in board.of_class(!side, Class::OpenFour).iter() {
        if board.may_play(spot, !side) {
            stops.intersect(&stopping_points(board, spot, !side, Pattern::Four));
        }
    }
    stops
}

/// A move that wins by force within five plies, known without a search: a four with an open three, or two open threes, while the opponent can make no four
/// (nor stop one by a five). Its one answer leaves an open four. It is for a side to move that can make no five or open four itself, against an opponent
/// that can make neither. Black's threes in renju may lead to forbidden points, so for black nothing is known.
pub fn certain_win(board: &Board, side: Side) -> Option<Spot> {
    let fours = [Class::Four, Class::FourPlus, Class::FourThree, Class::OpenFour];
    let black = board.rule() == Rule::Renju && side == Side::First;
    if black || fours.iter().any(|&class| board.has(!side, class)) {
        return None;
    }
    let strongest = [Class::FourThree, Class::DoubleThree];
    strongest.iter().find_map(|&class| if board.has(side, class) { board.of_class(side, class).first() } else { None })
}

/// The points that may stop every four with an open three of `side`'s opponent, and `side`'s own fours, as far as they are legal. `None` if there is no such
/// threat, or no such point.
pub fn against_four_three(board: &Board, side: Side) -> Option<Spots> {
    if !board.has(!side, Class::FourThree) {
        return None;
    }
    let mut stops = *board.empty();
    let mut found = false;
    for spot in board.of_class(!side, Class::FourThree).iter().filter(|&spot| board.may_play(spot, !side)) {
        stops.intersect(&stopping_points(board, spot, !side, Pattern::OpenThree));
        found = true;
    }
    stops.unite(&fours(board, side));
    keep_legal(board, &mut stops);
    (found && !stops.is_empty()).then_some(stops)
}

/// The points where a side makes a four (or more).
pub fn fours(board: &Board, side: Side) -> Spots {
    board.at_least(side, Class::Four)
}

/// The points where a stone of the other side can prevent what `side` would make on `spot` with lines of at least `pattern`: the
/// spot itself and the empty points of those lines.
fn stopping_points(board: &Board, spot: Spot, side: Side, pattern: Pattern) -> Spots {
    let mut spots = Spots::default();
    spots.insert(spot);
    for (direction, step) in STEPS.into_iter().enumerate() {
        if board.pattern(spot, side, direction) < pattern {
            continue;
        }
        let (back, ahead) = board.reach(spot, direction);
        let opponent = board.stones(!side);
        for other in (1..=ahead).map(|d| Spot::from_index(spot.index() + step * d)) {
            if opponent.contains(other) {
                break;
            }
            if board.is_empty(other) {
                spots.insert(other);
            }
        }
        for other in (1..=back).map(|d| Spot::from_index(spot.index() - step * d)) {
            if opponent.contains(other) {
                break;
            }
            if board.is_empty(other) {
                spots.insert(other);
            }
        }
    }
    spots
}

/// Adds the empty points of the windows of five that hold this stone, two more of its side and none of the other: a further stone there makes a four.
pub fn near_fours(board: &Board, stone: Spot, spots: &mut Spots) {
    let Some(side) = board.at(stone) else { return };
    let (own, other) = (board.stones(side), board.stones(!side));
    for (direction, step) in STEPS.into_iter().enumerate() {
        let (back, ahead) = board.reach(stone, direction);
        for start in 0..=back.min(4) {
            if 4 - start > ahead {
                continue;
            }
            let points = (0..5).map(|index| Spot::from_index(stone.index() + index * step - start * step));
            if points.clone().filter(|point| own.contains(*point)).count() >= 3
                && points.clone().all(|point| !other.contains(point))
            {
                points.filter(|point| board.is_empty(*point)).for_each(|point| spots.insert(point));
            }
        }
    }
}
