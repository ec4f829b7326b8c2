//! Tells the board what of it the interface covers and which part receives the keys, and marks the point under a finger, which hides it.

use super::board_place;
use super::draw::Draw;
use super::style::Palette;
use crate::app::hand::{Pointer, Selection};
use crate::app::keys::{KeyFocus, KeysGo};
use crate::app::layout::Layout;
use crate::app::platform;
use crate::app::play::EndCard;
use crate::app::state::{Menu, Screen};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{AreaState, Order, Stroke};

/// The radius of the ring around the point under a finger, in pixels: larger than the tip of a finger.
const RING: f32 = 44.0;

/// Tells the application whether the pointer is over the interface, and which part receives the keys.
fn tell_cover(
    mut contexts: EguiContexts,
    (mut pointer, mut focus): (ResMut<Pointer>, ResMut<KeyFocus>),
    (layout, card): (Res<Layout>, Res<EndCard>),
    mut typing: Local<bool>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let types = ctx.text_edit_focused() || ctx.output(|output| output.mutable_text_under_cursor);
    if types != *typing {
        *typing = types;
        platform::typing(types);
    }
    // While the card of the ending is shown, a click on the board only puts it away.
    let over = card.is_open()
        || match ctx.input(|input| input.pointer.latest_pos()) {
            None => false,
            Some(at) => {
                let layer = ctx.layer_id_at(at);
                let panel = layout.panel_place().contains(Vec2::new(at.x, at.y));
                panel || ctx.egui_is_using_pointer() || layer.is_some_and(|layer| layer.order != Order::Background)
            }
        };
    let focused = ctx.memory(|memory| memory.focused());
    // A button clicked with the mouse does not take the keyboard from the board.
    if let Some(id) = focused
        && !ctx.text_edit_focused()
        && ctx.input(|input| input.pointer.any_released())
    {
        ctx.memory_mut(|memory| memory.surrender_focus(id));
    }
    let keys = match focused {
        None => KeysGo::Board,
        Some(_) if ctx.text_edit_focused() => KeysGo::Text,
        Some(_) => KeysGo::Button,
    };
    let pointer = pointer.bypass_change_detection();
    pointer.over_ui = over;
    pointer.covered.clear();
    if card.is_open() {
        pointer.covered.push(Rect::from_corners(Vec2::ZERO, layout.window));
    } else {
        pointer.covered.push(scaled(layout.panel_place(), layout.zoom));
        for id in ctx.memory(|memory| memory.areas().visible_layer_ids()) {
            let state = AreaState::load(ctx, id.id).filter(|state| state.interactable && id.order != Order::Background);
            let Some(rect) = state.map(|state| state.rect()) else { continue };
            let rect = Rect::new(rect.min.x, rect.min.y, rect.max.x, rect.max.y);
            pointer.covered.push(scaled(rect, layout.zoom));
        }
    }
    let focus = focus.bypass_change_detection();
    focus.go = keys;
    focus.popup = egui::Popup::is_any_open(ctx);
    Ok(())
}

/// A rectangle of the interface in logical pixels.
fn scaled(rect: Rect, zoom: f32) -> Rect {
    Rect::from_corners(rect.min * zoom, rect.max * zoom)
}

/// A ring around the point that a finger on the board means.
fn ring(
    mut contexts: EguiContexts,
    (pointer, selection, layout): (Res<Pointer>, Res<Selection>, Res<Layout>),
    (palette, screen, menu): (Res<Palette>, Res<State<Screen>>, Res<State<Menu>>),
) -> Result {
    let Some(at) = pointer.finger().filter(|_| *menu.get() == Menu::None) else { return Ok(()) };
    let means = match screen.get() {
        Screen::Match => selection.is_pressed() || pointer.marks(),
        Screen::Editor => true,
        _ => false,
    };
    let Some(point) = layout.point_under(at).filter(|_| means) else { return Ok(()) };
    let painter = contexts.ctx_mut()?.layer_painter(egui::LayerId::background());
    let radius = RING.max(0.6 * layout.interface_cell());
    painter.circle(
        board_place::point(&layout, point),
        radius,
        palette.accent().gamma_multiply(0.12),
        Stroke::new(3.0, palette.accent().gamma_multiply(0.8)),
    );
    Ok(())
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, (ring.in_set(Draw::Screen), tell_cover.in_set(Draw::Cover)));
}
