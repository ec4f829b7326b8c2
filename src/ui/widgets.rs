//! The widgets of the screens.

pub use super::icons::Icon;
use super::speech::Named;
use super::style::{BODY, Palette, SMALL, TITLE, colour};
use crate::app::requests::{AnyRequest, LibraryRequest, Requests};
use crate::app::settings::Settings;
use crate::app::view::{seconds, seconds_or_fade};
use crate::app::words::{Language, Words};
use crate::ui::typesetting::{Prose, Tip, in_lines, set};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Button, Color32, Response, RichText, Stroke, Ui, UiBuilder, vec2};
use std::time::Duration;

/// The ui that fills the window, below everything else.
pub fn root(ctx: &egui::Context, name: &str) -> Ui {
    Ui::new(ctx.clone(), egui::Id::new(name), UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.content_rect()))
}

/// The widest window, and the highest, in which a page has the little room of a telephone, in pixels.
const NARROW: f32 = 600.0;
const LOW: f32 = 480.0;

/// True in a window so narrow that rows break.
pub fn is_narrow(ctx: &egui::Context) -> bool {
    ctx.content_rect().width() < NARROW
}

/// True in a window so low that pages scroll.
pub fn is_low(ctx: &egui::Context) -> bool {
    ctx.content_rect().height() < LOW
}

/// What lies between the edge of a page and what is in it.
fn page_margin(ctx: &egui::Context) -> f32 {
    if is_narrow(ctx) || is_low(ctx) { 12.0 } else { 24.0 }
}

/// The frame of a page that lies over the screen.
pub fn page_frame(ctx: &egui::Context, palette: &Palette) -> egui::Frame {
    egui::Frame::new()
        .fill(colour(palette.panel().surface))
        .stroke(Stroke::new(1.0, colour(palette.panel().hairline)))
        .corner_radius(8.0)
        .inner_margin(page_margin(ctx))
}

/// The width of what is in a page that is at most so wide.
pub fn page_width(ctx: &egui::Context, most: f32) -> f32 {
    let edge = if is_narrow(ctx) { 2.0 * page_margin(ctx) + 16.0 } else { 112.0 };
    (ctx.content_rect().width() - edge).min(most)
}

/// A page of this width: it scrolls where it is higher than the window.
pub fn page_of<R>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.set_width(width);
    if !is_narrow(ui.ctx()) && !is_low(ui.ctx()) {
        return add(ui);
    }
    let most = ui.ctx().content_rect().height() - 2.0 * page_margin(ui.ctx()) - 16.0;
    let area = egui::ScrollArea::vertical().id_salt("page").max_height(most).min_scrolled_height(most);
    area.auto_shrink([false, true]).show(ui, |ui| add(ui)).inner
}

/// What a page has around a part that scrolls, of so many pixels in a large window: its margins are smaller in a small one, its buttons higher.
pub fn page_less(ui: &Ui, around: f32) -> f32 {
    around - 2.0 * (24.0 - page_margin(ui.ctx())) + grown(ui, 2.0)
}

/// A row, which breaks into several in a narrow window.
pub fn wrapping<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    if is_narrow(ui.ctx()) { ui.horizontal_wrapped(add).inner } else { ui.horizontal(add).inner }
}

/// A row, whose parts lie one below the other in a narrow window.
pub fn stacked<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    if is_narrow(ui.ctx()) { ui.vertical(add).inner } else { ui.horizontal(add).inner }
}

/// A text for a row of a list: cut where it is too long, and in a narrow window in at most two lines.
pub fn in_a_row(ui: &Ui, text: String, size: f32, width: f32, ink: Color32) -> std::sync::Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple(text, egui::FontId::proportional(size), ink, width);
    (job.wrap.max_rows, job.wrap.break_anywhere) = if is_narrow(ui.ctx()) { (2, false) } else { (1, true) };
    set(ui.painter(), job)
}

/// A row of a list that can be pressed, of this size; the label is for screen readers. A `raised` one has a ground of its own, others have one
/// under the pointer.
pub fn list_row(ui: &mut Ui, palette: &Palette, size: egui::Vec2, label: &str, raised: bool) -> (egui::Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, label));
    let panel = palette.panel();
    let ground = if raised && response.hovered() { panel.hover } else { panel.raised };
    if raised || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, colour(ground));
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4.0, Stroke::new(2.0, palette.accent()), egui::StrokeKind::Inside);
    }
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    (rect, response)
}

/// How many games were read so far while files are added to the library, and the way to stop it.
pub fn adding_games(ui: &mut Ui, (words, palette): (&Words, &Palette), games: usize, requests: &mut Requests) {
    if button(ui, words.say("games.stop"), true).clicked() {
        requests.write(LibraryRequest::Stop);
    }
    let seconds = ui.input(|input| input.time);
    breathing_dots(ui, palette.accent(), seconds);
    ui.ctx().request_repaint_after(Duration::from_millis(50));
    dim(ui, palette, words.with("explorer.adding", games));
}

/// A text in a column, cut where it is too long; returns where it ends.
pub fn cell(ui: &Ui, text: &str, column: egui::Rect, ink: Color32) -> f32 {
    let space = column.width() - 16.0;
    let font = egui::FontId::proportional(SMALL);
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, ink);
    job.wrap = egui::text::TextWrapping::truncate_at_width(space);
    let galley = ui.painter().layout_job(job);
    let at = egui::Align2::LEFT_CENTER.anchor_size(column.left_center() + vec2(8.0, 0.0), galley.size());
    ui.painter().galley(at.min, galley, ink);
    at.right()
}

/// The least side of a small button: none with the mouse, more for a finger.
pub fn least_side(ui: &Ui) -> egui::Vec2 {
    if target(ui) > TARGET { egui::Vec2::splat(FINGER) } else { egui::Vec2::ZERO }
}

/// A line of text to be edited.
pub struct TextField<'t> {
    edit: egui::TextEdit<'t>,
    name: String,
}

/// A line of text to be edited, of this width in pixels; the hint is shown while it is empty, and is its name where no label names it.
pub fn text_field<'t>(ui: &Ui, text: &'t mut String, hint: &str, width: f32) -> TextField<'t> {
    let margin = egui::Margin::symmetric(10, if target(ui) > TARGET { 11 } else { 7 });
    let edit = egui::TextEdit::singleline(text).hint_text(hint).margin(margin).desired_width(width);
    TextField { edit, name: hint.to_owned() }
}

impl TextField<'_> {
    /// It holds at most so many characters.
    pub fn char_limit(self, most: usize) -> Self {
        Self { edit: self.edit.char_limit(most), ..self }
    }
}

impl egui::Widget for TextField<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let response = ui.add(self.edit);
        if self.name.is_empty() { response } else { response.called(&self.name) }
    }
}

/// What a button shows.
#[derive(Clone, Copy, Default)]
pub struct Face<'a> {
    /// The drawing before the words.
    pub icon: Option<Icon>,
    /// The words.
    pub text: &'a str,
    /// Filled with the accent: the likely next thing.
    pub filled: bool,
}

/// Side of the drawing on a button, and what lies between it and the words.
const ICON: f32 = 15.0;
const ICON_GAP: f32 = 7.0;

/// The least height and width of what is pressed with the mouse, in pixels.
const TARGET: f32 = 32.0;
/// The same where it is pressed by a finger.
pub const FINGER: f32 = 44.0;

/// The height of a row of buttons: more where they are made for fingers.
pub fn target(ui: &Ui) -> f32 {
    ui.spacing().interact_size.y
}

/// How much higher so many rows of buttons are than they are for the mouse.
pub fn grown(ui: &Ui, rows: f32) -> f32 {
    rows * (target(ui) - TARGET)
}

/// The height of a row of a list that can be pressed, where it is so high for the mouse.
pub fn row_height(ui: &Ui, mouse: f32) -> f32 {
    if target(ui) > TARGET { FINGER.max(mouse) } else { mouse }
}

/// Something that is made for at least this height, in pixels: where there is less it scrolls.
pub fn scrolled(ui: &mut Ui, least: f32, add: impl FnOnce(&mut Ui)) {
    let height = ui.available_height();
    egui::ScrollArea::vertical().id_salt("scrolled").auto_shrink([false, false]).show(ui, |ui| {
        // The bar of the scroll area lies beside what is in it.
        let width = if height < least { ui.available_width() - 8.0 } else { ui.available_width() };
        let size = vec2(width, height.max(least));
        ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
            ui.set_width(width);
            add(ui);
        });
    });
}

/// A part of so much height, which scrolls what does not fit; where something around it scrolls already, it grows instead.
pub fn scrolling(ui: &mut Ui, name: impl egui::AsIdSalt, height: f32, add: impl FnOnce(&mut Ui)) {
    if ui.stack().contained_in(egui::UiKind::ScrollArea) {
        ui.vertical(|ui| {
            ui.set_min_height(height);
            add(ui);
        });
        return;
    }
    let area = egui::ScrollArea::vertical().id_salt(name).max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, false]).show(ui, add);
}

/// Draws `upper` with the height that `lower` leaves free, but at least `least` pixels. How high `lower` is, is measured; where that has changed,
/// all is drawn again before it is seen. Both are given `with`.
pub fn fill<T>(
    ui: &mut Ui,
    least: f32,
    with: &mut T,
    upper: impl FnOnce(&mut Ui, &mut T, f32),
    lower: impl FnOnce(&mut Ui, &mut T),
) {
    let memory = ui.id().with("height below");
    let below: f32 = ui.data(|data| data.get_temp(memory)).unwrap_or_default();
    let height = (ui.available_height() - below).max(least);
    upper(ui, with, height);
    let top = ui.cursor().top();
    lower(ui, with);
    // Whole pixels: what was measured before must not decide how high it is now. Sums of coordinates are not exact.
    let measured = (ui.cursor().top() - top - 0.01).ceil();
    if measured != below {
        ui.data_mut(|data| data.insert_temp(memory, measured));
        ui.ctx().request_discard("a part has changed its height");
        ui.ctx().request_repaint();
    }
}

/// A button of this size, or of the size that a finger needs. Where there is no room for both, the words come before the drawing.
pub fn face_button(ui: &mut Ui, face: Face, size: egui::Vec2, enabled: bool) -> Response {
    focus_ring(ui, |ui| {
        let sense = if enabled { egui::Sense::click() } else { egui::Sense::hover() };
        let least = target(ui);
        let size = if least > TARGET { size.max(vec2(least, least)) } else { size };
        let (rect, response) = ui.allocate_exact_size(size, sense);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, face.text));
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let visuals = ui.visuals();
        let style = if enabled { *ui.style().interact(&response) } else { visuals.widgets.noninteractive };
        // What cannot be pressed has neither ground nor edge, and its words are faint.
        let (mut fill, mut edge, mut ink) = (style.weak_bg_fill, style.bg_stroke, visuals.text_color());
        if face.filled && enabled {
            let lit = response.hovered() || response.is_pointer_button_down_on();
            fill =
                if lit { visuals.selection.bg_fill.lerp_to_gamma(visuals.text_color(), 0.12) } else { visuals.selection.bg_fill };
            (edge, ink) = (Stroke::NONE, visuals.selection.stroke.color);
        } else if !enabled {
            (fill, ink) = (Color32::TRANSPARENT, faint(visuals));
            edge.color = edge.color.gamma_multiply(0.6);
        }
        ui.painter().rect(rect, 8.0, fill, edge, egui::StrokeKind::Inside);
        paint_face(ui, face, rect, ink);
        response
    })
}

/// The ink of what cannot be used now.
pub fn faint(visuals: &egui::Visuals) -> Color32 {
    visuals.weak_text_color().gamma_multiply(0.55)
}

/// The drawing and the words, in the middle of a button.
fn paint_face(ui: &Ui, face: Face, rect: egui::Rect, ink: Color32) {
    let space = rect.width() - 12.0;
    let written = |size: f32, most: f32| {
        let text = RichText::new(face.text).size(size).color(ink);
        egui::WidgetText::from(text).into_galley(ui, Some(egui::TextWrapMode::Truncate), most, egui::TextStyle::Button)
    };
    let with_icon = if face.icon.is_some() && !face.text.is_empty() { ICON + ICON_GAP } else { 0.0 };
    let mut galley = written(BODY, f32::INFINITY);
    let mut icon = face.icon;
    if !face.text.is_empty() && galley.size().x + with_icon > space {
        galley = written(SMALL, f32::INFINITY);
        if galley.size().x + with_icon > space {
            icon = None;
            galley = written(if galley.size().x > space { SMALL } else { BODY }, space);
        }
    }
    let lead = if icon.is_some() && !face.text.is_empty() { ICON + ICON_GAP } else { 0.0 };
    let width = if face.text.is_empty() { ICON } else { lead + galley.size().x };
    let left = rect.center().x - width / 2.0;
    if let Some(icon) = icon {
        icon.draw(ui.painter(), Icon::beside(left, rect.center().y + 1.0, ICON), ICON, ink);
    }
    ui.painter().galley(egui::pos2(left + lead, rect.center().y - galley.size().y / 2.0), galley, ink);
}

/// The width a button takes by itself.
pub fn natural_width(ui: &Ui, face: Face) -> f32 {
    let text = egui::WidgetText::from(RichText::new(face.text).size(BODY));
    let text = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, egui::TextStyle::Button).size().x;
    let icon = match (face.icon, face.text.is_empty()) {
        (Some(_), true) => ICON,
        (Some(_), false) => ICON + ICON_GAP,
        (None, _) => 0.0,
    };
    (text + icon + 24.0).max(32.0)
}

/// An ordinary button 32 pixels high.
pub fn button(ui: &mut Ui, text: &str, enabled: bool) -> Response {
    let face = Face { text, ..Face::default() };
    let width = natural_width(ui, face);
    face_button(ui, face, vec2(width, 32.0), enabled)
}

/// The same with a drawing.
pub fn drawn_button(ui: &mut Ui, icon: Icon, text: &str, enabled: bool) -> Response {
    let face = Face { icon: Some(icon), text, ..Face::default() };
    let width = natural_width(ui, face);
    face_button(ui, face, vec2(width, 32.0), enabled)
}

/// A button with this width.
pub fn wide_button(ui: &mut Ui, text: &str, width: f32, enabled: bool) -> Response {
    face_button(ui, Face { text, ..Face::default() }, vec2(width, 32.0), enabled)
}

/// The same with a drawing.
pub fn wide_drawn_button(ui: &mut Ui, icon: Icon, text: &str, width: f32, enabled: bool) -> Response {
    face_button(ui, Face { icon: Some(icon), text, ..Face::default() }, vec2(width, 32.0), enabled)
}

/// The filled (main) button of a screen.
pub fn filled_button(ui: &mut Ui, _: &Palette, text: &str, width: f32, enabled: bool) -> Response {
    face_button(ui, Face { text, filled: true, ..Face::default() }, vec2(width, 40.0), enabled)
}

/// A button that asks for something: its tooltip names the key that does the same.
pub fn ask_face(
    ui: &mut Ui,
    words: &Words,
    face: Face,
    request: impl Into<AnyRequest>,
    size: egui::Vec2,
    enabled: bool,
    requests: &mut Requests,
) -> Response {
    let request = request.into();
    let response = face_button(ui, face, size, enabled).tip(with_key(words, face.text, request.clone(), requests));
    if response.clicked() {
        requests.write(request);
    }
    response
}

/// The same with a drawing and a text.
pub fn ask_button(
    ui: &mut Ui,
    words: &Words,
    (icon, key): (Icon, &str),
    request: impl Into<AnyRequest>,
    size: egui::Vec2,
    enabled: bool,
    requests: &mut Requests,
) -> Response {
    ask_face(ui, words, Face { icon: Some(icon), text: words.say(key), filled: false }, request, size, enabled, requests)
}

/// The same with a drawing alone.
pub fn ask_icon(
    ui: &mut Ui,
    words: &Words,
    (icon, key): (Icon, &str),
    request: impl Into<AnyRequest>,
    width: f32,
    enabled: bool,
    requests: &mut Requests,
) -> Response {
    let request = request.into();
    let response = icon_button(ui, icon, &with_key(words, words.say(key), request.clone(), requests), width, enabled);
    if response.clicked() {
        requests.write(request);
    }
    response
}

/// Words of a tooltip with the key that does the same.
pub fn with_key(words: &Words, text: &str, request: impl Into<AnyRequest>, requests: &Requests) -> String {
    match requests.key_of(&request.into()) {
        Some(key) => format!("{text} ({})", words.say(key)),
        None => text.to_owned(),
    }
}

/// Draws a ring of two pixels around the element with the keyboard focus.
fn focus_ring(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> Response) -> Response {
    let response = add(ui);
    if response.has_focus() {
        let stroke = Stroke::new(2.0, ui.visuals().selection.bg_fill);
        ui.painter().rect_stroke(response.rect.expand(2.0), 10.0, stroke, egui::StrokeKind::Outside);
    }
    response
}

/// A choice among a few options, side by side. True if it was changed.
pub fn segmented<T: PartialEq + Copy>(ui: &mut Ui, value: &mut T, options: &[(T, &str)]) -> bool {
    let mut changed = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (option, text) in options {
            let chosen = *value == *option;
            let text = RichText::new(*text).color(choice_ink(ui, chosen));
            let response = focus_ring(ui, |ui| ui.add(Button::selectable(chosen, text).min_size(vec2(48.0, 32.0))));
            if response.clicked() && !chosen {
                *value = *option;
                changed = true;
            }
        }
    });
    changed
}

/// Something that is on or off, in small type beside other controls.
pub fn small_choice(ui: &mut Ui, chosen: bool, text: &str) -> Response {
    let text = RichText::new(text).size(SMALL).color(choice_ink(ui, chosen));
    ui.add(Button::selectable(chosen, text).min_size(vec2(48.0, 24.0)))
}

/// The background of a seat, as high as the board between the two.
pub fn card(ui: &mut Ui, width: f32, height: f32, palette: &Palette, add: impl FnOnce(&mut Ui)) {
    let frame = egui::Frame::new()
        .fill(colour(palette.panel().raised))
        .stroke(Stroke::new(1.0, colour(palette.panel().hairline)))
        .corner_radius(8.0)
        .inner_margin(16);
    frame.show(ui, |ui| {
        ui.set_width(width - 32.0);
        if height > 0.0 {
            ui.set_height((height - 32.0).max(184.0 + grown(ui, 2.0)));
        }
        add(ui);
    });
}

/// A checkbox with its text.
pub fn tick(ui: &mut Ui, chosen: &mut bool, text: &str) -> Response {
    focus_ring(ui, |ui| {
        let galley = in_lines(ui, text, egui::FontId::proportional(BODY), Color32::PLACEHOLDER, ui.available_width() - 28.0);
        let least = if target(ui) > TARGET { target(ui) } else { 28.0 };
        let size = vec2(28.0 + galley.size().x, galley.size().y.max(least));
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

/// A button that stays pressed while its option is on.
pub fn switch(ui: &mut Ui, _: &Palette, icon: Icon, text: &str, on: bool) -> Response {
    let face = Face { icon: Some(icon), text, filled: on };
    let width = natural_width(ui, face);
    let response = face_button(ui, face, vec2(width.max(72.0), 32.0), true);
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Button, true, on, text));
    response
}

/// A title.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.prose(RichText::new(text).size(TITLE));
}

/// Small secondary text.
pub fn dim(ui: &mut Ui, palette: &Palette, text: impl Into<String>) -> Response {
    ui.prose(RichText::new(text).size(SMALL).color(palette.dim()))
}

/// A line of one pixel.
pub fn hairline(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), egui::Sense::hover());
    let colour = ui.visuals().widgets.noninteractive.bg_stroke.color;
    ui.painter().rect_filled(rect, 0.0, colour);
}

/// A button with a drawing and its name, or with the drawing alone in a narrow window.
pub fn named(ui: &mut Ui, icon: Icon, name: &str) -> Response {
    if is_narrow(ui.ctx()) { icon_button(ui, icon, name, 36.0, true) } else { drawn_button(ui, icon, name, true) }
}

/// A button with a drawing alone; `label` is what it is called.
pub fn icon_button(ui: &mut Ui, icon: Icon, label: &str, width: f32, enabled: bool) -> Response {
    let response = face_button(ui, Face { icon: Some(icon), ..Face::default() }, vec2(width, 32.0), enabled);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, label));
    response.tip(label)
}

/// The small menu of a button: a click opens it, and a click anywhere or Escape closes it.
pub fn menu_of(button: &Response) -> egui::Popup<'_> {
    // Opened rather than toggled: egui may draw a frame twice for one click.
    egui::Popup::menu(button).open_memory(button.clicked().then_some(egui::SetOpenCommand::Bool(true)))
}

/// The menu of languages of a button.
pub fn choose_language(button: &Response, words: &Words, requests: &mut Requests) {
    menu_of(button).show(|ui| {
        for language in Language::ALL {
            if menu_choice(ui, language == words.language, language.own_name(), 120.0) {
                requests.change(move |settings: &mut Settings| settings.language = Some(language));
            }
        }
    });
}

/// An entry of a small menu, at least so wide; a click on it closes the menu. True if it was clicked.
pub fn menu_item<'a>(ui: &mut Ui, text: impl egui::IntoAtoms<'a>, width: f32, enabled: bool) -> bool {
    menu_entry(ui, Button::new(text), width, enabled)
}

/// The same for one of several choices, of which one is chosen now.
pub fn menu_choice(ui: &mut Ui, chosen: bool, text: impl Into<String>, width: f32) -> bool {
    let text = RichText::new(text).color(choice_ink(ui, chosen));
    menu_entry(ui, Button::selectable(chosen, text), width, true)
}

/// The colour of the text of one of several choices: the chosen one stands on the accent.
fn choice_ink(ui: &Ui, chosen: bool) -> Color32 {
    if chosen { ui.visuals().selection.stroke.color } else { ui.visuals().text_color() }
}

fn menu_entry(ui: &mut Ui, button: Button, width: f32, enabled: bool) -> bool {
    let clicked = ui.add_enabled(enabled, button.min_size(vec2(width, 30.0))).clicked();
    if clicked {
        ui.close();
    }
    clicked
}

/// Three pulsing dots while an engine searches.
pub fn breathing_dots(ui: &mut Ui, colour: Color32, seconds: f64) {
    let (rect, _) = ui.allocate_exact_size(vec2(28.0, 16.0), egui::Sense::hover());
    for index in 0..3 {
        let phase = (seconds * 0.5 - f64::from(index) * 0.12) * std::f64::consts::TAU;
        let strength = 0.35 + 0.65 * (0.5 + 0.5 * phase.sin()) as f32;
        let middle = rect.left_center() + vec2(5.0 + 9.0 * index as f32, 0.0);
        ui.painter().circle_filled(middle, 3.0, colour.gamma_multiply(strength));
    }
}

/// The tint for this opacity: egui multiplies bytes, but the graphics card blends in linear light.
pub fn faded(alpha: f32) -> Color32 {
    let alpha = alpha.clamp(0.0, 1.0);
    let light = (255.0 * alpha.powf(1.0 / 2.2)).round() as u8;
    Color32::from_rgba_premultiplied(light, light, light, (255.0 * alpha).round() as u8)
}

/// What rises once the end has been shown on the board: so late, in so many seconds, so far, in pixels.
const ARRIVAL: (f32, f32, f32) = (0.4, 0.22, 24.0);

/// Adds something that rises when it first appears under this name. Returns how far it has come, 0 to 1.
pub fn arrive(ui: &mut Ui, name: impl std::hash::Hash + std::fmt::Debug, settings: &Settings, add: impl FnOnce(&mut Ui)) -> f32 {
    let id = egui::Id::new(("arrival", name));
    let now = ui.input(|input| input.time);
    let since: f64 = ui.data_mut(|data| *data.get_temp_mut_or(id, now));
    let (late, length) = (seconds(settings, ARRIVAL.0), seconds_or_fade(settings, ARRIVAL.1));
    let part = if length > 0.0 { (((now - since) as f32 - late) / length).clamp(0.0, 1.0) } else { 1.0 };
    if part < 1.0 {
        ui.ctx().request_repaint();
    }
    let away = if settings.reduced_motion { 0.0 } else { ARRIVAL.2 * (1.0 - part) * (1.0 - part) };
    let transform = egui::emath::TSTransform::from_translation(vec2(0.0, away.round()));
    ui.scope(|ui| {
        ui.set_opacity(part);
        ui.with_visual_transform(transform, add);
    });
    part
}
