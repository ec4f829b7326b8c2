//! While the friend is to move: that they are waited for, and the button that shows the letter again. Where letters go by themselves: how the
//! connection is.

use super::mail::{friend_of, phrase_key};
use crate::app::layout::{Layout, Shape};
use crate::app::notices::Notices;
use crate::app::play::{Connection, CurrentMatch, Offers, Posts};
use crate::app::requests::{AnyRequest, LetterRequest, RefereeRequest, Requests};
use crate::app::words::Words;
use crate::ui::offers::line as turn_line;
use crate::ui::panel::{Room, status_of};
use crate::ui::speech::News;
use crate::ui::style::{Palette, SMALL};
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{Face, Icon, ask_button, dim, icon_button, menu_item, menu_of, natural_width};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};
use qiju_core::record::letter::Phrase;

/// What is said about the way to a broker.
pub(super) fn connection_key(connection: &Connection) -> &'static str {
    match connection {
        Connection::Connecting => "letters.connecting",
        Connection::Connected => "letters.connected",
        Connection::Lost(_) => "letters.lost",
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

/// What lets the clocks go on, and what shows the letter.
const GO_ON: (Icon, &str) = (Icon::Play, "letters.go-on");
const SHOW: (Icon, &str) = (Icon::Letter, "letters.short");

/// A button as wide as its text.
fn fitted(
    ui: &mut Ui,
    words: &Words,
    (icon, key): (Icon, &str),
    request: impl Into<AnyRequest>,
    height: f32,
    requests: &mut Requests,
) {
    let face = Face { icon: Some(icon), text: words.say(key), ..Face::default() };
    let size = vec2(natural_width(ui, face), height);
    ask_button(ui, words, (icon, key), request, size, true, requests);
}

/// A line with a button at its right end.
fn line(ui: &mut Ui, said: &str, height: f32, button: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), egui::Layout::right_to_left(Align::Center), |ui| {
        button(ui);
        let said = egui::Label::new(said).truncate();
        ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| ui.add(said));
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
    let running = current.outcome().is_none();
    let paused = current.is_paused() && running;
    let waiting = || words.with("letters.waiting", friend_of(&current, &words));
    if let Some(post) = post {
        let connection = posts.connection(post);
        let connected = connection == Connection::Connected;
        // In the bar of a folded panel there is no seat that says whether the friend is there.
        let bar = room == Room::Row && layout.shape == Shape::Folded;
        let friend = words.presence(posts.presence()).filter(|_| connected && bar && current.goes_by_itself());
        let way = friend.unwrap_or_else(|| words.say(connection_key(&connection)).to_owned());
        let watchers = Some(posts.watchers()).filter(|count| connected && *count > 0);
        let watchers = watchers.map(|count| words.with("letters.watched-by", count));
        let turn = match room {
            _ if watches => Some(words.say("letters.turn.watched").to_owned()),
            Room::Panel => None,
            Room::Row if current.awaits_answer() => Some(words.say("letters.asked").to_owned()),
            Room::Row if waits => Some(waiting()),
            Room::Row => running.then(|| words.say("letters.turn.mine").to_owned()),
        };
        let stands = (paused && watches).then(|| words.say("letters.paused").to_owned());
        let said = turn.into_iter().chain(stands).chain([way]).chain(watchers.clone()).collect::<Vec<_>>().join(" · ");
        let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(Align::Center), |ui| {
            if current.goes_by_itself() {
                phrases(ui, &words, &mut notices, &mut requests);
            } else if room == Room::Row && waits {
                fitted(ui, &words, SHOW, LetterRequest::Show, 28.0, &mut requests);
            }
            if paused && !watches && room == Room::Row {
                fitted(ui, &words, GO_ON, RefereeRequest::GoOn, 28.0, &mut requests);
            }
            // While it is paused the button beside it says enough.
            if paused && !watches && room == Room::Row && connected {
                return;
            }
            ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
                let said = RichText::new(said).size(SMALL).color(palette.dim());
                let said = ui.add(egui::Label::new(said).truncate());
                if let Connection::Lost(why) = connection {
                    said.tip(words.tell(&why));
                }
            });
        });
        match watchers {
            Some(watchers) => {
                *watched = Some(current.seed());
                ui.announce(watchers);
            }
            None if *watched == Some(current.seed()) && connected => ui.announce(words.say("letters.watched-by.none")),
            None => {}
        }
        if room == Room::Row {
            return true;
        }
        if paused && !watches {
            line(ui, words.say("letters.paused"), 32.0, |ui| {
                fitted(ui, &words, GO_ON, RefereeRequest::GoOn, 32.0, &mut requests);
            });
            return true;
        }
        if current.awaits_answer() {
            dim(ui, &palette, words.say("letters.asked"));
        }
        if running && current.goes_by_itself() {
            let said = if waits { waiting() } else { status_of(&current, &words) };
            turn_line(ui, &said, (&current, &offers, &layout), &words, &mut requests);
            return true;
        }
    }
    if !waits {
        return true;
    }
    let height = if room == Room::Row { 28.0 } else { 32.0 };
    line(ui, &waiting(), height, |ui| fitted(ui, &words, SHOW, LetterRequest::Show, height, &mut requests));
    true
}
