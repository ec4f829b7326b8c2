//! The part of a tree that is seen: how wide its columns and how high its rows are, and where it begins.

use bevy_egui::egui;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// The widest columns, in logical pixels.
const WIDEST: f32 = 132.0;
/// The lowest and the highest rows.
const LOWEST: f32 = 58.0;
const HIGHEST: f32 = 150.0;
/// Space above the first row, and on both sides of the tree.
const TOP: f32 = 34.0;
const SIDES: f32 = 30.0;
/// The seconds in which the view has gone nine tenths of its way.
const GLIDE: f32 = 0.16;

/// The view of a tree in a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Pixels of a column.
    pub column: f32,
    /// The column in the middle of the view, and the pixels by which the rows are moved up.
    pub middle: f32,
    pub up: f32,
}

/// The size of a tree: columns from the first to the last node, and rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub columns: f32,
    pub rows: usize,
}

impl Camera {
    /// The whole tree, with the widest columns that allow it.
    pub fn whole(rect: Rect, extent: Extent) -> Camera {
        let column = ((rect.width() - 2.0 * SIDES) / extent.columns.max(1.0)).clamp(0.0005, WIDEST);
        Camera { column, middle: extent.columns / 2.0, up: 0.0 }
    }

    /// The height of a row.
    pub fn row(&self, rect: Rect, extent: Extent) -> f32 {
        let even = (rect.height() - TOP - 20.0) / extent.rows.max(1) as f32;
        even.clamp(LOWEST, HIGHEST)
    }

    /// Where a place of the tree is on the screen.
    pub fn at(&self, rect: Rect, extent: Extent, column: f32, row: f32) -> Pos2 {
        pos2(rect.center().x + (column - self.middle) * self.column, rect.top() + TOP - self.up + row * self.row(rect, extent))
    }

    /// The column at a place on the screen.
    pub fn column_at(&self, rect: Rect, x: f32) -> f32 {
        self.middle + (x - rect.center().x) / self.column
    }

    /// The row at a place on the screen, which may be none of the tree's.
    pub fn row_at(&self, rect: Rect, extent: Extent, y: f32) -> f32 {
        (y - rect.top() - TOP + self.up) / self.row(rect, extent)
    }

    /// Makes the columns so many times as wide; the place under the pointer stays.
    pub fn zoom(&mut self, rect: Rect, extent: Extent, factor: f32, at: Pos2) {
        let column = self.column_at(rect, at.x);
        let row = self.row_at(rect, extent, at.y);
        let least = Camera::whole(rect, extent).column.min(WIDEST);
        self.column = (self.column * factor).clamp(least, WIDEST);
        self.middle = column - (at.x - rect.center().x) / self.column;
        self.up += (row - self.row_at(rect, extent, at.y)) * self.row(rect, extent);
        self.hold(rect, extent);
    }

    /// Moves the tree by so many pixels.
    pub fn pan(&mut self, rect: Rect, extent: Extent, by: Vec2) {
        self.middle -= by.x / self.column;
        self.up -= by.y;
        self.hold(rect, extent);
    }

    /// Brings a node into the view, with some space around it.
    pub fn reveal(&mut self, rect: Rect, extent: Extent, column: f32, row: f32) {
        let place = self.at(rect, extent, column, row);
        let space = rect.shrink2(vec2((rect.width() * 0.3).min(220.0), (rect.height() * 0.25).min(110.0)));
        let away = place - space.clamp(place);
        self.pan(rect, extent, -away);
    }

    /// The tree stays in the view.
    pub fn hold(&mut self, rect: Rect, extent: Extent) {
        let half = (rect.width() / 2.0 - SIDES) / self.column;
        self.middle =
            if 2.0 * half >= extent.columns { extent.columns / 2.0 } else { self.middle.clamp(half, extent.columns - half) };
        let below = TOP + self.row(rect, extent) * extent.rows as f32 - rect.height() + 4.0;
        self.up = self.up.clamp(0.0, below.max(0.0));
    }

    /// Comes nearer to another view in so many seconds; true while it is not there.
    pub fn approach(&mut self, to: Camera, seconds: f32) -> bool {
        let part = 1.0 - 0.1_f32.powf(seconds / GLIDE);
        let pixels = ((to.middle - self.middle) * to.column).abs() + (to.up - self.up).abs();
        let ratio = (to.column / self.column).ln().abs();
        if pixels < 0.5 && ratio < 0.002 || seconds <= 0.0 {
            *self = to;
            return false;
        }
        self.column *= (to.column / self.column).powf(part);
        self.middle += (to.middle - self.middle) * part;
        self.up += (to.up - self.up) * part;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: Rect = Rect { min: Pos2 { x: 40.0, y: 20.0 }, max: Pos2 { x: 840.0, y: 620.0 } };
    const TREE: Extent = Extent { columns: 4000.0, rows: 5 };

    #[test]
    fn the_place_under_the_pointer_stays_when_the_view_is_zoomed() {
        let mut camera = Camera::whole(RECT, TREE);
        let at = pos2(500.0, 300.0);
        for factor in [8.0, 20.0, 0.5] {
            let column = camera.column_at(RECT, at.x);
            camera.zoom(RECT, TREE, factor, at);
            assert!((camera.column_at(RECT, at.x) - column).abs() * camera.column < 1.0, "{factor}");
        }
        // No further out than the whole tree.
        camera.zoom(RECT, TREE, 1e-6, at);
        assert_eq!(camera.column, Camera::whole(RECT, TREE).column);
        assert!((camera.middle - 2000.0).abs() < 0.01);
    }

    #[test]
    fn a_node_that_is_revealed_is_seen() {
        let mut camera = Camera { column: 60.0, ..Camera::whole(RECT, TREE) };
        for (column, row) in [(3000.0, 4.0), (0.0, 0.0), (4000.0, 4.0)] {
            camera.reveal(RECT, TREE, column, row);
            let place = camera.at(RECT, TREE, column, row);
            assert!(RECT.contains(place), "{column} {row}: {place:?}");
        }
    }

    #[test]
    fn a_glide_ends() {
        let mut camera = Camera { column: 60.0, middle: 10.0, up: 0.0 };
        let to = Camera { column: 20.0, middle: 900.0, up: 40.0 };
        let frames = (0..400).take_while(|_| camera.approach(to, 0.016)).count();
        assert!(frames < 120, "{frames}");
        assert_eq!(camera, to);
    }
}
