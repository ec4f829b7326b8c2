//! Games of the engine against itself, and the weights of the evaluation fitted to them.

mod fit;
mod selfplay;

use crate::games::training::{GameLine, Table, Training, Unfit};
use std::io::Write;

/// What xiangqi's engine is trained by.
pub struct Xiangqi;

impl Training for Xiangqi {
    fn play(&self, nodes: u64, seed: u64) -> String {
        selfplay::write(&selfplay::play(nodes, &mut fastrand::Rng::with_seed(seed)))
    }

    fn fit(&self, games: &[GameLine], report: &mut dyn Write) -> Result<Vec<Table>, Unfit> {
        let mut samples = Vec::new();
        for line in games {
            let game = selfplay::read(line.text).map_err(|why| Unfit::BadGame(line.place.clone(), why))?;
            fit::add_samples(&game, &mut samples);
        }
        if samples.is_empty() {
            return Err(Unfit::NoPositions);
        }
        writeln!(report, "{} positions of {} games", samples.len(), games.len())?;
        let weights = fit::fit(&samples, fit::ROUNDS, report)?;
        Ok(vec![("weights.txt", fit::table(&weights))])
    }
}
