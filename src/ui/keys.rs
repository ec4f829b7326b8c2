//! The keys, as the help and the tooltips name them.

use crate::app::platform::PLATFORM;
use crate::app::requests::{
    AnalysisRequest, AnyRequest, BeginRequest, CursorRequest, Go, HintRequest, LayoutRequest, PageRequest, RecordsRequest,
    RefereeRequest, ShowEnding, TaskStep, TruthRequest, WatchRequest,
};
use crate::app::state::Menu;

/// The keys, and what they do.
pub const KEYS: [(&str, &str); 30] = [
    ("Enter", "keys.cursor"),
    ("keys.arrow-keys", "keys.arrows"),
    ("Home", "look.first"),
    ("End", "look.last"),
    ("keys.space", "play.hint"),
    ("Ctrl+Z", "play.undo"),
    ("Ctrl+Y", "play.redo"),
    ("Ctrl+N", "menu.new"),
    ("Ctrl+D", "draw.offer"),
    ("Y N", "keys.answers"),
    ("K", "keys.pause"),
    ("A", "analysis.note"),
    ("T", "truth.note"),
    ("R", "keys.review"),
    ("N P", "keys.errors"),
    ("keys.right-button", "keys.draw"),
    ("1 2 3", "keys.choices"),
    ("Ctrl+S", "records.save"),
    ("Ctrl+O", "menu.records"),
    ("Ctrl+C", "keys.copy"),
    ("Ctrl+Shift+C", "keys.copy-position"),
    ("L", "sheet.copy-link"),
    ("Shift+L", "sheet.copy-position-link"),
    ("Ctrl+V", "keys.paste"),
    ("F", "play.flip"),
    ("Ctrl +, Ctrl -", "keys.text-size"),
    ("Tab", "keys.focus"),
    ("Esc", "keys.back"),
    ("F1", "menu.help"),
    FULL_SCREEN,
];

/// A browser keeps this key.
const FULL_SCREEN: (&str, &str) = ("F11", "keys.fullscreen");

/// The keys that work here.
pub fn known() -> &'static [(&'static str, &'static str)] {
    let browsers = usize::from(!PLATFORM.window);
    &KEYS[..KEYS.len() - browsers]
}

/// The keys of the search laboratory.
pub const LABORATORY_KEYS: [(&str, &str); 9] = [
    ("keys.left", "lab.back"),
    ("keys.right", "lab.forward"),
    ("Home", "lab.first"),
    ("End", "lab.last"),
    ("keys.space", "keys.lab.play"),
    ("1 2 3 4 5", "keys.lab.algorithm"),
    ("keys.ctrl-arrow-keys", "keys.lab.choose"),
    ("+ -", "keys.lab.zoom"),
    ("0", "keys.lab.whole"),
];

/// The key that asks for this; a word's key or the key's own name.
pub fn shortcut(request: &AnyRequest) -> Option<&'static str> {
    if let Some(request) = request.get::<CursorRequest>() {
        return match request {
            CursorRequest::Undo => Some("Ctrl+Z"),
            CursorRequest::Redo => Some("Ctrl+Y"),
            CursorRequest::Go(Go::Leave) => Some("Esc"),
            CursorRequest::Go(Go::Start) => Some("Home"),
            CursorRequest::Go(Go::Back) => Some("keys.left"),
            CursorRequest::Go(Go::Forward) => Some("keys.right"),
            CursorRequest::Go(Go::End) => Some("End"),
            _ => None,
        };
    }
    if let Some(request) = request.get::<TaskStep>() {
        return match request {
            TaskStep::Show => Some("keys.space"),
            TaskStep::Next => Some("N"),
            TaskStep::Previous => Some("P"),
            TaskStep::Again => Some("R"),
            _ => None,
        };
    }
    if let Some(request) = request.get::<PageRequest>() {
        return match request {
            PageRequest::Menu(Menu::Records) => Some("Ctrl+O"),
            PageRequest::Menu(Menu::Help) => Some("F1"),
            PageRequest::Menu(Menu::Pause) | PageRequest::Title => Some("Esc"),
            _ => None,
        };
    }
    if let Some(request) = request.get::<RefereeRequest>() {
        return match request {
            RefereeRequest::OfferDraw => Some("Ctrl+D"),
            RefereeRequest::Answer(true) => Some("Y"),
            RefereeRequest::Answer(false) => Some("N"),
            RefereeRequest::Resign(_) => None,
        };
    }
    match () {
        () if request.get::<HintRequest>().is_some() => Some("keys.space"),
        () if request.get() == Some(&WatchRequest::Step) => Some("keys.space"),
        () if request.get::<WatchRequest>().is_some() => Some("K"),
        () if request.get() == Some(&LayoutRequest::Flip) => Some("F"),
        () if request.get() == Some(&AnalysisRequest::Switch) => Some("A"),
        () if request.get::<TruthRequest>().is_some() => Some("T"),
        () if request.get() == Some(&RecordsRequest::Save) => Some("Ctrl+S"),
        () if request.get() == Some(&BeginRequest::Rematch(false)) => Some("Ctrl+N"),
        () if request.get() == Some(&ShowEnding(false)) => Some("Esc"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::words::{Language, Words};
    use std::collections::BTreeSet;

    /// The table of keys in the manual names the keys of the help, and no others.
    #[test]
    fn the_manual_has_the_same_keys() {
        let words = Words::shipped(Language::En);
        let parts = |text: &str, by: &str| text.split(by).map(str::to_lowercase).collect::<Vec<_>>();
        let helped: BTreeSet<String> = KEYS
            .iter()
            .flat_map(|(key, _)| {
                let text = words.say(key);
                // Several keys side by side, or in words.
                parts(text, if text != *key || text.contains(", ") { ", " } else { " " })
            })
            .collect();
        let manual = include_str!("../../docs/playing.md");
        let table = manual.split("\n## Keys\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
        let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).skip(1);
        let told: BTreeSet<String> = rows.flat_map(|keys| parts(keys, ", ")).collect();
        assert_eq!(told, helped);
    }
}
