//! The layout of the board in the window, in whole pixels.

use crate::paint;
use crate::rules::Point;
use crate::table::Board;
use bevy::prelude::*;

/// Width of the side panel, in pixels of the interface, and the widest it grows to.
const PANEL_WIDTH: f32 = 320.0;
const PANEL_WIDEST: f32 = 560.0;
/// Below this window width, in pixels of the interface, the panel folds under a button.
pub const PANEL_FOLDS_BELOW: f32 = 960.0;
/// From this window width on, in logical pixels, the panel has this part of it.
const WIDE: (f32, f32) = (1600.0, 0.26);
/// From so many logical pixels of width on the type is so many times as large.
const STEPS: [(f32, f32); 2] = [(2200.0, 1.25), (1600.0, 1.15)];
/// The smallest window the interface is made for, in its own pixels.
const SMALLEST: Vec2 = Vec2::new(640.0, 480.0);
/// The smallest distance from the board to the window's edge, in cells.
const MARGIN: f32 = 0.1;

/// The layout. World units are physical pixels, the origin is the window's centre, y is up.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Layout {
    /// The window in physical pixels.
    pub window: Vec2,
    /// Physical pixels per logical pixel.
    pub scale: f32,
    /// Logical pixels in a pixel of the interface: the size of its type.
    pub zoom: f32,
    /// Width of the side panel, in pixels of the interface.
    pub panel: f32,
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
            zoom: 1.0,
            panel: PANEL_WIDTH,
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

    /// Width of the window taken by the panel, in pixels of the interface.
    pub fn panel_width(&self) -> f32 {
        if self.panel_over && !self.panel_open { 0.0 } else { self.panel }
    }

    /// Where a point lies in the interface, in its pixels from the upper left.
    pub fn interface_place(&self, point: Point) -> Vec2 {
        self.cursor_of(point) / self.zoom
    }

    /// Pixels of the interface between two neighbouring points.
    pub fn interface_cell(&self) -> f32 {
        self.cell / self.scale / self.zoom
    }

    /// The size of the interface's type in a window, where the player wants it `text_size` times as large as usual: larger in a wide window,
    /// and never so large that a window holds less than the smallest one does.
    fn zoom_of(logical: Vec2, text_size: f32) -> f32 {
        let step = STEPS.iter().find(|(from, _)| logical.x >= *from).map_or(1.0, |(_, step)| *step);
        let most = (logical / SMALLEST).min_element().max(1.0);
        (text_size * step).min(most)
    }

    /// Fits the interface to a window of so many physical pixels.
    pub fn fit_interface(&mut self, window: Vec2, scale: f32, text_size: f32) {
        let logical = window / scale;
        self.zoom = Layout::zoom_of(logical, text_size);
        let part = if logical.x >= WIDE.0 { logical.x * WIDE.1 / self.zoom } else { PANEL_WIDTH };
        self.panel = part.clamp(PANEL_WIDTH, PANEL_WIDEST).round();
        self.panel_over = logical.x / self.zoom < PANEL_FOLDS_BELOW;
    }
}

/// A point in files and ranks.
pub fn in_cells(point: Point) -> Vec2 {
    Vec2::new(f32::from(point.x), f32::from(point.y))
}

/// Height of the bar above the board in a narrow window, in pixels of the interface.
pub const BAR: f32 = 48.0;

impl Layout {
    /// The layout of this board in a window of so many physical pixels. [`fit_interface`](Layout::fit_interface) comes first.
    pub fn fitted(&self, window: Vec2, scale: f32, board: &Board) -> Layout {
        let mut next = Layout { window, scale, size: (board.files, board.ranks), ..self.clone() };
        let logical = window / scale;
        let top = if next.panel_over { BAR * next.zoom } else { 0.0 };
        let space = Vec2::new(logical.x - next.panel_width() * next.zoom, logical.y - top) * scale;
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

    #[test]
    fn panel_and_type_grow_with_the_window() {
        let fitted = |width: f32, height: f32, text: f32| {
            let mut layout = Layout::default();
            layout.fit_interface(Vec2::new(width, height) * 2.0, 2.0, text);
            (layout.zoom, layout.panel * layout.zoom, layout.panel_over)
        };
        assert_eq!(fitted(1280.0, 800.0, 1.0), (1.0, 320.0, false));
        assert_eq!(fitted(900.0, 700.0, 1.0), (1.0, 320.0, true));
        let (zoom, panel, _) = fitted(1920.0, 1080.0, 1.0);
        assert!(zoom > 1.0 && (panel - 0.26 * 1920.0).abs() < 2.0, "{zoom} {panel}");
        assert!(fitted(2560.0, 1440.0, 1.0).0 > zoom);
        // The player's own size comes on top, as far as the window has room for it.
        assert_eq!(fitted(1280.0, 800.0, 1.6).0, 1.6);
        assert!(fitted(1280.0, 800.0, 1.6).2, "the panel folds where the type is large");
        assert_eq!(fitted(640.0, 480.0, 1.6).0, 1.0);
        assert_eq!(fitted(640.0, 480.0, 0.8).0, 0.8);
    }
}
