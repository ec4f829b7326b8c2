//! Tests of solved games in the application without a window: exact results, refutations, rated matches, the trainer, the message at
//! the second occurrence of a position.
#![cfg(feature = "gui")]

mod driver;

use bevy::prelude::*;
use driver::{MINUTE, Phase, phase};
use qiju::app::activities::{
    attempt::{Attempt, AttemptStage},
    exercises::{Conversion, Trainer},
    hold_out::HoldOut,
};
use qiju::app::exercise::Drill;
use qiju::app::explore::{Hint, ProofSearch, Refutation, ShownRefutation, Truth};
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::notices::Notices;
use qiju::app::play::{At, BoardPiece, CurrentMatch, MoveRequested};
use qiju::app::progress::PlayerProgress;
use qiju::app::requests::{
    AnyRequest, AttemptRequest, BeginRequest, CursorRequest, Go, HintRequest, PageRequest, RefereeRequest, RefuteRequest,
    TrainerRequest, TruthRequest,
};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Screen;
use qiju::app::words::Language;
use qiju_core::games::REGISTRY;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Point, Reason};
use qiju_core::search::Known;
use qiju_core::table::{Action, Piece, Setup, Table};
use std::collections::HashMap;
use std::path::Path;

struct Player {
    app: App,
}

/// The refutation that is shown.
fn refutation(world: &World) -> Option<ShownRefutation<'_>> {
    world.resource::<Refutation>().shown(world.resource::<CurrentMatch>())
}

impl Player {
    fn opened_in(folder: &Path) -> Player {
        let home = Home(folder.to_path_buf());
        let settings = Settings {
            speed: 0.0,
            free_take_backs: true,
            background_work: false,
            language: Some(Language::En),
            ..Settings::default()
        };
        settings.save(&home).unwrap();
        Player { app: driver::at_title(folder) }
    }

    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.app, 2 * MINUTE, what, so);
    }

    fn send(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
        for _ in 0..3 {
            self.app.update();
        }
    }

    /// Starts a match of two people.
    fn start(&mut self, game: &str, variant: Option<&str>, position: Option<&str>, purpose: Purpose) {
        let game = REGISTRY.iter().find(|entry| entry.key == game).unwrap().key;
        let setup = Setup { variant: variant.map(str::to_owned), position: position.map(str::to_owned) };
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
        self.send(BeginRequest::Start(MatchSetup { game, setup, seats, control: BySide::default(), purpose }));
        self.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        self.rest();
    }

    fn rest(&mut self) {
        self.until("rest", |world| matches!(phase(world), Some(Phase::Human | Phase::Over)));
    }

    fn current(&self) -> &CurrentMatch {
        self.app.world().resource::<CurrentMatch>()
    }

    fn table(&self) -> &dyn Table {
        self.current().table()
    }

    fn play(&mut self, text: &str) {
        let action = self.table().read(text).unwrap();
        self.request(action);
    }

    fn request(&mut self, action: Action) {
        let ply = self.table().ply();
        self.app.world_mut().write_message(MoveRequested { action, ply });
        self.until("the move", |world| world.resource::<CurrentMatch>().table().ply() > ply);
        self.rest();
    }

    /// Waits for the exact result of the position, and returns it.
    fn review(&mut self) -> qiju_core::study::SolvedGame {
        self.until("review", |world| world.resource::<Truth>().review().is_some());
        self.app.world().resource::<Truth>().review().unwrap().clone()
    }

    fn notices(&self) -> Vec<String> {
        self.app.world().resource::<Notices>().shown.iter().map(|(text, _)| text.clone()).collect()
    }

    /// Checks that the pieces shown are those of this table, each once.
    fn assert_pieces_are(&mut self, table: &dyn Table) {
        let mut shown = self.app.world_mut().query::<(&BoardPiece, &At)>();
        let all: Vec<(Point, Piece)> = shown.iter(self.app.world()).map(|(board_piece, at)| (at.0, board_piece.0)).collect();
        let shown: HashMap<Point, Piece> = all.iter().copied().collect();
        assert_eq!(shown.len(), all.len(), "two pieces on one point");
        assert_eq!(shown, table.pieces().into_iter().collect());
    }
}

#[test]
fn exact_results_are_shown_on_request_and_a_mistake_is_refuted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path());
    player.start("two-eat-one", Some("4x4"), None, Purpose::Casual);
    assert!(!player.app.world().resource::<Truth>().is_on(), "off until asked for");
    for _ in 0..20 {
        player.app.update();
    }
    assert!(player.app.world().resource::<Truth>().review().is_none());
    player.send(TruthRequest);
    let review = player.review();
    assert_eq!(review.now().len(), player.table().actions().len());
    assert_eq!(review.value().unwrap().known, Known::Draw);

    // Plays the worst move in each position until one is a mistake.
    let mistake = loop {
        let review = player.review();
        if let Some(ply) = review.mistakes().next() {
            break ply;
        }
        let (worst, _) = *review.now().iter().min_by_key(|(_, verdict)| verdict.rank()).unwrap();
        player.request(worst);
    };
    let before = player.table().boxed_clone();
    let judged = player.review().moves[mistake];
    assert_eq!(judged.best.1.known, Known::Draw);
    assert_eq!(judged.played.1.known, Known::Loss);

    player.send(RefuteRequest(mistake));
    player.until("line", |world| refutation(world).is_some());
    let length = refutation(player.app.world()).unwrap().line.len();
    assert_eq!(length as u32, judged.played.1.plies.unwrap(), "the line goes to the end");
    for step in 1..=length {
        assert_eq!(refutation(player.app.world()).unwrap().at, step);
        let shown = player.current().shown().boxed_clone();
        player.assert_pieces_are(&*shown);
        assert_eq!(shown.outcome().is_some(), step == length);
        player.send(CursorRequest::Go(Go::Forward));
    }
    for _ in 0..3 {
        player.send(CursorRequest::Go(Go::Back));
    }
    assert_eq!(refutation(player.app.world()).unwrap().at, length - 3);
    // The match is unchanged meanwhile, and is shown again when the line is left.
    assert_eq!(player.table().played(), before.played());
    player.send(CursorRequest::Go(Go::Leave));
    assert!(refutation(player.app.world()).is_none());
    player.assert_pieces_are(&*before);

    // An undo in the middle of the line leaves the line and takes back a move of the match.
    player.send(RefuteRequest(mistake));
    player.until("line", |world| refutation(world).is_some());
    player.send(CursorRequest::Go(Go::Forward));
    player.send(CursorRequest::Undo);
    assert!(refutation(player.app.world()).is_none());
    assert_eq!(player.table().ply(), before.ply() - 1);
    let table = player.table().boxed_clone();
    player.assert_pieces_are(&*table);
}

#[test]
fn points_are_judged_where_stones_are_placed() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path());
    player.start("tic-tac-toe", None, None, Purpose::Casual);
    player.send(TruthRequest);
    assert_eq!(player.review().now().len(), 9);
    player.play("b2");
    player.play("b1");
    assert_eq!(player.review().mistakes().collect::<Vec<_>>(), [1]);
    // It is off in a new match.
    player.send(BeginRequest::Rematch(false));
    player.rest();
    assert!(!player.app.world().resource::<Truth>().is_on());
    // A game that is not solved has none.
    player.start("gomoku", None, None, Purpose::Casual);
    player.send(TruthRequest);
    assert!(!player.app.world().resource::<Truth>().is_on());
}

#[test]
fn a_rated_match_gives_no_hints_until_it_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path());
    player.start("tic-tac-toe", None, None, Purpose::Rated);
    player.play("b2");
    player.play("b1");
    for request in [TruthRequest.into(), CursorRequest::Undo.into(), AnyRequest::from(HintRequest)] {
        player.send(request.clone());
        assert!(player.notices().contains(&"Not allowed in a rated match".to_owned()), "{request:?}");
        player.app.world_mut().resource_mut::<Notices>().shown.clear();
    }
    assert_eq!(player.table().ply(), 2);
    assert!(!player.app.world().resource::<Truth>().is_on());
    assert!(!player.app.world().resource::<Hint>().is_sought());
    for text in ["a1", "c1", "c3"] {
        player.play(text);
    }
    assert_eq!(player.current().outcome().unwrap().reason, Reason::Three);
    // Afterwards everything can be shown, and nothing can be taken back.
    assert_eq!(player.review().mistakes().collect::<Vec<_>>(), [1]);
    player.send(CursorRequest::Undo);
    assert_eq!(player.table().ply(), 5);
    // In the journal it is a rated match.
    player.start("tic-tac-toe", None, None, Purpose::Rated);
    player.play("a1");
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.send(BeginRequest::Resume);
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    assert_eq!((player.current().purpose(), player.table().ply()), (Purpose::Rated, 1));
}

#[test]
fn a_third_repetition_is_a_draw_and_the_second_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path());
    player.start("two-eat-one", None, None, Purpose::Casual);
    let told = |player: &Player| player.notices().iter().any(|text| text.contains("second occurrence"));
    for (round, text) in ["0,0-1,0", "4,0-3,0", "1,0-0,0", "3,0-4,0"].iter().cycle().take(8).enumerate() {
        assert!(player.current().outcome().is_none(), "{round}");
        assert_eq!(told(&player), round >= 4, "{round}");
        player.play(text);
        player.app.update();
    }
    let outcome = player.current().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::Repetition));
    let sheet = &player.current().game().sheet;
    for reason in [Reason::Repetition, Reason::MoveLimit, Reason::Bare, Reason::NoMove] {
        assert!(sheet.reasons.contains_key(reason.key()), "{reason:?}");
    }
}

#[test]
fn the_trainer_says_whether_the_win_was_converted() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path());
    // An unfinished match that must still be there afterwards.
    player.start("tic-tac-toe", None, None, Purpose::Casual);
    player.play("b2");
    player.send(PageRequest::Title);
    let journal = std::fs::read(folder.path().join("match.journal")).unwrap();

    player.send(TrainerRequest::Open("two-eat-one"));
    player.until("page", |world| *world.resource::<State<Screen>>().get() == Screen::Trainer);
    player.send(TrainerRequest::Variant("4x4".to_owned()));
    player.until("tables", |world| !world.resource::<Trainer>().is_waking());
    let trainer = player.app.world().resource::<Trainer>();
    assert_eq!(trainer.open(), Some(("two-eat-one", "4x4")));
    let class = *trainer.classes().iter().find(|class| (class.own, class.other) == (3, 2)).unwrap();
    let drill = Drill { game: "two-eat-one", variant: "4x4".to_owned(), class, grade: 1 };
    player.send(TrainerRequest::Begin(drill.clone()));
    player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.rest();
    assert_eq!(player.current().purpose(), Purpose::Exercise);
    let plies = player.app.world().resource::<Trainer>().exercise().unwrap().plies;
    assert!((6..=11).contains(&plies));
    assert_eq!(player.review().value().unwrap().plies, Some(plies));

    // With exact play it takes exactly the known number of plies.
    while player.current().outcome().is_none() {
        let review = player.review();
        let (best, _) = *review.now().iter().max_by_key(|(_, verdict)| verdict.rank()).unwrap();
        player.request(best);
    }
    assert_eq!(player.table().ply() as u32, plies);
    let exercise = player.app.world().resource::<Trainer>().exercise().unwrap().clone();
    assert_eq!(exercise.conversion(player.current()), Some(Conversion::Exact));
    assert!(!exercise.helped);
    player.app.update();
    assert!(player.app.world().resource::<PlayerProgress>().trained.contains(&drill.key()));

    // The same position again. Resigned, the win is not converted.
    let start = player.table().setup().clone();
    player.send(BeginRequest::Rematch(false));
    player.until("afresh", |world| world.resource::<CurrentMatch>().table().ply() == 0);
    assert_eq!(player.table().setup(), &start);
    player.send(HintRequest);
    let side = player.table().turn();
    player.send(RefereeRequest::Resign(side));
    let exercise = player.app.world().resource::<Trainer>().exercise().unwrap().clone();
    assert_eq!((exercise.conversion(player.current()), exercise.helped), (Some(Conversion::Missed), true));

    // A harder position of the class. The level of ordinary matches is unchanged.
    player.send(TrainerRequest::Begin(drill.harder().unwrap()));
    player.until("harder", |world| world.resource::<Trainer>().exercise().is_some_and(|exercise| exercise.plies >= 12));
    assert!(!player.app.world().resource::<Settings>().setups.contains_key("two-eat-one"));
    player.send(PageRequest::Title);
    assert_eq!(std::fs::read(folder.path().join("match.journal")).unwrap(), journal);
}

/// The user defends against the proof of gomoku: the moves left at most fall, and the longest defence is kept.
#[test]
fn the_longest_stand_against_the_proof_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path());
    for (replies, best) in [(["o15", "a1", "a15"], 0), (["o15", "o1", "a3"], 1)] {
        player.send(BeginRequest::Start(MatchSetup::hold_out("gomoku", "freestyle")));
        player.until("match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        player.until("the first stone", |world| world.resource::<CurrentMatch>().table().ply() == 1);
        player.rest();
        let marked = player.app.world().resource::<HoldOut>().marked(player.current());
        assert!(marked.is_empty(), "every reply is answered: {marked:?}");
        let mut left = u32::MAX;
        let mut own = 0;
        while player.current().outcome().is_none() {
            let wanted = replies.get(own).and_then(|text| player.table().read(text).ok());
            let reply = wanted.unwrap_or_else(|| player.table().actions()[0]);
            player.request(reply);
            own += 1;
            player.until("an answer", |world| {
                let current = world.resource::<CurrentMatch>();
                current.outcome().is_some() || current.table().ply() == 2 * own + 1
            });
            player.rest();
            for _ in 0..3 {
                player.app.update();
            }
            let defence = player.app.world().resource::<HoldOut>().defence().unwrap().clone();
            if player.current().outcome().is_none() {
                let now = defence.left.expect("it is proven");
                assert!(now < left, "{now} after {left}");
                left = now;
            }
        }
        let defence = player.app.world().resource::<HoldOut>().defence().unwrap().clone();
        assert_eq!(defence.is_lost(player.current()), Some(true));
        assert_eq!(defence.moves(player.current()), own as u32);
        assert!(defence.best >= best && !defence.helped);
        let kept = player.app.world().resource::<PlayerProgress>().stands["gomoku/freestyle"];
        assert_eq!(kept, defence.best.max(own as u32));
    }
    let (kept, fault) = PlayerProgress::load(&Home(folder.path().to_path_buf()));
    assert!(fault.is_empty() && kept.stands["gomoku/freestyle"] > 1, "{:?}", kept.stands);
}

/// A proven position offers to refute it from the first stone that the proof covers.
#[test]
fn a_proof_of_the_game_can_be_tried() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path());
    player.start("gomoku", Some("freestyle"), None, Purpose::Analysis);
    for (text, ply) in [("h8", 0), ("o15", 2)] {
        player.play(text);
        player.until("a proof", |world| world.resource::<ProofSearch>().found().is_some_and(|found| found.ply == ply));
    }
    let found = player.app.world().resource::<ProofSearch>().found().unwrap().clone();
    assert_eq!(found.winner, qiju_core::rules::Side::First);
    assert!(found.plies > 9 && found.plies % 2 == 1, "{found:?}");
    player.send(AttemptRequest);
    player.until("an answer", |world| {
        let attempt = world.resource::<Attempt>().shown(world.resource::<CurrentMatch>());
        attempt.is_some_and(|shown| shown.stage() == AttemptStage::Defend && shown.plies() == Some(found.plies - 1))
    });
}
