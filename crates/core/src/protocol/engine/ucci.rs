//! UCCI 3.0 (Huang Chen, "Universal Chinese Chess Protocol"), for xiangqi.

use super::dialect::{Dialect, GivenClock, Go, MOST_HASH, MOST_THREADS, SearchResult, Words, accepts_draw, common, line_text};
use crate::book::BookUse;
use crate::games::Entry;
use crate::protocol::score;
use crate::table::Progress;

/// The protocol.
pub struct Ucci;

impl Dialect for Ucci {
    fn greeting(&self, _: &Entry) -> Vec<String> {
        vec![
            format!("id name Qiju {}", env!("CARGO_PKG_VERSION")),
            "id author the Qiju authors".to_owned(),
            "option usemillisec type check default false".to_owned(),
            "option ponder type check default false".to_owned(),
            format!("option hashsize type spin min 1 max {MOST_HASH} default 16"),
            format!("option threads type spin min 1 max {MOST_THREADS} default 1"),
            "option repetition type combo var asianrule var none default asianrule".to_owned(),
            "option usebook type check default false".to_owned(),
            "option bookfiles type string default <empty>".to_owned(),
            format!("option bookdepth type spin min 1 max {} default {}", BookUse::MOST, BookUse::USUAL),
            "option newgame type button".to_owned(),
            "ucciok".to_owned(),
        ]
    }

    fn option(&self, words: &[&str]) -> Option<(String, String)> {
        let (name, rest) = words.split_first()?;
        Some(((*name).to_owned(), rest.join(" ")))
    }

    /// Times are in seconds unless the option `usemillisec` is on.
    fn go<'a>(&self, words: &[&'a str], milliseconds: bool, _: bool) -> Go<'a> {
        let unit = if milliseconds { 1 } else { 1000 };
        let (mut go, mut told) = (Go::default(), GivenClock::default());
        let mut words = Words::new(words);
        while let Some(word) = words.next() {
            match word {
                "draw" => go.draw = true,
                "time" => told.time = words.number(),
                "increment" => told.increment = words.number(),
                "movestogo" => told.to_go = words.number(),
                word => {
                    common(&mut go, word, &mut words, unit);
                }
            }
        }
        go.limits.clock = told.clock(unit);
        go
    }

    fn info(&self, progress: &Progress) -> String {
        format!(
            "info depth {} score {} time {} nodes {} nps {}{}",
            progress.depth,
            score::ucci(progress.value),
            progress.time.as_millis(),
            progress.nodes,
            progress.nps(),
            line_text(progress),
        )
    }

    fn answer(&self, found: &SearchResult, draw_offered: bool) -> String {
        let Some(best) = &found.best else { return "nobestmove".to_owned() };
        let mut line = format!("bestmove {best}");
        if let Some(ponder) = &found.ponder {
            line += &format!(" ponder {ponder}");
        }
        if draw_offered && found.value.is_some_and(accepts_draw) {
            line += " draw";
        }
        line
    }

    fn remark(&self, text: &str) -> String {
        format!("info message {text}")
    }

    fn farewell(&self) -> Option<&'static str> {
        Some("bye")
    }

    fn probe(&self, found: Option<&SearchResult>) -> Option<String> {
        let mut line = "pophash".to_owned();
        if let Some(found) = found
            && let Some(best) = &found.best
        {
            line += &format!(" bestmove {best}");
            if let Some(value) = found.value {
                let score = score::ucci(value);
                line += &format!(" lowerbound {score} depth {} upperbound {score} depth {}", found.depth, found.depth);
            }
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_in_seconds() {
        let words: Vec<&str> = "draw time 3 increment 1 opptime 9 oppincrement 1".split(' ').collect();
        let go = Ucci.go(&words, false, true);
        let clock = go.limits.clock.unwrap();
        assert!(go.draw && clock.remaining.as_millis() == 3000 && clock.increment.as_millis() == 1000);
        assert_eq!(Ucci.go(&words, true, true).limits.clock.unwrap().remaining.as_millis(), 3);
    }
}
