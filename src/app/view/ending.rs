//! Shows the end of a match: a line through the five, a general that falls over.

use super::frames::FrameRequests;
use super::motion::Moving;
use super::pace::{Run, ease_in_out, ease_out};
use super::pictures::{Extra, PieceImages};
use super::turn::BoardRotation;
use super::{layer, pace};
use crate::app::ground::layout::{Layout, in_cells};
use crate::app::ground::library::Library;
use crate::app::ground::picture::Hurry;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, in_match};
use bevy::prelude::*;
use bevy::sprite::{BorderRect, SliceScaleMode, SpriteImageMode, TextureSlicer};
use qiju_core::rules::Point;

/// The time to draw the line, in seconds.
const DRAWN_IN: f32 = 0.4;
/// The time a general takes to fall over, in seconds, and its angle, in degrees.
const TOPPLE: (f32, f32) = (0.36, 12.0);

/// The piece in check at the end of a match that was lost on the board.
#[derive(Resource, Default)]
pub struct Fall {
    point: Option<Point>,
    run: Run,
}

impl Fall {
    /// Turn (in radians) and light of the piece on this point.
    pub fn of(&self, point: Point) -> (f32, f32) {
        if self.point != Some(point) {
            return (0.0, 1.0);
        }
        let part = self.run.part();
        // Falls, leans a little too far, comes to rest.
        let lean = ease_in_out((part / 0.7).min(1.0)) * (1.0 + 0.25 * (part * std::f32::consts::PI).sin());
        (-TOPPLE.1.to_radians() * lean, 1.0 - 0.38 * ease_out(part))
    }
}

fn topple(
    mut fall: ResMut<Fall>,
    current: Res<CurrentMatch>,
    moving: Query<(), With<Moving>>,
    (settings, hurry): (Res<Settings>, Res<Hurry>),
    time: Res<Time<Real>>,
    mut frames: ResMut<FrameRequests>,
) {
    let table = current.shown();
    let lost = table.outcome().and_then(|outcome| outcome.winner).is_some();
    let point = table.check().filter(|_| lost);
    let fall = fall.bypass_change_detection();
    if fall.point != point && (point.is_none() || moving.is_empty()) {
        *fall = Fall { point, run: Run::of(pace::seconds_or_fade(&settings, TOPPLE.0)) };
    }
    if hurry.0 {
        fall.run.finish();
    }
    if fall.point.is_some() && !fall.run.is_over() {
        fall.run.step(pace::step(&time));
        frames.keep();
    }
}

/// The line through the pieces that won, with its two ends in files and ranks.
#[derive(Component)]
struct WinLine {
    from: Vec2,
    to: Vec2,
    run: Run,
}

/// The two ends of a line of points; `None` if it is shorter than two.
pub fn ends(line: &[Point]) -> Option<(Point, Point)> {
    let key = |point: &&Point| (point.x, point.y);
    let (first, last) = (*line.iter().min_by_key(key)?, *line.iter().max_by_key(key)?);
    (first != last).then_some((first, last))
}

fn rule_line(
    mut commands: Commands,
    lines: Query<(Entity, &WinLine)>,
    (current, images, settings): (Res<CurrentMatch>, Res<PieceImages>, Res<Settings>),
    moving: Query<(), With<Moving>>,
    changed: MessageReader<BoardChanged>,
) {
    let wanted = ends(&current.shown().winning_line()).map(|(from, to)| (in_cells(from), in_cells(to)));
    for (entity, line) in &lines {
        if wanted != Some((line.from, line.to)) && wanted != Some((line.to, line.from)) {
            commands.entity(entity).despawn();
        }
    }
    // It begins at the last stone and waits until that stone has landed.
    if let Some((from, to)) = wanted
        && lines.is_empty()
        && moving.is_empty()
        && changed.is_empty()
        && images.pieces().is_some()
    {
        let last = current.shown().played().last().and_then(|action| action.target()).map(in_cells);
        let (from, to) = if last.is_some_and(|last| last.distance(to) < last.distance(from)) { (to, from) } else { (from, to) };
        let run = Run::of(pace::seconds_or_fade(&settings, DRAWN_IN));
        commands.spawn((
            WinLine { from, to, run },
            Sprite::default(),
            Transform::from_xyz(0.0, 0.0, layer::MARKS + 1.0),
            DespawnOnExit(Screen::Match),
        ));
    }
}

fn draw_line(
    mut lines: Query<(&mut WinLine, &mut Sprite, &mut Transform)>,
    (layout, turn, settings, hurry): (Res<Layout>, Res<BoardRotation>, Res<Settings>, Res<Hurry>),
    (mut images, mut assets): (ResMut<PieceImages>, ResMut<Assets<Image>>),
    (current, library): (Res<CurrentMatch>, Res<Library>),
    time: Res<Time<Real>>,
    mut frames: ResMut<FrameRequests>,
) {
    if lines.is_empty() {
        return;
    }
    let (sheet, theme, images) = (&current.game().sheet, library.theme_of(&settings), images.bypass_change_detection());
    let Some(image) = images.extra(Extra::Line, sheet, &theme, &mut assets) else { return };
    let thickness = images.line_height();
    for (mut line, mut sprite, mut transform) in &mut lines {
        if hurry.0 {
            line.run.finish();
        }
        let on_the_way = |at| turn.on_the_way(&layout, layout.place(at));
        let (from, to) = (on_the_way(line.from), on_the_way(line.to));
        let part = line.run.part();
        let (reach, alpha) = if settings.reduced_motion { (1.0, part) } else { (ease_in_out(part), 1.0) };
        let way = to - from;
        // The ends stay round whatever the length: only the middle of the picture is stretched.
        let size = Vec2::new(way.length() * reach + thickness, thickness);
        sprite.image = image.clone();
        sprite.custom_size = Some(size);
        sprite.image_mode = SpriteImageMode::Sliced(TextureSlicer {
            border: BorderRect { min_inset: Vec2::new(thickness / 2.0, 0.0), max_inset: Vec2::new(thickness / 2.0, 0.0) },
            center_scale_mode: SliceScaleMode::Stretch,
            sides_scale_mode: SliceScaleMode::Stretch,
            max_corner_scale: 1.0,
        });
        sprite.color.set_alpha(alpha);
        let middle = from + way * reach / 2.0;
        *transform = Transform::from_translation(middle.extend(transform.translation.z))
            .with_rotation(Quat::from_rotation_z(way.to_angle()));
        if !line.run.is_over() {
            line.run.step(pace::step(&time));
            frames.keep();
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Fall>()
        .add_systems(OnEnter(Screen::Match), |mut fall: ResMut<Fall>| *fall = Fall::default())
        .add_systems(Update, (topple, rule_line, draw_line).chain().in_set(Step::Ui).run_if(in_match));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_runs_from_one_end_of_the_five_to_the_other() {
        let five: Vec<Point> = [(4, 6), (2, 8), (3, 7), (6, 4), (5, 5)].map(|(x, y)| Point::new(x, y)).to_vec();
        assert_eq!(ends(&five), Some((Point::new(2, 8), Point::new(6, 4))));
        let upright: Vec<Point> = (0..5).map(|y| Point::new(3, y)).collect();
        assert_eq!(ends(&upright), Some((Point::new(3, 0), Point::new(3, 4))));
        assert_eq!(ends(&[]), None);
    }

    #[test]
    fn only_the_piece_in_check_topples_and_dims() {
        let mut fall = Fall { point: Some(Point::new(4, 9)), run: Run::of(1.0) };
        assert_eq!(fall.of(Point::new(4, 0)), (0.0, 1.0));
        fall.run.finish();
        let (turn, light) = fall.of(Point::new(4, 9));
        assert!((turn.to_degrees() + 12.0).abs() < 0.01 && light < 0.7, "{turn} {light}");
    }
}
