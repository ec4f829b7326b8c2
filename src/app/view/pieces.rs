//! The pieces: each is an entity with its body and its shadows below.

use super::ending::Fall;
use super::frames::FrameRequests;
use super::motion::{LastPose, Moving, Pose};
use super::pace::{Run, ease_out};
use super::pictures::{Extra, PieceImages};
use super::proportions::{LIFT, LIFTED};
use super::turn::BoardRotation;
use super::{layer, pace};
use crate::app::ground::layout::{Layout, in_cells};
use crate::app::ground::library::Library;
use crate::app::ground::picture::Hurry;
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::hand::{Dragged, Pointer, Selection};
use crate::app::play::{At, BoardPiece, CurrentMatch, Identity, MoveRefused, in_match};
use bevy::prelude::*;
use qiju_core::paint::Height;
use qiju_core::rules::{Point, zobrist};
use qiju_core::table::Shape;

/// How strong a piece is that is taken by a move that waits for its confirmation.
const TAKEN: f32 = 0.3;
/// How far above a finger a dragged piece is shown, in cells.
const ABOVE_FINGER: f32 = 0.9;

/// A shadow of a piece, a child entity: one for a piece at rest and one for a lifted piece, which fade into each other.
#[derive(Component, Clone, Copy)]
struct Shadow(Height);

fn make_sprites(mut commands: Commands, new: Query<Entity, (With<BoardPiece>, Without<Sprite>)>) {
    for entity in &new {
        commands
            .entity(entity)
            .insert((Sprite::default(), LastPose::default(), Transform::from_xyz(0.0, 0.0, layer::PIECES), Visibility::Hidden))
            .with_children(|children| {
                for height in [Height::Resting, Height::Lifted] {
                    let place = Transform::from_xyz(0.0, 0.0, layer::SHADOWS - layer::PIECES);
                    children.spawn((Shadow(height), Sprite::default(), place));
                }
            });
    }
}

/// The largest random offset of a stone from its point, in cells.
fn off_the_point(identity: u64) -> Vec2 {
    let bits = zobrist::mix(identity);
    let part = |bits: u64| (bits & 0xFF) as f32 / 255.0 * 0.04 - 0.02;
    Vec2::new(part(bits), part(bits >> 8))
}

type Pieces<'w, 's> = Query<
    'w,
    's,
    (
        &'static BoardPiece,
        &'static Identity,
        Option<&'static At>,
        Option<&'static Moving>,
        Has<Dragged>,
        &'static mut LastPose,
        &'static mut Sprite,
        &'static mut Transform,
        &'static mut Visibility,
        &'static Children,
    ),
    Without<Shadow>,
>;

/// The data for the poses of the pieces.
#[derive(bevy::ecs::system::SystemParam)]
struct Scene<'w> {
    layout: Res<'w, Layout>,
    selection: Res<'w, Selection>,
    pointer: Res<'w, Pointer>,
    current: Res<'w, CurrentMatch>,
    settings: Res<'w, Settings>,
    library: Res<'w, Library>,
    shake: Res<'w, Shake>,
    turn: Res<'w, BoardRotation>,
    fall: Res<'w, Fall>,
    time: Res<'w, Time<Real>>,
}

/// True if the match is played without seeing the pieces. When it is over they are there.
pub(super) fn is_blindfold(settings: &Settings, current: &CurrentMatch) -> bool {
    settings.blindfold && current.traits().counts && current.outcome().is_none()
}

impl Scene<'_> {
    /// How far a piece at rest is lifted now, from its previous state.
    fn lift(&self, before: f32, held: bool, frames: &mut FrameRequests) -> f32 {
        let goal = if held { 1.0 } else { 0.0 };
        let seconds = if self.settings.reduced_motion { 0.0 } else { pace::seconds(&self.settings, LIFT) };
        if before == goal || seconds == 0.0 {
            return goal;
        }
        frames.keep();
        let step = pace::step(&self.time) / seconds;
        if held { (before + step).min(1.0) } else { (before - step).max(0.0) }
    }

    /// The pose of a piece on its point.
    fn at_rest(&self, point: Point, dragged: bool, lift: f32) -> Pose {
        // A move that waits for its confirmation is shown as if it were made.
        let waits = self.selection.pending.filter(|_| !dragged);
        let goes = waits.filter(|action| action.origin() == Some(point)).and_then(|action| action.target());
        let mut pose = Pose::resting(in_cells(goes.unwrap_or(point)));
        if waits.is_some_and(|action| action.origin().is_some() && action.target() == Some(point)) {
            pose.alpha = TAKEN;
        }
        let height = ease_out(lift);
        (pose.scale, pose.height) = (1.0 + (LIFTED - 1.0) * height, height);
        if let Some((shaken, offset)) = self.shake.now
            && shaken == point
        {
            pose.place.x += offset;
        }
        if dragged && let Some(cursor) = self.pointer.position {
            // Above a finger, which would hide it.
            let above = if self.pointer.finger().is_some() { ABOVE_FINGER * self.layout.cell } else { 0.0 };
            pose.place = self.layout.cells_at(self.layout.sharp(self.layout.world(cursor) + Vec2::new(0.0, above)));
        }
        (pose.turn, pose.light) = self.fall.of(point);
        pose
    }
}

fn pose_pieces(
    mut pieces: Pieces,
    mut shadows: Query<(&Shadow, &mut Sprite, &mut Transform, &mut Visibility)>,
    scene: Scene,
    mut images: ResMut<PieceImages>,
    mut assets: ResMut<Assets<Image>>,
    mut frames: ResMut<FrameRequests>,
) {
    let images = images.bypass_change_detection();
    let frames = frames.bypass_change_detection();
    let layout = &scene.layout;
    let stretch = if images.cell() > 0.0 { layout.cell / images.cell() } else { 1.0 };
    let sheet = &scene.current.game().sheet;
    let stones = matches!(sheet.shape, Shape::Stone { .. });
    let hidden = is_blindfold(&scene.settings, &scene.current) && !scene.settings.blind_discs;
    let seen = if hidden { Visibility::Hidden } else { Visibility::Inherited };
    for (board_piece, identity, at, moving, dragged, mut shown, mut sprite, mut transform, mut visibility, children) in
        &mut pieces
    {
        let Some(texture) = images.pieces().and_then(|pieces| pieces.piece(board_piece.0, identity.0)) else { continue };
        let (mut image, across) = (texture.image.clone(), texture.size);
        let mut pose = match (moving, at) {
            (Some(moving), _) => moving.pose(),
            (None, Some(at)) => {
                let waits = scene.selection.pending.and_then(|action| action.origin());
                let held = [scene.selection.picked, waits].contains(&Some(at.0));
                shown.lift = scene.lift(shown.lift, held || dragged, frames);
                scene.at_rest(at.0, dragged, shown.lift)
            }
            (None, None) => continue,
        };
        shown.place = pose.place;
        if moving.is_some() {
            shown.lift = 0.0;
        }
        let off = if stones && !dragged { (off_the_point(identity.0) * layout.cell).round() } else { Vec2::ZERO };
        let place = scene.turn.on_the_way(layout, layout.place(pose.place) + off);
        // A lifted piece has its own picture, because a stretched one would be blurred.
        let held = moving.is_none() && shown.lift >= 1.0 && stretch == 1.0;
        if held && let Some(pieces) = images.pieces() {
            let lifted = Extra::Lifted(board_piece.0, pieces.grain(identity.0));
            let theme = scene.library.theme_of(&scene.settings);
            image = images.extra(lifted, sheet, &theme, &mut assets).unwrap_or(image);
            pose.scale = 1.0;
        }
        let size = stretched(across, stretch).filter(|_| !held);
        if sprite.image != image {
            sprite.image = image;
        }
        if sprite.custom_size != size {
            sprite.custom_size = size;
        }
        let colour = Color::srgba(pose.light, pose.light, pose.light, pose.alpha);
        if sprite.color != colour {
            sprite.color = colour;
        }
        let flying = pose.height > 0.0 || pose.flying;
        let z = if flying { layer::FLYING } else { layer::PIECES };
        let next = Transform::from_translation(place.extend(z))
            .with_scale(Vec3::new(pose.scale, pose.scale, 1.0))
            .with_rotation(Quat::from_rotation_z(pose.turn));
        if *transform != next {
            *transform = next;
        }
        visibility.set_if_neq(seen);
        for child in children.iter() {
            let Ok((shadow, mut sprite, mut under, mut visibility)) = shadows.get_mut(child) else { continue };
            let lifted = shadow.0 == Height::Lifted;
            let strength = pose.alpha * if lifted { pose.height } else { 1.0 - pose.height };
            // Drawn marks are flat and have no shadow.
            let both = images.pieces().and_then(|pieces| pieces.shadows.as_ref());
            let Some(texture) = both.map(|both| &both[usize::from(lifted)]).filter(|_| strength > 0.0) else {
                visibility.set_if_neq(Visibility::Hidden);
                continue;
            };
            visibility.set_if_neq(Visibility::Inherited);
            if sprite.image != texture.image {
                sprite.image = texture.image.clone();
            }
            let size = stretched(texture.size, stretch);
            if sprite.custom_size != size {
                sprite.custom_size = size;
            }
            if sprite.color.alpha() != strength {
                sprite.color.set_alpha(strength);
            }
            // The direction of the light does not rotate with a piece.
            let next = Transform::from_xyz(0.0, 0.0, if flying { -0.5 } else { layer::SHADOWS - layer::PIECES })
                .with_rotation(Quat::from_rotation_z(-pose.turn));
            if *under != next {
                *under = next;
            }
        }
    }
}

/// `None` (the picture's own size) if it was drawn for this cell size.
fn stretched(size: Vec2, stretch: f32) -> Option<Vec2> {
    (stretch != 1.0).then(|| size * stretch)
}

/// A piece dropped on an illegal point glides back.
fn bring_home(
    mut commands: Commands,
    mut let_go: RemovedComponents<Dragged>,
    pieces: Query<(&At, &LastPose), (With<BoardPiece>, Without<Moving>)>,
    settings: Res<Settings>,
) {
    for entity in let_go.read() {
        let Ok((at, shown)) = pieces.get(entity) else { continue };
        let (from, to) = (shown.place, in_cells(at.0));
        if from.distance(to) > 0.1
            && let Some(moving) = Moving::home(from, to, shown.lift, &settings)
        {
            commands.entity(entity).insert(moving);
        }
    }
}

/// The piece of a refused move shakes.
#[derive(Resource, Default)]
pub struct Shake {
    run: Run,
    point: Option<Point>,
    now: Option<(Point, f32)>,
}

/// The time of a shake, in seconds, and its width, in cells.
const SHAKE: (f32, f32) = (0.12, 0.05);

fn shake(
    mut shake: ResMut<Shake>,
    mut refused: MessageReader<MoveRefused>,
    (settings, hurry): (Res<Settings>, Res<Hurry>),
    time: Res<Time<Real>>,
    mut frames: ResMut<FrameRequests>,
) {
    let shake = shake.bypass_change_detection();
    if hurry.0 {
        shake.run.finish();
    }
    for refusal in refused.read() {
        if let Some(point) = refusal.action.origin()
            && !settings.reduced_motion
        {
            shake.run = Run::of(pace::seconds(&settings, SHAKE.0));
            shake.point = Some(point);
        }
    }
    if shake.run.is_over() {
        shake.now = None;
        return;
    }
    shake.run.step(pace::step(&time));
    frames.keep();
    shake.now = shake.point.map(|point| (point, SHAKE.1 * (shake.run.part() * std::f32::consts::TAU * 2.0).sin()));
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shake>().add_systems(
        Update,
        (make_sprites, shake, bring_home, pose_pieces)
            .chain()
            .after(super::motion::advance)
            .in_set(Step::Animate)
            .run_if(in_match),
    );
}
