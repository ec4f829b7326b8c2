//! The layout of the board in the window, in whole pixels.

use bevy::prelude::*;
use qiju_core::paint;
use qiju_core::rules::Point;
use qiju_core::rules::Side;
use qiju_core::table::Board;

/// Width of the side panel, in pixels of the interface, and the widest it grows to.
const PANEL_WIDTH: f32 = 320.0;
const PANEL_WIDEST: f32 = 560.0;
/// Below this window width, in pixels of the interface, the panel folds under a button.
pub const PANEL_FOLDS_BELOW: f32 = 960.0;
/// From this window width on, in logical pixels, the panel has this part of it.
const WIDE: (f32, f32) = (1600.0, 0.26);
/// From so many logical pixels of width on the type is so many times as large.
const STEPS: [(f32, f32); 2] = [(2200.0, 1.25), (1600.0, 1.15)];
/// The smallest window with the panel beside the board or under a button, in pixels of the interface.
const SMALLEST: Vec2 = Vec2::new(640.0, 480.0);
/// The smallest upright window: the panel lies below the board.
const UPRIGHT: Vec2 = Vec2::new(360.0, 640.0);
/// The smallest lying window: the panel has what the board leaves free beside it.
const LYING: Vec2 = Vec2::new(640.0, 360.0);
/// The smallest window, in logical pixels. Where it has less than the interface is made for, everything is drawn smaller.
pub const SMALLEST_WINDOW: (u32, u32) = (360, 360);
/// The least height of the panel below the board, in pixels of the interface, and the part of the window it has when it is drawn up.
const SHEET: (f32, f32) = (196.0, 0.68);
/// The smallest distance from the board to the window's edge, in cells.
const MARGIN: f32 = 0.1;

/// Where the panel is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Beside the board.
    #[default]
    Beside,
    /// Folded under a bar (narrow windows); unfolded it is beside the board.
    Folded,
    /// Below the board, in two heights (a telephone that is held upright).
    Upright,
    /// Beside the board in a low window (a telephone that lies): it has little height and scrolls.
    Lying,
}

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
    /// The board is turned: the second side's end of it is at the lower edge.
    pub flipped: bool,
    /// The side whose seat is at the lower edge. A board of stones, which has no ends, need not be turned for it.
    pub below: Side,
    /// Where the panel is.
    pub shape: Shape,
    /// The panel is unfolded, in a folding window, or shows all it has, on a telephone.
    pub panel_open: bool,
    /// The height of the panel below the board in an upright window, in pixels of the interface.
    pub sheet: f32,
    /// What is pressed is made for fingers.
    pub fingers: bool,
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
            below: Side::First,
            shape: Shape::Beside,
            panel_open: false,
            sheet: SHEET.0,
            fingers: false,
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

    /// The window in pixels of the interface.
    pub fn interface(&self) -> Vec2 {
        self.window / self.scale / self.zoom
    }

    /// True for the shapes of a telephone, which have a panel of their own.
    pub fn is_small(&self) -> bool {
        matches!(self.shape, Shape::Upright | Shape::Lying)
    }

    /// True if the unfolded panel takes room from the board.
    pub fn panel_takes_room(&self) -> bool {
        matches!(self.shape, Shape::Folded | Shape::Upright) && self.panel_open
    }

    /// The panel's place in the interface, in its pixels from the upper left; empty while it is folded.
    pub fn panel_place(&self) -> Rect {
        let window = self.interface();
        match self.shape {
            Shape::Beside | Shape::Lying => Rect::new(window.x - self.panel, 0.0, window.x, window.y),
            Shape::Folded if self.panel_open => Rect::new(window.x - self.panel, 0.0, window.x, window.y),
            Shape::Folded => Rect::new(window.x, 0.0, window.x, window.y),
            Shape::Upright => Rect::new(0.0, window.y - self.sheet, window.x, window.y),
        }
    }

    /// What the panel and the bar leave to the board, likewise.
    pub fn board_space(&self) -> Rect {
        let (window, panel) = (self.interface(), self.panel_place());
        match self.shape {
            Shape::Beside | Shape::Lying => Rect::new(0.0, 0.0, panel.min.x, window.y),
            Shape::Folded => Rect::new(0.0, BAR, panel.min.x, window.y),
            Shape::Upright => Rect::new(0.0, 0.0, window.x, panel.min.y),
        }
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
        let holds = |smallest: Vec2| (logical / smallest).min_element();
        let most = match holds(SMALLEST) {
            most if most >= 1.0 => most,
            _ => holds(UPRIGHT).max(holds(LYING)),
        };
        (text_size * step).min(most)
    }

    /// Where the panel is in a window of so many pixels of the interface.
    fn shape_of(interface: Vec2) -> Shape {
        // Sizes are quotients: a window that has just enough may be a hair too small.
        let window = interface + 0.01;
        match () {
            () if window.x < SMALLEST.x => Shape::Upright,
            () if window.y < SMALLEST.y => Shape::Lying,
            () if interface.x < PANEL_FOLDS_BELOW => Shape::Folded,
            () => Shape::Beside,
        }
    }

    /// Fits the interface to a window of so many physical pixels. `touched`: fingers are used.
    pub fn fit_interface(&mut self, window: Vec2, scale: f32, text_size: f32, touched: bool) {
        let logical = window / scale;
        self.zoom = Layout::zoom_of(logical, text_size);
        let interface = logical / self.zoom;
        self.shape = Layout::shape_of(interface);
        let part = if logical.x >= WIDE.0 { logical.x * WIDE.1 / self.zoom } else { PANEL_WIDTH };
        self.panel = part.clamp(PANEL_WIDTH, PANEL_WIDEST).round();
        if self.shape == Shape::Upright {
            (self.panel, self.sheet) = (interface.x, (interface.y - interface.x).max(SHEET.0));
        }
        self.fingers = touched || self.is_small();
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
        let (wide, high) = paint::board_extent(board);
        let extent = Vec2::new(wide, high) + 2.0 * MARGIN;
        next.leave_to_the_panel(extent);
        let pixels = next.zoom * scale;
        let free = next.board_space();
        let (top, space) = (free.min.y * pixels, free.size() * pixels);
        let cell = (space / extent).min_element().floor().clamp(8.0, 400.0);
        next.cell = cell;
        // The board is centred in the space for it.
        let middle = Vec2::new(space.x / 2.0 - window.x / 2.0, window.y / 2.0 - top - space.y / 2.0);
        let span = Vec2::new(f32::from(board.files) - 1.0, f32::from(board.ranks) - 1.0) * cell;
        // Points are at the crossings of the drawn lines: at the centre of a pixel or between two.
        let inside = if paint::points_fall_inside_pixels(cell as u32) { 0.5 } else { 0.0 };
        let odd = (window / 2.0).fract() + inside;
        next.corner = (middle - span / 2.0 - odd).round() + odd;
        next
    }

    /// On a telephone the panel has what a board of this extent, in cells, leaves free when it is as wide or as high as the window.
    fn leave_to_the_panel(&mut self, extent: Vec2) {
        let window = self.interface();
        match self.shape {
            Shape::Upright => {
                let left = (window.y - window.x * extent.y / extent.x).clamp(SHEET.0, window.y - SHEET.0);
                let drawn_up = (window.y * SHEET.1).max(left);
                self.sheet = if self.panel_open { drawn_up } else { left }.round();
            }
            Shape::Lying => {
                // With room for the bar beside the board.
                let left = window.x - window.y * extent.x / extent.y - 24.0;
                self.panel = left.clamp(PANEL_WIDTH, PANEL_WIDEST).floor();
            }
            Shape::Beside | Shape::Folded => {}
        }
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
            layout.fit_interface(Vec2::new(width, height) * 2.0, 2.0, text, false);
            (layout.zoom, layout.panel * layout.zoom, layout.shape)
        };
        assert_eq!(fitted(1280.0, 800.0, 1.0), (1.0, 320.0, Shape::Beside));
        assert_eq!(fitted(900.0, 700.0, 1.0), (1.0, 320.0, Shape::Folded));
        let (zoom, panel, _) = fitted(1920.0, 1080.0, 1.0);
        assert!(zoom > 1.0 && (panel - 0.26 * 1920.0).abs() < 2.0, "{zoom} {panel}");
        assert!(fitted(2560.0, 1440.0, 1.0).0 > zoom);
        // The player's own size comes on top, as far as the window has room for it.
        assert_eq!(fitted(1280.0, 800.0, 1.6).0, 1.6);
        assert_eq!(fitted(1280.0, 800.0, 1.6).2, Shape::Folded, "the panel folds where the type is large");
        assert_eq!(fitted(640.0, 480.0, 1.6).0, 1.0);
        assert_eq!(fitted(640.0, 480.0, 0.8).0, 0.8);
    }

    /// The boards of all games, xiangqi's first.
    fn boards() -> Vec<Board> {
        let (library, _) = crate::app::ground::library::Library::read();
        let board = |game: &crate::app::ground::library::LibraryGame| {
            let table = game.entry.table(&qiju_core::table::Setup::default()).unwrap();
            game.sheet.board(table.size()).unwrap().clone()
        };
        let mut boards: Vec<Board> = library.games.iter().map(board).collect();
        boards.sort_by_key(|board| board.ranks != 10);
        boards
    }

    #[test]
    fn every_window_has_room_for_the_interface_and_the_board() {
        let boards = boards();
        let mut seen = Vec::new();
        for (width, height) in
            (360..=2600).step_by(70).flat_map(|width| (360..=1500).step_by(70).map(move |height| (width, height)))
        {
            for (text, scale) in [(0.8, 1.0), (1.0, 1.0), (1.0, 3.0), (1.6, 1.5)] {
                let window = Vec2::new(width as f32, height as f32) * scale;
                for (board, open) in boards.iter().flat_map(|board| [(board, false), (board, true)]) {
                    let mut layout = Layout { window, scale, panel_open: open, ..Layout::default() };
                    layout.fit_interface(window, scale, text, false);
                    let layout = layout.fitted(window, scale, board);
                    let (inside, what) = (layout.interface() + 0.1, format!("{width}x{height}@{scale} {text}: {layout:?}"));
                    let least = match layout.shape {
                        Shape::Upright => UPRIGHT,
                        Shape::Lying => LYING,
                        Shape::Folded | Shape::Beside => SMALLEST,
                    };
                    assert!(inside.cmpge(least).all(), "{what}");
                    let (panel, space) = (layout.panel_place(), layout.board_space());
                    assert!(panel.width() == 0.0 || panel.width() >= 319.9, "{what}");
                    assert!(panel.height() >= SHEET.0 - 1.0 && space.width() > 150.0 && space.height() > 150.0, "{what}");
                    // The whole board lies in its space.
                    let (low, high) = (
                        layout.interface_place(Point::new(0, 0)),
                        layout.interface_place(Point::new(board.files - 1, board.ranks - 1)),
                    );
                    assert!(space.contains(low) && space.contains(high), "{what}");
                    seen.push(layout.shape);
                }
            }
        }
        for shape in [Shape::Beside, Shape::Folded, Shape::Upright, Shape::Lying] {
            assert!(seen.contains(&shape), "{shape:?}");
        }
    }

    #[test]
    fn a_telephone_has_a_board_as_large_as_it_can_be() {
        let fitted = |width: f32, height: f32, open: bool| {
            let window = Vec2::new(width, height) * 3.0;
            let mut layout = Layout { window, scale: 3.0, panel_open: open, ..Layout::default() };
            layout.fit_interface(window, 3.0, 1.0, false);
            layout.fitted(window, 3.0, &boards()[0])
        };
        let (wide, high) = paint::board_extent(&boards()[0]);
        let fills = |cells: f32, layout: &Layout| (cells + 2.0 * MARGIN) * layout.interface_cell() > 0.98 * 390.0;
        let upright = fitted(390.0, 844.0, false);
        assert_eq!((upright.shape, upright.zoom, upright.fingers), (Shape::Upright, 1.0, true));
        assert!(fills(wide, &upright), "as wide as the window: {upright:?}");
        let up = fitted(390.0, 844.0, true);
        assert!(up.sheet > upright.sheet && up.cell < upright.cell, "drawn up: {up:?}");
        let lying = fitted(844.0, 390.0, false);
        assert_eq!((lying.shape, lying.zoom, lying.fingers), (Shape::Lying, 1.0, true));
        assert!(fills(high, &lying) && lying.panel > 400.0, "as high as the window: {lying:?}");
        assert_eq!(fitted(1024.0, 1366.0, false).shape, Shape::Beside);
    }
}
