//! The positions that a network learns from.

use crate::games::gomoku::engine::evaluation;
use crate::games::gomoku::engine::network::{Inputs, set_of};
use crate::games::gomoku::engine::standing::Standing;
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::training::selfplay::Game;
use crate::games::gomoku::training::targets::{chance_of, goals, is_quiet};
use crate::rules::Position;

use super::model::STEEPNESS;

/// The number of stones of the first position that is used.
const OPENING: usize = 4;

/// A position.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its set of weights.
    pub set: u8,
    /// The evaluation by values for the side to move, as a logit.
    pub base: f32,
    /// The winning chance to learn.
    pub target: f32,
    /// The inputs of its points, in order, with the number of points that have them.
    pub points: Box<[(Inputs, u8)]>,
}

impl Sample {
    /// A position as the network sees it.
    pub fn of(board: &Board, standing: &Standing, target: f32) -> Sample {
        let mut all = Vec::new();
        Inputs::all(board, |inputs| all.push(inputs));
        all.sort_unstable();
        let points = all.chunk_by(|a, b| a == b).map(|same| (same[0], same.len().min(255) as u8)).collect();
        let base = evaluation::evaluate(board, standing, None, evaluation::WHOLE) as f32 / STEEPNESS;
        Sample { set: set_of(board.rule(), board.side_to_move()) as u8, base, target, points }
    }
}

/// The quiet positions of a game. The target is `later` of the mean of later scores and of the result, and the rest the position's own score.
pub fn samples(game: &Game, later: f32, fours: &mut Vcf) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut board = game.start();
    let mut standing = Standing::of(&board);
    game.opening.iter().for_each(|&spot| standing.make(&mut board, spot));
    for (ply, goal) in game.plies.iter().zip(goals(game)) {
        if board.stone_count() >= OPENING && is_quiet(&mut board, fours) {
            let target = later * goal as f32 + (1.0 - later) * chance_of(ply.score) as f32;
            samples.push(Sample::of(&board, &standing, target));
        }
        standing.make(&mut board, ply.played);
    }
    samples
}
