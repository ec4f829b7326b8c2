//! The page with the letter to the friend, or with that to those who look on: its link, to be copied, and the same as a QR code.

use super::list::paste_and_done;
use super::mail::{LETTER, WATCH, friend_of};
use crate::app::clipboard::Clipboard;
use crate::app::notices::Notices;
use crate::app::platform::{can_share, share};
use crate::app::play::{CurrentMatch, MatchClock, Posts};
use crate::app::requests::{PageRequest, RefereeRequest, Requests};
use crate::app::settings::Settings;
use crate::app::state::Menu;
use crate::app::user_files::letter_link;
use crate::app::words::Words;
use crate::ui::draw::Draw;
use crate::ui::speech::Named;
use crate::ui::style::{BODY, Palette, SMALL};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Icon, dim, filled_button, heading, page_frame, page_less, page_of, page_width, wide_drawn_button};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Color32, Mesh, Rect, RichText, Ui, vec2};
use qiju_core::message::Message;

/// The width of the page, and the most of the QR code, in logical pixels.
const WIDTH: f32 = 460.0;
const CODE: f32 = 296.0;
/// Fewer logical pixels for a square of the code are hard to read for a telephone.
#[cfg(feature = "friends")]
const LEAST: f32 = 2.0;
/// The quiet zone around the code, in squares.
#[cfg(feature = "friends")]
const QUIET: usize = 4;

/// The letter that is shown.
#[derive(Resource, Default)]
struct Shown {
    link: Option<Result<String, Message>>,
    /// It invites, and nobody has come yet.
    invites: bool,
    code: Option<Squares>,
}

/// The dark squares of a QR code, row by row.
struct Squares {
    side: usize,
    dark: Vec<bool>,
}

impl Squares {
    /// The code of a text, with its quiet zone; `None` if the text is too long for one.
    #[cfg(feature = "friends")]
    fn of(text: &str) -> Option<Squares> {
        let code = qrcodegen::QrCode::encode_text(text, qrcodegen::QrCodeEcc::Low).ok()?;
        let side = code.size() as usize + 2 * QUIET;
        let at = |place: usize| place as i32 - QUIET as i32;
        let dark = (0..side * side).map(|index| code.get_module(at(index % side), at(index / side))).collect();
        Some(Squares { side, dark }).filter(|squares| CODE / squares.side as f32 >= LEAST)
    }

    #[cfg(not(feature = "friends"))]
    fn of(_: &str) -> Option<Squares> {
        None
    }

    /// Draws it, each square of whole pixels of the screen.
    fn draw(&self, ui: &mut Ui, name: &str) {
        let pixel = 1.0 / ui.ctx().pixels_per_point();
        let step = (CODE.min(ui.available_width()) / self.side as f32 / pixel).floor().max(1.0) * pixel;
        let (rect, response) = ui.allocate_exact_size(vec2(step, step) * self.side as f32, egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, name));
        let corner = (rect.min / pixel).round() * pixel;
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_min_size(corner, rect.size()), Color32::WHITE);
        for (index, _) in self.dark.iter().enumerate().filter(|(_, dark)| **dark) {
            let place = vec2((index % self.side) as f32, (index / self.side) as f32) * step;
            mesh.add_colored_rect(Rect::from_min_size(corner + place, vec2(step, step)), Color32::BLACK);
        }
        ui.painter().add(mesh);
    }
}

/// The page opens: the letter is made, and noted as shown to the friend.
fn open(
    (current, clock, settings): (Option<Res<CurrentMatch>>, Res<MatchClock>, Res<Settings>),
    (menu, posts): (Res<State<Menu>>, Res<Posts>),
    (mut shown, mut requests): (ResMut<Shown>, Requests),
) {
    let watch = *menu.get() == Menu::Page(WATCH);
    // Where this program is the broker, it may give the friend the page as well.
    let hosts = current.as_ref().and_then(|current| current.post()).is_some_and(|post| post.hosts);
    let page = posts.network.page().filter(|_| hosts).unwrap_or_else(|| settings.page.clone());
    shown.invites = !watch && current.as_ref().is_some_and(|current| current.invites());
    let letter = current.and_then(|current| match watch {
        true => current.shown_letter(clock.get(), settings.my_name()),
        false => current.letter(clock.get(), settings.my_name()),
    });
    shown.link = letter.map(|letter| letter.link().map(|link| letter_link(&link, &page)));
    shown.code = shown.link.as_ref().and_then(|link| Squares::of(link.as_ref().ok()?));
    if !watch {
        requests.write(RefereeRequest::Letter(None));
    }
}

fn draw(
    mut contexts: EguiContexts,
    (current, shown, menu): (Option<Res<CurrentMatch>>, Res<Shown>, Res<State<Menu>>),
    (words, palette): (Res<Words>, Res<Palette>),
    (mut clipboard, mut notices, mut requests): (ResMut<Clipboard>, ResMut<Notices>, Requests),
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let (Some(current), Some(link)) = (current, &shown.link) else {
        requests.write(PageRequest::Menu(Menu::None));
        return Ok(());
    };
    // The friend has come: nothing is to be sent any longer.
    if shown.invites && !current.invites() {
        requests.write(PageRequest::Menu(Menu::None));
        return Ok(());
    }
    let screen = ctx.content_rect();
    let modal = egui::Modal::new(egui::Id::new("letter")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, page_width(ctx, WIDTH), |ui| {
            let watch = *menu.get() == Menu::Page(WATCH);
            let title = words.with("letters.to", friend_of(&current, &words));
            heading(
                ui,
                match current.invites() {
                    _ if watch => words.say("letters.watchers"),
                    true => words.say("letters.invitation"),
                    false => &title,
                },
            );
            let below = if can_share() { 246.0 } else { 206.0 };
            let height = (screen.height() - page_less(ui, below)).max(96.0);
            egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                ui.set_width(ui.available_width() - 12.0);
                let over = current.outcome().is_some();
                let said = match current.post() {
                    _ if watch => "letters.watchers.send",
                    Some(_) if !current.goes_by_itself() => "letters.invite",
                    _ if over => "letters.last",
                    _ => "letters.send",
                };
                ui.prose(RichText::new(words.say(said)).size(BODY));
                match link {
                    Ok(link) => {
                        let name = words.say("letters.link");
                        let label = dim(ui, &palette, name);
                        field(ui, link, (&label, name));
                        if !link.contains("://") {
                            dim(ui, &palette, words.say("letters.no-page"));
                        }
                        if let Some(code) = &shown.code {
                            ui.vertical_centered(|ui| code.draw(ui, words.say("letters.code")));
                        }
                    }
                    Err(why) => drop(ui.prose(words.sentence(why))),
                }
            });
            ui.add_space(8.0);
            let width = ui.available_width();
            if filled_button(ui, &palette, words.say("letters.copy"), width, link.is_ok()).clicked()
                && let Ok(link) = link
            {
                clipboard.copy(link.clone());
                notices.warn(words.say("letters.copied"));
            }
            if can_share()
                && wide_drawn_button(ui, Icon::Share, words.say("result.share"), width, link.is_ok()).clicked()
                && let Ok(link) = link
            {
                share(link);
            }
            // No answer comes to the last letter.
            if watch || current.outcome().is_some() {
                return wide_drawn_button(ui, Icon::Check, words.say("menu.done"), width, true).clicked();
            }
            paste_and_done(ui, &words, &mut requests)
        })
    });
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// The link, to be read and selected.
fn field(ui: &mut Ui, link: &str, (label, name): (&egui::Response, &str)) {
    let mut text = link;
    // A small window is scaled down, so that a pixel is more than a point, and a line may be a pixel longer than its field inside the margins.
    let spare = if ui.pixels_per_point() < 1.0 { 12.0 } else { 0.0 };
    let edit = egui::TextEdit::multiline(&mut text).desired_rows(2).desired_width(ui.available_width() - spare);
    let edit = edit.font(egui::FontId::monospace(SMALL));
    egui::ScrollArea::vertical().id_salt("link").max_height(56.0).show(ui, |ui| {
        ui.add(edit).named(label, name);
    });
}

fn close(mut shown: ResMut<Shown>) {
    *shown = Shown::default();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .add_systems(OnEnter(Menu::Page(LETTER)), open)
        .add_systems(OnEnter(Menu::Page(WATCH)), open)
        .add_systems(OnExit(Menu::Page(LETTER)), close)
        .add_systems(OnExit(Menu::Page(WATCH)), close);
    let is_open = in_state(Menu::Page(LETTER)).or_else(in_state(Menu::Page(WATCH)));
    app.add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Menu).run_if(is_open.and_then(resource_exists::<Palette>)));
}
