//! Self-play games of the engine, fitting the weights of the evaluation to them, and training a network on them.

pub mod endings;
mod fit;
pub mod network;
mod selfplay;

use crate::training::{SelfPlay, StoredGame, Table, Training, Unfit};
use qiju_core::games::xiangqi::engine::network::loading;
use qiju_core::games::xiangqi::engine::parameters::Parameters;
use qiju_core::search::Parameter;
use qiju_core::storage::crc32;
use qiju_core::table::Evaluation;
use std::io::Write;
use std::path::Path;

/// The training of xiangqi's engine.
pub struct Xiangqi;

impl Training for Xiangqi {
    fn selfplay(&self, nodes: u64, evaluation: &Evaluation) -> Box<dyn SelfPlay> {
        Box::new(selfplay::Games::new(nodes, evaluation))
    }

    fn network_sum(&self, evaluation: &Evaluation) -> Result<Option<u32>, String> {
        Ok(loading::network(evaluation)?.map(|network| crc32([&network.write()[..]])))
    }

    fn fit(&self, games: &[StoredGame], folder: &Path, report: &mut dyn Write) -> Result<Vec<Table>, Unfit> {
        let mut samples = Vec::new();
        for stored in games {
            let game = selfplay::read(&stored.bytes).map_err(|why| Unfit::BadGame(stored.place.clone(), why))?;
            fit::add_samples(&game, &mut samples);
        }
        if samples.is_empty() {
            return Err(Unfit::NoPositions);
        }
        writeln!(report, "{} positions of {} games", samples.len(), games.len())?;
        let weights = fit::fit(&samples, games.len(), fit::EPOCHS, folder, report)?;
        Ok(vec![("weights.txt", fit::table(&weights))])
    }

    fn parameters(&self) -> &'static [Parameter] {
        Parameters::ALL
    }
}
