//! The men: each an entity with its body and, beneath, its shadow.

use super::motion::{Moving, Pose};
use super::{Layout, MenImages, layer};
use crate::app::play::{At, CurrentMatch, Identity, Piece, Pointer, Selection};
use crate::app::state::Screen;
use crate::paint::Height;
use crate::rules::zobrist;
use crate::table::Shape;
use bevy::prelude::*;

/// A man held by the pointer.
#[derive(Component)]
pub struct Dragged;

/// The shadow of a man, a child of it.
#[derive(Component)]
struct Shadow;

/// How far a lifted man grows.
const LIFTED: f32 = 1.06;

fn dress_new(mut commands: Commands, new: Query<Entity, (With<Piece>, Without<Sprite>)>) {
    for entity in &new {
        commands
            .entity(entity)
            .insert((Sprite::default(), Transform::from_xyz(0.0, 0.0, layer::MEN), Visibility::Hidden))
            .with_child((Shadow, Sprite::default(), Transform::from_xyz(0.0, 0.0, layer::SHADOWS - layer::MEN)));
    }
}

/// The part of a cell a stone sits off its point, by its identity.
fn off_the_point(identity: u64) -> Vec2 {
    let bits = zobrist::mix(identity);
    let part = |bits: u64| (bits & 0xFF) as f32 / 255.0 * 0.04 - 0.02;
    Vec2::new(part(bits), part(bits >> 8))
}

type Men<'w, 's> = Query<
    'w,
    's,
    (
        &'static Piece,
        &'static Identity,
        Option<&'static At>,
        Option<&'static Moving>,
        Has<Dragged>,
        &'static mut Sprite,
        &'static mut Transform,
        &'static mut Visibility,
        &'static Children,
    ),
    Without<Shadow>,
>;

fn pose_men(
    mut men: Men,
    mut shadows: Query<(&mut Sprite, &mut Transform), With<Shadow>>,
    layout: Res<Layout>,
    images: Res<MenImages>,
    selection: Res<Selection>,
    pointer: Res<Pointer>,
    current: Res<CurrentMatch>,
    shake: Res<Shake>,
) {
    let stretch = if images.cell > 0.0 { layout.cell / images.cell } else { 1.0 };
    // Drawn marks lie flat and cast none.
    let drawn = matches!(current.shelved().sheet.shape, Shape::Mark);
    let stones = matches!(current.shelved().sheet.shape, Shape::Stone { .. });
    for (piece, identity, at, moving, dragged, mut sprite, mut transform, mut visibility, children) in &mut men {
        let Some(image) = images.man(piece.0, identity.0) else { continue };
        let rest = at.map(|at| super::layout::in_cells(at.0));
        let mut pose = match (moving, rest) {
            (Some(moving), _) => moving.pose(&layout),
            (None, Some(at)) => Pose::resting(layout.place(at)),
            (None, None) => continue,
        };
        if moving.is_none()
            && let Some(at) = at
        {
            if stones {
                pose.place += (off_the_point(identity.0) * layout.cell).round();
            }
            if selection.picked == Some(at.0) {
                (pose.scale, pose.height) = (LIFTED, 1.0);
            }
            if let Some((point, offset)) = shake.now
                && point == at.0
            {
                pose.place.x += offset * layout.cell;
            }
            if dragged && let Some(cursor) = pointer.position {
                pose.place = layout.world(cursor);
            }
        }
        let size = stretched(images.across.0, stretch);
        if sprite.image != *image {
            sprite.image = image.clone();
        }
        if sprite.custom_size != size {
            sprite.custom_size = size;
        }
        sprite.color.set_alpha(pose.alpha);
        let z = if pose.height > 0.0 || pose.flying { layer::FLYING } else { layer::MEN };
        let next = Transform::from_translation(pose.place.extend(z))
            .with_scale(Vec3::new(pose.scale, pose.scale, 1.0))
            .with_rotation(Quat::from_rotation_z(pose.turn));
        if *transform != next {
            *transform = next;
        }
        if *visibility != Visibility::Inherited {
            *visibility = Visibility::Inherited;
        }
        for child in children.iter() {
            let Ok((mut shadow, mut under)) = shadows.get_mut(child) else { continue };
            let image = images.shadow(if pose.height > 0.3 { Height::Lifted } else { Height::Resting });
            if shadow.image != image {
                shadow.image = image;
            }
            let size = stretched(images.across.1, stretch);
            if shadow.custom_size != size {
                shadow.custom_size = size;
            }
            shadow.color.set_alpha(if drawn { 0.0 } else { pose.alpha });
            let z = if z == layer::FLYING { -0.5 } else { layer::SHADOWS - layer::MEN };
            under.translation.z = z;
        }
    }
}

/// The picture's own size (`None`) where it was painted for this very cell.
fn stretched(across: f32, stretch: f32) -> Option<Vec2> {
    (stretch != 1.0).then(|| Vec2::splat(across * stretch))
}

/// The man of a refused move shakes its head.
#[derive(Resource, Default)]
pub struct Shake {
    since: Option<(crate::rules::Point, f32)>,
    now: Option<(crate::rules::Point, f32)>,
}

impl Shake {
    pub(super) fn is_on(&self) -> bool {
        self.since.is_some()
    }
}

/// Seconds a shake lasts, and how far it goes, in cells.
const SHAKE: (f32, f32) = (0.12, 0.05);

fn shake(mut shake: ResMut<Shake>, mut refused: MessageReader<crate::app::play::MoveRefused>, time: Res<Time<Real>>) {
    let now = time.elapsed_secs();
    for refusal in refused.read() {
        if let Some(point) = refusal.action.origin() {
            shake.since = Some((point, now));
        }
    }
    let Some((point, since)) = shake.since else { return };
    let part = (now - since) / SHAKE.0;
    if part >= 1.0 {
        *shake = Shake::default();
    } else {
        shake.now = Some((point, SHAKE.1 * (part * std::f32::consts::TAU * 2.0).sin()));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shake>().add_systems(
        Update,
        (dress_new, shake, pose_men)
            .chain()
            .after(super::motion::advance)
            .in_set(crate::app::Step::Animate)
            .run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
    );
}
