//! Self-play games of the engine, fitting the values of the evaluation and of move ordering to leaves of searches from them, and training a network on these leaves.

mod fit;
pub mod network;
mod ordering;
pub mod positions;
pub mod proof;
mod selfplay;

use crate::training::archive::Record;
use crate::training::{SelfPlay, StoredGame, Table, Training, Unfit};
use positions::NODES;
use qiju_core::games::gomoku::engine::engine::GomokuEngine;
use qiju_core::games::gomoku::engine::network::loading;
use qiju_core::games::gomoku::engine::parameters::Parameters;
use qiju_core::search::Parameter;
use qiju_core::storage::crc32;
use qiju_core::table::Evaluation;
use std::io::Write;
use std::path::Path;

/// The training of gomoku's engine.
pub struct Gomoku;

impl Training for Gomoku {
    fn selfplay(&self, nodes: u64, evaluation: &Evaluation) -> Box<dyn SelfPlay> {
        Box::new(Games { nodes, engine: selfplay::engine(evaluation) })
    }

    fn network_sum(&self, evaluation: &Evaluation) -> Result<Option<u32>, String> {
        Ok(loading::network(evaluation)?.map(|network| crc32([&network.write()[..]])))
    }

    fn parameters(&self) -> &'static [Parameter] {
        Parameters::ALL
    }

    fn fit(&self, games: &[StoredGame], folder: &Path, report: &mut dyn Write) -> Result<Vec<Table>, Unfit> {
        let read = |game: &StoredGame| {
            let line = std::str::from_utf8(&game.bytes).map_err(|_| "the game is no text".to_owned());
            line.and_then(selfplay::read).map_err(|why| Unfit::BadGame(game.place.clone(), why))
        };
        let games: Vec<selfplay::Game> = games.iter().map(read).collect::<Result<_, _>>()?;
        fit::fit(&games, NODES, folder, report)
    }
}

/// Games at so many nodes a move.
struct Games {
    nodes: u64,
    engine: GomokuEngine,
}

impl SelfPlay for Games {
    fn game(&mut self, seed: u64) -> Record {
        let game = selfplay::play(&mut self.engine, self.nodes, &mut fastrand::Rng::with_seed(seed));
        Record { bytes: selfplay::write(&game).into_bytes(), positions: game.plies.len() as u32 }
    }
}
