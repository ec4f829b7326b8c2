//! The exact value of every move, by a complete search.

use crate::games::tic_tac_toe::rules::board::{Cell, Grid};
use crate::rules::Position;
use crate::search::Verdict;
use std::collections::HashMap;

/// Each legal move with its exact value for the side that makes it. Distances are counted from before the move.
pub fn of_moves(grid: &Grid) -> Vec<(Cell, Verdict)> {
    let mut known = HashMap::new();
    moves(&mut grid.clone(), &mut known)
}

fn moves(grid: &mut Grid, known: &mut HashMap<u64, Verdict>) -> Vec<(Cell, Verdict)> {
    let mut cells = Vec::new();
    grid.legal_moves(&mut cells);
    let worth = |cell: Cell| {
        grid.make(cell);
        let after = of(grid, known);
        grid.unmake(cell, ());
        (cell, after.through())
    };
    cells.into_iter().map(worth).collect()
}

/// The exact value of a position for the side to move.
fn of(grid: &mut Grid, known: &mut HashMap<u64, Verdict>) -> Verdict {
    if let Some(outcome) = grid.outcome() {
        return if outcome.winner.is_some() { Verdict::LOST } else { Verdict::DRAW };
    }
    if let Some(&verdict) = known.get(&grid.key()) {
        return verdict;
    }
    let best = moves(grid, known).into_iter().map(|(_, verdict)| verdict).max_by_key(|verdict| verdict.rank());
    let best = best.unwrap_or(Verdict::DRAW);
    known.insert(grid.key(), best);
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Known;

    fn of_text(text: &str) -> Vec<(String, Verdict)> {
        let grid = Grid::parse(text).unwrap();
        of_moves(&grid).into_iter().map(|(cell, verdict)| (cell.to_string(), verdict)).collect()
    }

    #[test]
    fn the_start_is_a_draw_and_a_fork_wins() {
        let start = of_text("......... x");
        assert_eq!(start.len(), 9);
        assert!(start.iter().all(|(_, verdict)| verdict.known == Known::Draw));
        // x has two in a line and can win at once; a slower win has a lower value.
        let win = of_text("xx.oo.... x");
        let best = win.iter().max_by_key(|(_, verdict)| verdict.rank()).unwrap();
        assert_eq!((best.0.as_str(), best.1), ("c3", Verdict { known: Known::Win, plies: Some(1) }));
        // An answer on an edge to the centre loses.
        let edge = of_text("....x..o. x");
        let best = edge.iter().map(|(_, verdict)| verdict.rank()).max().unwrap();
        assert_eq!(best, Verdict { known: Known::Win, plies: Some(5) }.rank());
    }

    #[test]
    fn the_value_of_a_move_follows_from_the_best_reply() {
        for text in ["......... x", "x...o.... x", "xo..x.... o", "x.o.x.... o"] {
            let grid = Grid::parse(text).unwrap();
            for (cell, verdict) in of_moves(&grid) {
                let mut next = grid.clone();
                next.make(cell);
                let reply = of_moves(&next).into_iter().map(|(_, verdict)| verdict).max_by_key(|verdict| verdict.rank());
                let Some(reply) = reply else { continue };
                assert_eq!(reply.reversed().known, verdict.known, "{text} {cell}");
                if verdict.known != Known::Draw {
                    assert_eq!(reply.plies.map(|plies| plies + 1), verdict.plies, "{text} {cell}");
                }
            }
        }
    }
}
