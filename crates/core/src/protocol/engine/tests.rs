//! Tests of whole sessions in UCI and UCCI.

use crate::games;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An output that the test can read.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An input with pauses: the line `~` waits a tenth of a second.
struct Spoken(std::collections::VecDeque<String>);

impl io::Read for Spoken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(line) = self.0.pop_front() {
            if line == "~" {
                std::thread::sleep(Duration::from_millis(100));
                continue;
            }
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            buffer[line.len()] = b'\n';
            return Ok(line.len() + 1);
        }
        Ok(0)
    }
}

fn talk(lines: &str) -> Vec<String> {
    talk_of("xiangqi", lines)
}

fn talk_of(game: &str, lines: &str) -> Vec<String> {
    let heard = Heard::default();
    let spoken = Spoken(lines.lines().map(|line| line.trim().to_owned()).collect());
    super::run(games::find(game).unwrap(), io::BufReader::new(spoken), heard.clone()).unwrap();
    let bytes = heard.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

fn answers(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| line.contains("bestmove")).collect()
}

#[test]
fn other_games_speak_uci_with_their_own_text() {
    let said =
        talk_of("tic-tac-toe", "uci\nucci\nposition fen xx..oo... x\ngo depth 3\n~\n~\nposition startpos moves b2\nd\nquit");
    assert!(said.iter().any(|line| line == "uciok") && !said.iter().any(|line| line == "ucciok"), "{said:?}");
    assert_eq!(answers(&said), ["bestmove c3"], "{said:?}");
    assert!(said.iter().any(|line| line == "....x.... o"), "{said:?}");
    let said = talk_of(
        "two-eat-one",
        "uci\nsetoption name Variant value 4x4\nposition startpos\nd\nsetoption name Variant value 9x9\nd",
    );
    assert!(said.iter().any(|line| line.starts_with("option name Variant type combo default standard var standard var 4x4")));
    assert_eq!(said.iter().filter(|line| *line == "oooo........xxxx o").count(), 2, "{said:?}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_command() {
    for (game, text, answer) in [("xiangqi", "\u{FEFF}uci\nquit", "uciok"), ("gomoku", "\u{FEFF}START 15\nEND", "OK")] {
        let said = talk_of(game, text);
        assert_eq!(said.last().map(String::as_str), Some(answer), "{game}: {said:?}");
    }
}

#[test]
fn a_search_that_is_quit_at_once_answers_with_a_move_that_was_searched() {
    let positions = [
        ("xiangqi", "uci", "startpos moves h2e2 h9g7 h0g2 i9h9"),
        ("xiangqi", "ucci", "startpos"),
        ("two-eat-one", "uci", "startpos"),
        ("tic-tac-toe", "uci", "startpos"),
    ];
    for (game, protocol, position) in positions {
        for search in ["go depth 30", "go infinite", "go movetime 1", "go ponder wtime 9000 btime 9000"] {
            let said = talk_of(game, &format!("{protocol}\nposition {position}\n{search}\nquit"));
            let told = said.iter().rev().find_map(|line| line.split_once(" pv ")).map(|(_, pv)| pv.split(' ').next().unwrap());
            let answer = answers(&said)[0].split(' ').nth(1).unwrap();
            assert_eq!(told, Some(answer), "{game}: {search}: {said:?}");
        }
    }
}

#[test]
fn a_uci_conversation() {
    let said = talk(
        "uci\nisready\nposition startpos moves h2e2 h9g7\ngo depth 4\n~\n~\n~\nsetoption name Hash value 4\n\
         position fen 2b1kab2/9/3a5/9/9/9/3R5/2n1r4/3K5/9 b - - 0 1\ngo mate 2\n~\nquit",
    );
    assert!(said.contains(&"uciok".to_owned()) && said.contains(&"readyok".to_owned()));
    let answers = answers(&said);
    assert_eq!(answers.len(), 2, "{said:?}");
    assert!(answers[1].starts_with("bestmove c2b0"));
    assert!(said.iter().any(|line| line.contains("score mate 2")));
}

#[test]
fn a_network_that_cannot_be_used_is_told_once_and_the_search_answers() {
    let said = talk(
        "uci\nsetoption name Evaluation value magic\nsetoption name Evaluation value hand\nsetoption name EvalFile value no such.network\n\
         setoption name Evaluation value network\nposition startpos\ngo depth 2",
    );
    assert!(said.contains(&"option name Evaluation type combo default network var network var hand".to_owned()));
    let remarks: Vec<&String> = said.iter().filter(|line| line.starts_with("info string")).collect();
    assert_eq!(remarks.len(), 2, "{said:?}");
    assert!(remarks[0].contains("'magic' is neither"), "{remarks:?}");
    assert!(
        remarks[1].contains("no such.network: ") && remarks[1].contains("the hand-written evaluation is used"),
        "{remarks:?}"
    );
    assert_eq!(answers(&said).len(), 1);
    let said = talk_of("tic-tac-toe", "uci\nsetoption name Evaluation value network\nisready");
    assert!(!said.iter().any(|line| line.contains("Evaluation") || line.starts_with("info string")), "{said:?}");
}

#[test]
fn stop_and_ponderhit_take_effect() {
    let said =
        talk("uci\ngo infinite\n~\nstop\ngo ponder wtime 500 btime 500\n~\nponderhit\n~\n~\n~\ngo ponder depth 1\n~\nstop\nquit");
    assert_eq!(answers(&said).len(), 3, "{said:?}");
}

#[test]
fn the_end_of_the_input_lets_a_limited_search_finish() {
    assert_eq!(answers(&talk("go depth 5")).len(), 1);
    assert_eq!(answers(&talk("go infinite")).len(), 1);
}

#[test]
fn a_search_is_answered_before_the_end() {
    for search in ["go depth 30", "go infinite", "go ponder wtime 500 btime 500"] {
        let said = talk(&format!("uci\nposition startpos\n{search}\nquit"));
        assert_eq!(answers(&said).len(), 1, "{said:?}");
        assert!(!said.contains(&"bestmove (none)".to_owned()), "{said:?}");
    }
    let said = talk("ucci\nposition startpos\ngo depth 30\nquit");
    assert!(said.len() > 2 && said[said.len() - 2].starts_with("bestmove ") && said[said.len() - 1] == "bye", "{said:?}");
    assert_eq!(answers(&talk_of("two-eat-one", "uci\nposition startpos\ngo infinite\nquit")).len(), 1);
}

/// The game is over: its value is told, and the answer waits for `stop` where that of a search would.
#[test]
fn finished_positions_are_answered_like_others() {
    const MATED: &str = "fen 9/1R7/3k5/9/9/9/9/8B/4K4/5AB2 b - - 0 1";
    const CHASED: &str = "fen 9/3Rak3/b4a3/5c3/6b2/2N6/3p3r1/9/9/C4K3 w moves c4a5 f6a6 a5c4 a6f6 c4a5 f6a6 a5c4 a6f6";
    // (game, position, the score)
    let cases = [
        ("xiangqi", MATED, "score mate 0 "),
        ("xiangqi", CHASED, "score mate 0 "),
        ("xiangqi", "fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 120 80", "score cp 0 "),
        ("tic-tac-toe", "fen xoxxoooxx o", "score cp 0 "),
        ("tic-tac-toe", "fen xxxoo.... o", "score mate 0 "),
    ];
    for (game, position, score) in cases {
        for search in ["go depth 3", "go infinite", "go ponder wtime 500 btime 500"] {
            let said = talk_of(game, &format!("uci\nposition {position}\n{search}\n~\n~\nisready\n~\nstop\nquit"));
            let place =
                |text: &str| said.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {said:?}"));
            let (told, ready, answer) = (place(score), place("readyok"), place("bestmove (none)"));
            assert!(told < ready && told < answer && (answer > ready) == (search != "go depth 3"), "{search}: {said:?}");
            assert_eq!(answers(&said).len(), 1, "{said:?}");
        }
    }
    let said = talk("ucci\nposition fen 9/1R7/3k5/9/9/9/9/8B/4K4/5AB2 b - - 0 1\ngo infinite\n~\nisready\n~\nstop\nquit");
    assert!(said.iter().any(|line| line.starts_with("info depth 0 score -10000 ")), "{said:?}");
    assert_eq!(said[said.len() - 3..], ["readyok", "nobestmove", "bye"]);
}

#[test]
fn a_ucci_conversation() {
    let said = talk(
        "ucci\nsetoption usemillisec true\nposition fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n\
         banmoves h2e2 b2e2\ngo depth 6\n~\n~\n~\n~\nprobe\nposition fen 9/1R7/3k5/9/9/9/9/8B/4K4/5AB2 b - - 0 1\ngo time 100\nquit",
    );
    assert!(said.contains(&"ucciok".to_owned()) && said.contains(&"bye".to_owned()));
    let answers: Vec<&String> =
        said.iter().filter(|line| line.starts_with("bestmove") || line.starts_with("nobestmove")).collect();
    assert_eq!(answers.len(), 2, "{said:?}");
    assert!(!answers[0].contains("bestmove h2e2") && !answers[0].contains("bestmove b2e2"));
    assert_eq!(answers[1], "nobestmove");
    assert!(said.iter().any(|line| line.starts_with("pophash bestmove")));
}

#[test]
fn invalid_lines_are_ignored() {
    let said = talk(
        "\n\u{7}\nposition\nposition fen\nposition fen x y z\nposition startpos moves h2e9 h2e2\nsetoption\nsetoption name\n\
         setoption name Hash value -3\nsetoption name Threads value many\ngo depth x nodes y movetime 20\n~\nponderhit\nstop\nfoo bar\nisready",
    );
    assert_eq!(answers(&said).len(), 1, "{said:?}");
    assert!(said.contains(&"readyok".to_owned()));
}

/// Exact values of solved games are reported: wins and losses with their distance, draws as 0.
#[test]
fn solved_games_report_exact_values() {
    // (game, position, beginning of the score)
    let cases = [
        ("tic-tac-toe", "startpos", "cp 0"),
        ("tic-tac-toe", "fen xx..oo... x", "mate 1"),
        ("tic-tac-toe", "fen ....x..o. x", "mate 3"),
        ("two-eat-one", "startpos", "cp 0"),
        ("two-eat-one", "fen ooox....x................ o", "mate 2"),
        ("two-eat-one", "fen ooox....x................ o moves 0,1-1,1", "mate -1"),
    ];
    for (game, position, score) in cases {
        let said = talk_of(game, &format!("uci\nposition {position}\ngo depth 3"));
        let last = said.iter().rfind(|line| line.starts_with("info depth"));
        let told = last.and_then(|line| line.split(" score ").nth(1)).unwrap_or_default();
        assert!(told.starts_with(score), "{game} {position}: {said:?}");
    }
}

#[test]
fn the_engine_plays_from_a_book_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    std::fs::write(&path, format!("qiju book 1 xiangqi axf\n{start}\n a3a4 1 0 0 0\n")).unwrap();
    let file = path.display();
    let go = "position startpos\ngo nodes 200";
    let said =
        talk(&format!("uci\nsetoption name BookFile value {file}\n{go}\n~\nsetoption name OwnBook value true\n{go}\nquit"));
    assert_eq!(answers(&said).len(), 2, "{said:?}");
    assert_eq!(answers(&said)[1], "bestmove a3a4");
    assert!(answers(&said)[0] != "bestmove a3a4", "it is not used before it is allowed");
    let said = talk(&format!("ucci\nsetoption usebook true\nsetoption bookfiles {file}\n{go}\nquit"));
    assert_eq!(answers(&said), ["bestmove a3a4"], "{said:?}");
    // Not beyond its depth; a book that is none is told, and the one before stays.
    let deep = "position startpos moves h2e2 h9g7 e2h2 g7h9\ngo nodes 200";
    let said = talk(&format!(
        "uci\nsetoption name OwnBook value true\nsetoption name BookFile value {file}\nsetoption name BookFile value /none\n{go}\n~\n\
         {deep}\n~\nsetoption name BookDepth value 4\n{deep}\nquit"
    ));
    assert!(said.iter().any(|line| line.contains("the book stays as it was: /none: ")), "{said:?}");
    assert_eq!(answers(&said)[..2], ["bestmove a3a4"; 2], "{said:?}");
    assert!(answers(&said)[2] != "bestmove a3a4", "{said:?}");
}
