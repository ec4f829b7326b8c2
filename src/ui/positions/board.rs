//! The board of the editor of positions: the same board and pieces as in a match, with what is wrong ringed.

use crate::app::background::{Place, Running, WakeHandles};
use crate::app::explore::Editing;
use crate::app::layout::Layout;
use crate::app::position::Tool;
use crate::app::settings::Settings;
use crate::app::view::ui_texture;
use crate::ui::board_place;
use crate::ui::style::Palette;
use bevy::prelude::*;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use egui::{Color32, Painter, Pos2, Rect, pos2, vec2};
use qiju_core::compute::PaintEditor;
use qiju_core::paint::{Labels, Mark, Picture, PieceSet, Theme};
use qiju_core::rules::Point;
use qiju_core::table::Piece;
use std::sync::Arc;

/// How strong a piece is that would be put under the pointer.
const GHOST: f32 = 0.6;
/// How much larger a piece is while it is dragged.
const LIFTED: f32 = 1.06;

/// What the pictures are painted for.
#[derive(Clone, PartialEq)]
struct Order {
    game: &'static str,
    size: (u8, u8),
    theme: Arc<Theme>,
    western: bool,
    labels: Labels,
    cell: u32,
}

/// A texture and its size in the window's pixels.
type Texture = (egui::TextureId, egui::Vec2);

/// The pictures of the board of the editor.
#[derive(Resource, Default)]
pub struct EditorPictures {
    order: Option<Order>,
    task: Option<((u8, u8), Running<PaintEditor>)>,
    size: (u8, u8),
    board: Option<Texture>,
    /// From the picture's upper left corner to the first point, in the window's pixels.
    origin: egui::Vec2,
    shadow: Option<Texture>,
    pieces: Vec<(Piece, Texture)>,
    marks: Vec<(Mark, Texture)>,
    handles: Vec<Handle<Image>>,
}

/// The marks that are drawn.
const MARKS: [Mark; 4] = [Mark::Selected, Mark::Cursor, Mark::Capture, Mark::Target];

impl EditorPictures {
    /// Has the pictures painted, if they are not.
    pub fn prepare(
        &mut self,
        editing: &Editing,
        (layout, palette, settings): (&Layout, &Palette, &Settings),
        wake: &WakeHandles,
    ) {
        let sheet = editing.game().sheet.clone();
        // What is wrong is told by the names of points.
        let labels = if settings.coordinates { Labels::Letters } else { Labels::None };
        let order = Order {
            game: editing.game().entry.key,
            size: editing.size(),
            theme: palette.theme.clone(),
            western: settings.western_pieces,
            labels,
            cell: layout.cell as u32,
        };
        if self.order.as_ref() == Some(&order) || layout.size != order.size {
            return;
        }
        let question = PaintEditor {
            sheet,
            theme: order.theme.clone(),
            size: order.size,
            cell: order.cell,
            labels: order.labels,
            set: PieceSet::of(order.western),
            marks: MARKS.to_vec(),
        };
        self.task = Some((order.size, Running::start(Place::Thread, wake.handle(), question)));
        self.order = Some(order);
    }

    /// True if the pieces can be drawn.
    pub fn is_ready(&self) -> bool {
        self.board.is_some()
    }

    /// The picture of a piece, drawn in the middle of a place.
    pub fn piece(&self, painter: &Painter, at: Pos2, across: f32, piece: Piece, strength: f32) {
        if let Some((_, (id, _))) = self.pieces.iter().find(|(kind, _)| *kind == piece) {
            draw(painter, *id, Rect::from_center_size(at, vec2(across, across)), strength);
        }
    }

    fn take(&mut self, images: &mut Assets<Image>, textures: &mut EguiUserTextures) -> bool {
        let Some((size, painted)) = self.task.as_mut().and_then(|(size, task)| Some((*size, task.poll()?))) else { return false };
        self.task = None;
        let Some(painted) = painted else { return false };
        self.take_down(textures);
        let mut add = |picture: Picture| {
            let size = vec2(picture.width as f32, picture.height as f32);
            let handle = images.add(ui_texture(picture));
            self.handles.push(handle.clone());
            (textures.add_image(EguiTextureHandle::Strong(handle)), size)
        };
        self.size = size;
        self.origin = vec2(painted.board.origin.0, painted.board.origin.1);
        self.board = Some(add(painted.board.picture));
        self.shadow = painted.kinds.shadow.map(&mut add);
        self.pieces = painted.kinds.pieces.into_iter().map(|(piece, picture)| (piece, add(picture))).collect();
        self.marks = painted.marks.into_iter().map(|(mark, picture)| (mark, add(picture))).collect();
        true
    }

    fn take_down(&mut self, textures: &mut EguiUserTextures) {
        (self.board, self.shadow) = (None, None);
        self.pieces.clear();
        self.marks.clear();
        for handle in self.handles.drain(..) {
            textures.remove_image(&handle);
        }
    }
}

fn draw(painter: &Painter, id: egui::TextureId, place: Rect, strength: f32) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let tint = if strength >= 1.0 { Color32::WHITE } else { crate::ui::widgets::faded(strength) };
    painter.image(id, place, whole, tint);
}

/// The board with its pieces. `dragged` is the point whose piece the pointer holds, `pointer` the place of the pointer on the board or beside it.
pub fn show(
    painter: &Painter,
    pictures: &EditorPictures,
    editing: &Editing,
    layout: &Layout,
    (dragged, pointer): (Option<Point>, Option<Pos2>),
) {
    let Some((board, size)) = pictures.board.filter(|_| pictures.size == layout.size) else { return };
    // Pictures are painted in the window's pixels.
    let pixel = 1.0 / (layout.scale * layout.zoom);
    let corner = board_place::point(layout, Point::new(0, 0)) - pictures.origin * pixel;
    draw(painter, board, Rect::from_min_size(corner, size * pixel), 1.0);
    let put = |(id, size): Texture, at: Pos2, scale: f32, strength: f32| {
        draw(painter, id, Rect::from_center_size(at, size * pixel * scale), strength);
    };
    let mark = |which: Mark, at: Point| {
        if let Some((_, texture)) = pictures.marks.iter().find(|(mark, _)| *mark == which) {
            put(*texture, board_place::point(layout, at), 1.0, 1.0);
        }
    };
    let piece = |which: Piece, at: Pos2, scale: f32, strength: f32| {
        if let Some(shadow) = pictures.shadow.filter(|_| strength >= 1.0) {
            put(shadow, at, scale, strength);
        }
        if let Some((_, texture)) = pictures.pieces.iter().find(|(kind, _)| *kind == which) {
            put(*texture, at, scale, strength);
        }
    };
    if let Some(at) = editing.picked() {
        mark(Mark::Selected, at);
    }
    // Where a piece can stand, if that is not everywhere.
    if let Tool::Put(chosen) = editing.tool() {
        let (files, ranks) = editing.size();
        let points = || (0..files).flat_map(|x| (0..ranks).map(move |y| Point::new(x, y)));
        if points().any(|at| !editing.may_stand(chosen, at)) {
            let free = |at: &Point| editing.may_stand(chosen, *at) && !editing.draft().pieces.contains_key(at);
            points().filter(free).for_each(|at| mark(Mark::Target, at));
        }
    }
    for (at, which) in editing.draft().pieces.iter().filter(|(at, _)| Some(**at) != dragged) {
        piece(*which, board_place::point(layout, *at), 1.0, 1.0);
    }
    for at in editing.faulty_points() {
        mark(Mark::Capture, at);
    }
    if let Some(cursor) = editing.cursor() {
        mark(Mark::Cursor, cursor);
    }
    let Some(pointer) = pointer else { return };
    if let Some(which) = dragged.and_then(|at| editing.draft().pieces.get(&at)) {
        piece(*which, pointer, LIFTED, 1.0);
    } else if let Some(held) = editing.grabbed() {
        piece(held, pointer, LIFTED, 1.0);
    } else if let Tool::Put(chosen) = editing.tool() {
        let at = layout.point_under(Vec2::new(pointer.x, pointer.y) * layout.zoom);
        if let Some(at) = at.filter(|at| !editing.draft().pieces.contains_key(at)) {
            piece(chosen, board_place::point(layout, at), 1.0, GHOST);
        }
    }
}

fn take_painted(
    mut pictures: ResMut<EditorPictures>,
    (mut images, mut textures): (ResMut<Assets<Image>>, ResMut<EguiUserTextures>),
    mut redraw: MessageWriter<bevy::window::RequestRedraw>,
) {
    if pictures.task.is_some() && pictures.bypass_change_detection().take(&mut images, &mut textures) {
        redraw.write(bevy::window::RequestRedraw);
    }
}

fn strike(mut pictures: ResMut<EditorPictures>, mut textures: ResMut<EguiUserTextures>) {
    pictures.take_down(&mut textures);
    *pictures = EditorPictures::default();
}

pub fn plugin(app: &mut App) {
    use crate::app::state::Screen;
    app.init_resource::<EditorPictures>()
        .add_systems(Update, take_painted.run_if(in_state(Screen::Editor)))
        .add_systems(OnExit(Screen::Editor), strike);
}
