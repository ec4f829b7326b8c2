//! The editor of positions: the board, and beside it the pieces that can be put on it, what can be done with the position and what is wrong with it.

mod board;

use super::activity::register;
use super::boards::{Board, Boards};
use super::draw::Draw;
use super::style::{BODY, Palette, SMALL, colour};
use super::widgets::{
    Face, Icon, breathing_dots, dim, face_button, filled_button, grown, hairline, heading, icon_button, menu_choice, menu_of,
    natural_width, root, row_height, segmented,
};
use crate::app::activity::Activity;
use crate::app::explore::{Editing, PositionEditor};
use crate::app::hand::Placing;
use crate::app::layout::{BAR, Layout, Shape};
use crate::app::library::LibraryGame;
use crate::app::play::CurrentMatch;
use crate::app::position::{PositionWish, Tool};
use crate::app::requests::{AnyRequest, DialogRequest, FileAim, PasteClipboard, Requests};
use crate::app::state::{Menu, Screen};
use crate::app::words::Words;
use crate::ui::typesetting::{Prose, Tip, in_lines};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align, Align2, FontId, RichText, Sense, Stroke, StrokeKind, Ui, vec2};
use qiju_core::rules::Side;
use qiju_core::table::{Piece, Setup};

/// The side of a piece of the palette, and the picture in it.
const TILE: f32 = 36.0;
const PICTURE: f32 = 30.0;

/// What the page is drawn with.
struct Page<'a> {
    editing: &'a Editing,
    /// Its board, once it is painted.
    board: Option<&'a Board>,
    words: &'a Words,
    palette: &'a Palette,
}

fn draw(
    mut contexts: EguiContexts,
    (editor, placing, mut boards): (Res<PositionEditor>, Res<Placing>, Boards),
    (layout, words, palette): (Res<Layout>, Res<Words>, Res<Palette>),
    menu: Res<State<Menu>>,
    mut requests: Requests,
) -> Result {
    let Some(editing) = editor.editing() else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let board = boards.laid_out(editing.game(), &layout).filter(|_| layout.size == editing.size());
    let mut ui = root(ctx, "positions");
    let free = *menu.get() == Menu::None;
    let pointer = ctx.input(|input| input.pointer.latest_pos()).filter(|_| free);
    let page = Page { editing, board: board.as_ref(), words: &words, palette: &palette };
    if let Some(board) = &board {
        board::show(ui.painter(), (board, &layout), editing, (placing.dragged(), pointer));
    }
    let frame = |margin: egui::Margin| egui::Frame::new().fill(colour(palette.panel().surface)).inner_margin(margin);
    let folded = layout.shape == Shape::Folded;
    if folded {
        let bar = egui::Panel::top("bar").exact_size(BAR).resizable(false).show_separator_line(false);
        let margin = egui::Margin::symmetric(16, if layout.fingers { 2 } else { 8 });
        bar.frame(frame(margin)).show(&mut ui, |ui| page.head(ui, &mut requests));
    }
    let panel = match layout.shape {
        Shape::Upright => egui::Panel::bottom("panel").exact_size(layout.sheet),
        _ => egui::Panel::right("panel").exact_size(layout.panel),
    };
    let margin = if layout.is_small() { egui::Margin::symmetric(16, 8) } else { egui::Margin::same(16) };
    panel.resizable(false).show_separator_line(false).frame(frame(margin)).show(&mut ui, |ui| {
        if !folded {
            page.head(ui, &mut requests);
            hairline(ui);
        }
        // What is wrong is always seen, beside what can be done with the position.
        let wrong = (ui.available_height() * 0.24).clamp(56.0, 140.0);
        let height = (ui.available_height() - wrong - 64.0 - grown(ui, 0.4)).max(80.0);
        egui::ScrollArea::vertical().max_height(height).auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            page.palette(ui, &mut requests);
            page.position(ui, &mut requests);
        });
        hairline(ui);
        let faults = egui::ScrollArea::vertical().id_salt("faults").max_height(wrong).auto_shrink([false, false]);
        faults.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            page.faults(ui, &mut requests);
        });
        page.foot(ui, &mut requests);
    });
    // What the pointer holds lies over everything.
    if let (Some(piece), Some(at), Some(board)) = (editing.grabbed(), pointer, &board) {
        let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::new("held piece"));
        board.picture(&ctx.layer_painter(layer), piece, (at, layout.interface_cell() * 0.9), 1.0);
    }
    Ok(())
}

fn ask(requests: &mut Requests, wish: PositionWish) {
    requests.write(wish);
}

impl Page<'_> {
    /// The way back, and what this is.
    fn head(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.horizontal(|ui| {
            if icon_button(ui, Icon::Leave, self.words.say("menu.back"), 36.0, true).clicked() {
                ask(requests, PositionWish::Close);
            }
            ui.add_space(4.0);
            heading(ui, self.words.say("positions.title"));
            if self.board.is_none() {
                let seconds = ui.input(|input| input.time);
                breathing_dots(ui, self.palette.accent(), seconds);
            }
        });
    }

    /// The pieces, a row for each side, and the other tools.
    fn palette(&self, ui: &mut Ui, requests: &mut Requests) {
        let kinds: Vec<Piece> = self.editing.game().sheet.kinds().collect();
        let alone = self.editing.game().sheet.roles.len() == 1;
        let row = |ui: &mut Ui, pieces: &[Piece], requests: &mut Requests| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
                for piece in pieces {
                    self.tile(ui, *piece, requests);
                }
            });
        };
        if alone {
            row(ui, &kinds, requests);
        } else {
            for side in Side::BOTH {
                let of: Vec<Piece> = kinds.iter().copied().filter(|piece| piece.side == side).collect();
                row(ui, &of, requests);
            }
        }
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 8.0) / 2.0;
            for (icon, key, tool, shortcut) in
                [(Icon::Hand, "positions.move", Tool::Hand, "H"), (Icon::Erase, "positions.remove", Tool::Remove, "X")]
            {
                let on = self.editing.tool() == tool;
                let text = self.words.say(key);
                let response = face_button(ui, Face { icon: Some(icon), text, filled: on }, vec2(width, 32.0), true);
                response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, on, text));
                if response.tip(format!("{text} ({shortcut})")).clicked() {
                    ask(requests, PositionWish::Choose(tool));
                }
            }
        });
    }

    /// A piece of the palette: a press takes it, to be dragged to the board or put there by clicks.
    fn tile(&self, ui: &mut Ui, piece: Piece, requests: &mut Requests) {
        let on = self.editing.tool() == Tool::Put(piece);
        let left = self.editing.left(piece);
        let (rect, response) = ui.allocate_exact_size(egui::Vec2::splat(row_height(ui, TILE)), Sense::click_and_drag());
        let said =
            self.words.fill("positions.left", &[&self.words.sides_piece(&self.editing.game().sheet, piece), &left.to_string()]);
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, on, &said));
        let panel = self.palette.panel();
        let ground = if response.hovered() { panel.hover } else { panel.raised };
        ui.painter().rect_filled(rect, 6.0, colour(ground));
        let strength = if left == 0 { 0.35 } else { 1.0 };
        // Dark pieces stand out on a dark panel, light ones on a light one.
        ui.painter().circle_filled(rect.center(), PICTURE / 2.0 + 0.5, self.palette.dim().gamma_multiply(0.55 * strength));
        if let Some(board) = self.board {
            board.picture(ui.painter(), piece, (rect.center(), PICTURE), strength);
        }
        if on || response.has_focus() {
            ui.painter().rect_stroke(rect, 6.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Inside);
        }
        let pressed = response.contains_pointer() && ui.input(|input| input.pointer.primary_pressed());
        if pressed {
            ask(requests, PositionWish::Grab(piece));
        } else if response.clicked() {
            ask(requests, PositionWish::Choose(Tool::Put(piece)));
        }
        response.tip(said);
    }

    /// Who is to move, the rules, and what changes the whole position.
    fn position(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, editing) = (self.words, self.editing);
        let sheet = &editing.game().sheet;
        dim(ui, self.palette, words.say("positions.turn"));
        let mut turn = editing.draft().turn;
        if segmented(ui, &mut turn, &Side::BOTH.map(|side| (side, words.of(&sheet.sides[side])))) {
            ask(requests, PositionWish::Turn(turn));
        }
        if sheet.variants.len() > 1 {
            let name = sheet.variant(editing.variant()).map_or("", |variant| words.of(&variant.name));
            let text = words.with("positions.rules", name);
            let width = ui.available_width();
            let button = face_button(ui, Face { icon: Some(Icon::Rules), text: &text, filled: false }, vec2(width, 32.0), true);
            menu_of(&button).show(|ui| {
                egui::ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
                    for variant in &sheet.variants {
                        let chosen = variant.key == editing.variant();
                        if menu_choice(ui, chosen, words.of(&variant.name), width - 16.0) {
                            ask(requests, PositionWish::Variant(variant.key.clone()));
                        }
                    }
                });
            });
        }
        let size = vec2((ui.available_width() - 16.0) / 3.0, 32.0);
        let rows = [
            [
                (Icon::Undo, "positions.undo", "Ctrl+Z", PositionWish::Undo, editing.can_undo()),
                (Icon::Redo, "positions.redo", "Ctrl+Y", PositionWish::Redo, editing.can_redo()),
                (Icon::Close, "positions.clear", "", PositionWish::Clear, !editing.draft().pieces.is_empty()),
            ],
            [
                (Icon::Again, "positions.start", "", PositionWish::Start, true),
                (Icon::Rotate, "positions.rotate", "R", PositionWish::Rotate, true),
                (Icon::Mirror, "positions.mirror", "M", PositionWish::Mirror, true),
            ],
        ];
        for row in rows {
            ui.horizontal(|ui| {
                for (icon, key, shortcut, wish, enabled) in row {
                    let face = Face { icon: Some(icon), text: words.say(key), filled: false };
                    let mut response = face_button(ui, face, size, enabled);
                    if !shortcut.is_empty() {
                        response = response.tip(format!("{} ({shortcut})", words.say(key)));
                    }
                    if response.clicked() {
                        ask(requests, wish);
                    }
                }
            });
        }
        ui.horizontal(|ui| {
            let size = vec2((ui.available_width() - 16.0) / 3.0, 32.0);
            for (icon, key, request) in [
                (Icon::Copy, "positions.copy", AnyRequest::from(PositionWish::Copy)),
                (Icon::Paste, "positions.paste", PasteClipboard.into()),
                (Icon::Records, "positions.picture", DialogRequest::Choose(FileAim::Open).into()),
            ] {
                let face = Face { icon: Some(icon), text: words.say(key), filled: false };
                if face_button(ui, face, size, true).clicked() {
                    requests.write(request);
                }
            }
        });
    }

    /// What is wrong, a line for each; a click points at it on the board.
    fn faults(&self, ui: &mut Ui, requests: &mut Requests) {
        let (words, editing) = (self.words, self.editing);
        let uncertain = editing.uncertain().len();
        if uncertain > 0 {
            let text = words.with("positions.uncertain", uncertain);
            ui.prose(RichText::new(text).size(SMALL).color(self.palette.accent()));
        }
        if editing.faults().is_empty() {
            let key = if editing.is_over() { "setup.over" } else { "positions.sound" };
            let ink = if editing.is_over() { colour(self.palette.panel().danger) } else { self.palette.dim() };
            ui.prose(RichText::new(words.say(key)).size(SMALL).color(ink));
            return;
        }
        for (index, fault) in editing.faults().iter().enumerate() {
            let text = words.position_fault(editing.game(), editing.size(), fault);
            let width = ui.available_width();
            let ink = colour(self.palette.panel().danger);
            let galley = in_lines(ui, text.clone(), FontId::proportional(SMALL), ink, width - 34.0);
            let (rect, response) = ui.allocate_exact_size(vec2(width, row_height(ui, galley.size().y + 12.0)), Sense::click());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &text));
            let ground = self.palette.panel();
            let fill = if response.hovered() { ground.hover } else { ground.raised };
            ui.painter().rect_filled(rect, 4.0, colour(fill));
            if response.has_focus() {
                ui.painter().rect_stroke(rect, 4.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Inside);
            }
            let sign = rect.left_center() + vec2(14.0, 0.0);
            ui.painter().circle_stroke(sign, 8.0, Stroke::new(1.5, ink));
            ui.painter().text(sign, Align2::CENTER_CENTER, "!", FontId::proportional(BODY), ink);
            let top = ((rect.height() - galley.size().y) / 2.0).round();
            ui.painter().galley(rect.min + vec2(28.0, top), galley, ink);
            if response.tip(words.say("positions.point")).clicked() {
                ask(requests, PositionWish::PointAt(index));
            }
        }
    }

    /// What can be done with the position.
    fn foot(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.with_layout(egui::Layout::bottom_up(Align::Min), |ui| {
            ui.horizontal(|ui| {
                let sound = self.editing.is_playable();
                let face = Face { icon: Some(Icon::Analysis), text: self.words.say("positions.analyse"), filled: false };
                let width = natural_width(ui, face);
                if face_button(ui, face, vec2(width, 40.0), sound).clicked() {
                    ask(requests, PositionWish::Analyse);
                }
                let width = ui.available_width();
                if filled_button(ui, self.palette, self.words.say("positions.play"), width, sound).clicked() {
                    ask(requests, PositionWish::Play);
                }
            });
        });
    }
}

pub(super) fn plugin(app: &mut App) {
    let entry = |game: &LibraryGame, variant: &str, setup: &Setup| {
        let placement = (game.entry.capabilities)(variant).placement;
        placement.map(|_| PositionWish::Open { game: game.entry.key, setup: setup.clone() }.into())
    };
    let of_match = |current: &CurrentMatch| {
        let shown = current.shown();
        let can = current.traits().whole_game && current.help_allowed() && shown.capabilities().placement.is_some();
        let setup = || Setup { position: Some(shown.position_text()), ..shown.setup().clone() };
        can.then(|| PositionWish::Open { game: current.game().entry.key, setup: setup() }.into())
    };
    register(app, Activity("editor")).entry(6, Icon::Edit, "positions.title", entry).pause_entry(
        6,
        Icon::Edit,
        "positions.title",
        of_match,
    );
    app.add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Screen).run_if(in_state(Screen::Editor).and_then(resource_exists::<Palette>)),
    );
}
