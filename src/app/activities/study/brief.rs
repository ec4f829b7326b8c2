//! The analysis in the panel of a match: its switch, and the engine's lines while it is on.

use crate::app::activity::{ANALYSIS_BOARD, Activity};
use crate::app::explore::Analysis;
use crate::app::play::CurrentMatch;
use crate::app::requests::{AnalysisRequest, BeginRequest, Requests, StudyPage, StudyRequest, TakeLine};
use crate::app::setup::MatchSetup;
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::panel::{Place, Room, value_text};
use crate::ui::style::{Palette, SMALL};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{Icon, button, dim, drawn_button, row_height, switch, target, with_key};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};

/// The analysis beside a match.
const ANALYSIS: Activity = Activity("analysis");

/// The height of a line.
const LINE: f32 = 20.0;

/// The section; in a row it has no room.
fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, analysis): (Res<CurrentMatch>, Res<Analysis>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> bool {
    if room == Room::Row || !current.can_be_analysed() {
        return false;
    }
    let high = row_height(ui, LINE);
    let lines = if analysis.is_on() && current.help_allowed() { analysis.lines_wanted() } else { 0 };
    let size = vec2(ui.available_width(), target(ui) + high * lines as f32);
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(size.y);
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.horizontal(|ui| {
            if let Some(why) = current.help_refused() {
                drawn_button(ui, Icon::Analysis, words.say("analysis.title"), false).tip(words.say(why));
                dim(ui, &palette, words.say("analysis.off"));
                return;
            }
            let switch = switch(ui, &palette, Icon::Analysis, words.say("analysis.title"), analysis.is_on());
            if switch.tip(with_key(&words, words.say("analysis.note"), AnalysisRequest::Switch, &requests)).clicked() {
                requests.write(AnalysisRequest::Switch);
            }
            if let Some(best) = analysis.lines().next() {
                dim(ui, &palette, words.with("thought.depth", best.depth));
            }
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                if button(ui, words.say("analysis.more"), true).tip(words.say("analysis.page")).clicked() {
                    requests.write(StudyRequest(Some(StudyPage::Analysis)));
                }
            });
        });
        for (index, line) in analysis.lines().enumerate() {
            let row =
                ui.allocate_ui_with_layout(vec2(ui.available_width(), high), egui::Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_height(high);
                    let (value, _) = line.seen_by(current.shown().turn());
                    let value = RichText::new(value_text(value, &words)).size(SMALL).color(palette.text());
                    ui.allocate_ui_with_layout(vec2(72.0, high), egui::Layout::left_to_right(Align::Center), |ui| {
                        ui.set_min_width(72.0);
                        ui.prose(value);
                    });
                    let moves = RichText::new(line.moves.join(" ")).size(SMALL).color(palette.dim());
                    ui.add(egui::Label::new(moves).truncate().show_tooltip_when_elided(false));
                });
            if row
                .response
                .interact(egui::Sense::click())
                .tip(format!("{}\n{}", line.moves.join(" "), words.say("analysis.take")))
                .clicked()
            {
                requests.write(TakeLine(index));
            }
        }
    });
    true
}

pub fn plugin(app: &mut App) {
    register(app, ANALYSIS).section(Place::Below(1), section);
    register(app, ANALYSIS_BOARD).entry(5, Icon::Analysis, "analysis.board", |game, _, setup| {
        Some(BeginRequest::Start(MatchSetup::analysis(game.entry.key, setup.clone())).into())
    });
}
