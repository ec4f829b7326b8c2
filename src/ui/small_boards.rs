//! Small animated boards on a page, which repeat a few moves while the page is open.

use super::style::Palette;
use crate::app::background::{Place, Running, WakeHandles};
use crate::app::library::LibraryGame;
use crate::app::view::ui_texture;
use bevy::prelude::*;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use egui::{Color32, Pos2, Rect, Stroke, TextureId, pos2, vec2};
use qiju_core::compute::PaintSmallBoards;
use qiju_core::paint::{Picture, PieceSet, Theme};
use qiju_core::rules::Point;
use qiju_core::table::{Change, Example, Piece, Setup, Table};
use std::sync::Arc;

/// A position and the moves played in it.
pub struct Scene {
    size: (u8, u8),
    pieces: Vec<(Point, Piece)>,
    moves: Vec<Vec<Change>>,
}

impl Scene {
    /// The scene of an example of a game; `None` if it cannot be played.
    pub fn of(library_game: &LibraryGame, example: &Example) -> Option<Scene> {
        let variant = example.variant.clone().or_else(|| library_game.sheet.variants.first().map(|variant| variant.key.clone()));
        let mut table = library_game.entry.table(&Setup { variant, position: Some(example.position.clone()) }).ok()?;
        let (size, pieces) = (table.size(), table.pieces());
        let mut moves = Vec::new();
        for word in example.moves.split_whitespace() {
            moves.push(table.play(table.read(word).ok()?).ok()?);
        }
        Some(Scene { size, pieces, moves })
    }

    /// A position without moves.
    pub fn still_of(table: &dyn Table) -> Scene {
        Scene { size: table.size(), pieces: table.pieces(), moves: Vec::new() }
    }

    /// The seconds until the scene repeats.
    fn seconds(&self) -> f64 {
        BEFORE + MOVE * self.moves.len() as f64 + AFTER
    }
}

/// The seconds before the first move, for a move with the pause after it, and after the last move.
const BEFORE: f64 = 0.9;
const MOVE: f64 = 1.2;
const AFTER: f64 = 1.3;
/// The seconds of a move's glide, and of the removal of a captured piece.
const GLIDE: f64 = 0.38;
const LEAVE: f64 = 0.30;

/// The pictures of one board.
struct Set {
    size: (u8, u8),
    board: TextureId,
    /// The size of the picture, the distance of points and the place of point (0, 0), all in logical pixels.
    extent: egui::Vec2,
    cell: f32,
    origin: egui::Vec2,
    shadow: Option<(TextureId, f32)>,
    pieces: Vec<(Piece, TextureId, f32)>,
}

/// The parameters of the boards' pictures.
#[derive(Clone, PartialEq)]
struct PictureOrder {
    game: &'static str,
    theme: Arc<Theme>,
    western: bool,
    pixels: u32,
    sizes: Vec<(u8, u8)>,
}

/// The pictures of small boards.
#[derive(Resource, Default)]
pub struct SmallBoards {
    order: Option<PictureOrder>,
    task: Option<Running<PaintSmallBoards>>,
    scale: f32,
    sets: Vec<Set>,
    handles: Vec<Handle<Image>>,
}

impl SmallBoards {
    /// Draws the boards of these scenes in the background, `side` logical pixels wide, if they are not ready.
    pub fn prepare<'a>(
        &mut self,
        library_game: &LibraryGame,
        scenes: impl Iterator<Item = &'a Scene>,
        palette: &Palette,
        western: bool,
        side: f32,
        scale: f32,
        wake: &WakeHandles,
    ) {
        let mut sizes: Vec<(u8, u8)> = scenes.map(|scene| scene.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let pixels = (side * scale).round() as u32;
        let order = PictureOrder { game: library_game.entry.key, theme: palette.theme.clone(), western, pixels, sizes };
        if self.order.as_ref() == Some(&order) {
            return;
        }
        self.scale = scale;
        self.order = Some(order.clone());
        let sheet = library_game.sheet.clone();
        let question = PaintSmallBoards { sheet, theme: order.theme, set: PieceSet::of(western), pixels, sizes: order.sizes };
        self.task = Some(Running::start(Place::Pool, wake.handle(), question));
    }

    /// Takes the finished pictures; true when they are ready.
    fn show_painted(&mut self, images: &mut Assets<Image>, textures: &mut EguiUserTextures) -> bool {
        let Some(painted) = self.task.as_mut().and_then(Running::poll) else { return false };
        self.task = None;
        self.take_down(textures);
        let scale = self.scale.max(0.1);
        let mut add = |picture: Picture| {
            let across = picture.width as f32 / scale;
            let handle = images.add(ui_texture(picture));
            self.handles.push(handle.clone());
            (textures.add_image(EguiTextureHandle::Strong(handle)), across)
        };
        for one in painted {
            let board = one.board;
            let extent = vec2(board.picture.width as f32, board.picture.height as f32) / scale;
            let (cell, origin) = (board.cell / scale, vec2(board.origin.0, board.origin.1) / scale);
            let shadow = one.kinds.shadow.map(&mut add);
            let mut pieces = Vec::new();
            for (piece, picture) in one.kinds.pieces {
                let (id, across) = add(picture);
                pieces.push((piece, id, across));
            }
            let (board, _) = add(board.picture);
            self.sets.push(Set { size: one.size, board, extent, cell, origin, shadow, pieces });
        }
        true
    }

    fn take_down(&mut self, textures: &mut EguiUserTextures) {
        self.sets.clear();
        for handle in self.handles.drain(..) {
            textures.remove_image(&handle);
        }
    }

    /// Draws a scene centred in `rect` after this number of seconds; returns the seconds until it changes.
    pub fn play(&self, painter: &egui::Painter, rect: Rect, scene: &Scene, seconds: f64) -> f64 {
        let Some(set) = self.sets.iter().find(|set| set.size == scene.size) else { return f64::INFINITY };
        let at = seconds % scene.seconds();
        let mut next = scene.seconds() - at;
        let mut pieces: Vec<Shown> = scene.pieces.iter().map(|&(point, piece)| Shown::resting(point, piece)).collect();
        for (number, changes) in scene.moves.iter().enumerate() {
            let since = at - BEFORE - MOVE * number as f64;
            if since < 0.0 {
                next = next.min(-since);
                break;
            }
            if since < GLIDE + LEAVE {
                next = 0.0;
            }
            change(&mut pieces, changes, since);
        }
        set.draw(painter, rect, &pieces);
        next
    }

    /// The place of a point of a scene centred in `rect`, and the size of a cell; `None` until the board is drawn.
    pub fn place(&self, rect: Rect, scene: &Scene, point: Point) -> Option<(Pos2, f32)> {
        let set = self.sets.iter().find(|set| set.size == scene.size)?;
        Some((set.at(rect, in_cells(point)), set.cell))
    }

    /// Draws a scene before (`false`) or after its moves, with an arrow for the move.
    pub fn still(&self, painter: &egui::Painter, rect: Rect, scene: &Scene, after: bool, accent: Color32) {
        let Some(set) = self.sets.iter().find(|set| set.size == scene.size) else { return };
        let mut pieces: Vec<Shown> = scene.pieces.iter().map(|&(point, piece)| Shown::resting(point, piece)).collect();
        if after {
            for changes in &scene.moves {
                change(&mut pieces, changes, GLIDE + LEAVE);
            }
        }
        set.draw(painter, rect, &pieces);
        if after {
            return;
        }
        for one in scene.moves.iter().flatten() {
            if let Change::Slide { from, to } = *one {
                let (tail, tip) = (set.at(rect, in_cells(from)), set.at(rect, in_cells(to)));
                painter.arrow(tail, (tip - tail) * 0.95, Stroke::new(2.5, accent));
            }
        }
    }
}

/// A piece of a scene at one moment.
struct Shown {
    point: Point,
    at: egui::Vec2,
    piece: Piece,
    strength: f32,
}

fn in_cells(point: Point) -> egui::Vec2 {
    vec2(f32::from(point.x), f32::from(point.y))
}

impl Shown {
    fn resting(point: Point, piece: Piece) -> Shown {
        Shown { point, at: in_cells(point), piece, strength: 1.0 }
    }
}

/// The pieces `since` seconds after a move began.
fn change(pieces: &mut Vec<Shown>, changes: &[Change], since: f64) {
    let glide = (since / GLIDE).clamp(0.0, 1.0) as f32;
    let leave = ((since - GLIDE) / LEAVE).clamp(0.0, 1.0) as f32;
    let eased = glide * glide * (3.0 - 2.0 * glide);
    for one in changes {
        match *one {
            Change::Slide { from, to } => {
                if let Some(piece) = pieces.iter_mut().find(|piece| piece.point == from) {
                    piece.at = in_cells(from) + (in_cells(to) - in_cells(from)) * eased;
                    piece.point = to;
                }
            }
            Change::Remove { at, piece } => {
                if let Some(taken) = pieces.iter_mut().find(|other| other.point == at && other.piece == piece) {
                    taken.strength = 1.0 - leave;
                }
            }
            Change::Place { piece, at } => {
                pieces.push(Shown { strength: eased, ..Shown::resting(at, piece) });
            }
        }
    }
    pieces.retain(|piece| piece.strength > 0.0);
}

impl Set {
    fn at(&self, rect: Rect, cells: egui::Vec2) -> Pos2 {
        let corner = (rect.center() - self.extent / 2.0).round();
        corner + self.origin + vec2(cells.x, -cells.y) * self.cell
    }

    fn draw(&self, painter: &egui::Painter, rect: Rect, pieces: &[Shown]) {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let corner = (rect.center() - self.extent / 2.0).round();
        painter.image(self.board, Rect::from_min_size(corner, self.extent), whole, Color32::WHITE);
        let put = |id, across: f32, piece: &Shown| {
            let size = across * (0.4 + 0.6 * piece.strength);
            let place = Rect::from_center_size(self.at(rect, piece.at), vec2(size, size));
            painter.image(id, place, whole, Color32::WHITE.gamma_multiply(piece.strength));
        };
        if let Some((id, across)) = self.shadow {
            pieces.iter().for_each(|piece| put(id, across, piece));
        }
        for piece in pieces {
            if let Some(&(_, id, across)) = self.pieces.iter().find(|(which, ..)| *which == piece.piece) {
                put(id, across, piece);
            }
        }
    }
}

fn show_painted(
    mut boards: ResMut<SmallBoards>,
    mut images: ResMut<Assets<Image>>,
    mut textures: ResMut<EguiUserTextures>,
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    if boards.task.is_some() && boards.bypass_change_detection().show_painted(&mut images, &mut textures) {
        redraw.write(bevy::window::RequestRedraw);
    }
}

/// Frees the pictures when the page is closed.
fn strike(mut boards: ResMut<SmallBoards>, mut textures: ResMut<EguiUserTextures>) {
    boards.take_down(&mut textures);
    *boards = SmallBoards::default();
}

pub(super) fn plugin(app: &mut App) {
    use crate::app::state::{Menu, Screen};
    app.init_resource::<SmallBoards>()
        .add_systems(
            Update,
            show_painted.run_if(
                in_state(Menu::Rules)
                    .or_else(in_state(Menu::Lessons))
                    .or_else(in_state(Menu::Laboratory))
                    .or_else(in_state(Screen::Setup)),
            ),
        )
        .add_systems(OnExit(Screen::Setup), strike)
        .add_systems(OnExit(Menu::Rules), strike)
        .add_systems(OnExit(Menu::Laboratory), strike)
        .add_systems(OnExit(Menu::Lessons), strike);
}
