//! A static evaluation that counts open lines.

use crate::games::tic_tac_toe::rules::board::{Grid, LINES};
use crate::rules::Position;
use crate::search::Evaluate;

/// Ten points for each mark on a line without marks of the other side.
pub struct OpenLines;

impl Evaluate<Grid> for OpenLines {
    fn evaluate(&mut self, position: &Grid) -> i32 {
        let mover = position.side_to_move();
        LINES
            .iter()
            .map(|line| {
                let marks = line.map(|cell| position.at(cell));
                let own = marks.iter().filter(|m| **m == Some(mover)).count() as i32;
                let other = marks.iter().filter(|m| **m == Some(!mover)).count() as i32;
                if own > 0 && other > 0 { 0 } else { 10 * (own - other) }
            })
            .sum()
    }
}
