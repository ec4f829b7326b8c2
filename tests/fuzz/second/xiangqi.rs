//! Xiangqi's moves by definition: the moves of each piece, without those after which the own general is attacked or faces the other one. A side without a
//! legal move loses.

use super::{End, Move, Rules};
use qiju_core::rules::Side;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    General,
    Advisor,
    Elephant,
    Horse,
    Chariot,
    Cannon,
    Soldier,
}

type Square = (i32, i32);

pub struct Xiangqi {
    /// By rank from Red's side and file from Red's left.
    cells: [[Option<(Side, Role)>; 9]; 10],
    turn: Side,
}

/// The rank as its side counts it, from its own edge.
fn own_rank(side: Side, rank: i32) -> i32 {
    if side == Side::First { rank } else { 9 - rank }
}

fn in_palace(side: Side, (file, rank): Square) -> bool {
    (3..=5).contains(&file) && (0..=2).contains(&own_rank(side, rank))
}

impl Xiangqi {
    pub fn new() -> Self {
        use Role::*;
        let back = [Chariot, Horse, Elephant, Advisor, General, Advisor, Elephant, Horse, Chariot];
        let mut cells = [[None; 9]; 10];
        for (side, home, cannons, soldiers) in [(Side::First, 0, 2, 3), (Side::Second, 9, 7, 6)] {
            for (file, role) in back.into_iter().enumerate() {
                cells[home][file] = Some((side, role));
            }
            for file in [1, 7] {
                cells[cannons][file] = Some((side, Cannon));
            }
            for file in [0, 2, 4, 6, 8] {
                cells[soldiers][file] = Some((side, Soldier));
            }
        }
        Xiangqi { cells, turn: Side::First }
    }

    fn at(&self, (file, rank): Square) -> Option<(Side, Role)> {
        self.cells[rank as usize][file as usize]
    }

    /// The pieces strictly between two squares of a line; `None` if they are not on a line.
    fn between(&self, from: Square, to: Square) -> Option<usize> {
        if from == to || (from.0 != to.0 && from.1 != to.1) {
            return None;
        }
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let distance = (to.0 - from.0).abs() + (to.1 - from.1).abs();
        Some((1..distance).filter(|n| self.at((from.0 + step.0 * n, from.1 + step.1 * n)).is_some()).count())
    }

    /// True if the piece on a square can move to another square, without regard to its general.
    fn reaches(&self, from: Square, to: Square) -> bool {
        let Some((side, role)) = self.at(from) else { return false };
        if self.at(to).is_some_and(|(other, _)| other == side) {
            return false;
        }
        let (right, up) = (to.0 - from.0, to.1 - from.1);
        let forward = if side == Side::First { up } else { -up };
        let (wide, tall) = (right.abs(), up.abs());
        let empty = |square: Square| self.at(square).is_none();
        match role {
            Role::General => wide + tall == 1 && in_palace(side, to),
            Role::Advisor => wide == 1 && tall == 1 && in_palace(side, to),
            Role::Elephant => wide == 2 && tall == 2 && own_rank(side, to.1) <= 4 && empty((from.0 + right / 2, from.1 + up / 2)),
            Role::Horse => match (wide, tall) {
                (1, 2) => empty((from.0, from.1 + up / 2)),
                (2, 1) => empty((from.0 + right / 2, from.1)),
                _ => false,
            },
            Role::Chariot => self.between(from, to) == Some(0),
            Role::Cannon => self.between(from, to) == Some(usize::from(!empty(to))),
            Role::Soldier => {
                let crossed = own_rank(side, from.1) >= 5;
                (wide == 0 && forward == 1) || (crossed && tall == 0 && wide == 1)
            }
        }
    }

    fn squares() -> impl Iterator<Item = Square> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    /// True if the general of a side is attacked, faces the other one, or is gone. `pieces` holds every square with a piece.
    fn is_attacked(&self, side: Side, pieces: &[Square]) -> bool {
        let general = |side| pieces.iter().copied().find(|square| self.at(*square) == Some((side, Role::General)));
        let (Some(own), Some(other)) = (general(side), general(!side)) else { return true };
        let enemy = |square: Square| self.at(square).is_some_and(|(owner, _)| owner != side);
        pieces.iter().any(|from| enemy(*from) && self.reaches(*from, own))
            || (own.0 == other.0 && self.between(own, other) == Some(0))
    }

    fn moved(&self, from: Square, to: Square) -> Xiangqi {
        let mut cells = self.cells;
        cells[to.1 as usize][to.0 as usize] = cells[from.1 as usize][from.0 as usize].take();
        Xiangqi { cells, turn: !self.turn }
    }
}

impl Rules for Xiangqi {
    fn moves(&self) -> Vec<Move> {
        let mut pieces: Vec<Square> = Self::squares().filter(|square| self.at(*square).is_some()).collect();
        let own: Vec<Square> =
            pieces.iter().copied().filter(|from| self.at(*from).is_some_and(|(side, _)| side == self.turn)).collect();
        let mut moves = Vec::new();
        for from in own {
            for to in Self::squares().filter(|to| self.reaches(from, *to)) {
                // The target is a square with a piece after the move; the origin no longer is.
                pieces.push(to);
                if !self.moved(from, to).is_attacked(self.turn, &pieces) {
                    moves.push([from.0, from.1, to.0, to.1].map(|number| number as u8));
                }
                pieces.pop();
            }
        }
        moves
    }

    fn play(&mut self, mv: Move) {
        let [from_file, from_rank, file, rank] = mv.map(i32::from);
        *self = self.moved((from_file, from_rank), (file, rank));
    }

    fn end(&self, moves: &[Move]) -> Option<End> {
        moves.is_empty().then_some(End::Won(!self.turn))
    }

    fn text(&self, [from_file, from_rank, file, rank]: Move) -> String {
        let name = |file, rank| format!("{}{rank}", char::from(b'a' + file));
        name(from_file, from_rank) + &name(file, rank)
    }

    fn knows_draws(&self) -> bool {
        false
    }
}
