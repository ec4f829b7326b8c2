//! Text on its way to the clipboard. The pages hand it on to the system.

use super::position::PositionWish;
use super::requests::{AnyRequest, ReadRequest};
use super::state::{Menu, Screen};
use bevy::prelude::*;

/// Text that waits to be copied.
#[derive(Resource, Default)]
pub struct Clipboard(Option<String>);

impl Clipboard {
    /// Copies a text.
    pub fn copy(&mut self, text: String) {
        self.0 = Some(text);
    }

    /// The text that waits, if there is one; it is given once.
    pub fn take(&mut self) -> Option<String> {
        self.0.take()
    }

    /// True if there is a text to be copied.
    pub fn is_waiting(&self) -> bool {
        self.0.is_some()
    }
}

/// What is done with a text that was pasted: in the editor of positions it is a position, elsewhere a game.
pub fn pasted(text: String, screen: Screen, menu: Menu) -> AnyRequest {
    let edits = screen == Screen::Editor && menu == Menu::None;
    if edits { PositionWish::Paste(text).into() } else { ReadRequest::Paste(text).into() }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Clipboard>();
}
