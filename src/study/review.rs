//! The review of a game: every position is valued, every move judged by the winning chance it lost.
//!
//! The game is gone through from its end to its beginning, so that the engine's table already knows what came after a position when it looks at
//! it. A move that seems to lose 0.05 or more is judged by a second search of the same length: the better move is made and the position after it
//! is searched as the one after the move played was, so that both are seen equally far.

use super::reasons;
use super::searcher::{Searcher, StudyError, Worth, one_ply_before};
use crate::rules::Side;
use crate::search::{StopToken, Value};
use crate::table::{Action, Assessment, Chance, Judgement, MoveVerdict, Player, SearchRequest, Table};

/// A reviewed game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// What each position is worth, the start first, and how good the move was that led to it. `None` while an opening has not settled the sides.
    pub positions: Vec<Option<Assessment>>,
}

/// How far a review is.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// Positions done.
    pub done: usize,
    /// Positions there are.
    pub of: usize,
    /// The position that is done now, counted in moves from the start of the review.
    pub ply: usize,
    /// What it is worth.
    pub assessment: Option<Assessment>,
}

/// A position that is done, and what it is worth to the side to move.
pub type Reviewed = Option<Assessment>;

/// Reviews a game: `start` is the table at its beginning, on which the past does not end the game (see [`Table::adjudicate`]), `moves` are the moves
/// played. `tell` hears of every position that is done; it may wait to pause the review.
///
/// # Errors
/// The rules refuse a move, the player fails, or the token was raised.
pub fn review(
    start: &dyn Table,
    moves: &[Action],
    player: &mut dyn Player,
    request: &SearchRequest,
    stop: &StopToken,
    tell: &mut dyn FnMut(News),
) -> Result<Review, StudyError> {
    let mut table = start.boxed_clone();
    table.adjudicate(false);
    for (number, action) in (1..).zip(moves) {
        table.play(*action).map_err(|error| StudyError::Move(number, error.to_string()))?;
    }
    let mut searcher = Searcher::new(start, player, request, stop);
    let mut positions: Vec<Reviewed> = vec![None; moves.len() + 1];
    // What came after the position that is looked at: its worth to the side to move there, and its table.
    let mut next: Option<(Worth, Box<dyn Table>)> = None;
    for ply in (0..=moves.len()).rev() {
        if ply < moves.len() {
            table.undo();
        } else {
            // Only the last position may be one where the past has ended the game: where people played on, no rule was applied.
            table.adjudicate(true);
        }
        let here = table.boxed_clone();
        table.adjudicate(false);
        let worth = if is_settled(&*here) { Some(searcher.worth(&*here)?) } else { None };
        if let (Some(worth), Some((after, after_table))) = (&worth, &next) {
            let verdict = judge(&mut searcher, &*here, worth, moves[ply], after, &**after_table)?;
            if let Some(later) = &mut positions[ply + 1] {
                later.verdict = Some(verdict);
            }
        }
        positions[ply] = worth.as_ref().map(|worth| assess(&searcher, worth.value, here.turn()));
        if let Some(done) = positions.get(ply + 1) {
            tell(News { done: moves.len() - ply, of: moves.len() + 1, ply: ply + 1, assessment: done.clone() });
        }
        next = worth.map(|worth| (worth, here));
    }
    tell(News { done: moves.len() + 1, of: moves.len() + 1, ply: 0, assessment: positions[0].clone() });
    Ok(Review { positions })
}

/// True once the sides are settled and moves are made, not chosen.
fn is_settled(table: &dyn Table) -> bool {
    table.opening().is_none_or(|opening| opening.is_over(table.pieces().len()))
}

fn assess(searcher: &Searcher, value: Value, turn: Side) -> Assessment {
    let value = if turn == Side::First { value } else { value.reversed() };
    Assessment { value, chance: searcher.curve.chance(value), verdict: None }
}

/// The best that was found for a position, from the mover's view.
struct Better {
    value: Value,
    line: Vec<Action>,
}

/// Judges a move. `here` is what the position before it is worth, `next` what the one after it is worth to the other side.
fn judge(
    searcher: &mut Searcher,
    before: &dyn Table,
    here: &Worth,
    action: Action,
    next: &Worth,
    after: &dyn Table,
) -> Result<MoveVerdict, StudyError> {
    let mover = before.turn();
    let played_line: Vec<Action> = std::iter::once(action).chain(next.line.iter().copied()).collect();
    let played = match searcher.verdict_of(before, action) {
        Some(verdict) => Value::Exact(verdict),
        None => one_ply_before(next.value.reversed()),
    };
    let only = before.actions().len() == 1;
    let better = if only { None } else { better(searcher, before, here, action, played)? };
    let after_chance = searcher.curve.chance(played);
    let best = |line| MoveVerdict {
        mover,
        judgement: Judgement::Best,
        before: after_chance,
        after: after_chance,
        best: line,
        only,
        reason: None,
        comment: String::new(),
    };
    let Some(better) = better else { return Ok(best(played_line)) };
    let before_chance = searcher.curve.chance(better.value).max(after_chance);
    let judgement = Judgement::of_loss(before_chance.lost_to(after_chance));
    let mut verdict = MoveVerdict { judgement, before: before_chance, best: better.line, ..best(Vec::new()) };
    if judgement.is_error() {
        let question =
            reasons::Question { before, after, action, better: (better.value, &verdict.best), played: (played, &played_line) };
        verdict.reason = reasons::reason(searcher, &question)?;
    }
    Ok(verdict)
}

/// A move that is better than the one played, as far as is known; `None` where there is none.
fn better(
    searcher: &mut Searcher,
    before: &dyn Table,
    here: &Worth,
    action: Action,
    played: Value,
) -> Result<Option<Better>, StudyError> {
    let curve = searcher.curve;
    let seems_lost = |value: Value| Judgement::of_loss(curve.chance(value).lost_to(curve.chance(played))).is_error();
    let mut found = Worth { value: here.value, line: here.line.clone() };
    if found.line.first() == Some(&action) {
        // The engine would have played the same. If it turned out badly, is there anything else?
        if !seems_lost(found.value) {
            return Ok(None);
        }
        match searcher.worth_without(before, action)? {
            Some(other) if seems_lost(other.value) => found = other,
            _ => return Ok(None),
        }
    }
    if seems_lost(found.value)
        && found.value.known().is_none()
        && let Some(first) = found.line.first().copied()
        && let Some(verified) = searcher.worth_of(before, first)?
    {
        found = verified;
    }
    let is_better = found.value.units() > played.units() && !found.line.is_empty();
    Ok(is_better.then_some(Better { value: found.value, line: found.line }))
}

impl Review {
    /// The first side's winning chance in each position; `None` while an opening has not settled the sides.
    pub fn chances(&self) -> impl Iterator<Item = Option<Chance>> + '_ {
        self.positions.iter().map(|position| position.as_ref().map(|position| position.chance))
    }
}
