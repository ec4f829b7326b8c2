//! The seats of the setup page on both sides of the board: who plays, and how strong.

use super::{Form, Kind};
use crate::app::library::LibraryGame;
use crate::app::play::{CARRIES, HOSTS};
use crate::app::settings::LettersBy;
use crate::app::setup::Purpose;
use crate::app::words::Words;
use crate::ui::boards::Boards;
use crate::ui::manner;
use crate::ui::speech::Named;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{
    Icon, button, card, dim, drawn_button, is_narrow, menu_choice, menu_of, segmented, small_choice, text_field,
};
use bevy_egui::egui;
use egui::{RichText, vec2};
use qiju_core::rules::Side;

/// Brokers that others run for everybody to try; they promise nothing.
const PUBLIC_BROKERS: [&str; 3] =
    ["wss://broker.hivemq.com:8884/mqtt", "wss://broker.emqx.io:8084/mqtt", "wss://test.mosquitto.org:8081/mqtt"];

/// What the seats show and change.
pub(super) struct Seats<'a> {
    pub form: &'a mut Form,
    pub library_game: &'a LibraryGame,
    pub words: &'a Words,
    pub palette: &'a Palette,
}

impl Seats<'_> {
    /// Both seats, and the board between them.
    pub(super) fn show(&mut self, ui: &mut egui::Ui, height: f32, boards: &mut Boards) {
        let palette = self.palette;
        let space = ui.available_width();
        // In a low window the board leaves space for the parts below.
        let low = height - 392.0;
        let board = (space * 0.28).min(240.0).min(low).max(160.0).floor();
        let seat_width = (space - board - 20.0) / 2.0;
        if is_narrow(ui.ctx()) {
            // One below the other, and the board between them.
            let inside = space - 32.0;
            card(ui, space, 0.0, palette, |ui| _ = self.seat(ui, Side::First, inside));
            let board = board.min(148.0);
            ui.vertical_centered(|ui| {
                let (square, _) = ui.allocate_exact_size(vec2(board, board), egui::Sense::hover());
                self.show_position(ui, boards, square);
            });
            card(ui, space, 0.0, palette, |ui| _ = self.seat(ui, Side::Second, inside));
            return;
        }
        // Both cards are as high as the higher of the two contents was in the last frame.
        let memory = ui.id().with("tallest");
        let before = ui.data(|data| data.get_temp(memory)).unwrap_or(0.0_f32);
        let mut tallest = 0.0_f32;
        ui.horizontal_top(|ui| {
            let mut one = |seats: &mut Self, ui: &mut egui::Ui, side: Side| {
                card(ui, seat_width, board.max(before), palette, |ui| {
                    let content = seats.seat(ui, side, seat_width - 32.0);
                    tallest = tallest.max(content + 32.0);
                });
            };
            one(self, ui, Side::First);
            let (square, _) = ui.allocate_exact_size(vec2(board, board), egui::Sense::hover());
            self.show_position(ui, boards, square);
            one(self, ui, Side::Second);
        });
        if tallest != before {
            ui.data_mut(|data| data.insert_temp(memory, tallest));
            ui.ctx().request_repaint();
        }
    }

    /// The position the match will begin with.
    fn show_position(&self, ui: &egui::Ui, boards: &mut Boards, place: egui::Rect) {
        if let Some((_, scene)) = &self.form.shown
            && let Some(board) = boards.within(ui.painter(), self.library_game, scene.size, place)
        {
            board.draw(ui.painter(), &scene.after(), &[]);
        }
    }

    /// A seat in this width. The height of what is in it.
    fn seat(&mut self, ui: &mut egui::Ui, side: Side, width: f32) -> f32 {
        let Seats { library_game, words, palette, .. } = *self;
        let least = if is_narrow(ui.ctx()) { 0.0 } else { 160.0 };
        let content = ui.allocate_ui_with_layout(vec2(width, least), egui::Layout::top_down(egui::Align::Min), |ui| {
            ui.set_width(width);
            ui.prose(RichText::new(words.of(&library_game.sheet.sides[side])).size(BODY));
            dim(ui, palette, words.say(if side == Side::First { "setup.moves-first" } else { "setup.moves-second" }));
            let mut options = vec![
                (Kind::Human, words.say("setup.human")),
                (Kind::Computer, words.say("setup.computer")),
                (Kind::Friend, words.say("setup.friend")),
            ];
            let form = &mut *self.form;
            let guests = form.guests.clone();
            options.extend(guests.iter().enumerate().map(|(index, name)| (Kind::ExternalProgram(index), name.as_str())));
            if segmented(ui, &mut form.kind[side], &options) {
                // A friend plays against the user.
                if form.has_friend() && form.kind[side] != Kind::Human {
                    form.kind[!side] = Kind::Human;
                }
            }
            if form.kind[side] == Kind::Friend {
                let [paste, nearby] = friend(ui, &mut form.letters, words, palette);
                (form.paste, form.nearby) = (form.paste || paste, form.nearby || nearby);
            }
            if form.kind[side] == Kind::Computer {
                self.level(ui, side, width);
            }
        });
        content.response.rect.height()
    }

    /// The slider of the level, with the choice of the level near the player's rating, and the manner.
    fn level(&mut self, ui: &mut egui::Ui, side: Side, width: f32) {
        let Seats { form, library_game, words, palette } = self;
        let near = form.is_near(side);
        let rating = form.rating.clone();
        let sheet = &library_game.sheet;
        let mut level = form.near_level(side, sheet).unwrap_or(form.level[side]);
        let with_handicap = sheet.handicap(form.position.trim()).is_some_and(|handicap| !handicap.worth.is_empty());
        let manners = &sheet.manners;
        // The ratings are those of the levels without a manner.
        let may = form.purpose != Purpose::Rated;
        let name = words.level(level);
        let label = ui.horizontal_wrapped(|ui| {
            let label = ui.prose(&name);
            if !manners.is_empty() {
                manner::choose(ui, &mut form.manner[side], manners, may, words);
            }
            label
        });
        ui.spacing_mut().slider_width = (width - 16.0).min(260.0);
        ui.horizontal(|ui| {
            if rating.is_some() {
                ui.spacing_mut().slider_width = (width - 104.0).clamp(64.0, 180.0);
            }
            // Moving the slider chooses a level again.
            let slider = ui.add(egui::Slider::new(&mut level, 1..=10).show_value(false));
            if slider.named(&label.inner, &name).changed() {
                (form.level[side], form.near[side]) = (level, false);
            }
            if rating.is_some() && small_choice(ui, near, words.say("setup.near")).tip(words.say("setup.near.note")).clicked() {
                form.near[side] = !near;
            }
        });
        let manner = form.manner[side].as_ref().filter(|_| may).and_then(|key| library_game.sheet.manner(key));
        let note = match (manner, rating.filter(|_| near)) {
            (Some(manner), _) => words.of(&manner.portrait).to_owned(),
            (None, Some((rating, _))) if with_handicap => words.with("setup.near.handicap", rating),
            (None, Some((rating, _))) => words.with("setup.near.rating", rating),
            (None, None) => words.say(&format!("level.{level}.note")).to_owned(),
        };
        ui.prose(RichText::new(note).size(SMALL).color(palette.dim()));
    }
}

/// How letters go to the friend. Whether an invitation is to be pasted, and whether a table nearby is looked for.
fn friend(ui: &mut egui::Ui, (by, broker): &mut (LettersBy, String), words: &Words, palette: &Palette) -> [bool; 2] {
    let ways =
        [(LettersBy::Hand, "setup.by-hand"), (LettersBy::Network, "setup.by-network"), (LettersBy::Broker, "setup.by-broker")];
    let ways: Vec<_> = ways.into_iter().filter(|(way, _)| HOSTS || *way != LettersBy::Network).collect();
    if CARRIES {
        segmented(ui, by, &ways.iter().map(|(way, key)| (*way, words.say(key))).collect::<Vec<_>>());
    }
    let note = match by {
        LettersBy::Hand => "setup.friend.note",
        LettersBy::Network => "setup.by-network.note",
        LettersBy::Broker => "setup.by-broker.note",
    };
    let label = dim(ui, palette, words.say(note));
    if *by == LettersBy::Broker && CARRIES {
        let field = text_field(ui, broker, "wss://", ui.available_width());
        ui.add(field).named(&label, words.say(note));
    }
    ui.horizontal_wrapped(|ui| {
        if *by == LettersBy::Broker && CARRIES {
            menu_of(&button(ui, words.say("setup.brokers"), true)).show(|ui| {
                dim(ui, palette, words.say("setup.brokers.note"));
                for address in PUBLIC_BROKERS {
                    if menu_choice(ui, broker == address, address, 180.0) {
                        address.clone_into(broker);
                    }
                }
            });
        }
        let paste = drawn_button(ui, Icon::Letter, words.say("setup.invited"), true).clicked();
        let network = *by == LettersBy::Network && CARRIES;
        [paste, network && drawn_button(ui, Icon::Play, words.say("letters.nearby"), true).clicked()]
    })
    .inner
}
