//! Draws the fade of a new screen, and lets the screen rise.

use crate::app::layout::Layout;
use crate::app::state::Screen;
use crate::app::view::{Desk, Fade};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

/// Moves the content slightly down while it rises.
pub fn rise(mut contexts: EguiContexts, fade: Res<Fade>) -> Result {
    let ctx = contexts.ctx_mut()?;
    let transform = egui::emath::TSTransform::from_translation(egui::vec2(0.0, fade.drop().round()));
    ctx.set_transform_layer(egui::LayerId::background(), transform);
    Ok(())
}

/// Draws the desk over everything.
pub fn draw(
    mut contexts: EguiContexts,
    fade: Res<Fade>,
    desk: Res<Desk>,
    layout: Res<Layout>,
    screen: Res<State<Screen>>,
) -> Result {
    let strength = fade.strength();
    if strength <= 0.0 {
        return Ok(());
    }
    let Some(picture) = desk.picture() else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let window = ctx.content_rect();
    let mut covered = window;
    if fade.is_of_the_board() && *screen.get() == Screen::Match {
        covered = super::board_place::space(&layout).with_min_y(0.0);
    }
    let part = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), (covered.size() / window.size()).to_pos2());
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::new("fade"));
    let painter = egui::Painter::new(ctx.clone(), layer, window);
    painter.image(picture, covered, part, super::widgets::faded(strength));
    Ok(())
}
