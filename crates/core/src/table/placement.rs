//! Setting up positions by hand: what can be placed where, and what is wrong with a position.

use super::{Image, Piece, SetupError};
use crate::rules::{Point, PositionFault, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A position that is being set up. It need not be a valid one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The pieces on their points.
    pub pieces: BTreeMap<Point, Piece>,
    /// The side to move.
    pub turn: Side,
}

/// What a game tells an editor of positions.
pub trait Placement: Send + Sync {
    /// The numbers of files and ranks of a variant's board.
    fn size(&self, variant: &str) -> (u8, u8);

    /// How many pieces of a kind a side can have.
    fn most(&self, variant: &str, piece: Piece) -> usize;

    /// True if the piece can ever stand on this point.
    fn may_stand(&self, _variant: &str, _piece: Piece, _at: Point) -> bool {
        true
    }

    /// True if a board turned by half shows the same position with the sides exchanged, because the sides have their own halves.
    fn halves(&self) -> bool {
        false
    }

    /// Everything that is wrong with a position, by the game's own rules; empty exactly if [`text`](Placement::text) can be played.
    fn faults(&self, variant: &str, draft: &Draft) -> Vec<PositionFault>;

    /// The position text of a draft.
    fn text(&self, variant: &str, draft: &Draft) -> String;

    /// Reads a position text that may be wrong by the rules but not in its form.
    ///
    /// # Errors
    /// The place in the text and what is wrong there.
    fn read(&self, variant: &str, text: &str) -> Result<Draft, SetupError>;
}

impl Draft {
    /// An empty board with the first side to move.
    pub fn empty() -> Draft {
        Draft { pieces: BTreeMap::new(), turn: Side::First }
    }

    /// These pieces with this side to move.
    pub fn of(pieces: impl IntoIterator<Item = (Point, Piece)>, turn: Side) -> Draft {
        Draft { pieces: pieces.into_iter().collect(), turn }
    }

    /// How many of these pieces are on the board.
    pub fn count(&self, piece: Piece) -> usize {
        self.pieces.values().filter(|other| **other == piece).count()
    }

    /// Puts a piece on a point. A piece of which a side has only one leaves its earlier point.
    pub fn put(&mut self, piece: Piece, at: Point, most: usize) {
        if most == 1 {
            self.pieces.retain(|_, other| *other != piece);
        }
        self.pieces.insert(at, piece);
    }

    /// Moves a piece to another point, where it replaces what stands there. False if there is none.
    pub fn shift(&mut self, from: Point, to: Point) -> bool {
        let Some(piece) = self.pieces.remove(&from) else { return false };
        self.pieces.insert(to, piece);
        true
    }

    /// The position on a board turned by half; with `exchange` the sides exchange their pieces and the move.
    pub fn turned(&self, size: (u8, u8), exchange: bool) -> Draft {
        let side = |side: Side| if exchange { !side } else { side };
        let pieces = self.pieces.iter();
        let pieces = pieces.map(|(at, piece)| (Image::HALF_TURN.of(*at, size), Piece { side: side(piece.side), ..*piece }));
        Draft { pieces: pieces.collect(), turn: side(self.turn) }
    }

    /// The position with left and right swapped.
    pub fn mirrored(&self, size: (u8, u8)) -> Draft {
        let pieces = self.pieces.iter().map(|(at, piece)| (Image::MIRROR.of(*at, size), *piece));
        Draft { pieces: pieces.collect(), turn: self.turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_changed_turned_and_mirrored() {
        let (king, stone) = (Piece { side: Side::First, role: 0 }, Piece { side: Side::Second, role: 1 });
        let mut draft = Draft::empty();
        draft.put(king, Point::new(4, 0), 1);
        draft.put(king, Point::new(3, 0), 1);
        draft.put(stone, Point::new(0, 9), 2);
        assert_eq!((draft.count(king), draft.count(stone)), (1, 1));
        let size = (9, 10);
        assert_eq!(draft.mirrored(size).pieces[&Point::new(5, 0)], king);
        let turned = draft.turned(size, true);
        assert_eq!(turned.pieces[&Point::new(5, 9)], Piece { side: Side::Second, role: 0 });
        assert_eq!((turned.turn, turned.turned(size, true)), (Side::Second, draft.clone()));
        assert_eq!(draft.turned(size, false).pieces[&Point::new(8, 0)], stone);
        assert!(draft.shift(Point::new(0, 9), Point::new(3, 0)) && !draft.shift(Point::new(0, 9), Point::new(1, 1)));
        assert_eq!(draft.pieces.into_iter().collect::<Vec<_>>(), [(Point::new(3, 0), stone)]);
    }
}
