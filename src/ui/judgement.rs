//! What a verdict on a move looks like, wherever it is told.

use super::speech::News;
use super::style::{BODY, Palette, tone};
use super::typesetting::{Prose, Tip};
use super::widgets::dim;
use crate::app::view::Ink;
use crate::app::words::Words;
use bevy_egui::egui::{Align, Layout, RichText, Ui};
use qiju_core::paint::Colour;
use qiju_core::table::{Judgement, MoveVerdict};

/// The ink of what is drawn on the board for a judgement.
pub fn ink(judgement: Judgement) -> Ink {
    let [r, g, b, _] = tone(judgement).to_array();
    Ink::Of(Colour { r, g, b })
}

/// The judgement with its sign.
pub fn name(ui: &mut Ui, words: &Words, judgement: Judgement) {
    let sign = judgement.glyph().and_then(|glyph| glyph.sign()).unwrap_or_default();
    let name = format!("{} {sign}", words.judgement(judgement));
    ui.prose(RichText::new(name.trim_end()).size(BODY).color(tone(judgement)));
}

/// The judgement, and the mover's chances to win before and after the move.
pub fn headline(ui: &mut Ui, (words, palette): (&Words, &Palette), verdict: &MoveVerdict) {
    let (before, after) = (words.chance(verdict.before), words.chance(verdict.after));
    let text = if before == after { after } else { words.fill("review.from-to", &[&before, &after]) };
    ui.announce(format!("{} {text}", words.judgement(verdict.judgement)));
    ui.horizontal(|ui| {
        name(ui, words, verdict.judgement);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            dim(ui, palette, text).tip(words.say("review.chances"));
        });
    });
}
