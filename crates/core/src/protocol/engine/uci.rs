//! UCI (Huber and Meyer-Kahlen, "Universal Chess Interface", 2006); for xiangqi like Pikafish, with ranks from 0.

use super::dialect::{Dialect, GivenClock, Go, MOST_HASH, MOST_LINES, MOST_THREADS, SearchResult, Words, common, line_text};
use crate::book::BookUse;
use crate::games::Entry;
use crate::protocol::score;
use crate::table::{EngineOptions, Progress, Protocol};

/// The protocol.
pub struct Uci;

impl Dialect for Uci {
    fn greeting(&self, game: &Entry) -> Vec<String> {
        let (threads, variants) = (EngineOptions::default().threads, (game.variants)());
        // Xiangqi's variants differ only in the rule of repetition, and users know the option by that name.
        let option = if game.protocol == Protocol::UciAndUcci { "Repetition" } else { "Variant" };
        let mut lines = vec![
            format!("id name Qiju {}", env!("CARGO_PKG_VERSION")),
            "id author the Qiju authors".to_owned(),
            format!("option name Hash type spin default 16 min 1 max {MOST_HASH}"),
            format!("option name Threads type spin default {threads} min 1 max {MOST_THREADS}"),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            "option name Ponder type check default false".to_owned(),
            "option name OwnBook type check default false".to_owned(),
            "option name BookFile type string default <empty>".to_owned(),
            format!("option name BookDepth type spin default {} min 1 max {}", BookUse::USUAL, BookUse::MOST),
            "option name Clear Hash type button".to_owned(),
            format!("option name {option} type combo default {} var {}", variants[0], variants.join(" var ")),
        ];
        if game.protocol == Protocol::UciAndUcci {
            lines.push("option name Evaluation type combo default network var network var hand".to_owned());
            lines.push("option name EvalFile type string default <empty>".to_owned());
        }
        lines.push("uciok".to_owned());
        lines
    }

    fn option(&self, words: &[&str]) -> Option<(String, String)> {
        let (&"name", rest) = words.split_first()? else { return None };
        let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
        Some((rest[..at].join(" "), rest.get(at + 1..).unwrap_or_default().join(" ")))
    }

    fn go<'a>(&self, words: &[&'a str], _: bool, first: bool) -> Go<'a> {
        let (mut go, mut told) = (Go::default(), GivenClock::default());
        let mut words = Words::new(words);
        let (time, increment) = if first { ("wtime", "winc") } else { ("btime", "binc") };
        while let Some(word) = words.next() {
            match word {
                "movestogo" => told.to_go = words.number(),
                "searchmoves" => go.only = words.moves(),
                word if word == time => told.time = words.number(),
                word if word == increment => told.increment = words.number(),
                word => {
                    common(&mut go, word, &mut words, 1);
                }
            }
        }
        go.limits.clock = told.clock(1);
        go
    }

    fn info(&self, progress: &Progress) -> String {
        format!(
            "info depth {} seldepth {} multipv {} score {} nodes {} nps {} hashfull {} time {}{}",
            progress.depth,
            progress.seldepth,
            progress.multipv,
            score::uci(progress.value),
            progress.nodes,
            progress.nps(),
            progress.hashfull,
            progress.time.as_millis(),
            line_text(progress),
        )
    }

    fn answer(&self, found: &SearchResult, _: bool) -> String {
        match (&found.best, &found.ponder) {
            (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
            (Some(best), None) => format!("bestmove {best}"),
            (None, _) => "bestmove (none)".to_owned(),
        }
    }

    fn remark(&self, text: &str) -> String {
        format!("info string {text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn clocks_and_limits_are_read() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let go = Uci.go(&words("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5"), false, false);
        let clock = go.limits.clock.unwrap();
        assert_eq!((clock.remaining.as_millis(), clock.increment.as_millis(), clock.moves_to_go), (2000, 20, Some(5)));
        let go = Uci.go(&words("searchmoves h2e2 b2e2 nodes 9 movetime 0"), false, true);
        assert_eq!((go.only.len(), go.limits.nodes, go.limits.time), (2, Some(9), Some(Duration::from_millis(1))));
    }
}
