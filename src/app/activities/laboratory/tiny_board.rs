//! A board with its pieces, so small that it fits into a node.

use super::shared::Page;
use crate::ui::style::colour;
use bevy_egui::egui;
use egui::{Painter, Rect, Stroke, pos2, vec2};
use qiju_core::rules::{Point, Side};
use qiju_core::table::{Board, Grid, Piece, Shape as PieceShape};

/// A small drawing of a board with its pieces.
pub fn tiny_board(
    painter: &Painter,
    rect: Rect,
    page: &Page,
    board: &Board,
    pieces: &[(Point, Piece)],
    last: Option<Point>,
    strength: f32,
) {
    let theme = &page.palette.theme;
    let field = colour(theme.field.light).gamma_multiply(strength);
    painter.rect_filled(rect, 3.0, field);
    let cells = board.grid == Grid::Cells;
    let (files, ranks) = (f32::from(board.files), f32::from(board.ranks));
    let cell = rect.width() / files.max(ranks);
    let corner = rect.center() - vec2(files, ranks) * cell / 2.0;
    let line = Stroke::new(1.0, colour(theme.lines).gamma_multiply(0.8 * strength));
    let at =
        |point: Point| pos2(corner.x + (f32::from(point.x) + 0.5) * cell, corner.y + (ranks - 0.5 - f32::from(point.y)) * cell);
    let inset = if cells { 0.0 } else { 0.5 };
    let (columns, rows) = if cells { (1..board.files, 1..board.ranks) } else { (0..board.files, 0..board.ranks) };
    for file in columns {
        let x = corner.x + (f32::from(file) + inset) * cell;
        painter.line_segment([pos2(x, corner.y + inset * cell), pos2(x, corner.y + (ranks - inset) * cell)], line);
    }
    for rank in rows {
        let y = corner.y + (f32::from(rank) + inset) * cell;
        painter.line_segment([pos2(corner.x + inset * cell, y), pos2(corner.x + (files - inset) * cell, y)], line);
    }
    if let Some(point) = last {
        let square = Rect::from_center_size(at(point), vec2(cell, cell) * 0.92);
        painter.rect_filled(square, 2.0, page.palette.accent().gamma_multiply(0.28 * strength));
    }
    for (point, piece) in pieces {
        let (middle, tone) = (at(*point), page.tone(piece.side).gamma_multiply(strength));
        let radius = cell * 0.34;
        match (page.game.sheet.shape, piece.side) {
            (PieceShape::Mark, Side::First) => {
                let stroke = Stroke::new((cell * 0.12).max(1.5), tone);
                painter.line_segment([middle + vec2(-radius, -radius) * 0.8, middle + vec2(radius, radius) * 0.8], stroke);
                painter.line_segment([middle + vec2(radius, -radius) * 0.8, middle + vec2(-radius, radius) * 0.8], stroke);
            }
            (PieceShape::Mark, Side::Second) => {
                painter.circle_stroke(middle, radius * 0.85, Stroke::new((cell * 0.12).max(1.5), tone));
            }
            _ => {
                painter.circle(middle, cell * 0.4, tone, Stroke::new(0.8, page.palette.dim()));
            }
        }
    }
}
