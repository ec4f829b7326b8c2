//! Sends announcements to screen readers, and says them aloud where that is wanted.

use crate::app::platform::{announce, speak};
use crate::app::play::Spoken;
use crate::app::settings::Settings;
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::accesskit::{Live, Role};

/// An invisible live node: a screen reader reads its text when it changes. A page has its own.
pub fn tell(mut contexts: EguiContexts, spoken: Res<Spoken>, (words, settings): (Res<Words>, Res<Settings>)) -> Result {
    if spoken.is_changed() {
        announce(&spoken.text, words.language.code());
        if settings.speak_aloud && !spoken.text.is_empty() {
            speak(&spoken.text, words.language.code());
        }
    }
    if spoken.text.is_empty() {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    // If the same text is announced twice, the node gets another number.
    let id = egui::Id::new("spoken").with(spoken.count);
    ctx.accesskit_node_builder(id, |node| {
        node.set_role(Role::Status);
        node.set_live(Live::Polite);
        // Screen readers of Linux and Windows are told a live node's name, never its value.
        node.set_label(spoken.text.clone());
    });
    Ok(())
}
