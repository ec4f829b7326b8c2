//! What the positions of games say: the target of a position is a mean of the search scores of this and the later positions, with decreasing weight, and of the final result. It stops before
//! a random move, because the moves after that say nothing about the position. These are the returns of TD(λ) (Sutton, 1988).

use super::selfplay::{Game, PROVEN};
use crate::games::gomoku::engine::threats;
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::training::chance;
use crate::rules::Position;

/// The scale of the scores; about three times this is a certain win.
pub const SCALE: f64 = 250.0;
/// The weight of a position's own score in its target; the rest is from the later positions.
const TRUST: f64 = 0.3;
/// The node budget of the search for a win by fours that makes a position not quiet.
const FOURS: u64 = 200;

/// The winning chance of a score.
pub fn chance_of(score: i32) -> f64 {
    if score >= PROVEN { 1.0 } else { chance(f64::from(score), SCALE) }
}

/// The target of each ply, for its side to move.
pub fn goals(game: &Game) -> Vec<f64> {
    let mut goals = vec![0.5; game.plies.len()];
    let mut next: Option<f64> = None;
    for (at, ply) in game.plies.iter().enumerate().rev() {
        let mover = (game.opening.len() + at) % 2;
        let after = match next {
            Some(after) => 1.0 - after,
            None if game.winner > 1 => 0.5,
            None => f64::from(u8::from(game.winner == mover)),
        };
        let own = chance_of(ply.score);
        let goal = if ply.played != ply.best || ply.score >= PROVEN { own } else { TRUST * own + (1.0 - TRUST) * after };
        goals[at] = goal;
        next = Some(goal);
    }
    goals
}

/// True if neither side has a five to make or an open four, and the side to move no win by fours that is found with few nodes.
pub fn is_quiet(board: &mut Board, fours: &mut Vcf) -> bool {
    threats::forced(board).is_none()
        && board.count(board.side_to_move(), Class::OpenFour) == 0
        && fours.wins(board, FOURS).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::training::selfplay;

    #[test]
    fn a_target_includes_scores_up_to_the_first_random_move() {
        let game = selfplay::read("w h8i9 g7:0 h9:250 j10:0:a1 f6:10000").unwrap();
        let goals = goals(&game);
        // White won and moves second and fourth. The random move of black separates the earlier positions from the result.
        assert_eq!((goals[3], goals[2]), (1.0, 0.5));
        let second = TRUST * chance_of(250) + (1.0 - TRUST) * 0.5;
        assert!((goals[1] - second).abs() < 1e-6, "{goals:?}");
        assert!((goals[0] - (TRUST * 0.5 + (1.0 - TRUST) * (1.0 - second))).abs() < 1e-6, "{goals:?}");
    }
}
