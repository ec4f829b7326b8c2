//! Tests of the program with invalid lines, huge numbers, endless files, and a second copy of itself.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn qiju(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
    command.args(arguments).stdin(Stdio::null()).env_remove("QIJU_ASSETS");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs an engine with these input lines and returns its output.
fn session(game: &str, lines: &[u8]) -> Output {
    let mut command = qiju(&["engine", game]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = lines.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&lines);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[test]
fn impossible_options_are_refused_with_a_line() {
    let huge = "99999999999999999999";
    // (game, lines, expected output)
    let cases = [
        (
            "xiangqi",
            format!("uci\nsetoption name Hash value {huge}"),
            "info string error: Hash stays as it was: the range is 1 to 32768",
        ),
        ("xiangqi", "setoption name Hash value 0".to_owned(), "info string error: Hash stays as it was"),
        (
            "xiangqi",
            "setoption name MultiPV value -1".to_owned(),
            "info string error: MultiPV stays as it was: the range is 1 to 128",
        ),
        ("xiangqi", format!("setoption name Threads value {huge}"), "info string error: Threads stays as it was"),
        ("xiangqi", format!("ucci\nsetoption hashsize {huge}"), "info message error: hashsize stays as it was"),
        ("tic-tac-toe", "setoption name Threads value x\u{202E}\u{7}".to_owned(), "not 'x??'"),
        ("gomoku", format!("START 15\nINFO thread_num {}", i64::MAX), "ERROR 9223372036854775807 threads are too many"),
        (
            "tic-tac-toe",
            format!("{}\ngo depth 1", "x".repeat(2 << 20)),
            "info string a line is longer than 1024 KiB and was ignored",
        ),
    ];
    for (game, lines, words) in cases {
        let output = session(game, lines.as_bytes());
        let said = text(&output.stdout);
        assert!(output.status.success() && output.stderr.is_empty(), "{game} {words}: {}", text(&output.stderr));
        assert!(said.lines().any(|line| line.contains(words)), "{game} {words}: {said}");
    }
}

#[test]
fn huge_numbers_do_not_overflow() {
    let extremes = [i64::MIN.to_string(), i64::MAX.to_string(), u64::MAX.to_string(), "-1".to_owned(), "0".to_owned()];
    let mut gomoku = String::from("START 15\nINFO timeout_turn 1\nINFO max_node 50\n");
    let mut uci = String::from("uci\nposition startpos\n");
    for number in &extremes {
        for key in ["time_left", "timeout_match", "timeout_turn", "max_memory", "hash_size", "max_node", "rule", "game_type"] {
            gomoku += &format!("INFO {key} {number}\nINFO max_node 50\nRESTART\nBEGIN\nTURN 0,0\nTURN 14,14\n");
        }
        gomoku += &format!("YXNBEST {number}\nTURN {number},{number}\nSTART {number}\nSTART 15\n");
        for word in ["depth", "nodes", "movetime", "wtime", "winc", "movestogo", "mate"] {
            uci += &format!("go {word} {number} nodes 50\nstop\n");
        }
        uci += &format!("go wtime {number} btime {number} winc {number} binc {number} movestogo {number} nodes 50\nstop\n");
    }
    for (game, lines) in [("gomoku", gomoku + "END\n"), ("xiangqi", uci.clone() + "quit\n"), ("tic-tac-toe", uci + "quit\n")] {
        let output = session(game, lines.as_bytes());
        assert!(output.status.success() && output.stderr.is_empty(), "{game}: {}", text(&output.stderr));
    }
}

#[test]
fn one_line_and_the_right_status() {
    // (arguments, status, words of the line)
    let mut cases = vec![
        ("solve two-eat-one --threads -1", 2, "--threads"),
        ("solve two-eat-one --threads 18446744073709551615", 2, "--threads"),
        ("analyze xiangqi --threads -1", 2, "--threads"),
        ("analyze xiangqi --threads 18446744073709551615", 2, "--threads"),
        ("analyze xiangqi --hash 1048576000", 2, "--hash"),
    ];
    if cfg!(target_os = "linux") {
        cases.push(("convert /dev/zero -", 1, "/dev/zero: there are more than"));
        cases.push(("convert /dev/full -", 1, "/dev/full: there are more than"));
        cases.push(("arena tic-tac-toe --a level:1 --b level:1 --openings /dev/zero", 1, "/dev/zero: there are more than"));
    }
    for (arguments, status, words) in cases {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = qiju(&arguments).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(words), "{arguments:?}: {error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_always_reported() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in [&["--help"][..], &["--version"], &["arena", "--help"]] {
        let output = qiju(arguments).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains("standard output"), "{arguments:?}: {error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.ron");
    std::fs::write(&record, r#"(game: "tic-tac-toe", moves: ["b2"])"#).unwrap();
    let output = qiju(&["convert", record.to_str().unwrap(), "/dev/full", "--to", "pgn"]).output().unwrap();
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("/dev/full"), "{error}");
}

/// With too little memory for the transposition table it is smaller or refused; the program never aborts.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_does_not_end_the_program() {
    let script = r#"ulimit -v 1500000; exec "$0" analyze xiangqi --depth 2 --hash 3000"#;
    let output = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_qiju")]).output().unwrap();
    let error = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{:?}: {error}", output.status);
}

#[cfg(target_os = "linux")]
#[test]
fn ponderhit_leaves_no_thread() {
    let mut command = qiju(&["engine", "xiangqi"]);
    let mut engine = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = engine.stdin.take().unwrap();
    let tasks = format!("/proc/{}/task", engine.id());
    let threads = || std::fs::read_dir(&tasks).map_or(0, Iterator::count);
    for _ in 0..20 {
        stdin.write_all(b"position startpos moves h2e2\ngo ponder wtime 3600000 btime 3600000\nponderhit\nstop\n").unwrap();
    }
    // Only the main thread and the reader remain; every search thread has ended.
    let until = Instant::now() + Duration::from_secs(20);
    std::thread::sleep(Duration::from_millis(300));
    while threads() != 2 {
        assert!(Instant::now() < until, "{} threads are left", threads());
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(stdin);
    engine.wait().unwrap();
}

fn solver(folder: &Path) -> Child {
    let mut command = qiju(&["solve", "two-eat-one", "--variant", "4x4-six", "--threads", "1", "--tables"]);
    command.arg(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn two_solvers_in_one_folder_both_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let solvers = [solver(folder.path()), solver(folder.path()), solver(folder.path())];
    for solver in solvers {
        let output = solver.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let names: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".lock"))
        .collect();
    assert_eq!(names, ["two-eat-one-4x4-six.distances"]);
}
