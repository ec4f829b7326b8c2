//! What the program can do here, and cannot do in a browser.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// What the system lets the program do. The pages do not show what it cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Other programs can be started: external engines.
    pub programs: bool,
    /// There are folders and paths, which the user can name.
    pub folders: bool,
    /// The program has a window of its own: it can be closed and has a size, and the whole screen is the program's to ask for.
    pub window: bool,
    /// Long computations with several threads, whose results are kept in files.
    pub preparations: bool,
}

/// What the system lets this program do.
pub const PLATFORM: Platform = {
    let desktop = !cfg!(target_arch = "wasm32");
    Platform { programs: desktop, folders: desktop, window: desktop, preparations: desktop }
};

/// The user's locale, from the environment; empty if it is not set.
#[cfg(not(target_arch = "wasm32"))]
pub fn locale() -> String {
    let of = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    of("LC_ALL").or_else(|| of("LC_MESSAGES")).or_else(|| of("LANG")).unwrap_or_default()
}

/// The user's locale, from the browser.
#[cfg(target_arch = "wasm32")]
pub fn locale() -> String {
    crate::page::shell::locale()
}

/// Announces a text to screen readers where the window's own nodes do not reach them.
#[cfg(not(target_arch = "wasm32"))]
pub fn announce(_text: &str, _language: &str) {}

/// Announces a text to screen readers by a live region of the page.
#[cfg(target_arch = "wasm32")]
pub fn announce(text: &str, language: &str) {
    crate::page::shell::announce(text, language);
}

/// Says whether a text is edited, where the system shows a keyboard for it.
#[cfg(not(target_arch = "wasm32"))]
pub fn typing(_now: bool) {}

/// Says whether a text is edited: then a telephone shows its keyboard.
#[cfg(target_arch = "wasm32")]
pub fn typing(now: bool) {
    crate::page::shell::typing(now);
}

/// A moment in the time zone of the user.
#[cfg(not(target_arch = "wasm32"))]
pub fn local(moment: Timestamp) -> Zoned {
    moment.to_zoned(TimeZone::system())
}

/// A moment in the time zone of the browser, which says how far it is from universal time.
#[cfg(target_arch = "wasm32")]
pub fn local(moment: Timestamp) -> Zoned {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(moment.as_millisecond() as f64));
    let offset = jiff::tz::Offset::from_seconds(-60 * date.get_timezone_offset() as i32).unwrap_or(jiff::tz::Offset::UTC);
    moment.to_zoned(TimeZone::fixed(offset))
}

/// The day it is for the user, counted from 1970-01-01.
pub fn today() -> i32 {
    let since = now().date().duration_since(jiff::civil::date(1970, 1, 1));
    i32::try_from(since.as_hours() / 24).unwrap_or_default()
}

/// This moment in the time zone of the user.
pub fn now() -> Zoned {
    local(Timestamp::now())
}
