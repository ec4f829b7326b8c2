//! Learn from one's mistakes: the positions before the mistakes of a side, one by one; the player looks for a better move on the board. A move that is as
//! good as the one the review found is accepted.
//!
//! The moves are lines that are shown for a while, beside the match.

use crate::app::explore::Study;
use crate::app::explore::reply::ReplySearch;
use crate::app::ground::activity::Activity;
use crate::app::ground::picture::InMotion;
use crate::app::ground::requests::{LearnStep, StudyPage};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, Judging, in_match};
use crate::app::view::Stir;
use crate::ui::activity::register;
use bevy::prelude::*;
use qiju_core::rules::{PlayError, Side};
use qiju_core::table::{Action, Judgement, NodeId, Tree};

/// Lessons of mistakes.
const LEARN: Activity = Activity("lessons");

/// How it stands with the position that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnStage {
    /// The player looks for a move.
    Find,
    /// The engine looks at the player's move.
    Check,
    /// It is the move the review found.
    Best,
    /// It is another one, and as good.
    AsGood,
    /// It is no better than the one that was played; the player may try again.
    Wrong,
    /// The better move was shown.
    Shown,
}

/// The positions to learn from, while there are some.
#[derive(Resource, Default)]
pub struct Learn(Option<Course>);

struct Course {
    side: Side,
    /// The bad moves, first to last.
    mistakes: Vec<NodeId>,
    /// Which of them is asked about.
    at: usize,
    stage: LearnStage,
    /// Found without help, so far.
    solved: usize,
    /// A wrong move was tried, or the better one shown, in this position.
    helped: bool,
    replies: ReplySearch,
}

/// Positions searched to compare the player's move with the better one.
const NODES: u64 = 200_000;

impl Learn {
    /// True while a position of it is on the board.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.0.is_some() && current.sketch_owner() == Some(LEARN)
    }

    /// How it stands; `None` while no position of it is on the board.
    pub fn stage(&self, current: &CurrentMatch) -> Option<LearnStage> {
        self.0.as_ref().filter(|_| self.is_shown(current)).map(|course| course.stage)
    }

    /// Whose mistakes they are.
    pub fn side(&self) -> Option<Side> {
        self.0.as_ref().map(|course| course.side)
    }

    /// The bad move that is asked about.
    pub fn mistake(&self) -> Option<NodeId> {
        self.0.as_ref().and_then(|course| course.mistakes.get(course.at)).copied()
    }

    /// The number of the position, from 1, how many there are, and how many were found without help.
    pub fn progress(&self) -> (usize, usize, usize) {
        self.0.as_ref().map_or((0, 0, 0), |course| (course.at + 1, course.mistakes.len(), course.solved))
    }

    /// The moves of a side that are worth learning from: its mistakes and blunders, or its inaccuracies where there are no worse ones.
    pub fn mistakes_of(current: &CurrentMatch, side: Side) -> Vec<NodeId> {
        let of = |least: Judgement| -> Vec<NodeId> {
            let bad = |id: &NodeId| {
                let verdict = current.verdict_at(*id);
                verdict.is_some_and(|verdict| verdict.mover == side && verdict.judgement >= least && !verdict.best.is_empty())
            };
            current.played().line().iter().copied().filter(bad).collect()
        };
        Some(of(Judgement::Mistake)).filter(|bad| !bad.is_empty()).unwrap_or_else(|| of(Judgement::Inaccuracy))
    }

    fn begin(&mut self, current: &mut CurrentMatch, side: Side) -> Vec<BoardChanged> {
        let mistakes = Learn::mistakes_of(current, side);
        if mistakes.is_empty() {
            return Vec::new();
        }
        let (stage, replies) = (LearnStage::Find, ReplySearch::default());
        self.0 = Some(Course { side, mistakes, at: 0, stage, solved: 0, helped: false, replies });
        self.set_up(current)
    }

    /// Shows the position before the mistake, for the player to move.
    fn set_up(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let Some(course) = &mut self.0 else { return Vec::new() };
        let Some(before) = course.mistakes.get(course.at).and_then(|id| current.tree().previous(*id)) else { return Vec::new() };
        let steps = current.begin_sketch(LEARN, before, Some(course.side));
        course.stage = LearnStage::Find;
        course.replies.stop();
        steps
    }

    /// The player's move.
    fn answer(&mut self, current: &mut CurrentMatch, action: Action) -> Result<Option<BoardChanged>, PlayError> {
        let asks = matches!(self.stage(current), Some(LearnStage::Find | LearnStage::Wrong));
        let Some(course) = self.0.as_mut().filter(|_| asks) else { return Ok(None) };
        let Some(mistake) = course.mistakes.get(course.at).copied() else { return Ok(None) };
        let step = current.play_sketch(action)?;
        let best = current.verdict_at(mistake).and_then(|verdict| verdict.best.first()).copied();
        course.stage = if Some(action) == best {
            course.solved += usize::from(!course.helped);
            LearnStage::Best
        } else {
            LearnStage::Check
        };
        Ok(Some(step))
    }

    /// The move is taken back, and the player may try another.
    fn try_again(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let steps = self.set_up(current);
        if let Some(course) = &mut self.0 {
            (course.stage, course.helped) = (LearnStage::Wrong, true);
        }
        steps
    }

    fn step(&mut self, current: &mut CurrentMatch, step: LearnStep) -> Vec<BoardChanged> {
        match step {
            LearnStep::Begin(side) => self.begin(current, side),
            LearnStep::Show => self.show(current),
            LearnStep::Next => {
                let Some(course) = &mut self.0 else { return Vec::new() };
                if course.at + 1 >= course.mistakes.len() {
                    return self.end(current);
                }
                course.at += 1;
                course.helped = false;
                self.set_up(current)
            }
            LearnStep::End => self.end(current),
        }
    }

    fn show(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let mut steps = self.set_up(current);
        let Some(course) = &mut self.0 else { return steps };
        let mistake = course.mistakes.get(course.at).copied().unwrap_or(Tree::ROOT);
        let best = current.verdict_at(mistake).and_then(|verdict| verdict.best.first()).copied();
        steps.extend(best.and_then(|action| current.play_sketch(action).ok()));
        (course.stage, course.helped) = (LearnStage::Shown, true);
        steps
    }

    fn end(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let shown = self.is_shown(current);
        self.0 = None;
        if shown { current.end_sketch() } else { Vec::new() }
    }

    /// Whether the player's move is as good as the better one, once that is known.
    fn word(&mut self, current: &CurrentMatch) -> Option<bool> {
        if self.stage(current) != Some(LearnStage::Check) {
            return None;
        }
        let course = self.0.as_mut()?;
        let (table, tree) = (current.shown(), current.tree());
        let mistake = course.mistakes.get(course.at).copied()?;
        if tree.node(current.cursor()).action() == tree.node(mistake).action() {
            return Some(false);
        }
        let verdict = current.verdict_at(mistake)?;
        // A move of which nothing is known cannot be accepted.
        let Some(value) = course.replies.poll(table, NODES)?.value else { return Some(false) };
        let after = table.curve().chance(value).reversed();
        Some(!Judgement::of_loss(verdict.before.lost_to(after)).is_error())
    }

    /// Takes the word on the player's move.
    fn check(&mut self, current: &mut CurrentMatch) -> Option<Vec<BoardChanged>> {
        if !self.word(current)? {
            return Some(self.try_again(current));
        }
        let course = self.0.as_mut()?;
        course.solved += usize::from(!course.helped);
        course.stage = LearnStage::AsGood;
        Some(Vec::new())
    }
}

fn lead(
    mut requests: MessageReader<LearnStep>,
    mut learn: ResMut<Learn>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    (study, moving): (Res<Study>, Query<(), With<InMotion>>),
) {
    // Another page would tell the answers.
    if study.is_changed() && study.page != Some(StudyPage::Review) && learn.is_shown(&current) {
        changed.write_batch(learn.step(&mut current, LearnStep::End));
    }
    for step in requests.read() {
        changed.write_batch(learn.step(&mut current, *step));
    }
    // The player sees the move before it is judged.
    if learn.0.is_none() || !moving.is_empty() {
        return;
    }
    let (quiet_learn, quiet_match) = (learn.bypass_change_detection(), current.bypass_change_detection());
    if let Some(steps) = quiet_learn.check(quiet_match) {
        changed.write_batch(steps);
        learn.set_changed();
        current.set_changed();
    }
}

/// The window wakes for the engine's word on the player's move.
fn stay_awake(learn: Res<Learn>, mut stir: ResMut<Stir>) {
    if learn.0.as_ref().is_some_and(|course| course.stage == LearnStage::Check) {
        stir.look();
    }
}

/// When something else is shown, it is over.
fn leave(mut learn: ResMut<Learn>, current: Res<CurrentMatch>) {
    if learn.0.is_some() && !learn.is_shown(&current) {
        learn.0 = None;
    }
}

fn play(
    In(action): In<Action>,
    mut learn: ResMut<Learn>,
    mut current: ResMut<CurrentMatch>,
) -> Result<Option<BoardChanged>, PlayError> {
    learn.answer(&mut current, action)
}

pub(super) fn plugin(app: &mut App) {
    register(app, LEARN).play(play);
    app.init_resource::<Learn>()
        .add_systems(Update, lead.in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, leave.in_set(Step::Settle).run_if(in_match))
        .add_systems(Update, stay_awake.after(Step::Ui).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut learn: ResMut<Learn>| learn.0 = None)
        .add_systems(OnExit(Screen::Match), |mut learn: ResMut<Learn>| learn.0 = None);
}
