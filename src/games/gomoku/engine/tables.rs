//! What one thread keeps from search to search: the searchers for threats with what they know, and what earlier cut-offs taught.

use super::vcf::Vcf;
use super::vct::Vct;
use crate::games::gomoku::rules::spot::SPOTS;

/// The tables of one thread.
pub struct Tables {
    /// Finds wins by fours.
    pub fours: Vcf,
    /// Finds the side to move's wins by fours and threes.
    pub attack: Vct,
    /// Finds those of the enemy after a move.
    pub defence: Vct,
    /// How often a point cut off, for each side.
    pub history: Box<[[i32; SPOTS]; 2]>,
    /// The code of the move that refuted a stone on a point last, for each side.
    pub counter: Box<[[u16; SPOTS]; 2]>,
}

impl Tables {
    /// Those of the thread that answers.
    pub fn of_main() -> Self {
        Self::with_bits(18, 17)
    }

    /// Those of a thread that only helps to fill the transposition table: it proves nothing by threes.
    pub fn of_helper() -> Self {
        Self::with_bits(16, 0)
    }

    /// Tables of 2^`fours` and 2^`threats` entries.
    fn with_bits(fours: u32, threats: u32) -> Self {
        Tables {
            fours: Vcf::new(fours),
            attack: Vct::new(threats),
            defence: Vct::new(threats),
            history: Box::new([[0; SPOTS]; 2]),
            counter: Box::new([[0; SPOTS]; 2]),
        }
    }

    /// What earlier searches taught counts half.
    pub fn age(&mut self) {
        for worth in self.history.iter_mut().flatten() {
            *worth /= 2;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.fours.clear();
        self.attack.clear();
        self.defence.clear();
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.counter.iter_mut().for_each(|side| side.fill(0));
    }
}
