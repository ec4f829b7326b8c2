//! A position as one picture: board, pieces and the marks of the last move on the desk, as in the window.

use super::board::{BoardLook, board, board_extent};
use super::canvas::Picture;
use super::desk::desk;
use super::kinds::{Kinds, kinds};
use super::mark::{Mark, mark};
use super::piece::PieceSet;
use super::theme::Theme;
use crate::rules::Point;
use crate::table::{Board, GameSheet, Piece, Shape};

/// The smallest and the largest side of a picture, in pixels.
pub const SIZES: std::ops::RangeInclusive<u32> = 64..=4096;

/// The common parts of all pictures of a game, drawn once.
pub struct Scene {
    ground: Picture,
    origin: (f32, f32),
    cell: f32,
    flipped: bool,
    shape: Shape,
    pieces: Vec<(Piece, Picture)>,
    shadow: Option<Picture>,
    last_move: Picture,
    last_stone: Picture,
    check: Picture,
}

impl Scene {
    /// The scene of a game; the longer side of its pictures has `size_px` pixels, within [`SIZES`].
    pub fn new(sheet: &GameSheet, on: &Board, theme: &Theme, set: PieceSet, look: &BoardLook, size_px: u32) -> Scene {
        let size = size_px.clamp(*SIZES.start(), *SIZES.end());
        let (across, down) = board_extent(on);
        let scale = size as f32 / across.max(down);
        let cell = scale.floor().max(4.0) as u32;
        let painted = board(on, theme, cell, look);
        let length = |cells: f32| ((cells * scale).round() as u32).min(size);
        let (width, height) = (length(across), length(down));
        let mut ground = desk(theme, width, height);
        let x = (width as i32 - painted.picture.width as i32) / 2;
        let y = (height as i32 - painted.picture.height as i32) / 2;
        lay(&mut ground, &painted.picture, x, y);
        let Kinds { pieces, shadow } = kinds(sheet, theme, set, painted.diameter(on.piece), |kind| u64::from(kind.role));
        Scene {
            ground,
            origin: (painted.origin.0 + x as f32, painted.origin.1 + y as f32),
            cell: painted.cell,
            flipped: painted.flipped,
            shape: sheet.shape,
            pieces,
            shadow,
            last_move: mark(Mark::LastMove, theme, cell),
            last_stone: mark(if sheet.shape == Shape::Mark { Mark::LastDrawn } else { Mark::LastStone }, theme, cell),
            check: mark(Mark::Check, theme, cell),
        }
    }

    /// The picture of a position. `last` are the points of the last move; `check` is the general in check.
    pub fn picture(&self, pieces: &[(Point, Piece)], last: &[Point], check: Option<Point>) -> Picture {
        let mut out = self.ground.clone();
        let moved = last.len() > 1;
        for point in last.iter().filter(|_| moved) {
            self.centre(&mut out, &self.last_move, *point);
        }
        if let Some(point) = check {
            self.centre(&mut out, &self.check, point);
        }
        if let Some(dark) = &self.shadow {
            pieces.iter().for_each(|(point, _)| self.centre(&mut out, dark, *point));
        }
        for (point, which) in pieces {
            if let Some((_, picture)) = self.pieces.iter().find(|(piece, _)| piece == which) {
                self.centre(&mut out, picture, *point);
            }
        }
        for point in last.iter().filter(|_| !moved && self.shape != Shape::Disc) {
            self.centre(&mut out, &self.last_stone, *point);
        }
        out
    }

    /// Draws a picture centred on a point.
    fn centre(&self, out: &mut Picture, picture: &Picture, point: Point) {
        let cells = self.cell * if self.flipped { -1.0 } else { 1.0 };
        let (x, y) = (self.origin.0 + f32::from(point.x) * cells, self.origin.1 - f32::from(point.y) * cells);
        let corner = |middle: f32, length: u32| (middle - length as f32 / 2.0).round() as i32;
        lay(out, picture, corner(x, picture.width), corner(y, picture.height));
    }
}

/// Blends a picture over another in linear light, like the window.
fn lay(out: &mut Picture, picture: &Picture, left: i32, top: i32) {
    let light = |byte: u8| (f32::from(byte) / 255.0).powf(2.2);
    for y in 0..picture.height {
        for x in 0..picture.width {
            let (gx, gy) = (left + x as i32, top + y as i32);
            let [r, g, b, a] = picture.pixel(x, y);
            if a == 0 || gx < 0 || gy < 0 || gx >= out.width as i32 || gy >= out.height as i32 {
                continue;
            }
            let at = (gy as usize * out.width as usize + gx as usize) * 4;
            if a == 255 {
                out.rgba[at..at + 3].copy_from_slice(&[r, g, b]);
                continue;
            }
            let alpha = f32::from(a) / 255.0;
            for (i, byte) in [r, g, b].into_iter().enumerate() {
                let mixed = light(byte) * alpha + light(out.rgba[at + i]) * (1.0 - alpha);
                out.rgba[at + i] = (mixed.powf(1.0 / 2.2) * 255.0 + 0.5) as u8;
            }
        }
    }
}
