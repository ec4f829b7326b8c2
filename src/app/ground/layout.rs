//! The layout of the board in the window, in whole pixels.

use crate::paint;
use crate::rules::Point;
use crate::table::Board;
use bevy::prelude::*;

/// The width of the side panel, in logical pixels.
pub const PANEL_WIDTH: f32 = 320.0;
/// Below this window width the panel is folded and opened by a button.
pub const PANEL_FOLDS_BELOW: f32 = 960.0;
/// The smallest distance from the board to the window's edge, in cells.
const MARGIN: f32 = 0.1;

/// The layout. World units are physical pixels, the origin is the window's centre, y is up.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Layout {
    /// The window in physical pixels.
    pub window: Vec2,
    /// Physical pixels per logical pixel.
    pub scale: f32,
    /// Physical pixels between two neighbouring points; an integer.
    pub cell: f32,
    /// World position of the point at the lower left of the screen.
    pub corner: Vec2,
    /// The numbers of files and ranks.
    pub size: (u8, u8),
    /// The second side is at the lower edge.
    pub flipped: bool,
    /// The side panel is folded under a bar (narrow windows).
    pub panel_over: bool,
    /// In a narrow window: the panel is unfolded.
    pub panel_open: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            window: Vec2::new(1280.0, 800.0),
            scale: 1.0,
            cell: 60.0,
            corner: Vec2::ZERO,
            size: (9, 10),
            flipped: false,
            panel_over: false,
            panel_open: false,
        }
    }
}

impl Layout {
    /// World position of a place in files and ranks.
    pub fn place(&self, at: Vec2) -> Vec2 {
        let at = if self.flipped { Vec2::new(f32::from(self.size.0) - 1.0, f32::from(self.size.1) - 1.0) - at } else { at };
        self.corner + at * self.cell
    }

    /// World position of a point.
    pub fn point(&self, point: Point) -> Vec2 {
        self.place(in_cells(point))
    }

    /// The point nearest to a window position (logical pixels from the upper left), if it is on the board.
    pub fn point_under(&self, cursor: Vec2) -> Option<Point> {
        let at = self.cells_under(cursor).round();
        let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < f32::from(self.size.0) && at.y < f32::from(self.size.1);
        inside.then(|| Point::new(at.x as u8, at.y as u8))
    }

    /// Converts a window position to files and ranks.
    pub fn cells_under(&self, cursor: Vec2) -> Vec2 {
        self.cells_at(self.world(cursor))
    }

    /// Converts a world position to files and ranks.
    pub fn cells_at(&self, world: Vec2) -> Vec2 {
        let at = (world - self.corner) / self.cell;
        if self.flipped { Vec2::new(f32::from(self.size.0) - 1.0, f32::from(self.size.1) - 1.0) - at } else { at }
    }

    /// Converts a window position (logical pixels from the upper left) to a world position.
    pub fn world(&self, cursor: Vec2) -> Vec2 {
        let pixels = cursor * self.scale;
        Vec2::new(pixels.x - self.window.x / 2.0, self.window.y / 2.0 - pixels.y)
    }

    /// The window position of a point, in logical pixels from the upper left.
    pub fn cursor_of(&self, point: Point) -> Vec2 {
        let world = self.point(point);
        Vec2::new(world.x + self.window.x / 2.0, self.window.y / 2.0 - world.y) / self.scale
    }

    /// World position of the centre of the points.
    pub fn middle(&self) -> Vec2 {
        self.corner + Vec2::new(f32::from(self.size.0) - 1.0, f32::from(self.size.1) - 1.0) * self.cell / 2.0
    }

    /// The nearest position at which a picture of a piece or a mark is on whole pixels.
    pub fn sharp(&self, place: Vec2) -> Vec2 {
        self.corner + (place - self.corner).round()
    }

    /// The width of the panel, in logical pixels.
    pub fn panel_width(&self) -> f32 {
        if self.panel_over && !self.panel_open { 0.0 } else { PANEL_WIDTH }
    }
}

/// A point in files and ranks.
pub fn in_cells(point: Point) -> Vec2 {
    Vec2::new(f32::from(point.x), f32::from(point.y))
}

/// The height of the bar above the board in a narrow window, in logical pixels.
const BAR: f32 = 48.0;

impl Layout {
    /// The layout of this board in a window of this size in physical pixels.
    pub fn fitted(&self, window: Vec2, scale: f32, board: &Board) -> Layout {
        let mut next = Layout { window, scale, size: (board.files, board.ranks), ..self.clone() };
        let logical = window / scale;
        next.panel_over = logical.x < PANEL_FOLDS_BELOW;
        let top = if next.panel_over { BAR } else { 0.0 };
        let space = Vec2::new(logical.x - next.panel_width(), logical.y - top) * scale;
        let (wide, high) = paint::board_extent(board);
        let cell = (space.x / (wide + 2.0 * MARGIN)).min(space.y / (high + 2.0 * MARGIN)).floor().clamp(8.0, 400.0);
        next.cell = cell;
        // The board is centred in the space for it.
        let middle = Vec2::new(space.x / 2.0 - window.x / 2.0, window.y / 2.0 - top * scale - space.y / 2.0);
        let span = Vec2::new(f32::from(board.files) - 1.0, f32::from(board.ranks) - 1.0) * cell;
        // Points are at the crossings of the drawn lines: at the centre of a pixel or between two.
        let inside = if paint::points_fall_inside_pixels(cell as u32) { 0.5 } else { 0.0 };
        let odd = (window / 2.0).fract() + inside;
        next.corner = (middle - span / 2.0 - odd).round() + odd;
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_points_agree() {
        for flipped in [false, true] {
            let layout = Layout { flipped, corner: Vec2::new(-240.5, -270.5), scale: 1.5, ..Layout::default() };
            for x in 0..9 {
                for y in 0..10 {
                    let point = Point::new(x, y);
                    assert_eq!(layout.point_under(layout.cursor_of(point)), Some(point));
                }
            }
            assert_eq!(layout.point_under(Vec2::ZERO), None);
        }
    }
}
