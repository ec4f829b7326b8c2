//! The opening book: moves that our engine found about equally good, with weights, for variety.
//!
//! It is made by the engine itself and depends only on the seed:
//!
//! ```text
//! QIJU_BOOK="positions=400 nodes=200000 plies=10 seed=1 out=assets/books/xiangqi.book.txt" cargo test --no-default-features --lib build_the_book -- --ignored --nocapture
//! ```
//!
//! A line is a position's key in hexadecimal, then moves with their weights. The mirror image of a position is
//! found too.

use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::notation;
use crate::rules::Position;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The built-in book.
const TEXT: &str = include_str!("../../../../assets/books/xiangqi.book.txt");

/// Moves by position.
type Pages = HashMap<u64, Vec<(String, u32)>>;

static PAGES: LazyLock<Pages> = LazyLock::new(|| parse(TEXT));

/// Invalid lines are ignored.
fn parse(text: &str) -> Pages {
    let mut pages = Pages::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let Some(key) = words.next().and_then(|word| u64::from_str_radix(word, 16).ok()) else { continue };
        let mut moves = Vec::new();
        while let (Some(mv), Some(weight)) = (words.next(), words.next()) {
            if let Ok(weight) = weight.parse() {
                moves.push((mv.to_owned(), weight));
            }
        }
        pages.insert(key, moves);
    }
    pages
}

/// The mirror image of a position (left and right swapped).
fn mirrored(board: &Board) -> Option<Board> {
    let text = board.text();
    let (pieces, rest) = text.split_once(' ')?;
    let pieces: Vec<String> = pieces.split('/').map(|rank| rank.chars().rev().collect()).collect();
    Board::parse(&format!("{} {rest}", pieces.join("/"))).ok()
}

/// The mirror image of a move.
fn mirrored_move(mv: Move) -> Move {
    let flip = |at: usize| at / 9 * 9 + 8 - at % 9;
    Move::new(flip(mv.from()), flip(mv.to()))
}

/// A move of the book, chosen by weight; the same `seed` chooses the same.
pub fn choose(board: &Board, seed: u64) -> Option<Move> {
    let look = |board: &Board| -> Option<Move> {
        let moves = PAGES.get(&board.key())?;
        let mut left = fastrand::Rng::with_seed(seed ^ board.key()).u32(0..moves.iter().map(|m| m.1).sum::<u32>().max(1));
        let (text, _) = moves.iter().find(|(_, weight)| {
            let found = left < *weight;
            left = left.wrapping_sub(*weight);
            found
        })?;
        notation::read(board, text).ok()
    };
    look(board).or_else(|| look(&mirrored(board)?).map(mirrored_move)).filter(|&mv| board.is_legal(mv))
}

#[cfg(test)]
mod tests {
    use super::super::engine::XiangqiEngine;
    use super::*;
    use crate::rules::History;
    use crate::search::{Engine, Job, Limits, StopToken, Value};
    use crate::table::EngineOptions;
    use std::collections::HashSet;

    /// The largest difference to the best move, in hundredths of a soldier; it is larger for the first moves.
    fn slack(board: &Board) -> i32 {
        let number: i32 = board.text().rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(1);
        22 + 20 * (3 - number).max(0)
    }

    fn setting(settings: &str, name: &str, default: u64) -> u64 {
        let found = settings.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
        found.unwrap_or(default)
    }

    #[test]
    #[ignore = "searches hundreds of positions; see the head of the file"]
    fn build_the_book() {
        let settings = std::env::var("QIJU_BOOK").unwrap_or_default();
        let get = |name, default| setting(&settings, name, default);
        let (positions, nodes, plies) = (get("positions", 400), get("nodes", 200_000), get("plies", 10));
        let out = settings.split_whitespace().find_map(|word| word.strip_prefix("out=")).unwrap_or("book.txt").to_owned();
        let mut engine = XiangqiEngine::new(&EngineOptions { hash_mb: 16, multipv: 8, ..EngineOptions::default() });
        let mut random = fastrand::Rng::with_seed(get("seed", 1));
        let mut seen = HashSet::new();
        let mut lines = Vec::new();
        let mut waiting = std::collections::VecDeque::from([Board::default()]);
        while let Some(board) = waiting.pop_front() {
            let mirror = mirrored(&board).map_or(board.key(), |mirror| mirror.key());
            if lines.len() as u64 >= positions || seen.contains(&board.key()) || seen.contains(&mirror) {
                continue;
            }
            seen.insert(board.key());
            let mut found: Vec<(Move, i32)> = Vec::new();
            let mut depth = 0;
            let mut tell = |info: crate::search::Info<Move>| {
                if info.depth != depth {
                    depth = info.depth;
                    found.clear();
                }
                if let (Some(&mv), Value::Cp(cp)) = (info.pv.first(), info.value) {
                    found.push((mv, cp));
                }
            };
            let job = Job { limits: Limits::nodes(nodes), left_out: Vec::new(), stop: StopToken::new(), info: &mut tell };
            if engine.think(&History::new(board.clone()), job).is_none() {
                continue;
            }
            let best = found.iter().map(|(_, cp)| *cp).max().unwrap_or(0);
            if best.abs() > 120 {
                continue;
            }
            let slack = slack(&board);
            let mut line = format!("{:016x}", board.key());
            found.retain(|(_, cp)| best - cp <= slack);
            random.shuffle(&mut found);
            for &(mv, cp) in &found {
                line += &format!(" {mv} {}", slack + 4 - (best - cp));
                let mut next = board.clone();
                next.apply(mv);
                let ply = 2 * next.text().rsplit(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(1);
                if ply <= plies + 1 {
                    waiting.push_back(next);
                }
            }
            lines.push(line);
        }
        lines.sort();
        let head = "# The opening book, by our own engine: key, then moves with weights; built by build_the_book in book.rs.\n";
        std::fs::write(&out, format!("{head}{}\n", lines.join("\n"))).expect("the book is written");
        println!("{} positions", lines.len());
    }

    #[test]
    fn the_book_has_variety_and_only_legal_moves() {
        assert!(PAGES.len() > 50, "{} positions", PAGES.len());
        let start = Board::default();
        let openings: HashSet<String> = (0..60).filter_map(|seed| choose(&start, seed)).map(|mv| mv.to_string()).collect();
        assert!(openings.len() > 2, "{openings:?}");
        // Every line of the book has only legal moves and ends outside it.
        for seed in 0..200 {
            let mut board = Board::default();
            let mut plies = 0;
            while let Some(mv) = choose(&board, seed) {
                assert!(board.is_legal(mv));
                board.apply(mv);
                plies += 1;
                assert!(plies < 40);
            }
            assert!(plies >= 2);
        }
        let mirror = mirrored(&start).unwrap();
        assert_eq!(mirror.key(), start.key());
    }

    #[test]
    fn lines_without_sense_are_passed_over() {
        let pages = parse("# head\nzz h2e2 1\n00ff h2e2 3 b2e2\n\n");
        assert_eq!(pages.len(), 1);
        assert_eq!(pages[&0xff], [("h2e2".to_owned(), 3)]);
    }
}
