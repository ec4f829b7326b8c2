//! Finds the next move of a task of the first steps, by a search over the rules of the game.

use crate::rules::{Point, Side};
use crate::search::{Known, StopToken};
use crate::table::{Action, Goal, OtherSide, Table};
use std::collections::{HashSet, VecDeque};

/// Positions that a proof of a win may visit.
const NODES: u64 = 300_000;

/// A move that leads to the goal in the moves that are left, if one is found. `table` began with the position of the task, and it is the learner's turn.
pub fn next_move(goal: &Goal, table: &dyn Table, stop: &StopToken) -> Option<Action> {
    if goal.standing(table).result.is_some() {
        return None;
    }
    if let Some(next) = goal.in_line(table) {
        return next.ok();
    }
    let mut trial = table.boxed_clone();
    let at_once = table.actions().into_iter().find(|action| {
        let done = trial.play(*action).is_ok() && goal.standing(&*trial).result == Some(Ok(()));
        trial.undo();
        done
    });
    at_once.or_else(|| match goal.other_side() {
        OtherSide::Skips => shortest_way(goal, table, stop),
        OtherSide::Waits | OtherSide::Follows => None,
        OtherSide::Plays => win(table, goal.standing(table).moves_left, stop),
    })
}

/// The first move of a shortest way to the goal while the other side does not move.
fn shortest_way(goal: &Goal, table: &dyn Table, stop: &StopToken) -> Option<Action> {
    let mut seen: HashSet<(u64, Vec<Point>)> = HashSet::new();
    let mut waiting: VecDeque<(Box<dyn Table>, Option<Action>)> = VecDeque::from([(table.boxed_clone(), None)]);
    while let Some((at, first)) = waiting.pop_front() {
        for action in at.actions() {
            if stop.is_stopped() {
                return None;
            }
            let mut next = at.boxed_clone();
            if next.play(action).is_err() {
                continue;
            }
            let standing = goal.standing(&*next);
            let first = first.unwrap_or(action);
            match standing.result {
                Some(Ok(())) => return Some(first),
                Some(Err(_)) => {}
                None if seen.insert((next.key(), standing.left)) => waiting.push_back((next, Some(first))),
                None => {}
            }
        }
    }
    None
}

/// A move that wins in at most so many moves of the side to move, whatever the other side does.
fn win(table: &dyn Table, moves: u32, stop: &StopToken) -> Option<Action> {
    let plies = (2 * moves).checked_sub(1)?;
    let capabilities = table.capabilities();
    if let Some(solution) = capabilities.solution {
        let best = solution.verdicts(table, stop)?.into_iter().max_by_key(|(_, verdict)| verdict.rank())?;
        return (best.1.known == Known::Win && best.1.plies? <= plies).then_some(best.0);
    }
    if let Some(prover) = capabilities.prover {
        let win = prover().prove(table, NODES, stop)?;
        return win.line.first().copied().filter(|_| win.plies <= plies);
    }
    let own = table.turn();
    let mut trial = table.boxed_clone();
    if table.proven().is_some_and(|win| win.winner == own && win.moves <= moves) {
        // The move with the shortest win that is known.
        let wins = table.actions().into_iter().filter_map(|action| {
            let known = trial.play(action).ok().and_then(|_| match trial.outcome() {
                Some(outcome) => (outcome.winner == Some(own)).then_some(0),
                None => trial.proven().filter(|win| win.winner == own).map(|win| win.plies.unwrap_or(2 * win.moves)),
            });
            trial.undo();
            Some((known?, action))
        });
        return wins.min_by_key(|(plies, _)| *plies).map(|(_, action)| action);
    }
    forced(&mut *trial, own, moves, stop)
}

/// The same by trying everything.
fn forced(table: &mut dyn Table, own: Side, moves: u32, stop: &StopToken) -> Option<Action> {
    if moves == 0 || stop.is_stopped() {
        return None;
    }
    table.actions().into_iter().find(|action| {
        let mut wins = table.play(*action).is_ok();
        if wins {
            wins = match table.outcome() {
                Some(outcome) => outcome.winner == Some(own),
                None if moves == 1 => false,
                None => table.actions().into_iter().all(|answer| {
                    let won = table.play(answer).is_ok()
                        && match table.outcome() {
                            Some(outcome) => outcome.winner == Some(own),
                            None => forced(table, own, moves - 1, stop).is_some(),
                        };
                    table.undo();
                    won
                }),
            };
            table.undo();
        }
        wins
    })
}
