//! The tables that one thread keeps from search to search: threat-space searches and move ordering.

use super::vcf::Vcf;
use super::vct::Vct;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::SPOTS;

/// The tables of one thread.
pub struct Tables {
    /// The search for wins by fours.
    pub fours: Vcf,
    /// The search for wins of the side to move by fours and threes.
    pub attack: Vct,
    /// The same for wins of the opponent after a move.
    pub defence: Vct,
    /// The history scores of the points, for each side: of moves that make an open three or more, and of others.
    pub history: Box<[[[i32; SPOTS]; 2]; 2]>,
    /// The counter move of a point, for each side: the code of the move that last refuted a stone there, and its class.
    pub counter: Box<[[(u16, Class); SPOTS]; 2]>,
}

impl Tables {
    /// The tables of the main thread.
    pub fn of_main() -> Self {
        Self::with_bits(18, 17)
    }

    /// The tables of a helper thread, which does not search for wins by threes.
    pub fn of_helper() -> Self {
        Self::with_bits(16, 0)
    }

    /// Tables of 2^`fours` and 2^`threats` entries.
    fn with_bits(fours: u32, threats: u32) -> Self {
        Tables {
            fours: Vcf::new(fours),
            attack: Vct::new(threats),
            defence: Vct::new(threats),
            history: Box::new([[[0; SPOTS]; 2]; 2]),
            counter: Box::new([[(0, Class::Nothing); SPOTS]; 2]),
        }
    }

    /// Halves the history scores before a new search.
    pub fn age(&mut self) {
        for worth in self.history.iter_mut().flatten().flatten() {
            *worth /= 2;
        }
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.fours.clear();
        self.attack.clear();
        self.defence.clear();
        self.history.iter_mut().flatten().for_each(|kind| kind.fill(0));
        self.counter.iter_mut().for_each(|side| side.fill((0, Class::Nothing)));
    }
}
