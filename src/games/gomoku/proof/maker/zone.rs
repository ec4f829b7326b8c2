//! The points where a further stone of the defender can matter to a win by fours and threes.
//!
//! The defender passes, and the search for threats proves a win. This walks through its tree and collects every point whose occupation by
//! one more stone of the defender could change it:
//! - the points of the attacker's moves, of the fives that it threatens, and of the defender's answers;
//! - the empty points of every window of five points that has two stones of the defender and none of the attacker. With one more stone, and
//!   one more that the proof leaves out, such a window could become a four, which has to be answered.
//!
//! A stone elsewhere leaves the whole tree valid.

use crate::games::gomoku::engine::threats;
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::engine::vct::Vct;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{STEPS, Spot, Spots};
use crate::rules::{Position, Side};

/// The most positions of a tree that is walked through.
const MOST: u32 = 1_500;
/// The node budget of the search for fours at each of them, and of the search for threats.
const FOURS: u64 = 300;
const THREATS: u64 = 3_000;

/// Collects the zone of one win.
pub struct Zone<'a> {
    fours: &'a mut Vcf,
    threats: &'a mut Vct,
    attacker: Side,
    left: u32,
    spots: Spots,
}

/// The zone of a win of the side to move, or `None` if no such win is found or its tree is too large.
pub fn zone(board: &mut Board, fours: &mut Vcf, threats: &mut Vct) -> Option<Spots> {
    let attacker = board.side_to_move();
    let mut zone = Zone { fours, threats, attacker, left: MOST, spots: Spots::default() };
    for stone in board.stones(!attacker).iter() {
        zone.windows(board, stone);
    }
    zone.attack(board)?;
    Some(zone.spots)
}

impl Zone<'_> {
    fn attack(&mut self, board: &mut Board) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let side = self.attacker;
        if board.count(side, Class::Five) > 0 {
            self.spots.unite(board.of_class(side, Class::Five));
            return Some(());
        }
        if self.fours.wins(board, FOURS).is_some() {
            let line = self.fours.line(board, FOURS);
            return self.line(board, &line);
        }
        let proof = self.threats.proves(board, self.fours, THREATS, &mut || false)?;
        let &first = proof.line.first()?;
        self.spots.insert(first);
        board.make(first);
        let done = self.defend(board);
        board.unmake(first, ());
        done
    }

    /// Every answer that the search for threats tries.
    fn defend(&mut self, board: &mut Board) -> Option<()> {
        let side = !self.attacker;
        if board.winner().is_some() {
            return Some(());
        }
        if board.count(side, Class::Five) > 0 {
            return None;
        }
        let answers = if board.count(self.attacker, Class::Five) > 0 {
            self.spots.unite(board.of_class(self.attacker, Class::Five));
            threats::against_five(board, side)
        } else {
            threats::open_four(board, self.attacker)?;
            self.open_fours(board);
            threats::against_open_four(board, side)
        };
        for answer in answers.iter() {
            self.spots.insert(answer);
            board.make(answer);
            self.windows(board, answer);
            let done = self.attack(board);
            board.unmake(answer, ());
            done?;
        }
        Some(())
    }

    /// The points of all open fours that the attacker threatens, with the fives of each.
    fn open_fours(&mut self, board: &mut Board) {
        let spots = *board.of_class(self.attacker, Class::OpenFour);
        board.pass();
        for spot in spots.iter() {
            self.spots.insert(spot);
            board.make(spot);
            self.spots.unite(board.of_class(self.attacker, Class::Five));
            board.unmake(spot, ());
        }
        board.pass();
    }

    /// A line of fours.
    fn line(&mut self, board: &mut Board, line: &[Spot]) -> Option<()> {
        let Some((&spot, rest)) = line.split_first() else { return board.winner().map(|_| ()) };
        let side = board.side_to_move();
        self.spots.insert(spot);
        board.make(spot);
        if side == self.attacker {
            self.spots.unite(board.of_class(side, Class::Five));
        } else {
            self.windows(board, spot);
        }
        let done = self.line(board, rest);
        board.unmake(spot, ());
        done
    }

    /// The windows with a stone of the defender in which another one makes two.
    fn windows(&mut self, board: &Board, stone: Spot) {
        let own = *board.stones(!self.attacker);
        let other = *board.stones(self.attacker);
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (back, ahead) = board.reach(stone, direction);
            for start in 0..=back.min(4) {
                let end = 4 - start;
                if end > ahead {
                    continue;
                }
                let points = (0..5).map(|index| Spot::from_index(stone.index() + index * step - start * step));
                let count = points.clone().filter(|point| own.contains(*point)).count();
                if count >= 2 && points.clone().all(|point| !other.contains(point)) {
                    points.filter(|point| board.is_empty(*point)).for_each(|point| self.spots.insert(point));
                }
            }
        }
    }
}
