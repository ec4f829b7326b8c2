//! The player's hand: click and click, drag and drop, the keyboard's cursor. All of it ends in [`MoveRequested`].

use super::{At, BoardPiece, CurrentMatch, Look, MoveRequested, Stride};
use crate::app::intent::Intent;
use crate::app::settings::Settings;
use crate::app::state::{Menu, Screen};
use crate::app::view::{Dragged, Layout, Moving};
use crate::rules::Point;
use crate::table::{Action, Choice};
use bevy::input::keyboard::KeyboardInput;
use bevy::input::touch::TouchPhase;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowEvent};

/// The mouse or the first finger.
#[derive(Resource, Clone, Debug, Default)]
pub struct Pointer {
    /// Where it is, in logical pixels from the upper left.
    pub position: Option<Vec2>,
    /// What it did since the last frame, in order: a slow frame loses no click.
    touches: Vec<Touch>,
    /// It is over a menu or a panel; set by the ui.
    pub over_ui: bool,
    /// Where the keys go; set by the ui.
    pub keys: KeysGo,
}

/// Where the keys go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeysGo {
    /// To the board.
    #[default]
    Board,
    /// To a button: Enter, Space and the arrows are its own, shortcuts are not.
    Button,
    /// To a text field: all of them.
    Text,
}

/// The pointer went down or up at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Touch {
    at: Vec2,
    down: bool,
}

impl Selection {
    /// True if there is something to let go of.
    fn is_in_use(&self) -> bool {
        self.picked.is_some() || self.cursor.is_some() || self.pending.is_some()
    }
}

/// What the hand has picked.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Selection {
    /// The point of the piece picked.
    pub picked: Option<Point>,
    /// The keyboard's cursor, while it is used.
    pub cursor: Option<Point>,
    /// The move that waits to be confirmed.
    pub pending: Option<Action>,
    /// Where the pointer went down, and whether the piece was picked before.
    grip: Option<Grip>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Grip {
    from: Vec2,
    point: Point,
    was_picked: bool,
    dragging: bool,
}

/// The pointer moves this part of a cell before a press becomes a drag.
const DRAG_STARTS: f32 = 0.15;

fn read_pointer(mut pointer: ResMut<Pointer>, mut events: MessageReader<WindowEvent>) {
    let pointer = pointer.bypass_change_detection();
    pointer.touches.clear();
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) => pointer.position = Some(moved.position),
            WindowEvent::CursorLeft(_) => pointer.position = None,
            WindowEvent::MouseButtonInput(input) if input.button == MouseButton::Left => {
                if let Some(at) = pointer.position {
                    pointer.touches.push(Touch { at, down: input.state.is_pressed() });
                }
            }
            WindowEvent::TouchInput(touch) => {
                let at = touch.position;
                pointer.position = Some(at);
                match touch.phase {
                    TouchPhase::Started => pointer.touches.push(Touch { at, down: true }),
                    TouchPhase::Ended | TouchPhase::Canceled => pointer.touches.push(Touch { at, down: false }),
                    TouchPhase::Moved => {}
                }
            }
            _ => {}
        }
    }
}

/// What the hand has to do with.
#[derive(bevy::ecs::system::SystemParam)]
struct Hand<'w, 's> {
    commands: Commands<'w, 's>,
    selection: ResMut<'w, Selection>,
    current: Res<'w, CurrentMatch>,
    layout: Res<'w, Layout>,
    requests: MessageWriter<'w, MoveRequested>,
    intents: MessageWriter<'w, Intent>,
    settings: Res<'w, Settings>,
    pieces: Query<'w, 's, (Entity, &'static BoardPiece, &'static At)>,
    dragged: Query<'w, 's, Entity, With<Dragged>>,
}

impl Hand<'_, '_> {
    /// Asks for a move, or where moves are confirmed for its confirmation; the same move chosen again confirms it.
    fn request(&mut self, action: Action) {
        if self.current.attempt().is_some() {
            self.intents.write(Intent::Defend(action));
            return;
        }
        let legal = self.current.table().actions().contains(&action);
        if self.settings.confirm_moves && legal && self.selection.pending != Some(action) {
            self.selection.pending = Some(action);
            return;
        }
        self.selection.pending = None;
        self.requests.write(MoveRequested { action, ply: self.current.table().ply() });
    }

    /// The piece of the side to move on a point.
    fn own_piece(&self, point: Point) -> Option<Entity> {
        let turn = self.current.hand_table().turn();
        self.pieces.iter().find(|(_, board_piece, at)| at.0 == point && board_piece.0.side == turn).map(|(entity, ..)| entity)
    }

    /// True if pieces are moved in this game; false if they are put.
    fn pieces_move(&self) -> bool {
        self.current.hand_table().actions().iter().any(|action| matches!(action, Action::Step { .. }))
    }

    fn let_go(&mut self) {
        for entity in &self.dragged {
            self.commands.entity(entity).remove::<Dragged>();
        }
        if self.selection.grip.is_some() {
            self.selection.grip = None;
        }
    }

    fn pick(&mut self, point: Option<Point>) {
        if self.selection.picked != point {
            self.selection.picked = point;
        }
    }

    /// A point was chosen, by click or key: picks a piece, or plays.
    fn choose(&mut self, point: Point) {
        if let Some(pending) = self.selection.pending.take()
            && pending.target() == Some(point)
        {
            self.selection.pending = Some(pending);
            self.request(pending);
            return;
        }
        if !self.pieces_move() {
            self.request(Action::Drop(point));
            return;
        }
        match self.selection.picked {
            Some(from) if from == point => self.pick(None),
            _ if self.own_piece(point).is_some() => self.pick(Some(point)),
            Some(from) => {
                self.request(Action::Step { from, to: point });
                if self.current.hand_table().actions().contains(&Action::Step { from, to: point }) {
                    self.pick(None);
                }
            }
            None => {}
        }
    }
}

fn press_and_drag(mut hand: Hand, pointer: Res<Pointer>, menu: Res<State<Menu>>, mut moving: Query<&mut Moving>) {
    if *menu.get() != Menu::None || (pointer.over_ui && hand.selection.grip.is_none()) {
        return;
    }
    if pointer.touches.iter().any(|touch| touch.down) {
        // A click during a motion ends it, and counts.
        for mut one in &mut moving {
            one.finish();
        }
        if hand.selection.cursor.is_some() {
            hand.selection.cursor = None;
        }
    }
    if hand.current.is_looking_back() && hand.current.attempt().is_none() {
        // A click on an earlier position leads back to the present.
        let clicked = pointer.touches.iter().any(|touch| touch.down && hand.layout.point_under(touch.at).is_some());
        if clicked {
            hand.intents.write(Intent::Look(Look::Last));
        }
        hand.let_go();
        hand.pick(None);
        return;
    }
    if !hand.current.hand_moves() {
        hand.let_go();
        hand.pick(None);
        return;
    }
    for touch in &pointer.touches {
        if touch.down {
            hand.press(touch.at);
        } else {
            hand.pull(touch.at);
            hand.release(touch.at);
        }
    }
    if let Some(position) = pointer.position {
        hand.pull(position);
    }
}

impl Hand<'_, '_> {
    /// The pointer goes down: own pieces are picked at once; targets and empty points answer to the release, so that a slip can be
    /// mended.
    fn press(&mut self, at: Vec2) {
        let Some(point) = self.layout.point_under(at) else {
            self.pick(None);
            return;
        };
        let was_picked = self.selection.picked == Some(point);
        if self.pieces_move() && self.own_piece(point).is_some() {
            self.pick(Some(point));
        }
        self.selection.grip = Some(Grip { from: at, point, was_picked, dragging: false });
    }

    /// The pointer is elsewhere: a press on a picked piece becomes a drag.
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

    /// The pointer goes up.
    fn release(&mut self, at: Vec2) {
        let Some(grip) = self.selection.grip else { return };
        let under = self.layout.point_under(at);
        self.let_go();
        match under {
            // Dragged back to where it stood, a piece stays picked.
            Some(to) if grip.dragging && to == grip.point => {}
            Some(to) if grip.dragging => {
                self.request(Action::Step { from: grip.point, to });
                self.pick(None);
            }
            Some(point) if point == grip.point => {
                let own = self.pieces_move() && self.own_piece(point).is_some();
                if own && grip.was_picked {
                    self.pick(None);
                } else if !own {
                    self.choose(point);
                }
            }
            _ if grip.dragging => self.pick(None),
            _ => {}
        }
    }
}

fn keyboard_cursor(mut hand: Hand, keys: Res<ButtonInput<KeyCode>>, menu: Res<State<Menu>>, pointer: Res<Pointer>) {
    if *menu.get() != Menu::None || pointer.keys != KeysGo::Board {
        return;
    }
    let (files, ranks) = hand.layout.size;
    let turn = if hand.layout.flipped { -1 } else { 1 };
    let enter = keys.just_pressed(KeyCode::Enter) || keys.just_pressed(KeyCode::NumpadEnter);
    let Some(cursor) = hand.selection.cursor else {
        if enter && hand.current.hand_moves() {
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
        hand.choose(cursor);
    }
}

/// The keys people know.
fn shortcuts(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, screen): (Res<State<Menu>>, Res<State<Screen>>),
    mut selection: ResMut<Selection>,
    mut intents: MessageWriter<Intent>,
    current: Option<Res<CurrentMatch>>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
    pointer: Res<Pointer>,
) {
    // In a slow frame a modifier may have come and gone with its key.
    let held =
        |keys_of: &[KeyCode]| keys_of.iter().any(|key| keys.pressed(*key) || keys.just_pressed(*key) || keys.just_released(*key));
    let ctrl = held(&[KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight]);
    let shift = held(&[KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    if keys.just_pressed(KeyCode::F11)
        && let Some(mut window) = window
    {
        use bevy::window::{MonitorSelection, WindowMode};
        window.mode = match window.mode {
            WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            _ => WindowMode::Windowed,
        };
    }
    if keys.just_pressed(KeyCode::F1) {
        let help = if *menu.get() == Menu::Help { Menu::None } else { Menu::Help };
        intents.write(Intent::Menu(help));
    }
    if keys.just_pressed(KeyCode::Escape) {
        let in_match = *screen.get() == Screen::Match;
        if *menu.get() != Menu::None {
            intents.write(Intent::Menu(Menu::None));
        } else if current.as_ref().is_some_and(|current| current.is_aside()) {
            // What is shown aside is left; nothing else.
        } else if in_match && selection.is_in_use() {
            *selection = Selection::default();
        } else if in_match {
            intents.write(Intent::Menu(Menu::Pause));
        } else if matches!(screen.get(), Screen::Setup | Screen::Trainer) {
            intents.write(Intent::Title);
        }
    }
    if pointer.keys == KeysGo::Text || *menu.get() != Menu::None {
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyO) {
        intents.write(Intent::Menu(Menu::Records));
    }
    if current.is_none() || *screen.get() != Screen::Match {
        return;
    }
    if ctrl && keys.just_pressed(KeyCode::KeyS) {
        intents.write(Intent::Save);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyZ) {
        intents.write(if shift { Intent::Redo } else { Intent::Undo });
    }
    if ctrl && keys.just_pressed(KeyCode::KeyY) {
        intents.write(Intent::Redo);
    }
    if ctrl && keys.just_pressed(KeyCode::KeyN) {
        intents.write(Intent::Rematch(false));
    }
    for (key, intent) in [(KeyCode::KeyF, Intent::Flip), (KeyCode::KeyA, Intent::Analyse), (KeyCode::KeyT, Intent::Truth)] {
        if !ctrl && keys.just_pressed(key) {
            intents.write(intent);
        }
    }
    for (choice, key) in Choice::ALL.into_iter().zip([KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3]) {
        if !ctrl && keys.just_pressed(key) {
            intents.write(Intent::Take(choice));
        }
    }
    if !ctrl && pointer.keys == KeysGo::Board && keys.just_pressed(KeyCode::Space) {
        intents.write(Intent::Hint);
    }
}

/// The arrows go through the moves while no cursor stands on the board. Held down they leap.
fn leaf_through(
    mut keys: MessageReader<KeyboardInput>,
    (menu, pointer, selection): (Res<State<Menu>>, Res<Pointer>, Res<Selection>),
    mut intents: MessageWriter<Intent>,
    mut moving: Query<&mut Moving>,
    current: Res<CurrentMatch>,
    mut held: Local<u32>,
) {
    let aside = current.is_aside();
    for key in keys.read() {
        if !key.state.is_pressed() {
            *held = 0;
            continue;
        }
        if *menu.get() != Menu::None || pointer.keys != KeysGo::Board || selection.cursor.is_some() {
            continue;
        }
        let look = match key.key_code {
            KeyCode::ArrowLeft if aside => {
                intents.write(Intent::Aside(Stride::Back));
                continue;
            }
            KeyCode::ArrowRight if aside => {
                intents.write(Intent::Aside(Stride::Forward));
                continue;
            }
            KeyCode::ArrowLeft => Look::Back,
            KeyCode::ArrowRight => Look::Forward,
            KeyCode::ArrowUp | KeyCode::Home => Look::First,
            KeyCode::ArrowDown | KeyCode::End => Look::Last,
            _ => continue,
        };
        *held = if key.repeat { *held + 1 } else { 1 };
        if *held > STEPS_SEEN {
            for mut one in &mut moving {
                one.finish();
            }
        }
        intents.write(Intent::Look(look));
    }
}

/// So many steps of a held key are seen as motions.
const STEPS_SEEN: u32 = 3;

/// What became of the move that waits for its confirmation.
fn confirm(
    mut intents: MessageReader<Intent>,
    mut selection: ResMut<Selection>,
    mut requests: MessageWriter<MoveRequested>,
    current: Res<CurrentMatch>,
) {
    for intent in intents.read() {
        if let Intent::Take(choice) = intent
            && current.human_to_move()
            && current.table().actions().contains(&choice.action())
        {
            requests.write(MoveRequested { action: choice.action(), ply: current.table().ply() });
        }
        let Intent::Confirm(yes) = intent else { continue };
        let Some(action) = selection.pending.take() else { continue };
        if *yes {
            requests.write(MoveRequested { action, ply: current.table().ply() });
        } else {
            selection.picked = None;
        }
    }
}

/// Nothing stays picked when the board has changed.
fn unpick(mut selection: ResMut<Selection>, changed: MessageReader<super::BoardChanged>) {
    if !changed.is_empty() && (selection.picked.is_some() || selection.grip.is_some() || selection.pending.is_some()) {
        *selection = Selection { cursor: selection.cursor, ..Selection::default() };
    }
}

fn open_menus(
    mut intents: MessageReader<Intent>,
    mut menu: ResMut<NextState<Menu>>,
    mut screen: ResMut<NextState<Screen>>,
    mut exit: MessageWriter<AppExit>,
) {
    for intent in intents.read() {
        match intent {
            Intent::Menu(which) => menu.set(*which),
            Intent::Title => {
                menu.set(Menu::None);
                screen.set(Screen::Title);
            }
            Intent::Choose(_) => {
                menu.set(Menu::None);
                screen.set(Screen::Setup);
            }
            Intent::Quit => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Pointer>()
        .init_resource::<Selection>()
        .add_systems(
            Update,
            (read_pointer, shortcuts.run_if(resource_exists::<ButtonInput<KeyCode>>), open_menus)
                .chain()
                .in_set(crate::app::Step::Input),
        )
        .add_systems(
            Update,
            (press_and_drag, keyboard_cursor.run_if(resource_exists::<ButtonInput<KeyCode>>), leaf_through, confirm)
                .chain()
                .after(read_pointer)
                .in_set(crate::app::Step::Input)
                .run_if(super::in_match),
        )
        .add_systems(Update, unpick.in_set(crate::app::Step::Animate))
        .add_systems(OnEnter(Screen::Match), |mut selection: ResMut<Selection>| *selection = Selection::default());
}
