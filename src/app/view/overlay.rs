//! What is shown over the pieces: arrows and rings of hints, of the analysis and of others, and a transparent stone that shows what a click
//! would place.

use super::frames::FrameRequests;
use super::layer;
use super::pictures::{Extra, PieceImages};
use super::turn::BoardRotation;
use crate::app::explore::{Analysis, Hint};
use crate::app::ground::layout::Layout;
use crate::app::ground::library::Library;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::hand::{Pointer, Selection};
use crate::app::play::{CurrentMatch, in_match};
use bevy::prelude::*;
use qiju_core::paint::{Colour, Theme};
use qiju_core::rules::Point;
use qiju_core::table::{Action, Piece};
use std::collections::BTreeMap;

/// The colour of an arrow or a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// That of the line of this rank, from 0: lower ranks are thinner.
    Rank(u8),
    /// This one.
    Of(Colour),
}

impl Ink {
    /// The colour, and the thickness as a part of the usual one.
    fn look(self, theme: &Theme) -> (Colour, f32) {
        match self {
            Ink::Rank(rank) => (theme.ranks[usize::from(rank).min(theme.ranks.len() - 1)], 0.9_f32.powi(rank.into())),
            Ink::Of(colour) => (colour, 0.85),
        }
    }
}

/// A shape over the pieces.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub enum Drawn {
    /// An arrow from one point to another.
    Arrow(Point, Point, Ink),
    /// A ring around a point.
    Ring(Point, Ink),
    /// A stone that does not stand yet.
    Ghost {
        /// Its point.
        at: Point,
        /// The stone.
        piece: Piece,
        /// Its opacity.
        strength: f32,
    },
}

impl Drawn {
    /// A move as an arrow, or as a ring where a piece is put.
    pub fn of(action: Action, ink: Ink) -> Option<Drawn> {
        let to = action.target()?;
        Some(action.origin().map_or(Drawn::Ring(to, ink), |from| Drawn::Arrow(from, to, ink)))
    }
}

/// The shapes over the pieces, by who shows them. Who comes later in the alphabet lies on top.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Overlay(BTreeMap<&'static str, Vec<Drawn>>);

impl Overlay {
    /// Shows these shapes instead of those that `by` has shown before.
    pub fn show(&mut self, by: &'static str, shapes: Vec<Drawn>) {
        self.0.insert(by, shapes);
    }
}

/// The arrows of the analysis and of the hint. Where a stone could be put, the interface draws a numbered disc and a mark: an arrow has two ends.
fn show_lines(current: Res<CurrentMatch>, (analysis, hint): (Res<Analysis>, Res<Hint>), mut overlay: ResMut<Overlay>) {
    let over = current.shown().outcome().is_some();
    let hinted = current.plays_here() || current.traits().beside && current.hand_moves();
    let hint = hint.shown.filter(|_| hinted && !over);
    let arrow = |action: Action, rank: u8| Drawn::of(action, Ink::Rank(rank)).filter(|_| action.origin().is_some());
    let lines = analysis.lines().filter_map(|line| line.first()).zip(0..).filter(|(action, _)| !over && Some(*action) != hint);
    // The best line lies on top.
    let mut shapes: Vec<Drawn> = lines.filter_map(|(action, rank)| arrow(action, rank)).collect();
    shapes.reverse();
    overlay.show("analysis", shapes);
    overlay.show("hint", hint.and_then(|action| arrow(action, 0)).into_iter().collect());
}

/// How strong the ghost under the pointer is.
const UNDER_POINTER: f32 = 0.6;
/// How strong a stone is that waits for its confirmation.
const PENDING: f32 = 0.9;

/// The stones that do not stand yet: one that waits for its confirmation, shown as if it were put, and one under the pointer.
fn show_ghosts(
    current: Res<CurrentMatch>,
    (pointer, selection, layout): (Res<Pointer>, Res<Selection>, Res<Layout>),
    menu: Res<State<Menu>>,
    moving: Query<(), With<super::Moving>>,
    mut overlay: ResMut<Overlay>,
) {
    let table = current.shown();
    let free = *menu.get() == Menu::None && moving.is_empty() && current.hand_moves();
    let under = pointer.position.filter(|_| !pointer.over_ui).and_then(|at| layout.point_under(at));
    let hovered = selection.cursor.or(under).filter(|_| free);
    let pending = selection.pending.filter(|action| action.origin().is_none()).and_then(Action::target);
    let hovered = hovered.filter(|at| Some(*at) != pending);
    let ghosts = [(pending, PENDING), (hovered, UNDER_POINTER)].into_iter().filter_map(|(at, strength)| {
        let at = at.filter(|at| table.outcome().is_none() && table.actions().contains(&Action::Drop(*at)))?;
        Some(Drawn::Ghost { at, piece: Piece { side: table.turn(), role: 0 }, strength })
    });
    overlay.show("ghosts", ghosts.collect());
}

/// The thickness of an arrow, in cells.
const ARROW: f32 = 0.16;
/// From the middle of the moving piece to the arrow's tail, and from its tip to the middle of an empty point or of a piece, in cells: between
/// neighbouring points there is still an arrow.
const ENDS: (f32, f32, f32) = (0.26, 0.06, 0.2);

/// Where an arrow between two places begins and ends; `taken`: a piece stands at its end.
fn ends((from, to): (Vec2, Vec2), cell: f32, taken: bool) -> (Vec2, Vec2) {
    let along = (to - from).normalize_or_zero() * cell;
    (from + along * ENDS.0, to - along * if taken { ENDS.2 } else { ENDS.1 })
}

fn refresh(
    mut commands: Commands,
    shown: Query<Entity, With<Drawn>>,
    (current, overlay, settings, layout): (Res<CurrentMatch>, Res<Overlay>, Res<Settings>, Res<Layout>),
    (mut images, mut assets, library): (ResMut<PieceImages>, ResMut<Assets<Image>>, Res<Library>),
    mut last: Local<Vec<Drawn>>,
    mut frames: ResMut<FrameRequests>,
) {
    let wanted: Vec<Drawn> = overlay.0.values().flatten().copied().collect();
    let repainted = images.is_changed() || layout.is_changed() || settings.is_changed();
    if wanted == *last && !current.is_changed() && !repainted {
        return;
    }
    for entity in &shown {
        commands.entity(entity).despawn();
    }
    let images = images.bypass_change_detection();
    let (theme, sheet, cell) = (library.theme_of(&settings), &current.game().sheet, layout.cell);
    let taken: Vec<Point> = current.shown().pieces().into_iter().map(|(at, _)| at).collect();
    for (index, one) in wanted.iter().enumerate() {
        let (image, middle, angle, strength) = match *one {
            Drawn::Ghost { at, piece, strength } => {
                let identity = u64::from(at.x) | u64::from(at.y) << 8;
                let texture = images.pieces().and_then(|pieces| pieces.piece(piece, identity));
                (texture.map(|texture| texture.image.clone()), layout.point(at), 0.0, strength)
            }
            Drawn::Ring(at, ink) => {
                (images.extra(Extra::Ring(ink.look(&theme).0), sheet, &theme, &mut assets), layout.point(at), 0.0, 1.0)
            }
            Drawn::Arrow(from, to, ink) => {
                let (tail, tip) = ends((layout.point(from), layout.point(to)), cell, taken.contains(&to));
                let way = tip - tail;
                let (colour, weight) = ink.look(&theme);
                let size = (way.length().round().max(4.0), (ARROW * weight * cell).round().max(2.0));
                let extra = Extra::Arrow(colour, size.0 as u32, size.1 as u32);
                (images.extra(extra, sheet, &theme, &mut assets), (tail + tip) / 2.0, way.to_angle(), 1.0)
            }
        };
        let Some(image) = image else { continue };
        let z = if matches!(one, Drawn::Ghost { .. }) { layer::GROUND_MARKS + 0.5 } else { layer::OVERLAY + 0.01 * index as f32 };
        let sprite = Sprite { color: Color::srgba(1.0, 1.0, 1.0, strength), ..Sprite::from_image(image) };
        let place = Transform::from_translation(middle.extend(z)).with_rotation(Quat::from_rotation_z(angle));
        commands.spawn((*one, sprite, place, DespawnOnExit(Screen::Match)));
    }
    *last = wanted;
    frames.keep();
}

/// Hides the shapes while the board is turning.
fn hide_in_turn(turn: Res<BoardRotation>, mut shown: Query<&mut Visibility, With<Drawn>>) {
    for mut visibility in &mut shown {
        visibility.set_if_neq(if turn.is_on() { Visibility::Hidden } else { Visibility::Inherited });
    }
}

pub(super) fn plugin(app: &mut App) {
    let lines =
        resource_changed::<Analysis>.or_else(resource_changed::<Hint>).or_else(resource_exists_and_changed::<CurrentMatch>);
    app.init_resource::<Overlay>()
        .add_systems(OnExit(Screen::Match), |mut overlay: ResMut<Overlay>| overlay.0.clear())
        .add_systems(
            Update,
            (show_lines.run_if(lines), show_ghosts, refresh, hide_in_turn).chain().in_set(Step::Ui).run_if(in_match),
        );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_between_neighbours_is_seen() {
        for taken in [false, true] {
            let (tail, tip) = ends((Vec2::new(60.0, 0.0), Vec2::new(60.0, 60.0)), 60.0, taken);
            assert!(tip.y - tail.y >= 0.5 * 60.0 && tail.y > 0.0 && tip.y < 60.0, "{tail} {tip}");
        }
    }

    #[test]
    fn a_move_is_an_arrow_and_a_stone_a_ring() {
        let (a, b) = (Point::new(1, 1), Point::new(1, 2));
        assert_eq!(Drawn::of(Action::Step { from: a, to: b }, Ink::Rank(0)), Some(Drawn::Arrow(a, b, Ink::Rank(0))));
        assert_eq!(Drawn::of(Action::Drop(a), Ink::Rank(1)), Some(Drawn::Ring(a, Ink::Rank(1))));
        assert_eq!(Drawn::of(Action::Pass, Ink::Rank(0)), None);
    }
}
