//! Small composed pictures: a board with pieces for a menu, the window's icon.

use super::board::{BoardLook, Labels, board, board_extent};
use super::canvas::Picture;
use super::colour::Tone;
use super::kinds::{Kinds, kinds};
use super::noise::{length, smooth};
use super::piece::{PieceSet, piece};
use super::shadow::{Height, shadow};
use super::theme::Theme;
use crate::rules::{BySide, Point, Side};
use crate::table::{Board, Coordinates, GameSheet, Grid, Piece, Role, Shape, Text};
use serde::{Deserialize, Serialize};

/// The parts of a small board, for callers that animate the pieces.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parts {
    /// The board without pieces, on a transparent ground of the requested size.
    pub ground: Picture,
    /// The middle of point (0, 0) in pixels from the ground's upper left corner, `y` down.
    pub origin: (f32, f32),
    /// The pixels per cell.
    pub cell: f32,
    /// All kinds of pieces.
    pub pieces: Vec<(Piece, Picture)>,
    /// The shadow under a piece; `None` for games with drawn marks.
    pub shadow: Option<Picture>,
}

impl Parts {
    /// The upper left corner of a picture centred at a place in files and ranks, in pixels from the corner of the ground.
    pub fn corner(&self, picture: &Picture, (x, y): (f32, f32)) -> (f32, f32) {
        let half = picture.width as f32 / 2.0;
        ((self.origin.0 + x * self.cell - half).round(), (self.origin.1 - y * self.cell - half).round())
    }

    /// The board with these pieces.
    pub fn with(&self, pieces: &[(Point, Piece)]) -> Picture {
        let mut table = self.ground.clone();
        let mut lay = |picture: &Picture, point: Point| {
            let (x, y) = self.corner(picture, (f32::from(point.x), f32::from(point.y)));
            table.stamp(picture, x as i32, y as i32);
        };
        if let Some(shadow) = &self.shadow {
            pieces.iter().for_each(|(point, _)| lay(shadow, *point));
        }
        for (point, which) in pieces {
            if let Some((_, picture)) = self.pieces.iter().find(|(piece, _)| piece == which) {
                lay(picture, *point);
            }
        }
        table
    }
}

/// The parts of a board that fits into `width_px` by `height_px`, centred.
pub fn parts(sheet: &GameSheet, on: &Board, theme: &Theme, set: PieceSet, width_px: u32, height_px: u32) -> Parts {
    let (across, down) = board_extent(on);
    let cell = (width_px as f32 / across).min(height_px as f32 / down).floor().max(4.0) as u32;
    let painted = board(on, theme, cell, &BoardLook { flipped: false, labels: Labels::None });
    let Kinds { pieces, shadow } = kinds(sheet, theme, set, painted.diameter(on.piece), |kind| u64::from(kind.role));
    let mut ground = Picture::clear(width_px, height_px);
    let x = (width_px as i32 - painted.picture.width as i32) / 2;
    let y = (height_px as i32 - painted.picture.height as i32) / 2;
    ground.stamp(&painted.picture, x, y);
    let origin = (painted.origin.0 + x as f32, painted.origin.1 + y as f32);
    Parts { ground, origin, cell: painted.cell, pieces, shadow }
}

/// A board with pieces that fits into `width_px` by `height_px`, centred on a transparent ground.
pub fn miniature(
    sheet: &GameSheet,
    on: &Board,
    pieces: &[(Point, Piece)],
    theme: &Theme,
    set: PieceSet,
    width_px: u32,
    height_px: u32,
) -> Picture {
    parts(sheet, on, theme, set, width_px, height_px).with(pieces)
}

/// The window's icon, `size` pixels square: a turned piece on a corner of the board.
pub fn icon(size: u32) -> Picture {
    let size = size.clamp(8, 1024);
    let (_, text) = Theme::builtin()[0];
    let theme = Theme::parse("kaya.theme.ron", text).expect("the themes are part of the program and are tested");
    let sheet = icon_sheet();
    let s = size as f32;
    let mut out = Picture::clear(size, size);
    let field = super::wood::Surface::new(&theme.field, 23, s * 0.5);
    let lines = Tone::from(theme.lines);
    let radius = s * 0.20;
    let thickness = (s * 0.022).round().max(1.0);
    let middle = (s / 2.0).floor() + if thickness as u32 % 2 == 1 { 0.5 } else { 0.0 };
    out.paint(|x, y| {
        let inside = |inset: f32| {
            let qx = (x - s / 2.0).abs() - s / 2.0 + inset + radius;
            let qy = (y - s / 2.0).abs() - s / 2.0 + inset + radius;
            -(length(qx.max(0.0), qy.max(0.0)) + qx.max(qy).min(0.0) - radius)
        };
        let depth = inside(s * 0.02);
        let mut tone = field.at(x / s * 2.0, y / s * 2.0);
        for away in [(x - middle).abs(), (y - middle).abs()] {
            tone = tone.mix(lines, 0.85 * (thickness / 2.0 - away + 0.5).clamp(0.0, 1.0));
        }
        let edge = smooth(s * 0.04, 0.0, depth);
        let facing = if x + y < s { 0.25 } else { -0.30 };
        (tone.lit(edge * facing), (depth + 0.5).clamp(0.0, 1.0))
    });
    // In small icons the piece takes almost the whole area.
    let diameter = (s * (0.76 + 0.16 * smooth(64.0, 24.0, s))) as u32;
    let lay = |out: &mut Picture, picture: &Picture| {
        let corner = ((s - picture.width as f32) / 2.0).round() as i32;
        // Only on the board: the shadow must not extend beyond the icon.
        let mut clipped = picture.clone();
        for y in 0..picture.height {
            for x in 0..picture.width {
                let (px, py) = (x as i32 + corner, y as i32 + corner);
                let at = ((y * picture.width + x) * 4 + 3) as usize;
                if px < 0 || py < 0 || px >= size as i32 || py >= size as i32 || out.pixel(px as u32, py as u32)[3] == 0 {
                    clipped.rgba[at] = 0;
                }
            }
        }
        out.stamp(&clipped, corner, corner);
    };
    lay(&mut out, &shadow(&theme, diameter, Height::Resting));
    lay(&mut out, &piece(&sheet, Piece { side: Side::First, role: 0 }, &theme, PieceSet::Characters, diameter, 3));
    out
}

/// A minimal sheet for the icon's piece.
fn icon_sheet() -> GameSheet {
    let text = || Text { zh: String::new(), en: String::new() };
    GameSheet {
        ratings: Vec::new(),
        draws_by_agreement: false,
        showcase: String::new(),
        name: text(),
        about: text(),
        sides: BySide::from_fn(|_| text()),
        roles: vec![Role {
            key: "general".to_owned(),
            name: text(),
            names: None,
            glyph: BySide::new("帥".to_owned(), "將".to_owned()),
        }],
        shape: Shape::Disc,
        boards: vec![Board {
            files: 2,
            ranks: 2,
            grid: Grid::Lines,
            segments: Vec::new(),
            stars: Vec::new(),
            corners: Vec::new(),
            sockets: false,
            inscriptions: Vec::new(),
            coordinates: Coordinates::Indices,
            piece: 0.9,
        }],
        variants: Vec::new(),
        levels: Vec::new(),
        rules: text(),
        examples: Vec::new(),
        reasons: Default::default(),
        repeated: None,
    }
}
