//! Positions of searches, each with a judgement of a longer search.
//!
//! What the values have to judge are the leaves of a search, and those look different from the positions of games: one side has made bad moves, threats are not answered. So the positions
//! of a game are searched with few nodes, and some leaves of each search, drawn at random, are searched again on their own.
//!
//! This takes hours for many games, so the leaves are kept in a file in the folder of the results, and the same command continues it. It is an [archive] with a record for each game: for each leaf
//! a line `PLY MOVES BEST SCORE`, with the ply of the game that was searched, the moves from there to the leaf, and the best move and the score of its own search.

use super::selfplay::{self, Game, PROVEN};
use crate::training::Unfit;
use crate::training::archive::{self, Archive, Label, Record};
use qiju_core::games::gomoku::engine::engine::GomokuEngine;
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::classes::Class;
use qiju_core::games::gomoku::rules::notation;
use qiju_core::games::gomoku::rules::rule::Rule;
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::{History, Position};
use qiju_core::search::Engine;
use qiju_core::storage::crc32;
use qiju_core::table::Evaluation;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// The nodes of the searches of this command.
pub const NODES: Nodes = Nodes { searching: 4000, judging: 12_000 };
/// The name of the file of leaves.
const FILE: &str = "leaves.games";
/// The number of stones of the first position that is learnt from.
const OPENING: usize = 5;
/// One game in this many is used for validation only.
const TESTED: usize = 16;
/// Games between two lines of progress.
const STRIDE: usize = 500;

/// The nodes of the search from which leaves are drawn, and of the search of each leaf.
#[derive(Clone, Copy, Debug)]
pub struct Nodes {
    pub searching: u64,
    pub judging: u64,
}

/// A leaf of a search.
pub struct Judged {
    pub rule: Rule,
    /// The board's lines.
    pub lines: u8,
    /// All moves from the empty board.
    pub moves: Box<[Spot]>,
    /// The best move of its search, and the score for the side to move.
    pub best: Spot,
    pub score: i32,
    /// Whether it is used for validation only.
    pub tested: bool,
}

impl Judged {
    /// The board, that before the last move, and so on.
    pub fn boards<const N: usize>(&self) -> [Board; N] {
        let mut board = Board::new(self.rule, self.lines);
        self.moves.iter().for_each(|&spot| board.make(spot));
        let mut moves = self.moves.iter().rev();
        std::array::from_fn(|back| {
            if back > 0 {
                moves.next().into_iter().for_each(|&spot| board.unmake(spot, ()));
            }
            board.clone()
        })
    }
}

/// Whether the values learn from such a position: the evaluation is asked in it, since there is no five to make or to stop and no open four to make, and the game has begun.
pub fn is_learnt(board: &Board) -> bool {
    let side = board.side_to_move();
    let threats = [(side, Class::Five), (!side, Class::Five), (side, Class::OpenFour)];
    board.stone_count() >= OPENING && threats.iter().all(|&(side, class)| !board.has(side, class))
}

/// The judged leaves of these games, in their order. The same games give the same leaves. What the folder already has is not searched again.
///
/// # Errors
/// The file of leaves is of other games, is damaged or cannot be written, or the report cannot be written.
pub fn of_searches(games: &[Game], nodes: Nodes, folder: &Path, report: &mut dyn Write) -> Result<Vec<Judged>, Unfit> {
    let path = folder.join(FILE);
    let failed = |why: String| Unfit::Failed(format!("{}: {why}", path.display()));
    let lines: Vec<String> = games.iter().map(selfplay::write).collect();
    let sum = crc32(lines.iter().map(|line| line.as_bytes()));
    let label = Label { game: "gomoku-leaves".to_owned(), nodes: nodes.judging, seed: sum.into(), network: None };
    let mut file = Archive::open(&path, &label).map_err(|error| failed(error.to_string()))?;
    let done = file.found.games as usize;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    writeln!(report, "judging leaves of searches of {} games, {done} of them are done, on {threads} threads", games.len())?;
    let next = AtomicUsize::new(done);
    std::thread::scope(|scope| {
        let (to_file, finished) = mpsc::sync_channel(4 * threads);
        for _ in 0..threads {
            let (to_file, next) = (to_file.clone(), &next);
            scope.spawn(move || {
                let (mut searcher, mut judge) = (selfplay::engine(&Evaluation::Own), selfplay::engine(&Evaluation::Own));
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(number) else { return };
                    let record = of_game(number, game, nodes, &mut searcher, &mut judge);
                    if to_file.send((number as u64, vec![record])).is_err() {
                        return;
                    }
                }
            });
        }
        drop(to_file);
        let mut written = done;
        file.add_in_order(finished, |_| {
            written += 1;
            if written.is_multiple_of(STRIDE) { writeln!(report, "{written} games") } else { Ok(()) }
        })
    })?;
    let mut judged = Vec::new();
    let mut bad = None;
    archive::read(&path, &mut |number, bytes| {
        let number = number as usize - 1;
        let leaves = games.get(number).zip(std::str::from_utf8(bytes).ok()).and_then(|(game, text)| read(number, game, text));
        match leaves {
            Some(leaves) => judged.extend(leaves),
            None => bad = bad.or(Some(number + 1)),
        }
    })
    .map_err(|error| failed(error.to_string()))?;
    match bad {
        Some(number) => Err(failed(format!("the leaves of game {number} are malformed"))),
        None => Ok(judged),
    }
}

/// The leaves of a game.
fn of_game(number: usize, game: &Game, nodes: Nodes, searcher: &mut GomokuEngine, judge: &mut GomokuEngine) -> Record {
    // So the result does not depend on the thread.
    searcher.forget();
    judge.forget();
    let (mut text, mut positions) = (String::new(), 0);
    let mut history = History::new(game.start());
    game.opening.iter().for_each(|&spot| history.push(spot));
    for (ply, played) in game.plies.iter().enumerate() {
        let lines = if played.score.abs() < PROVEN {
            searcher.leaves(history.current(), nodes.searching, (number as u64) << 16 | ply as u64)
        } else {
            Vec::new()
        };
        for line in lines {
            let mut leaf = history.clone();
            line.iter().for_each(|&spot| leaf.push(spot));
            if leaf.current().outcome().is_none()
                && let Some((best, score)) = selfplay::think(judge, &leaf, nodes.judging)
            {
                let moves: String = line.iter().map(Spot::to_string).collect();
                text += &format!("{ply} {moves} {best} {score}\n");
                positions += 1;
            }
        }
        history.push(played.played);
    }
    // A record holds 65 535 bytes, about twice as much as the longest games need.
    let end = text[..text.len().min(usize::from(u16::MAX))].rfind('\n').map_or(0, |end| end + 1);
    text.truncate(end);
    Record { bytes: text.into_bytes(), positions }
}

/// Reads the leaves of a game.
fn read(number: usize, game: &Game, text: &str) -> Option<Vec<Judged>> {
    let mut board = game.start();
    let lines = board.size();
    let leaf = |line: &str| {
        let mut words = line.split(' ');
        let ply: usize = words.next()?.parse().ok()?;
        let before = game.opening.iter().copied().chain(game.plies.get(..ply)?.iter().map(|ply| ply.played));
        let after = notation::names(words.next()?);
        let moves: Box<[Spot]> =
            before.map(Some).chain(after.iter().map(|(_, name)| Spot::from_name(name, lines))).collect::<Option<_>>()?;
        let made = moves
            .iter()
            .take_while(|&&spot| board.outcome().is_none() && board.is_legal(spot).then(|| board.make(spot)).is_some())
            .count();
        moves[..made].iter().rev().for_each(|&spot| board.unmake(spot, ()));
        if made < moves.len() {
            return None;
        }
        let (best, score) = (Spot::from_name(words.next()?, lines)?, words.next()?.parse().ok()?);
        Some(Judged { rule: game.rule, lines, moves, best, score, tested: number.is_multiple_of(TESTED) })
    };
    text.lines().map(leaf).collect()
}
