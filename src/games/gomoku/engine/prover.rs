//! Proofs by fours, then by fours and threes, for those who want to try to refute them.

use super::threats;
use super::vcf::Vcf;
use super::vct::Vct;
use crate::games::gomoku::rules::board::{Board, Spot};
use crate::rules::Position;
use crate::search::{Proof, Prover, StopToken};

/// Part of the budget that is tried with fours alone.
const FOURS_SHARE: u64 = 4;

/// The two searches for threats, with what they know.
pub struct ThreatProver {
    fours: Vcf,
    threats: Vct,
}

impl ThreatProver {
    /// A prover that knows nothing yet.
    pub fn new() -> Self {
        ThreatProver { fours: Vcf::new(16), threats: Vct::new(18) }
    }
}

impl Prover<Board> for ThreatProver {
    fn prove(&mut self, position: &Board, nodes: u64, stop: &StopToken) -> Option<Proof<Spot>> {
        if position.outcome().is_some() {
            return None;
        }
        let mut board = position.clone();
        let budget = (nodes / FOURS_SHARE).max(1);
        if let Some(plies) = self.fours.wins(&mut board, budget) {
            return Some(Proof { line: self.fours.line(&board, budget), plies });
        }
        let proof = self.threats.proves(&mut board, &mut self.fours, nodes, &mut || stop.is_stopped())?;
        Some(Proof { line: proof.line, plies: proof.length })
    }

    fn only_moves(&self, position: &Board) -> Option<Vec<Spot>> {
        threats::forced(position).map(|spots| spots.iter().collect())
    }
}
