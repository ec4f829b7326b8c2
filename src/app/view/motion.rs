//! Motion with weight: lift, glide, land; the taken man flies off; a stone drops; undo plays backwards.

use super::Layout;
use super::layout::in_cells;
use crate::app::play::{At, BoardChanged, CurrentMatch, Passage, Piece, piece};
use crate::app::settings::Settings;
use crate::app::state::Screen;
use crate::rules::{Point, Side};
use crate::table::Change;
use bevy::prelude::*;
use std::collections::HashMap;

/// How a man is shown at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its middle in the world.
    pub place: Vec2,
    /// Its size; 1 is at rest.
    pub scale: f32,
    /// How far it is lifted: 0 lies on the board, 1 is held.
    pub height: f32,
    /// Its opacity.
    pub alpha: f32,
    /// Its turn, in radians.
    pub turn: f32,
    /// It moves above the others.
    pub flying: bool,
}

impl Pose {
    /// A man at rest.
    pub fn resting(place: Vec2) -> Pose {
        Pose { place, scale: 1.0, height: 0.0, alpha: 1.0, turn: 0.0, flying: false }
    }
}

/// What kind of motion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Lifts, glides and lands.
    Slide { lift: f32, glide: f32, land: f32 },
    /// Appears from above.
    Drop { seconds: f32 },
    /// Is taken: pushed a little, then flies to this place in the world, shrinking; gone at the end.
    Leave { push: Vec2, tray: Vec2, seconds: f32 },
    /// Moves at once, fading in (reduced motion); gone at the end if it leaves.
    Fade { seconds: f32, leaves: bool },
}

/// A man in motion. Removed when it has arrived.
#[derive(Component, Clone, Copy, Debug)]
pub struct Moving {
    from: Vec2,
    to: Vec2,
    elapsed: f32,
    delay: f32,
    kind: Kind,
    /// Tells the ear once.
    contact: Option<Contact>,
}

/// What is heard when a man arrives.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// A man was set down.
    Land,
    /// A man was taken.
    Capture,
}

fn ease_out(part: f32) -> f32 {
    1.0 - (1.0 - part) * (1.0 - part)
}

fn ease_in_out(part: f32) -> f32 {
    if part < 0.5 { 4.0 * part.powi(3) } else { 1.0 - (-2.0 * part + 2.0).powi(3) / 2.0 }
}

impl Moving {
    fn seconds(&self) -> f32 {
        self.delay
            + match self.kind {
                Kind::Slide { lift, glide, land } => lift + glide + land,
                Kind::Drop { seconds } | Kind::Leave { seconds, .. } | Kind::Fade { seconds, .. } => seconds,
            }
    }

    /// When it touches the board.
    fn contact_time(&self) -> f32 {
        self.delay
            + match self.kind {
                Kind::Slide { lift, glide, .. } => lift + glide,
                Kind::Drop { seconds } => seconds,
                Kind::Leave { .. } | Kind::Fade { .. } => 0.0,
            }
    }

    fn leaves(&self) -> bool {
        matches!(self.kind, Kind::Leave { .. } | Kind::Fade { leaves: true, .. })
    }

    /// How the man is shown now.
    pub(super) fn pose(&self, layout: &Layout) -> Pose {
        let at = (self.elapsed - self.delay).max(0.0);
        let (from, to) = (layout.place(self.from), layout.place(self.to));
        let mut pose = Pose { flying: true, ..Pose::resting(from) };
        match self.kind {
            Kind::Slide { lift, glide, land } => {
                if at < lift {
                    let part = ease_out(at / lift);
                    (pose.scale, pose.height) = (1.0 + 0.06 * part, part);
                } else if at < lift + glide {
                    let part = (at - lift) / glide;
                    pose.place = from.lerp(to, ease_in_out(part));
                    let arc = (part * std::f32::consts::PI).sin();
                    (pose.scale, pose.height) = (1.06 + 0.04 * arc, 1.0);
                } else {
                    let part = ((at - lift - glide) / land.max(1e-3)).min(1.0);
                    pose.place = to;
                    // One small overshoot: a little below rest and back.
                    pose.scale = 1.06 - 0.06 * ease_out(part) - 0.015 * (part * std::f32::consts::PI).sin();
                    pose.height = (1.0 - part).max(0.0) * 0.9;
                }
            }
            Kind::Drop { seconds } => {
                let part = ease_out((at / seconds).min(1.0));
                pose.scale = 1.15 - 0.15 * part;
                pose.alpha = if self.elapsed < self.delay { 0.0 } else { part };
                pose.height = 1.0 - part;
                pose.place = to;
            }
            Kind::Leave { push, tray, seconds } => {
                let part = (at / seconds).min(1.0);
                let pushed = from + push * layout.cell * ease_out((part * 4.0).min(1.0));
                pose.place = pushed.lerp(tray, ease_in_out(((part - 0.15) / 0.85).max(0.0)));
                pose.scale = 1.0 - 0.6 * part;
                pose.alpha = 1.0 - (part - 0.7).max(0.0) / 0.3;
                pose.flying = self.elapsed > self.delay;
            }
            Kind::Fade { seconds, leaves } => {
                let part = (at / seconds).min(1.0);
                pose.place = to;
                pose.alpha = if leaves { 1.0 - part } else { part };
            }
        }
        pose
    }

    /// Ends the motion at the next look.
    pub fn finish(&mut self) {
        self.elapsed = self.elapsed.max(self.seconds());
    }
}

/// Shows what has changed: men by point get their motions, taken ones leave, new ones appear.
pub fn apply_changes(
    mut commands: Commands,
    mut changed: MessageReader<BoardChanged>,
    men: Query<(Entity, &Piece, &At, Option<&Moving>)>,
    settings: Res<Settings>,
    layout: Res<Layout>,
) {
    if changed.is_empty() {
        return;
    }
    let mut by_point: HashMap<Point, Entity> = men.iter().map(|(entity, _, at, _)| (at.0, entity)).collect();
    for change in changed.read() {
        let speed = settings.speed
            * match change.passage {
                Passage::Played => 1.0,
                Passage::TakenBack | Passage::Replayed => 1.5,
                Passage::Leapt => 0.0,
            };
        let motion = Motion { speed, reduced: settings.reduced_motion, layout: &layout };
        // A capture is seen when the mover arrives.
        let arrival = change.changes.iter().find_map(|c| match *c {
            Change::Slide { from, to } => Some((in_cells(to) - in_cells(from), motion.slide_seconds(from, to))),
            _ => None,
        });
        let captures = change.changes.iter().any(|c| matches!(c, Change::Remove { .. }));
        for one in &change.changes {
            match *one {
                Change::Slide { from, to } => {
                    let Some(entity) = by_point.remove(&from) else { continue };
                    by_point.insert(to, entity);
                    let contact = if captures { Contact::Capture } else { Contact::Land };
                    commands.entity(entity).insert(At(to));
                    motion.start(&mut commands, entity, motion.slide(from, to, contact));
                }
                Change::Place { man, at } => {
                    let entity = commands.spawn(piece(man, at)).id();
                    by_point.insert(at, entity);
                    let drop = motion.drop(at, change.passage == Passage::Played || arrival.is_none());
                    motion.start(&mut commands, entity, drop);
                }
                Change::Remove { man, at } => {
                    let Some(entity) = by_point.remove(&at) else { continue };
                    commands.entity(entity).remove::<At>();
                    let (direction, delay) = arrival.unwrap_or_default();
                    let leave = motion.leave(at, !man.side, direction, delay);
                    if !motion.start(&mut commands, entity, leave) {
                        commands.entity(entity).despawn();
                    }
                }
            }
        }
    }
}

/// The motions of one change.
struct Motion<'a> {
    speed: f32,
    reduced: bool,
    layout: &'a Layout,
}

/// Length of the shortest fade, in seconds.
const FADE: f32 = 0.08;

impl Motion<'_> {
    /// Sets a man in motion; false where motion is switched off.
    fn start(&self, commands: &mut Commands, entity: Entity, moving: Moving) -> bool {
        if self.speed <= 0.0 {
            return false;
        }
        commands.entity(entity).insert(moving);
        true
    }

    fn fade(&self, from: Vec2, to: Vec2, leaves: bool, contact: Option<Contact>) -> Moving {
        Moving { from, to, elapsed: 0.0, delay: 0.0, kind: Kind::Fade { seconds: FADE, leaves }, contact }
    }

    fn glide(&self, from: Point, to: Point) -> f32 {
        (0.14 + 0.018 * in_cells(from).distance(in_cells(to))).min(0.32) / self.speed.max(0.1)
    }

    fn lift(&self) -> f32 {
        0.07 / self.speed.max(0.1)
    }

    fn slide_seconds(&self, from: Point, to: Point) -> f32 {
        self.lift() + self.glide(from, to)
    }

    fn slide(&self, from: Point, to: Point, contact: Contact) -> Moving {
        let (start, end) = (in_cells(from), in_cells(to));
        if self.reduced {
            return self.fade(start, end, false, Some(contact));
        }
        let kind = Kind::Slide { lift: self.lift(), glide: self.glide(from, to), land: 0.06 / self.speed.max(0.1) };
        Moving { from: start, to: end, elapsed: 0.0, delay: 0.0, kind, contact: Some(contact) }
    }

    fn drop(&self, at: Point, heard: bool) -> Moving {
        let place = in_cells(at);
        let contact = heard.then_some(Contact::Land);
        if self.reduced {
            return self.fade(place, place, false, contact);
        }
        let kind = Kind::Drop { seconds: 0.11 / self.speed.max(0.1) };
        Moving { from: place, to: place, elapsed: 0.0, delay: 0.0, kind, contact }
    }

    fn leave(&self, at: Point, taker: Side, direction: Vec2, delay: f32) -> Moving {
        let place = in_cells(at);
        if self.reduced || direction == Vec2::ZERO {
            return self.fade(place, place, true, None);
        }
        let turn = if self.layout.flipped { -1.0 } else { 1.0 };
        let push = direction.normalize_or_zero() * 0.15 * turn;
        // The taker's tray: at the side of the board, lower for the side that sits below.
        let below = (taker == Side::First) != self.layout.flipped;
        let half = self.layout.window / 2.0;
        let x = half.x - (self.layout.panel_width() * self.layout.scale * 0.7).max(self.layout.cell * 0.4);
        let tray = Vec2::new(x, if below { -half.y * 0.55 } else { half.y * 0.75 });
        let kind = Kind::Leave { push, tray, seconds: 0.26 / self.speed.max(0.1) };
        Moving { from: place, to: place, elapsed: 0.0, delay, kind, contact: None }
    }
}

/// Longest step of one frame: a hitch does not swallow a motion.
const LONGEST_STEP: f32 = 0.05;

pub(super) fn advance(
    mut commands: Commands,
    mut moving: Query<(Entity, &mut Moving, Has<At>)>,
    mut contacts: MessageWriter<Contact>,
    time: Res<Time>,
) {
    let step = time.delta_secs().min(LONGEST_STEP);
    for (entity, mut moving, stays) in &mut moving {
        moving.elapsed += step;
        if moving.elapsed >= moving.contact_time()
            && let Some(contact) = moving.contact.take()
        {
            contacts.write(contact);
        }
        if moving.elapsed >= moving.seconds() {
            if moving.leaves() || !stays {
                commands.entity(entity).despawn();
            } else {
                commands.entity(entity).remove::<Moving>();
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Contact>().add_systems(
        Update,
        (apply_changes, advance)
            .chain()
            .in_set(crate::app::Step::Animate)
            .run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
    );
}
