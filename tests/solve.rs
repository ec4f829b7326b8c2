//! Kills the solver of two-eat-one at any moment: the next run continues, and its tables are the same, byte for byte. Checks trees of gomoku.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn solver(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
    command
        .args(["solve", "two-eat-one", "--variant", "4x4-six", "--threads", "1", "--tables"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(folder: &Path) -> Output {
    let output = solver(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn result(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("two-eat-one-4x4-six.distances")).unwrap()
}

/// The number of finished parts in the folder.
fn parts(folder: &Path) -> usize {
    let entries = fs::read_dir(folder.join("two-eat-one-4x4-six.parts"));
    let whole = |path: &Path| !path.to_string_lossy().contains(".new-");
    entries.map_or(0, |entries| entries.filter(|entry| entry.as_ref().is_ok_and(|entry| whole(&entry.path()))).count())
}

/// Runs the solver until this number of parts is finished, and then kills it. True if it was killed before its end.
fn kill_after(child: &mut Child, folder: &Path, wanted: usize, later: Duration) -> bool {
    let start = Instant::now();
    while parts(folder) < wanted {
        assert!(start.elapsed() < Duration::from_secs(120), "the solver makes no way");
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(later);
    let alive = child.try_wait().unwrap().is_none();
    // On Unix this is SIGKILL, so there is no clean-up.
    let _ = child.kill();
    child.wait().unwrap();
    alive
}

#[test]
fn a_killed_solver_continues_to_the_same_result() {
    let whole = tempfile::tempdir().unwrap();
    let expected = run(whole.path());
    let folder = tempfile::tempdir().unwrap();
    let mut killed = 0;
    // Each run is killed a little later, in the middle of a class.
    for (wanted, later) in [(0, 1), (1, 0), (3, 3), (5, 17), (7, 2), (9, 40), (11, 5), (12, 90), (13, 25)] {
        let before = parts(folder.path());
        let mut child = solver(folder.path()).spawn().unwrap();
        if kill_after(&mut child, folder.path(), wanted, Duration::from_millis(later)) {
            killed += 1;
            assert!(parts(folder.path()) >= before, "what was finished is kept");
        }
    }
    assert!(killed >= 4, "only {killed} runs were killed");
    let resumed = run(folder.path());
    assert_eq!(String::from_utf8_lossy(&resumed.stdout), String::from_utf8_lossy(&expected.stdout));
    assert!(result(folder.path()) == result(whole.path()), "the distances differ");
    assert!(!folder.path().join("two-eat-one-4x4-six.parts").exists(), "parts are taken away at the end");
}

#[test]
fn a_damaged_part_is_computed_again() {
    let whole = tempfile::tempdir().unwrap();
    run(whole.path());
    let folder = tempfile::tempdir().unwrap();
    let mut child = solver(folder.path()).spawn().unwrap();
    assert!(kill_after(&mut child, folder.path(), 8, Duration::ZERO), "it was done too soon to be killed");
    let mut spoilt = 0;
    for (number, entry) in fs::read_dir(folder.path().join("two-eat-one-4x4-six.parts")).unwrap().enumerate() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        match number % 3 {
            0 => {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            }
            1 => bytes.truncate(bytes.len() - 1),
            _ => continue,
        }
        fs::write(&path, bytes).unwrap();
        spoilt += 1;
    }
    assert!(spoilt >= 4);
    run(folder.path());
    assert!(result(folder.path()) == result(whole.path()), "the distances differ");
}

/// A position that the program's own proof covers has its outcome, and so have its moves.
#[test]
fn a_proven_position_has_its_outcome() {
    let analyze = |position: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
        command.args(["analyze", "gomoku", "--depth", "4", "--json", "--position", position]).args(more);
        let told = String::from_utf8(command.output().unwrap().stdout).unwrap();
        told.lines().map(str::to_owned).filter(|line| line.contains(r#""final":true"#)).collect::<Vec<_>>()
    };
    let won = analyze("h8o15", &[]);
    let best = won[0].split(r#""best":""#).nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(won[0].contains(r#""score":{"outcome":"win"}"#), "{won:?}");
    let lost = analyze(&format!("h8o15{best}"), &[]);
    assert!(lost[0].contains(r#""score":{"outcome":"loss"}"#), "{lost:?}");
    // By the rule standard too.
    assert!(analyze("h8o15", &["--variant", "standard"])[0].contains(r#""outcome":"win""#));
    // With the first stone alone, and without any: every reply has an answer.
    for variant in ["freestyle", "standard"] {
        assert!(analyze("h8", &["--variant", variant])[0].contains(r#""outcome":"loss""#), "{variant}");
        let start = analyze("", &["--variant", variant]);
        assert!(start[0].contains(r#""outcome":"win""#), "{start:?}");
    }
    // The same turned, and a position without a proof.
    assert!(analyze("h8a1", &[])[0].contains(r#""outcome":"win""#));
    assert!(analyze("a1o15", &[])[0].contains(r#""cp":"#));
    // Of several lines, the one of the proof's move is won.
    let lines = analyze("h8o15", &["--multipv", "3"]);
    let of_best = lines.iter().find(|line| line.contains(&format!(r#""pv":["{best}""#)));
    assert!(of_best.is_none_or(|line| line.contains(r#""outcome":"win""#)), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(r#""outcome":"win""#)), "{lines:?}");
}

/// A tree in a file is checked, and the same with one byte changed is refused. `qiju-tools prove gomoku --position h8n8g7f6i7f5` made it.
#[test]
fn a_tree_in_a_file_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("small.tree");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/small.tree"), &out).unwrap();
    let verify = |file: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
        command.args(["solve", "gomoku", "--json", "--verify"]).arg(file).args(more).output().unwrap()
    };
    let checked = verify(&out, &["--variant", "freestyle:15"]);
    assert!(checked.status.success());
    let told = String::from_utf8(checked.stdout).unwrap();
    assert!(told.starts_with(r#"{"variant":"freestyle","first":""#) && told.trim().ends_with(r#""verified":true}"#), "{told}");
    let other = verify(&out, &["--variant", "standard"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("the tree is about freestyle, not standard"));
    let mut bytes = fs::read(&out).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&out, bytes).unwrap();
    let damaged = verify(&out, &[]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("the tree is damaged: it does not match its checksum"));
}
