//! The refutation of a mistake: how it is found, and how it is shown on the board, step by step.

use super::inquiry::Inquiry;
use crate::app::ground::activity::Activity;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::requests::{Go, RefuteRequest};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{BoardChanged, CurrentMatch, EndCard, Judging, Walk, Walks, in_match};
use bevy::prelude::*;
use qiju_core::compute::{Refute, SentTable};
use qiju_core::study::LineMove;
use qiju_core::table::{Action, NodeId};

/// A refutation on the board.
pub const REFUTATION: Activity = Activity("refutation");

/// The match and the mistake to be refuted.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    seed: u64,
    played: Vec<Action>,
    ply: usize,
}

/// The refutation that is being computed or shown.
#[derive(Resource, Default)]
pub struct Refutation {
    inquiry: Inquiry<Question, Refute>,
    line: Option<Line>,
}

/// A line that is shown, the mistake first.
struct Line {
    moves: Vec<LineMove>,
    nodes: Vec<NodeId>,
}

/// A refutation that is shown.
pub struct ShownRefutation<'a> {
    /// The line, the mistake first.
    pub line: &'a [LineMove],
    /// The number of moves of the line on the board; at least one.
    pub at: usize,
}

impl ShownRefutation<'_> {
    /// The last move on the board.
    pub fn last(&self) -> &LineMove {
        &self.line[self.at - 1]
    }
}

impl Refutation {
    /// True while a line is being computed.
    pub fn is_sought(&self) -> bool {
        self.inquiry.is_pending()
    }

    /// The refutation that is shown, if there is one.
    pub fn shown(&self, current: &CurrentMatch) -> Option<ShownRefutation<'_>> {
        let line = self.line.as_ref().filter(|_| current.sketch_owner() == Some(REFUTATION))?;
        let index = line.nodes.iter().position(|node| *node == current.cursor())?;
        Some(ShownRefutation { line: &line.moves, at: index + 1 })
    }

    /// True if a refutation is shown.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.shown(current).is_some()
    }

    /// One step in the line. The mistake itself stays on the board.
    fn step(&self, forward: bool, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let (Some(shown), Some(line)) = (self.shown(current), &self.line) else { return Vec::new() };
        let index = if forward { shown.at } else { shown.at.saturating_sub(2) };
        line.nodes.get(index).map(|node| current.go_in_sketch(*node)).unwrap_or_default()
    }

    fn begin(&mut self, current: &mut CurrentMatch, ply: usize, mut moves: Vec<LineMove>) -> Vec<BoardChanged> {
        let before = current.played().at_ply(ply);
        let (nodes, steps) = current.begin_sketch_of(REFUTATION, before, moves.iter().map(|one| one.action));
        moves.truncate(nodes.len());
        self.line = Some(Line { moves, nodes });
        steps
    }
}

fn seek(
    mut requests: MessageReader<RefuteRequest>,
    (mut refutation, mut card): (ResMut<Refutation>, ResMut<EndCard>),
    current: Res<CurrentMatch>,
    (settings, words): (Res<Settings>, Res<Words>),
    wake: WakeHandles,
) {
    for &RefuteRequest(ply) in requests.read() {
        card.put_away();
        // While an engine searches, wait for its move.
        if current.outcome().is_some() || current.human_to_move() {
            let table = current.table();
            let question = Question { seed: current.seed(), played: table.played(), ply };
            let notation = settings.notation(table, words.language);
            refutation.inquiry.ask(question, wake.handle(), Refute { table: SentTable::of(table), ply, notation });
        }
    }
}

/// Shows the line when it is computed, if the match has not changed since the request.
fn begin(mut refutation: ResMut<Refutation>, mut current: ResMut<CurrentMatch>, mut changed: MessageWriter<BoardChanged>) {
    if !refutation.bypass_change_detection().inquiry.poll() {
        return;
    }
    let Some((question, answer)) = refutation.inquiry.take() else { return };
    let same = (question.seed, &question.played) == (current.seed(), &current.table().played());
    if let Some(line) = answer.filter(|line| same && !line.is_empty()) {
        changed.write_batch(refutation.begin(&mut current, question.ply, line));
    }
}

/// A step within the line; a leap leaves it.
fn walk(In(go): In<Go>, refutation: Res<Refutation>, mut current: ResMut<CurrentMatch>) -> Option<Vec<BoardChanged>> {
    matches!(go, Go::Back | Go::Forward).then(|| refutation.step(go == Go::Forward, &mut current))
}

pub(super) fn plugin(app: &mut App) {
    let go = Some(app.register_system(walk));
    *Walks::register(app, REFUTATION) = Walk { go, ..Walk::default() };
    app.init_resource::<Refutation>()
        .add_systems(Update, (begin, seek).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut refutation: ResMut<Refutation>| *refutation = Refutation::default())
        .add_systems(OnExit(Screen::Match), |mut refutation: ResMut<Refutation>| *refutation = Refutation::default());
}
