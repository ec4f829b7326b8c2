//! Tests of the program with good and bad arguments: its output on each stream and its exit status.

use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};

fn qiju<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
    command.args(arguments).stdin(Stdio::null()).env_remove("QIJU_ASSETS");
    command.output().expect("the program starts")
}

/// Splits a line into arguments at spaces; single quotes keep words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

#[test]
fn good_usage() {
    // Arguments, and a part of standard output.
    let cases = [
        ("--version", "qiju "),
        ("--help", "perft"),
        ("perft --help", "--depth"),
        ("help arena", "--openings"),
        ("perft tic-tac-toe --depth 0", "nodes 1\n"),
        ("perft tic-tac-toe --depth 3", "nodes 504\n"),
        ("perft tic-tac-toe --variant standard --depth 2 --divide", "c3: 8\nnodes 72\n"),
        ("perft tic-tac-toe --position 'xxx.oo... o' --depth 3", "nodes 0\n"),
        ("inspect tic-tac-toe", "legal     9 moves: a1 b1"),
        ("inspect tic-tac-toe --moves 'b2 a1'", "played    b2 a1\n"),
        ("inspect tic-tac-toe --moves ''", "ply 0"),
        ("inspect Tic-Tac-Toe --moves ''", "game      tic-tac-toe standard\n"),
        ("inspect 五子棋", "game      gomoku freestyle\n"),
        ("perft СЯНЦИ --depth 1", "nodes 44\n"),
        ("puzzles list Gomoku --json", "\"game\":\"gomoku\""),
        ("inspect tic-tac-toe --position 'xxx.oo... o'", "first wins, three"),
        ("puzzles --help", "check"),
        ("puzzles check crates/core/assets/puzzles/two-eat-one.puzzles", "two-eat-one puzzles from"),
        ("puzzles check two-eat-one", "two-eat-one puzzles from"),
        ("puzzles list xiangqi", " mate "),
        ("puzzles list gomoku --json", "\"game\":\"gomoku\",\"variant\":\"freestyle\""),
        ("puzzles show gomoku 1", "solution  "),
        ("puzzles show crates/core/assets/puzzles/xiangqi.puzzles 520 --json", "\"solution\":["),
        ("solve --help", "--verify [<FILE>]"),
        ("lessons --help", "--clear"),
        ("lessons gomoku --folder no-such-folder-anywhere", ""),
        ("lessons --clear --folder no-such-folder-anywhere --help", "Delete the lessons"),
        ("analyze tic-tac-toe --depth 4", "best b2\n"),
        ("analyze tic-tac-toe --moves 'b2 a1 c1' --threat", "best a3\n"),
        ("teach tic-tac-toe --moves 'b2 b1'", "blunder??"),
        ("opening gomoku --variant renju --moves 'h8 i9 i7'", "I7 浦月 Hogetsu (ply 3)"),
        (
            "opening xiangqi --moves '炮二平五 马8进7 马二进三 马2进3' --json",
            "{\"code\":\"C00\",\"name\":{\"zh\":\"中炮对屏风马\"",
        ),
        ("opening two-eat-one --json", "null"),
        ("teach tic-tac-toe --moves 'b2 b1' --json", "\"ply\":2,\"side\":\"second\",\"move\":\"b1\""),
        ("teach xiangqi --moves 'h2e2 h9g7 e2e6' --nodes 20000", "It loses the cannon"),
        ("analyze tic-tac-toe --movetime 50 --threads 2 --hash 1", "best "),
        ("analyze tic-tac-toe --nodes 1", "best "),
        ("analyze tic-tac-toe --depth 200", "draw"),
        ("analyze tic-tac-toe --position 'xx..oo... x' --depth 3", "win in 1 ply "),
        ("analyze tic-tac-toe --position 'xxx.oo... o'", "the game is over: first wins, three\n"),
        ("analyze tic-tac-toe --algorithm minimax --depth 2", "best b2\n"),
        ("compare tic-tac-toe --depth 4", "alphabeta"),
        ("perft xiangqi --depth 3", "nodes 79666\n"),
        ("perft two-eat-one --depth 4", "nodes 2111\n"),
        ("perft gomoku --variant caro:20 --depth 2", "nodes 159600\n"),
        ("inspect xiangqi", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"),
        ("inspect xiangqi --moves '炮二平五 H8+7 h0g2 I9-H9' --notation uci", "played    h2e2 h9g7 h0g2 i9h9\n"),
        ("inspect xiangqi --moves 'h2e2 h9g7' --notation chinese", "炮二平五"),
        ("inspect xiangqi --moves '1. 炮二平五 马8进7 ２．h0g2'", "played    h2e2 h9g7 h0g2\n"),
        ("inspect gomoku --moves '1.h8 i9 2...g7'", "played    h8 i9 g7\n"),
        ("inspect xiangqi --moves 'h2e2 h9g7' --notation wxf", "played    C2=5 H8+7\n"),
        ("inspect xiangqi --moves 'h2e2 h9g7' --notation iccs", "played    H2-E2 H9-G7\n"),
        ("inspect xiangqi --position 'rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r'", "44 moves"),
        ("inspect xiangqi --position '4k4/9/9/9/9/9/9/9/4R4/3K5 b'", "check     yes"),
        ("inspect xiangqi --evaluation", "first     chariot   a0 "),
        (
            "inspect xiangqi --evaluation hand --position '3k5/9/9/9/9/9/9/9/9/R3K4 b' --json",
            r#""piece":"chariot","at":"a0","worth":"#,
        ),
        ("inspect gomoku --position h8i9", "ply 2"),
        ("inspect two-eat-one --moves 0,0-1,0", "played    0,0-1,0\n"),
        ("analyze xiangqi --depth 3 --multipv 2", "best "),
        ("analyze xiangqi --depth 2 --evaluation hand", "best "),
        ("analyze xiangqi --depth 2 --evaluation network:no-such-file", "best "),
        ("analyze gomoku --nodes 2000", "best h8\n"),
        ("analyze gomoku --depth 2 --position h8i9 --evaluation hand", "best "),
        ("analyze gomoku --depth 2 --position h8i9 --evaluation network", "best "),
        ("analyze gomoku --depth 2 --position h8i9 --evaluation network:no-such-file", "best "),
        ("analyze two-eat-one --algorithm seed --depth 3", "best "),
        // Exact results of a solved game are reported for every algorithm.
        ("analyze tic-tac-toe --depth 3 --json", r#""score":{"outcome":"draw","plies":0}"#),
        (
            "analyze tic-tac-toe --position '....x..o. x' --algorithm minimax --depth 1 --json",
            r#""score":{"outcome":"win","plies":5}"#,
        ),
        ("analyze tic-tac-toe --position '....x..o. x' --depth 2", "win in 5 plies"),
        ("analyze tic-tac-toe --position 'xx.oo.... o' --depth 2 --json", r#""score":{"outcome":"win","plies":1}"#),
        ("analyze two-eat-one --depth 3 --json", r#""score":{"outcome":"draw","plies":0}"#),
        ("analyze two-eat-one --variant 4x4 --algorithm seed --depth 2 --json", r#""score":{"outcome":"#),
        ("compare two-eat-one --depth 3", "negamax"),
        ("compare gomoku --position h8 --depth 2", "own"),
    ];
    for (line, expected) in cases {
        let output = qiju(words(line));
        assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains(expected), "{line} gives\n{}", text(&output.stdout));
    }
}

#[test]
fn bad_usage_gets_one_line_and_its_status() {
    // Arguments, status, words of the message.
    let cases = [
        ("fly", 2, "'fly'"),
        ("--fly", 2, "'--fly'"),
        ("inspct xiangqi", 2, "'inspct'; a similar subcommand exists: 'inspect'"),
        ("inspect xiangqi --mvoes h2e2", 2, "'--mvoes' found; a similar argument exists: '--moves'"),
        ("perft", 2, "--depth <N>"),
        ("perft tic-tac-toe", 2, "--depth <N>"),
        ("perft chess --depth 2", 2, "there is no game 'chess'; the games are "),
        ("perft '' --depth 2", 2, "there is no game ''"),
        ("perft tic-tac-toe --depth x", 2, "'x' for '--depth <N>'"),
        ("perft tic-tac-toe --depth -1", 2, "'-1' for '--depth <N>'"),
        ("perft tic-tac-toe --depth 99999999999999999999", 2, "--depth"),
        ("perft tic-tac-toe --depth 101", 2, "0..=100"),
        ("perft tic-tac-toe --depth 2 --depth 3", 2, "--depth"),
        ("perft tic-tac-toe --variant big --depth 2", 2, "no variant 'big'; it has standard"),
        ("perft tic-tac-toe --position q --depth 2", 2, "position, character 2"),
        ("perft tic-tac-toe --position '' --depth 2", 2, "position, character 1"),
        ("inspect tic-tac-toe extra", 2, "'extra'"),
        ("inspect tic-tac-toe --moves 'b2 b2'", 2, "--moves, move 2: 'b2' is not a move: that cell is occupied"),
        ("inspect tic-tac-toe --moves 'a1 a2 b1 b2 c1 c2'", 2, "move 6: the game is over"),
        ("inspect tic-tac-toe --moves 'b2\nzz'", 2, "move 2: 'zz'"),
        ("inspect tic-tac-toe --notation latin", 2, "no such notation"),
        ("inspect tic-tac-toe --notation wxf", 2, "it has uci"),
        ("analyze tic-tac-toe --position 'xxx.oo... o' --threat", 2, "cannot pass"),
        ("teach tic-tac-toe", 2, "there is no move to judge"),
        ("analyze tic-tac-toe --depth 0", 2, "1..=200"),
        ("analyze tic-tac-toe --nodes 0", 2, "--nodes"),
        ("analyze tic-tac-toe --movetime 0", 2, "--movetime"),
        ("analyze tic-tac-toe --movetime 18446744073709551615", 2, "--movetime"),
        ("analyze tic-tac-toe --threads 0", 2, "--threads"),
        ("analyze tic-tac-toe --hash 0", 2, "--hash"),
        ("analyze tic-tac-toe --hash 18446744073709551615", 2, "--hash"),
        ("analyze tic-tac-toe --multipv 0", 2, "--multipv"),
        ("analyze tic-tac-toe --algorithm magic", 2, "no such algorithm; there are own, minimax"),
        ("analyze tic-tac-toe --algorithm seed --depth 1", 2, "has no engine 'seed'"),
        ("compare tic-tac-toe", 2, "--depth <D>"),
        ("tree xiangqi --depth 6 --algorithm minimax", 2, "more than 1000000 nodes"),
        ("tree xiangqi --depth 2 --algorithm best", 2, "there is no such algorithm; there are minimax, negamax"),
        ("tree tic-tac-toe --depth 3 --position 'xxx.oo... o'", 2, "the game is over"),
        ("tree tic-tac-toe --depth 2 --svg /proc/nowhere/all.svg", 1, "/proc/nowhere/all.svg: "),
        ("compare tic-tac-toe --depth 0", 2, "1..=100"),
        ("compare tic-tac-toe --depth 3 --position 'xxx.oo... o'", 2, "the game is over"),
        ("analyze xiangqi --depth 1 --evaluation magic", 2, "'magic' is none of own, hand, network and network:FILE"),
        ("analyze two-eat-one --depth 1 --evaluation network", 2, "--evaluation: two-eat-one has no network"),
        ("inspect gomoku --evaluation", 2, "gomoku cannot say what a piece is worth"),
        ("inspect xiangqi --position '9/9/9/9/9/9/9/9/9/9 w'", 2, "position, character 1: "),
        ("inspect xiangqi --moves '炮二平五 炮五平五'", 2, "move 2: "),
        ("inspect gomoku --variant gobang", 2, "no variant 'gobang'"),
        ("inspect gomoku --notation chinese", 2, "gomoku is not written in 'chinese'"),
        ("inspect two-eat-one --position ooo", 2, "position, character "),
        ("analyze gomoku --algorithm seed --depth 1", 2, "has no engine 'seed'"),
        ("play chess", 2, "there is no game 'chess'"),
        ("Cargo.toml", 2, "Cargo.toml:1: this is no record"),
        ("play --load /nonexistent", 1, "/nonexistent: there is no such file"),
        ("play --load /", 1, "/: it is a folder"),
        ("play tic-tac-toe --level 11", 2, "1..=10"),
        ("play tic-tac-toe --position q", 2, "position, character 2"),
        ("play --lang fr", 2, "'fr' for '--lang"),
        ("engine", 2, "<GAME>"),
        ("engine chess", 2, "there is no game 'chess'"),
        ("solve chess", 2, "there is no game 'chess'"),
        ("convert", 2, "<INPUT> <OUTPUT>"),
        ("convert - -", 2, "standard input:1: this is no record"),
        ("convert /nonexistent -", 1, "/nonexistent: "),
        ("convert / -", 1, "/: it is a folder"),
        ("inspect xiangqi --picture /", 1, "/: it is a folder"),
        ("tree tic-tac-toe --depth 1 --svg /", 1, "/: it is a folder"),
        (
            "convert crates/core/tests/data/xiangqi/openings.txt out.doc",
            2,
            "out.doc: the extension is not an output format; there are ron, pgn",
        ),
        ("convert crates/core/tests/data/xiangqi/openings.txt - --to psq", 2, "a .psq file holds games of gomoku"),
        ("convert crates/core/tests/data/xiangqi/openings.txt - --to pgm", 2, "no such format"),
        (
            "convert crates/core/tests/data/gomoku/openings.txt - --to pgn --notation chinese",
            2,
            "gomoku is not written in 'chinese'",
        ),
        ("convert Cargo.toml -", 2, "Cargo.toml:"),
        ("review", 2, "<FILE>"),
        ("review no-such-file.pgn", 1, "no-such-file.pgn"),
        ("review Cargo.toml", 2, "Cargo.toml:"),
        ("review crates/core/tests/data/xiangqi/openings.txt --game 99", 2, "there is no game 99; there are 30"),
        ("review crates/core/tests/data/xiangqi/openings.txt --game 0", 2, "--game"),
        ("review crates/core/tests/data/xiangqi/openings.txt --level 11", 2, "--level"),
        ("review crates/core/tests/data/xiangqi/openings.txt --nodes 0", 2, "--nodes"),
        ("review crates/core/tests/data/xiangqi/openings.txt --evaluation magic", 2, "--evaluation"),
        ("review crates/core/tests/data/xiangqi/openings.txt --write out.odt", 2, "out.odt: the ending names no format"),
        ("review crates/core/tests/data/xiangqi/openings.txt --write out.psq --nodes 100", 2, "out.psq: "),
        ("puzzles check no-such-file", 1, "no-such-file: "),
        ("puzzles check Cargo.toml", 2, "Cargo.toml: this is not a file of puzzles"),
        ("puzzles list chess", 1, "chess: there is no game and no file with this name"),
        ("puzzles list tic-tac-toe", 2, "there are no puzzles of tic-tac-toe"),
        ("puzzles show gomoku 0", 2, "gomoku: there is no puzzle '0' (1 to 520, or an id)"),
        ("picture xiangqi --out x.bmp", 2, "x.bmp: the extension must be .png, .gif, .svg or .pdf"),
        ("picture --out x.pdf", 2, "<SOURCE"),
        ("picture xiangqi --ply 0,1 --out x.svg", 2, "--ply 1: the game has 0 moves"),
        ("picture xiangqi --moves 'h2e2 h2e2' --out x.svg", 2, "--moves, move 2: "),
        ("picture x.pgn --moves h2e2 --out x.svg", 2, "there is no game 'x.pgn'"),
        ("picture xiangqi --ply 0,0 --out x.svg", 2, "--ply with several numbers is for a .pdf"),
        ("picture xiangqi --from 0 --out x.pdf", 2, "--from and --to are for a .gif"),
        ("picture xiangqi --theme kaya --out x.pdf", 2, "x.pdf: a .pdf has the theme print"),
        ("picture xiangqi --theme wood --out x.png", 2, "no theme 'wood'; there are kaya, walnut, paper, night, print"),
        ("picture --sheet gomoku --out x.svg", 2, "x.svg: a sheet is a .pdf"),
        ("picture --sheet gomoku --only 3,0-2 --out x.pdf", 2, "--only 0-2: not one of the numbers 1 to 520"),
        ("picture --sheet gomoku --only '' --out x.pdf", 2, "--only : not one of the numbers"),
        ("picture --sheet gomoku --only 1-520,1-100 --out x.pdf", 2, "at most 600 diagrams"),
        ("picture --sheet tic-tac-toe --out x.pdf", 2, "there are no puzzles of tic-tac-toe"),
        ("picture --sheet no-such-file --out x.pdf", 1, "no-such-file: "),
        ("picture --sheet Cargo.toml --out x.pdf", 2, "Cargo.toml:"),
        ("solve tic-tac-toe", 1, "no solver of tic-tac-toe"),
        ("solve two-eat-one --out /nowhere/at/all", 2, "no file can be written there"),
        ("solve two-eat-one --verify some.tree", 2, "--verify takes no file for two-eat-one"),
        ("solve two-eat-one --json", 2, "--json is for gomoku"),
        ("solve gomoku", 2, "--verify FILE; `qiju-tools prove gomoku` makes one"),
        ("solve gomoku --verify", 2, "--verify FILE; `qiju-tools prove gomoku` makes one"),
        ("solve gomoku --verify no-such-file", 1, "no-such-file: "),
        ("solve gomoku --verify Cargo.toml", 1, "Cargo.toml: this is not a tree of answers"),
        ("solve gomoku --verify Cargo.toml --out x", 2, "only reads that tree"),
    ];
    for (line, status, expected) in cases {
        let output = qiju(words(line));
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: one line, not\n{error}");
        assert!(error.starts_with("qiju: ") && error.contains(expected), "{line}: {error}");
        assert_eq!(out, "", "{line}: nothing on standard output");
    }
}

/// Every kind of picture is a file of its kind, and a sheet has the puzzles and games that were asked for.
#[test]
fn pictures_and_sheets_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let write = |line: &str, ending: &str| {
        let out = folder.path().join(format!("x.{ending}"));
        let arguments = words(line).into_iter().map(Into::into).chain(["--out".into(), out.clone().into_os_string()]);
        let output = qiju(std::iter::once("picture".into()).chain(arguments));
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        std::fs::read(out).unwrap()
    };
    let games = "crates/core/tests/data/xiangqi/openings.txt";
    let (svg, png) = (write(games, "svg"), write(&format!("{games} --theme print --size 500"), "png"));
    assert!(svg.starts_with(b"<svg ") && !text(&svg).contains("<image") && png.starts_with(b"\x89PNG"));
    assert!(text(&write(&format!("{games} --theme kaya --size 64"), "svg")).contains("<image"));
    // The moves lead to the position.
    let [played, position] =
        ["--moves 'h2e2 h9g7'", "--position 'rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w'"]
            .map(|place| write(&format!("Xiangqi {place} --theme kaya --size 200"), "png"));
    assert!(played != position && played.starts_with(b"\x89PNG"), "the last move is marked");
    let pages = |pdf: &[u8]| String::from_utf8_lossy(pdf).matches("/Type /Page\n").count();
    let one = write(games, "pdf");
    let (few, many) = (write(&format!("{games} --ply 0,1,2 --lang en"), "pdf"), write(&format!("--sheet {games}"), "pdf"));
    assert!(one.starts_with(b"%PDF-") && pages(&one) == 1 && pages(&few) == 1);
    assert_eq!(pages(&many), 5, "30 games, six on a page");
    // The solutions have a page of their own.
    assert_eq!(pages(&write("--sheet two-eat-one --only 1,4-6", "pdf")), 2);
    let first = text(&qiju(["puzzles", "list", "gomoku"]).stdout);
    let id = first.split(' ').next().unwrap();
    assert_eq!(write(&format!("--sheet gomoku --only {id}"), "pdf"), write("--sheet gomoku --only 1", "pdf"));
    assert_ne!(write("--sheet gomoku --only 1 --lang en", "pdf"), write("--sheet gomoku --only 1", "pdf"));
}

/// A link is written, read as a file, as an argument and as a position, and refused with its place where it is damaged.
#[test]
fn links_are_written_and_read() {
    let output = qiju(["convert", "crates/core/tests/data/xiangqi/openings.txt", "-", "--to", "link"]);
    let links = text(&output.stdout);
    let link = links.lines().next().unwrap();
    assert!(link.contains("/#qiju=") && link.len() < 400, "{link}");
    assert_eq!(links.lines().count(), 30);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("links.txt");
    std::fs::write(&file, &links).unwrap();
    let of_file = qiju(["convert", file.to_str().unwrap(), "-", "--to", "txt"]);
    let of_link = qiju(["convert", link, "-", "--to", "txt"]);
    let all = text(&of_file.stdout);
    assert_eq!(all.lines().count(), 30);
    assert_eq!(Some(text(&of_link.stdout).trim_end()), all.lines().next());
    let inspected = text(&qiju(["inspect", "xiangqi", "--position", link]).stdout);
    let moves = all.lines().next().unwrap().split("moves ").nth(1).unwrap().to_owned();
    assert_eq!(inspected.lines().last(), text(&qiju(["inspect", "xiangqi", "--moves", &moves]).stdout).lines().last());
    let analyzed = qiju(["analyze", "xiangqi", "--position", link, "--depth", "2"]);
    assert!(text(&analyzed.stdout).contains("best "), "{}", text(&analyzed.stderr));
    let cases: [(&[&str], &str); 3] = [
        (&["convert", &link[..link.len() - 1], "-"], "qiju: link:1: the link is not complete, or was changed\n"),
        (&["analyze", "gomoku", "--position", link], "qiju: --position: a link of xiangqi, not of gomoku\n"),
        (&["analyze", "xiangqi", "--position", &links], "qiju: --position: there is more than one link\n"),
    ];
    for (arguments, expected) in cases {
        let output = qiju(arguments);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(2), expected));
    }
}

/// All data go into a file and out of it; a damaged file changes nothing.
#[test]
fn all_data_are_exported_and_imported() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(from.path().join("records")).unwrap();
    for (name, bytes) in [("settings.ron", "()"), ("records/a.ron", "game"), ("results.txt", "r"), ("other", "x")] {
        std::fs::write(from.path().join(name), bytes).unwrap();
    }
    std::fs::write(to.path().join("settings.ron"), "(old)").unwrap();
    let path = |folder: &tempfile::TempDir, name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path(&from, "all.qiju");
    let run = |arguments: &[&str]| {
        let output = qiju([&["data"], arguments].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let what = "settings, 1 saved game, results\n";
    assert_eq!(run(&["export", &file, "--folder", &path(&from, "")]), (Some(0), format!("exported {what}"), String::new()));
    assert_eq!(run(&["show", &file]), (Some(0), what.to_owned(), String::new()));
    let bytes = std::fs::read(&file).unwrap();
    let damaged = path(&from, "damaged.qiju");
    std::fs::write(&damaged, &bytes[..bytes.len() - 3]).unwrap();
    let (status, _, why) = run(&["import", &damaged, "--folder", &path(&to, "")]);
    assert!(status == Some(2) && why.starts_with(&format!("qiju: {damaged}: byte ")) && why.lines().count() == 1, "{why}");
    assert_eq!(std::fs::read_dir(to.path()).unwrap().count(), 1);
    let (status, told, kept) = run(&["import", &file, "--folder", &path(&to, "")]);
    assert_eq!((status, told), (Some(0), format!("imported {what}")));
    assert!(kept.contains("before-import-1.qiju"), "{kept}");
    assert_eq!(std::fs::read_to_string(to.path().join("settings.ron")).unwrap(), "()");
    assert_eq!(std::fs::read_to_string(to.path().join("records/a.ron")).unwrap(), "game");
    assert!(!to.path().join("other").exists());
    assert_eq!(run(&["show", &path(&to, "before-import-1.qiju")]).1, "settings\n");
}

/// Games of files and folders are added once, found by what is written about them and on the board, counted, exported and deleted.
#[test]
fn a_library_is_filled_and_searched() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(path("games")).unwrap();
    let game = |tags: &str, moves: &str| format!("[Game \"Chinese Chess\"]\n{tags}\n\n{moves}\n\n");
    let games = [
        game("[Red \"Wang\"]\n[Black \"Li\"]\n[Date \"2019.03.02\"]\n[Result \"1-0\"]", "1. g3g4 h9g7 2. c3c4 1-0"),
        game("[Red \"Li\"]\n[Black \"Zhao\"]\n[Date \"2021.05.17\"]\n[Result \"0-1\"]", "1. c3c4 b9c7 2. g3g4 a9b9 0-1"),
        game("[Red \"Li\"]\n[Black \"Wang\"]\n[Result \"1/2-1/2\"]", "1. c3c4 h9g7 2. g3g4 1/2-1/2"),
    ];
    std::fs::write(path("games/all.pgn"), games.concat()).unwrap();
    std::fs::write(path("games/bad.pgn"), game("", "1. h2e2 h2e2 *")).unwrap();
    std::fs::write(path("games/notes.md"), "no record").unwrap();
    std::fs::write(path("games/stones.psq"), "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\n7,9,0\nA\nB\n-1\n4,renju:15\n").unwrap();
    let run = |arguments: &[&str]| {
        let output = qiju([&["library"], arguments, &["--library", &path("")]].concat());
        let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap_or(serde_json::Value::Null);
        let lines: Vec<_> = text(&output.stdout).lines().map(parse).collect();
        (output.status.code(), lines, text(&output.stderr))
    };
    let (status, lines, errors) = run(&["add", &path("games"), "--json"]);
    let counts = |line: &serde_json::Value| ["files", "games", "added", "duplicates", "refused"].map(|key| line[key].as_u64());
    assert_eq!((status, counts(&lines[0])), (Some(0), [3, 4, 4, 0, 1].map(Some)), "{errors}");
    assert!(errors.contains("bad.pgn:") && errors.lines().count() == 1, "{errors}");
    let (_, lines, _) = run(&["add", &path("games/all.pgn"), "--json"]);
    assert_eq!(counts(&lines[0]), [1, 3, 0, 3, 0].map(Some));
    let names = |arguments: &[&str]| {
        let (status, lines, errors) = run(&[&["search", "--json"], arguments].concat());
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{arguments:?}");
        let (total, lines) = lines.split_last().unwrap();
        assert!(total["games"].as_u64() >= Some(lines.len() as u64) && total["ms"].is_number());
        lines
            .iter()
            .map(|line| format!("{}-{} {}", line["first"], line["second"], line["ply"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&["--player", "wang"]), ["Wang-Li null", "Li-Wang null"]);
    assert_eq!(names(&["--from", "2020", "--to", "2021.05"]), ["Li-Zhao null"]);
    assert_eq!(names(&["--result", "draw"]), ["Li-Wang null"]);
    assert_eq!(names(&["--game", "gomoku"]), ["A-B null"]);
    assert_eq!(names(&["--limit", "1"]).len(), 1);
    // Reached by other moves, and mirrored.
    let position = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/2P3P2/P3P3P/1C5C1/9/RNBAKABNR b";
    assert_eq!(names(&["--game", "xiangqi", "--position", position]), ["Wang-Li 3", "Li-Zhao 3", "Li-Wang 3"]);
    assert_eq!(names(&["--formation", "9/9/9/9/9/2P6/9/9/9/R8", "--player", "zhao"]), ["Li-Zhao 1"]);
    let (_, lines, _) = run(&["explore", "xiangqi", "--json", "--moves", "g3g4"]);
    let expected = r#"{"move":"h9g7","games":2,"first_wins":1,"draws":0,"second_wins":1}"#;
    assert_eq!(lines[0], serde_json::from_str::<serde_json::Value>(expected).unwrap());
    assert_eq!((lines.len(), lines[1]["move"].as_str(), lines[2]["games"].as_u64()), (3, Some("b9c7"), Some(3)));
    // The games of our engine, wherever the library is.
    let base = |moves: &str| {
        let output = qiju(["library", "explore", "xiangqi", "--base", "--json", "--moves", moves]);
        let answer = String::from_utf8(output.stdout).unwrap();
        answer.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let (start, cannon) = (base(""), base("h2e2"));
    let all = |lines: &[serde_json::Value]| lines.last().unwrap()["games"].as_u64().unwrap();
    assert!(all(&start) > 1000 && all(&cannon) < all(&start) && start[0]["games"].as_u64() < Some(all(&start)), "{start:?}");
    // Keywords and what is told.
    assert_eq!(
        run(&["tag", "--add", "To study", "--add", "draws", "--result", "draw", "--json"]).1[0].to_string(),
        r#"{"games":1}"#
    );
    assert_eq!(run(&["tag", "--add", "to study", "--player", "wang", "--json"]).1[0]["games"], 1);
    assert_eq!(names(&["--tag", "TO STUDY"]), ["Wang-Li null", "Li-Wang null"]);
    assert_eq!(names(&["--tag", "to study", "--tag", "draws", "--max-plies", "3"]), ["Li-Wang null"]);
    assert_eq!(names(&["--tag", "to study", "--min-plies", "4"]), [""; 0]);
    let (_, lines, _) = run(&["search", "--json", "--tag", "draws"]);
    assert_eq!(lines[0]["tags"].to_string(), r#"["To study","draws"]"#);
    let id = lines[0]["id"].as_str().unwrap();
    assert_eq!(run(&["tag", "--remove", "to study", "--id", id]).0, Some(0));
    let told: Vec<String> = run(&["tag", "--json"]).1.iter().map(ToString::to_string).collect();
    assert_eq!(told, [r#"{"games":1,"tag":"draws"}"#, r#"{"games":1,"tag":"to study"}"#]);
    let edited =
        ["edit", id, "--first", "Hu", "--round", "3", "--place", "Beijing", "--date", "2001", "--result", "second", "--json"];
    assert_eq!(run(&edited).1[0]["games"], 1);
    assert_eq!(names(&["--player", "hu", "--to", "2001", "--result", "second"]), ["Hu-Wang null"]);
    assert_eq!(run(&["edit", id, "--date", "", "--result", "draw", "--first", "Li"]).0, Some(0));
    assert_eq!(names(&["--result", "draw"]), ["Li-Wang null"]);
    assert_eq!(names(&["--game", "xiangqi", "--material", "RRHHCCAAEEPPPPP-HHRRCCAAEEPPPPP"]).len(), 3);
    assert_eq!(names(&["--material", "RH-C"]), [""; 0]);
    let (_, lines, _) = run(&["search", "--json", "--player", "zhao"]);
    let id = lines[0]["id"].as_str().unwrap();
    assert_eq!(run(&["export", &path("out.pgn"), "--player", "zhao"]).0, Some(0));
    assert!(std::fs::read_to_string(path("out.pgn")).unwrap().contains("[Date \"2021.05.17\"]"));
    assert_eq!(run(&["delete", id]).0, Some(0));
    assert_eq!(run(&["stat", "--json"]).1[0]["of"].to_string(), r#"{"gomoku":1,"xiangqi":2}"#);
    let cases: [(&[&str], i32, &str); 14] = [
        (&["tag", "--add", "a; b"], 2, "without semicolons"),
        (&["edit", id], 2, "--first"),
        (&["edit", id, "--result", "win"], 2, "first, second, draw, none"),
        (&["search", "--material", "RX-C"], 2, "--material: material is written like RH-C"),
        (&["add", "/nonexistent"], 1, "/nonexistent: "),
        (&["add", &path("games/notes.md")], 2, "no record in any known format"),
        (&["search", "--result", "win"], 2, "first, second, draw"),
        (&["search", "--from", "yesterday"], 2, "a date is"),
        (&["search", "--from", "2020.13"], 2, "a date is"),
        (&["search", "--to", "20200132"], 2, "a date is"),
        (&["search", "--position", "nothing"], 2, "no game has such a position"),
        (&["search", "--game", "xiangqi", "--formation", "9/9"], 2, "--formation: position, character"),
        (&["export", &path("out.doc")], 2, "not an output format"),
        (&["delete", id], 2, "there is no game"),
    ];
    for (arguments, status, expected) in cases {
        let (found, _, errors) = run(arguments);
        assert_eq!(found, Some(status), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?} gives {errors}");
    }
}

/// A book is made of the library's games, shown, changed with a copy kept, and asked by the engine.
#[test]
fn books_are_made_shown_and_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let game = |result: &str, moves: &str| format!("[Game \"Chinese Chess\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let games = [game("1-0", "1. h2e2 h9g7"), game("1/2-1/2", "1. b2e2 b9c7 2. b0c2"), game("0-1", "1. g3g4 g6g5")];
    std::fs::write(path("all.pgn"), games.concat()).unwrap();
    let library = path("");
    assert_eq!(qiju(["library", "add", &path("all.pgn"), "--library", &library]).status.code(), Some(0));
    let run = |arguments: &[&str]| {
        let output = qiju([&["book"], arguments].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for ending in ["book", "obk", "pfBook", "dat"] {
        let file = path(&format!("a.{ending}"));
        let (status, said, errors) = run(&["make", &file, "--game", "xiangqi", "--library", &library]);
        assert_eq!((status, said.contains("of 3 games in")), (Some(0), true), "{ending}: {said} {errors}");
        let (status, said, errors) = run(&[&file, "--json"]);
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{ending}");
        let lines: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        // ElephantEye's book has both moves of a board that is its own image.
        let cannon = lines.iter().find(|line| line["move"] == "h2e2").unwrap();
        assert_eq!(cannon["score"].as_i64(), Some(3), "{said}");
        if ending != "dat" {
            assert_eq!(["won", "drawn", "lost"].map(|key| cannon[key].as_u64()), [1, 1, 0].map(Some), "{said}");
            assert_eq!(cannon["share"].as_f64(), Some(1.0));
        }
        assert_eq!(lines.last().unwrap()["format"], ending);
        // The same on the other side of the board.
        let (_, mirrored, _) = run(&[&file, "--moves", "b2e2"]);
        assert!(mirrored.starts_with("b9c7 ") && mirrored.ends_with(&format!("a book of xiangqi, {ending}\n")), "{mirrored}");
        assert_eq!(run(&["put", &file, "炮二平六", "--score", "7"]).0, Some(0));
        assert!(run(&[&file]).1.starts_with("h2d2 "), "{ending}");
        assert!(std::path::Path::new(&path(&format!("a.{ending}.backup"))).exists());
        assert_eq!(run(&["remove", &file, "h2d2"]).0, Some(0));
        let said = run(&[&file]).1;
        assert!(said.contains("h2e2 ") && !said.contains("h2d2"), "{ending}: {said}");
        let (status, _, errors) = run(&["remove", &file, "h2d2"]);
        assert!(status == Some(2) && errors.contains("does not have the move h2d2"), "{errors}");
    }
    assert_eq!(run(&["put", &path("a.book"), "h2e2", "--never", "--note", "too sharp"]).0, Some(0));
    assert!(run(&[&path("a.book")]).1.contains("never  too sharp"));
    let base = path("b.obk");
    assert_eq!(run(&["make", &base, "--game", "xiangqi", "--base", "--plies", "6", "--least", "3"]).0, Some(0));
    assert!(run(&[&base, "--json"]).1.lines().count() > 3);
    let cases: [(&[&str], i32, &str); 9] = [
        (&[], 2, "<FILE>"),
        (&["/nonexistent.obk"], 1, "/nonexistent.obk: there is no such file"),
        (&[&path("a.obk"), "--position", "nothing"], 2, "position, character"),
        (&[&path("a.obk"), "--moves", "h2h2"], 2, "--moves, move 1"),
        (&["put", &path("a.dat"), "h2e2", "--score", "-4"], 2, "0 to 65535"),
        (&["put", &path("all.pgn"), "h2e2", "--score", "4"], 2, "can only be read"),
        (&["put", &path("a.obk"), "h2e9"], 2, "h2e9"),
        (&["make", &path("c.doc"), "--game", "xiangqi", "--library", &library], 2, "the ending of a book"),
        (&["make", &path("c.obk"), "--game", "gomoku", "--library", &library], 2, "no game was found"),
    ];
    for (arguments, status, expected) in cases {
        let (found, _, errors) = run(arguments);
        assert_eq!(found, Some(status), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?} gives {errors}");
    }
}

#[test]
fn records_change_their_format() {
    use std::io::Write;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let convert = |from: &str, to: &str, more: &[&str]| {
        let output = qiju([&["convert", from, to], more].concat());
        assert_eq!(output.status.code(), Some(0), "{from} to {to}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    // Thirty openings are converted through all formats of xiangqi and back.
    convert("crates/core/tests/data/xiangqi/openings.txt", &at("a.ron"), &[]);
    convert(&at("a.ron"), &at("b.pgn"), &["--notation", "chinese"]);
    convert(&at("b.pgn"), &at("c.pgn"), &["--notation", "wxf"]);
    convert(&at("c.pgn"), &at("d.txt"), &[]);
    let plain = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    let openings = std::fs::read_to_string("crates/core/tests/data/xiangqi/openings.txt").unwrap();
    let openings: Vec<String> = openings.lines().map(plain).filter(|line| !line.is_empty()).collect();
    let back: Vec<String> = std::fs::read_to_string(at("d.txt")).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(back, openings);
    assert!(std::fs::read_to_string(at("b.pgn")).unwrap().contains("炮二平五"));
    // Streams.
    let mut child = Command::new(env!("CARGO_BIN_EXE_qiju"))
        .args(["convert", "-", "-", "--to", "psq"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("it was piped").write_all(b"15 4 h8i9g7 here\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\n7,9,0\nhuman\nhuman\n-1\n4,renju:15\n");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text() {
    use std::os::unix::ffi::OsStrExt;
    for place in 0..4 {
        let mut arguments: Vec<&OsStr> = ["inspect", "tic-tac-toe", "--position", "x"].map(OsStr::new).to_vec();
        arguments[place] = OsStr::from_bytes(b"\xFF\xC0");
        let output = qiju(&arguments);
        assert_eq!(output.status.code(), Some(2), "{place}");
        assert_eq!(text(&output.stderr).lines().count(), 1, "{place}: {}", text(&output.stderr));
    }
}

#[test]
fn json_is_one_object_a_line() {
    let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let lines = |arguments: &str| text(&qiju(words(arguments)).stdout).lines().map(parse).collect::<Vec<_>>();

    let inspected = lines("inspect tic-tac-toe --moves 'b2 a1' --json");
    assert_eq!(inspected.len(), 1);
    let expected = r#"{"game":"tic-tac-toe","variant":"standard","position":"....x.o.. x","side":"first","ply":2,
        "legal":["b1","c1","a2","c2","a3","b3","c3"],"forbidden":[],"check":false,"outcome":null,"notation":["b2","a1"]}"#;
    assert_eq!(inspected[0], parse(expected));
    let over = lines("inspect tic-tac-toe --position 'xxx.oo... o' --json");
    assert_eq!(over[0]["outcome"], parse(r#"{"winner":"first","reason":"three"}"#));
    assert_eq!(over[0]["legal"], parse("[]"));
    let draw = lines("inspect tic-tac-toe --position 'xoxxoxoxo x' --json");
    assert_eq!(draw[0]["outcome"], parse(r#"{"winner":"none","reason":"full-board"}"#));

    let renju = lines("inspect gomoku --variant renju:15 --position h8a1h9a2i10a3j10o1 --json");
    assert_eq!((&renju[0]["forbidden"], &renju[0]["variant"]), (&parse(r#"["h10"]"#), &parse(r#""renju:15""#)));
    let mated = lines("inspect xiangqi --position '3k5/3R5/3R5/9/9/9/9/9/9/4K4 b' --json");
    assert_eq!((&mated[0]["check"], &mated[0]["outcome"]["winner"]), (&parse("true"), &parse(r#""first""#)));

    let searched = lines("analyze tic-tac-toe --depth 5 --json");
    let depths: Vec<_> = searched.iter().map(|line| line["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5]);
    let finals: Vec<_> = searched.iter().map(|line| line["final"].as_bool().unwrap()).collect();
    assert_eq!(finals, [false, false, false, false, true]);
    let last = &searched[4];
    assert_eq!(last["best"], last["pv"][0]);
    for field in ["seldepth", "nodes", "nps", "time_ms", "hashfull", "multipv"] {
        assert!(last[field].is_u64(), "{field} in {last}");
    }
    assert_eq!(last["score"], parse(r#"{"outcome":"draw","plies":0}"#));
    assert!(lines("analyze gomoku --position a1 --depth 1 --json")[0]["score"]["cp"].is_i64());
    let won = lines("analyze tic-tac-toe --position 'xx..oo... x' --depth 2 --json");
    assert_eq!(won.last().unwrap()["score"], parse(r#"{"outcome":"win","plies":1}"#));
    let lost = lines("analyze tic-tac-toe --position 'xxx.oo... o' --json");
    assert_eq!(lost[0]["score"], parse(r#"{"outcome":"loss","plies":0}"#));
    let several = lines("analyze tic-tac-toe --depth 2 --multipv 3 --json");
    let of_answer = several.iter().filter(|line| line["final"] == true).map(|line| line["multipv"].as_u64().unwrap());
    assert_eq!(of_answer.collect::<Vec<_>>(), [1, 2, 3]);

    let tree = lines("tree tic-tac-toe --depth 6 --algorithm minimax --json");
    let (counts, nodes) = tree.split_last().unwrap();
    let compared = lines("compare tic-tac-toe --depth 6 --json");
    assert_eq!((&counts["nodes"], &counts["cutoffs"]), (&compared[0]["nodes"], &compared[0]["cutoffs"]));
    assert_eq!(
        (&nodes[0]["value"], nodes[0]["parent"].is_null(), nodes.len() as u64),
        (&compared[0]["score"], true, counts["nodes"].as_u64().unwrap())
    );
    let names: Vec<_> = compared.iter().map(|line| line["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["minimax", "negamax", "alphabeta", "own"]);
    assert!(compared.iter().all(|line| line["score"] == compared[0]["score"]), "{compared:?}");
    assert_eq!(compared[0]["nodes"], compared[1]["nodes"]);
    assert!(compared[2]["nodes"].as_u64() < compared[0]["nodes"].as_u64());
    assert_eq!((compared[0]["cutoffs"].as_u64(), compared[2]["cutoffs"].as_u64() > Some(0)), (Some(0), true));
}

#[test]
fn a_game_is_reviewed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    std::fs::write(at("game.ron"), r#"(game:"tic-tac-toe",moves:["b2","b1","a1","c1","c3"])"#).unwrap();
    let run = |arguments: &[&str]| {
        let output = qiju([&["review", &at("game.ron")], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let lines: Vec<serde_json::Value> = run(&["--json"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    assert_eq!(lines.len(), 6);
    let bad = &lines[1];
    let told: Vec<_> = ["ply", "side", "move", "best", "judgement"].map(|key| bad[key].to_string()).to_vec();
    assert_eq!(told, ["2", r#""second""#, r#""b1""#, r#""a1""#, r#""blunder""#]);
    assert_eq!((bad["win_before"].as_f64(), bad["win_after"].as_f64()), (Some(0.5), Some(0.0)));
    assert_eq!((bad["reason"]["kind"].as_str(), bad["reason"]["line"][0].as_str()), (Some("solved"), Some("b1")));
    assert_eq!((lines[0]["judgement"].as_str(), lines[0]["reason"].is_null()), (Some("best"), true));
    let summary = &lines[5];
    assert_eq!(summary["turning_point"].as_u64(), Some(2));
    assert_eq!(summary["summary"]["first"]["accuracy"].as_f64(), Some(100.0));
    assert_eq!(summary["summary"]["second"]["blunders"].as_u64(), Some(1));
    // In words, and written into records of two formats.
    let words = run(&["--write", &at("out.ron"), "--level", "3", "--time", "50"]);
    assert!(words.contains("blunder??") && words.contains("turning point: ply 2"), "{words}");
    let record = std::fs::read_to_string(at("out.ron")).unwrap();
    assert!(record.contains("Blunder: winning chance 50 % to 0 %.") && record.contains("glyphs:"), "{record}");
    // A review of the reviewed record finds the same and leaves it as it is.
    let output = qiju(["review", &at("out.ron"), "--write", &at("again.ron")]);
    assert_eq!(text(&output.stdout), words);
    assert_eq!(std::fs::read_to_string(at("again.ron")).unwrap(), record);
    run(&["--write", &at("out.pgn")]);
    assert!(std::fs::read_to_string(at("out.pgn")).unwrap().contains("$4"));
    // By each of the two evaluations of xiangqi; the engine's own is the network.
    let by = |evaluation: &[&str]| {
        let record = "crates/core/tests/data/records/four_moves.wxf";
        let output = qiju([&["review", record, "--nodes", "2000", "--json"], evaluation].concat());
        assert_eq!(output.status.code(), Some(0), "{evaluation:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(by(&[]), by(&["--evaluation", "network"]));
    assert_ne!(by(&[]), by(&["--evaluation", "hand"]));
}

#[test]
fn a_closed_output_is_no_error() {
    use std::io::Read;
    let mut child = Command::new(env!("CARGO_BIN_EXE_qiju"))
        .args(words("analyze tic-tac-toe --algorithm minimax --depth 9 --nodes 100000 --json"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().expect("it was piped").read_to_string(&mut error).expect("stderr is text");
    assert_eq!((child.wait().expect("it ends").code(), error.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has /dev/full");
    let output = Command::new(env!("CARGO_BIN_EXE_qiju")).args(words("inspect tic-tac-toe")).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("qiju: standard output: "), "{}", text(&output.stderr));
}

#[test]
fn sheets_beside_the_program_are_used_and_invalid_ones_are_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    let file = games.join("tic-tac-toe.game.ron");
    let inspect = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
        command.args(["inspect", "tic-tac-toe"]).env("QIJU_ASSETS", folder.path());
        command.output().expect("the program starts")
    };
    assert_eq!(inspect().status.code(), Some(0), "without the file the program's own sheet serves");
    let own =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/core/assets/games/tic-tac-toe.game.ron")).unwrap();
    std::fs::write(&file, format!("\u{FEFF}{own}")).unwrap();
    assert_eq!(inspect().status.code(), Some(0), "some editors put a byte order mark before a text");
    std::fs::write(&file, own.replace("(depth: 9)", "(dpeth: 9)")).unwrap();
    let line = 1 + own[..own.find("(depth: 9)").unwrap()].matches('\n').count();
    let output = inspect();
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains(&format!("tic-tac-toe.game.ron:{line}: ")) && error.contains("dpeth"), "{error}");
    std::fs::write(&file, b"\xFF").unwrap();
    assert_eq!(inspect().status.code(), Some(2));
}
