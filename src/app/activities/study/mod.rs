//! The pages of study in the panel: the review of the game, the analysis of the position that is shown, and what was played from it.

mod analysis;
mod book;
mod brief;
mod card;
mod explorer;
mod graph;
mod learn;
mod marks;
mod review;
mod state;

use crate::app::commands::Command;
use crate::app::engines::Engines;
use crate::app::explore::{Analysis, Explorer, OpeningBook, STUDY, Study};
use crate::app::play::{CurrentMatch, GameLibrary, Offers, ScoreSheet, at_board, is_whole_game};
use crate::app::requests::{Requests, ReviewRequest, StudyPage, StudyRequest};
use crate::app::settings::{Settings, SheetPieces};
use crate::app::view::PieceImages;
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::moves::{self, SheetView};
use crate::ui::panel::{Place, Room};
use crate::ui::style::Palette;
use crate::ui::widgets::{Face, Icon, button, grown, hairline, icon_button, natural_width, segmented, target};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Ui};
pub use state::{GameReview, Learn};

/// What the pages read.
#[derive(bevy::ecs::system::SystemParam)]
struct StudySeen<'w> {
    study: Res<'w, Study>,
    current: Res<'w, CurrentMatch>,
    sheet: Res<'w, ScoreSheet>,
    words: Res<'w, Words>,
    palette: Res<'w, Palette>,
    settings: Res<'w, Settings>,
    review: Res<'w, GameReview>,
    learn: Res<'w, Learn>,
    analysis: Res<'w, Analysis>,
    explorer: Res<'w, Explorer>,
    book: Res<'w, OpeningBook>,
    library: Res<'w, GameLibrary>,
    images: Res<'w, PieceImages>,
    engines: Res<'w, Engines>,
}

/// What a page is drawn with.
struct Page<'a> {
    seen: &'a StudySeen<'a>,
    current: &'a CurrentMatch,
    sheet: &'a ScoreSheet,
    words: &'a Words,
    palette: &'a Palette,
}

/// The score sheet is at least so high; what stands above it scrolls where there is no room.
const LEAST_SHEET: f32 = 96.0;

/// The page that is open.
fn page(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    seen: StudySeen,
    mut view: ResMut<SheetView>,
    mut requests: Requests,
) -> bool {
    if room == Room::Row {
        return false;
    }
    let StudySeen { current, sheet, words, palette, .. } = &seen;
    let (page, requests, view) =
        (Page { seen: &seen, current, sheet, words, palette }, &mut requests, view.bypass_change_detection());
    page.head(ui, requests);
    hairline(ui);
    let whole = ui.available_height();
    let open = seen.study.page.unwrap_or(StudyPage::Review);
    let reviews = open == StudyPage::Review;
    let below = moves::LEAFING + 16.0 + if reviews { review::FOOT } else { 0.0 } + grown(ui, 2.0);
    let memory = ui.id().with(("height of the page", open));
    let wanted: f32 = ui.data(|data| data.get_temp(memory)).unwrap_or(whole / 2.0);
    let above = wanted.min(whole - below - LEAST_SHEET).max(48.0);
    let area =
        egui::ScrollArea::vertical().id_salt("study").max_height(above).min_scrolled_height(above).auto_shrink([false, false]);
    let inside = area.show(ui, |ui| match open {
        StudyPage::Review => page.review(ui, requests),
        StudyPage::Analysis => page.analysis(ui, requests),
        StudyPage::Explorer => page.explorer(ui, requests),
    });
    // A pixel more than it is high: where it is as high as its area, a part of a pixel would bring a bar.
    let inside = inside.content_size.y.ceil() + 1.0;
    if inside != wanted {
        ui.data_mut(|data| data.insert_temp(memory, inside));
        ui.ctx().request_repaint();
    }
    hairline(ui);
    // The sheet has the words, the signs and the better lines of the review, which the player is to find.
    if seen.learn.is_shown(current) {
        return true;
    }
    let height = (ui.available_height() - below).max(48.0);
    let images = (seen.settings.sheet_pieces == SheetPieces::Pictures).then_some(&*seen.images);
    ui.scope(|ui| moves::list(ui, view, (sheet, current), (words, palette, images), height, requests));
    moves::leaf(ui, view, (sheet, current), (words, palette), requests, false);
    if reviews {
        page.foot(ui, requests);
    }
    true
}

impl Page<'_> {
    /// The pages there are, and the way back.
    fn head(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.horizontal(|ui| {
            let mut page = self.seen.study.page.unwrap_or(StudyPage::Review);
            if segmented(
                ui,
                &mut page,
                &[
                    (StudyPage::Review, self.words.say("review.title")),
                    (StudyPage::Analysis, self.words.say("analysis.title")),
                    (StudyPage::Explorer, self.words.say("explorer.title")),
                ],
            ) {
                requests.write(StudyRequest(Some(page)));
            }
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                // Where there is no room for the word, the drawing stands for it.
                let text = self.words.say("study.close");
                let fits = natural_width(ui, Face { text, ..Face::default() }) <= ui.available_width();
                let close = if fits { button(ui, text, true) } else { icon_button(ui, Icon::Close, text, target(ui), true) };
                if close.clicked() {
                    requests.write(StudyRequest(None));
                }
            });
        });
    }
}

static COMMANDS: &[Command] = &[
    Command::new(
        "R",
        "keys.review",
        |world| is_whole_game(world) && !is_open(world, StudyPage::Review),
        || StudyRequest(Some(StudyPage::Review)).into(),
    ),
    Command::new(
        "R",
        "keys.review",
        |world| is_whole_game(world) && is_open(world, StudyPage::Review),
        || StudyRequest(None).into(),
    ),
    Command::new(
        "E",
        "keys.explorer",
        |world| is_whole_game(world) && !is_open(world, StudyPage::Explorer),
        || StudyRequest(Some(StudyPage::Explorer)).into(),
    ),
    Command::new(
        "E",
        "keys.explorer",
        |world| is_whole_game(world) && is_open(world, StudyPage::Explorer),
        || StudyRequest(None).into(),
    ),
    Command::new("N", "keys.errors", |world| has_error(world, true), || ReviewRequest::NextError(true).into()),
    Command::new("P", "keys.errors", |world| has_error(world, false), || ReviewRequest::NextError(false).into()),
];

fn is_open(world: &World, page: StudyPage) -> bool {
    world.resource::<Study>().page == Some(page)
}

/// There is a mistake to go to. While one player asks the other something, the keys are for the answer.
fn has_error(world: &World, forward: bool) -> bool {
    at_board(world).is_some_and(|current| {
        world.resource::<Offers>().question(current).is_none() && GameReview::next_error(current, forward).is_some()
    })
}

pub(super) fn plugin(app: &mut App) {
    register(app, STUDY)
        .section(Place::Page, page)
        .pause_entry(5, Icon::Results, "keys.explorer", |current| {
            current.traits().whole_game.then(|| StudyRequest(Some(StudyPage::Explorer)).into())
        })
        .leave(|_| StudyRequest(None).into())
        .commands("review.title", COMMANDS);
    app.add_plugins((brief::plugin, marks::plugin, state::plugin));
}
