//! The marks on the board: the selection, its targets, the last move, a check, move numbers on stones.

use super::frames::FrameRequests;
use super::pictures::{Extra, PieceImages};
use super::turn::BoardRotation;
use super::{layer, pace};
use crate::app::explore::Hint;
use crate::app::ground::layout::Layout;
use crate::app::ground::library::Library;
use crate::app::ground::picture::Hurry;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::hand::{Restrictions, Selection};
use crate::app::play::{CurrentMatch, Marked as Added, in_match};
use bevy::prelude::*;
use qiju_core::paint::Mark;
use qiju_core::rules::Point;
use qiju_core::table::{Action, Piece};

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// A mark from `paint`.
    Mark(Mark),
    /// The number of a move on its stone; the last one is highlighted.
    Number { number: u32, piece: Piece, last: bool },
}

/// A mark on a point, and its age in seconds.
#[derive(Component, Clone, Copy, Debug)]
pub struct Marked {
    what: What,
    point: Point,
    age: f32,
}

/// The last move's marks fade after so many seconds, in so many more, to this: still plain to see on every board.
const FADES: (f32, f32, f32) = (1.0, 0.4, 0.88);
/// The time of the pulse of a check, in seconds, and the opacity after it.
const BREATH: (f32, f32) = (1.1, 0.8);

fn wanted(
    current: &CurrentMatch,
    added: &Added,
    selection: &Selection,
    hint: &Hint,
    restrictions: &Restrictions,
    settings: &Settings,
) -> Vec<(What, Point)> {
    let table = current.shown();
    let mut marks = Vec::new();
    let mut put = |mark, point| marks.push((What::Mark(mark), point));
    let ended = table.outcome().is_some();
    let played = table.played();
    let numbered = settings.move_numbers && played.iter().any(|action| matches!(action, Action::Drop(_)));
    // A choice in the opening moves no piece.
    let on_board: Vec<Action> = played.iter().copied().filter(|action| !matches!(action, Action::Choose(_))).collect();
    // A winning line or a move number replaces the mark of a stone.
    let last = on_board.last().filter(|action| action.origin().is_some() || !ended && !numbered);
    for (mark, point) in last.map(|action| Mark::of_move(current.game().sheet.shape, *action)).unwrap_or_default() {
        put(mark, point);
    }
    if let Some(point) = table.check() {
        put(Mark::Check, point);
    }
    for one in restrictions.all() {
        put(Mark::Forbidden, one.at);
    }
    for (mark, point) in added.points() {
        put(mark, point);
    }
    // What was chosen while the other side thinks.
    if !current.hand_moves() {
        if let Some(picked) = selection.picked {
            put(Mark::Selected, picked);
        }
        for point in selection.premove.into_iter().flat_map(|action| action.origin().into_iter().chain(action.target())) {
            put(Mark::Hint, point);
        }
    }
    if current.hand_moves() {
        if let Some(picked) = selection.picked {
            put(Mark::Selected, picked);
            if settings.show_targets {
                let pieces = table.pieces();
                for action in table.actions() {
                    if let Action::Step { from, to } = action
                        && from == picked
                    {
                        let taken = pieces.iter().any(|(at, _)| *at == to);
                        put(if taken { Mark::Capture } else { Mark::Target }, to);
                    }
                }
            }
        }
        if let Some(Action::Drop(point)) = hint.shown {
            put(Mark::Hint, point);
        }
        if let Some(point) = hint.at {
            put(Mark::Hint, point);
        }
        // A move that waits for confirmation.
        if let Some(action) = selection.pending {
            for point in action.origin().into_iter().chain(action.target()) {
                put(Mark::Hint, point);
            }
        }
    }
    if let Some(point) = selection.cursor {
        put(Mark::Cursor, point);
    }
    if numbered {
        let pieces = table.pieces();
        for (number, action) in (1..).zip(&on_board) {
            if let Action::Drop(at) = action
                && let Some((_, piece)) = pieces.iter().find(|(point, _)| point == at)
            {
                let last = number as usize == on_board.len();
                marks.push((What::Number { number, piece: *piece, last }, *at));
            }
        }
    }
    marks
}

/// True for marks over the pieces.
fn is_above(what: What) -> bool {
    match what {
        What::Mark(mark) => mark.is_above(),
        What::Number { .. } => true,
    }
}

fn refresh_marks(
    mut commands: Commands,
    shown: Query<(Entity, &Marked)>,
    (current, selection, hint, settings): (Res<CurrentMatch>, Res<Selection>, Res<Hint>, Res<Settings>),
    (added, restrictions): (Res<Added>, Res<Restrictions>),
    mut images: ResMut<PieceImages>,
    (mut assets, library): (ResMut<Assets<Image>>, Res<Library>),
) {
    let outdated = current.is_changed()
        || restrictions.is_changed()
        || added.is_changed()
        || selection.is_changed()
        || hint.is_changed()
        || settings.is_changed();
    let repainted = images.is_changed();
    if !outdated && !repainted {
        return;
    }
    let images = images.bypass_change_detection();
    let mut wanted: Vec<(What, Point, f32)> = wanted(&current, &added, &selection, &hint, &restrictions, &settings)
        .into_iter()
        .map(|(what, point)| (what, point, 0.0))
        .collect();
    for (entity, marked) in &shown {
        match wanted.iter().position(|(what, point, _)| (*what, *point) == (marked.what, marked.point)) {
            Some(index) if !repainted => {
                wanted.swap_remove(index);
            }
            // A new picture does not change its age.
            Some(index) => {
                wanted[index].2 = marked.age;
                commands.entity(entity).despawn();
            }
            None => commands.entity(entity).despawn(),
        }
    }
    let sheet = &current.game().sheet;
    let mut theme = None;
    for (what, point, age) in wanted {
        let image = match what {
            What::Mark(mark) => images.pieces().and_then(|pieces| pieces.mark(mark)).map(|texture| texture.image.clone()),
            What::Number { number, piece, last } => {
                let theme = theme.get_or_insert_with(|| library.theme_of(&settings));
                images.extra(Extra::Number(number, piece, last), sheet, theme, &mut assets)
            }
        };
        let Some(image) = image else { continue };
        let z = if is_above(what) { layer::MARKS } else { layer::GROUND_MARKS };
        commands.spawn((
            Marked { what, point, age },
            Sprite::from_image(image),
            Transform::from_xyz(0.0, 0.0, z),
            DespawnOnExit(Screen::Match),
        ));
    }
}

/// The opacity of a check this number of seconds after it was given: in, out, and steady.
fn breath(age: f32) -> f32 {
    let part = (age / BREATH.0).clamp(0.0, 1.0);
    if part < 0.3 {
        pace::ease_out(part / 0.3)
    } else {
        let wave = 0.5 - 0.5 * ((part - 0.3) / 0.7 * std::f32::consts::TAU).cos();
        1.0 - (1.0 - BREATH.1) * pace::ease_in_out((part - 0.3) / 0.7) - 0.45 * wave
    }
}

impl Marked {
    /// Its opacity now, and the time until it changes: `Some(0.0)` is at once.
    fn strength(&self, settings: &Settings, in_motion: bool) -> (f32, Option<f32>) {
        let still = settings.speed <= 0.0;
        match self.what {
            // The last stone is marked when it has landed.
            What::Mark(Mark::LastStone) | What::Number { last: true, .. } if in_motion => (0.0, None),
            What::Mark(Mark::LastMove | Mark::LastDrawn) if still => (FADES.2, None),
            What::Mark(Mark::LastMove | Mark::LastDrawn) if self.age < FADES.0 => (1.0, Some(FADES.0 - self.age)),
            What::Mark(Mark::LastMove | Mark::LastDrawn) => {
                let part = ((self.age - FADES.0) / FADES.1).min(1.0);
                (1.0 - (1.0 - FADES.2) * part, (part < 1.0).then_some(0.0))
            }
            What::Mark(Mark::Check) if still || settings.reduced_motion => (BREATH.1, None),
            What::Mark(Mark::Check) if in_motion && self.age == 0.0 => (0.0, None),
            What::Mark(Mark::Check) => (breath(self.age), (self.age < BREATH.0).then_some(0.0)),
            _ => (1.0, None),
        }
    }
}

fn place_marks(
    mut marks: Query<(&mut Marked, &mut Sprite, &mut Transform)>,
    (layout, images, turn, settings, hurry): (Res<Layout>, Res<PieceImages>, Res<BoardRotation>, Res<Settings>, Res<Hurry>),
    moving: Query<(), With<super::Moving>>,
    time: Res<Time<Real>>,
    mut frames: ResMut<FrameRequests>,
) {
    let stretch = if images.cell() > 0.0 { layout.cell / images.cell() } else { 1.0 };
    let in_motion = !moving.is_empty();
    for (mut marked, mut sprite, mut transform) in &mut marks {
        let z = transform.translation.z;
        let next = Transform::from_translation(turn.on_the_way(&layout, layout.point(marked.point)).extend(z))
            .with_scale(Vec3::new(stretch, stretch, 1.0));
        if *transform != next {
            *transform = next;
        }
        let (alpha, changes) = marked.strength(&settings, in_motion);
        if sprite.color.alpha() != alpha {
            sprite.color.set_alpha(alpha);
        }
        // The pulse of a check starts when the checking piece has landed; a sleeping window needs no small steps.
        if !(in_motion && marked.what == What::Mark(Mark::Check)) {
            marked.age += time.delta_secs();
        }
        if hurry.0 && marked.what == What::Mark(Mark::Check) {
            marked.age = marked.age.max(BREATH.0);
        }
        match changes {
            Some(seconds) if seconds > 0.0 => frames.wake_in(seconds),
            Some(_) => frames.keep(),
            None => {}
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (refresh_marks, place_marks).chain().in_set(Step::Ui).run_if(in_match));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(mark: Mark, age: f32) -> Marked {
        Marked { what: What::Mark(mark), point: Point::new(0, 0), age }
    }

    #[test]
    fn the_last_move_fades_after_a_second_and_then_the_window_sleeps() {
        let settings = Settings::default();
        assert_eq!(marked(Mark::LastMove, 0.25).strength(&settings, false), (1.0, Some(0.75)));
        let (alpha, next) = marked(Mark::LastMove, 1.2).strength(&settings, false);
        assert!(alpha > FADES.2 && alpha < 1.0 && next == Some(0.0));
        let (alpha, next) = marked(Mark::LastMove, 5.0).strength(&settings, false);
        assert!((alpha - FADES.2).abs() < 1e-6 && next.is_none());
    }

    #[test]
    fn a_check_is_breathed_once() {
        assert_eq!(breath(0.0), 0.0);
        let curve: Vec<f32> = (0..=110).map(|step| breath(step as f32 * 0.01)).collect();
        let peak = curve.iter().copied().fold(0.0, f32::max);
        let hollow = curve[40..].iter().copied().fold(1.0, f32::min);
        assert!(peak > 0.97 && hollow < 0.6, "{peak} {hollow}");
        assert!((breath(9.0) - BREATH.1).abs() < 1e-6);
        assert_eq!(marked(Mark::Check, 9.0).strength(&Settings::default(), false).1, None);
    }
}
