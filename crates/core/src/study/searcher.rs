//! The engine of a review: values of positions and their best lines. Exact results of a solved game replace a search.

use crate::message;
use crate::message::Message;
use crate::search::{Known, Limits, StopToken, Value, Verdict};
use crate::table::{Action, Curve, Player, PlayerError, Progress, Prover, SearchRequest, Table};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a review was not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[error("{}", Message::from(self))]
pub enum StudyError {
    /// It was stopped.
    Stopped,
    /// The engine failed.
    Player(#[from] PlayerError),
    /// A move of the game is illegal.
    Move(usize, Message),
}

crate::has_message!(StudyError);

impl From<&StudyError> for Message {
    fn from(error: &StudyError) -> Message {
        match error {
            StudyError::Stopped => message!("the review was stopped"),
            StudyError::Player(error) => error.into(),
            StudyError::Move(number, why) => message!("move {}: {}", number, why),
        }
    }
}

/// The value of a position for the side to move, and its best line. The line is empty if the game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestLine {
    /// The value.
    pub value: Value,
    /// The line.
    pub line: Vec<Action>,
}

/// The node budget of a threat-space search.
const PROOF_NODES: u64 = 100_000;
/// The nodes a search visits in a millisecond, at least.
const NODES_A_MILLISECOND: u64 = 200;
/// The most moves of a line from a solved game.
const SOLVED_LINE: usize = 12;
/// The most searches to complete a line to the end of the game.
const COMPLETIONS: usize = 6;

/// Computes the values of positions.
pub struct Searcher<'a> {
    pub player: &'a mut dyn Player,
    pub request: &'a SearchRequest,
    pub stop: &'a StopToken,
    pub curve: Curve,
    /// How many times the nodes and the time of the request a search takes.
    pub effort: u32,
    /// The nodes of all searches so far.
    pub nodes: u64,
    prover: Option<Box<dyn Prover>>,
}

impl<'a> Searcher<'a> {
    pub fn new(table: &dyn Table, player: &'a mut dyn Player, request: &'a SearchRequest, stop: &'a StopToken) -> Searcher<'a> {
        let capabilities = table.capabilities();
        Searcher {
            player,
            request,
            stop,
            curve: table.curve(),
            effort: 1,
            nodes: 0,
            prover: capabilities.prover.map(|make| make()),
        }
    }

    /// The nodes that a search may take, as far as the request says; of a time those that a slow machine searches in it.
    pub fn most_nodes(&self) -> Option<u64> {
        let Limits { nodes, time, .. } = self.limits();
        nodes.or(time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(NODES_A_MILLISECOND)))
    }

    fn limits(&self) -> Limits {
        let Limits { nodes, time, .. } = self.request.limits;
        let nodes = nodes.map(|nodes| nodes.saturating_mul(u64::from(self.effort)));
        Limits { nodes, time: time.map(|time| time.saturating_mul(self.effort)), ..self.request.limits.clone() }
    }

    fn check(&self) -> Result<(), StudyError> {
        if self.stop.is_stopped() { Err(StudyError::Stopped) } else { Ok(()) }
    }

    /// The value of a position.
    pub fn worth(&mut self, table: &dyn Table) -> Result<BestLine, StudyError> {
        self.check()?;
        if let Some(outcome) = table.outcome() {
            return Ok(BestLine { value: Value::of_outcome(outcome, table.turn()), line: Vec::new() });
        }
        if let Some(worth) = self.solved(table)? {
            return Ok(worth);
        }
        // What threats decide is decided whatever the request. The shipped tree knows no line: how it wins is not asked of people.
        if let Some((line, moves)) = self.proof(table).filter(|(line, _)| line.len() > 1) {
            return Ok(BestLine { value: Value::Mate(moves as i32), line });
        }
        self.search(table, &[])
    }

    /// The value of a position, searched again with the present effort. If another move is now the best and the value fell, the one known before is
    /// searched as well: the better of the two counts.
    pub fn worth_again(&mut self, table: &dyn Table, known: &BestLine) -> Result<BestLine, StudyError> {
        if known.value.known().is_some() {
            return Ok(known.clone());
        }
        let found = self.worth(table)?;
        if let Some(first) = known.line.first().copied()
            && found.line.first() != Some(&first)
            && found.value.units() < known.value.units()
            && let Some(kept) = self.worth_of(table, first)?
            && kept.value.units() > found.value.units()
        {
            return Ok(kept);
        }
        Ok(found)
    }

    /// The value of a position by the best of the moves that are not excluded; `None` if there is no other.
    pub fn worth_without(&mut self, table: &dyn Table, left_out: Action) -> Result<Option<BestLine>, StudyError> {
        self.check()?;
        if !table.actions().iter().any(|action| *action != left_out) {
            return Ok(None);
        }
        let worth = self.search(table, &[left_out])?;
        // A player that cannot exclude moves has searched all moves.
        Ok((worth.line.first() != Some(&left_out)).then_some(worth))
    }

    /// The value of a position after one more move, from the view of the side that makes it, with the line that begins with the move.
    pub fn worth_of(&mut self, table: &dyn Table, action: Action) -> Result<Option<BestLine>, StudyError> {
        let mut after = table.boxed_clone();
        if after.play(action).is_err() {
            return Ok(None);
        }
        let answer = self.worth(&*after)?;
        let line = std::iter::once(action).chain(answer.line).collect();
        Ok(Some(BestLine { value: one_ply_before(answer.value.reversed()), line }))
    }

    fn search(&mut self, table: &dyn Table, left_out: &[Action]) -> Result<BestLine, StudyError> {
        let mut request = self.request.clone();
        request.left_out = left_out.to_vec();
        request.limits = self.limits();
        let mut last: Option<Progress> = None;
        let best = self.player.think(table, &request, self.stop, &mut |progress| {
            if progress.multipv <= 1 && !progress.pv.is_empty() {
                last = Some(progress);
            }
        })?;
        self.check()?;
        self.nodes += last.as_ref().map_or(0, |progress| progress.nodes);
        let (value, line) = last.map_or((Value::Cp(0), Vec::new()), |progress| (progress.value, progress.pv));
        // An interrupted search may have found a better move than its last finished depth. Where a move that is left out is the only defence, the value is
        // that of the move.
        let is_told = line.first() == best.as_ref() || line.first().is_some_and(|first| left_out.contains(first));
        let line = if is_told { line } else { best.into_iter().collect() };
        Ok(BestLine { value, line })
    }

    /// The exact result of a solved game.
    fn solved(&self, table: &dyn Table) -> Result<Option<BestLine>, StudyError> {
        let Some(solution) = table.capabilities().solution else { return Ok(None) };
        let mut table = table.boxed_clone();
        let mut value = None;
        let mut line = Vec::new();
        while line.len() < SOLVED_LINE && table.outcome().is_none() {
            let Some(verdicts) = solution.verdicts(&*table, self.stop) else { break };
            let Some((action, verdict)) = best_of(&verdicts) else { break };
            value.get_or_insert(verdict);
            line.push(action);
            // A drawn line has no end to show.
            if verdict.known == Known::Draw && line.len() >= 2 || table.play(action).is_err() {
                break;
            }
        }
        self.check()?;
        Ok(value.map(|verdict| BestLine { value: Value::Exact(verdict), line }))
    }

    /// The value of a move for its side; `after` is that of the position after it for the other side.
    pub fn value_of_move(&self, before: &dyn Table, action: Action, after: &BestLine) -> Value {
        self.verdict_of(before, action).map_or_else(|| one_ply_before(after.value.reversed()), Value::Exact)
    }

    /// The exact value of each move of a solved game.
    fn verdict_of(&self, table: &dyn Table, action: Action) -> Option<Verdict> {
        let verdicts = table.capabilities().solution?.verdicts(table, self.stop)?;
        verdicts.into_iter().find(|(other, _)| *other == action).map(|(_, verdict)| verdict)
    }

    /// True in a game whose values jump from one search to the next, when a threat is seen.
    pub fn decided_by_threats(&self) -> bool {
        self.prover.is_some()
    }

    /// A win of the side to move by threats or by a shipped proof, which knows only the next move, if one is found: its line, and the winner's own moves.
    pub fn proof(&mut self, table: &dyn Table) -> Option<(Vec<Action>, u32)> {
        if table.outcome().is_some() {
            return None;
        }
        let win = self.prover.as_mut()?.prove(table, PROOF_NODES, self.stop)?;
        Some((win.line, win.plies.div_ceil(2)))
    }

    /// A winning line, completed to the end of the game, and the winner's own moves: if a search gave only a part of it, the rest is searched. `None` if no
    /// end is found; then the win is not shown.
    pub fn completed(&mut self, table: &dyn Table, line: &[Action]) -> Result<Option<(Vec<Action>, u32)>, StudyError> {
        let mut table = table.boxed_clone();
        let winner = table.turn();
        let mut whole = Vec::new();
        let mut rest = line.to_vec();
        for _ in 0..COMPLETIONS {
            for action in rest.drain(..) {
                if table.outcome().is_some() || table.play(action).is_err() {
                    break;
                }
                whole.push(action);
            }
            if let Some(outcome) = table.outcome() {
                let moves = whole.len().div_ceil(2) as u32;
                return Ok((outcome.winner == Some(winner)).then_some((whole, moves)));
            }
            let worth = self.worth(&*table)?;
            let wins = if table.turn() == winner { Known::Win } else { Known::Loss };
            if worth.value.known() != Some(wins) || worth.line.is_empty() {
                return Ok(None);
            }
            rest = worth.line;
        }
        Ok(None)
    }
}

/// The best move, the first one if several are equal.
fn best_of(verdicts: &[(Action, Verdict)]) -> Option<(Action, Verdict)> {
    verdicts.iter().rev().copied().max_by_key(|(_, verdict)| verdict.rank())
}

/// Converts a known end before a move to the one after it, from the mover's view.
pub fn one_ply_after(value: Value) -> Value {
    match value {
        Value::Mate(moves) if moves > 1 => Value::Mate(moves - 1),
        other => other,
    }
}

/// Converts a value after a move to the value before it, from the mover's view: a known end is one ply further away.
fn one_ply_before(value: Value) -> Value {
    match value {
        // A mate counts the winner's own moves.
        Value::Mate(moves) if moves > 0 => Value::Mate(moves + 1),
        Value::Exact(Verdict { known, plies: Some(plies) }) if known != Known::Draw => {
            Value::Exact(Verdict { known, plies: Some(plies + 1) })
        }
        other => other,
    }
}
