//! What the teacher says: the judgement of the last move, why it was bad, and what the user can do about it.

use super::Teacher;
use crate::app::activity::TEACHING;
use crate::app::explore::{Hint, part_of_move, reason_text};
use crate::app::play::CurrentMatch;
use crate::app::requests::{AnyRequest, Requests, TeachRequest, ThreatRequest};
use crate::app::settings::Settings;
use crate::app::view::FrameRequests;
use crate::app::words::Words;
use crate::ui::judgement;
use crate::ui::panel::Room;
use crate::ui::speech::{Named, News};
use crate::ui::style::{Palette, SMALL, tone};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::walk;
use crate::ui::widgets::{Face, Icon, ask_button, dim, natural_width};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};
use qiju_core::study::Tally;
use qiju_core::table::Judgement;

/// The height of what is said and of the buttons, so that nothing jumps from move to move.
const HEIGHT: f32 = 92.0;

/// The width of a judgement in a row.
const JUDGEMENT: f32 = 110.0;

/// How much is told, from the least to everything.
const TOLD: [(Judgement, &str); 5] = [
    (Judgement::Blunder, "teacher.blunders"),
    (Judgement::Mistake, "teacher.mistakes"),
    (Judgement::Inaccuracy, "teacher.inaccuracies"),
    (Judgement::Good, "teacher.good"),
    (Judgement::Best, "teacher.all"),
];

/// The section of the panel.
pub fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, teacher, hint, settings): (Res<CurrentMatch>, Res<Teacher>, Res<Hint>, Res<Settings>),
    (words, palette, mut frames): (Res<Words>, Res<Palette>, ResMut<FrameRequests>),
    mut requests: Requests,
) -> bool {
    let said =
        Saying { teacher: &teacher, current: &current, hint: &hint, settings: &settings, words: &words, palette: &palette };
    if room == Room::Row {
        return said.back(ui, &mut requests);
    }
    if current.activity() != TEACHING {
        return false;
    }
    if teacher.is_looking() {
        frames.look();
    }
    ui.allocate_ui_with_layout(vec2(ui.available_width(), HEIGHT), egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(HEIGHT);
        ui.spacing_mut().item_spacing.y = 4.0;
        said.verdict(ui);
        if !said.back(ui, &mut requests) {
            ui.horizontal(|ui| said.buttons(ui, room, &mut requests));
        }
    });
    match teacher.tally() {
        Some(tally) => summary(ui, tally, (&words, &palette)),
        None => told(ui, &settings, (&words, &palette), &mut requests),
    }
    true
}

/// The same in a row, where there is no panel.
pub fn row(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, teacher, hint, settings): (Res<CurrentMatch>, Res<Teacher>, Res<Hint>, Res<Settings>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> bool {
    if room == Room::Panel || !teacher.tells(settings.teacher_tells) {
        return false;
    }
    let said =
        Saying { teacher: &teacher, current: &current, hint: &hint, settings: &settings, words: &words, palette: &palette };
    if let Some(verdict) = teacher.verdict() {
        ui.announce(words.judgement(verdict.judgement));
    }
    said.buttons(ui, room, &mut requests);
    true
}

struct Saying<'a> {
    teacher: &'a Teacher,
    current: &'a CurrentMatch,
    hint: &'a Hint,
    settings: &'a Settings,
    words: &'a Words,
    palette: &'a Palette,
}

impl Saying<'_> {
    fn verdict(&self, ui: &mut Ui) {
        let words = self.words;
        if let Some(part) = self.hint.part {
            let told = part_of_move(part, self.current.shown(), &self.current.game().sheet, words);
            ui.news(RichText::new(told.unwrap_or_default()));
            dim(ui, self.palette, words.say("teacher.hint-more"));
            return;
        }
        if !self.teacher.tells(self.settings.teacher_tells) {
            let key = match self.teacher.verdict() {
                _ if self.teacher.is_looking() => "teacher.looking",
                Some(_) => "teacher.nothing",
                None => "teacher.quiet",
            };
            dim(ui, self.palette, words.say(key));
            return;
        }
        let Some(verdict) = self.teacher.verdict() else { return };
        judgement::headline(ui, (words, self.palette), verdict);
        if let Some(reason) = &verdict.reason {
            let text = reason_text(reason, verdict.after, &self.current.game().sheet, words);
            ui.news(RichText::new(text).size(SMALL));
        }
    }

    /// The buttons for the line that shows why; false while it is not on the board.
    fn back(&self, ui: &mut Ui, requests: &mut Requests) -> bool {
        let Some((at, of)) = self.teacher.shown(self.current) else { return false };
        walk::in_panel(ui, self.words, (at > 1, at < of), requests);
        true
    }

    /// What the user can do; in a row after the judgement, where there is room for it.
    fn buttons(&self, ui: &mut Ui, room: Room, requests: &mut Requests) {
        let told = self.teacher.tells(self.settings.teacher_tells);
        let bad = told && self.teacher.verdict().is_some_and(|verdict| verdict.judgement.is_error());
        let waits = bad && self.current.engine_to_move() && self.teacher.holds(self.current, self.settings);
        let buttons: [(bool, Icon, &str, AnyRequest); 4] = [
            (bad && self.teacher.why().is_some(), Icon::Play, "teacher.why", TeachRequest::Why.into()),
            (bad && self.current.can_undo(), Icon::Undo, "teacher.again", TeachRequest::Again.into()),
            (waits, Icon::Check, "teacher.go-on", TeachRequest::GoOn.into()),
            (!bad && room == Room::Panel && self.current.human_to_move(), Icon::Shield, "teacher.threat", ThreatRequest.into()),
        ];
        let gap = ui.spacing().item_spacing.x;
        let width =
            |ui: &Ui, icon, key| natural_width(ui, Face { icon: Some(icon), text: self.words.say(key), ..Face::default() }) + gap;
        let wanted: f32 = buttons.iter().filter(|(so, ..)| *so).map(|(_, icon, key, _)| width(ui, *icon, key)).sum();
        let verdict = self.teacher.verdict().filter(|_| room == Room::Row && ui.available_width() >= wanted + JUDGEMENT);
        if let Some(verdict) = verdict {
            judgement::name(ui, self.words, verdict.judgement);
        }
        // Without their drawings, where there is little room.
        let narrower = (ui.available_width() / wanted).min(1.0);
        for (_, icon, key, request) in buttons.into_iter().filter(|(so, ..)| *so) {
            let size = vec2(width(ui, icon, key) * narrower - gap, 32.0);
            ask_button(ui, self.words, (icon, key), request, size, true, requests);
        }
        if self.current.tries() > 0 && !bad {
            dim(ui, self.palette, self.words.with("teacher.tries", self.current.tries()));
        }
    }
}

/// The slider: how much is told.
fn told(ui: &mut Ui, settings: &Settings, (words, palette): (&Words, &Palette), requests: &mut Requests) {
    let mut place = TOLD.iter().position(|(least, _)| *least == settings.teacher_tells).unwrap_or(TOLD.len() - 1);
    ui.horizontal(|ui| {
        ui.spacing_mut().slider_width = 72.0;
        let slider = ui.add(egui::Slider::new(&mut place, 0..=TOLD.len() - 1).show_value(false));
        let (least, key) = TOLD[place];
        let name = words.with("teacher.told", words.say(key));
        let label = dim(ui, palette, &name);
        if slider.named(&label, &name).tip(words.say("teacher.tells")).changed() {
            requests.change(move |settings: &mut Settings| settings.teacher_tells = least);
        }
    });
}

/// The numbers of the user, when the match is over.
fn summary(ui: &mut Ui, tally: &Tally, (words, palette): (&Words, &Palette)) {
    ui.horizontal(|ui| {
        if let Some(accuracy) = tally.accuracy {
            let text = format!("{} {accuracy:.0}%", words.say("review.accuracy"));
            ui.news(RichText::new(text).size(SMALL));
        }
        for judgement in [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder] {
            let (count, name) = (tally.count(judgement), words.judgement(judgement));
            ui.announce(format!("{name}: {count}"));
            let sign = judgement.glyph().and_then(|glyph| glyph.sign()).unwrap_or_default();
            let ink = if count > 0 { tone(judgement) } else { palette.dim() };
            ui.prose(RichText::new(format!("{sign} {count}")).size(SMALL).color(ink)).tip(name);
        }
    });
}
