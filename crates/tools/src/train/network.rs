//! `train GAME network`: trains an engine's network on games.

use super::files::read_games;
use super::part;
use crate::training::NetworkTrainer;
use crate::training::descent::Plan;
use qiju_core::terminal::Failure;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of games made by `selfplay`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder for the checkpoint, the loss curves and the network. In gomoku it keeps the searched positions too, and the same command continues them
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The number of passes over all positions
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    epochs: u16,
    /// The number of positions per step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    batch: u32,
    /// The learning rate of the first step; it falls to a hundredth along a cosine
    #[arg(long, value_name = "R", default_value_t = 1e-3, value_parser = part)]
    rate: f32,
    /// The weight decay, as a fraction of the learning rate; larger values suit few games
    #[arg(long, value_name = "D", default_value_t = 0.01, value_parser = part)]
    decay: f32,
    /// The seed of the initial weights and of the order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The number of threads
    #[arg(long, value_name = "T", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

impl Args {
    /// The plan of the training.
    ///
    /// # Errors
    /// There is no folder for its results.
    pub fn plan(&self) -> Result<Plan, Failure> {
        if !self.out.is_dir() {
            return Err(Failure::usage(format!("--out {}: there is no such folder", self.out.display())));
        }
        let (epochs, batch, threads) = (self.epochs.into(), self.batch as usize, self.threads.into());
        Ok(Plan { epochs, batch, rate: self.rate, decay: self.decay, seed: self.seed, threads, out: self.out.clone() })
    }
}

/// Reads the games, and trains.
pub fn run(game: &str, mut trainer: impl NetworkTrainer, args: &Args) -> Result<(), Failure> {
    read_games(game, &args.files, &mut |_, bytes| trainer.add(bytes))?;
    Ok(trainer.train(&mut io::stderr())?)
}
