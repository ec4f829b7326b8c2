//! The list of matches by letter: whose turn it is in each, and the way to it; and the tables nearby that wait for somebody.

use super::panel::connection_key;
use crate::app::activity::LETTERS;
use crate::app::background::WakeHandles;
use crate::app::home::Home;
use crate::app::library::Library;
use crate::app::notices::Notices;
use crate::app::play::{CurrentMatch, LetterMatch, Letters, Posts, Turn, day_of};
use crate::app::requests::{LetterRequest, PageRequest, PasteClipboard, Requests};
use crate::app::state::{Menu, Screen};
use crate::app::words::Words;
use crate::ui::clock;
use crate::ui::draw::Draw;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{
    Face, Icon, dim, face_button, heading, natural_width, page_frame, page_less, page_of, page_width, wide_drawn_button,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{RichText, Ui, vec2};
use qiju_core::record::letter::Letter;

/// The width of the page, in logical pixels.
const WIDTH: f32 = 460.0;

fn draw(
    mut contexts: EguiContexts,
    (letters, library, posts): (Res<Letters>, Res<Library>, Res<Posts>),
    (current, screen): (Option<Res<CurrentMatch>>, Res<State<Screen>>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let height = ctx.content_rect().height();
    let on_board = current.filter(|_| *screen.get() == Screen::Match).map(|current| current.seed());
    let modal = egui::Modal::new(egui::Id::new("letters")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, page_width(ctx, WIDTH), |ui| {
            heading(ui, words.say("letters.title"));
            let height = (height - page_less(ui, 150.0)).clamp(96.0, 420.0);
            egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                ui.set_width(ui.available_width() - 12.0);
                if letters.0.is_empty() {
                    dim(ui, &palette, words.say("letters.none"));
                }
                for one in &letters.0 {
                    row(ui, (one, on_board == Some(one.number)), (&library, &posts), (&words, &palette), &mut requests);
                }
                let nearby = posts.network.nearby().map(|tables| {
                    tables.into_iter().filter(|table| letters.0.iter().all(|one| one.number != table.number)).collect::<Vec<_>>()
                });
                if let Some(tables) = nearby {
                    ui.add_space(8.0);
                    ui.prose(RichText::new(words.say("letters.nearby")).size(BODY).strong());
                    if tables.is_empty() {
                        dim(ui, &palette, words.say("letters.nearby.none"));
                    }
                    tables.iter().for_each(|table| nearby_row(ui, table, &library, (&words, &palette), &mut requests));
                }
                ui.add_space(8.0);
                ui.prose(RichText::new(words.say("letters.about")).size(SMALL).color(palette.dim()));
            });
            ui.add_space(8.0);
            paste_and_done(ui, &words, &mut requests)
        })
    });
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// A match: the opponent and the game, whose turn it is, and its buttons. That on the board cannot be put away.
fn row(
    ui: &mut Ui,
    (one, on_board): (&LetterMatch, bool),
    (library, posts): (&Library, &Posts),
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    let Some(game) = library.game(one.game) else { return };
    let friend = one.friend.as_deref().unwrap_or(words.say("letters.friend"));
    let title = format!("{friend} · {}", words.of(&game.sheet.name));
    ui.add_space(4.0);
    ui.prose(RichText::new(&title).size(BODY).strong());
    let turn = words.say(match one.turn {
        Turn::Mine => "letters.turn.mine",
        Turn::Theirs => "letters.turn.theirs",
        Turn::Watched => "letters.turn.watched",
        Turn::Last => "letters.turn.last",
        Turn::Over => "letters.turn.over",
    });
    let line = one.post.as_ref().map(|post| words.say(connection_key(&posts.connection(post))).to_owned());
    let parts = [Some(turn.to_owned()), Some(words.length(game, one.plies)), one.at.and_then(day_of), line];
    dim(ui, palette, parts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
    ui.horizontal_wrapped(|ui| {
        let mut button = |icon, key: &str, filled, enabled| {
            let face = Face { icon: Some(icon), text: words.say(key), filled };
            let size = vec2(natural_width(ui, face), 32.0);
            let response = face_button(ui, face, size, enabled);
            let name = format!("{}: {title}", words.say(key));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, &name));
            response
        };
        if button(Icon::Play, "letters.go-on", one.turn == Turn::Mine, true).clicked() {
            requests.write(LetterRequest::GoOn(one.number));
        }
        let put_away = button(Icon::Records, "letters.put-away", false, !on_board);
        if put_away.tip(words.say("letters.put-away.note")).clicked() {
            requests.write(LetterRequest::PutAway(one.number));
        }
    });
}

/// A table nearby: who waits there, the game and its clock, and the button that joins.
fn nearby_row(ui: &mut Ui, table: &Letter, library: &Library, (words, palette): (&Words, &Palette), requests: &mut Requests) {
    let Some(game) = library.game(&table.record.game) else { return };
    let host = table.writer().unwrap_or(words.say("letters.somebody"));
    let clock = table.control.is_limited().then(|| clock::told(table.control, &game.sheet, words));
    let name = [Some(words.of(&game.sheet.name).to_owned()), clock].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    ui.horizontal_wrapped(|ui| {
        let face = Face { icon: Some(Icon::Play), text: words.say("letters.join"), ..Face::default() };
        let size = vec2(natural_width(ui, face), 32.0);
        let response = face_button(ui, face, size, true);
        let label = format!("{}: {host} · {name}", words.say("letters.join"));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &label));
        if response.clicked() {
            requests.write(LetterRequest::Read(Box::new(table.clone())));
            requests.write(LetterRequest::Accept);
        }
        ui.prose(RichText::new(host).size(BODY));
        dim(ui, palette, name);
    });
}

/// The two buttons below: an answer is pasted, or the page is closed, which returns true.
pub(super) fn paste_and_done(ui: &mut Ui, words: &Words, requests: &mut Requests) -> bool {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        if wide_drawn_button(ui, Icon::Letter, words.say("letters.paste"), width, true).clicked() {
            requests.write(PasteClipboard);
        }
        wide_drawn_button(ui, Icon::Check, words.say("menu.done"), width, true).clicked()
    })
    .inner
}

fn load(mut letters: ResMut<Letters>, (home, library): (Res<Home>, Res<Library>), mut notices: ResMut<Notices>) {
    letters.load(&home, &library, &mut notices);
}

/// Tables nearby are looked for while the page is open.
fn look(mut posts: ResMut<Posts>, wakes: WakeHandles, mut notices: ResMut<Notices>) {
    if let Err(why) = posts.bypass_change_detection().network.look(&wakes) {
        notices.fail(why);
    }
}

fn look_away(mut posts: ResMut<Posts>) {
    posts.bypass_change_detection().network.look_away();
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Menu::Page(LETTERS)), (load, look)).add_systems(OnExit(Menu::Page(LETTERS)), look_away).add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Menu).run_if(in_state(Menu::Page(LETTERS)).and_then(resource_exists::<Palette>)),
    );
}
