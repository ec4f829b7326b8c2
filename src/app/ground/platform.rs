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
    /// Screen readers see the buttons and fields of the window. Else they are told where the keyboard goes.
    pub nodes: bool,
}

/// What the system lets this program do.
pub const PLATFORM: Platform = {
    let desktop = !cfg!(target_arch = "wasm32");
    Platform { programs: desktop, folders: desktop, window: desktop, preparations: desktop, nodes: desktop }
};

/// The user's locale, from the environment; empty if it is not set. On Windows it is the language that the system shows.
#[cfg(not(target_arch = "wasm32"))]
pub fn locale() -> String {
    #[cfg(windows)]
    {
        use windows_sys::Win32::Globalization::{GetUserDefaultUILanguage, LCIDToLocaleName};
        let mut name = [0; 85];
        // SAFETY: the name is as long as it is said to be.
        let length = unsafe { LCIDToLocaleName(u32::from(GetUserDefaultUILanguage()), name.as_mut_ptr(), name.len() as i32, 0) };
        // With the zero at its end.
        String::from_utf16_lossy(&name[..length.saturating_sub(1).max(0) as usize])
    }
    #[cfg(not(windows))]
    {
        let of = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        of("LC_ALL").or_else(|| of("LC_MESSAGES")).or_else(|| of("LANG")).unwrap_or_default()
    }
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

/// True if the system can hand a text on to other programs.
#[cfg(not(target_arch = "wasm32"))]
pub fn can_share() -> bool {
    false
}

/// True if the system can hand a text on to other programs.
#[cfg(target_arch = "wasm32")]
pub fn can_share() -> bool {
    crate::page::shell::can_share()
}

/// Has the user choose a program that gets a text.
#[cfg(not(target_arch = "wasm32"))]
pub fn share(_text: &str) {}

/// Has the user choose a program that gets a text.
#[cfg(target_arch = "wasm32")]
pub fn share(text: &str) {
    crate::page::shell::share(text);
}

/// The font of a language that is not a part of the program, once it has come. Here all fonts are parts of the program.
#[cfg(not(target_arch = "wasm32"))]
pub fn loaded_font(_language: &str) -> Option<&'static [u8]> {
    None
}

/// The font of a language that is not a part of the program, once it has come. The first call asks for it.
#[cfg(target_arch = "wasm32")]
pub fn loaded_font(language: &str) -> Option<&'static [u8]> {
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    thread_local! {
        static KEPT: RefCell<BTreeMap<String, &'static [u8]>> = const { RefCell::new(BTreeMap::new()) };
    }
    KEPT.with_borrow_mut(|kept| {
        if !kept.contains_key(language) {
            let bytes = crate::page::shell::file(&format!("fonts/NotoSansCJK-{language}.otf"))?.to_vec();
            kept.insert(language.to_owned(), Vec::leak(bytes));
        }
        kept.get(language).copied()
    })
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
#[cfg(not(any(target_arch = "wasm32", windows)))]
pub fn local(moment: Timestamp) -> Zoned {
    moment.to_zoned(TimeZone::system())
}

/// A moment in the time zone of the user. In a browser and on Windows, where there are no files of time zones, the system says how far it is
/// from universal time.
#[cfg(any(target_arch = "wasm32", windows))]
pub fn local(moment: Timestamp) -> Zoned {
    let offset = jiff::tz::Offset::from_seconds(seconds_from_utc(moment)).unwrap_or(jiff::tz::Offset::UTC);
    moment.to_zoned(TimeZone::fixed(offset))
}

#[cfg(target_arch = "wasm32")]
fn seconds_from_utc(moment: Timestamp) -> i32 {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(moment.as_millisecond() as f64));
    -60 * date.get_timezone_offset() as i32
}

#[cfg(windows)]
fn seconds_from_utc(moment: Timestamp) -> i32 {
    use windows_sys::Win32::Foundation::SYSTEMTIME;
    use windows_sys::Win32::System::Time::SystemTimeToTzSpecificLocalTime;
    let utc = moment.to_zoned(TimeZone::UTC).datetime();
    let asked = SYSTEMTIME {
        wYear: utc.year() as u16,
        wMonth: utc.month() as u16,
        wDay: utc.day() as u16,
        wHour: utc.hour() as u16,
        wMinute: utc.minute() as u16,
        wSecond: utc.second() as u16,
        ..SYSTEMTIME::default()
    };
    let mut told = asked;
    // SAFETY: the user's own time zone, and two times of ours. If it fails, nothing is changed.
    unsafe { SystemTimeToTzSpecificLocalTime(std::ptr::null(), &asked, &mut told) };
    let [year, month, day, hour, minute, second] =
        [told.wYear, told.wMonth, told.wDay, told.wHour, told.wMinute, told.wSecond].map(|part| part as i16);
    let local = jiff::civil::DateTime::new(year, month as i8, day as i8, hour as i8, minute as i8, second as i8, 0);
    local.map_or(0, |local| local.duration_since(utc.with().subsec_nanosecond(0).build().unwrap_or(utc)).as_secs() as i32)
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
