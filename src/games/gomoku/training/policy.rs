//! Fits the policy to games: the numbers with which the search's best moves of quiet positions are the most likely (logistic regression over the moves of a position, minimised by Adam).

use super::fit::is_quiet;
use super::selfplay::{Game, PROVEN};
use crate::games::gomoku::engine::policy::{self, Numbers, PAIRS, Reader, WINDOWS};
use crate::games::gomoku::engine::values::Set;
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::Spot;
use crate::games::training::Adam;
use crate::rules::Position;
use std::io::{self, Write};

/// The number of stones of the first position that is used.
const OPENING: usize = 4;
/// One game in this many is held out.
const HELD_OUT: usize = 16;
const EPOCHS: usize = 5;
const BATCH: usize = 512;
const RATE: f64 = 0.01;
/// How strongly numbers are pulled to zero.
const HOLD: f64 = 1e-6;
/// A number of 1 in the file.
const ONE: f64 = 100.0;

/// A game, and which of its positions are used.
struct Lesson<'a> {
    game: &'a Game,
    used: Vec<bool>,
}

/// What is fitted for one set of values.
struct Fitted {
    adam: Adam,
    numbers: Vec<f64>,
    slopes: Vec<f64>,
    /// The positions of the current batch, and the steps done and to be done.
    waiting: usize,
    steps: usize,
    all_steps: usize,
}

impl Fitted {
    fn new(positions: usize) -> Fitted {
        let numbers = vec![0.0; WINDOWS + PAIRS];
        let all_steps = (EPOCHS * positions).div_ceil(BATCH);
        Fitted { adam: Adam::new(numbers.len()), slopes: numbers.clone(), numbers, waiting: 0, steps: 0, all_steps }
    }

    fn learn(&mut self, question: &Question) {
        for (inputs, chance) in question.inputs.iter().zip(question.chances(&self.numbers)) {
            inputs.iter().for_each(|input| self.slopes[*input] += chance);
        }
        question.inputs[question.best].iter().for_each(|input| self.slopes[*input] -= 1.0);
        self.waiting += 1;
        if self.waiting == BATCH {
            self.step();
        }
    }

    fn step(&mut self) {
        let size = self.waiting.max(1) as f64;
        let slopes: Vec<f64> =
            self.slopes.iter().zip(&self.numbers).map(|(slope, number)| slope / size + HOLD * number).collect();
        let rate = RATE * (1.0 - self.steps as f64 / (self.all_steps as f64 * 1.02)).max(0.0);
        self.adam.step(&mut self.numbers, &slopes, rate);
        self.slopes.fill(0.0);
        self.waiting = 0;
        self.steps += 1;
    }
}

/// The moves of a position, and which is the best.
struct Question {
    inputs: Vec<[usize; 5]>,
    best: usize,
}

impl Question {
    fn of(reader: &Reader, board: &Board, best: Spot) -> Option<Question> {
        let side = board.side_to_move();
        let moves: Vec<Spot> = board.near_stones().iter().filter(|&spot| board.may_play(spot, side)).collect();
        let best = moves.iter().position(|spot| *spot == best)?;
        Some(Question { inputs: moves.iter().map(|&spot| reader.inputs(board, spot, side)).collect(), best })
    }

    /// The chance of each move.
    fn chances(&self, numbers: &[f64]) -> Vec<f64> {
        let logits: Vec<f64> = self.inputs.iter().map(|inputs| inputs.iter().map(|input| numbers[*input]).sum()).collect();
        let most = logits.iter().copied().fold(f64::MIN, f64::max);
        let odds: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f64 = odds.iter().sum();
        odds.iter().map(|odds| odds / sum).collect()
    }
}

/// The text of the policy that fits the games best. A set without positions keeps its shipped numbers.
///
/// # Errors
/// The report cannot be written.
pub fn fit(games: &[Game], report: &mut dyn Write) -> io::Result<String> {
    let mut fours = Vcf::new(12);
    let mut counts = [0; 4];
    let lessons: Vec<Lesson> = games.iter().map(|game| lesson(game, &mut fours)).collect();
    let (held_out, mut learnt): (Vec<_>, Vec<_>) = lessons.iter().enumerate().partition(|(number, _)| number % HELD_OUT == 0);
    for (_, lesson) in &learnt {
        each(lesson, |set, _| counts[set as usize] += 1);
    }
    let mut fitted = counts.map(Fitted::new);
    writeln!(report, "policy: {} positions", counts.iter().sum::<usize>())?;
    let mut random = fastrand::Rng::with_seed(7);
    for epoch in 1..=EPOCHS {
        random.shuffle(&mut learnt);
        for (_, lesson) in &learnt {
            each(lesson, |set, question| fitted[set as usize].learn(question));
        }
        if epoch == EPOCHS {
            fitted.iter_mut().filter(|fitted| fitted.waiting > 0).for_each(Fitted::step);
        }
        writeln!(report, "round {epoch}, held out: {}", measured(&fitted, held_out.iter().map(|(_, lesson)| *lesson)))?;
    }
    let mut sets = policy::shipped().clone();
    for ((numbers, fitted), _) in sets.iter_mut().zip(&fitted).zip(counts).filter(|(_, count)| *count > 0) {
        *numbers = fitted.numbers.iter().map(|number| (number * ONE).round() as i16).collect::<Numbers>();
    }
    Ok(policy::write(&sets))
}

/// Which positions of a game are used: quiet ones without a proof.
fn lesson<'a>(game: &'a Game, fours: &mut Vcf) -> Lesson<'a> {
    let mut board = game.start();
    game.opening.iter().for_each(|&spot| board.make(spot));
    let mut used = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        used.push(ply.score.abs() < PROVEN && board.stone_count() >= OPENING && is_quiet(&mut board, fours));
        board.make(ply.played);
    }
    Lesson { game, used }
}

/// Calls `each` with every position that is used.
fn each(lesson: &Lesson, mut each: impl FnMut(Set, &Question)) {
    let rule = lesson.game.rule;
    let reader = Reader::new(rule);
    let mut board = lesson.game.start();
    lesson.game.opening.iter().for_each(|&spot| board.make(spot));
    for (ply, used) in lesson.game.plies.iter().zip(&lesson.used) {
        if *used && let Some(question) = Question::of(&reader, &board, ply.best) {
            each(Set::of(rule, board.side_to_move()), &question);
        }
        board.make(ply.played);
    }
}

/// The mean logistic loss, and how often the best move is the most likely, for each set with positions.
fn measured<'a>(fitted: &[Fitted; 4], lessons: impl Iterator<Item = &'a Lesson<'a>>) -> String {
    let mut sums = [(0.0, 0usize, 0usize); 4];
    for lesson in lessons {
        each(lesson, |set, question| {
            let chances = question.chances(&fitted[set as usize].numbers);
            let best = chances[question.best];
            let sum = &mut sums[set as usize];
            *sum = (sum.0 - best.max(1e-12).ln(), sum.1 + usize::from(chances.iter().all(|chance| *chance <= best)), sum.2 + 1);
        });
    }
    let told = Set::ALL.iter().zip(sums).filter(|(_, sum)| sum.2 > 0).map(|((_, name), (loss, first, count))| {
        format!("{name} {:.4} (the best move first in {:.1} %)", loss / count as f64, first as f64 * 100.0 / count as f64)
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::rules::rule::Rule;
    use crate::games::gomoku::training::selfplay;

    #[test]
    fn the_best_moves_become_more_likely() {
        let (mut engine, mut random) = (selfplay::engine(&crate::table::Evaluation::Hand), fastrand::Rng::with_seed(6));
        let games: Vec<Game> = (0..48).map(|_| selfplay::play(&mut engine, 200, &mut random)).collect();
        let often: Vec<Game> = games.iter().cycle().take(24 * games.len()).cloned().collect();
        let sets = policy::read(&fit(&often, &mut Vec::new()).unwrap()).unwrap();
        let (mut fours, mut sums) = (Vcf::new(12), [(0.0, 0.0, 0usize); 4]);
        for game in &games {
            each(&lesson(game, &mut fours), |set, question| {
                let numbers: Vec<f64> = sets[set as usize].iter().map(|number| f64::from(*number) / ONE).collect();
                let sum = &mut sums[set as usize];
                *sum = (
                    sum.0 - question.chances(&numbers)[question.best].ln(),
                    sum.1 + (question.inputs.len() as f64).ln(),
                    sum.2 + 1,
                );
            });
        }
        for ((loss, of_equal_chances, count), (_, name)) in sums.into_iter().zip(Set::ALL) {
            assert!(count > 20 && loss < 0.9 * of_equal_chances, "{name}: {loss} {of_equal_chances} {count}");
        }
        // A set without games keeps its numbers.
        let freestyle: Vec<Game> = games.iter().filter(|game| game.rule == Rule::Freestyle).cloned().collect();
        let kept = policy::read(&fit(&freestyle, &mut Vec::new()).unwrap()).unwrap();
        assert_eq!(kept[1..], policy::shipped()[1..]);
        assert_ne!(kept[0], policy::shipped()[0]);
    }
}
