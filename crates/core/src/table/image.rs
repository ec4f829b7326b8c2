//! The symmetries of a board: rotations and reflections.

use super::Action;
use crate::rules::Point;

/// One of the eight symmetries of a square board; a rectangular board has four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image(u8);

/// The bits of an image: reverse the files; reverse the ranks; then swap files and ranks.
const FILES: u8 = 1;
const RANKS: u8 = 2;
const CROSSED: u8 = 4;

impl Image {
    /// The identity: the board unchanged.
    pub const SAME: Image = Image(0);
    /// Left and right swapped.
    pub const MIRROR: Image = Image(FILES);
    /// Turned by half.
    pub const HALF_TURN: Image = Image(FILES | RANKS);
    /// All symmetries, the identity first.
    pub const ALL: [Image; 8] = [Image(0), Image(1), Image(2), Image(3), Image(4), Image(5), Image(6), Image(7)];

    /// True if the image of a board with this many files and ranks has the same size.
    pub fn fits(self, (files, ranks): (u8, u8)) -> bool {
        self.0 & CROSSED == 0 || files == ranks
    }

    fn reversed(self, Point { x, y }: Point, (files, ranks): (u8, u8)) -> Point {
        let x = if self.0 & FILES == 0 { x } else { files - 1 - x };
        let y = if self.0 & RANKS == 0 { y } else { ranks - 1 - y };
        Point::new(x, y)
    }

    fn crossed(self, point: Point) -> Point {
        if self.0 & CROSSED == 0 { point } else { Point::new(point.y, point.x) }
    }

    /// The image of a point of the board.
    pub fn of(self, point: Point, size: (u8, u8)) -> Point {
        self.crossed(self.reversed(point, size))
    }

    /// The point whose image this is.
    pub fn back(self, point: Point, size: (u8, u8)) -> Point {
        self.reversed(self.crossed(point), size)
    }

    /// The action on the transformed board.
    pub fn of_action(self, action: Action, size: (u8, u8)) -> Action {
        on_points(action, |point| self.of(point, size))
    }

    /// The inverse of [`of_action`](Image::of_action).
    pub fn back_action(self, action: Action, size: (u8, u8)) -> Action {
        on_points(action, |point| self.back(point, size))
    }
}

fn on_points(action: Action, image: impl Fn(Point) -> Point) -> Action {
    match action {
        Action::Drop(at) => Action::Drop(image(at)),
        Action::Step { from, to } => Action::Step { from: image(from), to: image(to) },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_eight_and_lead_back() {
        let size = (15, 15);
        let point = Point::new(2, 5);
        let images: std::collections::HashSet<Point> = Image::ALL.map(|image| image.of(point, size)).into();
        assert_eq!(images.len(), 8);
        for image in Image::ALL {
            assert_eq!(image.back(image.of(point, size), size), point);
            assert_eq!(image.fits((9, 10)), image.0 < 4);
        }
        assert_eq!(Image::MIRROR.of(Point::new(1, 3), (9, 10)), Point::new(7, 3));
        assert_eq!(Image::SAME.of(point, size), point);
    }
}
