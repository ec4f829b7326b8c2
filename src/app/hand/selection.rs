//! The selection on the board, and the move that waits for confirmation.

use super::pointer::Pointer;
use crate::app::ground::keys::{KeyFocus, ReadKeys};
use crate::app::ground::requests::{CursorRequest, Requests, SelectionRequest};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, MoveRequested, in_match};
use bevy::prelude::*;
use qiju_core::rules::Point;
use qiju_core::table::Action;

/// The selection.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Selection {
    /// The point of the selected piece.
    pub picked: Option<Point>,
    /// The keyboard cursor, while it is used.
    pub cursor: Option<Point>,
    /// The move that waits for confirmation.
    pub pending: Option<Action>,
    /// The move that is played as soon as it is legal, chosen while the other side thinks.
    pub premove: Option<Action>,
    /// The point of the press, and whether the piece was selected before.
    pub(super) grip: Option<Grip>,
}

impl Selection {
    /// True while a press on the board is not over.
    pub fn is_pressed(&self) -> bool {
        self.grip.is_some()
    }

    /// True if there is something to clear.
    pub(super) fn is_in_use(&self) -> bool {
        self.picked.is_some() || self.cursor.is_some() || self.pending.is_some() || self.premove.is_some()
    }
}

/// A piece dragged by the pointer.
#[derive(Component)]
pub struct Dragged;

/// A press on a piece or a point, until it is released.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grip {
    pub from: Vec2,
    pub point: Point,
    pub was_picked: bool,
    pub dragging: bool,
}

/// A move on the board: of the match, or in another position.
pub(super) fn play(current: &CurrentMatch, action: Action, moves: &mut MessageWriter<MoveRequested>, requests: &mut Requests) {
    if current.plays_here() {
        moves.write(MoveRequested { action, ply: current.table().ply() });
    } else {
        requests.write(CursorRequest::Try(action));
    }
}

/// Handles the confirmation of the waiting move, and gives the moves that are confirmed.
fn confirm(
    mut requests: MessageReader<SelectionRequest>,
    mut selection: ResMut<Selection>,
    mut moves: MessageWriter<MoveRequested>,
    current: Res<CurrentMatch>,
) -> Vec<Action> {
    let mut confirmed = Vec::new();
    for request in requests.read() {
        match request {
            SelectionRequest::Take(choice) => {
                if current.human_to_move() && current.table().actions().contains(&choice.action()) {
                    moves.write(MoveRequested { action: choice.action(), ply: current.table().ply() });
                }
            }
            SelectionRequest::LetGo => *selection = Selection::default(),
            SelectionRequest::Confirm(yes) => {
                let Some(action) = selection.pending.take() else { continue };
                if *yes {
                    confirmed.push(action);
                } else {
                    selection.picked = None;
                }
            }
        }
    }
    confirmed
}

fn play_confirmed(
    In(confirmed): In<Vec<Action>>,
    current: Res<CurrentMatch>,
    (mut moves, mut requests): (MessageWriter<MoveRequested>, Requests),
) {
    for action in confirmed {
        play(&current, action, &mut moves, &mut requests);
    }
}

/// A piece is dragged only while it is held, whoever lets go of it.
fn put_down(mut commands: Commands, selection: Res<Selection>, dragged: Query<Entity, With<Dragged>>) {
    if !selection.grip.is_some_and(|grip| grip.dragging) {
        for entity in &dragged {
            commands.entity(entity).remove::<Dragged>();
        }
    }
}

/// Nothing stays selected when the board has changed, except the move chosen in advance. A press of this very frame counts: it was made on the board as
/// it will be shown.
fn unpick(mut selection: ResMut<Selection>, mut changed: MessageReader<BoardChanged>, pointer: Res<Pointer>) {
    // Reading them all: a change that is left unread would clear the selection of the next frame, too.
    let changed = changed.read().count() > 0;
    let pressed = pointer.touches.iter().any(|touch| touch.down);
    let selects = selection.picked.is_some() || selection.grip.is_some() || selection.pending.is_some();
    if changed && selects && !pressed {
        *selection = Selection { cursor: selection.cursor, premove: selection.premove, ..Selection::default() };
    }
}

/// What was chosen while the other side thought is played when the turn has come, if it is legal now. A match that is over or looked back at needs none.
fn play_chosen(mut selection: ResMut<Selection>, current: Res<CurrentMatch>, mut requests: MessageWriter<MoveRequested>) {
    let Some(action) = selection.premove else { return };
    if current.outcome().is_some() || current.is_looking_back() {
        selection.premove = None;
    } else if current.human_to_move() {
        selection.premove = None;
        if current.table().actions().contains(&action) {
            requests.write(MoveRequested { action, ply: current.table().ply() });
        }
    }
}

/// Sets which keys the board uses.
fn claim_keys(selection: Res<Selection>, mut focus: ResMut<KeyFocus>) {
    (focus.on_board, focus.holds) = (selection.cursor.is_some(), selection.is_in_use());
}

/// The system that says which keys the board of a match uses.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClaimKeys;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Selection>()
        .add_systems(Update, claim_keys.in_set(ClaimKeys).in_set(Step::Input).before(ReadKeys).after(super::board::Board))
        .add_systems(
            Update,
            (confirm.pipe(play_confirmed), put_down).chain().in_set(Step::Input).after(ReadKeys).run_if(in_match),
        )
        .add_systems(Update, play_chosen.in_set(Step::Input).after(ReadKeys).run_if(in_match))
        .add_systems(Update, unpick.in_set(Step::Animate))
        .add_systems(OnEnter(Screen::Match), |mut selection: ResMut<Selection>| *selection = Selection::default());
}
