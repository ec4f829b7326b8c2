//! Guess the move: the moves of one side of a game that is over, or was opened, are hidden; the player guesses each by playing it, and is told what it loses
//! against the best move, and against the one that was played.
//!
//! The guesses are moves of a sketch beside the game, which is shown up to the move that is asked.

mod panel;

use crate::app::explore::inquiry::Inquiry;
use crate::app::explore::{Analysis, judge, weigh, worth};
use crate::app::ground::activity::Activity;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::commands::Command;
use crate::app::ground::picture::{Hurry, InMotion};
use crate::app::ground::requests::{AnalysisRequest, Go, Requests, StudyRequest};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, EndCard, Judging, at_board, in_match};
use crate::app::view::FrameRequests;
use crate::ui::activity::register;
use crate::ui::panel::Place;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use qiju_core::compute::{Computation, JudgeMove};
use qiju_core::rules::{PlayError, Side};
use qiju_core::study::accuracy_of_move;
use qiju_core::table::{Action, MoveVerdict, NodeId, Tree};
use std::time::Duration;

/// Guessing the moves of a game.
const GUESS: Activity = Activity("guess");

/// How long a move of the other side is looked at, at normal speed.
const SEEN: Duration = Duration::from_millis(500);

/// A guess that loses so much less than the move that was played is better; less is within the error of the search.
const BETTER: f64 = 0.05;

/// To `activities::guess`: what is to be done with the moves that are guessed.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessRequest {
    /// Ask whose moves are guessed.
    Open,
    /// Guess those of this side.
    Begin(Side),
    /// Show the move that was played, without a guess.
    Show,
    /// Go to the next one.
    Next,
    /// End it.
    End,
}

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessStage {
    /// The player is asked whose moves are guessed.
    Choose,
    /// A move of the other side is shown.
    Other,
    /// The player guesses.
    Find,
    /// The guess is judged.
    Check,
    /// What it loses is told, and what was played.
    Told,
    /// All moves were guessed.
    Over,
}

/// A move of the game.
#[derive(Clone, Copy)]
struct Turn {
    node: NodeId,
    action: Action,
    is_own: bool,
}

/// A guess with what it loses, and what the move that was played loses.
#[derive(Clone, Debug, PartialEq)]
pub struct Guessed {
    /// The move that was played.
    pub node: NodeId,
    /// The guess.
    pub guess: Action,
    /// The verdict on it,
    pub own: MoveVerdict,
    /// and on the move that was played.
    pub played: MoveVerdict,
    /// It is the move that was played.
    pub is_same: bool,
}

impl Guessed {
    /// True if it is better than the move that was played.
    pub fn is_better(&self) -> bool {
        self.played.lost() - self.own.lost() >= BETTER
    }
}

/// The guesses so far.
#[derive(Resource, Default)]
pub struct Guessing(Option<Course>);

struct Course {
    side: Side,
    turns: Vec<Turn>,
    /// The move that is asked, or is the next one of the other side.
    at: usize,
    stage: GuessStage,
    guess: Option<Action>,
    guesses: Vec<Guessed>,
    weighed: Inquiry<usize, JudgeMove>,
    own: Inquiry<usize, JudgeMove>,
    played: Inquiry<usize, JudgeMove>,
    /// When the move of the other side is played, on the program's clock.
    due: Option<Duration>,
}

/// The accuracy of moves that lost so much, in percent; 0 where there are none.
fn accuracy(lost: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = lost.map(accuracy_of_move).collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

impl Guessing {
    /// True while it is on the board.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        current.sketch_owner() == Some(GUESS)
    }

    /// How it stands; `None` while it is not on the board.
    pub fn stage(&self, current: &CurrentMatch) -> Option<GuessStage> {
        let stage = self.0.as_ref().map_or(GuessStage::Choose, |course| course.stage);
        self.is_shown(current).then_some(stage)
    }

    /// Whose moves are guessed.
    pub fn side(&self) -> Option<Side> {
        self.0.as_ref().map(|course| course.side)
    }

    /// The guesses so far.
    pub fn guesses(&self) -> &[Guessed] {
        self.0.as_ref().map_or(&[], |course| &course.guesses)
    }

    /// How many moves of the side were asked, the one on the board included, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        self.0.as_ref().map_or((0, 0), |course| {
            let own = |turns: &[Turn]| turns.iter().filter(|turn| turn.is_own).count();
            (own(&course.turns[..(course.at + 1).min(course.turns.len())]), own(&course.turns))
        })
    }

    /// The accuracy of the guesses and of the moves that were played, in percent.
    pub fn accuracies(&self) -> (f64, f64) {
        let of = |verdict: fn(&Guessed) -> &MoveVerdict| accuracy(self.guesses().iter().map(|guess| verdict(guess).lost()));
        (of(|guess| &guess.own), of(|guess| &guess.played))
    }

    /// The move that was played, where it is told, and the guess.
    pub fn told(&self) -> Option<(NodeId, Option<&Guessed>)> {
        let course = self.0.as_ref().filter(|course| course.stage == GuessStage::Told)?;
        let node = course.turns.get(course.at)?.node;
        Some((node, course.guesses.last().filter(|guess| guess.node == node)))
    }
}

impl Course {
    /// The moves of a side; `None` if it has none that can be judged.
    fn new(current: &CurrentMatch, side: Side) -> Option<Course> {
        let (played, tree) = (current.played(), current.tree());
        let mut table = played.table_at(Tree::ROOT);
        table.adjudicate(false);
        let mut turns = Vec::new();
        for node in played.line() {
            let action = tree.node(*node).action()?;
            let settled = table.opening().is_none_or(|opening| opening.is_over(table.pieces().len()));
            turns.push(Turn { node: *node, action, is_own: settled && table.turn() == side });
            table.play(action).ok()?;
        }
        turns.iter().any(|turn| turn.is_own).then(|| Course {
            side,
            turns,
            at: 0,
            stage: GuessStage::Other,
            guess: None,
            guesses: Vec::new(),
            weighed: Inquiry::default(),
            own: Inquiry::default(),
            played: Inquiry::default(),
            due: None,
        })
    }

    /// The node before the move that is asked.
    fn before(&self) -> NodeId {
        self.at.checked_sub(1).map_or(Tree::ROOT, |at| self.turns[at].node)
    }

    /// The next move is asked, or shown; or all were.
    fn turn(&mut self, current: &CurrentMatch, wake: &WakeHandles) {
        (self.guess, self.due) = (None, None);
        self.stage = match self.turns[self.at..].first() {
            Some(turn) if turn.is_own => {
                if let Some(question) = weigh(current, self.before()) {
                    self.weighed.ask(self.at, wake.handle(), question);
                }
                GuessStage::Find
            }
            Some(_) if self.turns[self.at..].iter().any(|turn| turn.is_own) => GuessStage::Other,
            _ => GuessStage::Over,
        };
    }

    /// Shows the move that was played, and goes on behind it.
    fn go_on(&mut self, current: &mut CurrentMatch, wake: &WakeHandles) -> Vec<BoardChanged> {
        let steps = current.go_in_sketch(self.turns[self.at].node);
        self.at += 1;
        self.turn(current, wake);
        steps
    }

    /// The question how good a move is where the next one is asked.
    fn judge(&self, current: &CurrentMatch, action: Action) -> JudgeMove {
        judge(current, self.before(), action, worth(self.weighed.answer_to(&self.at)))
    }

    /// The player's guess.
    fn answer(
        &mut self,
        current: &mut CurrentMatch,
        action: Action,
        wake: &WakeHandles,
    ) -> Result<Option<BoardChanged>, PlayError> {
        if self.stage != GuessStage::Find {
            return Ok(None);
        }
        let step = current.play_sketch(action)?;
        (self.guess, self.stage) = (Some(action), GuessStage::Check);
        let judge = self.judge(current, action);
        self.own.ask(self.at, wake.handle(), judge);
        Ok(Some(step))
    }

    /// Looks what has been worked out. The move that was played is judged while the player thinks.
    fn follow(&mut self, current: &CurrentMatch, wake: &WakeHandles) -> bool {
        let ready = self.weighed.poll() || self.stage == GuessStage::Check;
        if ready && !self.played.is_about(&self.at) {
            let judge = self.judge(current, self.turns[self.at].action);
            self.played.ask(self.at, wake.handle(), judge);
        }
        let _ = (self.own.poll(), self.played.poll());
        let (Some(guess), GuessStage::Check) = (self.guess, self.stage) else { return false };
        let (Some(own), Some(played)) = (self.own.answer_to(&self.at), self.played.answer_to(&self.at)) else { return false };
        let verdict = |answer: &<JudgeMove as Computation>::Answer| answer.as_ref().ok()?.as_ref()?.assessment.verdict.clone();
        let Turn { node, action, .. } = self.turns[self.at];
        if let (Some(own), Some(played)) = (verdict(own), verdict(played)) {
            let is_same = guess == action;
            self.guesses.push(Guessed { node, guess, own: if is_same { played.clone() } else { own }, played, is_same });
        }
        self.stage = GuessStage::Told;
        true
    }
}

fn answer_requests(
    mut asked: MessageReader<GuessRequest>,
    mut guessing: ResMut<Guessing>,
    mut current: ResMut<CurrentMatch>,
    (mut changed, mut card, mut menu): (MessageWriter<BoardChanged>, ResMut<EndCard>, ResMut<NextState<Menu>>),
    (wake, analysis, mut requests): (WakeHandles, Res<Analysis>, Requests),
) {
    for request in asked.read() {
        let current = &mut *current;
        let steps = match (*request, &mut guessing.0) {
            (GuessRequest::Open, course) => {
                *course = None;
                card.put_away();
                menu.set(Menu::None);
                // What would tell the moves is put away.
                requests.write(StudyRequest(None));
                if analysis.is_on() {
                    requests.write(AnalysisRequest::Switch);
                }
                current.begin_sketch(GUESS, Tree::ROOT, None)
            }
            (GuessRequest::Begin(side), course) => {
                *course = Course::new(current, side);
                let Some(course) = course else { continue };
                let steps = current.begin_sketch(GUESS, Tree::ROOT, Some(side));
                course.turn(current, &wake);
                steps
            }
            (GuessRequest::Show, Some(course)) if course.stage == GuessStage::Find => {
                course.stage = GuessStage::Told;
                current.go_in_sketch(course.turns[course.at].node)
            }
            (GuessRequest::Next, Some(course)) if course.stage == GuessStage::Told => course.go_on(current, &wake),
            (GuessRequest::End, course) => {
                *course = None;
                if current.sketch_owner() == Some(GUESS) { current.end_sketch() } else { Vec::new() }
            }
            _ => continue,
        };
        changed.write_batch(steps);
    }
}

/// Plays the moves of the other side when the pieces have come to rest, and takes the verdicts.
fn lead(
    mut guessing: ResMut<Guessing>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    moving: Query<(), With<InMotion>>,
    (hurry, time, settings, wake): (Res<Hurry>, Res<Time<Real>>, Res<Settings>, WakeHandles),
) {
    if !guessing.is_shown(&current) || !moving.is_empty() {
        return;
    }
    let Some(course) = &mut guessing.bypass_change_detection().0 else { return };
    if course.stage == GuessStage::Other {
        let due = *course.due.get_or_insert_with(|| time.elapsed() + settings.timed(SEEN));
        if hurry.0 || time.elapsed() >= due {
            changed.write_batch(course.go_on(&mut current, &wake));
            guessing.set_changed();
        }
    } else if course.follow(&current, &wake) {
        guessing.set_changed();
    }
}

/// The window wakes for the verdict, and for the next move of the other side.
fn stay_awake(guessing: Res<Guessing>, time: Res<Time<Real>>, mut frames: ResMut<FrameRequests>) {
    let Some(course) = &guessing.0 else { return };
    if course.stage == GuessStage::Check {
        frames.look();
    }
    if let Some(due) = course.due.filter(|_| course.stage == GuessStage::Other) {
        frames.wake_in(due.saturating_sub(time.elapsed()).as_secs_f32());
    }
}

/// When something else is shown, it is over.
fn leave(mut guessing: ResMut<Guessing>, current: Res<CurrentMatch>) {
    if guessing.0.is_some() && !guessing.is_shown(&current) {
        guessing.0 = None;
    }
}

/// While moves are hidden, a step through them is none.
fn walk(In(go): In<Go>) -> Option<Vec<BoardChanged>> {
    (go != Go::Leave).then(Vec::new)
}

fn play(
    In(action): In<Action>,
    mut guessing: ResMut<Guessing>,
    mut current: ResMut<CurrentMatch>,
    wake: WakeHandles,
) -> Result<Option<BoardChanged>, PlayError> {
    let Some(course) = &mut guessing.0 else { return Ok(None) };
    course.answer(&mut current, action, &wake)
}

/// True if there are moves to be guessed, and no match is running on.
fn is_offered(current: &CurrentMatch) -> bool {
    current.explores() && current.played().can_undo() && current.traits().whole_game && !current.is_analysis()
}

static COMMANDS: &[Command] = &[
    Command::new("G", "guess.title", |world| at_board(world).is_some_and(is_offered), || GuessRequest::Open.into()),
    Command::new("N", "guess.next", is_told, || GuessRequest::Next.into()),
];

fn is_told(world: &World) -> bool {
    let stage = at_board(world).and_then(|current| world.resource::<Guessing>().stage(current));
    stage == Some(GuessStage::Told)
}

pub(super) fn plugin(app: &mut App) {
    register(app, GUESS)
        .section(Place::Page, panel::page)
        .pause_entry(4, Icon::Hint, "guess.title", |current| is_offered(current).then(|| GuessRequest::Open.into()))
        .go(walk)
        .play(play)
        .commands("guess.title", COMMANDS);
    app.init_resource::<Guessing>()
        .add_message::<GuessRequest>()
        .add_systems(Update, (answer_requests, lead).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, leave.in_set(Step::Settle).run_if(in_match))
        .add_systems(Update, stay_awake.after(Step::Ui).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut guessing: ResMut<Guessing>| guessing.0 = None)
        .add_systems(OnExit(Screen::Match), |mut guessing: ResMut<Guessing>| guessing.0 = None);
}
