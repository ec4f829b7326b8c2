//! The pages of study in the panel: the review of the game, and the analysis of the position that is shown.

mod analysis;
mod card;
mod graph;
mod learn;
mod marks;
mod review;

use super::moves::{self, SheetView};
use super::style::Palette;
use super::widgets::{button, grown, hairline, segmented};
use crate::app::engines::Engines;
use crate::app::explore::{Analysis, GameReview, Learn, Study};
use crate::app::play::{CurrentMatch, ScoreSheet};
use crate::app::requests::{Requests, StudyPage, StudyRequest};
use crate::app::settings::{Settings, SheetPieces};
use crate::app::view::PieceImages;
use crate::app::words::Words;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Color32, Ui};
use qiju_core::table::Judgement;

/// What the pages read.
#[derive(bevy::ecs::system::SystemParam)]
pub struct StudySeen<'w> {
    study: Res<'w, Study>,
    review: Res<'w, GameReview>,
    learn: Res<'w, Learn>,
    analysis: Res<'w, Analysis>,
    images: Res<'w, PieceImages>,
    engines: Res<'w, Engines>,
}

impl StudySeen<'_> {
    /// True while a page is open.
    pub fn is_open(&self) -> bool {
        self.study.page.is_some()
    }
}

/// What a page is drawn with.
struct Page<'a> {
    seen: &'a StudySeen<'a>,
    current: &'a CurrentMatch,
    sheet: &'a ScoreSheet,
    words: &'a Words,
    palette: &'a Palette,
}

/// The colour of a judgement, told apart by eyes that do not see red; signs say the same.
pub fn tone(judgement: Judgement) -> Color32 {
    match judgement {
        Judgement::Best => Color32::from_rgb(0x3F, 0xA0, 0x6A),
        Judgement::Good => Color32::from_rgb(0x7F, 0xA6, 0x5A),
        Judgement::Inaccuracy => Color32::from_rgb(0x56, 0xA8, 0xDC),
        Judgement::Mistake => Color32::from_rgb(0xE8, 0x9C, 0x1E),
        Judgement::Blunder => Color32::from_rgb(0xD9, 0x48, 0x3B),
    }
}

/// The score sheet is at least so high; what stands above it scrolls where there is no room.
const LEAST_SHEET: f32 = 96.0;

/// The page that is open.
pub fn page(
    ui: &mut Ui,
    seen: &StudySeen,
    (view, sheet, current): (&mut SheetView, &ScoreSheet, &CurrentMatch),
    (words, palette, settings): (&Words, &Palette, &Settings),
    requests: &mut Requests,
) {
    let page = Page { seen, current, sheet, words, palette };
    page.head(ui, requests);
    hairline(ui);
    let whole = ui.available_height();
    let reviews = seen.study.page != Some(StudyPage::Analysis);
    let below = moves::LEAFING + 16.0 + if reviews { review::FOOT } else { 0.0 } + grown(ui, 2.0);
    let memory = ui.id().with(("height of the page", reviews));
    let wanted: f32 = ui.data(|data| data.get_temp(memory)).unwrap_or(whole / 2.0);
    let above = wanted.min(whole - below - LEAST_SHEET).max(48.0);
    let area =
        egui::ScrollArea::vertical().id_salt("study").max_height(above).min_scrolled_height(above).auto_shrink([false, false]);
    let inside = area.show(ui, |ui| if reviews { page.review(ui, requests) } else { page.analysis(ui, requests) }).content_size.y;
    if (inside - wanted).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(memory, inside));
        ui.ctx().request_repaint();
    }
    hairline(ui);
    // The sheet has the words, the signs and the better lines of the review, which the player is to find.
    if seen.learn.is_shown(current) {
        return;
    }
    let height = (ui.available_height() - below).max(48.0);
    let images = (settings.sheet_pieces == SheetPieces::Pictures).then_some(&*seen.images);
    ui.scope(|ui| moves::list(ui, view, (sheet, current), (words, palette, images), height, requests));
    moves::leaf(ui, view, (sheet, current), (words, palette), requests, false);
    if reviews {
        page.foot(ui, requests);
    }
}

impl Page<'_> {
    /// The pages there are, and the way back.
    fn head(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.horizontal(|ui| {
            let mut page = self.seen.study.page.unwrap_or(StudyPage::Review);
            if segmented(
                ui,
                &mut page,
                &[(StudyPage::Review, self.words.say("review.title")), (StudyPage::Analysis, self.words.say("analysis.title"))],
            ) {
                requests.write(StudyRequest(Some(page)));
            }
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                if button(ui, self.words.say("study.close"), true).clicked() {
                    requests.write(StudyRequest(None));
                }
            });
        });
    }
}

pub(super) use marks::plugin;
