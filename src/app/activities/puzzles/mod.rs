//! Puzzles: chosen by kind and difficulty or by the user's rating, solved on the board, with hints step by step.

mod miss;
mod panel;
mod run;
mod session;
mod themes;

pub use miss::{Miss, MissReason};
pub use run::Run;
pub use session::{PuzzleStage, Session};

use crate::app::explore::Hint;
use crate::app::ground::activity::PUZZLES;
use crate::app::ground::commands::Command;
use crate::app::ground::keys::KeyFocus;
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::{Hurry, InMotion};
use crate::app::ground::platform;
use crate::app::ground::progress::PlayerProgress;
use crate::app::ground::requests::{BeginRequest, Go, PageRequest, PuzzleStep, PuzzleWish, Requests};
use crate::app::ground::settings::Settings;
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, Judging, fresh_seed, in_match, is_on};
use crate::app::view::FrameRequests;
use crate::ui::activity::register;
use crate::ui::panel::Place;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, PlayError};
use qiju_core::study::puzzles::{Puzzle, PuzzleFile};
use qiju_core::table::{Action, Setup};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

/// Hints for a move before the whole solution: the piece or the file, then the move.
pub const HINTS: u8 = 2;

/// How long the reply to a wrong move stays on the board, at normal speed.
const REFUTED: Duration = Duration::from_millis(1400);

/// The puzzles, the one on the board, and the user's results.
#[derive(Resource, Default)]
pub struct Puzzling {
    /// The puzzles of the games that were asked for; or why there are none.
    shelves: BTreeMap<&'static str, Result<Shelf, Message>>,
    wishes: BTreeMap<&'static str, PuzzleWish>,
    session: Option<Session>,
    run: Option<Run>,
    /// The last result, for which the streak and the rating are still to be written.
    result: Option<bool>,
    /// The match of the puzzle that is to begin.
    begun: Option<MatchSetup>,
    /// Its start was requested, and it has not begun.
    awaited: bool,
    /// When a wrong move is taken back, on the program's clock.
    next_step: Option<Duration>,
    /// The user is asked whether the results are to be erased.
    pub asks_erase: bool,
}

impl Puzzling {
    /// The puzzle on the board.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// The same, if its match is the current one.
    pub fn shown(&self, current: &CurrentMatch) -> Option<&Session> {
        self.session.as_ref().filter(|_| current.purpose() == Purpose::Puzzle)
    }

    /// What the user wants in a game.
    pub fn wish(&self, game: &str) -> PuzzleWish {
        self.wishes.get(game).copied().unwrap_or_default()
    }

    /// The timed run, also when its time is over.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// True while a timed run goes on.
    fn runs(&self) -> bool {
        self.run.as_ref().is_some_and(|run| !run.over)
    }

    fn shelf(&self, game: &str) -> Option<&Shelf> {
        self.shelves.get(game)?.as_ref().ok()
    }

    /// The number of puzzles of a game.
    pub fn count(&self, game: &str) -> usize {
        self.shelf(game).map_or(0, |shelf| shelf.puzzles.len())
    }

    /// The number of puzzles of a game with a theme.
    pub fn of_theme(&self, game: &LibraryGame, theme: &str) -> usize {
        let shelf = self.shelf(game.entry.key);
        shelf.map_or(0, |shelf| shelf.themes(game).iter().filter(|themes| themes.contains(&theme)).count())
    }

    /// The user's move in the puzzle that is shown.
    fn answer(&mut self, current: &mut CurrentMatch, action: Action) -> Result<Option<BoardChanged>, PlayError> {
        let runs = self.runs();
        let Some(session) = self.session.as_mut().filter(|session| session.is_shown(current)) else { return Ok(None) };
        let Some((step, right)) = session.answer(current, action)? else { return Ok(None) };
        let over = session.is_over();
        if session.counted.is_none() && (over || !right) {
            session.counted = Some(right);
            self.result = (!runs).then_some(right);
        }
        Ok(Some(step))
    }

    /// A help was given, so the puzzle counts as missed.
    fn help(&mut self) {
        if let Some(session) = self.session.as_mut().filter(|session| session.counted.is_none()) {
            session.counted = Some(false);
            self.result = Some(false);
        }
    }

    /// Begins the next puzzle of a game; the message says why there is none.
    fn next(&mut self, game: &LibraryGame, progress: &PlayerProgress) -> Result<MatchSetup, Message> {
        let key = game.entry.key;
        let shown = self.session.as_ref().filter(|session| session.game == key).map(|session| session.index);
        let wish = self.wish(key);
        let shelf = self.read(game)?;
        let has_theme = |index: usize| wish.theme.is_none_or(|theme| shelf.themes(game)[index].contains(&theme));
        let index = progress
            .of_puzzles(key)
            .choose(&shelf.puzzles, (wish, &has_theme), shown, platform::today())
            .ok_or_else(|| message!("there is no such puzzle; choose another kind"))?;
        self.start(game, index)
    }

    /// The puzzles of a game, which are read once.
    fn read(&mut self, game: &LibraryGame) -> Result<&Shelf, Message> {
        let shelf = self.shelves.entry(game.entry.key).or_insert_with(|| shelf(game));
        shelf.as_ref().map_err(|why| why.clone())
    }

    /// Counts the puzzle on the board in the run, and begins the next one if there is one.
    ///
    /// # Errors
    /// The next puzzle cannot be used.
    fn run_on(&mut self, game: &LibraryGame, now: Duration, solved: Option<bool>) -> Result<(), Message> {
        let Some(run) = &mut self.run else { return Ok(()) };
        solved.into_iter().for_each(|solved| run.count(solved));
        if let Some(index) = run.next(now) {
            self.begun = Some(self.start(game, index)?);
        }
        Ok(())
    }

    /// Begins the puzzle with this number.
    fn start(&mut self, game: &LibraryGame, index: usize) -> Result<MatchSetup, Message> {
        let key = game.entry.key;
        let puzzle = self.read(game)?.puzzles[index].clone();
        let setup = puzzle.setup();
        let table = game.entry.table(&setup).map_err(|error| message!("puzzle {} cannot be used: {}", index + 1, error))?;
        let themes = themes::of(game, &puzzle);
        let session =
            Session::new(key, index, (puzzle, themes), &*table).ok_or_else(|| message!("puzzle {} cannot be used", index + 1))?;
        // Nothing is played in the match itself, so the computer never moves; it only tells from whose side the board is seen.
        let other = SeatSpec::computer(10);
        let seats = BySide::from_fn(|side| if side == session.solver { SeatSpec::Human } else { other.clone() });
        self.session = Some(session);
        Ok(MatchSetup::untimed(key, setup, seats, Purpose::Puzzle))
    }
}

/// The puzzles of a game.
struct Shelf {
    puzzles: Vec<Puzzle>,
    /// The themes of each, found when they are asked for.
    themes: OnceLock<Vec<Vec<&'static str>>>,
}

impl Shelf {
    fn themes(&self, game: &LibraryGame) -> &[Vec<&'static str>] {
        self.themes.get_or_init(|| self.puzzles.iter().map(|puzzle| themes::of(game, puzzle)).collect())
    }
}

/// The puzzles of a game: those in the assets folder if it has some, else those in the program.
fn shelf(game: &LibraryGame) -> Result<Shelf, Message> {
    let key = game.entry.key;
    let shipped = (game.entry.capabilities)((game.entry.variants)()[0]).puzzles.map(|puzzles| puzzles.shipped());
    let own = qiju_core::games::assets_folder().map(|folder| folder.join("puzzles").join(key).with_extension("puzzles"));
    let own = own.filter(|path| path.exists());
    let read = match &own {
        Some(path) => qiju_core::storage::read_file(path).map_err(Message::from),
        None => Ok(shipped.unwrap_or_default().to_vec()),
    };
    let name = own.as_ref().map_or_else(|| key.to_owned(), |path| path.display().to_string());
    let file = read.and_then(|bytes| PuzzleFile::unpack(&bytes).map_err(Message::from));
    match file {
        Ok(file) if file.game == key => Ok(Shelf { puzzles: file.puzzles, themes: OnceLock::new() }),
        Ok(file) => Err(message!("{}: these are puzzles of {}", name, file.game)),
        Err(why) => Err(message!("{}: {}", name, why)),
    }
}

fn choose(
    mut steps: MessageReader<PuzzleStep>,
    mut puzzling: ResMut<Puzzling>,
    (library, progress, time): (Res<Library>, Res<PlayerProgress>, Res<Time<Real>>),
    (mut notices, mut requests): (ResMut<Notices>, Requests),
) {
    for &step in steps.read() {
        let game = match step {
            PuzzleStep::Open(game) | PuzzleStep::Due(game) => Some(game),
            _ => puzzling.session.as_ref().map(|session| session.game),
        };
        let Some(game) = game.and_then(|game| library.game(game)) else { continue };
        let key = game.entry.key;
        match step {
            PuzzleStep::Next if puzzling.runs() => {
                if let Err(why) = puzzling.run_on(game, time.elapsed(), Some(false)) {
                    notices.fail(why);
                }
                continue;
            }
            PuzzleStep::Open(_) | PuzzleStep::Next => puzzling.run = None,
            PuzzleStep::Run(false) => {
                puzzling.run.as_mut().into_iter().for_each(|run| run.over = true);
                continue;
            }
            PuzzleStep::Run(true) => {
                let (best, now) = (progress.of_puzzles(key).best_run, time.elapsed());
                let run = puzzling.read(game).map(|shelf| Run::new(&shelf.puzzles, now, fresh_seed(), best));
                let begun = run.and_then(|run| {
                    puzzling.run = Some(run);
                    puzzling.run_on(game, now, None)
                });
                if let Err(why) = begun {
                    notices.fail(why);
                }
                continue;
            }
            PuzzleStep::Due(_) => drop(puzzling.wishes.remove(key)),
            PuzzleStep::Wish(wish) => drop(puzzling.wishes.insert(key, wish)),
            PuzzleStep::Erase(None) => {
                puzzling.asks_erase = true;
                continue;
            }
            PuzzleStep::Erase(Some(yes)) => {
                puzzling.asks_erase = false;
                if yes {
                    requests.change(move |progress: &mut PlayerProgress| drop(progress.puzzles.remove(key)));
                }
                continue;
            }
            PuzzleStep::Hint | PuzzleStep::Show | PuzzleStep::Themes => continue,
        }
        puzzling.asks_erase = false;
        match puzzling.next(game, &progress) {
            Ok(setup) => puzzling.begun = Some(setup),
            Err(why) => notices.fail(why),
        }
    }
}

static COMMANDS: &[Command] = &[
    Command::new(
        "keys.space",
        "puzzles.hint",
        |world| is_on(world, PUZZLES) && KeyFocus::is_board(world),
        || PuzzleStep::Hint.into(),
    ),
    Command::new("N", "puzzles.next", is_over, || PuzzleStep::Next.into()),
];

fn is_over(world: &World) -> bool {
    is_on(world, PUZZLES) && world.resource::<Puzzling>().session().is_some_and(Session::is_over)
}

/// Starts the match of the puzzle.
fn begin(mut puzzling: ResMut<Puzzling>, mut requests: Requests) {
    if puzzling.begun.is_some() {
        puzzling.awaited = true;
        puzzling.begun.take().into_iter().for_each(|setup| requests.write(BeginRequest::Start(setup)));
    }
}

/// Sets the puzzle up on its board, gives hints, judges, answers.
fn lead(
    mut requests: MessageReader<PuzzleStep>,
    mut puzzling: ResMut<Puzzling>,
    mut current: ResMut<CurrentMatch>,
    mut hint: ResMut<Hint>,
    mut changed: MessageWriter<BoardChanged>,
    moving: Query<(), With<InMotion>>,
    (hurry, time, settings): (Res<Hurry>, Res<Time<Real>>, Res<Settings>),
) {
    // The match of the next puzzle may be about to begin.
    if current.purpose() != Purpose::Puzzle || puzzling.awaited {
        return;
    }
    for &help in requests.read() {
        if !matches!(help, PuzzleStep::Hint | PuzzleStep::Show) || puzzling.runs() {
            continue;
        }
        let Some(session) = &mut puzzling.session else { continue };
        if session.is_over() || !moving.is_empty() || session.wanted().is_none() {
            continue;
        }
        if help == PuzzleStep::Hint && session.hints < HINTS {
            session.hints += 1;
            hint.shown = session.wanted().filter(|_| session.hints == HINTS);
            hint.at = session.wanted().and_then(Action::origin);
        } else {
            changed.write_batch(session.show(&mut current));
        }
        puzzling.help();
    }
    let quiet = puzzling.bypass_change_detection();
    let Some(session) = &mut quiet.session else { return };
    if !session.is_shown(&current) {
        changed.write_batch(session.set_up(&mut current));
        puzzling.next_step = None;
        return;
    }
    // The user sees each move before the next one is made.
    if !moving.is_empty() {
        return;
    }
    let steps = match session.stage {
        PuzzleStage::Answer => Some(session.go_on(&mut current)),
        PuzzleStage::Check => session.refute(current.bypass_change_detection()),
        PuzzleStage::Refuted => {
            let due = *quiet.next_step.get_or_insert_with(|| time.elapsed() + settings.timed(REFUTED));
            (hurry.0 || time.elapsed() >= due).then(|| session.take_back(&mut current))
        }
        _ => None,
    };
    if let Some(steps) = steps {
        puzzling.next_step = None;
        current.set_changed();
        changed.write_batch(steps);
    }
}

/// Goes on with a timed run when the puzzle on the board is solved or missed, and ends it when its time is over.
fn race(
    mut puzzling: ResMut<Puzzling>,
    (library, progress, current): (Res<Library>, Res<PlayerProgress>, Res<CurrentMatch>),
    moving: Query<(), With<InMotion>>,
    time: Res<Time<Real>>,
    (mut notices, mut requests): (ResMut<Notices>, Requests),
) {
    let Puzzling { run: Some(run), session: Some(session), awaited: false, .. } = &*puzzling else { return };
    let (game, solved) = (session.game, run.solved);
    if solved > progress.of_puzzles(game).best_run {
        requests.change(move |progress: &mut PlayerProgress| {
            let progress = progress.puzzles.entry(game.to_owned()).or_default();
            progress.best_run = progress.best_run.max(solved);
        });
    }
    let now = time.elapsed();
    if run.over || !moving.is_empty() || !session.is_shown(&current) {
        return;
    }
    let result = match session.stage {
        PuzzleStage::Solved => Some(true),
        PuzzleStage::Check => Some(false),
        _ => None,
    };
    if run.left(now).is_zero() {
        puzzling.run.as_mut().into_iter().for_each(|run| run.over = true);
    } else if let (Some(_), Some(game)) = (result, library.game(game))
        && let Err(why) = puzzling.run_on(game, now, result)
    {
        notices.fail(why);
    }
}

/// Writes the result as soon as it is known.
fn count(mut puzzling: ResMut<Puzzling>, progress: Res<PlayerProgress>, mut requests: Requests) {
    if puzzling.result.is_none() {
        return;
    }
    let Puzzling { session: Some(session), result, .. } = &mut *puzzling else { return };
    let Some(solved) = result.take() else { return };
    let (before, mut after) = (progress.of_puzzles(session.game), progress.of_puzzles(session.game).clone());
    let today = platform::today();
    after.count(&session.puzzle, solved, today);
    session.ratings = (before.seen() < after.seen()).then_some((before.rating.value, after.rating.value));
    let (game, puzzle) = (session.game, session.puzzle.clone());
    requests.change(move |progress: &mut PlayerProgress| {
        progress.puzzles.entry(game.to_owned()).or_default().count(&puzzle, solved, today);
    });
}

/// The window wakes for the reply that is looked for, and for the next step.
fn stay_awake(puzzling: Res<Puzzling>, time: Res<Time<Real>>, mut frames: ResMut<FrameRequests>) {
    if puzzling.session.as_ref().is_some_and(|session| session.stage == PuzzleStage::Check) {
        frames.look();
    }
    if puzzling.runs() {
        // The seconds that are left are shown.
        frames.wake_in(0.25);
    }
    if let Some(next) = puzzling.next_step {
        frames.wake_in(next.saturating_sub(time.elapsed()).as_secs_f32());
    }
}

/// A match has begun. If it is not that of a puzzle, the puzzle is over.
fn leave(mut puzzling: ResMut<Puzzling>, current: Option<Res<CurrentMatch>>) {
    puzzling.awaited = false;
    if puzzling.session.is_some() && current.is_none_or(|current| current.purpose() != Purpose::Puzzle) {
        puzzling.session = None;
        puzzling.run = None;
        puzzling.next_step = None;
    }
}

/// A step through the solution.
fn walk(In(go): In<Go>, puzzling: Res<Puzzling>, mut current: ResMut<CurrentMatch>) -> Option<Vec<BoardChanged>> {
    Some(puzzling.shown(&current)?.go(&mut current, go))
}

fn play(
    In(action): In<Action>,
    mut puzzling: ResMut<Puzzling>,
    mut current: ResMut<CurrentMatch>,
) -> Result<Option<BoardChanged>, PlayError> {
    puzzling.answer(&mut current, action)
}

pub(super) fn plugin(app: &mut App) {
    let entry = |game: &LibraryGame, variant: &str, _: &Setup| {
        (game.entry.capabilities)(variant).puzzles.map(|_| PuzzleStep::Open(game.entry.key).into())
    };
    register(app, PUZZLES)
        .section(Place::Page, panel::page)
        .entry(2, Icon::Puzzle, "puzzles.title", entry)
        .go(walk)
        .play(play)
        .commands("puzzles.title", COMMANDS)
        .leave(|current| PageRequest::Choose(current.game().entry.key).into());
    app.add_plugins(themes::plugin)
        .init_resource::<Puzzling>()
        .add_systems(Update, (choose, begin).chain().in_set(Step::Input))
        .add_systems(Update, (race, lead).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, count.in_set(Step::Settle).run_if(in_match))
        .add_systems(Update, stay_awake.after(Step::Ui))
        .add_systems(OnEnter(Screen::Match), leave);
}
