//! Learn from one's mistakes: the positions before the mistakes of a side, one by one; the player looks for a better move on the board.
//!
//! The moves are lines that are shown for a while, beside the match.

use crate::app::explore::{BetterMove, BetterStage, Study};
use crate::app::ground::activity::Activity;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::picture::InMotion;
use crate::app::ground::requests::{LearnStep, StudyPage};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, Judging, in_match};
use crate::app::view::FrameRequests;
use crate::ui::activity::register;
use bevy::prelude::*;
use qiju_core::rules::{PlayError, Side};
use qiju_core::table::{Action, Judgement, NodeId};

/// Lessons of mistakes.
const LEARN: Activity = Activity("lessons");

/// The positions to learn from, while there are some.
#[derive(Resource, Default)]
pub struct Learn(Option<Course>);

struct Course {
    side: Side,
    /// The bad moves, first to last.
    mistakes: Vec<NodeId>,
    /// Which of them is asked about.
    at: usize,
    /// Found without help, so far.
    solved: usize,
    task: BetterMove,
}

impl Learn {
    /// True while a position of it is on the board.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.0.is_some() && current.sketch_owner() == Some(LEARN)
    }

    /// The search for a better move; `None` while no position of it is on the board.
    pub fn task(&self, current: &CurrentMatch) -> Option<&BetterMove> {
        self.0.as_ref().filter(|_| self.is_shown(current)).map(|course| &course.task)
    }

    /// How it stands with it.
    pub fn stage(&self, current: &CurrentMatch) -> Option<BetterStage> {
        self.task(current).map(BetterMove::stage)
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

    fn begin(&mut self, current: &mut CurrentMatch, side: Side, wake: &WakeHandles) -> Vec<BoardChanged> {
        let mistakes = Learn::mistakes_of(current, side);
        let set_up = mistakes.first().and_then(|mistake| set_up(current, side, *mistake, wake));
        let Some((task, steps)) = set_up else { return Vec::new() };
        self.0 = Some(Course { side, mistakes, at: 0, solved: 0, task });
        steps
    }

    /// The player's move.
    fn answer(
        &mut self,
        current: &mut CurrentMatch,
        action: Action,
        wake: &WakeHandles,
    ) -> Result<Option<BoardChanged>, PlayError> {
        let shown = self.is_shown(current);
        let Some(course) = self.0.as_mut().filter(|_| shown) else { return Ok(None) };
        let step = course.task.answer(current, action, wake)?;
        course.count();
        Ok(step)
    }

    fn step(&mut self, current: &mut CurrentMatch, step: LearnStep, wake: &WakeHandles) -> Vec<BoardChanged> {
        let Some(course) = &mut self.0 else {
            return if let LearnStep::Begin(side) = step { self.begin(current, side, wake) } else { Vec::new() };
        };
        match step {
            LearnStep::Begin(side) => self.begin(current, side, wake),
            LearnStep::Show => course.task.show(current),
            LearnStep::Next => {
                let next = course.mistakes.get(course.at + 1).and_then(|mistake| set_up(current, course.side, *mistake, wake));
                let Some((task, steps)) = next else { return self.end(current) };
                (course.at, course.task) = (course.at + 1, task);
                steps
            }
            LearnStep::End => self.end(current),
        }
    }

    fn end(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let shown = self.is_shown(current);
        self.0 = None;
        if shown { current.end_sketch() } else { Vec::new() }
    }

    /// Takes the word on the player's move.
    fn check(&mut self, current: &mut CurrentMatch) -> Option<Vec<BoardChanged>> {
        let course = self.0.as_mut().filter(|_| current.sketch_owner() == Some(LEARN))?;
        let steps = course.task.check(current)?;
        course.count();
        Some(steps)
    }
}

impl Course {
    /// Counts a position that was found without help.
    fn count(&mut self) {
        self.solved += usize::from(self.task.stage().is_over() && !self.task.is_helped());
    }
}

/// Shows the position before a mistake, for the player to move.
fn set_up(
    current: &mut CurrentMatch,
    side: Side,
    mistake: NodeId,
    wake: &WakeHandles,
) -> Option<(BetterMove, Vec<BoardChanged>)> {
    let before = current.tree().previous(mistake)?;
    let moves = (current.tree().node(mistake).action()?, *current.verdict_at(mistake)?.best.first()?);
    let steps = current.begin_sketch(LEARN, before, Some(side));
    Some((BetterMove::new(current, before, moves, wake), steps))
}

fn lead(
    mut requests: MessageReader<LearnStep>,
    mut learn: ResMut<Learn>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    (study, moving, wake): (Res<Study>, Query<(), With<InMotion>>, WakeHandles),
) {
    // Another page would tell the answers.
    if study.is_changed() && study.page != Some(StudyPage::Review) && learn.is_shown(&current) {
        changed.write_batch(learn.step(&mut current, LearnStep::End, &wake));
    }
    for step in requests.read() {
        changed.write_batch(learn.step(&mut current, *step, &wake));
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
fn stay_awake(learn: Res<Learn>, mut frames: ResMut<FrameRequests>) {
    if learn.0.as_ref().is_some_and(|course| course.task.stage() == BetterStage::Check) {
        frames.look();
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
    wake: WakeHandles,
) -> Result<Option<BoardChanged>, PlayError> {
    learn.answer(&mut current, action, &wake)
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
