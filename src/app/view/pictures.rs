//! The pictures of the match, painted in the background at their exact size on the screen.

use super::layer;
use super::pieces::is_blindfold;
use super::proportions::{LIFTED, LINE};
use super::textures::{BoardOrder, BoardSet, BoardTextures, PieceTextures, Use, take_painted, texture};
use super::turn::BoardRotation;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::layout::Layout;
use crate::app::ground::library::Library;
use crate::app::ground::picture::Ready;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, in_match};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_egui::egui;
use qiju_core::paint::{self, BoardLook, Colour, Labels, PieceSet, Theme};
use qiju_core::table::{GameSheet, Notation, Piece};
use std::sync::Arc;

/// The diameter of a small piece in the panel, in logical pixels.
pub const SMALL: f32 = 22.0;

/// What is painted on first use.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Extra {
    /// A lifted piece with its identity: a stretched one would be blurred.
    Lifted(Piece, u64),
    /// The number of a move for its stone; the last one looks different.
    Number(u32, Piece, bool),
    /// An arrow of this length and thickness in pixels, pointing right.
    Arrow(Colour, u32, u32),
    /// A ring around a point.
    Ring(Colour),
    /// The line through the pieces that won, to be stretched.
    Line,
}

/// The current pictures of board, pieces, marks and shadows.
#[derive(Resource, Default)]
pub struct PieceImages {
    set: Option<Arc<BoardSet>>,
    small: Option<Arc<BoardSet>>,
    extras: HashMap<Extra, Handle<Image>>,
}

impl PieceImages {
    /// The pieces and marks, once they are painted.
    pub(super) fn pieces(&self) -> Option<&PieceTextures> {
        self.set.as_ref().map(|set| &*set.pieces)
    }

    /// The cell size of the pictures, in pixels; 0 until they are painted.
    pub fn cell(&self) -> f32 {
        self.set.as_ref().map_or(0.0, |set| set.cell)
    }

    /// A small picture of a piece for the panel.
    pub fn small(&self, piece: Piece) -> Option<egui::TextureId> {
        self.small.as_ref()?.pieces.piece(piece, 0).map(|texture| texture.id)
    }

    /// The height of the picture of the winning line, in pixels: its thickness and a margin.
    pub(super) fn line_height(&self) -> f32 {
        (LINE * self.cell()).round().max(2.0) + 4.0
    }

    /// What is painted on first use; `None` until the board is painted.
    pub(super) fn extra(
        &mut self,
        extra: Extra,
        sheet: &GameSheet,
        theme: &Theme,
        assets: &mut Assets<Image>,
    ) -> Option<Handle<Image>> {
        let set = self.set.as_ref()?;
        let paint = || {
            let (cell, pieces) = (set.cell as u32, &set.pieces);
            assets.add(texture(match extra {
                Extra::Lifted(piece, identity) => {
                    let across = sheet.board(set.size).map_or(1.0, |board| board.piece);
                    paint::piece(sheet, piece, theme, pieces.set, paint::diameter(cell, across * LIFTED), identity)
                }
                Extra::Number(number, piece, last) => paint::number(sheet, piece, theme, number, last, pieces.diameter),
                Extra::Arrow(ink, length, thickness) => paint::arrow(ink, length, thickness),
                Extra::Ring(ink) => paint::ring(ink, cell),
                Extra::Line => {
                    let thickness = self.line_height() as u32 - 4;
                    paint::line(theme, 2 * thickness, thickness)
                }
            }))
        };
        Some(self.extras.get(&extra).cloned().unwrap_or_else(paint)).inspect(|image| {
            self.extras.insert(extra, image.clone());
        })
    }
}

fn order_pictures(
    (current, layout, settings): (Res<CurrentMatch>, Res<Layout>, Res<Settings>),
    (words, library): (Res<Words>, Res<Library>),
    (mut boards, wakes): (ResMut<BoardTextures>, WakeHandles),
    (mut images, mut ready): (ResMut<PieceImages>, ResMut<Ready>),
    (mut commands, sprites): (Commands, Query<(), With<BoardSprite>>),
) {
    // Along the edges stands what the moves are written with.
    let labels = match settings.notation(current.table(), words.language) {
        _ if !settings.coordinates => Labels::None,
        Notation::Chinese | Notation::Traditional => Labels::Numerals,
        Notation::Wxf | Notation::Vietnamese => Labels::Digits,
        _ => Labels::Letters,
    };
    let look = BoardLook { flipped: layout.flipped, labels };
    let (theme, pieces) = (library.theme_of(&settings), PieceSet::of(settings.western_pieces));
    let on_board = if settings.blind_discs && is_blindfold(&settings, &current) { PieceSet::Blank } else { pieces };
    let small = (SMALL * layout.scale * layout.zoom).round() as u32;
    let mut get = |cell: u32, look: BoardLook, pieces: PieceSet, used_by: Use| {
        let style = (theme.clone(), pieces);
        boards.get(&BoardOrder::new(current.game(), layout.size, style, (cell, look), used_by)?, &wakes)
    };
    let set = get(layout.cell as u32, look, on_board, Use::Sprites);
    let small = get(small, BoardLook { flipped: false, labels: Labels::None }, pieces, Use::Interface);
    let pointer = |set: &Option<Arc<BoardSet>>| set.as_ref().map(Arc::as_ptr);
    if pointer(&images.small) != pointer(&small) {
        images.bypass_change_detection().small = small;
    }
    if pointer(&images.set) != pointer(&set) {
        images.set = set;
        images.extras.clear();
    }
    // Set only where it changes: a change keeps the window awake.
    ready.set_if_neq(Ready(images.set.is_some()));
    if ready.0 && sprites.is_empty() {
        commands.spawn((BoardSprite, Sprite::default(), Transform::default()));
    }
}

/// The board's picture.
#[derive(Component)]
pub(super) struct BoardSprite;

/// Shows the board, and places it by the layout; until the new picture is ready, the old one is stretched.
fn place_board(
    (layout, turn, images): (Res<Layout>, Res<BoardRotation>, Res<PieceImages>),
    mut boards: Query<(&mut Sprite, &mut Transform), With<BoardSprite>>,
) {
    let (Some(set), Ok((mut sprite, mut transform))) = (&images.set, boards.single_mut()) else { return };
    if sprite.image != set.board.image {
        sprite.image = set.board.image.clone();
    }
    let size = (set.board.size * layout.cell / set.cell).round();
    if sprite.custom_size != Some(size) {
        sprite.custom_size = Some(size);
    }
    // `origin` is the place of point (0, 0); on a flipped board that is the upper right point of the screen.
    let span = Vec2::new(f32::from(set.size.0) - 1.0, f32::from(set.size.1) - 1.0) * set.cell;
    let lower_left = if set.flipped { set.origin + Vec2::new(-span.x, span.y) } else { set.origin };
    let offset = Vec2::new(set.board.size.x / 2.0 - lower_left.x, lower_left.y - set.board.size.y / 2.0) / set.cell;
    let here = set.flipped == layout.flipped;
    let angle = if turn.is_on() || !here { turn.of_picture(here) } else { 0.0 };
    let middle = layout.corner + offset * layout.cell;
    let next = Transform::from_translation(middle.extend(layer::BOARD)).with_rotation(Quat::from_rotation_z(angle));
    if *transform != next {
        *transform = next;
    }
}

/// Takes the board away: no piece is shown before its board.
fn take_down(
    mut commands: Commands,
    (mut ready, mut images): (ResMut<Ready>, ResMut<PieceImages>),
    boards: Query<Entity, With<BoardSprite>>,
) {
    ready.set_if_neq(Ready(false));
    *images = PieceImages::default();
    for board in &boards {
        commands.entity(board).despawn();
    }
}

/// The next match has another board: the one before is not shown in its place. From a match to the next of the same kind the board stays.
fn is_other(current: Option<Res<CurrentMatch>>, images: Res<PieceImages>) -> bool {
    let on_table = current.as_ref().map(|current| (current.game().entry.key, current.table().size()));
    images.set.as_ref().map(|set| (set.game, set.size)) != on_table
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PieceImages>()
        .add_systems(OnEnter(Screen::Match), take_down.run_if(is_other))
        .add_systems(OnEnter(Screen::Title), take_down)
        .add_systems(OnEnter(Screen::Setup), take_down)
        .add_systems(OnEnter(Screen::Trainer), take_down)
        .add_systems(OnEnter(Screen::Editor), take_down)
        .add_systems(Update, (order_pictures.after(take_painted), place_board).chain().in_set(Step::Animate).run_if(in_match));
}
