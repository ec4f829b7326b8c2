//! Boards in the interface: that of the editor, examples, lessons, small boards and still boards. All are drawn here, with the textures of
//! the one store.

use super::board_place;
use super::style::Palette;
use super::widgets::faded;
use crate::app::background::WakeHandles;
use crate::app::layout::{Layout, in_cells};
use crate::app::library::LibraryGame;
use crate::app::settings::Settings;
use crate::app::view::{BoardOrder, BoardSet, BoardTextures, Pose, Texture, Use};
use bevy::ecs::system::SystemParam;
use bevy::prelude::{Res, ResMut, Vec2};
use bevy_egui::egui;
use egui::emath::GuiRounding;
use egui::{Painter, Pos2, Rect, pos2, vec2};
use qiju_core::paint::{BoardLook, Labels, Mark, PieceSet, board_extent};
use qiju_core::rules::Point;
use qiju_core::table::Piece;
use std::sync::Arc;

/// The least pixels per cell of a board that is painted in the size in which it is shown.
const LEAST_CELL: f32 = 10.0;

/// Where boards of any game come from.
#[derive(SystemParam)]
pub struct Boards<'w> {
    textures: ResMut<'w, BoardTextures>,
    wake: WakeHandles<'w>,
    palette: Res<'w, Palette>,
    settings: Res<'w, Settings>,
}

impl Boards<'_> {
    fn get(&mut self, game: &LibraryGame, size: (u8, u8), cell: u32, labels: Labels) -> Option<Arc<BoardSet>> {
        let style = (self.palette.theme.clone(), PieceSet::of(self.settings.western_pieces));
        let look = BoardLook { flipped: false, labels };
        let order = BoardOrder::new(game, size, style, (cell, look), Use::Interface)?;
        self.textures.get(&order, &self.wake)
    }

    /// A board with so many files and ranks in the middle of a place; `None` until it is painted.
    pub fn within(&mut self, painter: &Painter, game: &LibraryGame, size: (u8, u8), place: Rect) -> Option<Board> {
        let scale = painter.pixels_per_point();
        let (wide, high) = board_extent(game.sheet.board(size)?);
        let fits = (place.width() / wide).min(place.height() / high) * scale;
        // The smallest boards are painted twice as large as they are shown.
        let (shown, cell) = if fits < LEAST_CELL { (fits, (2.0 * fits).ceil()) } else { (fits.floor(), fits.floor()) };
        let set = self.get(game, size, cell as u32, Labels::None)?;
        // The pictures lie on whole pixels; until they are painted for this size, they are stretched.
        let pixel = shown / set.cell / scale;
        let corner = (place.center() - size_of(&set.board) * pixel / 2.0).round_to_pixels(scale);
        let first = corner + vec2(set.origin.x, set.origin.y) * pixel;
        Some(Board { set, first, pixel })
    }

    /// A board with its points where the layout has them, and with coordinates.
    pub fn laid_out(&mut self, game: &LibraryGame, layout: &Layout) -> Option<Board> {
        let labels = if self.settings.coordinates { Labels::Letters } else { Labels::None };
        let set = self.get(game, layout.size, layout.cell as u32, labels)?;
        let (first, pixel) = (board_place::point(layout, Point::new(0, 0)), layout.interface_cell() / set.cell);
        Some(Board { set, first, pixel })
    }
}

fn size_of(texture: &Texture) -> egui::Vec2 {
    vec2(texture.size.x, texture.size.y)
}

/// A piece on a board.
#[derive(Clone, Copy, Debug)]
pub struct Posed {
    /// The piece.
    pub piece: Piece,
    /// How it is drawn.
    pub pose: Pose,
}

impl Posed {
    /// Pieces at rest.
    pub fn resting(pieces: impl IntoIterator<Item = (Point, Piece)>) -> Vec<Posed> {
        pieces.into_iter().map(|(at, piece)| Posed { piece, pose: Pose::resting(in_cells(at)) }).collect()
    }
}

/// A board at its place in the interface.
pub struct Board {
    set: Arc<BoardSet>,
    /// The middle of point (0, 0).
    first: Pos2,
    /// The size of the pictures' pixels.
    pixel: f32,
}

impl Board {
    /// The distance of two points.
    pub fn cell(&self) -> f32 {
        self.set.cell * self.pixel
    }

    /// Where a point lies.
    pub fn point(&self, at: Point) -> Pos2 {
        self.place(in_cells(at))
    }

    fn place(&self, at: Vec2) -> Pos2 {
        self.first + vec2(at.x, -at.y) * self.cell()
    }

    /// What lies at a place, in files and ranks.
    pub fn cells_at(&self, at: Pos2) -> Vec2 {
        let away = (at - self.first) / self.cell();
        Vec2::new(away.x, -away.y)
    }

    /// Draws the board with marks and pieces.
    pub fn draw(&self, painter: &Painter, pieces: &[Posed], marks: &[(Mark, Point)]) {
        let set = &self.set;
        let corner = self.first - vec2(set.origin.x, set.origin.y) * self.pixel;
        draw(painter, &set.board, Rect::from_min_size(corner, size_of(&set.board) * self.pixel), 1.0);
        let (above, below): (Vec<_>, Vec<_>) = marks.iter().copied().partition(|(mark, _)| mark.is_above());
        let mark = |(mark, at): (Mark, Point)| {
            if let Some(texture) = set.pieces.mark(mark) {
                self.put(painter, texture, self.point(at), 1.0, 1.0);
            }
        };
        below.into_iter().for_each(mark);
        // A flying piece lies over the others with its shadow.
        let (flying, resting): (Vec<Posed>, Vec<Posed>) = pieces.iter().copied().partition(|posed| posed.pose.flying);
        resting.iter().for_each(|posed| self.shadow(painter, &posed.pose));
        resting.iter().for_each(|posed| self.piece(painter, posed));
        above.into_iter().for_each(mark);
        for posed in &flying {
            self.shadow(painter, &posed.pose);
            self.piece(painter, posed);
        }
    }

    fn shadow(&self, painter: &Painter, pose: &Pose) {
        let Some([resting, lifted]) = &self.set.pieces.shadows else { return };
        for (shadow, part) in [(resting, 1.0 - pose.height), (lifted, pose.height)] {
            if part > 0.0 {
                self.put(painter, shadow, self.place(pose.place), pose.scale, pose.alpha * part);
            }
        }
    }

    fn piece(&self, painter: &Painter, posed: &Posed) {
        if let Some(texture) = self.set.pieces.piece(posed.piece, 0) {
            self.put(painter, texture, self.place(posed.pose.place), posed.pose.scale, posed.pose.alpha);
        }
    }

    fn put(&self, painter: &Painter, texture: &Texture, at: Pos2, scale: f32, alpha: f32) {
        draw(painter, texture, Rect::from_center_size(at, size_of(texture) * self.pixel * scale), alpha);
    }

    /// The picture of a piece beside the board, this wide.
    pub fn picture(&self, painter: &Painter, piece: Piece, (at, across): (Pos2, f32), alpha: f32) {
        if let Some(texture) = self.set.pieces.piece(piece, 0) {
            draw(painter, texture, Rect::from_center_size(at, vec2(across, across)), alpha);
        }
    }
}

fn draw(painter: &Painter, texture: &Texture, place: Rect, alpha: f32) {
    painter.image(texture.id, place, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), faded(alpha));
}
