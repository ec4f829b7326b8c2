//! Plays games of gomoku and writes the standing table that fits them: `tune_gomoku GAMES NODES SEED TABLE`.

use std::fs::File;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [games, nodes, seed, table] = &words[..] else {
        return Err("usage: tune_gomoku GAMES NODES SEED TABLE".into());
    };
    let mut table = File::create(table)?;
    qiju::games::gomoku_tuning::tune(games.parse()?, nodes.parse()?, seed.parse()?, &mut table, &mut std::io::stderr())?;
    Ok(())
}
