//! The parts of the panel that every match has: the seats, the moves, whose turn it is, the buttons.

use super::Room;
use crate::app::explore::Hint;
use crate::app::hand::Selection;
use crate::app::layout::Layout;
use crate::app::play::{Broken, CurrentMatch, HeldBack, MatchClock, Offers, Posts, ScoreSheet, Seat, Thinking, ThoughtLine};
use crate::app::requests::{
    AnyRequest, CursorRequest, HintRequest, LayoutRequest, PageRequest, Requests, SelectionRequest, TryAgain,
};
use crate::app::settings::{Settings, SheetPieces};
use crate::app::state::Menu;
use crate::app::view::{PieceImages, SMALL_PIECE};
use crate::app::words::Words;
use crate::ui::moves::SheetView;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{Icon, ask_button, breathing_dots, button, dim, hairline};
use crate::ui::{clock, ending, moves, offers, opening};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{Align, RichText, Ui, vec2};
use qiju_core::record::SeatSpec;
use qiju_core::rules::Side;
use qiju_core::search::{Known, Value, Verdict};
use qiju_core::table::{Piece, Progress};

/// The resources that the parts read.
#[derive(SystemParam)]
pub struct Seen<'w, 's> {
    pub current: Res<'w, CurrentMatch>,
    pub clock: Res<'w, MatchClock>,
    sheet: Res<'w, ScoreSheet>,
    pub selection: Res<'w, Selection>,
    pub words: Res<'w, Words>,
    pub palette: Res<'w, Palette>,
    settings: Res<'w, Settings>,
    pub layout: Res<'w, Layout>,
    images: Res<'w, PieceImages>,
    pub hint: Res<'w, Hint>,
    pub offers: Res<'w, Offers>,
    posts: Res<'w, Posts>,
    pub time: Res<'w, Time<Real>>,
    pub held: Res<'w, HeldBack>,
    pub seats: Query<'w, 's, (&'static Seat, Has<Thinking>, Has<Broken>, Option<&'static ThoughtLine>)>,
}

impl Seen<'_, '_> {
    /// True if a hint can be asked for.
    pub fn can_hint(&self) -> bool {
        self.current.human_to_move() && self.current.help_allowed() && !self.hint.is_sought()
    }

    /// True while a hint for a side is being searched.
    pub fn seeks_hint(&self, side: Side) -> bool {
        self.hint.is_sought() && self.current.table().seat_to_move() == side
    }
}

pub fn upper_seat((InMut(ui), In(side)): (InMut<Ui>, In<Side>), seen: Seen, mut requests: Requests) {
    seat(ui, &seen, side, &mut requests);
    ui.add_space(4.0);
    hairline(ui);
}

pub fn lower_seat((InMut(ui), In(side)): (InMut<Ui>, In<Side>), seen: Seen, mut requests: Requests) {
    hairline(ui);
    seat(ui, &seen, side, &mut requests);
    ui.add_space(4.0);
    actions(ui, &seen, &mut requests);
}

/// The list of moves.
pub fn list((InMut(ui), In(height)): (InMut<Ui>, In<f32>), seen: Seen, mut view: ResMut<SheetView>, mut requests: Requests) {
    let images = (seen.settings.sheet_pieces == SheetPieces::Pictures).then_some(&*seen.images);
    let (sheet, view) = ((&*seen.sheet, &*seen.current), view.bypass_change_detection());
    let named = opening_name(ui, &seen, height);
    ui.scope(|ui| moves::list(ui, view, sheet, (&seen.words, &seen.palette, images), height - named, &mut requests));
}

/// The least height of the moves with the name of the opening above them.
const NAMED: f32 = 110.0;

/// The name of the opening above the moves, if it has one and there is room; returns the height it takes.
fn opening_name(ui: &mut Ui, seen: &Seen, height: f32) -> f32 {
    let Some(opening) = seen.sheet.opening().filter(|_| height >= NAMED) else { return 0.0 };
    let top = ui.cursor().top();
    let name = format!("{} {}", opening.code, seen.words.of(&opening.name));
    let text = RichText::new(name.trim_start()).size(SMALL).color(seen.palette.dim());
    ui.prose(text);
    ui.cursor().top() - top
}

/// The buttons that lead through the moves.
pub fn leaf((InMut(ui), In(())): (InMut<Ui>, In<()>), seen: Seen, mut view: ResMut<SheetView>, mut requests: Requests) {
    let (sheet, view) = ((&*seen.sheet, &*seen.current), view.bypass_change_detection());
    moves::leaf(ui, view, sheet, (&seen.words, &seen.palette), &mut requests, true);
}

/// What the engine thinks, where that is wanted.
pub fn thoughts((InMut(ui), In(())): (InMut<Ui>, In<()>), seen: Seen) {
    hairline(ui);
    // What an engine thinks of a rated match is not told.
    if seen.settings.show_thinking && seen.current.help_allowed() {
        thought(ui, &seen);
    }
}

/// The buttons to confirm a move that waits for it.
pub fn confirmation((InMut(ui), In(room)): (InMut<Ui>, In<Room>), seen: Seen, mut requests: Requests) -> bool {
    if seen.selection.pending.is_none() || seen.current.outcome().is_some() {
        return false;
    }
    let choices = [(Icon::Check, "confirm.play", true), (Icon::Close, "confirm.drop", false)];
    if room == Room::Row {
        for (_, key, yes) in choices {
            if button(ui, seen.words.say(key), true).clicked() {
                requests.write(SelectionRequest::Confirm(yes));
            }
        }
        return true;
    }
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 8.0) / 2.0;
        for (icon, key, yes) in choices {
            ask_button(ui, &seen.words, (icon, key), SelectionRequest::Confirm(yes), vec2(width, 32.0), true, &mut requests);
        }
    });
    true
}

/// True if something is asked.
pub fn asks(seen: Seen) -> bool {
    seen.selection.pending.is_some() || seen.offers.question(&seen.current).is_some()
}

/// What the other player asks.
pub fn question((InMut(ui), In(room)): (InMut<Ui>, In<Room>), seen: Seen, mut requests: Requests) -> bool {
    let look = (&*seen.words, &*seen.palette);
    offers::section(ui, room, &seen.current, (&seen.offers, &seen.layout), look, &mut requests)
}

/// How the match has ended, or whose turn it is.
pub fn status((InMut(ui), In(room)): (InMut<Ui>, In<Room>), seen: Seen, mut requests: Requests) -> bool {
    let (current, requests) = (&*seen.current, &mut requests);
    let look = (&*seen.words, &*seen.palette);
    if let Some(outcome) = current.outcome() {
        ending::section(ui, room, current, outcome, look, requests);
    } else if room == Room::Row && seen.layout.is_small() && seen.seats.iter().any(|(_, _, broken, _)| broken) {
        if button(ui, seen.words.say("engines.again"), true).clicked() {
            requests.write(TryAgain);
        }
    } else if room == Room::Row && seen.layout.is_small() && opening::chooses(current)
        || !opening::section(ui, room, current, seen.hint.shown, look, requests)
    {
        let said = status_of(current, &seen.words);
        match room {
            Room::Panel => offers::line(ui, &said, (current, &seen.offers, &seen.layout), &seen.words, requests),
            Room::Row => drop(ui.prose(said)),
        }
    }
    true
}

/// The clocks in a row, from right to left, unless a sketch is shown.
pub fn clocks((InMut(ui), In(())): (InMut<Ui>, In<()>), seen: Seen) {
    let current = &*seen.current;
    for side in [Side::Second, Side::First] {
        let Some(left) = seen.clock.get().left(side).filter(|_| current.played().sketch().is_none()) else { continue };
        let runs = current.outcome().is_none() && current.table().seat_to_move() == side;
        let size = vec2(clock::width(ui, left) + 1.0, ui.available_height());
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            clock::show(ui, left, runs, &seen.palette);
        });
        dim(ui, &seen.palette, seen.words.seat(current, side));
        ui.add_space(16.0);
    }
}

/// Whose turn it is.
pub fn status_of(current: &CurrentMatch, words: &Words) -> String {
    let table = current.table();
    let turn = words.with("play.turn", words.seat(current, table.seat_to_move()));
    if table.check().is_some() { format!("{turn} · {}", words.say("play.check")) } else { turn }
}

/// The name of the friend with what is known of their presence. Where both have no place, the name is cut.
fn with_presence(name: &str, told: &str, fits: impl Fn(&str) -> bool) -> String {
    let whole = format!("{name} · {told}");
    if fits(&whole) {
        return whole;
    }
    let cuts = name.char_indices().rev().map(|(at, _)| name[..at].trim_end()).filter(|cut| !cut.is_empty());
    let mut shorter = cuts.map(|cut| format!("{cut}… · {told}"));
    shorter.find(|cut| fits(cut)).unwrap_or_else(|| told.to_owned())
}

/// The player of a seat.
pub(super) fn player(ui: &mut Ui, seen: &Seen, side: Side) {
    let (words, current) = (&seen.words, &*seen.current);
    let font = egui::FontId::proportional(SMALL);
    let room = ui.available_width();
    let fits = |name: &str| ui.painter().layout_no_wrap(name.to_owned(), font.clone(), seen.palette.dim()).size().x <= room;
    let name = match (&current.heading().names[side], &current.seats()[side]) {
        (Some(name), SeatSpec::Human) => name.clone(),
        (name, SeatSpec::Friend) => {
            let name = name.as_deref().unwrap_or(words.say("letters.friend"));
            let told = words.presence(seen.posts.presence());
            told.map_or_else(|| name.to_owned(), |told| with_presence(name, &told, fits))
        }
        (None, SeatSpec::Human) => words.say("setup.human").to_owned(),
        (_, seat @ SeatSpec::Computer { level, manner }) => {
            let whole = if manner.is_some() { words.player(seat, Some(current.game())) } else { words.level(*level) };
            Some(whole).filter(|whole| fits(whole)).unwrap_or_else(|| words.with("level", level))
        }
        (_, SeatSpec::External { name }) => name.clone(),
    };
    ui.add(egui::Label::new(RichText::new(name).size(SMALL).color(seen.palette.dim())).truncate());
}

/// A seat, named by `side`. In a swap2 opening its final side may be the other one.
fn seat(ui: &mut Ui, seen: &Seen, side: Side, requests: &mut Requests) {
    let (words, current) = (&seen.words, &*seen.current);
    let to_move = current.outcome().is_none() && current.table().seat_to_move() == side;
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 56.0), egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(56.0);
        ui.set_max_height(56.0);
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 20.0), egui::Sense::hover());
            if to_move {
                ui.painter().circle_filled(rect.center(), 4.0, seen.palette.accent());
            }
            let clock = seen.clock.get().left(side);
            // The clock is at the right; the name takes the remaining width.
            let space = ui.available_width() - clock.map_or(0.0, |left| clock::width(ui, left) + 8.0);
            ui.allocate_ui_with_layout(vec2(space, 28.0), egui::Layout::left_to_right(Align::Center), |ui| {
                ui.set_width(space);
                ui.prose(RichText::new(words.seat(current, side)).size(BODY));
                let mut seats = seen.seats.iter();
                if let Some((_, thinking, broken, _)) = seats.find(|(seat, ..)| seat.0 == side) {
                    if thinking && !seen.held.holds() || seen.seeks_hint(side) {
                        breathing_dots(ui, seen.palette.accent(), seen.time.elapsed_secs_f64());
                    } else if broken && button(ui, words.say("engines.again"), true).clicked() {
                        requests.write(TryAgain);
                    }
                }
                player(ui, seen, side);
            });
            if let Some(left) = clock {
                ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                    clock::show(ui, left, to_move, &seen.palette);
                });
            }
        });
        captured(ui, seen, current.table().seat_of(side).unwrap_or(side));
    });
}

/// The memory key for the place of the next captured piece of a side.
pub(super) fn tray(side: Side) -> egui::Id {
    egui::Id::new(("tray", side))
}

/// The pieces captured by a side.
fn captured(ui: &mut Ui, seen: &Seen, taker: Side) {
    let taken = taken_from(&seen.current, !taker);
    let next = vec2(18.0 + SMALL_PIECE * (taken.len() as f32 + 0.5), SMALL_PIECE / 2.0);
    ui.data_mut(|data| data.insert_temp(tray(taker), ui.cursor().min + next));
    if taken.is_empty() {
        return;
    }
    let space = ui.available_width() - 18.0;
    let step = (space / taken.len() as f32).min(SMALL_PIECE + 2.0);
    let (rect, _) = ui.allocate_exact_size(vec2(space, SMALL_PIECE + 2.0), egui::Sense::hover());
    for (index, piece) in taken.iter().enumerate() {
        let Some(id) = seen.images.small(*piece) else { continue };
        let corner = rect.min + vec2(18.0 + step * index as f32, 0.0);
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        let place = egui::Rect::from_min_size(corner, vec2(SMALL_PIECE, SMALL_PIECE));
        // Dark pieces stand out on a dark panel, light ones on a light one.
        ui.painter().circle_filled(place.center(), SMALL_PIECE / 2.0 + 0.5, seen.palette.dim().gamma_multiply(0.55));
        ui.painter().image(id, place, whole, egui::Color32::WHITE);
    }
}

/// The pieces a side has lost from the beginning of the match to the moment that is shown.
fn taken_from(current: &CurrentMatch, side: Side) -> Vec<Piece> {
    let mut lost: Vec<Piece> = current.start_pieces().iter().copied().filter(|piece| piece.side == side).collect();
    lost.sort_by_key(|piece| piece.role);
    for (_, piece) in current.shown().pieces() {
        if let Some(index) = lost.iter().position(|other| *other == piece) {
            lost.remove(index);
        }
    }
    lost
}

/// A value with its sign, in as few characters as possible.
pub fn signed(value: Value) -> String {
    match value.moves_to_end() {
        Some(moves) => format!("{}#{}", if moves < 0 { "-" } else { "+" }, moves.abs()),
        None => format!("{:+.2}", f64::from(value.units()) / 100.0),
    }
}

/// A value from the view of the side to move, as text.
pub fn value_text(value: Value, words: &Words) -> String {
    match value {
        Value::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Value::Mate(moves) if moves >= 0 => words.with("value.wins-in", moves),
        Value::Mate(moves) => words.with("value.loses-in", -moves),
        Value::Exact(Verdict { known, plies }) => match (known, plies) {
            (Known::Draw, _) => words.say("value.draw").to_owned(),
            (Known::Win, Some(plies)) => words.with("value.wins-in-plies", plies),
            (Known::Loss, Some(plies)) => words.with("value.loses-in-plies", plies),
            (Known::Win, None) => words.say("value.wins").to_owned(),
            (Known::Loss, None) => words.say("value.loses").to_owned(),
        },
    }
}

/// The last progress of the engine that is searching or has searched.
fn thought(ui: &mut Ui, seen: &Seen) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 44.0), egui::Layout::top_down(Align::Min), |ui| {
        ui.set_min_height(44.0);
        ui.spacing_mut().item_spacing.y = 2.0;
        let lines = seen.seats.iter().filter_map(|(seat, thinking, _, line)| Some((seat.0, thinking, line?)));
        let Some((_, _, ThoughtLine(line))) =
            lines.max_by_key(|(side, thinking, _)| (*thinking, *side != seen.current.table().seat_to_move()))
        else {
            return;
        };
        let words = &seen.words;
        let depth = words.with("thought.depth", line.depth);
        let speed = speed_text(line);
        dim(ui, &seen.palette, format!("{depth} · {} · {speed}", value_text(line.value, words)));
        let pv = line.pv_text.join(" ");
        let text = RichText::new(pv).size(SMALL).color(seen.palette.dim());
        ui.add(egui::Label::new(text).truncate());
    });
}

/// Positions per second, shortened.
fn speed_text(line: &Progress) -> String {
    match line.nps() {
        n if n >= 1_000_000 => format!("{:.1} M/s", n as f64 / 1e6),
        n if n >= 1_000 => format!("{:.0} k/s", n as f64 / 1e3),
        n => format!("{n} /s"),
    }
}

fn actions(ui: &mut Ui, seen: &Seen, requests: &mut Requests) {
    let (words, current) = (&seen.words, &*seen.current);
    let size = vec2((ui.available_width() - 16.0) / 3.0, 32.0);
    let no_undo = current.traits().no_undo.filter(|_| current.outcome().is_none());
    ui.horizontal(|ui| {
        for (icon, key, enabled, request) in [
            (Icon::Undo, "play.undo", current.can_undo(), AnyRequest::from(CursorRequest::Undo)),
            (Icon::Redo, "play.redo", current.can_redo(), CursorRequest::Redo.into()),
            (Icon::Hint, "play.hint", seen.can_hint(), HintRequest.into()),
        ] {
            let response = ask_button(ui, words, (icon, key), request, size, enabled, requests);
            let refused = match key {
                "play.undo" => no_undo,
                "play.hint" => current.help_refused(),
                _ => None,
            };
            if let Some(why) = refused {
                response.tip(words.say(why));
            }
        }
    });
    ui.horizontal(|ui| {
        for (icon, key, enabled, request) in [
            (Icon::Flip, "play.flip", true, AnyRequest::from(LayoutRequest::Flip)),
            (Icon::Resign, "play.resign", current.resigner().is_some(), PageRequest::Menu(Menu::Resign).into()),
            (Icon::Menu, "play.menu", true, PageRequest::Menu(Menu::Pause).into()),
        ] {
            ask_button(ui, words, (icon, key), request, size, enabled, requests);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::with_presence;

    #[test]
    fn the_presence_of_a_friend_comes_before_a_long_name() {
        let of = |width: usize| with_presence("Anna 王", "here", |text| text.chars().count() <= width);
        assert_eq!(of(13), "Anna 王 · here");
        assert_eq!(of(12), "Anna… · here");
        assert_eq!(of(9), "A… · here");
        assert_eq!(of(8), "here");
    }
}
