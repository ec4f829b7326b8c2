//! `train GAME network`: trains an engine's network on games.

use super::files::read_games;
use crate::training::{NetworkPlan, Training};
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
    /// The network to begin with, whose sizes are kept (xiangqi); without it the initial weights are random
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hidden", "outputs"])]
    from: Option<PathBuf>,
    /// The size of the hidden layer for each side's view, a multiple of 32 (xiangqi; 128 if not given)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(32..=512))]
    hidden: Option<u16>,
    /// The number of outputs; one is selected by the number of pieces (xiangqi; 8 if not given)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    outputs: Option<u16>,
    /// The number of passes over all positions
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    epochs: u16,
    /// The number of positions per step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    batch: u32,
    /// The learning rate of the first step; it falls to a hundredth along a cosine
    #[arg(long, value_name = "R", default_value_t = 1e-3, value_parser = part)]
    rate: f32,
    /// The weight of the game's result in the target of a position; the rest is the score of the search (xiangqi; gomoku learns the score alone)
    #[arg(long, value_name = "P", default_value_t = 0.3, value_parser = part)]
    result: f32,
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

/// A number from 0 to 1.
fn part(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|part| (0.0..=1.0).contains(part)).ok_or_else(|| "it must be between 0 and 1".to_owned())
}

pub fn run(game: &str, training: &dyn Training, args: &Args) -> Result<(), Failure> {
    if !args.out.is_dir() {
        return Err(Failure::usage(format!("--out {}: there is no such folder", args.out.display())));
    }
    let from = args
        .from
        .as_ref()
        .map(|path| std::fs::read(path).map_err(|error| Failure::usage(format!("--from {}: {error}", path.display()))));
    let plan = NetworkPlan {
        from: from.transpose()?,
        hidden: args.hidden.map(usize::from),
        outputs: args.outputs.map(usize::from),
        epochs: args.epochs.into(),
        batch: args.batch as usize,
        rate: args.rate,
        result_part: args.result,
        decay: args.decay,
        seed: args.seed,
        threads: args.threads.into(),
        out: args.out.clone(),
    };
    let trainer = training.network(plan).ok_or_else(|| Failure::usage(format!("{game} has no network")))?;
    let mut trainer = trainer.map_err(Failure::usage)?;
    let mut bad = None;
    read_games(game, &args.files, &mut |place, bytes| {
        if bad.is_none()
            && let Err(why) = trainer.add(bytes)
        {
            bad = Some(format!("{place}: {why}"));
        }
    })?;
    if let Some(why) = bad {
        return Err(Failure::usage(why));
    }
    Ok(trainer.train(&mut io::stderr())?)
}
