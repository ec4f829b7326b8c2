//! Rows of five points in which a side already has stones, found for the whole board at once.

use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::spot::{STEPS, Spot, Spots};
use qiju_core::rules::Side;

/// The rows of a board size: for each direction the points where a row of five begins.
pub struct Rows {
    begins: [Spots; 4],
}

impl Rows {
    /// The rows of a board of this size.
    pub fn new(size: u8) -> Rows {
        let mut begins = [Spots::default(); 4];
        for (direction, begins) in begins.iter_mut().enumerate() {
            for y in 0..size {
                for x in 0..size {
                    let fits = [x + 4 < size, y + 4 < size, x + 4 < size && y + 4 < size, x >= 4 && y + 4 < size][direction];
                    if fits {
                        begins.insert(Spot::new(x, y));
                    }
                }
            }
        }
        Rows { begins }
    }

    /// The empty points of the rows with at least two stones of a side and none of the other, and of those with at least three.
    pub fn near(&self, board: &Board, side: Side) -> [Spots; 2] {
        let (own, other) = (board.stones(side), board.stones(!side));
        let mut near = [Spots::default(); 2];
        for (begins, step) in self.begins.iter().zip(STEPS) {
            // For the row that begins at each point: whether it has one, two, three stones of the side, or a stone of the other.
            let (mut one, mut two, mut three) = (*own, Spots::default(), Spots::default());
            let (mut own, mut other) = (*own, *other);
            let mut shut = other;
            for _ in 1..5 {
                own = own.shifted_down(step);
                other = other.shifted_down(step);
                three.unite(&common(&two, &own));
                two.unite(&common(&one, &own));
                one.unite(&own);
                shut.unite(&other);
            }
            for (near, mut rows) in near.iter_mut().zip([two, three]) {
                rows.intersect(begins);
                rows.subtract(&shut);
                if rows.is_empty() {
                    continue;
                }
                near.unite(&rows);
                for _ in 1..5 {
                    rows = rows.shifted_up(step);
                    near.unite(&rows);
                }
            }
        }
        near.iter_mut().for_each(|near| near.intersect(board.empty()));
        near
    }
}

fn common(a: &Spots, b: &Spots) -> Spots {
    let mut both = *a;
    both.intersect(b);
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games::gomoku::rules::rule::Rule;
    use qiju_core::rules::Position;

    /// Row by row and point by point.
    fn plainly(board: &Board, side: Side, number: usize) -> Spots {
        let size = i32::from(board.size());
        let mut near = Spots::default();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for start in 0..size * size {
                let at = |step: i32| (start % size + step * dx, start / size + step * dy);
                let inside = |(x, y): (i32, i32)| (0..size).contains(&x) && (0..size).contains(&y);
                if !inside(at(4)) {
                    continue;
                }
                let row: Vec<Spot> = (0..5).map(at).map(|(x, y)| Spot::new(x as u8, y as u8)).collect();
                let count = |side| row.iter().filter(|spot| board.stones(side).contains(**spot)).count();
                if count(side) >= number && count(!side) == 0 {
                    row.iter().filter(|spot| board.is_empty(**spot)).for_each(|spot| near.insert(*spot));
                }
            }
        }
        near
    }

    #[test]
    fn rows_are_those_of_the_board() {
        let mut random = fastrand::Rng::with_seed(5);
        for game in 0..60 {
            let mut board = Board::new(Rule::Freestyle, [15, 20, 9][game % 3]);
            let rows = Rows::new(board.size());
            let mut moves = Vec::new();
            for _ in 0..40 {
                moves.clear();
                board.legal_moves(&mut moves);
                let Some(&mv) = moves.get(random.usize(..moves.len().max(1))) else { break };
                board.make(mv);
                for side in Side::BOTH {
                    let [two, three] = rows.near(&board, side);
                    assert_eq!((two, three), (plainly(&board, side, 2), plainly(&board, side, 3)), "{board:?}");
                }
            }
        }
    }
}
