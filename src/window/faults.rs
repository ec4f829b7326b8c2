//! Reports in one line each why the window cannot open or has ended: no display, no graphics driver, a lost display.
//!
//! The window system, the graphics library and Bevy panic on errors. Here a panic becomes an error
//! of the command, with an exit status. `RUST_BACKTRACE=1` shows the original panic.

use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

/// The commands that work without a window.
const WITHOUT: &str = "without one you can use engine, analyze, arena, convert and the other commands (qiju --help)";

/// Checks that there is a display.
///
/// # Errors
/// On this system the display is given by environment variables, and none is set.
pub fn display_is_named() -> Result<(), String> {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    let asks = cfg!(all(unix, not(target_os = "macos"), not(target_os = "android")));
    if asks && !["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"].into_iter().any(named) {
        return Err(format!("the window needs a display, and neither WAYLAND_DISPLAY nor DISPLAY names one; {WITHOUT}"));
    }
    Ok(())
}

/// Runs the window. A panic of it becomes an error; a panic of another thread is reported in one line at once, and the window continues if possible.
/// In a build whose panics end the program (`panic = "abort"`), the program ends after this line, with the same exit status.
///
/// # Errors
/// The error or the panic of the window.
pub fn in_one_line(window: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        return window();
    }
    // The first panic is the cause of the others.
    let first: Arc<Mutex<Option<String>>> = Arc::default();
    let (kept, own) = (first.clone(), std::thread::current().id());
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map_or(String::new(), |place| format!(" ({}:{})", place.file(), place.line()));
        let told = explained(info.payload_as_str().unwrap_or("no reason is given"), &place);
        if cfg!(panic = "abort") {
            let _ = writeln!(std::io::stderr(), "qiju: {told}");
            std::process::exit(1);
        } else if std::thread::current().id() == own {
            kept.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(told);
        } else {
            let _ = writeln!(std::io::stderr(), "qiju: {told}");
        }
    }));
    let done = panic::catch_unwind(AssertUnwindSafe(window));
    panic::set_hook(before);
    let told = first.lock().unwrap_or_else(PoisonError::into_inner).take();
    done.unwrap_or_else(|_| Err(told.unwrap_or_else(|| "the window ended without a reason".to_owned())))
}

/// Shows an error in place of the page, which has ended.
#[cfg(target_arch = "wasm32")]
pub fn tell_page(why: &str) {
    crate::page::shell::fail(why);
}

/// From now on a panic is shown in place of the page, which cannot go on, and is written to the console with its trace.
#[cfg(target_arch = "wasm32")]
pub fn tell_page_of_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |place| format!(" ({}:{})", place.file(), place.line()));
        tell_page(&explained(info.payload_as_str().unwrap_or("no reason is given"), &place));
        console_error_panic_hook::hook(info);
    }));
}

/// The explanation of a panic of the libraries for the user; other panics keep their text.
fn explained(text: &str, place: &str) -> String {
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&["Unable to find a GPU", "No wgpu backend", "RequestDeviceError", "NoAdapter"]) {
        let cure = if cfg!(windows) {
            "it needs one for Direct3D 12 or Vulkan"
        } else {
            "on Debian: apt-get install mesa-vulkan-drivers"
        };
        format!("no graphics driver was found ({cure}); {WITHOUT}")
    } else if says(&["event loop", "EventLoop", "Broken pipe", "display", "Wayland", "X11", "XOpenDisplay"]) {
        format!("the display cannot be used: {}; {WITHOUT}", first_line(text))
    } else {
        format!("an error in the program: {}{place}; a match is kept and offered at the next start", first_line(text))
    }
}

fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_one_line() {
        let cases = [
            ("Unable to find a GPU! Make sure you have installed required drivers!\nmore", "no graphics driver was found"),
            ("Failed to build event loop: NotSupported(NotSupportedError)", "the display cannot be used: Failed to build"),
            ("index out of bounds\n", "an error in the program: index out of bounds"),
        ];
        for (panics, expected) in cases {
            let told = explained(panics, " (here:1)");
            assert!(told.starts_with(expected) && !told.contains('\n'), "{told}");
        }
        assert_eq!(in_one_line(|| Err("as it is".to_owned())), Err("as it is".to_owned()));
    }
}
