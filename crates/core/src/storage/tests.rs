//! Tests of the guarantees of every storage.

use super::files::{Steps, append_whole_line};
use super::*;
use std::fs;

/// A storage, and the same storage with injected faults.
type Case = (&'static str, Arc<dyn Storage>, Box<dyn Fn(Faults) -> Arc<dyn Storage>>);

fn storages(folder: &std::path::Path) -> Vec<Case> {
    let root = folder.join("deep/home");
    let memory = Memory::default();
    let (files, seen) = (root.clone(), memory.clone());
    let (logged, faulty) = super::logged::tests::case();
    vec![
        ("files", Arc::new(Files::below(root)), Box::new(move |faults| Arc::new(Files::with_faults(files.clone(), faults)))),
        ("memory", Arc::new(memory), Box::new(move |faults| Arc::new(seen.with_faults(faults)))),
        ("logged", logged, faulty),
    ]
}

#[test]
fn blobs_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, storage, _) in storages(folder.path()) {
        assert_eq!(storage.read("a").unwrap(), None, "{kind}");
        assert_eq!(storage.list("").unwrap(), [""; 0], "{kind}");
        assert_eq!(storage.append("a", 0, b"x").unwrap_err().kind(), io::ErrorKind::NotFound, "{kind}");
        storage.replace("a", &[b"one ", b"two"]).unwrap();
        storage.append("a", 4, b"three").unwrap();
        assert_eq!(storage.read("a").unwrap().unwrap(), b"one three", "{kind}");
        assert_eq!(storage.append("a", 10, b"x").unwrap_err().kind(), io::ErrorKind::UnexpectedEof, "{kind}");
        storage.replace("records/b", &[]).unwrap();
        assert_eq!(storage.list("").unwrap(), ["a"], "{kind}");
        assert_eq!(storage.list("records").unwrap(), ["records/b"], "{kind}");
        storage.remove("a").unwrap();
        storage.remove("a").unwrap();
        assert_eq!(storage.read("a").unwrap(), None, "{kind}");
    }
}

#[test]
fn damaged_bytes_are_copied_once_and_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, storage, _) in storages(folder.path()) {
        let blob = Blob::new(storage.clone(), "a");
        let mut names = Vec::new();
        for bytes in ["first", "second", "second", "third"] {
            blob.replace(bytes).unwrap();
            names.push(blob.keep_aside().unwrap().name().to_owned());
        }
        blob.replace("whole").unwrap();
        assert_eq!(names, ["a.damaged-1", "a.damaged-2", "a.damaged-2", "a.damaged-3"], "{kind}");
        for (name, bytes) in [("a", "whole"), ("a.damaged-1", "first"), ("a.damaged-2", "second"), ("a.damaged-3", "third")] {
            assert_eq!(storage.read(name).unwrap().unwrap(), bytes.as_bytes(), "{kind} {name}");
        }
    }
}

#[test]
fn a_name_has_one_owner() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, storage, _) in storages(folder.path()) {
        let owned = storage.own("a").unwrap().unwrap();
        assert!(storage.own("a").unwrap().is_none(), "{kind}");
        assert!(storage.own("b").unwrap().is_some(), "{kind}");
        let waits = std::thread::spawn({
            let blob = Blob::new(storage.clone(), "a");
            move || blob.own_for_a_moment().is_some()
        });
        drop(owned);
        assert!(waits.join().unwrap(), "{kind}");
        assert!(storage.own("a").unwrap().is_some(), "{kind}");
    }
}

/// Fails at the n-th step, for every n and every length: a replaced blob is the old or the new one, and the new one if that was
/// acknowledged; an appended blob keeps its beginning.
#[test]
fn no_acknowledged_data_is_lost_if_any_step_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (b"old bytes".as_slice(), b"new".as_slice());
    for (kind, storage, faulty) in storages(folder.path()) {
        let write = |storage: &dyn Storage, appends: bool| {
            if appends { storage.append("a", 4, new) } else { storage.replace("a", &[new]) }
        };
        for appends in [false, true] {
            let counted = Faults::none();
            storage.replace("a", &[old]).unwrap();
            write(&*faulty(counted.clone()), appends).unwrap();
            assert!(counted.steps() > 0, "{kind}");
            for step in 0..counted.steps() {
                for length in 0..=new.len() {
                    for count in [1, 2, usize::MAX] {
                        storage.replace("a", &[old]).unwrap();
                        let done = write(&*faulty(Faults::new(step, count, length)), appends);
                        let found = storage.read("a").unwrap().unwrap();
                        let place = format!("{kind}, appends {appends}, step {step}, {length} bytes, {count} fail: {done:?}");
                        if appends {
                            assert_eq!(found[..4], old[..4], "{place}");
                            assert!(done.is_err() || found == b"old new", "{place}");
                            // The call can be repeated.
                            storage.append("a", 4, b"again").unwrap();
                            assert_eq!(storage.read("a").unwrap().unwrap(), b"old again", "{place}");
                        } else {
                            assert!(found == new || done.is_err() && found == old, "{place}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_failed_replacement_leaves_nothing_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    // The folder exists: creating the file is step 0, writing is step 1.
    for step in 0..4 {
        let storage = Files::with_faults(folder.path(), Faults::new(step, 1, 2));
        assert!(storage.replace("a", &[b"bytes"]).is_err(), "step {step}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "step {step}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_modes_are_kept_and_devices_written_to() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    replace_file(&link, "new").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    replace_file(std::path::Path::new("/dev/null"), "x").unwrap();
    if std::path::Path::new("/dev/full").exists() {
        assert_eq!(replace_file(std::path::Path::new("/dev/full"), "x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}

#[test]
fn streams_without_end_are_refused() {
    let error = read_stream(io::repeat(b'x')).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    assert!(error.to_string().contains("256 MiB"), "{error}");
}

#[test]
fn an_incomplete_last_line_is_repaired_before_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines");
    let is_whole = |line: &[u8]| line.ends_with(b")");
    // The file, the file after a line was added, and the line that was moved away.
    let long = format!("(1)\n{}", "x".repeat(10_000));
    let cases = [
        ("", "(2)\n", None),
        ("(1)\n", "(1)\n(2)\n", None),
        ("(1)", "(1)\n(2)\n", None),
        ("(1)\n(x", "(1)\n(2)\n", Some("(x")),
        ("(x", "(2)\n", Some("(x")),
        (&long, "(1)\n(2)\n", Some(&long[4..])),
    ];
    for (before, after, moved) in cases {
        fs::write(&path, before).unwrap();
        let kept = append_line(&path, "(2)", is_whole).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), after, "{before:?}");
        assert_eq!(kept.map(|kept| fs::read_to_string(kept).unwrap()).as_deref(), moved, "{before:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// Lines are added to a file with an incomplete last line, with a fault at the n-th step: no complete or acknowledged line is
/// lost, the incomplete line is kept, and the next line can be added.
#[test]
fn no_line_is_lost_if_any_step_fails() {
    let is_whole = |line: &[u8]| line.ends_with(b")");
    let add = |path: &std::path::Path, faults: &Faults, line: &str| append_whole_line(path, line, &is_whole, Steps(Some(faults)));
    let count = || -> usize {
        let folder = tempfile::tempdir().unwrap();
        let (path, counted) = (folder.path().join("lines"), Faults::none());
        fs::write(&path, "(1)\n(torn").unwrap();
        add(&path, &counted, "(2)").unwrap();
        add(&path, &counted, "(3)").unwrap();
        counted.steps()
    };
    let steps = count();
    assert!(steps >= 8, "{steps}");
    for step in 0..steps {
        for length in 0..6 {
            for failing in [1, 2, usize::MAX] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("lines");
                fs::write(&path, "(1)\n(torn").unwrap();
                let faults = Faults::new(step, failing, length);
                let kept: Vec<&str> = ["(2)", "(3)"].into_iter().filter(|line| add(&path, &faults, line).is_ok()).collect();
                add(&path, &Faults::none(), "(4)").unwrap();
                let text = fs::read_to_string(&path).unwrap();
                let place = format!("step {step}, {length} bytes, {failing} fail: {text:?}");
                let lines: Vec<&str> = text.lines().collect();
                assert!(text.ends_with('\n') && lines[0] == "(1)" && lines.last() == Some(&"(4)"), "{place}");
                assert!(kept.iter().all(|line| lines.contains(line)), "{place}");
                assert!(lines.iter().all(|line| is_whole(line.as_bytes())), "{place}");
                let torn = fs::read_dir(folder.path()).unwrap().any(|file| fs::read(file.unwrap().path()).unwrap() == b"(torn");
                assert!(torn, "{place}: the torn line is lost");
            }
        }
    }
}
