//! Balanced openings, found by our own engine (`qiju-tools openings gomoku`), rotated and mirrored for variety.

use super::board::Board;
use super::rule::Rule;
use super::spot::Spot;
use crate::rules::{Point, Position};
use std::sync::OnceLock;

/// One opening per line: `SIZE RULE MOVES`, for 15 lines and the freestyle rule.
const TEXT: &str = include_str!("../../../../assets/books/gomoku.openings.txt");
/// The size of the boards on which they were found.
const SIZE: u8 = 15;

/// The openings of the file. Malformed lines are ignored.
fn plain() -> &'static [Vec<Spot>] {
    static OPENINGS: OnceLock<Vec<Vec<Spot>>> = OnceLock::new();
    OPENINGS.get_or_init(|| {
        let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
        let moves = lines.filter_map(|line| line.split_whitespace().nth(2));
        let read = |moves| super::notation::read_moves(Rule::Freestyle, SIZE, moves).ok();
        moves.filter_map(read).map(|history| history.moves().to_vec()).collect()
    })
}

/// A point of a square board under one of the eight rotations and reflections.
fn image(point: Point, turn: u8, last: u8) -> Point {
    let Point { x, y } = point;
    let (x, y) = if turn & 1 == 0 { (x, y) } else { (last - x, y) };
    let (x, y) = if turn & 2 == 0 { (x, y) } else { (x, last - y) };
    if turn & 4 == 0 { Point::new(x, y) } else { Point::new(y, x) }
}

/// All openings that are legal under a rule, in their eight images; on larger boards in the centre.
pub fn all(rule: Rule, size: u8) -> Vec<Vec<Spot>> {
    let shift = size.saturating_sub(SIZE) / 2;
    let legal = |moves: &Vec<Spot>| {
        let mut board = Board::new(rule, size);
        moves.iter().all(|&spot| {
            let legal = board.is_legal(spot);
            if legal {
                board.make(spot);
            }
            legal
        })
    };
    let images = plain().iter().flat_map(|moves| {
        (0..8).map(move |turn| {
            let moved = |spot: &Spot| {
                let Point { x, y } = image(spot.point(), turn, SIZE - 1);
                Spot::new(x + shift, y + shift)
            };
            moves.iter().map(moved).collect()
        })
    });
    images.filter(legal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_and_board_has_openings() {
        let lines = TEXT.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(plain().len(), lines, "a line cannot be read");
        assert!(lines >= 40 && plain().iter().filter(|moves| moves.len() == 3).count() >= 10);
        for size in [15, 19, 20] {
            for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroLong] {
                assert!(all(rule, size).len() > 4 * lines, "{rule:?} {size}");
            }
        }
    }

    #[test]
    fn images_are_eight_and_stay_on_the_board() {
        let images: std::collections::HashSet<Point> = (0..8).map(|turn| image(Point::new(2, 5), turn, 14)).collect();
        assert_eq!(images.len(), 8);
        assert!(images.iter().all(|point| point.x < 15 && point.y < 15));
        assert!((0..8).all(|turn| image(Point::new(7, 7), turn, 14) == Point::new(7, 7)));
    }
}
