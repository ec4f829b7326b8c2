//! The review of a game: every position is searched, and every move is assessed by the winning chance it lost.
//!
//! Positions are searched from the end of the game to its beginning, so that the transposition table already has
//! results of the later positions. A move that seems to lose 0.05 or more is checked by a second search of the same
//! length: the position after the better move is searched like the one after the move played, so that both are searched
//! equally deep. A loss near the limit of a mistake or a blunder is searched again, twice as long each time, until it is
//! far enough from the limit for what a search of that length errs ([`in_doubt`]).

use super::reasons;
use super::searcher::{BestLine, Searcher, StudyError};
use crate::rules::Side;
use crate::search::{StopToken, Value};
use crate::table::{Action, Assessment, Chance, Judgement, MoveVerdict, Player, SearchRequest, Table};
use serde::{Deserialize, Serialize};

/// A reviewed game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The assessments of the positions, the start first. `None` while an opening has not decided the sides.
    pub positions: Vec<Option<Assessment>>,
}

/// The progress of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct News {
    /// The number of finished positions.
    pub done: usize,
    /// The number of all positions.
    pub of: usize,
    /// The last finished position, counted in moves from the start of the review.
    pub ply: usize,
    /// Its value.
    pub assessment: Option<Assessment>,
}

/// A finished position, and its value for the side to move.
pub type Reviewed = Option<Assessment>;

/// Reviews a game: `start` is the table at its beginning, on which the past does not end the game (see
/// [`Table::adjudicate`]), `moves` are the moves played. `tell` is called for every finished position; it may block to
/// pause the review.
///
/// # Errors
/// A move is illegal, the player fails, or the stop token is set.
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
        table.play(*action).map_err(|error| StudyError::Move(number, error.into()))?;
    }
    let mut searcher = Searcher::new(start, player, request, stop);
    let mut positions: Vec<Reviewed> = vec![None; moves.len() + 1];
    // The position after the current one: its value for its side to move, and its table.
    let mut next: Option<(BestLine, Box<dyn Table>)> = None;
    for ply in (0..=moves.len()).rev() {
        if ply < moves.len() {
            table.undo();
        } else {
            // The past (a repetition) can have ended the game only in the last position: if people played on, the rule
            // was not applied.
            table.adjudicate(true);
        }
        let here = table.boxed_clone();
        table.adjudicate(false);
        let mut worth = if is_settled(&*here) { Some(searcher.worth(&*here)?) } else { None };
        if let (Some(worth), Some((after, after_table))) = (&mut worth, &mut next) {
            let verdict = judge(&mut searcher, (&*here, worth), moves[ply], (&**after_table, after))?;
            let assessed = assess(&searcher, after.value, after_table.turn());
            positions[ply + 1] = Some(Assessment { verdict: Some(verdict), ..assessed });
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

/// The nodes for each position with which a teaching match judges moves: as many as a thorough review, so that it takes nothing back later.
pub const TEACHING_NODES: u64 = 300_000;

/// A move that was judged by itself, while its game goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedMove {
    /// The assessment of the position before it, without a verdict on the move that led there.
    pub before: Assessment,
    /// The assessment of the position after it, with the verdict on it.
    pub assessment: Assessment,
    /// The value of the position after it for the side to move there, and the best line.
    pub after: BestLine,
}

/// Judges one move in the position before it, as a review does. `known` is the value of that position, if the move before was judged; the move
/// played and the better one are searched by this request as well. `None` while an opening has not decided the sides.
///
/// # Errors
/// The move is illegal, the player fails, or the stop token is set.
pub fn judge_move(
    before: &dyn Table,
    action: Action,
    known: Option<BestLine>,
    player: &mut dyn Player,
    request: &SearchRequest,
    stop: &StopToken,
) -> Result<Option<JudgedMove>, StudyError> {
    let mut after = before.boxed_clone();
    after.play(action).map_err(|error| StudyError::Move(before.ply() + 1, error.into()))?;
    if !is_settled(before) {
        return Ok(None);
    }
    let mut searcher = Searcher::new(before, player, request, stop);
    let mut next = searcher.worth(&*after)?;
    let mut here = match known {
        Some(worth) => worth,
        None => searcher.worth(before)?,
    };
    let verdict = judge(&mut searcher, (before, &mut here), action, (&*after, &mut next))?;
    let mut assessment = assess(&searcher, next.value, after.turn());
    assessment.verdict = Some(verdict);
    Ok(Some(JudgedMove { before: assess(&searcher, here.value, before.turn()), assessment, after: next }))
}

/// True when the sides are decided and normal moves are played.
fn is_settled(table: &dyn Table) -> bool {
    table.opening().is_none_or(|opening| opening.is_over(table.pieces().len()))
}

fn assess(searcher: &Searcher, value: Value, turn: Side) -> Assessment {
    let value = if turn == Side::First { value } else { value.reversed() };
    Assessment { value, chance: searcher.curve.chance(value), verdict: None }
}

/// A verdict in doubt is searched again with at most so many nodes.
const MOST_NODES: u64 = 1_280_000;

/// True if a longer search may well find another verdict: above all that a move which is told as a mistake was none. What a search errs shrinks slowly,
/// to six tenths with eight times the nodes.
fn in_doubt(lost: f64, nodes: u64) -> bool {
    let errs = (40_000.0 / nodes as f64).powf(0.25);
    let near = |limit: Judgement, above: f64, below: f64| {
        let over = lost - limit.least_loss();
        over < above * errs && over > -below * errs
    };
    near(Judgement::Mistake, 0.1, 0.06) || near(Judgement::Blunder, 0.02, 0.02)
}

/// Assesses a move between two positions, each with its value for its side to move. While the verdict is in doubt the move and the better one are
/// searched twice as long as before; the values of the two positions follow.
fn judge(
    searcher: &mut Searcher,
    (before, here): (&dyn Table, &mut BestLine),
    action: Action,
    (after, next): (&dyn Table, &mut BestLine),
) -> Result<MoveVerdict, StudyError> {
    let only = before.actions().len() == 1;
    let mut played = searcher.value_of_move(before, action, next);
    let mut better = if only { None } else { better(searcher, before, here, action, played)? };
    while let Some(best) = &better
        && let Some(first) = best.line.first().copied()
        && let Some(nodes) = searcher.nodes().filter(|nodes| *nodes <= MOST_NODES / 2)
        && in_doubt(searcher.curve.chance(best.value).lost_to(searcher.curve.chance(played)), nodes)
    {
        searcher.effort *= 2;
        *next = searcher.worth(after)?;
        played = searcher.value_of_move(before, action, next);
        let Some(best) = searcher.worth_of(before, first)? else { break };
        better = (best.value.units() > played.units()).then_some(best);
        *here = better.clone().unwrap_or_else(|| played_first(action, played, next));
    }
    searcher.effort = 1;
    let played_line = played_first(action, played, next).line;
    let after_chance = searcher.curve.chance(played);
    let best = |line| MoveVerdict {
        mover: before.turn(),
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
            reasons::BadMove { before, after, action, better: (better.value, &verdict.best), played: (played, &played_line) };
        verdict.reason = reasons::reason(searcher, &question)?;
    }
    Ok(verdict)
}

/// The value of a position by the move played there.
fn played_first(action: Action, value: Value, next: &BestLine) -> BestLine {
    BestLine { value, line: std::iter::once(action).chain(next.line.iter().copied()).collect() }
}

/// A better move than the one played, if one is known.
fn better(
    searcher: &mut Searcher,
    before: &dyn Table,
    here: &BestLine,
    action: Action,
    played: Value,
) -> Result<Option<BestLine>, StudyError> {
    let curve = searcher.curve;
    let seems_lost = |value: Value| Judgement::of_loss(curve.chance(value).lost_to(curve.chance(played))).is_error();
    let mut found = here.clone();
    if found.line.first() == Some(&action) {
        // The engine would have played the same move. If it was bad, search for another one.
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
    Ok(is_better.then_some(found))
}

impl Review {
    /// The first side's winning chance in each position; `None` while an opening has not decided the sides.
    pub fn chances(&self) -> impl Iterator<Item = Option<Chance>> + '_ {
        self.positions.iter().map(|position| position.as_ref().map(|position| position.chance))
    }
}
