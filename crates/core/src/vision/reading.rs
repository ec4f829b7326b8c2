//! From what the network says about the points to a position.

use super::lattice::Lattice;
use super::network::{CLASSES, Network, probabilities};
use super::raster::Raster;
use super::{OTHER, class_of, classes, empty_class, patch_at};
use crate::rules::{Point, Side};
use crate::table::{Board, Draft, GameSheet, Image, Piece, Placement};
use serde::{Deserialize, Serialize};

/// With this probability a point is certain.
pub const CERTAIN: f32 = 0.9;
/// A piece that a side has too many of is read as something else where that is the only other thing that it can well be.
const MENDED: f32 = 0.95;

/// A position that was recognised in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recognised {
    /// The variant.
    pub variant: String,
    /// The position. It need not be a valid one.
    pub draft: Draft,
    /// True if the board lies in the picture as the second side sees it.
    pub flipped: bool,
    /// The outermost points in the picture, in pixels: upper left, upper right, lower right, lower left.
    pub corners: [(f32, f32); 4],
    /// Every point of the board.
    pub points: Vec<Seen>,
}

/// What was seen on a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The point.
    pub at: Point,
    /// The piece on it.
    pub piece: Option<Piece>,
    /// The probability that this is right, from 0 to 1.
    pub certainty: f32,
}

impl Recognised {
    /// The points that should be looked at.
    pub fn uncertain(&self) -> impl Iterator<Item = Point> + '_ {
        self.points.iter().filter(|seen| seen.certainty < CERTAIN).map(|seen| seen.at)
    }
}

/// The probability of each class on the points of a board, rows from the top of the picture.
pub(super) struct Points {
    size: (u8, u8),
    probabilities: Vec<[f32; CLASSES]>,
}

impl Points {
    /// What the network sees. Classes that the game does not have are left out.
    pub fn of(raster: &Raster, network: &Network, sheet: &GameSheet, board: &Board, lattice: &Lattice) -> Points {
        let possible = classes(sheet, board.grid);
        let places = (0..board.ranks).flat_map(|row| (0..board.files).map(move |column| (f32::from(column), f32::from(row))));
        let seen = |(column, row)| probabilities(&network.logits(&patch_at(raster, lattice, column, row)), &possible);
        Points { size: (board.files, board.ranks), probabilities: places.map(seen).collect() }
    }

    /// How much of the board is something else.
    pub fn foreign(&self) -> f32 {
        self.probabilities.iter().map(|classes| classes[OTHER]).sum::<f32>() / self.probabilities.len() as f32
    }

    /// The point of a game at a place of the picture.
    fn point(&self, index: usize, flipped: bool) -> Point {
        let (files, ranks) = self.size;
        let (column, row) = ((index % usize::from(files)) as u8, (index / usize::from(files)) as u8);
        let upright = Point::new(column, ranks - 1 - row);
        if flipped { Image::HALF_TURN.of(upright, self.size) } else { upright }
    }

    /// The position.
    pub fn read(
        &self,
        sheet: &GameSheet,
        variant: &str,
        placement: &dyn Placement,
        board: &Board,
        lattice: &Lattice,
    ) -> Recognised {
        let empty = empty_class(board.grid);
        let read = |flipped| Reading::of(self, (sheet, empty), variant, placement, flipped);
        let mut reading = read(false);
        // Where the sides have their own halves, the pieces tell from where the board is seen.
        let other = placement.halves().then(|| read(true)).filter(|other| other.likelihood() > reading.likelihood());
        let flipped = other.is_some();
        reading = other.unwrap_or(reading);
        reading.mend(variant, placement);
        let points = reading
            .points
            .iter()
            .map(|point| Seen { at: point.at, piece: point.best().0, certainty: point.certainty() })
            .collect::<Vec<_>>();
        let pieces: Vec<(Point, Piece)> = points.iter().filter_map(|seen| Some((seen.at, seen.piece?))).collect();
        // The side for which less is wrong is to move: one stone fewer, or a general that stands in check.
        let wrong = |side: &Side| placement.faults(variant, &Draft::of(pieces.iter().copied(), *side)).len();
        let turn = Side::BOTH.into_iter().min_by_key(wrong).unwrap_or(Side::First);
        let (right, bottom) = (f32::from(board.files - 1), f32::from(board.ranks - 1));
        let corners = [(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)].map(|(u, v)| lattice.at(u, v));
        Recognised { variant: variant.to_owned(), draft: Draft::of(pieces, turn), flipped, corners, points }
    }
}

/// The board read from one side.
struct Reading {
    points: Vec<Place>,
}

/// What can stand on a point, the most probable first, with its probability.
struct Place {
    at: Point,
    options: Vec<(Option<Piece>, f32)>,
    /// How probable the options that were ruled out are among all.
    excluded: f32,
}

impl Place {
    fn best(&self) -> (Option<Piece>, f32) {
        self.options.first().copied().unwrap_or((None, 0.0))
    }

    /// How certain the best option is: if a likelier one was ruled out by the whole position, as certain as it is among those that are left.
    fn certainty(&self) -> f32 {
        let sure = self.best().1 / (1.0 - self.excluded).max(1e-6);
        if sure >= MENDED { sure.min(1.0) } else { self.best().1 }
    }

    /// Rules out the best option.
    fn exclude(&mut self) {
        if self.options.len() > 1 {
            self.excluded += self.options.remove(0).1;
        }
    }
}

impl Reading {
    fn of(
        points: &Points,
        (sheet, empty): (&GameSheet, usize),
        variant: &str,
        placement: &dyn Placement,
        flipped: bool,
    ) -> Reading {
        let place = |(index, classes): (usize, &[f32; CLASSES])| {
            let at = points.point(index, flipped);
            let known = sheet.kinds().filter(|piece| placement.may_stand(variant, *piece, at));
            let pieces = known.map(|piece| (Some(piece), classes[class_of(sheet.shape, piece)]));
            let mut options: Vec<(Option<Piece>, f32)> = pieces.chain([(None, classes[empty])]).collect();
            options.sort_by(|a, b| b.1.total_cmp(&a.1));
            // What cannot stand there is not counted as ruled out: it makes the point uncertain.
            Place { at, options, excluded: 0.0 }
        };
        Reading { points: points.probabilities.iter().enumerate().map(place).collect() }
    }

    /// The logarithm of the likelihood of the best options.
    fn likelihood(&self) -> f32 {
        self.points.iter().map(|place| place.best().1.max(1e-4).ln()).sum()
    }

    /// Reads pieces of which a side has too many as something else, the least certain first.
    fn mend(&mut self, variant: &str, placement: &dyn Placement) {
        for _ in 0..self.points.len() {
            let pieces = || self.points.iter().filter_map(|place| place.best().0);
            let count = |piece: Piece| pieces().filter(|other| *other == piece).count();
            let Some(piece) = pieces().find(|piece| count(*piece) > placement.most(variant, *piece)) else { return };
            let places = self.points.iter_mut().filter(|place| place.best().0 == Some(piece));
            match places.min_by(|a, b| a.best().1.total_cmp(&b.best().1)) {
                Some(place) if place.options.len() > 1 => place.exclude(),
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    const EMPTY: usize = 0;

    /// The points of a xiangqi board, empty but for these classes at places of the picture.
    fn points(of: &[(usize, &[(usize, f32)])]) -> Points {
        let mut probabilities = vec![[0.0; CLASSES]; 90];
        probabilities.iter_mut().for_each(|classes| classes[EMPTY] = 1.0);
        for (index, classes) in of {
            probabilities[*index] = [0.0; CLASSES];
            classes.iter().for_each(|(class, probability)| probabilities[*index][*class] = *probability);
        }
        Points { size: (9, 10), probabilities }
    }

    fn read(points: &Points) -> Recognised {
        let entry = games::find("xiangqi").unwrap();
        let placement = (entry.capabilities)("axf").placement.unwrap();
        let pairs: Vec<_> = [(0.0, 0.0), (8.0, 0.0), (0.0, 9.0), (8.0, 9.0)].map(|at| (at, at)).to_vec();
        let lattice = Lattice::fit(&pairs, false).unwrap();
        let sheet = entry.sheet().unwrap();
        points.read(&sheet, "axf", placement, &sheet.boards[0], &lattice)
    }

    const RED_GENERAL: usize = 1;
    const RED_CHARIOT: usize = 5;
    const RED_CANNON: usize = 6;
    const BLACK_GENERAL: usize = 8;

    #[test]
    fn the_generals_say_from_where_the_board_is_seen() {
        let upright = read(&points(&[(4, &[(BLACK_GENERAL, 1.0)]), (84, &[(RED_GENERAL, 1.0)]), (0, &[(RED_CHARIOT, 1.0)])]));
        assert!(!upright.flipped && upright.uncertain().count() == 0);
        assert_eq!(upright.draft.pieces[&Point::new(0, 9)], Piece { side: Side::First, role: 4 });
        let turned = read(&points(&[(4, &[(RED_GENERAL, 1.0)]), (84, &[(BLACK_GENERAL, 1.0)]), (0, &[(RED_CHARIOT, 1.0)])]));
        assert!(turned.flipped);
        assert_eq!(turned.draft.pieces[&Point::new(8, 0)], Piece { side: Side::First, role: 4 });
    }

    #[test]
    fn too_many_pieces_are_mended_where_it_is_certain_and_else_ringed() {
        let generals: [(usize, &[(usize, f32)]); 2] = [(4, &[(BLACK_GENERAL, 1.0)]), (85, &[(RED_GENERAL, 1.0)])];
        // Three chariots: one can as well be a cannon, and nothing else.
        let sure: [(usize, &[(usize, f32)]); 3] = [
            (40, &[(RED_CHARIOT, 1.0)]),
            (41, &[(RED_CHARIOT, 0.99), (EMPTY, 0.01)]),
            (42, &[(RED_CHARIOT, 0.6), (RED_CANNON, 0.4)]),
        ];
        let seen = read(&points(&[&generals[..], &sure[..]].concat()));
        assert_eq!(seen.draft.pieces[&Point::new(42 % 9, 5)].role, 5);
        assert_eq!(seen.uncertain().count(), 0);
        let doubtful: [(usize, &[(usize, f32)]); 1] = [(42, &[(RED_CHARIOT, 0.6), (RED_CANNON, 0.2), (EMPTY, 0.2)])];
        let seen = read(&points(&[&generals[..], &sure[..2], &doubtful[..]].concat()));
        assert_eq!(seen.uncertain().collect::<Vec<_>>(), [Point::new(42 % 9, 5)]);
    }

    #[test]
    fn a_piece_where_it_cannot_stand_is_uncertain() {
        // A general in the middle of the board.
        let seen = read(&points(&[(4, &[(BLACK_GENERAL, 1.0)]), (40, &[(RED_GENERAL, 0.9), (RED_CHARIOT, 0.1)])]));
        assert_eq!(seen.uncertain().collect::<Vec<_>>(), [Point::new(40 % 9, 9 - 40 / 9)]);
    }
}
