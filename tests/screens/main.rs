//! Tests every screen in both languages, at several window sizes and pixel ratios: no text overflows its box, what is pressed by a finger is large enough
//! for it, what can be used has a name for screen readers, and each screen equals its thumbnail in
//! `tests/data/screens`. After an intended change, `QIJU_KEEP_SCREENS=1 cargo test --test screens` saves new thumbnails. `QIJU_SCENES=title,puzzle` takes these scenes alone.
//!
//! It needs a Vulkan driver (a software driver is enough), but no window system. On a machine without one, set `QIJU_SKIP_WINDOW=1`.
#![cfg(feature = "gui")]

mod films;
mod hands;
mod names;
mod stage;
mod tasks;
mod texts;
mod thumbnail;
mod voice;

use bevy::prelude::{Mut, State, World};
use qiju::app::activities::attempt::{Attempt, AttemptStage};
use qiju::app::activities::first_steps::Course;
use qiju::app::activities::guess::{GuessRequest, GuessStage, Guessing};
use qiju::app::activities::laboratory::{LabGo, LabWish, Laboratory};
use qiju::app::activities::letters::LETTER;
use qiju::app::activities::library::LibraryPage;
use qiju::app::activities::mistakes::Practice;
use qiju::app::activities::puzzles::Puzzling;
use qiju::app::activities::repertoire::{CourseStage, OpenGaps, Training};
use qiju::app::activities::results::ResultsRequest;
use qiju::app::activities::study::GameReview;
use qiju::app::activities::teaching::Teacher;
use qiju::app::explore::{Analysis, BetterStage, Explorer, ProofSearch};
use qiju::app::home::Home;
use qiju::app::play::{CurrentMatch, FileDialog, GameLibrary, GameList, LetterMatch, Letters, MoveRequested, Posts, Turn};
use qiju::app::position::{PositionWish, Tool};
use qiju::app::progress::PlayerProgress;
use qiju::app::requests::{
    AnalysisRequest, AttemptRequest, BeginRequest, CountGames, CursorRequest, DialogRequest, ExportRequest, FileAim, GamesFilter,
    GamesOf, Go, LayoutRequest, LearnStep, LetterRequest, LibraryRequest, MistakeStep, PageRequest, PuzzleStep, ReadRequest,
    RefereeRequest, RepertoireDrill, RepertoireStep, ReviewRequest, RulesRequest, ShowEngineOptions, StudyPage, StudyRequest,
    TaskStep, TrainerRequest,
};
use qiju::app::settings::{LastSetup, LettersBy, Settings};
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::Menu;
use qiju::app::words::{Language, Words};
use qiju_core::library::GameId;
#[cfg(feature = "friends")]
use qiju_core::record::accord::{Asked, Told, Wish};
use qiju_core::record::journal::name_by_letter;
use qiju_core::record::letter::{Invitation, Letter};
use qiju_core::record::{Record, SeatSpec};
use qiju_core::rules::{BySide, Point, Side};
use qiju_core::table::{Origin, Piece, Setup, TimeControl, Tree};
use stage::{Size, Stage};
use std::path::Path;

fn people() -> BySide<SeatSpec> {
    BySide::new(SeatSpec::Human, SeatSpec::Human)
}

fn computer(level: u8) -> BySide<SeatSpec> {
    BySide::new(SeatSpec::Human, SeatSpec::computer(level))
}

fn of(variant: &str) -> Setup {
    Setup { variant: Some(variant.to_owned()), position: None }
}

const MIDDLE_GAME: &str = "h2e2 h9g7 h0g2 i9h9 c3c4 g6g5 b0c2 b9c7 i0h0 h7i7 b2a2 a9b9 a0b0 b7b3 e3e4 c9e7 h0h6 d9e8";
const MATE: &str = "4k4/R8/9/9/9/9/9/9/9/1R1K5 w";

/// The first puzzle of a game for a new user.
fn puzzle(stage: &mut Stage, game: &'static str) {
    let shown = |world: &mut World| {
        let current = world.get_resource::<CurrentMatch>();
        current.is_some_and(|current| {
            let session = world.resource::<Puzzling>().shown(current);
            session.is_some_and(|session| session.game == current.game().entry.key && session.is_shown(current))
        })
    };
    stage.tell(PuzzleStep::Open(game));
    stage.wait("a puzzle", shown);
    stage.tell(PuzzleStep::Erase(Some(true)));
    stage.frames(2);
    stage.world().insert_resource(Puzzling::default());
    stage.tell(PuzzleStep::Open(game));
    stage.wait("the first puzzle", shown);
}

/// A screen, and how to get to it.
type Scene = (&'static str, fn(&mut Stage));

const SCENES: &[Scene] = &[
    ("title", |stage| {
        // Without the offer of the first steps, which is there only at first.
        stage.change(|progress: &mut PlayerProgress| progress.first_steps_known = true);
        stage.tell(PageRequest::Title);
    }),
    ("title-newcomer", |stage| {
        stage.change(|progress: &mut PlayerProgress| *progress = PlayerProgress::default());
        stage.set(|settings| settings.setups.clear());
        stage.tell(PageRequest::Title);
    }),
    ("title-due", |stage| {
        stage.change(|progress: &mut PlayerProgress| progress.first_steps_known = true);
        stage.err();
        stage.tell(PageRequest::Title);
    }),
    ("first-steps", |stage| first_step(stage, 2, None)),
    ("first-steps-done", |stage| first_step(stage, 9, Some("b3e3"))),
    ("first-steps-missed", |stage| first_step(stage, 8, Some("b5b9"))),
    ("setup-xiangqi", |stage| stage.tell(PageRequest::Choose("xiangqi"))),
    ("setup-gomoku", |stage| stage.tell(PageRequest::Choose("gomoku"))),
    ("setup-two-eat-one", |stage| stage.tell(PageRequest::Choose("two-eat-one"))),
    ("rules-two-eat-one", |stage| stage.tell(RulesRequest("two-eat-one", "standard".to_owned()))),
    ("rules-xiangqi", |stage| stage.tell(RulesRequest("xiangqi", "axf".to_owned()))),
    ("trainer", |stage| stage.tell(TrainerRequest::Open("two-eat-one"))),
    ("puzzle", |stage| puzzle(stage, "xiangqi")),
    ("puzzle-solution", |stage| {
        puzzle(stage, "gomoku");
        stage.tell(PuzzleStep::Show);
    }),
    ("puzzle-themes", |stage| {
        puzzle(stage, "xiangqi");
        stage.tell(PuzzleStep::Themes);
    }),
    ("mistakes", |stage| {
        stage.err();
        stage.tell(PageRequest::Title);
        stage.frames(2);
        stage.tell(MistakeStep::Open);
    }),
    ("mistake", |stage| {
        mistake(stage);
        let wrong = stage.world().resource::<CurrentMatch>().shown().read("b1").unwrap();
        stage.tell(CursorRequest::Try(wrong));
        stage.wait("the word", |world| mistake_stage(world) == Some(BetterStage::Wrong));
    }),
    ("mistake-answer", |stage| {
        mistake(stage);
        stage.tell(MistakeStep::Show);
        stage.wait("the answer", |world| mistake_stage(world) == Some(BetterStage::Shown));
    }),
    ("repertoire", |stage| {
        let name = stage.own_moves();
        stage.tell(PageRequest::Title);
        stage.frames(2);
        stage.tell(RepertoireStep::Open);
        stage.frames(2);
        stage.tell(RepertoireStep::Gaps(name.clone()));
        stage.wait("the gaps", move |world| world.resource::<OpenGaps>().of(&name).is_some());
    }),
    ("repertoire-board", |stage| {
        stage.own_moves();
        stage.begin("tic-tac-toe", Setup::default(), people(), "b2 a1 c1 a3 a2 c2 b1 b3 c3");
        stage.tell(RepertoireStep::Open);
    }),
    ("repertoire-asked", |stage| {
        let name = stage.own_moves();
        stage.tell(RepertoireStep::Train(name, RepertoireDrill::Due));
        stage.wait("the first position", |world| course_stage(world) == Some(CourseStage::Asked));
        stage.settle();
        let wrong = stage.world().resource::<CurrentMatch>().shown().read("c3c4").unwrap();
        stage.tell(CursorRequest::Try(wrong));
        stage.wait("the word", |world| course_stage(world) == Some(CourseStage::Wrong));
    }),
    ("xiangqi", |stage| stage.begin("xiangqi", Setup::default(), computer(10), MIDDLE_GAME)),
    ("mate", |stage| {
        let setup = Setup { variant: None, position: Some(MATE.to_owned()) };
        stage.begin("xiangqi", setup, people(), "b0b9");
    }),
    ("gomoku", |stage| stage.begin("gomoku", Setup::default(), computer(7), "h8 i9 h7 h9 g8 i8 i7 g7 j6 f9 j9 g9 e9 k5")),
    ("swap2", |stage| stage.begin("gomoku", of("freestyle+swap2"), people(), "h8 i9 g7")),
    ("renju", |stage| {
        stage.begin("gomoku", of("renju"), people(), "h9 a1 h10 a15 i8 o1 j8 o15");
        stage.refuse(Point::new(7, 7));
    }),
    ("attempt", |stage| {
        stage.begin("gomoku", Setup::default(), people(), "h8 a1 i9 b1 j10 c1 k11 e1 l12");
        stage.wait("a proof", |world| world.resource::<ProofSearch>().found().is_some());
        stage.tell(AttemptRequest);
        let defends = |world: &mut World| {
            let shown = world.resource::<Attempt>().shown(world.resource::<CurrentMatch>());
            shown.is_some_and(|one| one.stage() == AttemptStage::Defend)
        };
        stage.wait("the answer", defends);
    }),
    ("five", |stage| {
        stage.begin("gomoku", Setup::default(), people(), "h8 a1 i9 b1 j10 c1 k11 e1 l12");
        stage.wait("a proof", |world| world.resource::<ProofSearch>().found().is_some());
    }),
    ("hold-out", |stage| {
        stage.tell(BeginRequest::Start(MatchSetup::hold_out("gomoku", "freestyle")));
        stage.stone_after(1, "o15");
        stage.stone_after(3, "a1");
        stage.wait_for_stones(5);
    }),
    ("two-eat-one", |stage| {
        stage.begin("two-eat-one", Setup::default(), computer(3), "0,1-1,1 4,3-3,3 1,1-2,1 4,0-3,0 0,4-1,4 3,0-2,0");
    }),
    ("tic-tac-toe", |stage| stage.begin("tic-tac-toe", Setup::default(), computer(3), "b2 a1 c1 a3")),
    ("draw", |stage| stage.begin("tic-tac-toe", Setup::default(), people(), "b2 a1 c1 a3 a2 c2 b1 b3 c3")),
    ("review", review),
    ("learn", |stage| {
        review(stage);
        stage.settle();
        stage.tell(LearnStep::Begin(Side::Second));
    }),
    ("guess", |stage| {
        guess(stage);
        let corner = stage.world().resource::<CurrentMatch>().shown().read("c3").unwrap();
        stage.tell(CursorRequest::Try(corner));
        stage.wait("the word", |world| guess_stage(world) == Some(GuessStage::Told));
    }),
    ("guess-over", |stage| {
        guess(stage);
        for text in ["c3", "c1"] {
            stage.wait("a guess", |world| guess_stage(world) == Some(GuessStage::Find));
            stage.settle();
            let guess = stage.world().resource::<CurrentMatch>().shown().read(text).unwrap();
            stage.tell(CursorRequest::Try(guess));
            stage.wait("the word", |world| guess_stage(world) == Some(GuessStage::Told));
            stage.tell(GuessRequest::Next);
        }
        stage.wait("the end", |world| guess_stage(world) == Some(GuessStage::Over));
    }),
    ("teaching", |stage| {
        stage.world().resource_mut::<Teacher>().nodes = 20_000;
        stage.begin_as(Purpose::Teaching, "xiangqi", opening(), computer(3), "e2e6");
        stage.wait("the verdict", |world| world.resource::<Teacher>().verdict().is_some());
    }),
    ("analysis", |stage| {
        stage.begin("gomoku", Setup::default(), people(), "h8 i9 h7 h9");
        // Its numbers are different each time.
        stage.tell(AnalysisRequest::Begin);
        stage.tell(AnalysisRequest::Pause(true));
        stage.tell(StudyRequest(Some(StudyPage::Analysis)));
    }),
    ("analysis-lines", |stage| {
        stage.hire_program();
        stage.tell(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
        stage.settle_shown();
        stage.tell(AnalysisRequest::Lines(5));
        stage.tell(AnalysisRequest::With(Some("Script".to_owned())));
        stage.wait("lines", |world| {
            let analysis = world.resource::<Analysis>();
            analysis.lines().count() == 5 && !analysis.is_thinking()
        });
    }),
    ("explorer", |stage| {
        stage.collect();
        stage.tell(BeginRequest::Start(MatchSetup::analysis("xiangqi", Setup::default())));
        stage.settle_shown();
        stage.tell(AnalysisRequest::Switch);
        stage.tell(StudyRequest(Some(StudyPage::Explorer)));
        stage.wait("what was played", |world| world.resource::<Explorer>().found().is_some_and(|(_, fresh)| fresh));
    }),
    ("explorer-engine", engine_games),
    ("explorer-filter", |stage| {
        engine_games(stage);
        let filter = GamesFilter { result: Some(Some(Side::First)), ..GamesFilter::default() };
        stage.tell(CountGames::Only(Some(filter)));
        stage.wait("what was played", |world| world.resource::<Explorer>().found().is_some_and(|(_, fresh)| fresh));
    }),
    ("library", |stage| {
        open_library(stage);
    }),
    ("library-chosen", |stage| {
        let games = open_library(stage);
        stage.world().resource_mut::<LibraryPage>().choose(&games[..3]);
    }),
    ("library-edit", |stage| {
        let games = open_library(stage);
        change_games(stage, &games[..1]);
    }),
    ("library-tags", |stage| {
        let games = open_library(stage);
        change_games(stage, &games[1..7]);
    }),
    ("engine-options", |stage| {
        stage.hire_program();
        over_match(stage, Menu::None);
        stage.settle_shown();
        stage.tell(ShowEngineOptions { game: "xiangqi".to_owned(), name: Some("Script".to_owned()) });
    }),
    ("positions", |stage| {
        let position = Some("3akab2/9/4b4/p1p1R1p1p/9/9/P1P5P/4C4/9/2BAKAB2 w".to_owned());
        stage.tell(PositionWish::Open { game: "xiangqi", setup: Setup { variant: None, position } });
        stage.frames(3);
        for wish in [
            PositionWish::Put(Piece { side: Side::First, role: 1 }, Point::new(0, 4)),
            PositionWish::Remove(Point::new(4, 9)),
            PositionWish::Choose(Tool::Put(Piece { side: Side::Second, role: 2 })),
        ] {
            stage.tell(wish);
        }
    }),
    ("positions-gomoku", |stage| {
        let setup = Setup { variant: Some("renju".to_owned()), position: Some("h8i9h7h9g8i8i7g7j6".to_owned()) };
        stage.tell(PositionWish::Open { game: "gomoku", setup });
    }),
    ("panel", |stage| {
        stage.begin("xiangqi", Setup::default(), computer(10), "h2e2 h9g7");
        stage.tell(LayoutRequest::Panel);
    }),
    ("pause", |stage| over_match(stage, Menu::Pause)),
    ("settings", |stage| over_match(stage, Menu::Settings)),
    ("help", |stage| over_match(stage, Menu::Help)),
    ("resign", |stage| over_match(stage, Menu::Resign)),
    ("records", |stage| {
        over_match(stage, Menu::Records);
        stage.shelve("2026-05-04 12:30", "xiangqi", "h2e2 h9g7 h0g2");
    }),
    ("games", |stage| {
        // The title page names the unfinished match.
        over_match(stage, Menu::None);
        stage.tell(PageRequest::Title);
        let game = |number: usize, moves: &str| {
            let players =
                format!("[Red \"Red {number}\"]\n[Black \"Black {number}\"]\n[Date \"2024.05.{:02}\"]", number % 28 + 1);
            format!("[Game \"Chinese Chess\"]\n[Event \"Cup\"]\n{players}\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
        };
        let text: String = (1..=40).map(|number| game(number, if number == 3 { "1. A0-I9" } else { "1. H2-E2 H9-G7" })).collect();
        stage.tell(ReadRequest::Paste(text));
        stage.wait("the list", |world| {
            let list = world.resource::<GameList>();
            list.games.len() == 40 && !list.is_at_work()
        });
    }),
    ("sheet", |stage| {
        let text = "[Game \"Chinese Chess\"]\n\n{Central cannon.} 1. H2-E2 {The usual move.} (1. C3-C4 B7-C7 (1... C6-C5)) \
                    1... H9-G7 $1 2. H0-G2 $6 *";
        stage.tell(ReadRequest::Paste(text.to_owned()));
        stage.wait("the game", |world| world.get_resource::<CurrentMatch>().is_some_and(|current| current.explores()));
    }),
    ("comment", |stage| over_match(stage, Menu::Comment)),
    ("picture", |stage| over_match(stage, Menu::Picture)),
    ("export", |stage| {
        over_match(stage, Menu::None);
        stage.tell(ExportRequest(None));
    }),
    ("files", |stage| {
        stage.world().resource_mut::<FileDialog>().begin_in("tests/data/games");
        stage.tell(DialogRequest::Choose(FileAim::Open));
    }),
    ("engines", |stage| over_match(stage, Menu::Engines)),
    ("laboratory", |stage| {
        laboratory(stage, "tic-tac-toe", "standard");
        stage.tell(LabWish::Go(LabGo::To(60)));
        stage.frames(2);
        stage.tell(LabWish::Choose(Some(3)));
    }),
    ("laboratory-end", |stage| {
        laboratory(stage, "xiangqi", "axf");
        stage.tell(LabWish::Go(LabGo::End));
    }),
    ("laboratory-experiment", |stage| {
        laboratory(stage, "tic-tac-toe", "standard");
        for wish in [LabWish::Experiment(Some(1)), LabWish::Turn(true), LabWish::Answer(2)] {
            stage.tell(wish);
            stage.frames(3);
            stage.wait("the figures", |world| {
                let laboratory = world.resource::<Laboratory>();
                !laboratory.is_searching() && laboratory.lesson().is_some_and(|(lesson, _)| lesson.figures().is_some())
            });
        }
    }),
    ("results", |stage| {
        stage.earn();
        stage.tell(PageRequest::Choose("xiangqi"));
        stage.frames(2);
        stage.tell(ResultsRequest::Show("xiangqi"));
    }),
    ("draw-question", |stage| {
        stage.begin("xiangqi", Setup::default(), people(), MIDDLE_GAME);
        stage.tell(RefereeRequest::OfferDraw);
    }),
    ("letter", |stage| {
        stage.tell(PageRequest::Title);
        stage.frames(2);
        stage.tell(LetterRequest::Read(Box::new(letter())));
        stage.frames(2);
        stage.tell(LetterRequest::Accept);
        stage.frames(3);
        stage.settle_shown();
        let table = stage.world().resource::<CurrentMatch>().table();
        let (action, ply) = (table.read("h9g7").unwrap(), table.ply());
        stage.world().write_message(MoveRequested { action, ply });
        stage.wait("the letter", |world| *world.resource::<State<Menu>>().get() == Menu::Page(LETTER));
        stage.frames(2);
        // The other scenes know of no letter.
        let journal = stage.world().resource::<Home>().blob(&name_by_letter(letter().number));
        journal.remove().unwrap();
    }),
    ("letter-read", |stage| {
        stage.tell(PageRequest::Title);
        stage.frames(2);
        let post = Some(Invitation { at: "wss://broker.example/mqtt".to_owned(), key: "A".repeat(43) });
        stage.tell(LetterRequest::Read(Box::new(Letter { post, ..letter() })));
    }),
    ("letters", |stage| {
        stage.tell(PageRequest::Title);
        stage.frames(2);
        stage.tell(LetterRequest::List);
        stage.frames(2);
        // Whoever is nearby is nobody's business.
        stage.world().resource_mut::<Posts>().network.look_away();
        let one = |number: u64, game, friend: Option<&str>, plies, turn| {
            // Noon in the middle of a month, so that the day is the same everywhere.
            let at = Some(1_778_846_400 - 86_400 * number as i64);
            let (seat, post, letter, shown) = (Some(Side::Second), None, None, None);
            LetterMatch { number, game, friend: friend.map(str::to_owned), plies, turn, at, seat, post, letter, shown }
        };
        stage.world().insert_resource(Letters(vec![
            one(1, "xiangqi", Some("Wang Wei"), 23, Turn::Mine),
            one(2, "gomoku", None, 8, Turn::Theirs),
            one(4, "xiangqi", Some("Wang Wei – Li Na"), 30, Turn::Watched),
            one(3, "two-eat-one", Some("Li Na"), 41, Turn::Last),
        ]));
    }),
    #[cfg(feature = "friends")]
    ("friend-away", |stage| {
        friend::sit_down(stage, friend::invitation(letter()));
        let table = stage.world().resource::<CurrentMatch>().table();
        let (action, ply) = (table.read("h9g7").unwrap(), table.ply());
        stage.world().write_message(MoveRequested { action, ply });
        stage.wait("the move", move |world| world.resource::<CurrentMatch>().table().ply() == ply + 1);
        stage.settle_shown();
        friend::forget(stage);
    }),
    #[cfg(feature = "friends")]
    ("friend-asks", |stage| {
        let asks = Some(Asked { at: 1, wish: Wish::Back(0) });
        friend::sit_down(stage, friend::invitation(Letter { told: Told { asks, ..Told::default() }, ..letter() }));
        assert!(friend::asks(stage));
    }),
    #[cfg(feature = "friends")]
    ("friend-pause", |stage| {
        let told = Told { pauses: 1, ..Told::default() };
        let (control, times) = (BySide::equal(TimeControl::Sudden { main: 600 }), vec![3000]);
        friend::sit_down(stage, friend::invitation(Letter { told, control, times, ..letter() }));
    }),
    #[cfg(feature = "friends")]
    ("friend-over", |stage| {
        friend::sit_down(stage, friend::invitation(letter()));
        stage.tell(RefereeRequest::Resign(Side::Second));
        stage.wait("the end", |world| world.resource::<CurrentMatch>().outcome().is_some());
        stage.frames(2);
        friend::forget(stage);
    }),
    #[cfg(feature = "friends")]
    ("watched", |stage| friend::watch(stage)),
    #[cfg(feature = "friends")]
    ("watch-link", |stage| {
        friend::sit_down(stage, friend::invitation(letter()));
        friend::show_link(stage);
    }),
    ("back-question", |stage| {
        stage.begin("gomoku", Setup::default(), people(), "h8 i9 h7");
        stage.tell(CursorRequest::Undo);
        stage.tell(LayoutRequest::Panel);
    }),
    ("lessons", |stage| {
        stage.teach();
        over_match(stage, Menu::Lessons);
    }),
    ("setup-friend", |stage| {
        stage.tell(PageRequest::Title);
        stage.frames(2);
        stage.set(|settings| {
            (settings.letters, settings.broker) = (LettersBy::Broker, "ws://a.example".to_owned());
            let seats = BySide::new(SeatSpec::Human, SeatSpec::Friend);
            settings.setups.insert("gomoku".to_owned(), LastSetup { seats, ..LastSetup::default() });
        });
        stage.tell(PageRequest::Choose("gomoku"));
    }),
    ("setup-manner", |stage| {
        stage.tell(PageRequest::Title);
        stage.frames(2);
        stage.set(|settings| {
            let seats = ["fours", "blocks"].map(|manner| SeatSpec::Computer { level: 6, manner: Some(manner.to_owned()) });
            let seats = BySide::from_fn(|side| seats[side.index()].clone());
            settings.setups.insert("gomoku".to_owned(), LastSetup { seats, ..LastSetup::default() });
        });
        stage.tell(PageRequest::Choose("gomoku"));
    }),
    ("setup-clocks", |stage| {
        stage.tell(PageRequest::Title);
        stage.frames(2);
        stage.set(|settings| {
            let control = BySide::new(TimeControl::Sudden { main: 300 }, TimeControl::Increment { main: 900, add: 5 });
            settings.setups.insert("gomoku".to_owned(), LastSetup { control, ..LastSetup::default() });
        });
        stage.tell(PageRequest::Choose("gomoku"));
    }),
    ("first-steps-opening", |stage| first_step(stage, 11, Some("b2e2"))),
];

/// A letter that invites to a match.
fn letter() -> Letter {
    let mut record = Record::new("xiangqi", Setup::default());
    record.seats.first = SeatSpec::External { name: "Wang Wei".to_owned() };
    let first = record.table().unwrap().read("h2e2").unwrap();
    record.tree = Tree::of_line([first], Origin::Main);
    Letter {
        number: 61,
        reader: Side::Second,
        draw: false,
        over: false,
        post: None,
        watch: None,
        says: None,
        watchers: 0,
        told: Default::default(),
        control: BySide::default(),
        times: Vec::new(),
        record,
    }
}

/// Matches of two friends whose letters go by themselves.
#[cfg(feature = "friends")]
mod friend {
    use super::*;
    use qiju::app::play::{Connection, Offers, Spoken};
    use qiju::friends::{Beats, Broker, Carrier, Key, PublicKey, ShowKey, beats_topic, shown_topic};
    use qiju_core::record::journal::Post;
    use std::net::Ipv4Addr;
    use std::time::Instant;

    /// Noon in the middle of a month, so that the day is the same everywhere.
    const THEN: i64 = 1_778_846_400;

    /// What the friend has: a broker and a key.
    pub struct Friend {
        letter: Letter,
        at: String,
        key: Key,
    }

    fn friend(change: impl FnOnce(Invitation) -> Letter) -> Friend {
        // It lasts as long as the test.
        let broker = Box::leak(Box::new(Broker::new((Ipv4Addr::LOCALHOST, 0).into()).unwrap()));
        let (at, key) = (format!("ws://{}/", broker.address()), Key::fresh());
        let letter = change(Invitation { at: at.clone(), key: key.public().text() });
        Friend { letter, at, key }
    }

    pub fn invitation(letter: Letter) -> Friend {
        friend(|post| Letter { post: Some(post), ..letter })
    }

    /// Opens the link with which others watch; two do so.
    pub fn watch(stage: &mut Stage) {
        let (mut shown, key) = (letter(), ShowKey::fresh());
        shown.record.seats.second = SeatSpec::External { name: "Li Na".to_owned() };
        let friend = friend(|post| Letter { watch: Some(Invitation { key: key.watch().text(), ..post }), ..shown });
        let (at, shown) = (friend.at.clone(), Letter { watchers: 2, ..friend.letter.clone() });
        sit_down(stage, friend);
        let carrier = Box::leak(Box::new(Carrier::new(&at, || ()).unwrap()));
        carrier.put(shown_topic(shown.number, &key.watch().signer()), key.seal(&shown.link().unwrap()));
        stage.wait("the number is announced", |world| {
            let said = world.resource::<Words>().with("letters.watched-by", 2);
            world.resource::<Posts>().watchers() == 2 && world.resource::<Spoken>().text.contains(&said)
        });
    }

    /// Opens the letter, and waits for the broker. The friend was there before, and is not there now.
    pub fn sit_down(stage: &mut Stage, friend: Friend) {
        stage.tell(PageRequest::Title);
        stage.frames(2);
        let number = friend.letter.number;
        let plays = friend.letter.post.is_some();
        stage.tell(LetterRequest::Read(Box::new(friend.letter)));
        stage.frames(2);
        stage.tell(LetterRequest::Accept);
        stage.frames(3);
        stage.settle_shown();
        let current = stage.world().resource::<CurrentMatch>();
        assert!(current.looks_on() != plays && current.outcome().is_none(), "the journal of another scene is there");
        let post = current.post().unwrap().clone();
        stage.wait("the broker", move |world| world.resource::<Posts>().connection(&post) == Connection::Connected);
        if plays {
            let own = PublicKey::of_text(&stage.world().resource::<CurrentMatch>().post().unwrap().public).unwrap();
            let carrier = Box::leak(Box::new(Carrier::new(&friend.at, || ()).unwrap()));
            let last = Beats::new(friend.key, own, Instant::now()).last(Instant::now(), THEN);
            carrier.put(beats_topic(number, Side::First), last);
            stage.wait("the friend", |world| world.resource::<Posts>().presence().last == Some(THEN));
        }
        forget(stage);
        stage.frames(2);
    }

    /// The friend asks for something.
    pub fn asks(stage: &mut Stage) -> bool {
        let world: &World = stage.world();
        world.resource::<Offers>().question(world.resource::<CurrentMatch>()).is_some()
    }

    /// The other scenes know of no letter. What is written after this is in the journal again.
    pub fn forget(stage: &mut Stage) {
        stage.world().resource::<Home>().blob(&name_by_letter(letter().number)).remove().unwrap();
    }

    /// Shows the link with which others watch, always the same one.
    pub fn show_link(stage: &mut Stage) {
        let post = stage.world().resource::<CurrentMatch>().post().unwrap().clone();
        let post = Post { at: "ws://127.0.0.1:9/".to_owned(), watch: Some("Q".repeat(86)), ..post };
        stage.tell(RefereeRequest::Post(Box::new(post.clone())));
        stage.wait("no broker", move |world| matches!(world.resource::<Posts>().connection(&post), Connection::Lost(_)));
        stage.tell(LetterRequest::ShowLink);
        stage.frames(3);
        forget(stage);
    }
}

/// A game with a blunder, reviewed, and the blunder shown.
fn review(stage: &mut Stage) {
    stage.begin("tic-tac-toe", Setup::default(), people(), "b2 b1 a1 c1 c3");
    stage.tell(ReviewRequest::Show);
    stage.wait("a review", |world| {
        let running = world.resource::<GameReview>().progress().is_some();
        !running && GameReview::summary(world.resource::<CurrentMatch>()).is_some()
    });
    stage.tell(CursorRequest::Go(Go::Start));
    stage.settle();
    stage.tell(ReviewRequest::NextError(true));
}

fn mistake_stage(world: &World) -> Option<BetterStage> {
    let current = world.get_resource::<CurrentMatch>()?;
    world.resource::<Practice>().shown(current).filter(|exercise| exercise.is_shown(current))?.stage()
}

fn course_stage(world: &World) -> Option<CourseStage> {
    let current = world.get_resource::<CurrentMatch>()?;
    Some(world.resource::<Training>().shown(current).filter(|course| course.is_shown(current))?.stage())
}

fn guess_stage(world: &World) -> Option<GuessStage> {
    world.resource::<Guessing>().stage(world.get_resource::<CurrentMatch>()?)
}

/// The first move to be guessed in a game with a blunder.
fn guess(stage: &mut Stage) {
    stage.begin("tic-tac-toe", Setup::default(), people(), "b2 b1 a1 c1 c3");
    stage.tell(GuessRequest::Open);
    stage.frames(2);
    stage.tell(GuessRequest::Begin(Side::Second));
    stage.wait("a guess", |world| guess_stage(world) == Some(GuessStage::Find));
    stage.settle();
}

/// The position before a mistake.
fn mistake(stage: &mut Stage) {
    stage.err();
    stage.tell(MistakeStep::Begin(Some("tic-tac-toe")));
    stage.wait("an exercise", |world| mistake_stage(world) == Some(BetterStage::Find));
    stage.settle();
}

/// The search laboratory with a game, when all trees are counted.
fn laboratory(stage: &mut Stage, game: &'static str, variant: &str) {
    stage.tell(PageRequest::Title);
    stage.frames(2);
    stage.tell(LabWish::Game(game, variant.to_owned()));
    stage.frames(3);
    stage.wait("the trees", |world| !world.resource::<Laboratory>().is_searching());
}

/// A task of xiangqi after a move, where the first two are done.
fn first_step(stage: &mut Stage, number: usize, played: Option<&str>) {
    stage.change(|progress: &mut PlayerProgress| {
        progress.first_steps = ["xiangqi/chariot", "xiangqi/cannon"].map(|key| (key.to_owned(), 1)).into();
    });
    stage.tell(TaskStep::Open("xiangqi"));
    stage.frames(2);
    stage.tell(TaskStep::To(number));
    stage.wait("the task", |world| world.resource::<Course>().standing().is_some());
    stage.settle();
    let Some(text) = played else { return };
    let table = stage.world().resource::<CurrentMatch>().table();
    let (action, ply) = (table.read(text).unwrap(), table.ply());
    stage.world().write_message(MoveRequested { action, ply });
    stage.wait("the end", |world| world.resource::<Course>().standing().is_some_and(|standing| standing.result.is_some()));
}

/// Shows the library, and returns its games, those added last first.
fn open_library(stage: &mut Stage) -> Vec<GameId> {
    stage.collect();
    stage.tell(PageRequest::Title);
    stage.frames(2);
    stage.tell(LibraryRequest::Show);
    stage.wait("the games", |world| world.resource::<LibraryPage>().count() == Some(29));
    let mut games: Vec<GameId> = stage.world().resource::<GameLibrary>().held().unwrap().ids().collect();
    games.reverse();
    games
}

/// Opens the form that changes these games.
fn change_games(stage: &mut Stage, ids: &[GameId]) {
    stage.world().resource_scope(|world, mut page: Mut<LibraryPage>| {
        let games = world.resource::<GameLibrary>().held().unwrap();
        page.change(games, ids, world.resource::<Words>());
    });
}

fn over_match(stage: &mut Stage, menu: Menu) {
    if !stage.is_on("xiangqi") {
        stage.begin("xiangqi", Setup::default(), computer(10), "h2e2 h9g7");
    }
    stage.tell(PageRequest::Menu(menu));
}

/// Windows of telephones and tablets: texts and what can be pressed are checked; in those of a tablet fingers are used.
const FINGERS: [Pass; 8] = [
    (Size::new(390, 844, 1.0), &LANGUAGES),
    (Size::new(390, 844, 1.0), &[Language::ZhHant, Language::Vi, Language::Ru]),
    (Size::new(844, 390, 1.0), &LANGUAGES),
    (Size::new(1024, 1366, 1.0), &[Language::En]),
    (Size::new(360, 640, 1.0), &[Language::En]),
    (Size::new(640, 360, 1.0), &[Language::Zh]),
    (Size::new(820, 1180, 1.0), &[Language::Zh]),
    (Size::new(360, 360, 1.0), &[Language::En]),
];
/// Scenes that are the same page with other contents: in the windows of [`FINGERS`] others stand for them.
const ALIKE: [&str; 12] = [
    "title",
    "first-steps-missed",
    "setup-two-eat-one",
    "rules-xiangqi",
    "mate",
    "attempt",
    "two-eat-one",
    "laboratory-end",
    "positions-gomoku",
    "resign",
    "comment",
    "lessons",
];

/// The third move of a game of xiangqi, at which Red can lose a cannon for a soldier.
fn opening() -> Setup {
    Setup { variant: None, position: Some("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w".to_owned()) }
}

/// The explorer with the games of our engine, on an analysis board, which leaves no unfinished match to the scenes after it.
fn engine_games(stage: &mut Stage) {
    stage.tell(BeginRequest::Start(MatchSetup::analysis("xiangqi", opening())));
    stage.settle_shown();
    stage.tell(AnalysisRequest::Switch);
    stage.tell(CountGames::Of(GamesOf::Engine));
    stage.tell(StudyRequest(Some(StudyPage::Explorer)));
    stage.wait("what was played", |world| world.resource::<Explorer>().found().is_some_and(|(_, fresh)| fresh));
}

/// A window's size, and its languages.
type Pass = (Size, &'static [Language]);

/// Passes with pictures. Where there is room enough, and at higher pixel ratios, one language is enough.
const PICTURED: [Pass; 5] = [
    (Size::new(900, 700, 1.0), &LANGUAGES),
    (Size::new(1280, 800, 1.0), &LANGUAGES),
    (Size::new(1920, 1080, 1.0), &[Language::En]),
    (Size::new(900, 700, 1.5), &[Language::Zh]),
    (Size::new(900, 700, 2.0), &[Language::En]),
];
/// Passes without pictures: only the texts are checked.
const TEXTS_ONLY: [Pass; 3] = [
    (Size::new(640, 480, 1.0), &LANGUAGES),
    (Size::new(960, 600, 1.0), &LANGUAGES),
    (Size::new(900, 700, 1.0), &[Language::Ja, Language::Ko, Language::Vi, Language::Ru]),
];

const LANGUAGES: [Language; 2] = [Language::Zh, Language::En];

fn still() -> Settings {
    Settings { speed: 0.0, ..Settings::default() }
}

fn skipped() -> bool {
    std::env::var_os("QIJU_SKIP_WINDOW").is_some()
}

#[test]
fn no_text_leaves_its_box_and_every_screen_looks_as_it_should() {
    if skipped() {
        return;
    }
    let keep = std::env::var_os("QIJU_KEEP_SCREENS").is_some();
    let only = std::env::var("QIJU_SCENES").ok();
    let taken = |scene: &str| only.as_ref().is_none_or(|only| only.split(',').any(|one| one == scene));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens");
    let mut faults = Vec::new();
    let mut names = Vec::new();
    let mut stage = Stage::new(&still());
    let passes = PICTURED.map(|pass| (true, false, pass)).into_iter().chain(TEXTS_ONLY.map(|pass| (false, false, pass)));
    for (pictured, fingers, (size, languages)) in passes.chain(FINGERS.map(|pass| (false, true, pass))) {
        stage.resize(size);
        stage.touch(fingers);
        for language in languages {
            let code = language.code();
            stage.speak(*language);
            for (scene, come) in SCENES.iter().filter(|(scene, _)| taken(scene) && !(fingers && ALIKE.contains(scene))) {
                let name = format!("{scene}-{code}-{size}");
                stage.leave_menus();
                stage.set_out(*come, pictured);
                faults.extend(texts::faults(stage.drawn(), stage.points()).into_iter().map(|fault| format!("{name}: {fault}")));
                faults.extend(stage.small_targets().iter().chain(stage.nameless()).map(|fault| format!("{name}: {fault}")));
                if !pictured {
                    continue;
                }
                let picture = stage.picture();
                let seen = thumbnail::of(&picture, size);
                let path = thumbnail::path(&name);
                names.push(name.clone());
                if keep {
                    thumbnail::save(&seen, &path);
                    continue;
                }
                let differences = match thumbnail::load(&path) {
                    Ok(kept) => thumbnail::differences(&seen, &kept),
                    Err(error) => vec![error],
                };
                if let Some(worst) = differences.first() {
                    let shot = out.join(format!("{name}.png"));
                    thumbnail::save(&picture, &shot);
                    faults.push(format!("{name}: {} regions differ, {worst}; see {}", differences.len(), shot.display()));
                }
            }
        }
    }
    for entry in std::fs::read_dir(thumbnail::path("x").parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if only.is_none() && !names.contains(&name) {
            faults.push(format!("{}: there is no such screen", path.display()));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
