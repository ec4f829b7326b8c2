//! While the friend is to move: that they are waited for, and the button that shows the letter again. Where letters go by themselves: how the
//! connection is.

use super::mail::{friend_of, phrase_key};
use crate::app::layout::{Layout, Shape};
use crate::app::notices::Notices;
use crate::app::play::{CurrentMatch, Line, Offers, Posts};
use crate::app::requests::{LetterRequest, RefereeRequest, Requests};
use crate::app::words::Words;
use crate::ui::panel::Room;
use crate::ui::speech::News;
use crate::ui::style::Palette;
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{Face, Icon, ask_button, dim, icon_button, menu_item, menu_of, natural_width};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, Ui, vec2};
use qiju_core::record::letter::Phrase;

/// What is said about the way to a broker.
pub(super) fn line_key(line: &Line) -> &'static str {
    match line {
        Line::Connecting => "letters.connecting",
        Line::Connected => "letters.connected",
        Line::Lost(_) => "letters.lost",
    }
}

/// The button with what can be said to the friend.
fn phrases(ui: &mut Ui, words: &Words, notices: &mut Notices, requests: &mut Requests) {
    let button = icon_button(ui, Icon::Say, words.say("letters.say"), 36.0, true);
    menu_of(&button).show(|ui| {
        for phrase in Phrase::ALL {
            if menu_item(ui, words.say(phrase_key(phrase)), 180.0, true) {
                notices.warn(words.with("letters.said", words.say(phrase_key(phrase))));
                requests.write(RefereeRequest::Say(phrase));
            }
        }
    });
}

/// The section of the panel.
pub fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, offers, posts): (Res<CurrentMatch>, Res<Offers>, Res<Posts>),
    (words, palette, layout): (Res<Words>, Res<Palette>, Res<Layout>),
    (mut notices, mut requests): (ResMut<Notices>, Requests),
    mut watched: Local<Option<u64>>,
) -> bool {
    let waits = current.outcome().is_none() && current.has_letter() && offers.question(&current).is_none();
    let post = current.post().filter(|_| current.outcome().is_none() || current.letter_due());
    if !current.is_by_letter() || (!waits && post.is_none()) {
        return false;
    }
    let watches = current.looks_on();
    let paused = current.is_paused() && current.outcome().is_none();
    // In a row there is no place beside a pause.
    let tight = paused && room == Room::Row;
    if let Some(post) = post {
        let line = posts.line(post);
        let connected = line == Line::Connected;
        ui.horizontal(|ui| {
            let watches = watches.then(|| words.say("letters.turn.watched"));
            // In the bar of a folded panel there is no seat that says whether the friend is there.
            let bar = room == Room::Row && layout.shape == Shape::Folded;
            let friend = words.presence(posts.presence()).filter(|_| connected && bar);
            let way = friend.as_deref().unwrap_or(words.say(line_key(&line)));
            let watchers = Some(posts.watchers()).filter(|count| connected && *count > 0);
            let watchers = watchers.map(|count| words.with("letters.watched-by", count));
            let said = watches.into_iter().chain([way]).chain(watchers.as_deref()).collect::<Vec<_>>().join(" · ");
            let said = (!tight || !connected).then(|| dim(ui, &palette, said));
            if let (Some(said), Line::Lost(why)) = (said, line) {
                said.tip(words.tell(&why));
            }
            match watchers {
                Some(watchers) => {
                    *watched = Some(current.seed());
                    ui.announce(watchers);
                }
                None if *watched == Some(current.seed()) && connected => ui.announce(words.say("letters.watched-by.none")),
                None => {}
            }
            if tight && current.goes_by_itself() {
                phrases(ui, &words, &mut notices, &mut requests);
            } else if current.goes_by_itself() {
                ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| phrases(ui, &words, &mut notices, &mut requests));
            }
        });
    }
    if paused {
        let face = Face { icon: Some(Icon::Play), text: words.say("letters.go-on"), ..Face::default() };
        let size = vec2(natural_width(ui, face), if tight { 28.0 } else { 32.0 });
        let mut go_on = |ui: &mut Ui| {
            ask_button(ui, &words, (Icon::Play, "letters.go-on"), RefereeRequest::GoOn, size, true, &mut requests);
        };
        if tight {
            // The button says enough.
            if watches {
                drop(dim(ui, &palette, words.say("letters.paused")))
            } else {
                go_on(ui)
            }
            return true;
        }
        ui.allocate_ui_with_layout(vec2(ui.available_width(), size.y), egui::Layout::right_to_left(Align::Center), |ui| {
            if !watches {
                go_on(ui);
            }
            let said = egui::Label::new(words.say("letters.paused")).truncate();
            ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| ui.add(said));
        });
        return true;
    }
    if current.awaits_answer() {
        dim(ui, &palette, words.say("letters.asked"));
    }
    if !waits {
        return true;
    }
    let said = egui::Label::new(words.with("letters.waiting", friend_of(&current, &words))).truncate();
    if current.goes_by_itself() {
        ui.add(said);
        return true;
    }
    let face = Face { icon: Some(Icon::Letter), text: words.say("letters.short"), ..Face::default() };
    let size = vec2(natural_width(ui, face), if room == Room::Row { 28.0 } else { 32.0 });
    ui.allocate_ui_with_layout(vec2(ui.available_width(), size.y), egui::Layout::right_to_left(Align::Center), |ui| {
        ask_button(ui, &words, (Icon::Letter, "letters.short"), LetterRequest::Show, size, true, &mut requests);
        ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| ui.add(said));
    });
    true
}
