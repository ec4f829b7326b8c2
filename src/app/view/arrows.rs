//! Arrows for hints and the lines of the analysis. In games where stones are placed, a transparent stone instead of an arrow.
//! A transparent stone also shows what a click would place under the pointer.

use super::layer;
use super::pictures::PieceImages;
use super::stir::Stir;
use super::turn::Turn;
use crate::app::explore::{Analysis, Hint};
use crate::app::ground::layout::Layout;
use crate::app::ground::library::Library;
use crate::app::ground::settings::Settings;
use crate::app::ground::setup::Purpose;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::hand::{Pointer, Selection};
use crate::app::play::CurrentMatch;
use bevy::prelude::*;
use qiju_core::rules::Point;
use qiju_core::table::{Action, Piece};

/// An arrow on the board; without `from` it is a piece to be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Its start.
    pub from: Option<Point>,
    /// Its target.
    pub to: Point,
    /// 0 is the best line; others are thinner and paler.
    pub rank: u32,
}

impl Arrow {
    /// The arrow of a move, if it is a move on the board.
    pub fn of(action: Action, rank: u32) -> Option<Arrow> {
        Some(Arrow { from: action.origin(), to: action.target()?, rank })
    }
}

/// The arrows of the analysis, best line first. A hint does not need this.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrows(pub Vec<Arrow>);

fn follow_analysis(analysis: Res<Analysis>, mut arrows: ResMut<Arrows>) {
    let lines = analysis.lines().filter_map(|line| line.first()).zip(0..);
    arrows.set_if_neq(Arrows(lines.filter_map(|(action, rank)| Arrow::of(action, rank)).collect()));
}

/// The shape shown: an arrow or a transparent stone.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
enum Shown {
    Arrow(Arrow, Point),
    Ghost { at: Point, piece: Piece, strength: f32 },
}

/// How strong the ghost under the pointer is.
const UNDER_POINTER: f32 = 0.6;
/// How strong a stone is that waits for its confirmation.
const PENDING: f32 = 0.9;

/// The piece that a move would place on this point.
fn put(current: &CurrentMatch, at: Point) -> Option<Piece> {
    let table = current.shown();
    table.actions().contains(&Action::Drop(at)).then(|| Piece { side: table.turn(), role: 0 })
}

fn wanted(
    current: &CurrentMatch,
    hint: &Hint,
    arrows: &Arrows,
    (hovered, pending): (Option<Point>, Option<Action>),
) -> Vec<Shown> {
    if current.shown().outcome().is_some() {
        return Vec::new();
    }
    let mut pointed: Vec<Arrow> = arrows.0.clone();
    if let Some(arrow) = hint
        .shown
        .filter(|_| current.plays_here() || current.purpose() == Purpose::Puzzle && current.hand_moves())
        .and_then(|action| Arrow::of(action, 0))
    {
        pointed.retain(|other| (other.from, other.to) != (arrow.from, arrow.to));
        pointed.insert(0, arrow);
    }
    let mut shown = Vec::new();
    for arrow in pointed {
        // Where a stone could be put, the interface draws a numbered disc: it must not look like a stone that stands.
        if let Some(from) = arrow.from {
            shown.push(Shown::Arrow(arrow, from));
        }
    }
    // A stone that waits for its confirmation is shown as if it were put.
    if let Some(Action::Drop(at)) = pending
        && let Some(piece) = put(current, at)
    {
        shown.push(Shown::Ghost { at, piece, strength: PENDING });
    }
    if let Some(at) = hovered.filter(|_| current.hand_moves())
        && let Some(piece) = put(current, at)
        && !shown.iter().any(|other| matches!(other, Shown::Ghost { at: there, .. } if *there == at))
    {
        shown.push(Shown::Ghost { at, piece, strength: UNDER_POINTER });
    }
    shown
}

/// The last input: nothing is updated until it changes.
#[derive(Default)]
struct Last {
    hovered: Option<Point>,
    pending: Option<Action>,
}

fn refresh(
    mut commands: Commands,
    shown: Query<(Entity, &Shown)>,
    (current, hint, arrows, settings): (Res<CurrentMatch>, Res<Hint>, Res<Arrows>, Res<Settings>),
    (pointer, selection, layout, menu): (Res<Pointer>, Res<Selection>, Res<Layout>, Res<State<Menu>>),
    (mut images, mut assets, library): (ResMut<PieceImages>, ResMut<Assets<Image>>, Res<Library>),
    moving: Query<(), With<super::Moving>>,
    mut last: Local<Last>,
    mut stir: ResMut<Stir>,
) {
    let free = *menu.get() == Menu::None && moving.is_empty();
    let under = pointer.position.filter(|_| !pointer.over_ui).and_then(|at| layout.point_under(at));
    let hovered = selection.cursor.or(under).filter(|_| free);
    let repainted = images.is_changed() || layout.is_changed();
    let outdated = current.is_changed() || hint.is_changed() || arrows.is_changed() || settings.is_changed();
    let pending = selection.pending;
    if last.hovered == hovered && last.pending == pending && !repainted && !outdated {
        return;
    }
    *last = Last { hovered, pending };
    let mut wanted = wanted(&current, &hint, &arrows, (hovered, pending));
    for (entity, one) in &shown {
        match wanted.iter().position(|other| other == one) {
            Some(index) if !repainted => {
                wanted.swap_remove(index);
            }
            _ => commands.entity(entity).despawn(),
        }
    }
    let images = images.bypass_change_detection();
    let theme = library.theme_of(&settings);
    let taken: Vec<Point> = current.shown().pieces().into_iter().map(|(at, _)| at).collect();
    for one in wanted {
        let (sprite, transform) = match one {
            Shown::Ghost { at, piece, strength } => {
                let identity = u64::from(at.x) | u64::from(at.y) << 8;
                let Some(image) = images.piece(piece, identity) else { continue };
                let sprite = Sprite { color: Color::srgba(1.0, 1.0, 1.0, strength), ..Sprite::from_image(image.clone()) };
                (sprite, Transform::from_translation(layout.point(at).extend(layer::GROUND_MARKS + 0.5)))
            }
            Shown::Arrow(arrow, from) => {
                let (start, end) = (layout.point(from), layout.point(arrow.to));
                let way = end - start;
                // From the edge of the moving piece to the point, or to the edge of the captured piece.
                let ahead = if taken.contains(&arrow.to) { 0.47 } else { 0.08 };
                let (tail, tip) =
                    (start + way.normalize_or_zero() * 0.42 * layout.cell, end - way.normalize_or_zero() * ahead * layout.cell);
                let length = ((tip - tail).length().round() as u32).max(4);
                let image = images.arrow(length, arrow.rank, &theme, &mut assets);
                let middle = (tail + tip) / 2.0;
                let z = layer::GROUND_MARKS + 0.6 - 0.01 * arrow.rank as f32;
                let transform =
                    Transform::from_translation(middle.extend(z)).with_rotation(Quat::from_rotation_z(way.to_angle()));
                (Sprite::from_image(image), transform)
            }
        };
        commands.spawn((one, sprite, transform, DespawnOnExit(Screen::Match)));
    }
    stir.keep();
}

/// Hides the arrows while the board is turning.
fn hide_in_turn(turn: Res<Turn>, mut shown: Query<&mut Visibility, With<Shown>>) {
    for mut visibility in &mut shown {
        visibility.set_if_neq(if turn.is_on() { Visibility::Hidden } else { Visibility::Inherited });
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Arrows>().add_systems(OnExit(Screen::Match), |mut arrows: ResMut<Arrows>| arrows.0.clear()).add_systems(
        Update,
        (follow_analysis.run_if(resource_changed::<Analysis>), refresh, hide_in_turn)
            .chain()
            .in_set(Step::Ui)
            .run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
    );
}
