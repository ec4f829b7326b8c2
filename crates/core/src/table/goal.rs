//! What a task of the first steps asks for, and how it stands with it. Everything is decided by the rules of the game.

use super::{Action, Formation, Table};
use crate::rules::{Point, Side};
use serde::{Deserialize, Serialize};

/// What the other side does in a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherSide {
    /// It skips each of its turns: see [`Still`](super::Still).
    Skips,
    /// It does not answer: the task ends with the learner's move.
    Waits,
    /// It answers with the moves of a line, as long as the learner plays those of the line.
    Follows,
    /// The computer plays it.
    Plays,
}

/// What one move is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MoveGoal {
    /// It captures at least so many pieces.
    Capture(u8),
    /// It gives check.
    Check,
    /// It ends a check. Every legal move does; what the rules refuse is what there is to learn.
    Escape,
    /// After it, the other side cannot capture anything at once.
    Guard,
    /// After it, the other side cannot win at once.
    Stop,
    /// It makes this shape.
    Make(Formation),
}

/// The goal of a task. Points are files and ranks, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Goal {
    /// Capture the pieces on these points, while the other side does not move.
    Catch {
        /// Where they stand.
        targets: Vec<(u8, u8)>,
        /// In at most so many moves.
        moves: u32,
    },
    /// Move to each of these points, in any order, while the other side does not move.
    Reach {
        /// The points.
        points: Vec<(u8, u8)>,
        /// In at most so many moves.
        moves: u32,
    },
    /// One move that does this.
    Play(MoveGoal),
    /// Play the learner's moves of a line, such as an opening; the other side answers with its own.
    Follow {
        /// The moves of both sides in the game's own text, from the learner's first to the learner's last.
        line: String,
    },
    /// Win the game.
    Win {
        /// In at most so many moves of one's own.
        moves: u32,
        /// The other side does not move.
        #[serde(default)]
        alone: bool,
    },
}

/// Why a task was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// The moves are used up.
    OutOfMoves,
    /// The move does not do what was asked for.
    NotDone,
    /// This answer of the other side shows that it does not.
    Answered(Action),
    /// The line goes on with this move.
    OffLine(Action),
    /// The row is too long to win.
    Overline,
    /// The game ended without a win.
    NotWon,
}

/// How it stands with a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskStatus {
    /// The points of the goal that are still to be captured or reached.
    pub left: Vec<Point>,
    /// The learner's moves that are left.
    pub moves_left: u32,
    /// The end of the task, if it has ended.
    pub result: Option<Result<(), Miss>>,
}

/// A point of an asset.
pub(super) fn point(at: (u8, u8)) -> Point {
    Point::new(at.0, at.1)
}

/// The table at the position it began with.
fn start_of(table: &dyn Table) -> Box<dyn Table> {
    let mut start = table.boxed_clone();
    while start.undo().is_some() {}
    start
}

fn pieces_of(table: &dyn Table, side: Side) -> usize {
    table.pieces().iter().filter(|(_, piece)| piece.side == side).count()
}

/// The first legal action after which something is so.
fn action_with(table: &dyn Table, so: impl Fn(&dyn Table) -> bool) -> Option<Action> {
    let mut trial = table.boxed_clone();
    table.actions().into_iter().find(|action| {
        let found = trial.play(*action).is_ok() && so(&*trial);
        trial.undo();
        found
    })
}

impl MoveGoal {
    /// Whether the last move of a table did this. `before` is the table without it.
    fn result(self, before: &dyn Table, after: &dyn Table) -> Result<(), Miss> {
        let (own, other) = (before.turn(), !before.turn());
        let yes = |done: bool| if done { Ok(()) } else { Err(Miss::NotDone) };
        let no_answer = |answer: Option<Action>| answer.map_or(Ok(()), |answer| Err(Miss::Answered(answer)));
        match self {
            MoveGoal::Capture(least) => yes(pieces_of(before, other) >= pieces_of(after, other) + usize::from(least)),
            MoveGoal::Check => yes(after.check().is_some()),
            MoveGoal::Escape => yes(before.check().is_some()),
            MoveGoal::Guard => no_answer(action_with(after, |trial| pieces_of(trial, own) < pieces_of(after, own))),
            MoveGoal::Stop => {
                let wins = |trial: &dyn Table| trial.outcome().is_some_and(|outcome| outcome.winner == Some(other));
                no_answer(action_with(after, wins))
            }
            MoveGoal::Make(formation) => {
                let made = after.played().last().and_then(|action| before.formations(*action)).unwrap_or_default();
                if made.contains(&Formation::Overline) {
                    return Err(Miss::Overline);
                }
                yes(made.contains(&formation))
            }
        }
    }
}

impl Goal {
    /// What the other side does meanwhile.
    pub fn other_side(&self) -> OtherSide {
        match self {
            Goal::Catch { .. } | Goal::Reach { .. } | Goal::Win { alone: true, .. } => OtherSide::Skips,
            Goal::Play(_) | Goal::Win { moves: 0 | 1, .. } => OtherSide::Waits,
            Goal::Follow { .. } => OtherSide::Follows,
            Goal::Win { .. } => OtherSide::Plays,
        }
    }

    /// The most moves of one's own.
    pub fn moves(&self) -> u32 {
        match self {
            Goal::Catch { moves, .. } | Goal::Reach { moves, .. } | Goal::Win { moves, .. } => *moves,
            Goal::Play(_) => 1,
            Goal::Follow { line } => line.split_whitespace().count().div_ceil(2) as u32,
        }
    }

    /// The points it names.
    pub fn points(&self) -> Vec<Point> {
        match self {
            Goal::Catch { targets: points, .. } | Goal::Reach { points, .. } => points.iter().copied().map(point).collect(),
            Goal::Play(_) | Goal::Follow { .. } | Goal::Win { .. } => Vec::new(),
        }
    }

    /// The next move of the line, of either side, at a table that began with the position of the task; the other way round, the move of the line in
    /// whose place another one was played. `None` at the end of the line, and for a goal that has none.
    pub fn in_line(&self, table: &dyn Table) -> Option<Result<Action, Action>> {
        let Goal::Follow { line } = self else { return None };
        let mut at = start_of(table);
        let mut played = table.played().into_iter();
        for word in line.split_whitespace() {
            let action = at.read(word).ok()?;
            match played.next() {
                None => return Some(Ok(action)),
                Some(other) if other != action => return Some(Err(action)),
                Some(_) => at.play(action).ok()?,
            };
        }
        None
    }

    /// How it stands at a table that began with the position of the task.
    pub fn standing(&self, table: &dyn Table) -> TaskStatus {
        let own = start_of(table).turn();
        let ply = table.ply() as u32;
        let used = match self.other_side() {
            OtherSide::Plays | OtherSide::Follows => ply.div_ceil(2),
            OtherSide::Skips | OtherSide::Waits => ply,
        };
        let in_line = self.in_line(table);
        let moves_left = self.moves().saturating_sub(used);
        let (pieces, played) = (table.pieces(), table.played());
        let left: Vec<Point> = match self {
            Goal::Catch { .. } => {
                let stands = |at: &Point| pieces.iter().any(|(point, piece)| point == at && piece.side != own);
                self.points().into_iter().filter(stands).collect()
            }
            Goal::Reach { .. } => {
                let visited = |at: &Point| played.iter().any(|action| action.target() == Some(*at));
                self.points().into_iter().filter(|at| !visited(at)).collect()
            }
            // Where the learner's next move leads.
            Goal::Follow { .. } if table.turn() == own => in_line.and_then(|next| next.ok()?.target()).into_iter().collect(),
            Goal::Play(_) | Goal::Follow { .. } | Goal::Win { .. } => Vec::new(),
        };
        let ends = |done: bool, why: Miss| match (done, moves_left, table.outcome()) {
            (true, ..) => Some(Ok(())),
            (false, 0, _) => Some(Err(why)),
            (false, _, Some(_)) => Some(Err(Miss::NotWon)),
            (false, _, None) => None,
        };
        let result = match self {
            Goal::Catch { .. } | Goal::Reach { .. } => ends(left.is_empty(), Miss::OutOfMoves),
            Goal::Play(_) if ply == 0 => None,
            Goal::Play(wanted) => {
                let mut before = table.boxed_clone();
                while before.ply() > 1 && before.undo().is_some() {}
                let first = before.boxed_clone();
                before.undo();
                Some(wanted.result(&*before, &*first))
            }
            Goal::Follow { .. } => match in_line {
                Some(Ok(_)) => None,
                Some(Err(action)) => Some(Err(Miss::OffLine(action))),
                None => Some(Ok(())),
            },
            Goal::Win { moves, .. } => {
                let won = table.outcome().is_some_and(|outcome| outcome.winner == Some(own));
                ends(won, if *moves == 1 { why_not_won(table) } else { Miss::OutOfMoves })
            }
        };
        TaskStatus { left, moves_left, result }
    }
}

/// Why the last move of a table has not won.
fn why_not_won(table: &dyn Table) -> Miss {
    let mut before = table.boxed_clone();
    if let Some(last) = table.played().last().copied()
        && before.undo().is_some()
        && before.formations(last).is_some_and(|made| made.contains(&Formation::Overline))
    {
        return Miss::Overline;
    }
    match table.actions().first() {
        _ if table.outcome().is_some() => Miss::NotWon,
        Some(answer) if table.check().is_some() => Miss::Answered(*answer),
        _ => Miss::NotDone,
    }
}
