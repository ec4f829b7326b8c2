//! Tests of the real plugins without a window: draw offers, take-backs that the other player is asked for, and the player's own results.
#![cfg(feature = "gui")]

mod driver;

use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use driver::{MINUTE, Phase, phase};
use qiju::app::activities::results::ResultsRequest;
use qiju::app::home::Home;
use qiju::app::kept::{Change, Kept};
use qiju::app::play::{
    CurrentMatch, EndCard, Milestone, MoveRequested, MyResults, NoOffer, Offers, SavedGames, Spoken, Unfinished, Watch, Way,
};
use qiju::app::requests::{AnyRequest, BeginRequest, CursorRequest, HintRequest, PageRequest, RefereeRequest};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, NEAR, Purpose};
use qiju::app::state::Menu;
use qiju::app::words::{Language, Words};
use qiju_core::games::REGISTRY;
use qiju_core::record::journal::{self, Event};
use qiju_core::record::{Record, SeatSpec};
use qiju_core::rules::{BySide, Outcome, Reason, Side};
use qiju_core::search::Value;
use qiju_core::storage::Blob;
use qiju_core::study::results::{Ending, FILE, MatchResult, Results};
use qiju_core::table::{Action, Setup};
use std::path::Path;

/// Two generals and a soldier each.
const ENDING: &str = "5k3/9/9/P8/9/9/8p/9/9/3K5 w - - 0 1";

struct Player {
    app: App,
}

impl Player {
    fn sit_down(folder: &Path) -> Player {
        let home = Home(folder.to_path_buf());
        let mut settings = Settings::peek(&home);
        settings.speed = 0.0;
        settings.background_work = false;
        settings.language = Some(Language::En);
        settings.save(&home).unwrap();
        Player { app: driver::at_title(folder) }
    }

    fn world(&self) -> &World {
        self.app.world()
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            driver::frame(&mut self.app);
        }
    }

    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.app, MINUTE, what, so);
    }

    fn wish(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
        self.frames(2);
    }

    fn start_with(&mut self, game: &str, position: Option<&str>, seats: BySide<SeatSpec>, purpose: Purpose) {
        let game = REGISTRY.iter().find(|entry| entry.key == game).unwrap().key;
        let setup = Setup { variant: None, position: position.map(str::to_owned) };
        let before = self.world().get_resource::<CurrentMatch>().map(CurrentMatch::seed);
        self.wish(BeginRequest::Start(MatchSetup { game, setup, seats, control: BySide::default(), purpose }));
        self.until("the match", |world| world.get_resource::<CurrentMatch>().map(CurrentMatch::seed) != before);
        self.until("the deal", |world| phase(world).is_some_and(|phase| phase != Phase::SetUp));
    }

    fn start(&mut self, game: &str, second: SeatSpec) {
        self.start_with(game, None, BySide::new(SeatSpec::Human, second), Purpose::Casual);
    }

    fn current(&self) -> &CurrentMatch {
        self.world().resource::<CurrentMatch>()
    }

    fn play(&mut self, text: &str) {
        let (action, ply) = (self.current().table().read(text).unwrap(), self.current().table().ply());
        self.app.world_mut().write_message(MoveRequested { action, ply });
        self.until("the move", |world| world.resource::<CurrentMatch>().table().ply() > ply);
    }

    /// Waits until the person is to move, or the match is over.
    fn turn(&mut self) {
        self.until("the turn", |world| matches!(phase(world), Some(Phase::Over | Phase::Human)));
    }

    fn ply(&self) -> usize {
        self.current().table().ply()
    }

    fn key(&mut self, code: KeyCode, ctrl: bool) {
        for (key, state) in driver::with_control(code) {
            if key == KeyCode::ControlLeft && !ctrl {
                continue;
            }
            driver::key(&mut self.app, key, state);
            self.frames(1);
        }
        self.frames(2);
    }

    fn question(&self) -> Option<String> {
        let (offers, current, words) = (self.world().resource::<Offers>(), self.current(), self.world().resource::<Words>());
        offers.question(current).map(|question| words.question(current, question))
    }

    fn spoken(&self) -> String {
        self.world().resource::<Spoken>().text.clone()
    }

    /// What the engine of a seat has thought of the match: three searches with this value.
    fn thought(&mut self, seat: Side, value: Value) {
        let ply = self.ply();
        let mut offers = self.app.world_mut().resource_mut::<Offers>();
        (ply.saturating_sub(2)..=ply).for_each(|ply| offers.note(seat, ply, value));
    }

    fn way(&self, game: &str) -> &Way {
        self.world().resource::<MyResults>().way(game).unwrap()
    }

    /// Ends the program as a kill would.
    fn killed(self) {
        drop(self);
    }
}

fn level(level: u8) -> SeatSpec {
    SeatSpec::computer(level)
}

fn reason(player: &Player) -> Option<Reason> {
    player.current().outcome().map(|outcome| outcome.reason)
}

#[test]
fn an_engine_answers_a_draw_offer_by_its_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path());
    player.start("xiangqi", level(1));
    player.thought(Side::Second, Value::Cp(-900));
    player.wish(RefereeRequest::OfferDraw);
    assert_eq!(reason(&player), None);
    assert!(player.spoken().contains("too early"), "{}", player.spoken());
    // Once a move only.
    let offerer = |player: &Player| player.world().resource::<Offers>().offerer(player.current());
    assert_eq!(offerer(&player), Err(NoOffer::Once));
    player.play("h2e2");
    player.turn();
    assert_eq!(offerer(&player), Ok(Side::First));

    // In an ending it is not too early; the engine has to have searched, and declines where it is better.
    let seats = BySide::new(SeatSpec::Human, level(1));
    player.start_with("xiangqi", Some(ENDING), seats, Purpose::Casual);
    player.play("d0d1");
    player.turn();
    player.play("d1d0");
    player.turn();
    player.thought(Side::Second, Value::Cp(60));
    player.wish(RefereeRequest::OfferDraw);
    assert_eq!((reason(&player), player.ply()), (None, 4));
    assert!(player.spoken().contains("declines"), "{}", player.spoken());
    player.play("d0d1");
    player.turn();
    // The last three searches count.
    player.thought(Side::Second, Value::Cp(0));
    player.key(KeyCode::KeyD, true);
    assert_eq!(reason(&player), Some(Reason::Agreement));
    assert!(player.world().resource::<EndCard>().is_open());
    assert!(player.spoken().contains("Draw") && player.spoken().contains("by agreement"), "{}", player.spoken());
    // It is in the journal, and in the record.
    let told = journal::recover(&Home(folder.path().to_path_buf()).journal()).unwrap().unwrap();
    assert_eq!(told.events.last(), Some(&Event::Agreed));
    player.wish(PageRequest::Menu(Menu::Records));
    let drawn = Some(Outcome::draw(Reason::Agreement));
    let saved = player.world().resource::<SavedGames>().games.iter().find(|game| game.record.result == drawn).unwrap();
    assert_eq!(Record::load(&saved.path).unwrap()[0].result, drawn);
    player.killed();
    let player = Player::sit_down(folder.path());
    assert!(player.world().resource::<Unfinished>().found().is_none(), "a drawn match is over");
}

#[test]
fn who_cannot_be_asked_is_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path());
    let offerer = |player: &Player| player.world().resource::<Offers>().offerer(player.current());
    player.start("xiangqi", SeatSpec::External { name: "A program".to_owned() });
    assert_eq!(offerer(&player), Err(NoOffer::Program));
    player.wish(RefereeRequest::OfferDraw);
    assert_eq!((reason(&player), player.question()), (None, None));
    player.start_with("xiangqi", None, BySide::new(level(1), level(1)), Purpose::Casual);
    assert_eq!(offerer(&player), Err(NoOffer::Nobody));
    player.start("tic-tac-toe", SeatSpec::Human);
    assert_eq!(offerer(&player), Err(NoOffer::Nobody));
}

#[test]
fn a_person_is_asked_at_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path());
    player.start("xiangqi", SeatSpec::Human);
    player.wish(RefereeRequest::Answer(true));
    player.play("h2e2");
    player.key(KeyCode::KeyD, true);
    assert_eq!(player.question().as_deref(), Some("Black offers a draw. Does Red agree?"));
    assert_eq!(player.spoken(), "Black offers a draw. Does Red agree?");
    player.key(KeyCode::KeyN, false);
    assert_eq!((player.question(), reason(&player)), (None, None));
    player.key(KeyCode::KeyD, true);
    assert_eq!(player.question(), None, "once a move");
    // A move declines too.
    player.play("h9g7");
    player.wish(RefereeRequest::OfferDraw);
    assert_eq!(player.question().as_deref(), Some("Red offers a draw. Does Black agree?"));
    player.play("h0g2");
    assert_eq!(player.question(), None);
    player.wish(RefereeRequest::Answer(true));
    assert_eq!(reason(&player), None);
    player.play("i9h9");
    player.play("c3c4");
    player.wish(RefereeRequest::OfferDraw);
    player.key(KeyCode::KeyY, false);
    assert_eq!(reason(&player), Some(Reason::Agreement));
    assert!(player.way("xiangqi").milestones.is_empty(), "two people have no results");
}

#[test]
fn the_other_person_is_asked_before_moves_are_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path());
    player.start("gomoku", SeatSpec::Human);
    ["h8", "i9", "h7"].into_iter().for_each(|text| player.play(text));
    player.wish(CursorRequest::Undo);
    assert_eq!(
        (player.ply(), player.question().as_deref()),
        (3, Some("Black asks to take the last move back. Does White agree?"))
    );
    player.key(KeyCode::KeyN, false);
    assert_eq!((player.ply(), player.question()), (3, None));
    player.wish(CursorRequest::Undo);
    player.key(KeyCode::KeyY, false);
    assert_eq!((player.ply(), player.question()), (2, None));
    // Played again it needs nobody.
    player.wish(CursorRequest::Redo);
    assert_eq!(player.ply(), 3);
    player.wish(CursorRequest::Go(qiju::app::requests::Go::Ply(1)));
    player.wish(CursorRequest::GoOnFromHere);
    assert_eq!(player.question().as_deref(), Some("Black asks to take 2 moves back. Does White agree?"));
    player.wish(RefereeRequest::Answer(true));
    assert_eq!(player.ply(), 1);
    // The question does not outlive a move, and a setting leaves it out.
    player.play("i9");
    player.wish(CursorRequest::Undo);
    player.play("h7");
    assert_eq!((player.ply(), player.question()), (3, None));
    player.wish(Change::new(|settings: &mut Settings| settings.free_take_backs = true));
    player.wish(CursorRequest::Undo);
    assert_eq!((player.ply(), player.question()), (2, None));
}

#[test]
fn two_engines_stop_and_go_on_by_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path());
    player.wish(Change::new(|settings: &mut Settings| settings.watch_pace_ms = 0));
    player.start_with("gomoku", None, BySide::new(level(1), level(1)), Purpose::Casual);
    player.until("a move", |world| world.resource::<CurrentMatch>().table().ply() > 1);
    player.key(KeyCode::KeyK, false);
    assert!(player.world().resource::<Watch>().is_paused());
    player.frames(20);
    let ply = player.ply();
    player.frames(60);
    assert_eq!(player.ply(), ply);
    player.key(KeyCode::KeyK, false);
    player.until("another move", |world| world.resource::<CurrentMatch>().table().ply() > ply);
}

/// Loses to level 1 by resigning after a move of each side.
fn lose(player: &mut Player, purpose: Purpose) {
    player.start_with("gomoku", None, BySide::new(SeatSpec::Human, level(1)), purpose);
    player.play("h8");
    player.turn();
    player.wish(RefereeRequest::Resign(Side::First));
    assert_eq!(reason(player), Some(Reason::Resignation));
}

#[test]
fn results_are_kept_over_a_restart_and_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path());
    assert!(player.way("gomoku").milestones.is_empty());
    let before = player.way("gomoku").rating.unwrap();
    lose(&mut player, Purpose::Casual);
    let way = player.way("gomoku").clone();
    let [Milestone { result, rating: None }] = &way.milestones[..] else { panic!("{way:?}") };
    let MatchResult { level, side, ending, rated, helped, .. } = result;
    assert_eq!((*level, *side, *ending, *rated, *helped), (1, Side::First, Ending::Lost, false, false));
    // A casual match does not change the rating, but the level that suits the player follows from all matches.
    assert_eq!(way.rating, Some(before));
    assert!(way.strength.unwrap().value < before.value);
    let line =
        |player: &Player| player.world().resource::<Words>().standing(player.world().resource::<MyResults>(), player.current());
    assert_eq!(line(&player).as_deref(), Some("Casual match: not counted in your rating"));
    // Taken back after the end and lost again it counts once.
    player.wish(CursorRequest::Undo);
    player.wish(RefereeRequest::Resign(Side::First));
    assert_eq!(player.way("gomoku").milestones.len(), 1);
    // A match that is broken off has no result; nor has one without a move of each side.
    player.start("gomoku", SeatSpec::computer(1));
    player.wish(RefereeRequest::Resign(Side::First));
    player.start("gomoku", SeatSpec::computer(1));
    player.play("h8");
    player.turn();
    player.wish(PageRequest::Title);
    lose(&mut player, Purpose::Rated);
    let way = player.way("gomoku").clone();
    assert_eq!(way.milestones.iter().map(|one| one.result.rated).collect::<Vec<_>>(), [false, true]);
    let rating = way.milestones[1].rating.unwrap();
    assert!(rating.value < before.value && rating.error < before.error, "{before:?} {rating:?}");
    let wanted = format!("Your rating {:.0} ± {:.0} · next: level 1", rating.value, rating.error);
    assert_eq!(line(&player), Some(wanted));
    player.killed();

    let mut player = Player::sit_down(folder.path());
    assert_eq!(*player.way("gomoku"), way);
    // Killed after the last move was written and before its result was: it is counted at the next start.
    let home = Home(folder.path().to_path_buf());
    let file = Blob::new(home.storage(), FILE);
    lose(&mut player, Purpose::Casual);
    let third = player.way("gomoku").milestones[2].result.id;
    player.killed();
    let lines = String::from_utf8(file.read().unwrap().unwrap()).unwrap();
    let cut = lines.trim_end().rfind('\n').unwrap() + 20;
    file.replace(&lines[..cut]).unwrap();
    let mut player = Player::sit_down(folder.path());
    let ids: Vec<u64> = player.way("gomoku").milestones.iter().map(|one| one.result.id).collect();
    assert_eq!((ids.len(), ids[2]), (3, third));
    // What is erased comes back by undo, and not by a restart.
    player.wish(ResultsRequest::Show("gomoku"));
    player.wish(ResultsRequest::Erase(Some("gomoku")));
    assert_eq!((player.way("gomoku").milestones.len(), player.world().resource::<MyResults>().erased()), (0, 3));
    player.wish(ResultsRequest::Restore);
    assert_eq!(player.way("gomoku").milestones.len(), 3);
    player.wish(ResultsRequest::Erase(None));
    player.killed();
    let player = Player::sit_down(folder.path());
    assert!(player.way("gomoku").milestones.is_empty());
}

#[test]
fn a_match_with_help_is_listed_but_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::sit_down(folder.path());
    player.start("gomoku", level(1));
    player.play("h8");
    player.turn();
    player.wish(HintRequest);
    assert!(player.current().is_helped());
    player.killed();
    // It is known after a kill.
    let mut player = Player::sit_down(folder.path());
    player.wish(BeginRequest::Resume);
    player.until("the match", |world| world.get_resource::<CurrentMatch>().is_some());
    player.frames(3);
    assert!(player.current().is_helped());
    player.wish(RefereeRequest::Resign(Side::First));
    let before = player.way("gomoku").rating;
    let [one] = &player.way("gomoku").milestones[..] else { panic!() };
    assert!(one.result.helped && one.rating.is_none());
    let line = player.world().resource::<Words>().standing(player.world().resource::<MyResults>(), player.current());
    assert!(line.unwrap().contains("with help"));
    // So is one whose moves were taken back, and one from a set-up position.
    player.start("gomoku", level(1));
    player.play("h8");
    player.turn();
    player.wish(CursorRequest::Undo);
    player.play("h7");
    player.turn();
    player.wish(RefereeRequest::Resign(Side::First));
    let seats = BySide::new(SeatSpec::Human, level(1));
    player.start_with("xiangqi", Some(ENDING), seats, Purpose::Casual);
    player.play("d0d1");
    player.turn();
    player.wish(RefereeRequest::Resign(Side::First));
    assert!(player.way("gomoku").milestones[1].result.helped && player.way("xiangqi").milestones[0].result.set_up);
    assert_eq!(player.way("gomoku").rating, before);
}

/// A match with a handicap counts as one against an opponent with whom it is even.
#[test]
fn a_match_with_a_handicap_counts_by_what_it_is_worth() {
    let position = |game: &str, name: &str| {
        let sheet = REGISTRY.iter().find(|entry| entry.key == game).unwrap().sheet().unwrap();
        sheet.handicaps.into_iter().find(|handicap| handicap.name.en == name).unwrap().position
    };
    let lost = |game: &str, name: &str, first: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        let start = position(game, name);
        player.start_with(game, Some(&start), BySide::new(SeatSpec::Human, level(2)), Purpose::Rated);
        player.play(first);
        player.turn();
        player.wish(RefereeRequest::Resign(Side::First));
        let last = player.way(game).milestones.last().unwrap().clone();
        assert!(last.result.handicap == Some(start) && last.result.counts(), "{last:?}");
        last.rating.unwrap().value
    };
    // A loss with a chariot or stone more tells worse of the player than one with it less.
    let [more, less] = ["Black", "Red"].map(|by| lost("xiangqi", &format!("{by} gives a chariot"), "b2e2"));
    assert!(more + 50.0 < less, "{more} {less}");
    let [more, less] = ["White", "Black"].map(|by| lost("gomoku", &format!("{by} gives a stone"), "h9"));
    assert!(more + 50.0 < less, "{more} {less}");
}

#[test]
fn the_adaptive_opponent_stays_near_the_players_rating() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home(folder.path().to_path_buf());
    let (mut results, _) = Results::open(Blob::new(home.storage(), FILE)).unwrap();
    // Even with level 6.
    for id in 1..=30u64 {
        let ending = if id.is_multiple_of(2) { Ending::Won } else { Ending::Lost };
        let (game, date) = ("gomoku".to_owned(), 1_700_000_000 + id as i64 * 600);
        let result = MatchResult {
            id,
            game,
            variant: "freestyle".to_owned(),
            level: 6,
            side: Side::First,
            ending,
            date,
            rated: false,
            helped: false,
            set_up: false,
            handicap: None,
            time_odds: false,
            unrated: false,
        };
        results.add(result).unwrap();
    }
    let mut player = Player::sit_down(folder.path());
    let way = player.way("gomoku").clone();
    let ratings = REGISTRY.iter().find(|entry| entry.key == "gomoku").unwrap().sheet().unwrap().ratings;
    let rating = way.rating.unwrap();
    assert!((rating.value - ratings[5]).abs() < 60.0 && rating.error < 100.0 && way.next == Some(6), "{rating:?}");
    let near = BySide::new(SeatSpec::Human, level(NEAR));
    let mut chosen = Vec::new();
    player.start_with("gomoku", None, near.clone(), Purpose::Casual);
    for _ in 0..20 {
        let SeatSpec::Computer { level, .. } = player.current().seats().second else { panic!() };
        chosen.push(level);
        // Another match asks again.
        assert_eq!(player.current().match_setup().seats, near);
        let seed = player.current().seed();
        player.wish(BeginRequest::Rematch(false));
        player.until("the next match", |world| world.resource::<CurrentMatch>().seed() != seed);
        player.frames(3);
    }
    assert!(chosen.iter().all(|level| (5..=7).contains(level)) && chosen.contains(&6), "{chosen:?}");
    assert_eq!(player.world().resource::<Settings>().last_setup("gomoku").seats, near);
    // The journal has the level that plays.
    player.play("h8");
    let told = journal::recover(&home.journal()).unwrap().unwrap();
    assert!(matches!(told.header.seats.second, SeatSpec::Computer { level: 5..=7, .. }));
    assert!(matches!(told.events[..], [Event::Spent(_), Event::Move(Action::Drop(_)), ..]));
    player.app.world_mut().write_message(AppExit::Success);
    player.frames(2);
    player.killed();
    assert_eq!(Settings::peek(&home).last_setup("gomoku").seats, near);
    // A match that is resumed knows that its level was chosen.
    let mut player = Player::sit_down(folder.path());
    player.wish(BeginRequest::Resume);
    player.until("the match", |world| world.get_resource::<CurrentMatch>().is_some());
    assert!(matches!(player.current().seats().second, SeatSpec::Computer { level: 5..=7, .. }));
    assert_eq!(player.current().match_setup().seats, near);
}

/// With a handicap the level near the player's rating is one with which the match is even: a stronger one where the player has the advantage.
#[test]
fn the_level_near_the_rating_is_even_with_a_handicap() {
    let sheet = REGISTRY.iter().find(|entry| entry.key == "xiangqi").unwrap().sheet().unwrap();
    for (name, side) in
        [("Black gives a chariot", Side::First), ("Red gives a chariot", Side::First), ("Black gives a chariot", Side::Second)]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        let strength = player.way("xiangqi").strength.unwrap().value;
        let handicap = sheet.handicaps.iter().find(|handicap| handicap.name.en == name).unwrap();
        let even = handicap.even_with(side, strength).unwrap();
        let above = sheet.ratings.iter().position(|rating| *rating > even).unwrap() as u8;
        let seats = BySide::new(SeatSpec::Human, level(NEAR));
        let seats = if side == Side::First { seats } else { BySide::new(seats.second, seats.first) };
        player.start_with("xiangqi", Some(&handicap.position), seats, Purpose::Casual);
        let SeatSpec::Computer { level, .. } = player.current().seats()[!side] else { panic!() };
        assert!((above.max(1)..=above + 1).contains(&level), "{name}: {strength} is even with {even}, and level {level} plays");
        assert_ne!(level, 3, "{name}");
    }
}
