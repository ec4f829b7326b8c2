//! The menu of a move: glyphs, a comment, and the commands for its variation.

use crate::app::play::{CurrentMatch, ScoreSheet};
use crate::app::requests::{
    CopyRequest, CursorRequest, ExportRequest, Go, PageRequest, PasteClipboard, Requests, SeekWin, ThreatRequest,
};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::style::{BODY, Palette};
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{dim, menu_item};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Button, RichText, Ui, vec2};
use qiju_core::table::{Glyph, NodeId, Tree, TreeEdit};

/// A request to fold or unfold variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Fold or unfold the variation that begins with this move.
    One(NodeId),
    /// Fold all.
    All,
    /// Unfold all.
    None,
}

/// The available glyphs, the best first, with the keys of their texts.
const GLYPHS: [(Glyph, &str); 6] = [
    (Glyph::BRILLIANT, "glyph.brilliant"),
    (Glyph::GOOD, "glyph.good"),
    (Glyph::INTERESTING, "glyph.interesting"),
    (Glyph::DUBIOUS, "glyph.dubious"),
    (Glyph::MISTAKE, "glyph.mistake"),
    (Glyph::BLUNDER, "glyph.blunder"),
];

/// The commands for a move; the root means the whole game.
pub fn items(
    ui: &mut Ui,
    node: NodeId,
    current: &CurrentMatch,
    (words, palette): (&Words, &Palette),
    sheet: &ScoreSheet,
    requests: &mut Requests,
) -> Option<Fold> {
    let (played, tree) = (current.played(), current.tree());
    ui.set_min_width(200.0);
    ui.spacing_mut().item_spacing.y = 2.0;
    let item = |ui: &mut Ui, key: &str, enabled: bool| menu_item(ui, words.say(key), 0.0, enabled);
    if node != Tree::ROOT {
        if let Some(glyphs) = glyphs(ui, tree.notes(node).glyphs, words, palette) {
            requests.write(CursorRequest::Edit(TreeEdit::Glyphs { at: node, glyphs }));
            ui.close();
        }
        ui.add_space(4.0);
    }
    if item(ui, "sheet.comment", true) {
        requests.write(CursorRequest::Go(Go::To(node)));
        requests.write(PageRequest::Menu(Menu::Comment));
    }
    if current.may_seek_win() && item(ui, "proof.ask", true) {
        requests.write(SeekWin);
    }
    if node == current.cursor() && current.help_allowed() && item(ui, "threat.note", true) {
        requests.write(ThreatRequest);
    }
    if !played.is_of_line(node) {
        let variation = current.variation_of(node);
        let up = variation.filter(|variation| current.can_promote(*variation));
        if item(ui, "sheet.promote", up.is_some())
            && let Some(at) = up
        {
            requests.write(CursorRequest::Edit(TreeEdit::Promote { at }));
        }
        if item(ui, "sheet.delete", true) {
            requests.write(CursorRequest::Edit(TreeEdit::Remove { at: node }));
        }
    }
    ui.separator();
    for (key, what) in [
        ("sheet.copy-from", CopyRequest::From(node)),
        ("sheet.copy-moves", CopyRequest::Moves),
        ("sheet.copy-game", CopyRequest::Game),
        ("sheet.copy-position", CopyRequest::Position),
        ("sheet.copy-link", CopyRequest::Link),
        ("sheet.copy-position-link", CopyRequest::PositionLink),
    ] {
        if (node != Tree::ROOT || key != "sheet.copy-from") && item(ui, key, true) {
            requests.write(what);
        }
    }
    if item(ui, "sheet.paste", true) {
        requests.write(PasteClipboard);
    }
    if item(ui, "sheet.export", true) {
        requests.write(ExportRequest(None));
    }
    if item(ui, "sheet.picture", true) {
        requests.write(PageRequest::Menu(Menu::Picture));
    }
    let mut fold = None;
    if sheet.entries().iter().any(|entry| entry.begins > 1) {
        ui.separator();
        for (key, what) in [("sheet.fold-all", Fold::All), ("sheet.unfold-all", Fold::None)] {
            if item(ui, key, true) {
                fold = Some(what);
            }
        }
    }
    fold
}

/// The glyphs side by side; clicking the selected one removes it. Returns the new glyphs.
fn glyphs(ui: &mut Ui, now: &[Glyph], words: &Words, palette: &Palette) -> Option<Vec<Glyph>> {
    let mut new = None;
    dim(ui, palette, words.say("sheet.glyph"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding = vec2(4.0, 4.0);
        for (glyph, key) in GLYPHS {
            let on = now.contains(&glyph);
            let ink = if on { ui.visuals().selection.stroke.color } else { palette.text() };
            let text = RichText::new(glyph.sign().unwrap_or_default()).size(BODY).color(ink);
            let button = ui.add(Button::selectable(on, text).min_size(vec2(34.0, 30.0))).tip(words.say(key));
            button.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, on, words.say(key)));
            if button.clicked() {
                let others = now.iter().copied().filter(|other| other.sign().is_none());
                new = Some((!on).then_some(glyph).into_iter().chain(others).collect());
            }
        }
    });
    new
}
