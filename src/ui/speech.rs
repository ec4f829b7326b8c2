//! What happens on the board, told to screen readers.

use crate::app::play::Spoken;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::accesskit::{Live, Role};

/// A node nobody sees and every screen reader follows: its words are said when they change.
pub fn tell(mut contexts: EguiContexts, spoken: Res<Spoken>) -> Result {
    let ctx = contexts.ctx_mut()?;
    // The same words twice are two things to say: the node's number differs.
    let id = egui::Id::new("spoken").with(spoken.count);
    ctx.accesskit_node_builder(id, |node| {
        node.set_role(Role::Status);
        node.set_live(Live::Polite);
        node.set_value(spoken.text.clone());
    });
    Ok(())
}
