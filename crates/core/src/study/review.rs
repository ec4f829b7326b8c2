//! The review of a game: every position is searched, and every move is assessed by the winning chance it lost.
//!
//! Positions are searched from the end of the game to its beginning, so that the transposition table already has
//! results of the later positions, and a position is worth at least what the move played there is. A move that seems to
//! lose 0.05 or more is checked by a second search of the same length: the position after the better move is searched
//! like the one after the move played, so that both are searched equally deep. While a verdict is in doubt ([`in_doubt`])
//! both are searched again, twice as long each time.

use super::reasons;
use super::searcher::{BestLine, Searcher, StudyError, one_ply_after};
use crate::rules::Side;
use crate::search::{StopToken, Value};
use crate::table::{Action, Assessment, Chance, Curve, Judgement, MoveVerdict, Player, SearchRequest, Table};
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
    /// The nodes searched so far.
    pub nodes: u64,
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
            // The move after it was judged by what was known of the position then.
            if let Some(verdict) = positions.get_mut(ply + 2).and_then(|position| position.as_mut()?.verdict.as_mut()) {
                join(verdict, moves[ply + 1], after, searcher.curve);
            }
        }
        positions[ply] = worth.as_ref().map(|worth| assess(&searcher, worth.value, here.turn()));
        if let Some(done) = positions.get(ply + 1) {
            let (done, of, assessment) = (moves.len() - ply, moves.len() + 1, done.clone());
            tell(News { done, of, ply: ply + 1, assessment, nodes: searcher.nodes });
        }
        next = worth.map(|worth| (worth, here));
    }
    let (done, assessment) = (moves.len() + 1, positions[0].clone());
    tell(News { done, of: done, ply: 0, assessment, nodes: searcher.nodes });
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

/// A verdict in doubt is searched again with at most so many times the request ..
const MOST_EFFORT: u32 = 8;
/// .. and with at most so many nodes.
const MOST_NODES: u64 = 640_000;

/// How far a search that takes so many times the request may err in what a move lost.
fn errs(effort: u32) -> f64 {
    0.4 / f64::from(effort)
}

/// True while a longer search may well find another verdict: by the least and the most that the move lost by the last searches. A verdict holds when
/// both give it, the farther from the limit of a mistake the sooner.
fn in_doubt([least, most]: [f64; 2], effort: u32) -> bool {
    let limit = Judgement::Mistake.least_loss();
    least < limit + errs(effort) && most > limit - errs(effort) / 8.0
}

/// Two positions, one move apart, each with its value for its side to move, and a better move than the one between them, if one is known.
#[derive(Clone)]
struct Compared {
    here: BestLine,
    next: BestLine,
    played: Value,
    better: Option<BestLine>,
    /// The move that seemed better last.
    rival: Option<Action>,
}

impl Compared {
    /// What is known of the positions compares the move between them with a better one.
    fn of(
        searcher: &mut Searcher,
        before: &dyn Table,
        here: BestLine,
        action: Action,
        mut next: BestLine,
    ) -> Result<Compared, StudyError> {
        agree(&here, action, &mut next);
        let played = searcher.value_of_move(before, action, &next);
        let better = if before.actions().len() == 1 { None } else { better(searcher, before, &here, action, played)? };
        Ok(Compared::with(better, action, played, next))
    }

    /// The value of a position is that of the better move, or of the one played.
    fn with(better: Option<BestLine>, action: Action, played: Value, next: BestLine) -> Compared {
        let here = better.clone().unwrap_or_else(|| played_first(action, played, &next));
        let rival = better.as_ref().and_then(|better| better.line.first().copied());
        Compared { here, next, played, better, rival }
    }

    /// The same by a search of both moves with the present effort. Where little is left of the difference, another move may be better.
    fn again(
        &self,
        searcher: &mut Searcher,
        before: &dyn Table,
        action: Action,
        after: &dyn Table,
    ) -> Result<Compared, StudyError> {
        let next = searcher.worth_again(after, &self.next)?;
        let played = searcher.value_of_move(before, action, &next);
        let mut better = self.better.clone();
        if let Some(rival) = self.rival.filter(|_| self.here.value.known().is_none()) {
            better = searcher.worth_of(before, rival)?;
        }
        let mut found = Compared::with(better.filter(|better| better.value.units() > played.units()), action, played, next);
        if self.is_told(searcher) && !found.is_told(searcher) {
            let here = searcher.worth(before)?;
            if here.value.units() > found.here.value.units() {
                found = Compared::of(searcher, before, here, action, found.next)?;
            }
        }
        found.rival = found.rival.or(self.rival);
        Ok(found)
    }

    /// The winning chance that the move lost.
    fn lost(&self, searcher: &Searcher) -> f64 {
        searcher.curve.chance(self.here.value).lost_to(searcher.curve.chance(self.played))
    }

    fn is_told(&self, searcher: &Searcher) -> bool {
        Judgement::of_loss(self.lost(searcher)) >= Judgement::Mistake
    }

    fn is_known(&self) -> bool {
        self.here.value.known().is_some() && self.played.known().is_some()
    }
}

/// What is known for certain of a position is known of the one after its best move, too, and of a lost one after any move.
fn agree(here: &BestLine, action: Action, next: &mut BestLine) {
    let follows = here.line.first() == Some(&action);
    let decides = matches!(here.value, Value::Mate(moves) if moves < 0 || moves > 1 && follows);
    if decides && next.value.known().is_none() {
        next.value = one_ply_after(here.value).reversed();
        if follows {
            next.line = here.line[1..].to_vec();
        }
    }
}

/// Assesses a move between two positions, each with its value for its side to move. While the verdict is in doubt the move and the better one are
/// searched twice as long as before, and the milder of the last two verdicts is told; where threats decide, a mild verdict is doubted like another. The
/// values of the two positions follow. What is close to the limit to the end is told as an inaccuracy at most.
fn judge(
    searcher: &mut Searcher,
    (before, here): (&dyn Table, &mut BestLine),
    action: Action,
    (after, next): (&dyn Table, &mut BestLine),
) -> Result<MoveVerdict, StudyError> {
    let mut told = Compared::of(searcher, before, here.clone(), action, next.clone())?;
    let mut last = told.clone();
    let mut most = told.lost(searcher);
    while searcher.effort < MOST_EFFORT
        && searcher.most_nodes().is_some_and(|nodes| nodes <= MOST_NODES / 2)
        && !last.is_known()
        && in_doubt([told.lost(searcher), most], searcher.effort)
    {
        searcher.effort *= 2;
        let found = last.again(searcher, before, action, after)?;
        let lost = [last.lost(searcher), found.lost(searcher)];
        most = if searcher.decided_by_threats() { lost[0].max(lost[1]) } else { lost[1] };
        told = if lost[1] < lost[0] { found.clone() } else { last };
        last = found;
    }
    let doubtful = searcher.effort == MOST_EFFORT && told.lost(searcher) < Judgement::Mistake.least_loss() + errs(MOST_EFFORT);
    (*here, *next) = (told.here, told.next);
    let (better, played, only) = (told.better, told.played, before.actions().len() == 1);
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
    let mut judgement = Judgement::of_loss(before_chance.lost_to(after_chance));
    if doubtful {
        judgement = judgement.min(Judgement::Inaccuracy);
    }
    let mut verdict = MoveVerdict { judgement, before: before_chance, best: better.line, ..best(Vec::new()) };
    if judgement.is_error() {
        let question =
            reasons::BadMove { before, after, action, better: (better.value, &verdict.best), played: (played, &played_line) };
        verdict.reason = reasons::reason(searcher, &question)?;
    }
    Ok(verdict)
}

/// Joins the verdict on a move with what is known now of the position before it. A verdict that gets worse by that was not searched for itself: it
/// is told as an inaccuracy at most.
fn join(verdict: &mut MoveVerdict, action: Action, here: &BestLine, curve: Curve) {
    let is_best = here.line.first() == Some(&action);
    let before = if is_best { verdict.after } else { curve.chance(here.value).max(verdict.after) };
    if before == verdict.before {
        return;
    }
    let judgement = match Judgement::of_loss(before.lost_to(verdict.after)) {
        _ if before == verdict.after => Judgement::Best,
        judgement => judgement.min(verdict.judgement.max(Judgement::Inaccuracy)),
    };
    verdict.reason = verdict.reason.take().filter(|_| judgement.is_error());
    if judgement == Judgement::Best && !is_best {
        verdict.best = vec![action];
    } else if verdict.reason.is_none() && !here.line.is_empty() {
        // A reason may be told of the better move.
        verdict.best = here.line.clone();
    }
    (verdict.judgement, verdict.before) = (judgement, before);
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
        // The engine would have played the same move. If it was bad, or may well be, search for another one.
        let may_err = searcher.decided_by_threats() && found.value.known().is_none() && played.known().is_none();
        if !seems_lost(found.value) && !may_err {
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
