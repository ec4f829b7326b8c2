//! The pictures of the match, drawn in the background at their exact size on the screen.

use super::layer;
use super::proportions::{LIFTED, LINE};
use super::texture::{texture, ui_texture};
use super::turn::Turn;
use crate::app::ground::background::{Place, Running, WakeHandles};
use crate::app::ground::layout::Layout;
use crate::app::ground::library::Library;
use crate::app::ground::picture::Ready;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::CurrentMatch;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_egui::{EguiTextureHandle, EguiUserTextures, egui};
use qiju_core::compute;
use qiju_core::compute::PaintMatch;
use qiju_core::paint;
use qiju_core::paint::{BoardLook, Height, Labels, Mark, Picture, PieceSet, Theme};
use qiju_core::table::{GameSheet, Notation, Piece};
use std::sync::Arc;

/// The diameter of a small piece in the panel, in logical pixels.
pub const SMALL: f32 = 22.0;

/// The number of grain variants of a kind of piece.
const GRAINS: u64 = 4;

/// The parameters of the pictures of pieces and marks; they are drawn again when these change.
#[derive(Clone, PartialEq)]
struct PieceOrder {
    game: &'static str,
    theme: (String, bool),
    western: bool,
    cell: u32,
    size: (u8, u8),
    small: u32,
}

/// The same for the whole board.
#[derive(Clone, PartialEq)]
struct PictureOrder {
    pieces: PieceOrder,
    flipped: bool,
    labels: Labels,
}

/// The current pictures of pieces, marks and shadows.
#[derive(Resource, Default)]
pub struct PieceImages {
    pieces: HashMap<(Piece, u64), Handle<Image>>,
    marks: HashMap<Mark, Handle<Image>>,
    shadows: [Handle<Image>; 2],
    small: HashMap<Piece, (Handle<Image>, egui::TextureId)>,
    /// Lifted pieces, move numbers and arrows, drawn on first use.
    lifted: HashMap<(Piece, u64), Handle<Image>>,
    numbers: HashMap<(u32, Piece, bool), Handle<Image>>,
    arrows: HashMap<(u32, u32), Handle<Image>>,
    /// The winning line, and the width of its picture in pixels.
    pub(super) line: Option<(Handle<Image>, f32)>,
    diameters: (u32, u32),
    western: bool,
    /// The size of a piece's picture and of its shadow in pixels.
    pub across: (f32, f32),
    /// The cell size of the pictures, in pixels.
    pub cell: f32,
}

impl PieceImages {
    /// The picture of a piece.
    pub fn piece(&self, piece: Piece, identity: u64) -> Option<&Handle<Image>> {
        self.pieces.get(&(piece, identity % GRAINS))
    }

    /// A small picture of a piece for the panel.
    pub fn small(&self, piece: Piece) -> Option<egui::TextureId> {
        self.small.get(&piece).map(|(_, id)| *id)
    }

    /// The picture of a mark.
    pub fn mark(&self, mark: Mark) -> Option<&Handle<Image>> {
        self.marks.get(&mark)
    }

    /// The picture of a lifted piece.
    pub(super) fn lifted(
        &mut self,
        piece: Piece,
        identity: u64,
        sheet: &GameSheet,
        theme: impl FnOnce() -> Arc<Theme>,
        assets: &mut Assets<Image>,
    ) -> Handle<Image> {
        let (diameter, set) = (self.diameters.1, PieceSet::of(self.western));
        let paint = || assets.add(texture(paint::piece(sheet, piece, &theme(), set, diameter, identity % GRAINS)));
        self.lifted.entry((piece, identity % GRAINS)).or_insert_with(paint).clone()
    }

    /// The number of a move for its stone; the last one looks different.
    pub(super) fn number(
        &mut self,
        (number, piece, last): (u32, Piece, bool),
        sheet: &GameSheet,
        theme: &Theme,
        assets: &mut Assets<Image>,
    ) -> Handle<Image> {
        let diameter = self.diameters.0;
        let paint = || assets.add(texture(paint::number(sheet, piece, theme, number, last, diameter)));
        self.numbers.entry((number, piece, last)).or_insert_with(paint).clone()
    }

    /// An arrow of this length in pixels, for the line of this rank.
    pub(super) fn arrow(&mut self, length: u32, rank: u32, theme: &Theme, assets: &mut Assets<Image>) -> Handle<Image> {
        let thickness = (ARROW * self.cell).round().max(2.0) as u32;
        let paint = || assets.add(texture(paint::arrow(theme, length, thickness, rank)));
        self.arrows.entry((length, rank)).or_insert_with(paint).clone()
    }

    /// The shadow of a piece at rest, or of a lifted one.
    pub fn shadow(&self, height: Height) -> Handle<Image> {
        self.shadows[usize::from(matches!(height, Height::Lifted))].clone()
    }
}

/// The thickness of an arrow, in cells.
const ARROW: f32 = 0.16;

/// The running drawing task.
#[derive(Resource, Default)]
pub(super) struct Painter {
    task: Option<(PictureOrder, Running<PaintMatch>)>,
    shown: Option<PictureOrder>,
}

impl Painter {
    pub(super) fn is_busy(&self) -> bool {
        self.task.is_some()
    }
}

fn order_pictures(
    current: Res<CurrentMatch>,
    layout: Res<Layout>,
    settings: Res<Settings>,
    words: Res<Words>,
    library: Res<Library>,
    (mut painting, wakes): (ResMut<Painter>, WakeHandles),
) {
    let pieces = PieceOrder {
        game: current.game().entry.key,
        theme: (settings.theme.clone(), settings.red_blind_safe),
        western: settings.western_pieces,
        cell: layout.cell as u32,
        size: layout.size,
        small: (SMALL * layout.scale * layout.zoom).round() as u32,
    };
    // Along the edges stands what the moves are written with.
    let labels = match settings.notation(current.table(), words.language) {
        _ if !settings.coordinates => Labels::None,
        Notation::Chinese => Labels::Numerals,
        Notation::Wxf => Labels::Digits,
        _ => Labels::Letters,
    };
    let order = PictureOrder { pieces, flipped: layout.flipped, labels };
    if painting.task.is_some() || painting.shown.as_ref() == Some(&order) {
        return;
    }
    let sheet = current.game().sheet.clone();
    let theme = library.theme_of(&settings);
    let with_pieces = painting.shown.as_ref().is_none_or(|shown| shown.pieces != order.pieces);
    painting.shown = Some(order.clone());
    let ordered = compute::PieceOrder { grains: GRAINS, lifted: LIFTED, small: order.pieces.small, line: LINE };
    let question = PaintMatch {
        sheet,
        theme,
        size: order.pieces.size,
        cell: order.pieces.cell,
        look: BoardLook { flipped: order.flipped, labels: order.labels },
        set: PieceSet::of(order.pieces.western),
        pieces: with_pieces.then_some(ordered),
    };
    painting.task = Some((order, Running::start(Place::Pictures, wakes.handle(), question)));
}

/// The board's picture.
#[derive(Component)]
struct BoardSprite {
    /// The centre of the picture from the lower left point on the screen, in cells, y up.
    offset: Vec2,
    /// The size in cells.
    size: Vec2,
    /// Whether it was drawn for the second side's view.
    flipped: bool,
}

fn show_pictures(
    mut commands: Commands,
    mut painting: ResMut<Painter>,
    mut images: ResMut<Assets<Image>>,
    mut pieces: ResMut<PieceImages>,
    mut ready: ResMut<Ready>,
    old: Query<Entity, With<BoardSprite>>,
    textures: Option<ResMut<EguiUserTextures>>,
    layout: Res<Layout>,
) {
    let Some((_, task)) = &mut painting.bypass_change_detection().task else { return };
    let Some(painted) = task.poll() else { return };
    let Some((order, _)) = painting.task.take() else { return };
    let Some(painted) = painted else {
        error!("the game's sheet has no board of this size");
        return;
    };
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let cell = order.pieces.cell as f32;
    let board = painted.board;
    let pixels = Vec2::new(board.picture.width as f32, board.picture.height as f32);
    // `origin` is the place of point (0, 0) from the upper left; on a flipped board that is the upper right point of the screen.
    let span = Vec2::new(f32::from(layout.size.0) - 1.0, f32::from(layout.size.1) - 1.0) * cell;
    let origin = Vec2::new(board.origin.0, board.origin.1);
    let lower_left = if order.flipped { origin + Vec2::new(-span.x, span.y) } else { origin };
    let offset = Vec2::new(pixels.x / 2.0 - lower_left.x, lower_left.y - pixels.y / 2.0) / cell;
    commands.spawn((
        BoardSprite { offset, size: pixels / cell, flipped: order.flipped },
        Sprite::from_image(images.add(texture(board.picture))),
        Transform::from_xyz(0.0, 0.0, layer::BOARD),
    ));
    ready.0 = true;
    let Some(new) = painted.pieces else { return };
    pieces.cell = cell;
    let across = |picture: Option<&Picture>| picture.map_or(0.0, |picture| picture.width as f32);
    pieces.across = (across(new.pieces.first().map(|(_, picture)| picture)), across(new.shadows.first()));
    if let Some(mut textures) = textures {
        for (piece, picture) in new.small {
            let handle = images.add(ui_texture(picture));
            let id = textures.add_image(EguiTextureHandle::Strong(handle.clone()));
            if let Some((old, _)) = pieces.small.insert(piece, (handle, id)) {
                textures.remove_image(&old);
            }
        }
    }
    pieces.pieces = new.pieces.into_iter().map(|(key, picture)| (key, images.add(texture(picture)))).collect();
    pieces.marks = new.marks.into_iter().map(|(key, picture)| (key, images.add(texture(picture)))).collect();
    pieces.shadows = new.shadows.map(|picture| images.add(texture(picture)));
    let width = new.line.height as f32;
    pieces.line = Some((images.add(texture(new.line)), width));
    (pieces.diameters, pieces.western) = (new.diameters, order.pieces.western);
    pieces.lifted.clear();
    pieces.numbers.clear();
    pieces.arrows.clear();
}

/// Places the board by the layout; until the new picture is ready, the old one is stretched.
fn place_pictures(layout: Res<Layout>, turn: Res<Turn>, mut boards: Query<(&BoardSprite, &mut Sprite, &mut Transform)>) {
    for (board, mut sprite, mut transform) in &mut boards {
        let size = (board.size * layout.cell).round();
        let middle = layout.corner + board.offset * layout.cell;
        if sprite.custom_size != Some(size) {
            sprite.custom_size = Some(size);
        }
        let here = board.flipped == layout.flipped;
        let angle = if turn.is_on() || !here { turn.of_picture(here) } else { 0.0 };
        let next = Transform::from_translation(middle.extend(layer::BOARD)).with_rotation(Quat::from_rotation_z(angle));
        if *transform != next {
            *transform = next;
        }
    }
}

/// The next match has another board: the one before is not shown in its place. From a match to the next of the same kind the board stays.
fn take_down(
    mut commands: Commands,
    mut painting: ResMut<Painter>,
    mut ready: ResMut<Ready>,
    (current, mut pieces): (Option<Res<CurrentMatch>>, ResMut<PieceImages>),
    boards: Query<Entity, With<BoardSprite>>,
) {
    let same = |shown: &PictureOrder| {
        let on_table = current.as_ref().map(|current| (current.game().entry.key, current.table().size()));
        on_table == Some((shown.pieces.game, shown.pieces.size))
    };
    if ready.0 && painting.shown.as_ref().is_some_and(same) {
        return;
    }
    clear(&mut commands, &mut painting, &mut ready, &mut pieces, &boards);
}

fn leave(
    mut commands: Commands,
    (mut painting, mut ready, mut pieces): (ResMut<Painter>, ResMut<Ready>, ResMut<PieceImages>),
    boards: Query<Entity, With<BoardSprite>>,
) {
    clear(&mut commands, &mut painting, &mut ready, &mut pieces, &boards);
}

fn clear(
    commands: &mut Commands,
    painting: &mut Painter,
    ready: &mut Ready,
    pieces: &mut PieceImages,
    boards: &Query<Entity, With<BoardSprite>>,
) {
    *painting = Painter::default();
    ready.0 = false;
    // No piece is shown before its board.
    pieces.pieces.clear();
    for board in boards {
        commands.entity(board).despawn();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Painter>()
        .init_resource::<PieceImages>()
        .add_systems(OnEnter(Screen::Match), take_down)
        .add_systems(OnEnter(Screen::Title), leave)
        .add_systems(OnEnter(Screen::Setup), leave)
        .add_systems(OnEnter(Screen::Trainer), leave)
        .add_systems(OnEnter(Screen::Editor), leave)
        .add_systems(
            Update,
            (show_pictures, order_pictures, place_pictures)
                .chain()
                .in_set(Step::Animate)
                .run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
        );
}
