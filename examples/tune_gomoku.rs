//! Plays games of gomoku and fits the tables of standing and of stances to them:
//! `tune_gomoku games GAMES NODES SEED FILE`, then `tune_gomoku fit STANDING STANCES FILE..`.

use qiju::games::gomoku_training::{selfplay, tuning};
use std::fs::{File, read_to_string};
use std::io::{BufWriter, Write, stderr};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["games", games, nodes, seed, file] => {
            let (games, nodes): (usize, u64) = (games.parse()?, nodes.parse()?);
            let mut random = fastrand::Rng::with_seed(seed.parse()?);
            let mut out = BufWriter::new(File::create(file)?);
            for _ in 0..games {
                selfplay::write(&selfplay::play(nodes, &mut random), &mut out)?;
            }
            out.flush()?;
        }
        ["fit", standing, stances, files @ ..] if !files.is_empty() => {
            let mut games = Vec::new();
            for file in files {
                for (index, line) in read_to_string(file)?.lines().enumerate() {
                    games.push(selfplay::read(line).map_err(|why| format!("{file}:{}: {why}", index + 1))?);
                }
            }
            let (mut standing, mut stances) = (File::create(standing)?, File::create(stances)?);
            tuning::fit(&games, &mut standing, &mut stances, &mut stderr())?;
        }
        _ => return Err("usage: tune_gomoku games GAMES NODES SEED FILE, or tune_gomoku fit STANDING STANCES FILE..".into()),
    }
    Ok(())
}
