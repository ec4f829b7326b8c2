//! Tests of the first steps in the application without a window: tasks done by clicks and by keys, a wrong move, a refused one, what is kept over a restart.
#![cfg(feature = "gui")]

mod driver;

use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use driver::MINUTE;
use qiju::app::activities::first_steps::Course;
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::layout::Layout;
use qiju::app::play::{CurrentMatch, Spoken, Thinking};
use qiju::app::progress::PlayerProgress;
use qiju::app::requests::{AnyRequest, BeginRequest, CursorRequest, PageRequest, RecordsRequest, TaskStep};
use qiju::app::settings::Settings;
use qiju::app::setup::Purpose;
use qiju::app::state::Menu;
use qiju::app::words::Language;
use qiju_core::rules::{Point, Refusal};
use qiju_core::search::StopToken;
use qiju_core::study::next_move;
use qiju_core::table::{Action, Mark, MarkColour, Miss, OtherSide};
use std::path::Path;

struct Learner {
    app: App,
}

impl Learner {
    fn sit_down(folder: &Path) -> Learner {
        let settings = Settings { speed: 0.0, background_work: false, language: Some(Language::En), ..Settings::default() };
        settings.save(&Home(folder.to_path_buf())).unwrap();
        Learner::come_back(folder)
    }

    /// The same with the settings that are there.
    fn come_back(folder: &Path) -> Learner {
        Learner { app: driver::at_title(folder) }
    }

    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.app, MINUTE, what, so);
    }

    fn frames(&mut self, count: u32) {
        (0..count).for_each(|_| self.app.update());
    }

    fn wish(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
        self.frames(2);
    }

    fn course(&self) -> &Course {
        self.app.world().resource::<Course>()
    }

    fn current(&self) -> &CurrentMatch {
        self.app.world().resource::<CurrentMatch>()
    }

    fn progress(&self) -> &PlayerProgress {
        self.app.world().resource()
    }

    fn is_newcomer(&self) -> bool {
        self.progress().is_newcomer(self.settings())
    }

    fn settings(&self) -> &Settings {
        self.app.world().resource::<Settings>()
    }

    /// Opens the first steps, or goes to another task, and waits until it stands on the board.
    fn go(&mut self, request: impl Into<AnyRequest>) {
        self.wish(request);
        self.until("the task", |world| world.resource::<Course>().standing().is_some());
        self.frames(3);
        assert_eq!(self.current().table().ply(), 0);
        assert!(self.current().purpose().is_first_step());
    }

    fn result(&self) -> Option<Result<(), Miss>> {
        self.course().standing().and_then(|standing| standing.result)
    }

    fn click(&mut self, x: u8, y: u8) {
        let position = self.app.world().resource::<Layout>().cursor_of(Point::new(x, y));
        driver::move_to(&mut self.app, position);
        for state in [ButtonState::Pressed, ButtonState::Released] {
            driver::button(&mut self.app, MouseButton::Left, state);
            self.frames(1);
        }
        self.frames(3);
    }

    fn key(&mut self, key_code: KeyCode) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            driver::key(&mut self.app, key_code, state);
            self.frames(1);
        }
        self.frames(2);
    }

    fn says(&self) -> String {
        self.app.world().resource::<Spoken>().text.clone()
    }
}

#[test]
fn a_task_is_done_by_clicks_and_kept_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut learner = Learner::sit_down(folder.path());
    assert!(learner.is_newcomer());
    learner.go(TaskStep::Open("xiangqi"));
    assert_eq!(learner.current().purpose(), Purpose::FirstStep(OtherSide::Skips));
    assert!(learner.says().starts_with("The chariot: "), "{}", learner.says());
    let circles = |learner: &Learner| learner.course().marks(learner.current()).len();
    assert_eq!(circles(&learner), 4, "three targets, and the chariot itself");
    // A move that the rules refuse is told why, and it stays Red's turn after one that they allow.
    learner.click(1, 1);
    learner.click(2, 2);
    assert_eq!(learner.course().refused(), Some(Refusal::WrongWay));
    learner.click(1, 7);
    assert_eq!((circles(&learner), learner.course().refused()), (2, None));
    assert_eq!(learner.result(), None);
    for (from, to) in [((1, 7), (6, 7)), ((6, 7), (6, 4))] {
        learner.click(from.0, from.1);
        learner.click(to.0, to.1);
    }
    learner.until("the end", |world| world.resource::<Course>().standing().is_some_and(|standing| standing.result.is_some()));
    assert_eq!((learner.result(), circles(&learner)), (Some(Ok(())), 0));
    assert!(learner.says().starts_with("Well done"), "{}", learner.says());
    assert!(!learner.is_newcomer());
    // Nothing of it is a match: no journal, no record, no setup for the next match.
    assert!(learner.settings().setups.is_empty());
    learner.wish(RecordsRequest::Save);
    learner.wish(PageRequest::Title);
    learner.frames(3);
    assert!(!folder.path().join("match.journal").exists());
    let kept: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        kept.iter().all(|name| name == "preferences.ron" || name == "progress.ron" || name.to_string_lossy().ends_with(".lock")),
        "{kept:?}"
    );
    drop(learner);

    let mut learner = Learner::come_back(folder.path());
    assert_eq!(learner.progress().first_steps.get("xiangqi/chariot"), Some(&1));
    learner.go(TaskStep::Open("xiangqi"));
    assert_eq!(learner.course().at(), 1, "it goes on with the first task that is not done");
    learner.go(TaskStep::Previous);
    assert_eq!(learner.course().task().unwrap().key, "chariot");
    // The same with the game's own moves instead: the course is left for a match.
    learner.wish(PageRequest::Title);
    learner.wish(TaskStep::Open("no such game"));
    assert_eq!(learner.course().game(), Some("xiangqi"));
}

#[test]
fn a_task_is_done_by_keys() {
    let folder = tempfile::tempdir().unwrap();
    let mut learner = Learner::sit_down(folder.path());
    learner.go(TaskStep::Open("gomoku"));
    // The keyboard's cursor begins in the middle of the board, on h8.
    for key in [KeyCode::Enter, KeyCode::ArrowRight, KeyCode::Enter, KeyCode::ArrowRight, KeyCode::Enter] {
        learner.key(key);
    }
    learner.until("five", |world| world.resource::<CurrentMatch>().outcome().is_some());
    learner.frames(3);
    assert_eq!(learner.result(), Some(Ok(())));
    assert!(learner.progress().first_steps.contains_key("gomoku/five"));
    learner.key(KeyCode::KeyN);
    learner.until("the next task", |world| world.resource::<Course>().standing().is_some());
    assert_eq!(learner.course().task().unwrap().key, "stop");
    // A move that leads on is shown on request, and is a yellow circle.
    learner.key(KeyCode::Space);
    let shown = Mark::Circle { at: Point::new(9, 5), colour: MarkColour::Yellow };
    learner.until("a move", |world| world.resource::<Course>().marks(world.resource::<CurrentMatch>()).contains(&shown));
    learner.key(KeyCode::KeyP);
    learner.until("the first task", |world| world.resource::<Course>().standing().is_some());
    assert_eq!(learner.course().at(), 0);
}

#[test]
fn a_wrong_move_is_told_why_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut learner = Learner::sit_down(folder.path());
    learner.go(TaskStep::Open("tic-tac-toe"));
    learner.go(TaskStep::To(1));
    assert_eq!(learner.current().purpose(), Purpose::FirstStep(OtherSide::Waits));
    learner.click(0, 0);
    learner.until("a word", |world| world.resource::<Course>().standing().is_some_and(|standing| standing.result.is_some()));
    assert_eq!(learner.result(), Some(Err(Miss::Answered(Action::Drop(Point::new(2, 2))))));
    assert!(learner.says().contains("c3"), "{}", learner.says());
    // Nobody answers, neither the computer nor the learner for it.
    learner.click(2, 2);
    learner.frames(30);
    assert_eq!(learner.current().table().ply(), 1);
    assert_eq!(learner.app.world_mut().query::<&Thinking>().iter(learner.app.world()).count(), 0);
    learner.key(KeyCode::KeyR);
    learner.until("the start", |world| world.resource::<CurrentMatch>().table().ply() == 0);
    learner.frames(3);
    assert_eq!(learner.result(), None);
    learner.click(2, 2);
    learner.frames(3);
    assert_eq!(learner.result(), Some(Ok(())));
}

#[test]
fn the_computer_defends_where_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let mut learner = Learner::sit_down(folder.path());
    learner.go(TaskStep::Open("two-eat-one"));
    learner.go(TaskStep::To(6));
    assert_eq!(learner.current().purpose(), Purpose::FirstStep(OtherSide::Plays));
    for _ in 0..2 {
        let goal = learner.course().task().unwrap().goal.clone();
        let Some(Action::Step { from, to }) = next_move(&goal, learner.current().table(), &StopToken::new()) else {
            panic!("no way on from\n{}", learner.current().table().diagram())
        };
        let ply = learner.current().table().ply();
        learner.click(from.x, from.y);
        learner.click(to.x, to.y);
        learner.until("an answer", |world| {
            let current = world.resource::<CurrentMatch>();
            current.outcome().is_some() || current.table().ply() == ply + 2 && current.human_to_move()
        });
        learner.frames(3);
    }
    assert_eq!(learner.result(), Some(Ok(())));
    // The last task is done: there is no next one, and a match of one's own ends the course.
    learner.wish(TaskStep::Next);
    assert_eq!(learner.course().at(), 6);
    assert!(!learner.settings().setups.contains_key("two-eat-one"));
}

#[test]
fn a_line_is_played_with_the_answers_of_the_other_side() {
    let folder = tempfile::tempdir().unwrap();
    let mut learner = Learner::sit_down(folder.path());
    learner.go(TaskStep::Open("xiangqi"));
    let at = learner.course().tasks().iter().position(|task| task.key == "screen-horses").unwrap();
    learner.go(TaskStep::To(at));
    assert_eq!(learner.current().purpose(), Purpose::FirstStep(OtherSide::Follows));
    let play = |learner: &mut Learner, from: (u8, u8), to: (u8, u8), ply: usize| {
        learner.click(from.0, from.1);
        learner.click(to.0, to.1);
        learner.until("an answer", |world| world.resource::<CurrentMatch>().table().ply() == ply);
        learner.frames(3);
    };
    play(&mut learner, (7, 2), (4, 2), 2);
    assert_eq!(learner.course().standing().unwrap().left, [Point::new(6, 2)]);
    // After a move of another opening nobody answers; tried again, it is the same turn as before, and not the beginning.
    play(&mut learner, (1, 2), (3, 2), 3);
    let horse = Action::Step { from: Point::new(7, 0), to: Point::new(6, 2) };
    assert_eq!(learner.result(), Some(Err(Miss::OffLine(horse))));
    assert!(learner.says().starts_with("This opening goes on with"), "{}", learner.says());
    learner.frames(30);
    assert_eq!(learner.current().table().ply(), 3);
    learner.key(KeyCode::KeyR);
    learner.until("the same turn", |world| world.resource::<CurrentMatch>().table().ply() == 2);
    learner.frames(3);
    assert_eq!(learner.result(), None);
    let rest = [((7, 0), (6, 2)), ((8, 0), (7, 0)), ((2, 3), (2, 4)), ((7, 0), (7, 6))];
    for (ply, (from, to)) in [4, 6, 8, 9].into_iter().zip(rest) {
        assert_eq!(learner.result(), None);
        play(&mut learner, from, to, ply);
    }
    assert_eq!(learner.result(), Some(Ok(())));
    assert!(learner.progress().first_steps.contains_key("xiangqi/screen-horses"));
}

#[test]
fn the_pause_menu_and_the_keys_of_a_match_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let mut learner = Learner::sit_down(folder.path());
    learner.go(TaskStep::Open("xiangqi"));
    for key in [KeyCode::KeyA, KeyCode::KeyT, KeyCode::KeyF, KeyCode::KeyF, KeyCode::Digit1] {
        learner.key(key);
    }
    learner.click(1, 1);
    learner.click(1, 4);
    learner.frames(3);
    assert_eq!(learner.course().standing().unwrap().moves_left, 3);
    learner.wish(CursorRequest::Undo);
    learner.frames(3);
    assert_eq!(learner.course().standing().unwrap().moves_left, 4);
    learner.key(KeyCode::Escape);
    assert_eq!(*learner.app.world().resource::<State<Menu>>().get(), Menu::Pause);
    learner.key(KeyCode::Escape);
    learner.wish(BeginRequest::Rematch(false));
    learner.until("the task again", |world| world.resource::<Course>().standing().is_some());
    assert_eq!(learner.course().task().unwrap().key, "chariot");
}
