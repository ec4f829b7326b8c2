//! Trains the network on self-play games.
//!
//! Gradient descent (AdamW) on the squared difference between the network's winning chance and the target: a mean of the game's result and of the
//! search's score. All positions are in memory and shuffled in each epoch over all games; each is used as it is or mirrored, at
//! random. Whole games are used for validation, so no position of a training game is used to measure the result.

mod model;
mod sample;

use super::selfplay;
use crate::training::descent::{self, Objective, Plan, Telling};
use crate::training::{NetworkTrainer, Unfit};
use model::{STEEPNESS, Shape};
use qiju_core::games::xiangqi::engine::network::{HIDDEN_LARGEST, HIDDEN_STEP, Network, OUTPUTS_MOST};
use qiju_core::rules::zobrist;
use sample::Sample;
use std::io::Write;
use std::path::PathBuf;

/// One game in this many is used for validation, and the first.
const HELD_OUT: u64 = 40;

/// What is chosen for a network of xiangqi, besides the plan.
#[derive(clap::Args, Clone, Debug, PartialEq)]
pub struct Options {
    /// The network to begin with, whose number of outputs is kept; without it the initial weights are random
    #[arg(long, value_name = "FILE", conflicts_with = "outputs")]
    pub from: Option<PathBuf>,
    /// The size of the hidden layer for each side's view, a multiple of 32; by default that of the network to begin with, or 128
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(32..=512))]
    pub hidden: Option<u16>,
    /// The number of outputs; one is selected by the number of pieces
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=8))]
    pub outputs: u16,
    /// The weight of the game's result in the target of a position, from 0 to 1; the rest is the score of the search
    #[arg(long, value_name = "P", default_value_t = 0.3, value_parser = crate::train::part)]
    pub result: f32,
    /// Games that are not learnt from but measured, best with more nodes a move; without it one game in forty of the others
    #[arg(long, value_name = "FILE")]
    pub held_out: Option<PathBuf>,
}

/// A network in training, with its games.
pub struct Trainer {
    plan: Plan,
    shape: Shape,
    /// The network to begin with.
    from: Option<Network>,
    learnt: Vec<Sample>,
    held_out: Vec<Sample>,
    /// Whether some of the games learnt from are measured instead.
    holds_out: bool,
    games: u64,
}

impl Trainer {
    /// A trainer without games.
    ///
    /// # Errors
    /// The plan is not possible, with the reason.
    pub fn new(plan: Plan, options: &Options) -> Result<Trainer, String> {
        let from = options.from.as_ref().map(|path| {
            let bytes = std::fs::read(path).map_err(|error| error.to_string());
            bytes.and_then(|bytes| Network::read(&bytes)).map_err(|why| format!("--from {}: {why}", path.display()))
        });
        let from = from.transpose()?;
        let (least, outputs) = from.as_ref().map_or((128, options.outputs.into()), |network| (network.hidden, network.outputs));
        let hidden = options.hidden.map_or(least, usize::from);
        if from.is_some() && hidden < least {
            return Err(format!("a hidden layer of {hidden} is smaller than that of the network to begin with, {least}"));
        }
        if hidden == 0 || hidden > HIDDEN_LARGEST || !hidden.is_multiple_of(HIDDEN_STEP) {
            return Err(format!("a hidden layer of {hidden} is not a multiple of {HIDDEN_STEP} up to {HIDDEN_LARGEST}"));
        }
        if outputs == 0 || outputs > OUTPUTS_MOST {
            return Err(format!("{outputs} outputs are not between 1 and {OUTPUTS_MOST}"));
        }
        let shape = Shape { hidden, outputs, result_part: options.result };
        Ok(Trainer { plan, shape, from, learnt: Vec::new(), held_out: Vec::new(), holds_out: true, games: 0 })
    }

    /// Adds the positions of a game to those that are measured; then no game learnt from is.
    ///
    /// # Errors
    /// The game is invalid, with the reason.
    pub fn hold_out(&mut self, game: &[u8]) -> Result<(), String> {
        sample::add(&selfplay::read(game)?, &mut self.held_out);
        self.holds_out = false;
        Ok(())
    }

    /// The mean loss of the validation positions.
    fn measure(&self, weights: &[f32]) -> f64 {
        descent::total(self.held_out.len(), self.plan.threads, &|range| {
            let samples = self.held_out[range].iter().map(|sample| (sample, false));
            model::losses(self.shape, weights, &mut { samples }, None)
        }) / self.held_out.len() as f64
    }

    /// The scale of a logit of 1 for which the network's values have the same spread as the hand-written evaluation, because the margins of the search are tuned for that.
    fn scale(&self, weights: &[f32]) -> Result<i32, String> {
        const TRIAL: i32 = 1000;
        let network = self.shape.round(weights, TRIAL)?;
        let (mut hand, mut own) = (0.0, 0.0);
        for sample in self.held_out.iter().filter(|sample| sample.hand.abs() < 1000) {
            hand += f64::from(sample.hand).abs();
            own += f64::from(network.judge_board(&sample.board())).abs() / f64::from(TRIAL);
        }
        Ok(if own > 0.0 { ((hand / own).round() as i32).clamp(20, 2000) } else { STEEPNESS as i32 })
    }

    /// The mean loss of the hand-written evaluation on some positions at a given scale.
    fn hand_loss<'a>(&self, samples: impl ExactSizeIterator<Item = &'a Sample>, steepness: f32) -> f64 {
        let count = samples.len() as f64;
        let miss = |sample: &Sample| {
            let guess = model::chance(f32::from(sample.hand) / steepness);
            f64::from((guess - self.shape.aim(sample)).powi(2))
        };
        samples.map(miss).sum::<f64>() / count
    }

    /// The scale at which the hand-written evaluation fits the training positions best.
    fn hand_steepness(&self) -> f32 {
        let tried = (8..30).map(|tens| tens as f32 * 20.0);
        let losses = tried.map(|steepness| (self.hand_loss(self.learnt.iter().step_by(8), steepness), steepness));
        losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(STEEPNESS, |(_, steepness)| steepness)
    }
}

impl Objective for Trainer {
    fn examples(&self) -> usize {
        self.learnt.len()
    }

    fn learn(&self, weights: &[f32], examples: &[u32], noise: u64, slopes: &mut [f32]) -> f64 {
        let samples = examples.iter().map(|&at| {
            let mirrored = zobrist::mix(noise ^ u64::from(at)) & 1 == 1;
            (&self.learnt[at as usize], mirrored)
        });
        model::losses(self.shape, weights, &mut { samples }, Some(slopes))
    }

    fn held_out(&self, weights: &[f32]) -> Option<f64> {
        Some(self.measure(weights))
    }

    fn slices(&self) -> usize {
        16
    }

    fn rate(&self, done: f64) -> f64 {
        descent::cosine(done)
    }

    fn bounds(&self, _: usize) -> Vec<(usize, f32)> {
        self.shape.bounds().to_vec()
    }
}

impl NetworkTrainer for Trainer {
    fn add(&mut self, game: &[u8]) -> Result<(), String> {
        let game = selfplay::read(game)?;
        // The choice depends only on the moves of the game, so it stays the same when games are added. The first is taken, so that there is one.
        let key = game.plies.iter().take(40).fold(game.first_scored().hash(), |key, (mv, _)| zobrist::mix(key ^ u64::from(mv.0)));
        let held_out = self.holds_out && (self.games == 0 || key.is_multiple_of(HELD_OUT));
        let samples = if held_out { &mut self.held_out } else { &mut self.learnt };
        sample::add(&game, samples);
        self.games += 1;
        Ok(())
    }

    fn train(&mut self, report: &mut dyn Write) -> Result<(), Unfit> {
        if self.learnt.is_empty() || self.held_out.is_empty() {
            return Err(Unfit::NoPositions);
        }
        writeln!(
            report,
            "{} games: {} positions to learn from, {} held out",
            self.games,
            self.learnt.len(),
            self.held_out.len()
        )?;
        let steepness = self.hand_steepness();
        let hand = self.hand_loss(self.held_out.iter(), steepness);
        writeln!(report, "the hand-written evaluation: loss {hand:.6} on those held out, at a steepness of {steepness:.0}")?;
        let random = &mut fastrand::Rng::with_seed(zobrist::mix(self.plan.seed));
        let initial = match &self.from {
            Some(network) => self.shape.weights_of(network, random),
            None => self.shape.begin(random),
        };
        if self.from.is_some() {
            writeln!(report, "the network to begin with: loss {:.6} on those held out", self.measure(&initial))?;
        }
        let Shape { hidden, outputs, result_part } = self.shape;
        let telling = Telling {
            checkpoint: "checkpoint",
            name: format!("xiangqi's network hidden {hidden} outputs {outputs} result {result_part} games {}", self.games),
            every: 1,
            chart: Some(("hand-written, held out", hand)),
        };
        let weights = &descent::descend(self, initial, &self.plan, &telling, report)?;
        let scale = self.scale(weights).map_err(Unfit::Failed)?;
        let network = self.shape.round(weights, scale).map_err(Unfit::Failed)?;
        let path = self.plan.out.join("xiangqi.network");
        std::fs::write(&path, network.write())?;
        writeln!(report, "{} written; a logit of 1 is worth {scale} hundredths of a soldier", path.display())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::SelfPlay;
    use crate::training::descent::tests::StopAfter;
    use qiju_core::games::xiangqi::rules::board::Board;
    use qiju_core::table::Evaluation;
    use std::path::Path;

    fn plan(out: &Path, threads: usize, epochs: usize) -> Plan {
        Plan { epochs, batch: 256, rate: 4e-3, decay: 0.01, seed: 5, threads, out: out.to_owned() }
    }

    fn options() -> Options {
        Options { from: None, hidden: Some(32), outputs: 4, result: 0.3, held_out: None }
    }

    fn trained(plan: Plan, options: &Options, games: &[Vec<u8>]) -> String {
        let mut trainer = Trainer::new(plan, options).unwrap();
        games.iter().for_each(|game| trainer.add(game).unwrap());
        let mut report = Vec::new();
        trainer.train(&mut report).unwrap();
        String::from_utf8(report).unwrap()
    }

    fn loss(report: &str, epoch: usize) -> f64 {
        let line = report.lines().find(|line| line.starts_with(&format!("epoch {epoch}:"))).unwrap();
        line.split("loss ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap()
    }

    #[test]
    fn a_small_set_is_learnt_and_a_killed_training_continues() {
        let mut player = selfplay::Games::new(20, &Evaluation::Hand);
        let games: Vec<Vec<u8>> = (0..90).map(|seed| selfplay::write(&player.play(seed))).collect();
        let folders: Vec<_> = (0..5).map(|_| tempfile::tempdir().unwrap()).collect();
        let report = trained(plan(folders[0].path(), 2, 12), &options(), &games);
        let (first, last) = (loss(&report, 1), loss(&report, 12));
        assert!(last < 0.012 && last < first / 3.0, "{report}");
        let file = |folder: usize, name: &str| std::fs::read(folders[folder].path().join(name)).unwrap();
        let network = Network::read(&file(0, "xiangqi.network")).unwrap();
        assert_eq!((network.hidden, network.outputs), (32, 4));
        assert!(String::from_utf8(file(0, "losses.svg")).unwrap().contains("held out"));
        // One thread gives the same result.
        trained(plan(folders[1].path(), 1, 12), &options(), &games);
        assert_eq!(file(1, "xiangqi.network"), file(0, "xiangqi.network"));
        // A run that was killed after its fifth epoch.
        let mut trainer = Trainer::new(plan(folders[2].path(), 2, 12), &options()).unwrap();
        games.iter().for_each(|game| trainer.add(game).unwrap());
        assert!(trainer.train(&mut StopAfter::epoch(5)).is_err());
        let report = trained(plan(folders[2].path(), 2, 12), &options(), &games);
        assert!(report.contains("continued after epoch 5") && !report.contains("epoch 5:"), "{report}");
        assert_eq!(file(2, "xiangqi.network"), file(0, "xiangqi.network"));
        // A training that begins with a network begins with its weights and its sizes.
        let from = |name: &str, hidden| Options { from: Some(folders[0].path().join(name)), hidden, ..options() };
        let still = |folder: usize| Plan { rate: 0.0, ..plan(folders[folder].path(), 2, 1) };
        let report = trained(still(3), &from("xiangqi.network", None), &games);
        assert!(report.contains("the network to begin with: loss 0.0"), "{report}");
        assert_eq!(file(3, "xiangqi.network"), file(0, "xiangqi.network"));
        assert!(Trainer::new(still(3), &from("losses.svg", None)).is_err());
        assert!(Trainer::new(still(3), &from("xiangqi.network", Some(0))).is_err());
        // With a larger hidden layer it judges the same before it has learnt.
        trained(still(4), &from("xiangqi.network", Some(64)), &games);
        let wide = Network::read(&file(4, "xiangqi.network")).unwrap();
        assert_eq!(wide.hidden, 64);
        let board = Board::default();
        assert_eq!(wide.judge_board(&board), network.judge_board(&board));
        let new = wide.rows.chunks_exact(64).zip(network.rows.chunks_exact(32));
        assert!(new.clone().all(|(wide, row)| wide[..32] == *row) && new.clone().any(|(wide, _)| wide[32..] != [0; 32]));
        // Games of a file of their own are measured, and all others learnt from.
        let out = tempfile::tempdir().unwrap();
        let mut trainer = Trainer::new(plan(out.path(), 1, 1), &options()).unwrap();
        trainer.hold_out(&player.game(100).bytes).unwrap();
        let own = trainer.held_out.len();
        games.iter().for_each(|game| trainer.add(game).unwrap());
        assert!(own > 10 && trainer.held_out.len() == own && trainer.learnt.len() > 10 * own, "{own}");
        // A checkpoint of another plan is refused.
        let mut trainer = Trainer::new(plan(folders[2].path(), 2, 13), &options()).unwrap();
        games.iter().for_each(|game| trainer.add(game).unwrap());
        let told = trainer.train(&mut Vec::new()).unwrap_err().to_string();
        assert!(told.contains("another training"), "{told}");
    }

    #[test]
    fn what_cannot_be_trained_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let new = |options| Trainer::new(plan(folder.path(), 1, 1), &options);
        assert!(new(Options { hidden: Some(40), ..options() }).err().unwrap().contains("multiple of 32"));
        assert!(new(Options { outputs: 9, ..options() }).err().unwrap().contains("between 1 and 8"));
        let mut trainer = new(options()).unwrap();
        assert!(trainer.add(b"no game").is_err());
        assert!(matches!(trainer.train(&mut Vec::new()), Err(Unfit::NoPositions)));
    }
}
