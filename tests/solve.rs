//! Kills the solvers at any moment: the next run continues. The tables of two-eat-one are the same, byte for byte.

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

/// Won, but not by plain threats.
const WON: &str = "h8n8g7f6i7f5";

fn tree(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
    command.args(["solve", "gomoku", "--threads", "1", "--json", "--work"]).arg(folder).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_killed_search_for_a_tree_continues() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("small.tree");
    let make = ["--position", WON, "--verify", "--out", out.to_str().unwrap()];
    let work =
        || fs::read_dir(folder.path()).unwrap().filter_map(Result::ok).map(|entry| entry.metadata().unwrap().len()).sum::<u64>();
    let mut before = 0;
    for later in [1, 30, 80] {
        let mut child = tree(folder.path(), &make).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(later));
        let _ = child.kill();
        child.wait().unwrap();
        assert!(work() >= before, "what was found is kept");
        before = work();
    }
    let done = tree(folder.path(), &make).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(told.starts_with(r#"{"variant":"freestyle","first":""#) && told.trim().ends_with(r#""verified":true}"#), "{told}");

    // The file by itself, and the same with one byte changed.
    let verify = |file: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
        command.args(["solve", "gomoku", "--json", "--verify"]).arg(file).args(more).output().unwrap()
    };
    let checked = verify(&out, &["--variant", "freestyle:15"]);
    assert!(checked.status.success());
    assert_eq!(String::from_utf8(checked.stdout).unwrap(), told);
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

/// What is answered when the time is over makes a tree, which names the replies that it leaves open.
#[test]
fn unfinished_work_can_be_packed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("part.tree");
    let limits = ["--variant", "standard", "--seconds", "1", "--part", "--verify", "--out", out.to_str().unwrap()];
    let packed = tree(folder.path(), &limits).output().unwrap();
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let told = String::from_utf8(packed.stdout).unwrap();
    let wanted = r#"{"variant":"standard","first":"h8","nodes":1,"plies":1,"bytes":105,"open":["o15","o14","#;
    assert!(told.starts_with(wanted) && told.trim().ends_with(r#""i8"],"verified":true}"#), "{told}");
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

/// Hints are moves to try; a wrong one does no harm, and a file that holds none is refused before any work.
#[test]
fn hints_are_tried_and_cannot_harm() {
    let folder = tempfile::tempdir().unwrap();
    let (wrong, unreadable) = (folder.path().join("wrong.txt"), folder.path().join("unreadable.txt"));
    // Far away from everything, so this stone wins nothing.
    fs::write(&wrong, format!("{WON} a1\n")).unwrap();
    fs::write(&unreadable, "h8 h8\n").unwrap();
    let make = |hints: &Path| {
        let (more, hints) = (["--position", WON, "--verify", "--hints"], hints.to_str().unwrap());
        tree(folder.path(), &[&more[..], &[hints]].concat()).output().unwrap()
    };
    let refused = make(&unreadable);
    assert_eq!(refused.status.code(), Some(1));
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(why.contains("unreadable.txt: line 1: character 4: "), "{why}");
    let begun = || {
        let mut files = fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
        files.any(|entry| entry.path().extension() == Some("work".as_ref()))
    };
    assert!(!begun(), "no work is begun");
    let made = make(&wrong);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(String::from_utf8_lossy(&made.stdout).trim().ends_with(r#""verified":true}"#));
    assert!(begun(), "the work is kept");
}

#[test]
fn unfinished_work_says_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("whole.tree");
    let stopped =
        tree(folder.path(), &["--variant", "standard", "--seconds", "1", "--out", out.to_str().unwrap()]).output().unwrap();
    assert_eq!(stopped.status.code(), Some(1));
    let told = String::from_utf8(stopped.stdout).unwrap();
    assert!(told.starts_with(r#"{"variant":"standard","first":"h8","answered":0,"replies":35,"open":["o15","#), "{told}");
    assert!(String::from_utf8_lossy(&stopped.stderr).contains("not proven yet; the same command continues"));
    assert!(!out.exists(), "nothing is claimed");
}
