//! The opening book: moves that our engine found about equally good, with weights, for variety.
//!
//! It is made by the engine itself (`qiju-tools openings xiangqi`) and depends only on the seed.
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
pub fn mirrored(board: &Board) -> Option<Board> {
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
    use super::*;
    use std::collections::HashSet;

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
