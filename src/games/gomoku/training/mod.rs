//! Self-play games of the engine, and fitting the evaluation to them.

mod fit;
mod selfplay;

use crate::games::training::{GameLine, Table, Training, Unfit};
use std::io::Write;

/// The training of gomoku's engine.
pub struct Gomoku;

impl Training for Gomoku {
    fn play(&self, nodes: u64, seed: u64) -> String {
        selfplay::write(&selfplay::play(nodes, &mut fastrand::Rng::with_seed(seed)))
    }

    fn fit(&self, games: &[GameLine], report: &mut dyn Write) -> Result<Vec<Table>, Unfit> {
        let read = |line: &GameLine| selfplay::read(line.text).map_err(|why| Unfit::BadGame(line.place.clone(), why));
        let games: Vec<selfplay::Game> = games.iter().map(read).collect::<Result<_, _>>()?;
        fit::fit(&games, report)
    }
}
