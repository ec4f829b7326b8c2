//! `train`: plays training games and fits evaluations to them. Only with the feature `training`.

use super::failure::Failure;
use super::output::{aside, count};
use crate::games::training::{self, GameLine, Training};
use crate::games::{self, Entry, REGISTRY};
use crate::rules::zobrist;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Plays training games and fits evaluations to them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: xiangqi or gomoku
    game: String,
    #[command(subcommand)]
    work: Work,
}

#[derive(clap::Subcommand, Debug)]
enum Work {
    /// Let the engine play against itself, a game a line; goes on where an earlier run of the same file stopped
    Selfplay(Selfplay),
    /// Fit the evaluation to games and write its tables
    Evaluation(Evaluation),
}

#[derive(clap::Args, Debug)]
struct Selfplay {
    /// Games the file is to hold in the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// Positions to visit for each move
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Every seed gives other games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Where the games go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args, Debug)]
struct Evaluation {
    /// Files of games, as `selfplay` writes them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder the tables go to
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let game: &Entry = games::find(&args.game)?;
    let training = training::of(game.key).ok_or_else(|| {
        let some = REGISTRY.iter().map(|entry| entry.key).filter(|key| training::of(key).is_some()).collect::<Vec<_>>();
        Failure::usage(format!("{} has nothing to train; {} have", game.key, some.join(" and ")))
    })?;
    match &args.work {
        Work::Selfplay(args) => selfplay(training, args),
        Work::Evaluation(args) => evaluation(training, args),
    }
}

/// An error of a file, with its name.
fn at(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::work(format!("{}: {error}", path.display()))
}

/// The whole lines of a file that a run has left, and how many bytes they take: a line without an end was cut off.
fn finished(path: &Path) -> io::Result<(u64, u64)> {
    match fs::read(path) {
        Ok(bytes) => {
            let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            Ok((bytes[..end].iter().filter(|byte| **byte == b'\n').count() as u64, end as u64))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((0, 0)),
        Err(error) => Err(error),
    }
}

fn selfplay(training: &dyn Training, args: &Selfplay) -> Result<(), Failure> {
    let (done, length) = finished(&args.out).map_err(at(&args.out))?;
    let mut file = OpenOptions::new().create(true).append(true).open(&args.out).map_err(at(&args.out))?;
    file.set_len(length).map_err(at(&args.out))?;
    if done > 0 {
        aside(&format!("{} games are there already", count(done)));
    }
    let started = Instant::now();
    let mut told = started;
    for number in done..args.games {
        // Each game has a seed of its own, so a run that was cut off goes on with the games it would have played.
        let game = training.play(args.nodes, zobrist::mix(args.seed ^ zobrist::mix(number)));
        file.write_all(format!("{game}\n").as_bytes()).map_err(at(&args.out))?;
        if told.elapsed().as_secs() >= 5 || number + 1 == args.games {
            told = Instant::now();
            let each = started.elapsed().as_secs_f64() / (number + 1 - done) as f64;
            let left = each * (args.games - number - 1) as f64;
            aside(&format!("{} of {} games, {left:.0} s left", count(number + 1), count(args.games)));
        }
    }
    Ok(())
}

fn evaluation(training: &dyn Training, args: &Evaluation) -> Result<(), Failure> {
    if !args.out.is_dir() {
        return Err(Failure::usage(format!("--out {}: there is no such folder", args.out.display())));
    }
    let mut texts = Vec::new();
    for path in &args.files {
        texts.push((path, fs::read_to_string(path).map_err(at(path))?));
    }
    let lines = texts.iter().flat_map(|(path, text)| {
        let numbered = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        numbered.map(move |(number, text)| GameLine { place: format!("{}:{number}", path.display()), text })
    });
    let games: Vec<GameLine> = lines.collect();
    let tables = training.fit(&games, &mut io::stderr()).map_err(|error| match error {
        training::Unfit::BadGame(..) | training::Unfit::NoPositions => Failure::usage(error.to_string()),
        training::Unfit::Report(_) => Failure::work(error.to_string()),
    })?;
    for (name, text) in tables {
        let path = args.out.join(name);
        fs::write(&path, text).map_err(at(&path))?;
        aside(&format!("{} written", path.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_was_cut_off_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("games.txt");
        let run = |games| {
            let args = Selfplay { games, nodes: 100, seed: 7, out: out.clone() };
            selfplay(training::of("gomoku").unwrap(), &args).unwrap();
            fs::read_to_string(&out).unwrap()
        };
        let whole = run(3);
        assert_eq!(whole.lines().count(), 3);
        let second = whole.match_indices('\n').nth(1).unwrap().0;
        fs::write(&out, &whole[..second - 5]).unwrap();
        assert_eq!(run(3), whole);
        assert_eq!(run(2), whole, "a file that holds more is left as it is");
    }
}
