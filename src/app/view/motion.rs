//! The animation of pieces: lift, glide, land; a captured piece is pushed and flies to the tray; a stone drops; undo plays the same
//! backwards. Places are in files and ranks, so that the match and small boards of any size move alike.

use super::pace;
use super::pace::{FADE, ease_in_out, ease_out};
use super::proportions::{LIFT, LIFTED};
use super::trays::Trays;
use crate::app::ground::layout::{Layout, in_cells};
use crate::app::ground::picture::{Hurry, InMotion};
use crate::app::ground::settings::Settings;
use crate::app::ground::step::Step;
use crate::app::play::{At, BoardChanged, BoardPiece, CurrentMatch, Passage, board_piece, in_match};
use bevy::prelude::*;
use qiju_core::rules::{BySide, Point, Side};
use qiju_core::table::{Change, Piece};
use std::collections::HashMap;

/// The factor by which undo and navigation are faster than play.
const BACKWARDS: f32 = 1.5;

/// How a piece is drawn at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its centre in files and ranks.
    pub place: Vec2,
    /// Its scale; 1 is at rest.
    pub scale: f32,
    /// How far it is lifted: 0 is on the board, 1 is fully lifted.
    pub height: f32,
    /// Its opacity.
    pub alpha: f32,
    /// Its rotation, in radians.
    pub turn: f32,
    /// Its brightness; 1 is at rest.
    pub light: f32,
    /// Whether it moves above the others.
    pub flying: bool,
}

impl Pose {
    /// A piece at rest.
    pub fn resting(place: Vec2) -> Pose {
        Pose { place, scale: 1.0, height: 0.0, alpha: 1.0, turn: 0.0, light: 1.0, flying: false }
    }
}

/// How a piece was drawn last.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct LastPose {
    /// Its centre in files and ranks.
    pub place: Vec2,
    /// How far it is lifted by dragging, 0 to 1.
    pub lift: f32,
}

/// The kind of animation. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Lifts, glides and lands; `held` is how far it was lifted before.
    Slide { held: f32, lift: f32, glide: f32, land: f32 },
    /// Appears from above; backwards: rises and disappears.
    Drop { seconds: f32, backwards: bool },
    /// A capture: pushed a little, then flies to the tray and shrinks; backwards it comes back.
    Taken { push: Vec2, tray: Vec2, seconds: f32, backwards: bool },
    /// Moves at once and fades in (reduced motion); disappears at the end if it leaves.
    Fade { seconds: f32, leaves: bool },
}

/// An animated piece. Removed at the end of the animation.
#[derive(Component, Clone, Copy, Debug)]
#[require(InMotion)]
pub struct Moving {
    /// The start, in files and ranks,
    from: Vec2,
    /// and the end.
    to: Vec2,
    elapsed: f32,
    delay: f32,
    kind: Kind,
    /// Whether its sound was triggered.
    contact: Option<Contact>,
}

/// The sound at the arrival of a piece.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// A piece was set down.
    Land,
    /// A piece was captured.
    Capture,
}

impl Moving {
    fn seconds(&self) -> f32 {
        self.delay
            + match self.kind {
                Kind::Slide { lift, glide, land, .. } => lift + glide + land,
                Kind::Drop { seconds, .. } | Kind::Taken { seconds, .. } | Kind::Fade { seconds, .. } => seconds,
            }
    }

    /// The time when it touches the board.
    fn contact_time(&self) -> f32 {
        self.delay
            + match self.kind {
                Kind::Slide { lift, glide, .. } => lift + glide,
                Kind::Drop { seconds, .. } => seconds,
                Kind::Taken { .. } | Kind::Fade { .. } => 0.0,
            }
    }

    fn leaves(&self) -> bool {
        matches!(
            self.kind,
            Kind::Taken { backwards: false, .. } | Kind::Drop { backwards: true, .. } | Kind::Fade { leaves: true, .. }
        )
    }

    /// How the piece is drawn so many seconds after the animation began; `None` if it has left the board by then.
    pub fn after(mut self, seconds: f32) -> Option<Pose> {
        if self.is_over(seconds) {
            return (!self.leaves()).then(|| Pose::resting(self.to));
        }
        self.elapsed = seconds;
        Some(self.pose())
    }

    /// True if it has ended so many seconds after it began.
    pub fn is_over(&self, seconds: f32) -> bool {
        seconds >= self.seconds()
    }

    /// How the piece is drawn now.
    pub(super) fn pose(&self) -> Pose {
        let at = (self.elapsed - self.delay).max(0.0);
        let (from, to) = (self.from, self.to);
        let mut pose = Pose { flying: true, ..Pose::resting(from) };
        let grown = LIFTED - 1.0;
        match self.kind {
            Kind::Slide { held, lift, glide, land } => {
                if at < lift || self.elapsed < self.delay {
                    let part = held + (1.0 - held) * if lift > 0.0 { ease_out(at / lift) } else { 0.0 };
                    (pose.scale, pose.height) = (1.0 + grown * part, part);
                } else if at < lift + glide {
                    let part = (at - lift) / glide;
                    pose.place = from.lerp(to, ease_in_out(part));
                    let arc = (part * std::f32::consts::PI).sin();
                    (pose.scale, pose.height) = (LIFTED + 0.04 * arc, 1.0);
                } else {
                    let part = ((at - lift - glide) / land.max(1e-3)).min(1.0);
                    pose.place = to;
                    // One small overshoot: a little below rest and back.
                    pose.scale = LIFTED - grown * ease_out(part) - 0.015 * (part * std::f32::consts::PI).sin();
                    pose.height = (1.0 - part).max(0.0) * 0.9;
                }
            }
            Kind::Drop { seconds, backwards } => {
                let part = (at / seconds).min(1.0);
                let part = if backwards { 1.0 - ease_out(part) } else { ease_out(part) };
                (pose.scale, pose.alpha, pose.height) = (1.15 - 0.15 * part, part, 1.0 - part);
                pose.place = to;
            }
            Kind::Taken { push, tray, seconds, backwards } => {
                let part = (at / seconds).min(1.0);
                let part = if backwards { 1.0 - part } else { part };
                let pushed = from + push * ease_out(part * 4.0);
                pose.place = pushed.lerp(tray, ease_in_out((part - 0.15) / 0.85));
                pose.scale = 1.0 - 0.6 * part;
                pose.alpha = 1.0 - (part - 0.7).max(0.0) / 0.3;
                pose.flying = backwards || self.elapsed > self.delay;
            }
            Kind::Fade { seconds, leaves } => {
                let part = (at / seconds).min(1.0);
                pose.place = to;
                pose.alpha = if leaves { 1.0 - part } else { part };
            }
        }
        pose
    }

    /// Ends the animation at the next update.
    pub fn finish(&mut self) {
        self.elapsed = self.elapsed.max(self.seconds());
    }

    /// The animation of a dropped piece that glides back to its point.
    pub(super) fn home(from: Vec2, to: Vec2, held: f32, settings: &Settings) -> Option<Moving> {
        let one = |normal| pace::seconds(settings, normal);
        let glide = one(0.08 + 0.018 * from.distance(to));
        let kind = Kind::Slide { held, lift: 0.0, glide, land: one(0.06) };
        (glide > 0.0 && !settings.reduced_motion).then_some(Moving { from, to, elapsed: 0.0, delay: 0.0, kind, contact: None })
    }
}

/// The number of navigation steps without a pause; after some steps of a held key, animations are skipped.
#[derive(Default)]
pub struct HeldSteps {
    steps: u32,
    last: f32,
}

/// Steps with a shorter distance than this, in seconds, belong together.
const WALK: f32 = 0.35;
/// The number of consecutive steps that are animated; the rest is instant.
const SHOWN_STEPS: u32 = 3;

impl HeldSteps {
    fn is_on(&mut self, now: f32) -> bool {
        self.steps = if now - self.last < WALK { self.steps + 1 } else { 1 };
        self.last = now;
        self.steps > SHOWN_STEPS
    }
}

/// Animates the changes: moved pieces glide, captured ones leave, new ones appear.
pub fn apply_changes(
    mut commands: Commands,
    mut changed: MessageReader<BoardChanged>,
    pieces: Query<(Entity, &BoardPiece, &At, Option<&LastPose>)>,
    (settings, layout, trays): (Res<Settings>, Res<Layout>, Res<Trays>),
    time: Res<Time<Real>>,
    mut held_steps: Local<HeldSteps>,
) {
    if changed.is_empty() {
        return;
    }
    let mut by_point: HashMap<Point, Entity> = pieces.iter().map(|(entity, _, at, _)| (at.0, entity)).collect();
    let mut looked = None;
    // Several moves taken back at once are animated one after the other.
    let mut wait = 0.0;
    for change in changed.read() {
        let played = change.passage == Passage::Played;
        let leaps = change.passage == Passage::Leapt;
        let instant = leaps || !played && *looked.get_or_insert_with(|| held_steps.is_on(time.elapsed_secs()));
        let motion = Motion {
            speed: if instant { 0.0 } else { settings.speed * if played { 1.0 } else { BACKWARDS } },
            reduced: settings.reduced_motion,
            wait,
            backwards: change.passage == Passage::TakenBack,
            trays: BySide::from_fn(|side| Some(layout.cells_at(trays.of(side, &layout)))),
        };
        let shown = |at: Point| pieces.get(*by_point.get(&at)?).ok()?.3.copied();
        let movements = motion.of(&change.changes, shown);
        wait = 0.0;
        for (one, moving) in change.changes.iter().zip(movements) {
            let entity = match *one {
                Change::Slide { from, to } => {
                    let Some(entity) = by_point.remove(&from) else { continue };
                    by_point.insert(to, entity);
                    commands.entity(entity).insert(At(to));
                    entity
                }
                Change::Place { piece, at } => {
                    let entity = commands.spawn(board_piece(piece, at)).id();
                    by_point.insert(at, entity);
                    entity
                }
                Change::Remove { at, .. } => {
                    let Some(entity) = by_point.remove(&at) else { continue };
                    commands.entity(entity).remove::<At>();
                    entity
                }
                Change::Flip { at, to, .. } => {
                    if let Some(entity) = by_point.remove(&at) {
                        commands.entity(entity).despawn();
                    }
                    let entity = commands.spawn(board_piece(to, at)).id();
                    by_point.insert(at, entity);
                    entity
                }
                Change::Pass => continue,
            };
            if motion.speed > 0.0 {
                commands.entity(entity).insert(moving);
                wait = moving.seconds().max(wait);
            } else if matches!(one, Change::Remove { .. }) {
                commands.entity(entity).despawn();
            } else {
                // Its previous animation ends.
                commands.entity(entity).remove::<(Moving, InMotion)>();
            }
        }
    }
}

/// Corrects the entities if they differ from the table.
fn keep_pieces_true(
    mut commands: Commands,
    current: Res<CurrentMatch>,
    changed: MessageReader<BoardChanged>,
    pieces: Query<(Entity, &BoardPiece, &At)>,
) {
    if changed.is_empty() {
        return;
    }
    let mut truth: std::collections::HashMap<Point, Piece> = current.shown().pieces().into_iter().collect();
    let mut wrong = Vec::new();
    for (entity, board_piece, at) in &pieces {
        if truth.get(&at.0) == Some(&board_piece.0) {
            truth.remove(&at.0);
        } else {
            wrong.push(entity);
        }
    }
    if !wrong.is_empty() || !truth.is_empty() {
        warn!("the pieces shown differed from the table at {} points; set right", wrong.len() + truth.len());
    }
    for entity in wrong {
        commands.entity(entity).despawn();
    }
    for (point, piece) in truth {
        commands.spawn(board_piece(piece, point));
    }
}

/// The path of a piece; reversed for undo.
fn in_direction(from: Point, to: Point, backwards: bool) -> Vec2 {
    let way = in_cells(to) - in_cells(from);
    (if backwards { -way } else { way }).normalize_or_zero()
}

/// How the changes of a move are animated.
pub struct Motion {
    /// 1 is the normal speed; with 0 there is no animation.
    pub speed: f32,
    /// Pieces fade instead of moving.
    pub reduced: bool,
    /// The delay in seconds.
    pub wait: f32,
    /// The move is taken back.
    pub backwards: bool,
    /// Where the pieces fly that each side takes, in files and ranks; without a place they disappear on their point.
    pub trays: BySide<Option<Vec2>>,
}

impl Motion {
    /// An animation for each change of a move. `shown` is how the piece on a point is drawn, if that is known: a piece that is already lifted
    /// continues from there.
    pub fn of(&self, changes: &[Change], shown: impl Fn(Point) -> Option<LastPose>) -> Vec<Moving> {
        let captures = changes.iter().any(|change| matches!(change, Change::Remove { .. }));
        // A capture is shown when the capturing piece arrives.
        let slide = changes.iter().find_map(|change| match *change {
            Change::Slide { from, to } => Some((from, to, self.slide(from, to, shown(from).filter(|shown| shown.lift > 0.0)))),
            _ => None,
        });
        let (way, arrival) =
            slide.map_or((Vec2::ZERO, 0.0), |(from, to, moving)| (in_direction(from, to, self.backwards), moving.contact_time()));
        let of = |change: &Change| match (*change, slide) {
            (Change::Slide { from, to }, _) => {
                let moving = slide.map_or_else(|| self.slide(from, to, None), |(.., moving)| moving);
                Moving { contact: Some(if captures { Contact::Capture } else { Contact::Land }), ..moving }
            }
            (Change::Place { piece, at }, Some(_)) => self.taken(at, !piece.side, way, self.wait, true),
            (Change::Remove { piece, at }, Some(_)) => self.taken(at, !piece.side, way, arrival, false),
            (Change::Place { at, .. }, None) | (Change::Flip { at, .. }, _) => self.drop(at, false),
            (Change::Remove { at, .. }, None) => self.drop(at, true),
            (Change::Pass, _) => self.fade(Vec2::ZERO, false),
        };
        changes.iter().map(of).collect()
    }

    fn seconds(&self, normal: f32) -> f32 {
        normal / self.speed.max(0.1)
    }

    fn still(&self, place: Vec2, kind: Kind) -> Moving {
        Moving { from: place, to: place, elapsed: 0.0, delay: self.wait, kind, contact: None }
    }

    fn fade(&self, place: Vec2, leaves: bool) -> Moving {
        self.still(place, Kind::Fade { seconds: FADE, leaves })
    }

    /// A piece that is already lifted continues from its current state.
    fn slide(&self, from: Point, to: Point, shown: Option<LastPose>) -> Moving {
        let end = in_cells(to);
        if self.reduced {
            return self.fade(end, false);
        }
        let (start, held) = shown.map_or((in_cells(from), 0.0), |shown| (shown.place, shown.lift));
        let distance = start.distance(end);
        // A piece dropped near its point has only a short way to go.
        let glide = if distance < 0.7 { 0.04 + 0.14 * distance } else { 0.14 + 0.018 * distance };
        let kind = Kind::Slide {
            held,
            lift: self.seconds(LIFT * (1.0 - held)),
            glide: self.seconds(glide.min(0.32)),
            land: self.seconds(0.06),
        };
        Moving { from: start, to: end, elapsed: 0.0, delay: self.wait, kind, contact: None }
    }

    fn drop(&self, at: Point, backwards: bool) -> Moving {
        let place = in_cells(at);
        let mut moving = if self.reduced {
            self.fade(place, backwards)
        } else {
            self.still(place, Kind::Drop { seconds: self.seconds(0.11), backwards })
        };
        moving.contact = (!backwards).then_some(Contact::Land);
        moving
    }

    fn taken(&self, at: Point, taker: Side, direction: Vec2, delay: f32, backwards: bool) -> Moving {
        let place = in_cells(at);
        if self.reduced {
            return self.fade(place, !backwards);
        }
        let (push, tray) = (direction * 0.15, self.trays[taker].unwrap_or(place));
        let mut moving = self.still(place, Kind::Taken { push, tray, seconds: self.seconds(0.26), backwards });
        moving.delay = delay;
        moving
    }
}

/// Ends all animations when the user presses a button or holds a key.
fn finish(hurry: Res<Hurry>, mut moving: Query<&mut Moving>) {
    if hurry.0 {
        for mut one in &mut moving {
            one.finish();
        }
    }
}

pub(super) fn advance(
    mut commands: Commands,
    mut moving: Query<(Entity, &mut Moving, Has<At>)>,
    mut contacts: MessageWriter<Contact>,
    time: Res<Time<Real>>,
) {
    let step = pace::step(&time);
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
                commands.entity(entity).remove::<(Moving, InMotion)>();
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, keep_pieces_true.after(apply_changes).in_set(Step::Animate).run_if(in_match));
    app.add_message::<Contact>()
        .add_systems(Update, finish.in_set(Step::Think))
        .add_systems(Update, (apply_changes, advance).chain().in_set(Step::Animate).run_if(in_match));
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAY: Vec2 = Vec2::new(11.0, 4.0);

    fn motion() -> Motion {
        Motion { speed: 1.0, reduced: false, wait: 0.0, backwards: false, trays: BySide::from_fn(|_| Some(TRAY)) }
    }

    #[test]
    fn a_slide_takes_the_time_its_length_asks_for() {
        let glide = |to| match motion().slide(Point::new(0, 0), to, None).kind {
            Kind::Slide { lift, glide, .. } => {
                assert_eq!(lift, LIFT);
                glide
            }
            other => panic!("{other:?}"),
        };
        assert!((glide(Point::new(0, 1)) - 0.158).abs() < 1e-6);
        assert!((glide(Point::new(0, 9)) - 0.302).abs() < 1e-6);
        // No slide takes longer than this.
        assert_eq!(glide(Point::new(8, 9)), 0.32);
    }

    #[test]
    fn motions_begin_and_end_where_they_should() {
        let (from, to) = (Point::new(1, 2), Point::new(4, 2));
        let mut slide = motion().slide(from, to, None);
        assert_eq!((slide.pose().place, slide.pose().scale), (in_cells(from), 1.0));
        slide.finish();
        let end = slide.pose();
        assert!(end.place == in_cells(to) && (end.scale - 1.0).abs() < 1e-3 && end.height < 1e-3, "{end:?}");
        // Undo is the same animation backwards.
        let mut taken = motion().taken(to, Side::First, Vec2::X, 0.0, false);
        let mut back = motion().taken(to, Side::First, Vec2::X, 0.0, true);
        for _ in 0..13 {
            let mirrored = Moving { elapsed: taken.seconds() - back.elapsed, ..taken };
            assert!(mirrored.pose().place.distance(back.pose().place) < 0.01);
            back.elapsed += 0.02;
        }
        taken.finish();
        assert!(taken.pose().place.distance(TRAY) < 0.01);
    }

    #[test]
    fn a_held_piece_goes_on_from_the_hand() {
        let shown = LastPose { place: Vec2::new(3.8, 2.1), lift: 1.0 };
        let slide = motion().slide(Point::new(1, 2), Point::new(4, 2), Some(shown));
        let pose = slide.pose();
        assert!(pose.place.distance(shown.place) < 0.01 && pose.scale == LIFTED, "{pose:?}");
        assert!(slide.seconds() < 0.16, "it has only a short way to go");
    }

    #[test]
    fn who_holds_the_key_does_not_wait() {
        let mut held_steps = HeldSteps::default();
        let steps: Vec<bool> = (1..=6).map(|step| held_steps.is_on(10.0 + 0.1 * step as f32)).collect();
        assert_eq!(steps, [false, false, false, true, true, true]);
        assert!(!held_steps.is_on(12.0));
    }
}
