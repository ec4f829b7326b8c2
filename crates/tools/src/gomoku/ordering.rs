//! Fits the values of move ordering: those with which the best moves of searches are the most likely (logistic regression over the moves of a position, minimised by Adam).
//!
//! It learns from the positions of games and from leaves of searches (see [`positions`](super::positions)). The values begin at zero; sets share the values of families and codes, as in [`fit`](super::fit).

use super::positions::{self, Judged};
use super::selfplay::{Game, PROVEN};
use crate::training::Unfit;
use crate::training::descent::{self, Objective, Plan, Telling};
use qiju_core::games::gomoku::engine::threats;
use qiju_core::games::gomoku::engine::values::{Set, Values};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::classes::{CODES, Class, FAMILIES, families};
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::Position;
use std::io::Write;
use std::path::Path;

/// One game in this many is held out.
const HELD_OUT: usize = 16;
const EPOCHS: usize = 4;
const BATCH: usize = 512;
const RATE: f32 = 0.02;
/// How strongly values are pulled to zero.
const HOLD: f32 = 2e-6;
/// A logit of 1 in the file.
const ONE: f64 = 32.0;

/// The changes of one kind (of the own move, or of that of the other side): families, codes, then the codes of each set.
const KIND: usize = FAMILIES + 5 * CODES;

/// A position with its best move.
struct Question {
    /// The sets of the side to move and of the other side.
    sets: [u8; 2],
    held_out: bool,
    best: u16,
    /// The codes of each move for both sides.
    moves: Box<[[u16; 2]]>,
}

impl Question {
    fn of(board: &Board, best: Spot, held_out: bool) -> Option<Question> {
        let side = board.side_to_move();
        if !positions::is_learnt(board) {
            return None;
        }
        let pressed = board.has(!side, Class::OpenFour);
        let spots = if pressed { threats::against_open_four(board, side) } else { board.near_stones() };
        let legal: Vec<Spot> = spots.iter().filter(|&spot| board.may_play(spot, side)).collect();
        let best = legal.iter().position(|spot| *spot == best)? as u16;
        let moves = legal.iter().map(|&spot| [board.code(spot, side), board.code(spot, !side)]).collect();
        Some(Question { sets: [side, !side].map(|side| Set::of(board.rule(), side) as u8), held_out, best, moves })
    }

    /// Where the weights of a move are: of the own stone, and of that of the other side.
    fn places(&self, codes: [u16; 2]) -> [usize; 2] {
        [0, 1].map(|kind| (usize::from(self.sets[kind]) * 2 + kind) * CODES + usize::from(codes[kind]))
    }

    /// The chance of each move.
    fn chances(&self, weights: &[f64]) -> Vec<f64> {
        let logit = |codes: &[u16; 2]| self.places(*codes).iter().map(|&at| weights[at]).sum::<f64>();
        let logits: Vec<f64> = self.moves.iter().map(logit).collect();
        let most = logits.iter().copied().fold(f64::MIN, f64::max);
        let odds: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f64 = odds.iter().sum();
        odds.iter().map(|odds| odds / sum).collect()
    }

    /// The logistic loss, of these chances of the moves.
    fn loss(&self, chances: &[f64]) -> f64 {
        -chances[usize::from(self.best)].max(1e-12).ln()
    }
}

/// The positions.
struct Fitting {
    learnt: Vec<Question>,
    held_out: Vec<Question>,
}

impl Objective for Fitting {
    fn examples(&self) -> usize {
        self.learnt.len()
    }

    fn learn(&self, changes: &[f32], examples: &[u32], _: u64, gradient: &mut [f32]) -> f64 {
        let weights = weights(changes);
        let mut slopes = vec![0.0; weights.len()];
        let mut loss = 0.0;
        for question in examples.iter().map(|&at| &self.learnt[at as usize]) {
            let chances = question.chances(&weights);
            loss += question.loss(&chances);
            for (at, (codes, chance)) in question.moves.iter().zip(chances).enumerate() {
                let off = chance - f64::from(u8::from(at == usize::from(question.best)));
                question.places(*codes).iter().for_each(|&place| slopes[place] += off);
            }
        }
        for (slope, change) in gradient.iter_mut().zip(changes) {
            *slope += HOLD * change * examples.len() as f32;
        }
        for (at, slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            changes_of(at).iter().for_each(|&part| gradient[part] += *slope as f32);
        }
        loss
    }

    fn held_out(&self, changes: &[f32]) -> Option<f64> {
        let weights = weights(changes);
        let sum: f64 = self.held_out.iter().map(|question| question.loss(&question.chances(&weights))).sum();
        (!self.held_out.is_empty()).then(|| sum / self.held_out.len() as f64)
    }

    fn rate(&self, done: f64) -> f64 {
        1.0 - done / 1.02
    }
}

/// Replaces the values of move ordering by those that fit best. Without positions they stay as they are.
///
/// # Errors
/// A file or the report cannot be written, or the checkpoint is of another training.
pub fn fit(
    games: &[Game],
    judged: &[Judged],
    sets: &mut [Values; 4],
    folder: &Path,
    report: &mut dyn Write,
) -> Result<(), Unfit> {
    let mut questions = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let mut board = game.start();
        game.opening.iter().for_each(|&spot| board.make(spot));
        for ply in &game.plies {
            questions.extend(Question::of(&board, ply.best, number.is_multiple_of(HELD_OUT)));
            board.make(ply.played);
        }
    }
    let leaves = judged.iter().filter(|leaf| leaf.score > -PROVEN);
    questions.extend(leaves.filter_map(|leaf| Question::of(&leaf.boards::<1>()[0], leaf.best, leaf.tested)));
    writeln!(report, "ordering: {} positions", questions.len())?;
    let (held_out, learnt) = questions.into_iter().partition(|question| question.held_out);
    let fitting = Fitting { learnt, held_out };
    if fitting.learnt.is_empty() {
        return Ok(());
    }
    let plan = Plan { epochs: EPOCHS, batch: BATCH, rate: RATE, decay: 0.0, seed: 7, threads: 1, out: folder.to_owned() };
    let name = format!("gomoku's ordering games {}", games.len());
    let telling = Telling { checkpoint: "ordering.checkpoint", name, every: 1, chart: None };
    let weights = weights(&descent::descend(&fitting, vec![0.0; 2 * KIND], &plan, &telling, report)?);
    writeln!(report, "held out: {}", measured(&weights, &fitting.held_out))?;
    for (set, values) in sets.iter_mut().enumerate() {
        for (code, row) in values.codes.iter_mut().enumerate() {
            let [attack, defence] = [0, 1].map(|kind| (weights[(set * 2 + kind) * CODES + code] * ONE).round() as i16);
            (row.attack, row.defence) = (attack, defence);
        }
    }
    Ok(())
}

/// The changes that a weight is the sum of.
fn changes_of(at: usize) -> [usize; 3] {
    let (set, kind, code) = (at / CODES / 2, at / CODES % 2, at % CODES);
    let from = kind * KIND;
    [from + usize::from(families()[code]), from + FAMILIES + code, from + FAMILIES + (set + 1) * CODES + code]
}

fn weights(changes: &[f32]) -> Vec<f64> {
    (0..8 * CODES).map(|at| changes_of(at).iter().map(|&part| f64::from(changes[part])).sum()).collect()
}

/// The mean logistic loss, and how often the best move is the most likely, for each set with positions.
fn measured(weights: &[f64], questions: &[Question]) -> String {
    let mut sums = [(0.0, 0usize, 0usize); 4];
    for question in questions {
        let chances = question.chances(weights);
        let best = chances[usize::from(question.best)];
        let sum = &mut sums[usize::from(question.sets[0])];
        *sum = (sum.0 + question.loss(&chances), sum.1 + usize::from(chances.iter().all(|chance| *chance <= best)), sum.2 + 1);
    }
    let told = Set::ALL.iter().zip(sums).filter(|(_, sum)| sum.2 > 0).map(|((_, name), (loss, first, count))| {
        format!("{name} {:.4} (the best move first in {:.1} %)", loss / count as f64, first as f64 * 100.0 / count as f64)
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::selfplay;
    use qiju_core::games::gomoku::engine::values;
    use qiju_core::table::Evaluation;

    #[test]
    fn the_best_moves_become_more_likely() {
        let (mut engine, mut random) = (selfplay::engine(&Evaluation::Hand), fastrand::Rng::with_seed(6));
        let games: Vec<Game> = (0..32).map(|_| selfplay::play(&mut engine, 200, &mut random)).collect();
        let often: Vec<Game> = games.iter().cycle().take(24 * games.len()).cloned().collect();
        let mut sets = [(); 4].map(|()| Values::nothing());
        let folder = tempfile::tempdir().unwrap();
        fit(&often, &[], &mut sets, folder.path(), &mut Vec::new()).unwrap();
        let mut weights = Vec::new();
        for values in &sets {
            weights.extend(values.codes.iter().map(|row| f64::from(row.attack) / ONE));
            weights.extend(values.codes.iter().map(|row| f64::from(row.defence) / ONE));
        }
        let mut sums = [(0.0, 0.0, 0usize); 4];
        for game in &games {
            let mut board = game.start();
            game.opening.iter().for_each(|&spot| board.make(spot));
            for ply in &game.plies {
                if let Some(question) = Question::of(&board, ply.best, false) {
                    let sum = &mut sums[usize::from(question.sets[0])];
                    let chance = question.chances(&weights)[usize::from(question.best)];
                    *sum = (sum.0 - chance.ln(), sum.1 + (question.moves.len() as f64).ln(), sum.2 + 1);
                }
                board.make(ply.played);
            }
        }
        for ((loss, of_equal_chances, count), (_, name)) in sums.into_iter().zip(Set::ALL) {
            assert!(count > 20 && loss < 0.8 * of_equal_chances, "{name}: {loss} {of_equal_chances} {count}");
        }
        // Without positions nothing changes.
        let mut kept = values::all().clone();
        fit(&[], &[], &mut kept, folder.path(), &mut Vec::new()).unwrap();
        assert_eq!(&kept, values::all());
    }
}
