//! The openings of a match.

use crate::games::Entry;
use crate::table::{Action, Table};

/// A position and the moves of the opening.
pub struct Opening {
    start: Box<dyn Table>,
    moves: usize,
}

impl Clone for Opening {
    fn clone(&self) -> Self {
        Opening { start: self.start.boxed_clone(), moves: self.moves }
    }
}

impl Opening {
    /// An opening: the table after it, and the number of its last moves that belong to it.
    pub fn new(start: Box<dyn Table>, moves: usize) -> Opening {
        Opening { start, moves }
    }

    /// The table after the opening.
    pub fn table(&self) -> Box<dyn Table> {
        self.start.boxed_clone()
    }

    /// The number of moves of the opening.
    pub fn moves(&self) -> usize {
        self.moves
    }
}

/// The game's balanced opening for a pair of games; `None` if it has none.
pub fn balanced(entry: &Entry, start: &dyn Table, pair: usize, seed: u64) -> Option<Opening> {
    let variant = start.setup().variant.as_deref().unwrap_or_default();
    let setup = entry.opening(variant, seed.wrapping_mul(1_000_003).wrapping_add(pair as u64))?;
    entry.table(&setup).ok().map(|start| Opening::new(start, 0))
}

/// Openings of random moves that do not end the game. Fewer if the game does not have so many.
pub fn random(start: &dyn Table, plies: u16, count: usize, seed: u64) -> Vec<Opening> {
    const ATTEMPTS: usize = 100;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut attempt = |plies: u16| {
        let mut table = start.boxed_clone();
        for _ in 0..plies {
            let actions: Vec<Action> = table.actions();
            if actions.is_empty() {
                return None;
            }
            table.play(actions[random.usize(..actions.len())]).ok()?;
        }
        table.outcome().is_none().then_some(Opening { start: table, moves: usize::from(plies) })
    };
    // Without random moves there is only one opening.
    let count = if plies == 0 { 1 } else { count };
    let mut openings: Vec<Opening> = (0..count).filter_map(|_| (0..ATTEMPTS).find_map(|_| attempt(plies))).collect();
    if openings.is_empty() {
        openings.push(Opening::new(start.boxed_clone(), 0));
    }
    openings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::table::Setup;

    #[test]
    fn balanced_openings_where_the_game_has_them() {
        let start = |game: &str| games::find(game).unwrap().table(&Setup::default()).unwrap();
        for pair in 0..12 {
            let opening = balanced(games::find("gomoku").unwrap(), &*start("gomoku"), pair, 1).unwrap();
            assert!(opening.table().pieces().len() >= 3);
            assert!(balanced(games::find("xiangqi").unwrap(), &*start("xiangqi"), pair, 1).is_none());
        }
    }

    #[test]
    fn random_openings_differ_and_do_not_end_the_game() {
        let table = games::find("tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
        let openings = random(&*table, 4, 30, 1);
        assert_eq!(openings.len(), 30);
        assert!(openings.iter().all(|opening| opening.table().outcome().is_none() && opening.table().ply() == 4));
        let texts: std::collections::HashSet<_> = openings.iter().map(|opening| opening.table().position_text()).collect();
        assert!(texts.len() > 10);
        assert_eq!(random(&*table, 0, 30, 1).len(), 1);
        assert_eq!(random(&*table, 40, 30, 1).len(), 1, "if there is no other opening, the start is used");
    }
}
