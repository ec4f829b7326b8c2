//! Finds out why a move was bad. A reason is given only if it was verified: by the rules, by exact results of a solved
//! game, by a line to the end of the game, or by static exchange together with the search.

use super::searcher::{Searcher, StudyError};
use crate::rules::{Outcome, Reason};
use crate::search::{Known, Value};
use crate::table::{Action, MistakeKind, MistakeReason, Piece, Table};

/// A bad move.
pub struct BadMove<'a> {
    pub before: &'a dyn Table,
    pub after: &'a dyn Table,
    pub action: Action,
    /// The better move: its value for the mover and its line.
    pub better: (Value, &'a [Action]),
    /// The move played: its value for the mover and its line.
    pub played: (Value, &'a [Action]),
}

/// Why the move was bad; `None` if no reason can be verified.
pub fn reason(searcher: &mut Searcher, question: &BadMove) -> Result<Option<MistakeReason>, StudyError> {
    if let Some(reason) = by_the_rules(question) {
        return Ok(Some(reason));
    }
    if question.before.capabilities().solution.is_some() {
        let moves = question.played.0.moves_to_end().map(i32::unsigned_abs);
        return Ok(Some(MistakeReason { kind: MistakeKind::Solved, piece: None, moves, line: question.played.1.to_vec() }));
    }
    // Of two wins the one in fewer moves is told: it is what the player could see.
    let wins = [win_missed(searcher, question)?, win_allowed(searcher, question)?].into_iter().flatten();
    if let Some(reason) = wins.min_by_key(|reason| reason.moves.unwrap_or(u32::MAX)) {
        return Ok(Some(reason));
    }
    Ok(by_material(question))
}

/// The move ends the game with a draw or loses by a repetition, or an answer ends it by a repetition that the mover
/// loses.
fn by_the_rules(question: &BadMove) -> Option<MistakeReason> {
    let told = |kind, line| Some(MistakeReason { kind, piece: None, moves: None, line });
    if question.after.outcome().is_some_and(|outcome| outcome.winner.is_none()) {
        return told(MistakeKind::DrawMade, vec![question.action]);
    }
    let lost = loss_by_repetition(question.after)?;
    told(MistakeKind::RepetitionLoses, [question.action].into_iter().chain(lost.answer).collect())
}

/// A game that the side that moved last loses by a repetition.
pub struct RepetitionLoss {
    /// The outcome.
    pub outcome: Outcome,
    /// The answer of the other side that completes the repetition; `None` if it is complete.
    pub answer: Option<Action>,
}

/// Whether the side that moved last loses by a repetition, at once or by an answer of the other side.
pub fn loss_by_repetition(after: &dyn Table) -> Option<RepetitionLoss> {
    let winner = after.turn();
    let loses = |outcome: &Outcome| {
        let repeats = matches!(outcome.reason, Reason::Repetition | Reason::PerpetualCheck | Reason::PerpetualChase);
        repeats && outcome.winner == Some(winner)
    };
    if let Some(outcome) = after.outcome() {
        return loses(&outcome).then_some(RepetitionLoss { outcome, answer: None });
    }
    let mut table = after.boxed_clone();
    // Adjudication is switched on again for every answer.
    table.adjudicate(true);
    table.actions().into_iter().find_map(|answer| {
        table.play(answer).ok()?;
        let outcome = table.outcome().filter(loses);
        table.undo();
        outcome.map(|outcome| RepetitionLoss { outcome, answer: Some(answer) })
    })
}

fn win_missed(searcher: &mut Searcher, question: &BadMove) -> Result<Option<MistakeReason>, StudyError> {
    if question.played.0.known() == Some(Known::Win) {
        return Ok(None);
    }
    let win = if question.better.0.known() == Some(Known::Win) {
        searcher.completed(question.before, question.better.1)?
    } else {
        None
    };
    let win = win.or_else(|| searcher.proof(question.before));
    Ok(win.map(|(line, moves)| MistakeReason { kind: MistakeKind::WinMissed, piece: None, moves: Some(moves), line }))
}

fn win_allowed(searcher: &mut Searcher, question: &BadMove) -> Result<Option<MistakeReason>, StudyError> {
    if question.better.0.known() == Some(Known::Loss) {
        return Ok(None);
    }
    let win = if question.played.0.known() == Some(Known::Loss) {
        searcher.completed(question.after, question.played.1.get(1..).unwrap_or_default())?
    } else {
        None
    };
    let Some((line, moves)) = win.or_else(|| searcher.proof(question.after)) else { return Ok(None) };
    let line = std::iter::once(question.action).chain(line).collect();
    Ok(Some(MistakeReason { kind: MistakeKind::WinAllowed, piece: None, moves: Some(moves), line }))
}

/// The piece that a move captures.
pub(super) fn captured(table: &dyn Table, action: Action) -> Option<Piece> {
    let target = action.target()?;
    let turn = table.turn();
    table.pieces().into_iter().find(|(at, piece)| *at == target && piece.side != turn).map(|(_, piece)| piece)
}

/// The gain of a capture by static exchange; 0 for other moves and for captures without a gain.
pub(super) fn gain(table: &dyn Table, action: Action) -> i32 {
    table.captures().into_iter().find(|(other, _)| *other == action).map_or(0, |(_, gain)| gain)
}

/// The moves of a line up to a capture.
const SHOWN: usize = 6;

fn by_material(question: &BadMove) -> Option<MistakeReason> {
    let piece = question.before.piece_won()?;
    let shown = |line: &[Action]| line.iter().take(SHOWN).copied().collect::<Vec<_>>();
    // A piece is lost if the other side's best line begins with a capture that wins more than the move itself captured,
    // and the better move prevents it.
    if let Some(answer) = question.played.1.get(1).copied() {
        let took = captured(question.before, question.action).map_or(0, |piece| question.before.price(piece));
        let lost = gain(question.after, answer) - took;
        let mut instead = question.before.boxed_clone();
        let kept = question.better.1.first().is_some_and(|action| instead.play(*action).is_ok());
        let worst = instead.captures().first().map_or(0, |(_, gain)| *gain);
        if kept && lost >= piece && lost - worst >= piece {
            let piece = captured(question.after, answer);
            return Some(MistakeReason { kind: MistakeKind::PieceLost, piece, moves: None, line: shown(question.played.1) });
        }
    }
    let best = question.better.1.first().copied()?;
    let won = gain(question.before, best) - gain(question.before, question.action);
    (won >= piece).then(|| {
        let piece = captured(question.before, best);
        MistakeReason { kind: MistakeKind::PieceMissed, piece, moves: None, line: shown(question.better.1) }
    })
}
