//! Text on its way to the clipboard. The pages hand it on to the system.

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

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Clipboard>();
}
