//! Proofs of wins by fours (VCF), then by fours and threes (VCT), which the user can try to refute.

use super::threats;
use super::vcf::Vcf;
use super::vct::Vct;
use crate::games::gomoku::Gomoku;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::Spot;
use crate::search::StopToken;
use crate::table::{Prover, State, Win, position_of};

/// The part of the budget that is used for fours alone.
const FOURS_SHARE: u64 = 4;

/// The two threat-space searches with their tables.
pub struct ThreatProver {
    fours: Vcf,
    threats: Vct,
}

impl ThreatProver {
    /// The winning line and the number of its plies, if one is found.
    pub fn line(&mut self, board: &mut Board, nodes: u64, stop: &StopToken) -> Option<(Vec<Spot>, usize)> {
        let budget = (nodes / FOURS_SHARE).max(1);
        if let Some(plies) = self.fours.wins(board, budget) {
            return Some((self.fours.line(board, budget), plies));
        }
        let proof = self.threats.proves(board, &mut self.fours, nodes, &mut || stop.is_stopped())?;
        Some((proof.line, proof.plies))
    }
}

impl Default for ThreatProver {
    /// A prover with empty tables.
    fn default() -> Self {
        ThreatProver { fours: Vcf::new(16), threats: Vct::new(18) }
    }
}

impl Prover for ThreatProver {
    fn prove(&mut self, state: &dyn State, nodes: u64, stop: &StopToken) -> Option<Win> {
        let board = position_of::<Gomoku>(state)?;
        let (line, plies) = self.line(&mut board.clone(), nodes, stop)?;
        Win::of::<Gomoku>(board, &line, plies as u32, only_moves)
    }
}

/// The only moves of the side to move that stop a direct threat; `None` if there is no threat.
pub fn only_moves(board: &Board) -> Option<Vec<Spot>> {
    threats::forced(board).map(|spots| spots.iter().collect())
}
