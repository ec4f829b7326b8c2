//! The marks on the board: what is picked, where it may go, what was played, who is in check.

use super::{Layout, MenImages, layer};
use crate::app::play::{CurrentMatch, Hint, Selection};
use crate::app::settings::Settings;
use crate::app::state::Screen;
use crate::paint::Mark;
use crate::rules::Point;
use crate::table::Action;
use bevy::prelude::*;

/// A mark on a point.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Marked {
    /// Which mark.
    pub mark: Mark,
    /// Where.
    pub point: Point,
}

fn wanted(current: &CurrentMatch, selection: &Selection, hint: &Hint, settings: &Settings) -> Vec<Marked> {
    let table = current.shown();
    let mut marks = Vec::new();
    let mut put = |mark, point| marks.push(Marked { mark, point });
    let ended = table.outcome().is_some();
    match table.played().last() {
        Some(Action::Step { from, to }) => {
            put(Mark::LastMove, *from);
            put(Mark::LastMove, *to);
        }
        Some(Action::Drop(at)) if !ended => put(Mark::LastStone, *at),
        _ => {}
    }
    if let Some(point) = table.check() {
        put(Mark::Check, point);
    }
    for point in table.winning_line() {
        put(Mark::WinPoint, point);
    }
    if current.human_to_move() && !current.is_looking_back() {
        for point in table.forbidden() {
            put(Mark::Forbidden, point);
        }
        if let Some(picked) = selection.picked {
            put(Mark::Selected, picked);
            if settings.show_targets {
                let men = table.men();
                for action in table.actions() {
                    if let Action::Step { from, to } = action
                        && from == picked
                    {
                        let taken = men.iter().any(|(at, _)| *at == to);
                        put(if taken { Mark::Capture } else { Mark::Target }, to);
                    }
                }
            }
        }
        for action in hint.shown.into_iter().chain(selection.pending) {
            for point in action.origin().into_iter().chain(action.target()) {
                put(Mark::Hint, point);
            }
        }
    }
    if let Some(point) = selection.cursor {
        put(Mark::Cursor, point);
    }
    marks
}

/// Marks that lie over the men.
fn is_above(mark: Mark) -> bool {
    matches!(mark, Mark::Capture | Mark::LastStone | Mark::Cursor | Mark::Hint | Mark::WinPoint | Mark::Forbidden)
}

fn refresh_marks(
    mut commands: Commands,
    shown: Query<(Entity, &Marked)>,
    (current, selection, hint, settings): (Res<CurrentMatch>, Res<Selection>, Res<Hint>, Res<Settings>),
    images: Res<MenImages>,
) {
    let outdated = current.is_changed() || selection.is_changed() || hint.is_changed() || settings.is_changed();
    if !outdated && !images.is_changed() {
        return;
    }
    let mut wanted = wanted(&current, &selection, &hint, &settings);
    for (entity, marked) in &shown {
        match wanted.iter().position(|w| w == marked) {
            Some(index) if !images.is_changed() => {
                wanted.swap_remove(index);
            }
            _ => commands.entity(entity).despawn(),
        }
    }
    for marked in wanted {
        let Some(image) = images.mark(marked.mark) else { continue };
        let z = if is_above(marked.mark) { layer::MARKS } else { layer::GROUND_MARKS };
        commands.spawn((
            marked,
            Sprite::from_image(image.clone()),
            Transform::from_xyz(0.0, 0.0, z),
            DespawnOnExit(Screen::Match),
        ));
    }
}

fn place_marks(
    mut marks: Query<(&Marked, &mut Sprite, &mut Transform)>,
    layout: Res<Layout>,
    images: Res<MenImages>,
    moving: Query<(), With<super::Moving>>,
) {
    let stretch = if images.cell > 0.0 { layout.cell / images.cell } else { 1.0 };
    for (marked, mut sprite, mut transform) in &mut marks {
        let place = layout.point(marked.point);
        let z = transform.translation.z;
        if transform.translation.xy() != place {
            transform.translation = place.extend(z);
        }
        let scale = Vec3::new(stretch, stretch, 1.0);
        if transform.scale != scale {
            transform.scale = scale;
        }
        // The last stone is marked once it lies.
        let alpha = if marked.mark == Mark::LastStone && !moving.is_empty() { 0.0 } else { 1.0 };
        if sprite.color.alpha() != alpha {
            sprite.color.set_alpha(alpha);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (refresh_marks, place_marks)
            .chain()
            .in_set(crate::app::Step::Ui)
            .run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
    );
}
