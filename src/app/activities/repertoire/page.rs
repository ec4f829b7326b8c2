//! The page of the repertoires: what is due, the moves on the board that can be added, and the moves of others that have no answer.

use super::{OpenGaps, has_proof};
use crate::app::activity::REPERTOIRE;
use crate::app::library::{Library, LibraryGame};
use crate::app::platform;
use crate::app::play::CurrentMatch;
use crate::app::repertoires::Repertoires;
use crate::app::requests::{PageRequest, RepertoireDrill, RepertoireStep, Requests, TreePart};
use crate::app::state::{Menu, Screen};
use crate::app::words::Words;
use crate::ui::draw::Draw;
use crate::ui::style::{BODY, Palette, SMALL, TITLE};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{
    Icon, breathing_dots, button, dim, drawn_button, hairline, heading, page_frame, page_less, page_of, page_width, segmented,
    wide_drawn_button,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{RichText, Ui};
use qiju_core::repertoire::SavedRepertoire;
use qiju_core::rules::Side;
use std::time::Duration;

/// The width of the page, in logical pixels.
const WIDTH: f32 = 520.0;

/// What is chosen on the page.
#[derive(Resource, Default)]
pub struct RepertoirePage {
    /// Which moves of the game on the board are added.
    part: TreePart,
    /// What was removed last, until the page is closed.
    pub(super) removed: Option<(String, SavedRepertoire)>,
}

/// True if the moves on the board can become a repertoire.
pub(super) fn can_add(current: &CurrentMatch) -> bool {
    current.traits().whole_game && !current.tree().is_empty() && current.table().opening().is_none()
}

/// What a repertoire is called: its game, its side, and its rules where they are not the usual ones.
pub(super) fn title(words: &Words, game: &LibraryGame, saved: &SavedRepertoire) -> String {
    let (variant, _) = saved.setup.rules();
    let unusual = game.sheet.variants.iter().skip(1).find(|known| known.key == variant).map(|known| words.of(&known.name));
    let start = saved.setup.position.as_ref().map(|_| words.say("repertoire.from-position"));
    let names = [Some(words.of(&game.sheet.name)), unusual, Some(words.of(&game.sheet.sides[saved.side])), start];
    names.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What the page is drawn with.
struct Drawing<'a> {
    words: &'a Words,
    palette: &'a Palette,
    gaps: &'a OpenGaps,
}

fn draw(
    mut contexts: EguiContexts,
    (words, palette, library): (Res<Words>, Res<Palette>, Res<Library>),
    (repertoires, gaps, mut page): (Res<Repertoires>, Res<OpenGaps>, ResMut<RepertoirePage>),
    (current, screen): (Option<Res<CurrentMatch>>, Res<State<Screen>>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let window = ctx.content_rect();
    let drawing = Drawing { words: &words, palette: &palette, gaps: &gaps };
    let requests = &mut requests;
    let modal = egui::Modal::new(egui::Id::new("repertoire")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, page_width(ctx, WIDTH), |ui| {
            heading(ui, words.say("repertoire.title"));
            let height = (window.height() - page_less(ui, 140.0)).clamp(96.0, 520.0);
            egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                ui.set_width(ui.available_width() - 12.0);
                if let Some(current) = current.as_ref().filter(|current| *screen.get() == Screen::Match && can_add(current)) {
                    drawing.adding(ui, current, &mut page.bypass_change_detection().part, requests);
                }
                for (name, saved) in &repertoires.all {
                    if let Some(game) = library.game(&saved.game) {
                        drawing.one(ui, (name, saved, game), requests);
                    }
                }
                if page.removed.is_some() && drawn_button(ui, Icon::Undo, words.say("title.bring-back"), true).clicked() {
                    requests.write(RepertoireStep::Restore);
                }
                ui.add_space(8.0);
                ui.prose(RichText::new(words.say("repertoire.about")).size(SMALL).color(palette.dim()));
            });
            ui.add_space(8.0);
            let width = ui.available_width();
            wide_drawn_button(ui, Icon::Check, words.say("menu.done"), width, true).clicked()
        })
    });
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

impl Drawing<'_> {
    /// The moves on the board, which become one side's own.
    fn adding(&self, ui: &mut Ui, current: &CurrentMatch, part: &mut TreePart, requests: &mut Requests) {
        let words = self.words;
        ui.prose(RichText::new(words.say("repertoire.board")).size(BODY).strong());
        let parts = [
            (TreePart::Line, words.say("repertoire.line")),
            (TreePart::Whole, words.say("repertoire.whole")),
            (TreePart::Instead, words.say("repertoire.instead")),
        ];
        segmented(ui, part, &parts);
        ui.horizontal_wrapped(|ui| {
            for side in Side::BOTH {
                let text = words.with("repertoire.add", words.of(&current.game().sheet.sides[side]));
                if drawn_button(ui, Icon::Check, &text, true).clicked() {
                    requests.write(RepertoireStep::Add(side, *part));
                }
            }
        });
        ui.add_space(4.0);
        hairline(ui);
    }

    /// A repertoire: what is due of it, and what can be done with it.
    fn one(&self, ui: &mut Ui, (name, saved, game): (&str, &SavedRepertoire, &LibraryGame), requests: &mut Requests) {
        let (words, due) = (self.words, saved.due(platform::today()).len());
        ui.add_space(6.0);
        ui.prose(RichText::new(title(words, game, saved)).size(TITLE));
        dim(ui, self.palette, words.fill("repertoire.positions", &[&saved.len().to_string(), &due.to_string()]));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(6.0, 6.0);
            let drills = [
                (due > 0).then_some((Icon::Again, "repertoire.due", RepertoireDrill::Due)),
                Some((Icon::Play, "repertoire.all", RepertoireDrill::Whole)),
                has_proof(game, saved).then_some((Icon::Shield, "repertoire.proof", RepertoireDrill::Proof)),
            ];
            for (icon, key, drill) in drills.into_iter().flatten() {
                if drawn_button(ui, icon, words.say(key), true).clicked() {
                    requests.write(RepertoireStep::Train(name.to_owned(), drill));
                }
            }
            let steps: [(Icon, &str, fn(String) -> RepertoireStep); 3] = [
                (Icon::Review, "repertoire.gaps", RepertoireStep::Gaps),
                (Icon::Rules, "repertoire.look", RepertoireStep::Look),
                (Icon::Close, "repertoire.remove", RepertoireStep::Remove),
            ];
            for (icon, key, step) in steps {
                if drawn_button(ui, icon, words.say(key), true).clicked() {
                    requests.write(step(name.to_owned()));
                }
            }
        });
        if self.gaps.is_sought(name) {
            let seconds = ui.input(|input| input.time);
            breathing_dots(ui, self.palette.accent(), seconds);
            ui.ctx().request_repaint_after(Duration::from_millis(50));
        } else if let Some(gaps) = self.gaps.of(name) {
            self.gaps(ui, gaps, requests);
        }
    }

    /// The moves that have no answer.
    fn gaps(&self, ui: &mut Ui, gaps: &[super::gaps::WrittenGap], requests: &mut Requests) {
        let words = self.words;
        if gaps.is_empty() {
            dim(ui, self.palette, words.say("repertoire.no-gaps"));
        }
        for (number, gap) in gaps.iter().enumerate() {
            ui.add_space(4.0);
            let share = format!("{:.0}", (gap.gap.share * 100.0).max(1.0));
            ui.prose(RichText::new(words.fill("repertoire.gap", &[&gap.reply, &share])).size(BODY));
            if !gap.line.is_empty() {
                dim(ui, self.palette, words.with("repertoire.after", &gap.line));
            }
            if self.gaps.is_filling(gap) {
                let seconds = ui.input(|input| input.time);
                breathing_dots(ui, self.palette.accent(), seconds);
                ui.ctx().request_repaint_after(Duration::from_millis(50));
            } else if button(ui, words.say("repertoire.fill"), true).clicked() {
                requests.write(RepertoireStep::Fill(number));
            }
        }
    }
}

/// What was removed cannot be brought back once the page is closed.
fn close(mut page: ResMut<RepertoirePage>) {
    page.removed = None;
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RepertoirePage>().add_systems(OnExit(Menu::Page(REPERTOIRE)), close).add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Menu).run_if(in_state(Menu::Page(REPERTOIRE)).and_then(resource_exists::<Palette>)),
    );
}
