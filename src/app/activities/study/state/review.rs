//! The review of the game on the board: worked out in the background, written into the tree when it is done.
//!
//! It runs in a thread of the lowest priority and waits while an opponent or the analysis thinks, so it never takes the last core. It goes on whichever page
//! is shown, and ends with the match.

use crate::app::explore::{Analysis, Study, write_review};
use crate::app::ground::background::{Place, Running, WakeHandles};
use crate::app::ground::notices::Notices;
use crate::app::ground::requests::{Effort, ReviewRequest, StudyPage};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, EndCard, Judging, Thinking, TreeEditor, in_match};
use bevy::prelude::*;
use qiju_core::compute::{ReviewGame, SentTable};
use qiju_core::search::Limits;
use qiju_core::study::{StudyError, Summary};
use qiju_core::table::{Action, Assessment, MoveVerdict, NodeId, SearchRequest, Table, Tree};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions searched for each position of the game.
fn nodes(effort: Effort) -> u64 {
    match effort {
        Effort::Quick => 40_000,
        Effort::Normal => 200_000,
        Effort::Thorough => 1_000_000,
    }
}

/// The review that runs, if one does. What is finished is in the tree.
#[derive(Resource, Default)]
pub struct GameReview {
    work: Option<Work>,
}

/// A review under way.
struct Work {
    /// The match it is about, and its moves.
    match_seed: u64,
    line: Vec<NodeId>,
    /// What is done so far, the start first.
    positions: Vec<Option<Assessment>>,
    done: usize,
    paused: Arc<AtomicBool>,
    running: Running<ReviewGame>,
}

impl GameReview {
    /// How much is done, 0 to 1, while a review runs.
    pub fn progress(&self) -> Option<f32> {
        let work = self.work.as_ref()?;
        Some(work.done as f32 / work.positions.len().max(1) as f32)
    }

    /// True while a review runs and waits for another search to end.
    pub fn waits(&self) -> bool {
        self.work.as_ref().is_some_and(|work| work.paused.load(Ordering::Relaxed))
    }

    /// What is known of each position of the match, the start first: from the review that runs, else from the last one.
    pub fn positions<'a>(&'a self, current: &'a CurrentMatch) -> Vec<Option<&'a Assessment>> {
        match &self.work {
            Some(work) if work.match_seed == current.seed() => work.positions.iter().map(Option::as_ref).collect(),
            _ => current.assessments().collect(),
        }
    }

    /// The next move of the line after the cursor (or the last one before it) that the review calls an inaccuracy or worse.
    pub fn next_error(current: &CurrentMatch, forward: bool) -> Option<NodeId> {
        let played = current.played();
        let here = played.ply_on_line(current.cursor()) - played.given();
        let is_error = |id: &&NodeId| current.verdict_at(**id).is_some_and(|verdict| verdict.judgement.is_error());
        let line = played.line();
        let found = match forward {
            true => line.iter().skip(here).find(is_error),
            false => line.iter().take(here.saturating_sub(1)).rev().find(is_error),
        };
        found.copied()
    }

    /// The numbers of the last review; `None` before there is one.
    pub fn summary(current: &CurrentMatch) -> Option<Summary> {
        let positions: Vec<Option<&Assessment>> = current.assessments().collect();
        let reviewed = positions.iter().flatten().any(|position| position.verdict.is_some());
        reviewed.then(|| Summary::of(&positions, current.outcome().map(|outcome| outcome.winner)))
    }
}

impl CurrentMatch {
    /// What a review said about each position of the match, the start first.
    pub fn assessments(&self) -> impl Iterator<Item = Option<&Assessment>> {
        let nodes = std::iter::once(Tree::ROOT).chain(self.played().line().iter().copied());
        nodes.map(|id| self.tree().notes(id).assessment)
    }

    /// What a review said about the move that leads to a place.
    pub fn verdict_at(&self, id: NodeId) -> Option<&MoveVerdict> {
        self.tree().notes(id).assessment?.verdict.as_ref()
    }

    /// True if the game can be reviewed: there are moves, and no match is running on.
    pub fn can_be_reviewed(&self) -> bool {
        self.explores() && self.played().can_undo()
    }

    /// The table at the beginning of the tree.
    fn beginning(&self) -> Box<dyn Table> {
        let mut table = self.played().table_at(Tree::ROOT);
        table.adjudicate(false);
        table
    }
}

fn start(current: &CurrentMatch, effort: Effort, wakes: &WakeHandles) -> Work {
    let line = current.played().line().to_vec();
    let moves: Vec<Action> = line.iter().filter_map(|id| current.tree().node(*id).action()).collect();
    let request = SearchRequest { limits: Limits::nodes(nodes(effort)), ..SearchRequest::default() };
    let paused = Arc::new(AtomicBool::new(false));
    let review = ReviewGame { table: SentTable::of(&*current.beginning()), moves, request, paused: paused.clone() };
    let positions = vec![None; line.len() + 1];
    let running = Running::start(Place::Quiet, wakes.handle(), review);
    Work { match_seed: current.seed(), line, positions, done: 0, paused, running }
}

fn begin_and_stop(
    mut requests: MessageReader<ReviewRequest>,
    mut review: ResMut<GameReview>,
    (mut study, mut card): (ResMut<Study>, ResMut<EndCard>),
    current: Res<CurrentMatch>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
    wakes: WakeHandles,
) {
    for request in requests.read() {
        match request {
            ReviewRequest::Show | ReviewRequest::With(_) if !current.can_be_reviewed() => {
                notices.warn(words.say("review.not-now"))
            }
            ReviewRequest::Show => {
                card.put_away();
                if review.work.is_none() && GameReview::summary(&current).is_none() {
                    review.work = Some(start(&current, Effort::default(), &wakes));
                }
                study.page = Some(StudyPage::Review);
            }
            ReviewRequest::With(effort) => {
                review.work = Some(start(&current, *effort, &wakes));
                study.page = Some(StudyPage::Review);
            }
            ReviewRequest::Stop => review.work = None,
            _ => {}
        }
    }
}

/// Another search goes first.
fn make_room(review: Res<GameReview>, analysis: Res<Analysis>, thinking: Query<(), With<Thinking>>) {
    if let Some(work) = &review.work {
        work.paused.store(analysis.is_thinking() || !thinking.is_empty(), Ordering::Relaxed);
    }
}

fn follow(
    mut review: ResMut<GameReview>,
    mut editor: TreeEditor,
    (words, settings, mut notices): (Res<Words>, Res<Settings>, ResMut<Notices>),
) {
    let Some(work) = &mut review.bypass_change_detection().work else { return };
    // All news came before the answer.
    let answer = work.running.poll();
    let news = work.running.news();
    for news in &news {
        work.done = news.done;
        if let Some(position) = work.positions.get_mut(news.ply) {
            position.clone_from(&news.assessment);
        }
    }
    if !news.is_empty() {
        review.set_changed();
    }
    let Some(answer) = answer else { return };
    let Some(work) = review.work.take() else { return };
    let current = &editor.current;
    let reviewed = match answer {
        Ok(reviewed) => reviewed,
        Err(StudyError::Stopped) => return,
        Err(error) => return notices.fail(error),
    };
    // Moves that were taken back meanwhile are no longer there to be judged.
    if work.match_seed != current.seed() || work.line != current.played().line() {
        return notices.warn(words.say("review.outdated"));
    }
    write_review(&mut editor, (&words, &settings), &work.line, &reviewed.positions);
}

/// Goes to the next move of the match that the review found fault with, or the one before.
fn step_to_error(mut requests: MessageReader<ReviewRequest>, mut editor: TreeEditor) {
    for request in requests.read() {
        let ReviewRequest::NextError(forward) = *request else { continue };
        if let Some(node) = GameReview::next_error(&editor.current, forward) {
            let mut steps = editor.current.end_sketch();
            steps.extend(editor.current.go(node));
            editor.show(steps);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<GameReview>()
        .add_systems(Update, (follow, step_to_error).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, (begin_and_stop, make_room).chain().in_set(Step::Think).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut review: ResMut<GameReview>| review.work = None);
}
