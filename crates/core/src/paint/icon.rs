//! The window's icon.

use super::canvas::Picture;
use super::colour::Tone;
use super::noise::{length, smooth};
use super::piece::{PieceSet, piece};
use super::shadow::{Height, shadow};
use super::theme::Theme;
use crate::rules::{BySide, Side};
use crate::table::{Board, Coordinates, GameSheet, Grid, Piece, Role, Shape, Text};

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
        manners: Vec::new(),
        rules: text(),
        examples: Vec::new(),
        themes: Vec::new(),
        handicaps: Vec::new(),
        reasons: Default::default(),
        repeated: None,
    }
}
