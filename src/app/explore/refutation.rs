//! The refutation of a mistake: how it is found, and how it is shown on the board, step by step.

use super::inquiry::Inquiry;
use super::solved::best;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::intent::Intent;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{BoardChanged, CurrentMatch, Judging, in_match};
use crate::rules::Side;
use crate::search::{Known, StopToken, Verdict};
use crate::table::{Action, NodeId, Notation, Table};
use bevy::prelude::*;

/// One move of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move.
    pub action: Action,
    /// The side that makes it.
    pub side: Side,
    /// The move, written.
    pub text: String,
    /// Its exact value for that side; the distance is counted from before the move.
    pub verdict: Verdict,
}

/// The longest line, in plies: longer than any win of the solved games.
const LONGEST: usize = 240;
/// The number of plies shown of a drawn line.
const DRAWN: usize = 7;

/// The move at `ply` of a game and its refutation: after the move both sides play best moves. `None` if the token was raised.
pub fn refutation(mut table: Box<dyn Table>, ply: usize, notation: Notation, stop: &StopToken) -> Option<Vec<LineMove>> {
    let mistake = *table.played().get(ply)?;
    while table.ply() > ply {
        table.undo()?;
    }
    let solution = table.capabilities().solution;
    let mut line: Vec<LineMove> = Vec::new();
    while line.len() < LONGEST {
        let Some(verdicts) = solution.and_then(|solution| solution.verdicts(&*table, stop)) else {
            if stop.is_stopped() {
                return None;
            }
            break;
        };
        let (action, verdict) =
            if line.is_empty() { *verdicts.iter().find(|(action, _)| *action == mistake)? } else { best(&verdicts)? };
        let (side, text) = (table.turn(), table.write(action, notation)?);
        table.play(action).ok()?;
        line.push(LineMove { action, side, text, verdict });
        // Without a distance it is unknown which of the winning moves makes progress.
        let unclear = verdict.known != Known::Draw && verdict.plies.is_none();
        let drawn = verdict.known == Known::Draw && line.len() >= DRAWN;
        if line.len() > 1 && (unclear || drawn) {
            break;
        }
    }
    Some(line)
}

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
    inquiry: Inquiry<Question, Option<Vec<LineMove>>>,
    line: Option<Line>,
}

/// A line that is shown, the mistake first.
struct Line {
    /// The number of its sketch.
    sketch: u32,
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
        let line = self.line.as_ref().filter(|line| current.played().sketch() == Some(line.sketch))?;
        let index = line.nodes.iter().position(|node| *node == current.cursor())?;
        Some(ShownRefutation { line: &line.moves, at: index + 1 })
    }

    /// True if a refutation is shown.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.shown(current).is_some()
    }

    /// One step in the line. The mistake itself stays on the board.
    pub fn step(&self, forward: bool, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let (Some(shown), Some(line)) = (self.shown(current), &self.line) else { return Vec::new() };
        let index = if forward { shown.at } else { shown.at.saturating_sub(2) };
        line.nodes.get(index).map(|node| current.go_in_sketch(*node)).unwrap_or_default()
    }

    fn begin(&mut self, current: &mut CurrentMatch, ply: usize, mut moves: Vec<LineMove>) -> Vec<BoardChanged> {
        let before = current.played().at_ply(ply);
        let (nodes, steps) = current.begin_sketch_of(before, moves.iter().map(|one| one.action));
        moves.truncate(nodes.len());
        self.line = current.played().sketch().map(|sketch| Line { sketch, moves, nodes });
        steps
    }
}

fn seek(
    mut intents: MessageReader<Intent>,
    mut refutation: ResMut<Refutation>,
    current: Res<CurrentMatch>,
    (settings, words): (Res<Settings>, Res<Words>),
    wake: WakeHandles,
) {
    for intent in intents.read() {
        let Intent::Refute(ply) = *intent else { continue };
        // While an engine searches, wait for its move.
        if current.outcome().is_some() || current.human_to_move() {
            let table = current.table().boxed_clone();
            let question = Question { seed: current.seed(), played: table.played(), ply };
            let notation = settings.notation(&*table, words.language);
            refutation.inquiry.ask(question, wake.handle(), move |stop| self::refutation(table, ply, notation, stop));
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

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Refutation>()
        .add_systems(Update, (begin, seek).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut refutation: ResMut<Refutation>| *refutation = Refutation::default())
        .add_systems(OnExit(Screen::Match), |mut refutation: ResMut<Refutation>| *refutation = Refutation::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::rules::Side;
    use crate::table::Setup;

    #[test]
    fn a_refutation_is_played_to_the_end() {
        let mut table = games::find("tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
        for text in ["b2", "b1", "a1", "c1"] {
            table.play(table.read(text).unwrap()).unwrap();
        }
        let line = refutation(table, 1, Notation::Uci, &StopToken::new()).unwrap();
        assert_eq!((line[0].text.as_str(), line[0].side, line[0].verdict.known), ("b1", Side::Second, Known::Loss));
        // The length of the line equals the distance of the exact value.
        assert_eq!(line.len() as u32, line[0].verdict.plies.unwrap());
        assert_eq!((line.last().unwrap().side, line.last().unwrap().verdict.plies), (Side::First, Some(1)));
        for pair in line.windows(2) {
            assert_eq!(pair[0].side, !pair[1].side);
        }
    }
}
