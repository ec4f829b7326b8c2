//! Tests the program without a display or a graphics driver: one line on standard error, status 1, no panic.
#![cfg(all(feature = "gui", target_os = "linux"))]

mod display;

use display::Display;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program with only these environment variables and an empty home folder.
fn qiju(home: &Path, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
    command
        .env_clear()
        .env("QIJU_HOME", home)
        .env("HOME", home)
        .env("XDG_RUNTIME_DIR", home)
        .envs(variables.iter().copied())
        .stdin(Stdio::null());
    command
}

/// Waits for its end, which must come soon, and returns its status and output.
fn end(mut command: Command) -> (Option<i32>, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    wait(&mut child)
}

fn wait(child: &mut Child) -> (Option<i32>, String) {
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("the program does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (status.code(), said)
}

#[test]
fn without_a_display_one_line_reports_it() {
    let home = tempfile::tempdir().unwrap();
    let cases: [(&[(&str, &str)], &str); 4] = [
        (&[], "qiju: the window needs a display"),
        (&[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")], "qiju: the window needs a display"),
        (&[("DISPLAY", ":987")], "qiju: the display cannot be used"),
        (&[("WAYLAND_DISPLAY", "nowhere")], "qiju: the display cannot be used"),
    ];
    for (variables, expected) in cases {
        let (status, said) = end(qiju(home.path(), variables));
        assert_eq!(status, Some(1), "{variables:?}: {said}");
        assert!(said.starts_with(expected) && said.lines().count() == 1 && said.contains("--help"), "{variables:?}: {said}");
    }
}

/// A virtual screen; `None` with `QIJU_SKIP_WINDOW=1`.
fn screen() -> Option<Display> {
    std::env::var_os("QIJU_SKIP_WINDOW").is_none().then(Display::new)
}

#[test]
fn without_a_graphics_driver_one_line_reports_it() {
    let Some(display) = screen() else { return };
    let home = tempfile::tempdir().unwrap();
    let variables = [
        ("DISPLAY", display.name.as_str()),
        ("VK_DRIVER_FILES", "/nowhere.json"),
        ("VK_ICD_FILENAMES", "/nowhere.json"),
        ("WGPU_BACKEND", "vulkan"),
    ];
    let (status, said) = end(qiju(home.path(), &variables));
    drop(display);
    assert_eq!(status, Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("qiju: no graphics driver was found") && said.lines().count() <= 2, "{said}");
}

#[test]
fn a_start_is_quiet_and_a_lost_display_is_no_panic() {
    let Some(display) = screen() else { return };
    let home = tempfile::tempdir().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let measured = [("DISPLAY", display.name.as_str()), ("PATH", path.as_str()), ("QIJU_MEASURE_FIRST_FRAME", "1")];
    let (status, said) = end(qiju(home.path(), &measured));
    assert_eq!(status, Some(0), "{said}");
    // On a machine without a sound device there is one line about it.
    let lines: Vec<&str> = said.lines().filter(|line| !line.contains("first frame") && !line.contains("audio")).collect();
    assert!(lines.is_empty(), "{said}");
    let mut command = qiju(home.path(), &measured[..2]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(4));
    drop(display);
    let (_, said) = wait(&mut child);
    // One frame or two may have been under way.
    let (frames, others): (Vec<&str>, Vec<&str>) = said.lines().partition(|line| line.contains("swap chain texture"));
    assert!(!said.contains("panicked") && frames.len() <= 3 && others.len() <= 2, "{said}");
}
