//! Positions as they are printed in books: black on white, made of paths alone.

use super::board::{BoardLook, Cut, Plan, line_thickness, of_parity};
use super::drawing::{Drawing, Ink};
use super::glyph::{self, Font};
use super::mark::{Mark, corners, em_of_number};
use super::piece::{PieceSet, printed};
use crate::rules::Point;
use crate::table::{Board, GameSheet, Piece, Shape};
use tiny_skia::{Path, PathBuilder, Rect, Transform};

/// Units per cell.
const CELL: u32 = 100;

/// The common parts of all printed positions of a game, drawn once.
pub struct PrintPainter {
    ground: Drawing,
    /// The middle of point (0, 0).
    origin: (f32, f32),
    flipped: bool,
    shape: Shape,
    /// Every kind of piece around the point (0, 0), with the colour of its ground.
    kinds: Vec<(Piece, Drawing, Ink)>,
}

impl PrintPainter {
    /// The painter of a game.
    pub fn new(sheet: &GameSheet, on: &Board, set: PieceSet, look: &BoardLook) -> PrintPainter {
        let plan = Plan::new(on, CELL, look);
        let (left, top, width, height) = plan.body;
        let mut drawn = Drawing::new(width, height);
        for cut in plan.cuts {
            match cut {
                Cut::Groove(x, y, width, height) => drawn.add(rectangle((x, y, width, height)), None, Ink::Black),
                Cut::Line(path, pen, _) => drawn.add(Some(path), pen, Ink::Black),
                Cut::Socket(x, y, radius) => {
                    drawn.add(circle(x, y, radius), None, Ink::White);
                    drawn.add(circle(x, y, radius), Some(2.0), Ink::Black);
                }
                Cut::Label(path) => drawn.add(larger(path), None, Ink::Black),
            }
        }
        let mut ground = Drawing::new(width, height);
        ground.place(&drawn, -left, -top, 1.0);
        let radius = CELL as f32 * on.piece / 2.0;
        let of = |kind: Piece| {
            let (drawing, ink) = printed(sheet, kind, set, radius);
            (kind, drawing, ink)
        };
        let origin = (plan.origin.0 - left, plan.origin.1 - top);
        PrintPainter { ground, origin, flipped: look.flipped, shape: sheet.shape, kinds: sheet.kinds().map(of).collect() }
    }

    /// A position with these marks, and with the numbers of moves on stones.
    pub fn drawing(&self, pieces: &[(Point, Piece)], marks: &[(Mark, Point)], numbers: &[(Point, u32)]) -> Drawing {
        let mut out = self.ground.clone();
        let (above, below): (Vec<_>, Vec<_>) = marks.iter().partition(|(mark, _)| mark.is_above());
        below.into_iter().for_each(|(mark, at)| self.mark(&mut out, mark, at, Ink::White));
        let on = |at: Point| {
            let (_, piece) = pieces.iter().find(|(point, _)| *point == at)?;
            self.kinds.iter().find(|(kind, ..)| kind == piece)
        };
        for (at, _) in pieces {
            let ((x, y), Some((_, drawing, ground))) = (self.at(*at), on(*at)) else { continue };
            out.place(drawing, x, y, 1.0);
            let number = numbers.iter().find(|(point, _)| point == at).filter(|_| matches!(self.shape, Shape::Stone { .. }));
            if let Some((_, number)) = number {
                let (text, diameter) = (number.to_string(), drawing.width);
                let em = em_of_number(&text, diameter);
                out.add(glyph::written(&text, Font::Text, em, x, y + em * 0.365), None, Ink::on(*ground));
            }
        }
        for (mark, at) in above {
            // A number says already which stone is the last.
            if mark != Mark::LastStone || !numbers.iter().any(|(point, _)| *point == at) {
                let ground = on(at).map_or(Ink::White, |(_, _, ground)| *ground);
                self.mark(&mut out, mark, at, ground);
            }
        }
        out
    }

    fn at(&self, point: Point) -> (f32, f32) {
        let cells = CELL as f32 * if self.flipped { -1.0 } else { 1.0 };
        (self.origin.0 + f32::from(point.x) * cells, self.origin.1 - f32::from(point.y) * cells)
    }

    /// Draws a mark of the last move or of check; what else is marked in the window is not printed.
    fn mark(&self, out: &mut Drawing, mark: Mark, at: Point, ground: Ink) {
        let ((x, y), c) = (self.at(at), CELL as f32);
        let mut brackets = |half: f32, arm: f32| {
            let size = of_parity(c * 1.06, line_thickness(CELL) % 2 == 1);
            let (left, top) = (x - size as f32 / 2.0, y - size as f32 / 2.0);
            for (x, y, width, height) in corners(size as i32, c, half, arm, 4.0) {
                let corner = Rect::from_xywh(left + x as f32, top + y as f32, width as f32, height as f32);
                out.add(corner.map(PathBuilder::from_rect), None, Ink::Black);
            }
        };
        match mark {
            Mark::LastMove => brackets(0.485, 0.17),
            Mark::LastDrawn => brackets(0.42, 0.13),
            Mark::LastStone => out.add(circle(x, y, 0.2 * c), Some(0.065 * c), Ink::on(ground)),
            Mark::Check => out.add(circle(x, y, 0.5 * c), Some(3.0), Ink::Black),
            _ => {}
        }
    }
}

/// A label half as large again: a diagram is smaller than a board in the window.
fn larger(path: Path) -> Option<Path> {
    let (seen, scale) = (path.compute_tight_bounds()?, 1.5);
    let middle = |from: f32, to: f32| (from + to) / 2.0 * (1.0 - scale);
    let (x, y) = (middle(seen.left(), seen.right()), middle(seen.top(), seen.bottom()));
    path.transform(Transform::from_row(scale, 0.0, 0.0, scale, x, y))
}

fn circle(x: f32, y: f32, radius: f32) -> Option<Path> {
    PathBuilder::from_circle(x, y, radius)
}

fn rectangle((x, y, width, height): (i32, i32, i32, i32)) -> Option<Path> {
    Rect::from_xywh(x as f32, y as f32, width as f32, height as f32).map(PathBuilder::from_rect)
}
