//! The engine and the prover of the game with the proof that comes with the program: where it answers, nothing is searched.

use super::shipped::{Answer, Player};
use crate::games::gomoku::Gomoku;
use crate::games::gomoku::engine::engine::GomokuEngine;
use crate::games::gomoku::engine::prover::{ThreatProver, only_moves};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::History;
use crate::search::{Engine, Info, Job, Score, StopToken};
use crate::table::{EngineOptions, Prover, State, Win, position_of};
use web_time::Instant;

/// The plies to the five at most.
fn plies(answer: &Answer) -> Option<usize> {
    answer.moves.map(|moves| usize::from(moves.max(1)) * 2 - 1)
}

/// The engine of the game: it plays from the proof if it may, and else it searches.
pub struct ProofEngine {
    player: Player,
    engine: GomokuEngine,
}

impl ProofEngine {
    /// An engine with these options.
    pub fn new(options: &EngineOptions) -> ProofEngine {
        ProofEngine { player: Player::default(), engine: GomokuEngine::new(options) }
    }
}

impl Engine<Board> for ProofEngine {
    fn think(&mut self, root: &History<Board>, job: Job<'_, Spot>) -> Option<Spot> {
        let started = Instant::now();
        let answer = job.from_proof.then(|| self.player.next(root.current())).flatten();
        let answer = answer.filter(|answer| !job.left_out.contains(&answer.spot));
        let Some(answer) = answer else { return self.engine.think(root, job) };
        if let Some(plies) = plies(&answer) {
            let info = Info::new(plies, plies, Score::win_in(plies).value(), vec![answer.spot]);
            (job.info)(Info { nodes: 1, time: started.elapsed(), ..info });
        }
        Some(answer.spot)
    }

    fn forget(&mut self) {
        self.player = Player::default();
        self.engine.forget();
    }
}

/// The prover.
pub struct ProofProver {
    player: Player,
    threats: ThreatProver,
}

impl Default for ProofProver {
    /// A prover with empty tables.
    fn default() -> ProofProver {
        ProofProver { player: Player::default(), threats: ThreatProver::default() }
    }
}

impl Prover for ProofProver {
    fn prove(&mut self, state: &dyn State, nodes: u64, stop: &StopToken) -> Option<Win> {
        let board = position_of::<Gomoku>(state)?;
        match self.player.next(board).and_then(|answer| Some((answer.spot, plies(&answer)?))) {
            Some((spot, plies)) => Win::of::<Gomoku>(board, &[spot], plies as u32, only_moves),
            None => self.threats.prove(state, nodes, stop),
        }
    }
}
