//! Tests of the real plugins without a window, driven as a player drives them: by the pointer, the keys and the buttons' requests.
#![cfg(feature = "gui")]

mod clocks;
mod engines;
mod exercises;
mod files;
mod library;
mod matches;
mod openings;
mod puzzles;
mod study;
mod teaching;

#[path = "../driver/mod.rs"]
mod driver;

use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use driver::{MINUTE, Phase, phase};
use qiju::app::activities::attempt::{Attempt, ShownAttempt};
use qiju::app::activities::study::GameReview;
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::layout::Layout;
use qiju::app::play::{At, BoardPiece, CurrentMatch, MatchClock, ScoreSheet};
use qiju::app::requests::{AnyRequest, BeginRequest, PageRequest};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Screen;
use qiju_core::games::REGISTRY;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Point, Side};
use qiju_core::table::{Action, Piece, Setup, TimeControl};
use std::collections::HashMap;
use std::path::Path;

/// The program with its own folder, without a visible window.
struct Player {
    app: App,
    control: BySide<TimeControl>,
}

/// The attempt to refute a win that is shown.
fn attempt(world: &World) -> Option<ShownAttempt<'_>> {
    world.resource::<Attempt>().shown(world.resource::<CurrentMatch>())
}

impl Player {
    fn opened_in(folder: &Path, speed: f32) -> Player {
        let settings = Settings { speed, background_work: false, free_take_backs: true, ..Settings::default() };
        settings.save(&Home(folder.to_path_buf())).unwrap();
        Player::reopened_in(folder)
    }

    /// The same with the settings in the folder.
    fn reopened_in(folder: &Path) -> Player {
        Player { app: driver::at_title(folder), control: BySide::default() }
    }

    fn frame(&mut self) {
        driver::frame(&mut self.app);
    }

    /// Runs frames until a condition holds, for a minute at most.
    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.app, MINUTE, what, so);
    }

    fn send(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
        self.frame();
    }

    fn start(&mut self, game: &str, first: SeatSpec, second: SeatSpec) {
        let key = REGISTRY.iter().find(|entry| entry.key == game).unwrap().key;
        self.send(PageRequest::Choose(key));
        self.until("setup", |world| *world.resource::<State<Screen>>().get() == Screen::Setup);
        let seats = BySide::new(first, second);
        let (control, purpose) = (self.control, Purpose::Casual);
        let setup = MatchSetup { game: key, setup: Setup::default(), seats, control, purpose };
        self.send(BeginRequest::Start(setup));
        self.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        self.until("deal", |world| phase(world) != Some(Phase::SetUp));
    }

    fn current(&self) -> &CurrentMatch {
        self.app.world().resource::<CurrentMatch>()
    }

    fn phase(&self) -> Option<Phase> {
        phase(self.app.world())
    }

    fn settle(&mut self) {
        self.until("rest", |world| {
            let current = world.resource::<CurrentMatch>();
            match phase(world) {
                Some(Phase::Human) => current.human_to_move(),
                Some(Phase::Over) => current.outcome().is_some(),
                _ => false,
            }
        });
        self.frame();
    }

    fn point_at(&mut self, point: Point) {
        let cursor = self.app.world().resource::<Layout>().cursor_of(point);
        driver::move_to(&mut self.app, cursor);
    }

    fn button(&mut self, state: ButtonState) {
        driver::button(&mut self.app, MouseButton::Left, state);
        self.frame();
    }

    fn click(&mut self, point: Point) {
        self.point_at(point);
        self.button(ButtonState::Pressed);
        self.button(ButtonState::Released);
    }

    fn drag(&mut self, from: Point, to: Point) {
        self.point_at(from);
        self.button(ButtonState::Pressed);
        self.point_at(to);
        self.frame();
        self.button(ButtonState::Released);
    }

    fn key(&mut self, code: KeyCode) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            driver::key(&mut self.app, code, state);
            self.frame();
        }
    }

    /// Plays the first move of each side.
    fn play_both(&mut self) {
        for action in [CANNON, REPLY] {
            self.play(action);
            self.settle();
        }
    }

    /// Plays with the pointer: by clicks, every third time by dragging.
    fn play(&mut self, action: Action) {
        match action {
            Action::Drop(at) => self.click(at),
            Action::Step { from, to } if self.current().table().ply() % 3 == 2 => self.drag(from, to),
            Action::Step { from, to } => {
                self.click(from);
                self.click(to);
            }
            other => panic!("no hand plays {other:?}"),
        }
    }

    /// Checks that the pieces shown are the pieces of the table, each once.
    fn assert_pieces_agree(&mut self) {
        let mut shown = self.app.world_mut().query::<(&BoardPiece, &At)>();
        let shown: Vec<(Point, Piece)> = shown.iter(self.app.world()).map(|(board_piece, at)| (at.0, board_piece.0)).collect();
        let count = shown.len();
        let shown: HashMap<Point, Piece> = shown.into_iter().collect();
        assert_eq!(shown.len(), count, "two pieces on one point");
        let table: HashMap<Point, Piece> = self.current().shown().pieces().into_iter().collect();
        assert_eq!(shown, table);
    }
}

fn computer(level: u8) -> SeatSpec {
    SeatSpec::computer(level)
}

/// The remaining time of a side in milliseconds.
fn left(player: &Player, side: Side) -> u128 {
    player.app.world().resource::<MatchClock>().get().left(side).unwrap().left.as_millis()
}

const CANNON: Action = Action::Step { from: Point::new(7, 2), to: Point::new(4, 2) };

const REPLY: Action = Action::Step { from: Point::new(7, 9), to: Point::new(6, 7) };

/// A match of gomoku that begins as the setup says.
fn gomoku(player: &mut Player, setup: Setup, first: SeatSpec, second: SeatSpec) {
    let before = player.app.world().get_resource::<CurrentMatch>().map(CurrentMatch::seed);
    let (seats, control, purpose) = (BySide::new(first, second), player.control, Purpose::Casual);
    player.send(BeginRequest::Start(MatchSetup { game: "gomoku", setup, seats, control, purpose }));
    player.until("match", |world| world.get_resource::<CurrentMatch>().is_some_and(|current| Some(current.seed()) != before));
    player.until("deal", |world| phase(world) != Some(Phase::SetUp));
}

/// A match of two people, or with a computer, from moves already played.
fn from_moves(player: &mut Player, variant: &str, moves: &str, first: SeatSpec, second: SeatSpec) {
    gomoku(player, Setup { variant: Some(variant.to_owned()), position: Some(moves.to_owned()) }, first, second);
}

/// The moves of the sheet with the depth of their lines and their glyphs.
fn sheet_of(player: &Player) -> Vec<(u16, String)> {
    let (sheet, tree) = (player.app.world().resource::<ScoreSheet>(), player.current().tree());
    let glyphs = |node| tree.notes(node).glyphs.iter().filter_map(|glyph| glyph.sign()).collect::<String>();
    sheet.entries().iter().map(|entry| (entry.depth, format!("{}{}", entry.text, glyphs(entry.node)))).collect()
}

/// Waits for the review of the current match.
fn reviewed(player: &mut Player) -> qiju_core::study::Summary {
    player.until("a review", |world| {
        let running = world.resource::<GameReview>().progress().is_some();
        !running && GameReview::summary(world.resource::<CurrentMatch>()).is_some()
    });
    GameReview::summary(player.current()).unwrap()
}
