//! Plays games of gomoku and writes the tables of standing and of stances that fit them: `tune_gomoku GAMES NODES SEED STANDING STANCES`.

use std::fs::File;
use std::io::stderr;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [games, nodes, seed, standing, stances] = &words[..] else {
        return Err("usage: tune_gomoku GAMES NODES SEED STANDING STANCES".into());
    };
    let (mut standing, mut stances) = (File::create(standing)?, File::create(stances)?);
    qiju::games::gomoku_tuning::tune(games.parse()?, nodes.parse()?, seed.parse()?, &mut standing, &mut stances, &mut stderr())?;
    Ok(())
}
