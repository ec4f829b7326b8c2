//! The few widgets the screens are made of.

use super::style::{BODY, Palette, SMALL, TITLE, colour};
use crate::app::hand::Pointer;
use crate::app::keys::{KeyFocus, KeysGo};
use crate::app::layout::Layout;
use crate::app::settings::Settings;
use crate::app::view::{seconds, seconds_or_fade};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Button, Color32, Response, RichText, Stroke, Ui, UiBuilder, vec2};

/// The ui that fills the window, behind everything.
pub fn root(ctx: &egui::Context, name: &str) -> Ui {
    Ui::new(ctx.clone(), egui::Id::new(name), UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.content_rect()))
}

/// An ordinary button at least 32 pixels high.
pub fn button(ui: &mut Ui, text: &str, enabled: bool) -> Response {
    focus_ring(ui, |ui| ui.add_enabled(enabled, Button::new(text).min_size(vec2(32.0, 32.0))))
}

/// A button as wide as asked.
pub fn wide_button(ui: &mut Ui, text: &str, width: f32, enabled: bool) -> Response {
    centred(ui, vec2(width, 32.0), enabled, Button::new(text))
}

/// A button as wide as asked and as high as a filled one.
pub fn tall_button(ui: &mut Ui, text: &str, width: f32) -> Response {
    centred(ui, vec2(width, 40.0), true, Button::new(text))
}

/// The one filled button of a screen.
pub fn filled_button(ui: &mut Ui, palette: &Palette, text: &str, width: f32, enabled: bool) -> Response {
    let text = RichText::new(text).color(colour(palette.panel().on_accent)).size(BODY);
    let fill = palette.accent();
    centred(ui, vec2(width, 40.0), enabled, Button::new(text).fill(fill).stroke(Stroke::NONE))
}

/// A button of this size with its text in the middle.
fn centred(ui: &mut Ui, size: egui::Vec2, enabled: bool, button: Button) -> Response {
    focus_ring(ui, |ui| {
        let layout = egui::Layout::centered_and_justified(egui::Direction::TopDown);
        ui.allocate_ui_with_layout(size, layout, |ui| ui.add_enabled(enabled, button)).inner
    })
}

/// Draws a ring of two pixels around what has the keyboard.
fn focus_ring(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> Response) -> Response {
    let response = add(ui);
    if response.has_focus() {
        let stroke = Stroke::new(2.0, ui.visuals().selection.bg_fill);
        ui.painter().rect_stroke(response.rect.expand(2.0), 10.0, stroke, egui::StrokeKind::Outside);
    }
    response
}

/// A choice among few, side by side. Returns the one chosen now.
pub fn segmented<T: PartialEq + Copy>(ui: &mut Ui, value: &mut T, options: &[(T, &str)]) -> bool {
    let mut changed = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (option, text) in options {
            let chosen = *value == *option;
            let colour = if chosen { ui.visuals().selection.stroke.color } else { ui.visuals().text_color() };
            let text = RichText::new(*text).color(colour);
            let response = focus_ring(ui, |ui| ui.add(Button::selectable(chosen, text).min_size(vec2(48.0, 32.0))));
            if response.clicked() && !chosen {
                *value = *option;
                changed = true;
            }
        }
    });
    changed
}

/// A choice of yes or no: a box to be ticked and its words.
pub fn tick(ui: &mut Ui, chosen: &mut bool, text: &str) -> Response {
    focus_ring(ui, |ui| {
        let galley = ui.painter().layout(
            text.to_owned(),
            egui::FontId::proportional(BODY),
            Color32::PLACEHOLDER,
            ui.available_width() - 28.0,
        );
        let size = vec2(28.0 + galley.size().x, galley.size().y.max(28.0));
        let (rect, mut response) = ui.allocate_exact_size(size, egui::Sense::click());
        if response.clicked() {
            *chosen = !*chosen;
            response.mark_changed();
        }
        let (on, label) = (*chosen, text.to_owned());
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, on, &label));
        let square = egui::Rect::from_center_size(rect.left_center() + vec2(9.0, 0.0), vec2(18.0, 18.0));
        let visuals = ui.visuals();
        let accent = visuals.selection.bg_fill;
        let edge = if response.hovered() { visuals.widgets.hovered.bg_stroke } else { visuals.widgets.inactive.bg_stroke };
        let (ink, on_accent) = (visuals.text_color(), visuals.selection.stroke.color);
        let fill = if on { accent } else { visuals.widgets.inactive.weak_bg_fill };
        ui.painter().rect(square, 4.0, fill, if on { Stroke::NONE } else { edge }, egui::StrokeKind::Inside);
        if on {
            let at = |x: f32, y: f32| square.min + vec2(x, y);
            let check = vec![at(4.5, 9.5), at(7.8, 12.8), at(13.5, 5.8)];
            ui.painter().add(egui::Shape::line(check, Stroke::new(2.0, on_accent)));
        }
        ui.painter().galley(egui::pos2(rect.left() + 28.0, rect.center().y - galley.size().y / 2.0), galley, ink);
        response
    })
}

/// A button that stays down while what it names is on.
pub fn switch(ui: &mut Ui, palette: &Palette, text: &str, on: bool) -> Response {
    let ink = if on { colour(palette.panel().on_accent) } else { palette.text() };
    let mut switch = Button::new(RichText::new(text).color(ink)).min_size(vec2(72.0, 32.0)).selected(on);
    if on {
        switch = switch.fill(palette.accent());
    }
    focus_ring(ui, |ui| ui.add(switch))
}

/// A title.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(TITLE));
}

/// Small text of less weight.
pub fn dim(ui: &mut Ui, palette: &Palette, text: impl Into<String>) -> Response {
    ui.label(RichText::new(text).size(SMALL).color(palette.dim()))
}

/// A line of one pixel.
pub fn hairline(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), egui::Sense::hover());
    let colour = ui.visuals().widgets.noninteractive.bg_stroke.color;
    ui.painter().rect_filled(rect, 0.0, colour);
}

/// What is drawn on an icon's button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// To the beginning.
    First,
    /// One back.
    Back,
    /// One forward.
    Forward,
    /// To the end.
    Last,
    /// A menu.
    More,
}

/// A button with a drawing; `label` is what it is called.
pub fn icon_button(ui: &mut Ui, icon: Icon, label: &str, width: f32, enabled: bool) -> Response {
    let response = wide_button(ui, "", width, enabled);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, label));
    let ink = if enabled { ui.visuals().text_color() } else { ui.visuals().weak_text_color().gamma_multiply(0.6) };
    let middle = response.rect.center();
    if icon == Icon::More {
        for x in [-6.0, 0.0, 6.0] {
            ui.painter().circle_filled(middle + vec2(x, 0.0), 1.8, ink);
        }
        return response.on_hover_text(label);
    }
    let turn = if matches!(icon, Icon::First | Icon::Back) { -1.0 } else { 1.0 };
    let tip = |x: f32, y: f32| middle + vec2(x * turn, y);
    let triangle = vec![tip(-4.0, -6.0), tip(5.0, 0.0), tip(-4.0, 6.0)];
    ui.painter().add(egui::Shape::convex_polygon(triangle, ink, Stroke::NONE));
    if matches!(icon, Icon::First | Icon::Last) {
        ui.painter().line_segment([tip(7.0, -6.0), tip(7.0, 6.0)], Stroke::new(2.0, ink));
    }
    response.on_hover_text(label)
}

/// The small menu of a button: a click opens it, and a click anywhere or Escape closes it.
pub fn menu_of(button: &Response) -> egui::Popup<'_> {
    // Opened rather than toggled: egui may draw a frame twice for one click.
    egui::Popup::menu(button).open_memory(button.clicked().then_some(egui::SetOpenCommand::Bool(true)))
}

/// Three dots that breathe while an engine thinks.
pub fn breathing_dots(ui: &mut Ui, colour: Color32, seconds: f64) {
    let (rect, _) = ui.allocate_exact_size(vec2(28.0, 16.0), egui::Sense::hover());
    for index in 0..3 {
        let phase = (seconds * 0.5 - f64::from(index) * 0.12) * std::f64::consts::TAU;
        let strength = 0.35 + 0.65 * (0.5 + 0.5 * phase.sin()) as f32;
        let middle = rect.left_center() + vec2(5.0 + 9.0 * index as f32, 0.0);
        ui.painter().circle_filled(middle, 3.0, colour.gamma_multiply(strength));
    }
}

/// Tells the table whether the pointer is over something of the interface's, and where the keys go.
pub fn tell_cover(
    mut contexts: EguiContexts,
    (mut pointer, mut focus): (ResMut<Pointer>, ResMut<KeyFocus>),
    layout: Res<Layout>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let over = match ctx.input(|input| input.pointer.latest_pos()) {
        None => false,
        Some(at) => {
            let layer = ctx.layer_id_at(at);
            let panel = at.x > ctx.content_rect().right() - layout.panel_width();
            panel || ctx.egui_is_using_pointer() || layer.is_some_and(|layer| layer.order != egui::Order::Background)
        }
    };
    let focused = ctx.memory(|memory| memory.focused());
    // A button clicked with the mouse does not keep the keyboard from the board.
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
    pointer.bypass_change_detection().over_ui = over;
    let focus = focus.bypass_change_detection();
    focus.go = keys;
    focus.popup = egui::Popup::is_any_open(ctx);
    Ok(())
}

/// The tint that shows a picture so strong: egui multiplies bytes, the graphics card mixes in linear light.
pub fn faded(alpha: f32) -> Color32 {
    let alpha = alpha.clamp(0.0, 1.0);
    let light = (255.0 * alpha.powf(1.0 / 2.2)).round() as u8;
    Color32::from_rgba_premultiplied(light, light, light, (255.0 * alpha).round() as u8)
}

/// What comes in from the side once the end has been shown on the board: so late, in so many seconds, so far, in logical pixels.
const ARRIVAL: (f32, f32, f32) = (0.45, 0.22, 48.0);

/// Adds something that slides in when it first appears under this name.
pub fn arrive(ui: &mut Ui, name: impl std::hash::Hash + std::fmt::Debug, settings: &Settings, add: impl FnOnce(&mut Ui)) {
    let id = egui::Id::new(("arrival", name));
    let now = ui.input(|input| input.time);
    let since: f64 = ui.data_mut(|data| *data.get_temp_mut_or(id, now));
    let (late, length) = (seconds(settings, ARRIVAL.0), seconds_or_fade(settings, ARRIVAL.1));
    let part = if length > 0.0 { (((now - since) as f32 - late) / length).clamp(0.0, 1.0) } else { 1.0 };
    if part < 1.0 {
        ui.ctx().request_repaint();
    }
    let away = if settings.reduced_motion { 0.0 } else { ARRIVAL.2 * (1.0 - part) * (1.0 - part) };
    let transform = egui::emath::TSTransform::from_translation(vec2(away.round(), 0.0));
    ui.scope(|ui| {
        ui.set_opacity(part);
        ui.with_visual_transform(transform, add);
    });
}
