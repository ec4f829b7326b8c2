//! Where the board lies, for what the interface draws on it and beside it.

use crate::app::layout::Layout;
use crate::app::play::CurrentMatch;
use bevy_egui::egui;
use egui::{Pos2, Rect, pos2, vec2};
use qiju_core::paint;
use qiju_core::rules::Point;

/// What the painter leaves free around the body of a board on both sides together, in cells.
const FREE: f32 = 0.7;

/// A point of the board in the interface.
pub fn point(layout: &Layout, point: Point) -> Pos2 {
    let at = layout.interface_place(point);
    pos2(at.x, at.y)
}

/// What the panel and the bar leave to the board.
pub fn space(layout: &Layout) -> Rect {
    let space = layout.board_space();
    Rect::from_min_max(pos2(space.min.x, space.min.y), pos2(space.max.x, space.max.y))
}

/// The body of the board, without the space left free around it.
pub fn body(layout: &Layout, current: &CurrentMatch) -> Option<Rect> {
    let board = current.game().sheet.board(current.table().size())?;
    let (wide, high) = paint::board_extent(board);
    let far = Point::new(board.files - 1, board.ranks - 1);
    let middle = point(layout, Point::new(0, 0)).lerp(point(layout, far), 0.5);
    Some(Rect::from_center_size(middle, vec2(wide - FREE, high - FREE) * layout.interface_cell()))
}
