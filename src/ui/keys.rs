//! The keys, as the help and the tooltips name them.

use crate::app::intent::{Go, Intent, TaskStep};
use crate::app::platform::PLATFORM;
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
pub fn shortcut(intent: &Intent) -> Option<&'static str> {
    Some(match intent {
        Intent::Undo => "Ctrl+Z",
        Intent::Redo => "Ctrl+Y",
        Intent::Hint | Intent::Step | Intent::Task(TaskStep::Show) => "keys.space",
        Intent::Task(TaskStep::Next) => "N",
        Intent::Task(TaskStep::Previous) => "P",
        Intent::Task(TaskStep::Again) => "R",
        Intent::Flip => "F",
        Intent::Analyse => "A",
        Intent::Truth => "T",
        Intent::Save => "Ctrl+S",
        Intent::Rematch(false) => "Ctrl+N",
        Intent::OfferDraw => "Ctrl+D",
        Intent::Answer(true) => "Y",
        Intent::Answer(false) => "N",
        Intent::Pause(_) => "K",
        Intent::Menu(Menu::Records) => "Ctrl+O",
        Intent::Menu(Menu::Help) => "F1",
        Intent::Menu(Menu::Pause) | Intent::Title | Intent::Go(Go::Leave) | Intent::ShowEnding(false) => "Esc",
        Intent::Go(Go::Start) => "Home",
        Intent::Go(Go::Back) => "keys.left",
        Intent::Go(Go::Forward) => "keys.right",
        Intent::Go(Go::End) => "End",
        _ => return None,
    })
}
