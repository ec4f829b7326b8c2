//! The score sheet: the tree of moves with its variations and comments (click a move to show it), and the navigation buttons.

mod menu;
mod rows;

use super::style::{BODY, Palette, SMALL};
use super::widgets::{Face, Icon, ask_button, ask_icon, dim, icon_button, least_side, menu_of, natural_width, row_height};
use crate::app::play::{CurrentMatch, Entry, ScoreSheet};
use crate::app::requests::{CursorRequest, Go, Requests};
use crate::app::view::PieceImages;
use crate::app::words::Words;
use crate::ui::typesetting::Tip;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align2, FontId, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use menu::Fold;
use qiju_core::table::{NodeId, Tree};
use rows::{ROW, Row, Rows, indent};
use std::collections::{HashMap, HashSet};

/// The space below a row.
const BELOW: f32 = 2.0;
/// The width of the column of numbers.
const NUMBERS: f32 = 32.0;
/// The height of the row of buttons.
pub const LEAFING: f32 = 32.0;

/// The state of the sheet: folded variations and the scroll position.
#[derive(Resource, Default)]
pub struct SheetView {
    rows: Rows,
    /// The entry of each node.
    entry_of: HashMap<NodeId, usize>,
    /// The input of the rows: the sheet's revision, the width, the height of a row, a counter of folding.
    made_of: Option<(u64, u32, u32, u64)>,
    game: u64,
    folded: HashSet<NodeId>,
    folds: u64,
    /// The place, the number of moves and the height the sheet was last scrolled for.
    followed: Option<(NodeId, usize, u32)>,
    offset: f32,
}

impl SheetView {
    /// Makes new rows if something has changed.
    fn follow(&mut self, ui: &Ui, sheet: &ScoreSheet, current: &CurrentMatch, (width, row): (f32, f32)) {
        let played = current.played();
        if self.game != played.number() {
            *self = SheetView { game: played.number(), ..SheetView::default() };
        }
        // The node that is shown is never folded.
        let place = (current.cursor(), sheet.entries().len());
        if self.followed.map(|(node, moves, _)| (node, moves)) != Some(place) && !self.folded.is_empty() {
            let mut at = current.tree().previous(current.cursor());
            while let Some(above) = at {
                self.folds += u64::from(self.folded.remove(&above));
                at = current.tree().previous(above);
            }
        }
        let made_of = (sheet.revision(), width as u32, row as u32, self.folds);
        if self.made_of == Some(made_of) {
            return;
        }
        self.made_of = Some(made_of);
        let font = FontId::proportional(SMALL);
        self.rows = ui.fonts_mut(|fonts| {
            Rows::new(sheet.entries(), current.tree(), &self.folded, (width, row), |letter| fonts.glyph_width(&font, letter))
        });
        self.entry_of = sheet.entries().iter().enumerate().map(|(index, entry)| (entry.node, index)).collect();
    }

    /// The entry of the node that is shown, or of the last move before it on the sheet.
    fn here(&self, current: &CurrentMatch) -> Option<usize> {
        // The moves of an attempt are not on the sheet.
        if current.played().sketch_player().is_some() {
            return None;
        }
        let way = std::iter::successors(Some(current.cursor()), |at| current.tree().previous(*at));
        way.into_iter().find_map(|node| self.entry_of.get(&node).copied())
    }

    fn fold(&mut self, fold: Fold, sheet: &ScoreSheet) {
        self.folds += 1;
        match fold {
            Fold::One(node) => {
                if !self.folded.remove(&node) {
                    self.folded.insert(node);
                }
            }
            Fold::All => {
                self.folded = sheet.entries().iter().filter(|entry| entry.begins > 1).map(|entry| entry.node).collect();
            }
            Fold::None => self.folded.clear(),
        }
    }
}

/// The list with this height.
pub fn list(
    ui: &mut Ui,
    view: &mut SheetView,
    (sheet, current): (&ScoreSheet, &CurrentMatch),
    (words, palette, images): (&Words, &Palette, Option<&PieceImages>),
    height: f32,
    requests: &mut Requests,
) {
    if sheet.entries().is_empty() && current.tree().notes(Tree::ROOT).comment.is_empty() {
        ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::top_down(egui::Align::Min), |ui| {
            ui.set_min_height(height);
            dim(ui, palette, words.say("play.no-moves"));
        });
        return;
    }
    let width = ui.available_width() - 8.0;
    let high = ROW.max(row_height(ui, ROW - BELOW) + BELOW);
    view.follow(ui, sheet, current, (width, high));
    let here = view.here(current);
    let mut area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]);
    // The list scrolls to the node that is shown; otherwise the user scrolls it.
    let place = (current.cursor(), sheet.entries().len(), height as u32);
    if view.followed != Some(place) {
        view.followed = Some(place);
        let (top, bottom) = match here.and_then(|here| view.rows.row_of(here)) {
            Some(row) => (view.rows.tops[row], view.rows.tops[row + 1]),
            None => (0.0, 0.0),
        };
        if top < view.offset + high || bottom > view.offset + height - high {
            area = area.vertical_scroll_offset((top - height / 2.0).clamp(0.0, (view.rows.height() - height).max(0.0)));
        }
    }
    let mut fold = None;
    let shown = area.show_viewport(ui, |ui, viewport| {
        let corner = ui.max_rect().min;
        ui.set_height(view.rows.height());
        ui.set_width(width);
        let rows = &view.rows;
        let seen = rows.between(viewport.top(), viewport.bottom());
        let stop = here.filter(|here| rows.row_of(*here).is_some_and(|row| seen.contains(&row)));
        let stop = stop.or_else(|| rows.rows[seen.clone()].iter().find_map(|row| row.moves().next()));
        let page = Page { sheet, current, words, palette, images, rows, here, stop, corner, width, high: high - BELOW };
        for index in seen {
            fold = page.row(ui, &rows.rows[index], rows.tops[index], requests).or(fold);
        }
    });
    view.offset = shown.state.offset.y;
    if let Some(fold) = fold {
        view.fold(fold, sheet);
    }
}

/// The data for drawing the rows.
struct Page<'a> {
    sheet: &'a ScoreSheet,
    current: &'a CurrentMatch,
    words: &'a Words,
    palette: &'a Palette,
    /// The pieces' pictures, where they stand for their letters.
    images: Option<&'a PieceImages>,
    rows: &'a Rows,
    here: Option<usize>,
    /// The only move that the Tab key stops at: the one that is shown, or the first that is seen. The arrow keys lead on from there.
    stop: Option<usize>,
    corner: egui::Pos2,
    width: f32,
    /// The drawn height of a row, without the space below it.
    high: f32,
}

impl Page<'_> {
    fn row(&self, ui: &mut Ui, row: &Row, top: f32, requests: &mut Requests) -> Option<Fold> {
        let left = self.corner.x + indent(row.depth());
        let top = self.corner.y + top;
        let line = ui.visuals().widgets.noninteractive.bg_stroke;
        for depth in 1..=row.depth() {
            let x = self.corner.x + indent(depth) - 6.0;
            ui.painter().vline(x, top - 1.0..=top + self.high + BELOW - 1.0, line);
        }
        let mut fold = None;
        match row {
            Row::Comment { text, .. } => {
                let font = FontId::proportional(SMALL);
                ui.painter().text(pos2(left + 8.0, top), Align2::LEFT_TOP, text, font, self.palette.dim());
                let rect = Rect::from_min_size(pos2(left, top), vec2(self.width, rows::COMMENT));
                let response = ui.interact(rect, ui.id().with(("comment", top as i32)), Sense::hover());
                response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, text));
            }
            Row::Choice(index) => {
                let rect = Rect::from_min_size(pos2(left + NUMBERS + 4.0, top), vec2(self.width - NUMBERS - 8.0, self.high));
                fold = self.place(ui, *index, rect, requests);
            }
            Row::Moves { number, first, second, begins, .. } => {
                let numbers = Rect::from_min_size(pos2(left, top), vec2(NUMBERS, self.high));
                let font = FontId::proportional(SMALL);
                let number = format!("{number}.");
                ui.painter().text(numbers.right_center(), Align2::RIGHT_CENTER, number, font, self.palette.dim());
                if let (Some(folded), Some(index)) = (begins, first.or(*second)) {
                    fold = self.triangle(ui, index, *folded > 0, numbers);
                }
                let space = self.corner.x + self.width - left - NUMBERS - 12.0;
                let column = (space / 2.0).floor();
                let at = |place: usize| {
                    let x = left + NUMBERS + 4.0 + place as f32 * (column + 4.0);
                    Rect::from_min_size(pos2(x, top), vec2(column, self.high))
                };
                match first {
                    Some(index) => fold = self.place(ui, *index, at(0), requests).or(fold),
                    None => self.note(ui, "…", at(0)),
                }
                if let Some(index) = second {
                    fold = self.place(ui, *index, at(1), requests).or(fold);
                }
                if let Some(folded) = begins.filter(|folded| *folded > 0) {
                    let text = format!("… +{folded}");
                    let rect = if first.is_some() { at(1) } else { at(1).translate(vec2(column * 0.7, 0.0)) };
                    self.note(ui, &text, rect);
                }
            }
        }
        fold
    }

    /// Secondary text in a column.
    fn note(&self, ui: &Ui, text: &str, rect: Rect) {
        let font = FontId::proportional(SMALL);
        ui.painter().text(rect.left_center() + vec2(8.0, 0.0), Align2::LEFT_CENTER, text, font, self.palette.dim());
    }

    /// The triangle that folds and unfolds a variation of more than one move.
    fn triangle(&self, ui: &mut Ui, index: usize, folded: bool, numbers: Rect) -> Option<Fold> {
        let entry = self.sheet.entries().get(index).filter(|entry| entry.begins > 1)?;
        let rect = Rect::from_min_size(numbers.min - vec2(2.0, 0.0), vec2(14.0, self.high));
        // For a finger the whole column of numbers.
        let pressed = if least_side(ui).x > 0.0 {
            Rect::from_min_max(numbers.min - vec2(8.0, 0.0), numbers.max + vec2(4.0, 0.0))
        } else {
            rect
        };
        let response = ui.interact(pressed, ui.id().with(("fold", entry.node)), Sense::CLICK);
        let label = self.words.say(if folded { "sheet.unfold" } else { "sheet.fold" });
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label));
        let ink = if response.hovered() || response.has_focus() { self.palette.accent() } else { self.palette.dim() };
        let middle = rect.center();
        let points = match folded {
            true => vec![middle + vec2(-2.5, -4.0), middle + vec2(3.5, 0.0), middle + vec2(-2.5, 4.0)],
            false => vec![middle + vec2(-4.0, -2.5), middle + vec2(4.0, -2.5), middle + vec2(0.0, 3.5)],
        };
        ui.painter().add(egui::Shape::convex_polygon(points, ink, Stroke::NONE));
        response.tip(label).clicked().then_some(Fold::One(entry.node))
    }

    /// One move of the list.
    fn place(&self, ui: &mut Ui, index: usize, rect: Rect, requests: &mut Requests) -> Option<Fold> {
        let entry = self.sheet.entries().get(index)?;
        let here = self.here == Some(index);
        let text = self.text(entry);
        let (id, sense) = match self.stop == Some(index) {
            true => (ui.id().with("stop"), Sense::click()),
            false => (ui.id().with(("move", entry.node, entry.text.as_ptr())), Sense::CLICK),
        };
        let response = ui.interact(rect, id, sense);
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, here, &text));
        let ink = match (here, entry.depth) {
            (true, _) => self.palette.accent(),
            (false, 0) => self.palette.text(),
            (false, _) => self.palette.text().lerp_to_gamma(self.palette.dim(), 0.5),
        };
        if here || response.hovered() {
            ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.inactive.weak_bg_fill);
        }
        if response.has_focus() {
            if let Some(key) = arrow(ui, id) {
                let to = self.rows.step(self.here, key).and_then(|to| self.sheet.entries().get(to));
                requests.write(CursorRequest::Go(to.map_or(Go::Start, |to| Go::To(to.node))));
            }
            ui.painter().rect_stroke(rect, 4.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Inside);
        }
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        // Instead of its letter the piece itself, where that is wanted.
        let (text, rect) = match self.picture(entry) {
            Some(picture) => {
                let side = ROW - BELOW - 4.0;
                let (before, rest) = around_the_piece(&text);
                let before = ui.painter().layout_no_wrap(before.to_owned(), FontId::proportional(BODY), ink);
                let left = rect.left() + 6.0 + before.size().x;
                let place = Rect::from_min_size(pos2(left, rect.center().y - side / 2.0), vec2(side, side));
                ui.painter().galley(pos2(rect.left() + 6.0, rect.center().y - before.size().y / 2.0), before, ink);
                ui.painter().image(picture, place, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), egui::Color32::WHITE);
                (rest.to_owned(), Rect::from_min_max(pos2(place.right() - 4.0, rect.top()), rect.max))
            }
            None => (text, rect),
        };
        let text = egui::RichText::new(text).size(if entry.depth == 0 { BODY } else { BODY - 1.0 }).color(ink);
        let truncated = Some(egui::TextWrapMode::Truncate);
        let galley = egui::WidgetText::from(text).into_galley(ui, truncated, rect.width() - 10.0, egui::TextStyle::Body);
        let corner = rect.left_center() + vec2(8.0, -galley.size().y / 2.0);
        ui.painter().galley(corner, galley, ink);
        if response.clicked() {
            requests.write(CursorRequest::Go(Go::To(entry.node)));
        }
        let mut fold = None;
        response.context_menu(|ui| {
            fold = menu::items(ui, entry.node, self.current, (self.words, self.palette), self.sheet, requests);
        });
        fold
    }

    /// The picture of the piece that moves, where pieces are shown so.
    fn picture(&self, entry: &Entry) -> Option<egui::TextureId> {
        self.images.filter(|_| entry.piece.is_some_and(|_| self.current.game().sheet.roles.len() > 1))?.small(entry.piece?)
    }

    /// A move with its glyphs.
    fn text(&self, entry: &Entry) -> String {
        let mut text = entry.text.to_string();
        if entry.node != Tree::ROOT {
            text.extend(self.current.tree().notes(entry.node).glyphs.iter().filter_map(|glyph| glyph.sign()));
        }
        text
    }
}

/// The key that leads to another move, pressed while the sheet has the focus.
fn arrow(ui: &Ui, id: egui::Id) -> Option<egui::Key> {
    let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    ui.input_mut(|input| rows::ARROWS.into_iter().find(|key| input.consume_key(egui::Modifiers::NONE, *key)))
}

/// What is written before the piece's letter and behind it: `+C=5` is `+` and `=5`. Where a move is written by its points alone, all of it is behind.
fn around_the_piece(text: &str) -> (&str, &str) {
    let Some((at, letter)) = text.char_indices().find(|(_, c)| c.is_alphabetic()) else { return ("", text) };
    let named = letter.is_ascii_uppercase() && !text.contains('-') || !letter.is_ascii();
    // In Chinese the place comes before the piece: 前炮平五.
    let place = ['前', '后', '中', '一', '二', '三', '四', '五'];
    if !named {
        return ("", text);
    }
    if place.contains(&letter) {
        let piece = text.char_indices().nth(1).map_or(text.len(), |(at, _)| at);
        let behind = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at);
        return (&text[..piece], &text[behind..]);
    }
    (&text[..at], &text[at + letter.len_utf8()..])
}

/// The navigation buttons; in an earlier position, the button to continue from there, above them where it has no room beside them; and the menu of the
/// move that is shown.
pub fn leaf(
    ui: &mut Ui,
    view: &mut SheetView,
    (sheet, current): (&ScoreSheet, &CurrentMatch),
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
    goes_on: bool,
) {
    let (played, tree, here) = (current.played(), current.tree(), current.cursor());
    let looking_back = current.is_looking_back();
    let has_next = tree.next(here).is_some_and(|next| !played.is_of_line(here) || played.is_of_line(next));
    let has_before = here != Tree::ROOT;
    let (gap, width) = (6.0, 36.0);
    let offered = goes_on && looking_back && played.sketch().is_none() && played.is_on_line();
    let rest = ui.available_width() - 5.0 * (width + gap);
    let go_on = [(Icon::Forward, "look.go-on"), (Icon::Forward, "look.go-on.brief")];
    let beside = go_on
        .into_iter()
        .find(|(icon, key)| natural_width(ui, Face { icon: Some(*icon), text: words.say(key), ..Face::default() }) <= rest);
    if offered && beside.is_none() {
        let size = vec2(ui.available_width(), 32.0);
        ask_button(ui, words, go_on[0], CursorRequest::GoOnFromHere, size, true, requests);
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for (icon, key, enabled, go) in [
            (Icon::First, "look.first", has_before, Go::Start),
            (Icon::Back, "look.back", has_before, Go::Back),
            (Icon::Forward, "look.forward", has_next, Go::Forward),
            (Icon::Last, "look.last", looking_back, Go::End),
        ] {
            ask_icon(ui, words, (icon, key), CursorRequest::Go(go), width, enabled, requests);
        }
        let button = icon_button(ui, Icon::More, words.say("sheet.menu"), width, played.sketch().is_none());
        let mut fold = None;
        menu_of(&button).show(|ui| {
            fold = menu::items(ui, here, current, (words, palette), sheet, requests);
        });
        if let Some(fold) = fold {
            view.fold(fold, sheet);
        }
        if let Some(face) = beside.filter(|_| offered) {
            ask_button(ui, words, face, CursorRequest::GoOnFromHere, vec2(rest, 32.0), true, requests);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letter_of_the_piece_is_found_in_every_notation() {
        let cases = [
            ("C2=5", ("", "2=5")),
            ("+C=5", ("+", "=5")),
            ("炮二平五", ("", "二平五")),
            ("前炮平五", ("前", "平五")),
            ("h2e2", ("", "h2e2")),
            ("H2-E2", ("", "H2-E2")),
            ("a1-a2", ("", "a1-a2")),
            ("", ("", "")),
        ];
        for (text, parts) in cases {
            assert_eq!(around_the_piece(text), parts, "{text}");
        }
    }
}
