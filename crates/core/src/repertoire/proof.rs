//! A repertoire against a proof that comes with the program: its side wins, and the other one defends as long as possible.

use super::after;
use crate::rules::zobrist;
use crate::table::{Action, Table};

/// How many moves the side that has just moved still needs to the end, at most, if the proof says that it wins.
pub fn proven_moves(table: &dyn Table) -> Option<u32> {
    if table.outcome().is_some() {
        return table.outcome().filter(|outcome| outcome.winner == Some(!table.turn())).map(|_| 0);
    }
    table.proven().filter(|win| win.winner != table.turn()).map(|win| win.moves)
}

/// The move of the losing side after which the proven win takes longest; of several equal ones the seed chooses. `None` where the proof answers none of them by
/// itself, but by threats, or where nothing is proven.
pub fn longest_defence(table: &dyn Table, seed: u64) -> Option<Action> {
    table.proven().filter(|win| win.winner != table.turn())?;
    let left = |action: &Action| Some((after(table, *action)?.proven().filter(|win| win.winner != table.turn())?.moves, *action));
    let moves: Vec<(u32, Action)> = table.actions().iter().filter_map(left).collect();
    let longest = moves.iter().map(|(moves, _)| *moves).max()?;
    let longest: Vec<Action> = moves.into_iter().filter(|(moves, _)| *moves == longest).map(|(_, action)| action).collect();
    longest.get((zobrist::mix(seed) % longest.len() as u64) as usize).copied()
}
