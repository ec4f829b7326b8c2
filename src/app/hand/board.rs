//! Input on the board: clicks, drag and drop, and the keyboard cursor. All of them send [`MoveRequested`].

use super::pointer::{Pointer, read_pointer};
use super::selection::{Dragged, Grip, Selection, play};
use crate::app::ground::keys::{KeyFocus, KeysGo, ReadKeys};
use crate::app::ground::layout::Layout;
use crate::app::ground::requests::{CursorRequest, Go, Requests};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::play::{At, BoardPiece, CurrentMatch, MoveRequested, in_match};
use bevy::prelude::*;
use qiju_core::rules::{Point, Side};
use qiju_core::table::Action;

/// The distance, in cells, after which a press becomes a drag.
const DRAG_STARTS: f32 = 0.15;

/// The resources of the input systems.
#[derive(bevy::ecs::system::SystemParam)]
struct Hand<'w, 's> {
    commands: Commands<'w, 's>,
    selection: ResMut<'w, Selection>,
    current: Res<'w, CurrentMatch>,
    layout: Res<'w, Layout>,
    moves: MessageWriter<'w, MoveRequested>,
    requests: Requests<'w, 's>,
    settings: Res<'w, Settings>,
    pointer: Res<'w, Pointer>,
    pieces: Query<'w, 's, (Entity, &'static BoardPiece, &'static At)>,
}

impl Hand<'_, '_> {
    /// Requests a move made by the pointer (`true`) or a key, or asks for its confirmation if that is set; choosing the same move again confirms it.
    fn request(&mut self, action: Action, pointed: bool) {
        let asks = self.settings.confirm_moves.asks(pointed && self.pointer.by_finger) && self.current.counts_moves();
        let legal = self.current.shown().actions().contains(&action);
        if asks && legal && self.selection.pending != Some(action) {
            self.selection.pending = Some(action);
            return;
        }
        self.selection.pending = None;
        play(&self.current, action, &mut self.moves, &mut self.requests);
    }

    /// What was pressed has no effect.
    fn cancel(&mut self) {
        let Some(grip) = self.selection.grip else { return };
        self.let_go();
        if !grip.was_picked {
            self.pick(None);
        }
    }

    /// The piece of the side to move on a point.
    fn own_piece(&self, point: Point) -> Option<Entity> {
        let turn = self.current.shown().turn();
        self.pieces.iter().find(|(_, board_piece, at)| at.0 == point && board_piece.0.side == turn).map(|(entity, ..)| entity)
    }

    /// True if pieces are moved in this game; false if they are placed.
    fn pieces_move(&self) -> bool {
        self.current.shown().actions().iter().any(|action| matches!(action, Action::Step { .. }))
    }

    fn let_go(&mut self) {
        if self.selection.grip.is_some() {
            self.selection.grip = None;
        }
    }

    fn pick(&mut self, point: Option<Point>) {
        if self.selection.picked != point {
            self.selection.picked = point;
        }
    }

    /// Handles a point chosen by click or key: selects a piece, or plays.
    fn choose(&mut self, point: Point, pointed: bool) {
        if let Some(pending) = self.selection.pending.take()
            && pending.target() == Some(point)
        {
            self.selection.pending = Some(pending);
            self.request(pending, pointed);
            return;
        }
        if !self.pieces_move() {
            self.request(Action::Drop(point), pointed);
            return;
        }
        match self.selection.picked {
            Some(from) if from == point => self.pick(None),
            _ if self.own_piece(point).is_some() => self.pick(Some(point)),
            Some(from) => {
                self.request(Action::Step { from, to: point }, pointed);
                if self.current.shown().actions().contains(&Action::Step { from, to: point }) {
                    self.pick(None);
                }
            }
            None => {}
        }
    }
}

fn press_and_drag(mut hand: Hand, menu: Res<State<Menu>>) {
    let (touches, position, over_ui) = (hand.pointer.touches.clone(), hand.pointer.position, hand.pointer.over_ui);
    if hand.pointer.cancelled || *menu.get() != Menu::None {
        hand.cancel();
    }
    if *menu.get() != Menu::None || (over_ui && hand.selection.grip.is_none()) {
        return;
    }
    if hand.selection.cursor.is_some() && touches.iter().any(|touch| touch.down) {
        hand.selection.cursor = None;
    }
    let tries = hand.current.played().sketch_player().is_some();
    if hand.current.is_looking_back() && !hand.current.hand_moves() && !tries {
        // A click on a position where no move is possible returns to the end of the match.
        let clicked = touches.iter().any(|touch| touch.down && hand.layout.point_under(touch.at).is_some());
        if clicked {
            hand.requests.write(CursorRequest::Go(Go::End));
        }
        hand.let_go();
        hand.pick(None);
        return;
    }
    if hand.chooses_ahead() {
        for touch in touches.iter().filter(|touch| touch.down) {
            hand.choose_ahead(touch.at);
        }
        return;
    }
    if !hand.current.hand_moves() {
        hand.let_go();
        hand.pick(None);
        return;
    }
    for touch in &touches {
        if touch.down {
            hand.press(touch.at);
        } else {
            hand.pull(touch.at);
            hand.release(touch.at);
        }
    }
    if let Some(position) = position {
        hand.pull(position);
    }
}

/// Choosing a move while the other side thinks.
impl Hand<'_, '_> {
    /// The side of the one person who plays, while the other side thinks and the person may choose ahead.
    fn side_ahead(&self) -> Option<Side> {
        let current = &self.current;
        let viewer = current.viewer().filter(|_| self.settings.premove && current.outcome().is_none())?;
        let waits = !current.human_to_move()
            && !current.is_looking_back()
            && !current.waits()
            && current.table().opening().is_none_or(|opening| opening.is_over(current.table().pieces().len()));
        current.table().seat_of(Side::First).filter(|_| waits).map(|seat| if seat == viewer { Side::First } else { Side::Second })
    }

    fn chooses_ahead(&self) -> bool {
        self.side_ahead().is_some()
    }

    /// An own piece and then its target, or an empty point where pieces are put. Anything else lets go of what was chosen.
    fn choose_ahead(&mut self, at: Vec2) {
        let (Some(side), Some(point)) = (self.side_ahead(), self.layout.point_under(at)) else {
            self.selection.premove = None;
            self.pick(None);
            return;
        };
        let standing = self.pieces.iter().find(|(.., at)| at.0 == point).map(|(_, board_piece, _)| board_piece.0.side);
        let picked = self.selection.picked;
        let again = self.selection.premove.take().is_some_and(|action| action.target() == Some(point));
        if !self.pieces_move() {
            self.selection.premove = (standing.is_none() && !again).then_some(Action::Drop(point));
        } else if picked == Some(point) {
            self.pick(None);
        } else if let Some(from) = picked.filter(|_| standing != Some(side)) {
            self.selection.premove = Some(Action::Step { from, to: point });
            self.pick(None);
        } else {
            self.pick((standing == Some(side)).then_some(point));
        }
    }
}

impl Hand<'_, '_> {
    /// Handles a press: own pieces are selected at once; targets and empty points react to the release, so that a slip can be corrected.
    fn press(&mut self, at: Vec2) {
        let under = self.layout.point_under(at);
        // A press anywhere but on its target takes a move back that waits for its confirmation.
        self.selection.pending = self.selection.pending.filter(|pending| under.is_some() && pending.target() == under);
        let Some(point) = under else {
            self.pick(None);
            return;
        };
        if self.selection.pending.is_some() {
            self.selection.grip = Some(Grip { from: at, point, was_picked: false, dragging: false });
            return;
        }
        let was_picked = self.selection.picked == Some(point);
        if self.pieces_move() && self.own_piece(point).is_some() {
            self.pick(Some(point));
        }
        self.selection.grip = Some(Grip { from: at, point, was_picked, dragging: false });
    }

    /// Handles a movement: a press on a selected piece becomes a drag.
    fn pull(&mut self, at: Vec2) {
        let Some(grip) = self.selection.grip else { return };
        if !grip.dragging
            && self.selection.picked == Some(grip.point)
            && at.distance(grip.from) * self.layout.scale > DRAG_STARTS * self.layout.cell
            && let Some(entity) = self.own_piece(grip.point)
        {
            self.commands.entity(entity).insert(Dragged);
            self.selection.grip = Some(Grip { dragging: true, ..grip });
        }
    }

    /// Handles a release.
    fn release(&mut self, at: Vec2) {
        let Some(grip) = self.selection.grip else { return };
        let under = self.layout.point_under(at);
        self.let_go();
        match under {
            // A piece dragged back to its point stays selected.
            Some(to) if grip.dragging && to == grip.point => {}
            Some(to) if grip.dragging => {
                self.request(Action::Step { from: grip.point, to }, true);
                self.pick(None);
            }
            Some(point) if point == grip.point => {
                let waits = self.selection.pending.is_some();
                let own = !waits && self.pieces_move() && self.own_piece(point).is_some();
                if own && grip.was_picked {
                    self.pick(None);
                } else if !own {
                    self.choose(point, true);
                }
            }
            _ if grip.dragging => self.pick(None),
            _ => {}
        }
    }
}

fn keyboard_cursor(mut hand: Hand, keys: Res<ButtonInput<KeyCode>>, menu: Res<State<Menu>>, focus: Res<KeyFocus>) {
    // The cursor on the board and the ring around a button are never shown at once.
    let leaves = focus.go != KeysGo::Board || keys.just_pressed(KeyCode::Tab);
    if *menu.get() == Menu::None && leaves && hand.selection.cursor.is_some() {
        hand.selection.cursor = None;
    }
    if *menu.get() != Menu::None || focus.go != KeysGo::Board {
        return;
    }
    let (files, ranks) = hand.layout.size;
    let turn = if hand.layout.flipped { -1 } else { 1 };
    let enter = keys.just_pressed(KeyCode::Enter) || keys.just_pressed(KeyCode::NumpadEnter);
    let Some(cursor) = hand.selection.cursor else {
        if enter && let Some(pending) = hand.selection.pending {
            hand.request(pending, false);
        } else if enter && hand.current.hand_moves() {
            let start = hand.selection.picked.unwrap_or(Point::new(files / 2, ranks / 2));
            hand.selection.cursor = Some(start);
        }
        return;
    };
    let mut step = IVec2::ZERO;
    for (key, by) in [
        (KeyCode::ArrowLeft, IVec2::new(-1, 0)),
        (KeyCode::ArrowRight, IVec2::new(1, 0)),
        (KeyCode::ArrowUp, IVec2::new(0, 1)),
        (KeyCode::ArrowDown, IVec2::new(0, -1)),
    ] {
        if keys.just_pressed(key) {
            step += by * turn;
        }
    }
    if step != IVec2::ZERO {
        let x = (i32::from(cursor.x) + step.x).clamp(0, i32::from(files) - 1);
        let y = (i32::from(cursor.y) + step.y).clamp(0, i32::from(ranks) - 1);
        hand.selection.cursor = Some(Point::new(x as u8, y as u8));
    }
    if enter && hand.current.hand_moves() {
        hand.choose(cursor, false);
    }
}

/// The systems that handle input on the board.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (press_and_drag, keyboard_cursor.run_if(resource_exists::<ButtonInput<KeyCode>>))
            .chain()
            .after(read_pointer)
            .before(ReadKeys)
            .in_set(Board)
            .in_set(Step::Input)
            .run_if(in_match),
    );
}
