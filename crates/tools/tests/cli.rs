//! Tests of `qiju-tools` with bad arguments, and of what it makes on a small scale.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn tools(line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju-tools"));
    command.args(line.split_whitespace()).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

#[test]
fn bad_usage_is_one_line() {
    // Arguments, status, a part of the line.
    let cases = [
        ("", 2, "Usage"),
        ("selfplay tic-tac-toe --games 1 --out x", 2, "tic-tac-toe has nothing to train; xiangqi and gomoku have"),
        ("selfplay chess --games 1 --out x", 2, "there is no game 'chess'"),
        ("selfplay gomoku --games 1 --out Cargo.toml", 2, "Cargo.toml: this is not a file of training games"),
        ("train gomoku evaluation Cargo.toml --out nowhere", 2, "nowhere: there is no such folder"),
        ("train chess network Cargo.toml --out src", 2, "'chess'"),
        ("train xiangqi network Cargo.toml --out src", 2, "Cargo.toml: this is not a file of training games"),
        ("train xiangqi network Cargo.toml --out src --from Cargo.toml", 2, "--from Cargo.toml: "),
        ("train xiangqi network Cargo.toml --out src --held-out Cargo.toml", 2, "--held-out Cargo.toml: this is not a file"),
        ("train gomoku network Cargo.toml --out src --hidden 64", 2, "'--hidden'"),
        ("train gomoku network Cargo.toml --out src --from Cargo.toml", 2, "'--from'"),
        ("train gomoku network Cargo.toml --out src --result 0.5", 2, "'--result'"),
        ("train pictures --out nowhere", 2, "nowhere: there is no such folder"),
        ("train pictures --out src --fonts nowhere", 2, "--fonts nowhere: "),
        ("tune gomoku --games 2 --out Cargo.toml", 2, "the first line does not begin with"),
        ("puzzles chess make --out x", 2, "there is no game 'chess'"),
        ("puzzles tic-tac-toe make --out x", 2, "there are no puzzles of tic-tac-toe"),
        ("puzzles gomoku make", 2, "--out"),
        ("puzzles gomoku make --count 0 --out x", 2, "--count"),
        ("puzzles gomoku make --out Cargo.toml", 2, "Cargo.toml: this is not a file of puzzles"),
        ("puzzles gomoku make --out ../core/assets/puzzles/xiangqi.puzzles", 2, "these are puzzles of xiangqi"),
        ("puzzles xiangqi make --seed 99 --out ../core/assets/puzzles/xiangqi.puzzles", 2, "its games have the seed 1, not 99"),
        ("puzzles gomoku grade Cargo.toml", 2, "Cargo.toml: this is not a file of puzzles"),
        ("puzzles gomoku grade ../core/assets/puzzles/xiangqi.puzzles", 2, "these are puzzles of xiangqi"),
        ("openings gomoku --count -1", 2, "--count"),
        ("openings gomoku --nodes -1", 2, "--nodes"),
        ("openings gomoku --plies -1", 2, "--plies"),
        ("openings tic-tac-toe", 2, "tic-tac-toe"),
        ("prove xiangqi", 2, "proofs are made of gomoku, not of xiangqi"),
        ("prove gomoku --hints /nowhere/at/all --position h8n8g7h7", 1, "/nowhere/at/all: "),
        ("prove gomoku --hints Cargo.toml --position h8n8g7h7", 1, "Cargo.toml: line 1: character 1: "),
        ("prove gomoku --from Cargo.toml --position h8n8g7h7", 1, "Cargo.toml: this is not a tree of answers"),
        (
            "prove gomoku --from ../core/assets/proofs/gomoku-standard.tree --position h8n8g7h7",
            1,
            "about standard, won by the first player, not freestyle",
        ),
        ("prove gomoku --seconds 0", 2, "1..="),
        ("prove gomoku --variant renju", 2, "freestyle and standard, not for 'renju'"),
        ("prove gomoku --position h8h8", 2, "position, character 3: h8 is occupied"),
        ("prove gomoku --position a1a2b1b2c1c2d1d2e1", 2, "the game is over in this position"),
        ("prove gomoku --out /nowhere/at/all", 2, "no file can be written there"),
        ("prove gomoku --work /dev/null --position h8n8g7h7", 1, "the work file /dev/null/gomoku-freestyle.work"),
    ];
    for (line, status, expected) in cases {
        let output = tools(line);
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: one line, not\n{error}");
        assert!(error.starts_with("qiju-tools: ") && error.contains(expected), "{line}: {error}");
        assert_eq!(out, "", "{line}: nothing on standard output");
    }
}

/// Runs the program until it tells a line that begins so, and kills it. Returns the epochs of the checkpoint that it leaves.
fn stop_after(line: &str, told: &str) -> usize {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju-tools"));
    let mut program = command.args(line.split_whitespace()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let lines = BufReader::new(program.stderr.take().expect("it is piped")).lines().map_while(Result::ok);
    let found = lines.into_iter().any(|line| line.starts_with(told));
    program.kill().expect("it can be killed");
    program.wait().expect("it ends");
    assert!(found, "{line}: it never told {told}");
    let folder = line.rsplit(' ').next().expect("the line has words");
    let checkpoint = fs::read(Path::new(folder).join("checkpoint")).expect("there is a checkpoint");
    let from = checkpoint.iter().position(|byte| *byte == b'\n').expect("it begins with a line") + 1;
    u32::from_le_bytes(checkpoint[from..from + 4].try_into().expect("four bytes")) as usize
}

/// The chain of a training on a small scale: games, tables, a network, and the parameters of the search.
#[test]
fn games_lead_to_tables_networks_and_parameters() {
    for (game, games, table, more) in
        [("xiangqi", 100, "weights.txt", "--hidden 32 --outputs 1"), ("gomoku", 16, "gomoku.values", "--batch 64")]
    {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let run = |line: String| {
            let output = tools(&line);
            assert!(output.status.success(), "{line}: {}", text(&output.stderr));
            text(&output.stdout)
        };
        let shown = |path: &Path| path.display().to_string();
        let (file, out) = (shown(&at("a.games")), shown(folder.path()));
        run(format!("selfplay {game} --games {games} --nodes 30 --threads 2 --out {file}"));
        run(format!("train {game} evaluation {file} --out {out}"));
        // The same network comes of a training that was killed after its second epoch.
        let train = format!("train {game} network {file} --epochs 30 {more} --out");
        run(format!("{train} {out}"));
        let stopped = tempfile::tempdir().unwrap();
        if at("leaves.games").is_file() {
            fs::copy(at("leaves.games"), stopped.path().join("leaves.games")).unwrap();
        }
        let again = format!("{train} {}", shown(stopped.path()));
        assert!(stop_after(&again, "epoch 2:") < 30, "{game}: it was not stopped in time");
        let continued = text(&tools(&again).stderr);
        assert!(continued.contains("continued after epoch") && !continued.contains("epoch 2:"), "{continued}");
        let network = |folder: &Path| fs::read(folder.join(format!("{game}.network"))).unwrap();
        assert!(network(folder.path()) == network(stopped.path()), "{game}: {continued}");
        for made in [table, &format!("{game}.network"), "losses.svg"] {
            assert!(at(made).is_file(), "{game}: {made}");
        }
        let told = run(format!("tune {game} --games 2 --nodes 20 --out {}", shown(&at("a.search"))));
        assert!(told.starts_with("parameters:") && told.trim().split('/').count() > 20, "{told}");
    }
}

#[test]
fn a_network_that_reads_pictures_is_trained() {
    let trained = |threads: u32| {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("train pictures --boards 22 --epochs 2 --threads {threads} --out {}", folder.path().display());
        let output = tools(&line);
        let told = text(&output.stderr);
        assert!(output.status.success() && told.contains("points held out"), "{told}");
        fs::read(folder.path().join("pictures.network")).unwrap()
    };
    assert!(trained(1) == trained(2), "it depends on the number of threads");
}

#[test]
fn openings_are_found() {
    let output = tools("openings gomoku --count 2 --nodes 500 --even 300 --variant renju");
    let lines = text(&output.stdout);
    assert!(output.status.success() && lines.lines().count() == 2 && lines.starts_with("15 4 "), "{lines}");
    let book = text(&tools("openings xiangqi --count 2 --nodes 500").stdout);
    assert!(book.starts_with('#') && book.lines().count() == 3, "{book}");
}
