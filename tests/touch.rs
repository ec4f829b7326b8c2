//! Fingers on the board: a move with its confirmation, a drag, a long press, two fingers; and the confirmation with mouse and keys.
#![cfg(feature = "gui")]

mod driver;

use bevy::input::ButtonState;
use bevy::input::touch::TouchPhase;
use bevy::prelude::*;
use driver::{MINUTE, Phase, phase};
use qiju::app::confirmation::Confirmation;
use qiju::app::hand::{Dragged, Pointer, Selection};
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::layout::{Layout, Shape};
use qiju::app::play::CurrentMatch;
use qiju::app::requests::{AnyRequest, BeginRequest, SelectionRequest};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Screen;
use qiju::app::view::LastPose;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Point};
use qiju_core::table::{Action, Mark, MarkColour, Setup};

/// Frames in which a finger rests long enough to be the right button.
const LONG: u32 = 40;

const CANNON: Action = Action::Step { from: Point { x: 7, y: 2 }, to: Point { x: 4, y: 2 } };

struct Telephone {
    app: App,
    _folder: tempfile::TempDir,
}

impl Telephone {
    /// A match of two people in a window of this size.
    fn with(game: &'static str, size: (u32, u32), confirm_moves: Confirmation) -> Telephone {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { speed: 0.0, background_work: false, confirm_moves, ..Settings::default() };
        settings.save(&Home(folder.path().to_path_buf())).unwrap();
        let mut app = driver::at_title(folder.path());
        let window = driver::window(&mut app);
        app.world_mut().get_mut::<Window>(window).unwrap().resolution.set(size.0 as f32, size.1 as f32);
        let mut telephone = Telephone { app, _folder: folder };
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
        telephone.send(BeginRequest::Start(MatchSetup::untimed(game, Setup::default(), seats, Purpose::Casual)));
        driver::until(&mut telephone.app, MINUTE, "the match", |world| {
            *world.resource::<State<Screen>>().get() == Screen::Match && phase(world) == Some(Phase::Human)
        });
        telephone.frames(3);
        telephone
    }

    fn send(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
        self.frames(1);
    }

    fn frames(&mut self, count: u32) {
        for _ in 0..count {
            driver::frame(&mut self.app);
        }
    }

    fn place(&self, point: Point) -> Vec2 {
        self.app.world().resource::<Layout>().cursor_of(point)
    }

    fn touch(&mut self, id: u64, phase: TouchPhase, point: Point) {
        let at = self.place(point);
        driver::touch(&mut self.app, id, phase, at);
        self.frames(1);
    }

    fn tap(&mut self, point: Point) {
        self.touch(1, TouchPhase::Started, point);
        self.touch(1, TouchPhase::Ended, point);
        self.frames(1);
    }

    fn click(&mut self, point: Point) {
        let at = self.place(point);
        driver::move_to(&mut self.app, at);
        for state in [ButtonState::Pressed, ButtonState::Released] {
            driver::button(&mut self.app, MouseButton::Left, state);
            self.frames(1);
        }
    }

    fn key(&mut self, code: KeyCode) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            driver::key(&mut self.app, code, state);
            self.frames(1);
        }
        self.frames(1);
    }

    fn played(&self) -> Vec<Action> {
        self.app.world().resource::<CurrentMatch>().table().played().to_vec()
    }

    fn selection(&self) -> Selection {
        *self.app.world().resource::<Selection>()
    }

    fn marks(&self) -> Vec<Mark> {
        let current = self.app.world().resource::<CurrentMatch>();
        current.tree().notes(current.cursor()).marks.to_vec()
    }
}

#[test]
fn a_move_by_finger_is_shown_and_a_second_tap_plays_it() {
    let mut telephone = Telephone::with("xiangqi", (390, 844), Confirmation::Touch);
    assert_eq!(telephone.app.world().resource::<Layout>().shape, Shape::Upright);
    telephone.tap(Point::new(7, 2));
    assert_eq!(telephone.selection().picked, Some(Point::new(7, 2)));
    telephone.tap(Point::new(4, 2));
    assert_eq!((telephone.selection().pending, telephone.played()), (Some(CANNON), vec![]));
    // Elsewhere takes it back, and another piece can be chosen.
    telephone.tap(Point::new(4, 5));
    assert_eq!((telephone.selection().pending, telephone.played()), (None, vec![]));
    telephone.tap(Point::new(7, 2));
    telephone.tap(Point::new(4, 2));
    telephone.tap(Point::new(7, 0));
    assert_eq!((telephone.selection().pending, telephone.selection().picked), (None, Some(Point::new(7, 0))));
    telephone.tap(Point::new(7, 2));
    telephone.tap(Point::new(4, 2));
    telephone.tap(Point::new(4, 2));
    assert_eq!(telephone.played(), [CANNON]);
    // The mouse plays at once.
    telephone.click(Point::new(7, 9));
    telephone.click(Point::new(6, 7));
    assert_eq!(telephone.played().len(), 2);
    assert!(!telephone.app.world().resource::<Pointer>().touched, "a click of the mouse ends the use of fingers");
}

#[test]
fn a_stone_by_finger_waits_and_can_be_put_elsewhere() {
    let mut telephone = Telephone::with("gomoku", (390, 844), Confirmation::Touch);
    let (one, other) = (Point::new(7, 7), Point::new(8, 7));
    telephone.tap(one);
    assert_eq!((telephone.selection().pending, telephone.played()), (Some(Action::Drop(one)), vec![]));
    telephone.tap(other);
    assert_eq!((telephone.selection().pending, telephone.played()), (Some(Action::Drop(other)), vec![]));
    telephone.send(SelectionRequest::Confirm(true));
    telephone.frames(2);
    assert_eq!(telephone.played(), [Action::Drop(other)]);
    // Double taps are two taps on one point: they confirm, and do nothing more.
    telephone.tap(one);
    telephone.tap(one);
    telephone.tap(one);
    assert_eq!(telephone.played(), [Action::Drop(other), Action::Drop(one)]);
}

#[test]
fn keys_and_mouse_confirm_where_every_move_is_confirmed() {
    let mut telephone = Telephone::with("xiangqi", (1280, 800), Confirmation::Always);
    telephone.click(Point::new(7, 2));
    telephone.click(Point::new(4, 2));
    assert_eq!((telephone.selection().pending, telephone.played()), (Some(CANNON), vec![]));
    telephone.key(KeyCode::Escape);
    assert_eq!((telephone.selection().pending, telephone.played()), (None, vec![]));
    telephone.click(Point::new(7, 2));
    telephone.click(Point::new(4, 2));
    telephone.key(KeyCode::Enter);
    assert_eq!(telephone.played(), [CANNON]);
    // All by keyboard: the cursor begins in the middle; to the horse, and with it forward.
    telephone.key(KeyCode::Enter);
    let steps = |telephone: &mut Telephone, keys: &[(KeyCode, u32)]| {
        for (key, count) in keys {
            (0..*count).for_each(|_| telephone.key(*key));
        }
    };
    steps(&mut telephone, &[(KeyCode::ArrowUp, 4), (KeyCode::ArrowRight, 3), (KeyCode::Enter, 1)]);
    assert_eq!(telephone.selection().picked, Some(Point::new(7, 9)));
    steps(&mut telephone, &[(KeyCode::ArrowDown, 2), (KeyCode::ArrowLeft, 1), (KeyCode::Enter, 1)]);
    assert_eq!(telephone.played().len(), 1);
    telephone.key(KeyCode::Enter);
    assert_eq!(telephone.played().len(), 2);
}

#[test]
fn without_confirmation_a_finger_plays_at_once_and_drags_in_sight() {
    let mut telephone = Telephone::with("xiangqi", (844, 390), Confirmation::Never);
    assert_eq!(telephone.app.world().resource::<Layout>().shape, Shape::Lying);
    telephone.touch(3, TouchPhase::Started, Point::new(7, 2));
    telephone.touch(3, TouchPhase::Moved, Point::new(4, 2));
    telephone.frames(1);
    // The piece is drawn above the finger.
    let world = telephone.app.world_mut();
    let shown = *world.query_filtered::<&LastPose, With<Dragged>>().single(world).unwrap();
    // In ranks, since the piece stands on the board by its file and rank.
    let above = shown.place.y - 2.0;
    assert!(above > 0.5 && above < 1.5, "{above} cells");
    telephone.touch(3, TouchPhase::Ended, Point::new(4, 2));
    telephone.frames(1);
    assert_eq!(telephone.played(), [CANNON]);
}

#[test]
fn two_fingers_move_nothing() {
    let mut telephone = Telephone::with("xiangqi", (390, 844), Confirmation::Never);
    telephone.touch(1, TouchPhase::Started, Point::new(7, 2));
    telephone.touch(1, TouchPhase::Moved, Point::new(6, 2));
    telephone.touch(2, TouchPhase::Started, Point::new(2, 6));
    telephone.touch(1, TouchPhase::Moved, Point::new(4, 2));
    telephone.touch(2, TouchPhase::Ended, Point::new(2, 4));
    telephone.touch(1, TouchPhase::Ended, Point::new(4, 2));
    telephone.frames(2);
    assert_eq!((telephone.played(), telephone.selection()), (vec![], Selection::default()));
    // A touch that the system takes away is no move either.
    telephone.touch(1, TouchPhase::Started, Point::new(7, 2));
    telephone.touch(1, TouchPhase::Moved, Point::new(4, 2));
    telephone.touch(1, TouchPhase::Canceled, Point::new(4, 2));
    telephone.frames(2);
    assert_eq!(telephone.played(), []);
    telephone.tap(Point::new(7, 2));
    telephone.tap(Point::new(4, 2));
    assert_eq!(telephone.played(), [CANNON]);
}

#[test]
fn a_long_press_draws_marks() {
    let mut telephone = Telephone::with("xiangqi", (390, 844), Confirmation::Never);
    let (from, to) = (Point::new(7, 2), Point::new(4, 2));
    telephone.touch(1, TouchPhase::Started, from);
    telephone.frames(LONG);
    telephone.touch(1, TouchPhase::Ended, from);
    telephone.frames(2);
    let circle = Mark::Circle { at: from, colour: MarkColour::Green };
    assert_eq!((telephone.marks(), telephone.played(), telephone.selection().picked), (vec![circle], vec![], None));
    // Drawn on it is an arrow.
    telephone.touch(1, TouchPhase::Started, from);
    telephone.frames(LONG);
    telephone.touch(1, TouchPhase::Moved, to);
    telephone.touch(1, TouchPhase::Ended, to);
    telephone.frames(2);
    let arrow = Mark::Arrow { from, to, colour: MarkColour::Green };
    assert_eq!((telephone.marks(), telephone.played()), (vec![circle, arrow], vec![]));
}
