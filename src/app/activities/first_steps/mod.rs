//! The first steps in a game: small tasks on the board for those who have never played it. Each task is a match of its own, on a table where the other side
//! does what the task says; the goal is judged by the rules.

mod panel;

use crate::app::ground::activity::FIRST_STEPS;
use crate::app::ground::background::{Place as Where, Running, WakeHandles};
use crate::app::ground::commands::Command;
use crate::app::ground::keys::KeyFocus;
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::{InMotion, Ready};
use crate::app::ground::progress::PlayerProgress;
use crate::app::ground::requests::{BeginRequest, Requests, TaskStep};
use crate::app::ground::settings::Settings;
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, Marked, MoveRefused, MoveRequested, Rewind, Spoken, TaskDone, in_match, is_on};
use crate::ui::activity::register;
use crate::ui::draw::Draw;
use crate::ui::panel::Place;
use crate::ui::style::Palette;
use crate::ui::title;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::EguiPrimaryContextPass;
use qiju_core::compute::{NextMove, SentTable};
use qiju_core::record::SeatSpec;
use qiju_core::rules::{BySide, Refusal};
use qiju_core::table::{
    Action, FirstSteps, Formation, Goal, Mark, MarkColour, Miss, MoveGoal, Notation, Setup, Table, Task, TaskStatus, Tree,
};
use std::sync::Arc;

/// The level of the computer where it defends.
const DEFENDER: u8 = 10;

/// The tasks of a game, and the one on the board.
#[derive(Resource, Default)]
pub struct Course(Option<Open>);

struct Open {
    game: &'static str,
    steps: Arc<FirstSteps>,
    at: usize,
    /// The match of the task is still to be started, or is being set up.
    wanted: bool,
    set_up: bool,
    /// How it stands, and the position for which this was found out.
    standing: Option<(TaskStatus, (u64, usize))>,
    /// The rules' refusal of the last move.
    refused: Option<Refusal>,
    /// A move that leads on, asked for by the learner.
    shown: Option<Action>,
    search: Option<Running<NextMove>>,
}

impl Open {
    fn go(&mut self, at: usize) {
        if at < self.steps.tasks.len() {
            (self.at, self.wanted, self.set_up) = (at, true, false);
            (self.standing, self.refused, self.shown, self.search) = (None, None, None, None);
        }
    }
}

/// The key of a task in the list of those that are done.
fn key(game: &str, task: &Task) -> String {
    format!("{game}/{}", task.key)
}

impl Course {
    /// The game whose tasks are on.
    pub fn game(&self) -> Option<&'static str> {
        self.0.as_ref().map(|open| open.game)
    }

    /// All tasks of the game.
    pub fn tasks(&self) -> &[Task] {
        self.0.as_ref().map_or(&[], |open| &open.steps.tasks)
    }

    /// The number of the task, counted from 0.
    pub fn at(&self) -> usize {
        self.0.as_ref().map_or(0, |open| open.at)
    }

    /// The task on the board; `None` if there is none.
    pub fn task(&self) -> Option<&Task> {
        self.tasks().get(self.at())
    }

    /// How it stands with the task.
    pub fn standing(&self) -> Option<&TaskStatus> {
        self.0.as_ref()?.standing.as_ref().map(|(standing, _)| standing)
    }

    /// Why the rules refused the last move that was tried.
    pub fn refused(&self) -> Option<Refusal> {
        self.0.as_ref()?.refused
    }

    /// True while a move that leads on is being looked for.
    pub fn is_sought(&self) -> bool {
        self.0.as_ref().is_some_and(|open| open.search.is_some())
    }

    /// True if this task is among those that are done.
    pub fn is_done(&self, task: &Task, progress: &PlayerProgress) -> bool {
        self.game().is_some_and(|game| progress.first_steps.contains_key(&key(game, task)))
    }

    /// The marks on the board: what is left of the goal, what the text speaks of, and a move that was asked for.
    pub fn marks(&self, current: &CurrentMatch) -> Vec<Mark> {
        let (Some(open), Some(task)) = (&self.0, self.task()) else { return Vec::new() };
        if !open.set_up || current.is_looking_back() {
            return Vec::new();
        }
        let circle = |at, colour| Mark::Circle { at, colour };
        let left = self.standing().map_or_else(|| task.goal.points(), |standing| standing.left.clone());
        let mut marks: Vec<Mark> = left.into_iter().map(|at| circle(at, MarkColour::Green)).collect();
        if current.table().ply() == 0 {
            marks.extend(task.marks().into_iter().map(|at| circle(at, MarkColour::Blue)));
        }
        marks.extend(open.shown.and_then(|action| match action {
            Action::Step { from, to } => Some(Mark::Arrow { from, to, colour: MarkColour::Yellow }),
            Action::Drop(at) => Some(circle(at, MarkColour::Yellow)),
            Action::Pass | Action::Choose(_) => None,
        }));
        marks
    }
}

/// Why a task was not done, as a sentence. The table stands after the last move.
fn miss_text(task: &Task, miss: Miss, table: &dyn Table, words: &Words, notation: Notation) -> String {
    let with_answer = |key: &str, answer: Action| words.with(key, table.write(answer, notation).unwrap_or_default());
    match (miss, &task.goal) {
        (Miss::OffLine(action), _) => {
            // The table stands after the move that was played instead.
            let mut before = table.boxed_clone();
            before.undo();
            words.with("steps.miss.line", before.write(action, notation).unwrap_or_default())
        }
        (Miss::OutOfMoves, _) => words.say("steps.miss.moves").to_owned(),
        (Miss::Overline, _) => words.say("steps.miss.overline").to_owned(),
        (Miss::Answered(answer), Goal::Play(MoveGoal::Guard)) => with_answer("steps.miss.guard", answer),
        (Miss::Answered(answer), Goal::Play(MoveGoal::Stop)) => with_answer("steps.miss.stop", answer),
        (Miss::Answered(answer), _) => with_answer("steps.miss.not-mate", answer),
        (_, Goal::Play(wanted)) => words
            .say(match wanted {
                MoveGoal::Capture(1) => "steps.miss.capture",
                MoveGoal::Capture(_) => "steps.miss.capture-more",
                MoveGoal::Check => "steps.miss.check",
                MoveGoal::Escape | MoveGoal::Guard | MoveGoal::Stop => "steps.miss.other",
                MoveGoal::Make(Formation::OpenThree) => "steps.miss.open-three",
                MoveGoal::Make(Formation::OpenFour) => "steps.miss.open-four",
                MoveGoal::Make(_) => "steps.miss.shape",
            })
            .to_owned(),
        (Miss::NotWon | Miss::NotDone, _) => words.say("steps.miss.win").to_owned(),
    }
}

static COMMANDS: &[Command] = &[
    Command::new("keys.space", "steps.show", |world| is_learning(world) && KeyFocus::is_board(world), || TaskStep::Show.into()),
    Command::new("R", "steps.again", is_learning, || TaskStep::Again.into()),
    Command::new("N", "steps.next", is_learning, || TaskStep::Next.into()),
    Command::new("P", "steps.previous", is_learning, || TaskStep::Previous.into()),
];

fn is_learning(world: &World) -> bool {
    is_on(world, FIRST_STEPS)
}

fn lead(
    mut requests: MessageReader<TaskStep>,
    mut course: ResMut<Course>,
    (library, progress): (Res<Library>, Res<PlayerProgress>),
    current: Option<Res<CurrentMatch>>,
    mut rewind: MessageWriter<Rewind>,
    wake: WakeHandles,
) {
    for request in requests.read() {
        match request {
            TaskStep::Open(game) => {
                let Some(library_game) = library.game(game).filter(|game| !game.first_steps.tasks.is_empty()) else { continue };
                let steps = library_game.first_steps.clone();
                let undone = steps.tasks.iter().position(|task| !progress.first_steps.contains_key(&key(game, task)));
                let mut open = Open {
                    game,
                    steps,
                    at: 0,
                    wanted: false,
                    set_up: false,
                    standing: None,
                    refused: None,
                    shown: None,
                    search: None,
                };
                open.go(undone.unwrap_or(0));
                course.0 = Some(open);
            }
            step => {
                let Some(open) = &mut course.0 else { continue };
                match *step {
                    TaskStep::Open(_) => {}
                    TaskStep::To(at) => open.go(at),
                    TaskStep::Next => open.go(open.at + 1),
                    TaskStep::Previous => open.at.checked_sub(1).into_iter().for_each(|at| open.go(at)),
                    TaskStep::Again => {
                        (open.refused, open.shown, open.search) = (None, None, None);
                        // A line goes on where it was left; everything else begins again.
                        let off_line = matches!(open.standing, Some((TaskStatus { result: Some(Err(Miss::OffLine(_))), .. }, _)));
                        let left = current
                            .as_ref()
                            .filter(|_| off_line)
                            .and_then(|current| current.played().line().iter().nth_back(1).copied());
                        rewind.write(Rewind::To(left.unwrap_or(Tree::ROOT)));
                    }
                    TaskStep::Show => {
                        let Some(current) = current.as_ref().filter(|current| open.set_up && current.human_to_move()) else {
                            continue;
                        };
                        let (goal, table) = (open.steps.tasks[open.at].goal.clone(), SentTable::of(current.table()));
                        open.search = Some(Running::start(Where::Thread, wake.handle(), NextMove { table, goal }));
                    }
                }
            }
        }
    }
}

/// Begins the match of the task that was chosen.
fn start(mut course: ResMut<Course>, library: Res<Library>, mut requests: Requests, mut notices: ResMut<Notices>) {
    let Some(open) = course.bypass_change_detection().0.as_mut().filter(|open| open.wanted) else { return };
    open.wanted = false;
    let (game, task) = (open.game, &open.steps.tasks[open.at]);
    let (setup, other) = (task.setup(), task.goal.other_side());
    course.set_changed();
    let Some(library_game) = library.game(game) else { return };
    match library_game.entry.task_table(&setup, other) {
        Ok(table) => {
            let seat = |side| if side == table.turn() { SeatSpec::Human } else { SeatSpec::computer(DEFENDER) };
            let (seats, purpose) = (BySide::from_fn(seat), Purpose::FirstStep(other));
            requests.write(BeginRequest::Start(MatchSetup::untimed(game, setup, seats, purpose)));
        }
        Err(error) => notices.fail(error),
    }
}

/// A task belongs to the match that was started for it. It is read aloud when it begins.
fn settle(mut course: ResMut<Course>, current: Res<CurrentMatch>, words: Res<Words>, mut spoken: ResMut<Spoken>) {
    if !current.purpose().is_first_step() {
        course.0 = None;
        return;
    }
    let Some(open) = &mut course.0 else { return };
    open.set_up = true;
    let task = &open.steps.tasks[open.at];
    let text = format!("{}: {}", words.of(&task.title), words.of(&task.text));
    spoken.say(text);
}

/// Takes the move that was looked for.
fn receive(mut course: ResMut<Course>, words: Res<Words>, mut notices: ResMut<Notices>) {
    let Some(open) = &mut course.bypass_change_detection().0 else { return };
    let Some(found) = open.search.as_mut().and_then(Running::poll) else { return };
    (open.search, open.shown) = (None, found);
    course.set_changed();
    if found.is_none() {
        notices.warn(words.say("steps.no-way"));
    }
}

/// Says how it stands once the board has come to rest, and keeps what is done.
fn judge(
    mut course: ResMut<Course>,
    current: Res<CurrentMatch>,
    moving: Query<(), With<InMotion>>,
    mut refusals: MessageReader<MoveRefused>,
    (settings, mut requests, mut moves): (Res<Settings>, Requests, MessageWriter<MoveRequested>),
    (words, mut spoken): (Res<Words>, ResMut<Spoken>),
    (mut done, mut redraw): (MessageWriter<TaskDone>, MessageWriter<RequestRedraw>),
) {
    let refused = refusals.read().last().map(|refusal| refusal.reason);
    let Some(open) = course.bypass_change_detection().0.as_mut().filter(|open| open.set_up) else { return };
    let table = current.table();
    let stand = (table.key(), table.ply());
    if refused.is_some() {
        open.refused = refused;
        course.set_changed();
        return;
    }
    if !moving.is_empty() || open.standing.as_ref().is_some_and(|(_, known)| *known == stand) {
        return;
    }
    let task = &open.steps.tasks[open.at];
    let standing = task.goal.standing(table);
    let said = match standing.result {
        Some(Ok(())) => Some(words.of(&task.done).to_owned()),
        Some(Err(miss)) => Some(miss_text(task, miss, table, &words, settings.notation(table, words.language))),
        None => None,
    };
    if standing.result == Some(Ok(())) {
        let key = key(open.game, task);
        requests.change(move |progress: &mut PlayerProgress| *progress.first_steps.entry(key.clone()).or_default() += 1);
        if table.outcome().is_none() {
            done.write(TaskDone);
        }
    }
    if let Some(Ok(action)) = task.goal.in_line(table).filter(|_| !current.human_to_move()) {
        moves.write(MoveRequested { action, ply: table.ply() });
    }
    (open.standing, open.refused, open.shown, open.search) = (Some((standing, stand)), None, None, None);
    course.set_changed();
    if let Some(text) = said {
        spoken.say(text);
    }
    redraw.write(RequestRedraw);
}

fn mark(course: Res<Course>, current: Res<CurrentMatch>, mut marked: ResMut<Marked>) {
    Marked::draw(&mut marked, FIRST_STEPS, course.marks(&current));
}

pub(super) fn plugin(app: &mut App) {
    let entry = |game: &LibraryGame, _: &str, _: &Setup| {
        (!game.first_steps.tasks.is_empty()).then_some(TaskStep::Open(game.entry.key).into())
    };
    register(app, FIRST_STEPS)
        .section(Place::Page, panel::page)
        .entry(1, Icon::Stairs, "steps.title", entry)
        .commands("steps.title", COMMANDS);
    app.add_systems(Update, mark.after(Step::Ui).run_if(in_match)).add_systems(
        EguiPrimaryContextPass,
        panel::offer.in_set(Draw::Screen).after(title::draw).run_if(in_state(Screen::Title).and_then(resource_exists::<Palette>)),
    );
    app.init_resource::<Course>()
        .add_systems(Update, (lead, start).chain().in_set(Step::Input))
        .add_systems(OnEnter(Screen::Match), settle)
        .add_systems(Update, (receive, judge.run_if(|ready: Res<Ready>| ready.0)).chain().in_set(Step::Ui).run_if(in_match));
}
