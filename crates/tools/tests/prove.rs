//! Kills the maker of proofs at any moment: the next run continues.

use qiju_core::games::gomoku::proof::check::check;
use qiju_core::games::gomoku::proof::tree::Tree;
use qiju_core::search::StopToken;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Won, but not by plain threats.
const WON: &str = "h8n8g7f6i7f5";

fn tree(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju-tools"));
    command.args(["prove", "gomoku", "--threads", "1", "--json", "--work"]).arg(folder).args(more);
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
    // The program reads the same file.
    let tree = Tree::read(fs::read(&out).unwrap()).unwrap();
    assert_eq!(check(&tree, 1, &StopToken::new(), &|_| {}).fault, None);
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
