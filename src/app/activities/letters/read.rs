//! The page with a letter that was read and does not simply go on with its match: an invitation, or one that differs.

use super::mail::{Mail, Question, READ};
use crate::app::library::Library;
use crate::app::requests::{LetterRequest, PageRequest, Requests};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::draw::Draw;
use crate::ui::style::{BODY, Palette};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Icon, dim, filled_button, heading, page_frame, page_of, page_width, wide_drawn_button};
use crate::ui::{clock, opening};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::RichText;
use qiju_core::table::OpeningRule;

/// The width of the page, in logical pixels.
const WIDTH: f32 = 400.0;

fn draw(
    mut contexts: EguiContexts,
    (mail, library): (Res<Mail>, Res<Library>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let Some((letter, question)) = mail.asked() else { return Ok(()) };
    let record = &letter.record;
    let Some(game) = library.game(&record.game) else { return Ok(()) };
    let writer = letter.writer().unwrap_or(words.say("letters.friend"));
    let watches = letter.watch.is_some();
    let (variant, opening) = record.setup.rules();
    let rules = game.sheet.variant(variant).map(|variant| words.of(&variant.name).to_owned());
    let opened = (opening != OpeningRule::Free).then(|| words.say(opening::name(opening)).to_owned());
    let name = words.of(&game.sheet.name).to_owned();
    let about = [Some(name), rules, opened, Some(words.length(game, record.plies()))];
    let about = about.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let modal = egui::Modal::new(egui::Id::new("letter-read")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, page_width(ctx, WIDTH), |ui| {
            heading(ui, &words.with("letters.from", writer));
            dim(ui, &palette, about);
            let said = match question {
                Question::Begin if watches => words.say("letters.watch.question").to_owned(),
                Question::Begin => words.with("letters.begin.question", words.of(&game.sheet.sides[letter.reader])),
                Question::OtherStart => words.say("letters.other-start").to_owned(),
                Question::OtherMove(at, ours, theirs) => {
                    let none = || words.say("letters.no-move").to_owned();
                    let (ours, theirs) = (ours.clone().unwrap_or_else(none), theirs.clone().unwrap_or_else(none));
                    words.fill("letters.other-move", &[&(at + 1).to_string(), &ours, &theirs])
                }
            };
            ui.prose(RichText::new(said).size(BODY));
            if let (Question::Begin, Some(post)) = (question, letter.post.as_ref().or(letter.watch.as_ref())) {
                dim(ui, &palette, words.with("letters.begin.post", &post.at));
                if letter.control.is_limited() {
                    dim(ui, &palette, words.with("letters.begin.clock", clock::told(letter.control, &game.sheet, &words)));
                }
            }
            ui.add_space(8.0);
            let width = ui.available_width();
            let begins = *question == Question::Begin;
            let first = words.say(match begins {
                true if watches => "letters.watch",
                true => "letters.begin",
                false => "letters.keep",
            });
            if filled_button(ui, &palette, first, width, true).clicked() {
                requests.write(if begins { LetterRequest::Accept } else { LetterRequest::GoOn(letter.number) });
            }
            let moved = letter.record.plies() > 0;
            if moved && wide_drawn_button(ui, Icon::Review, words.say("letters.look"), width, true).clicked() {
                requests.write(LetterRequest::Look);
            }
            begins && wide_drawn_button(ui, Icon::Close, words.say("comment.drop"), width, true).clicked()
        })
    });
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Menu).run_if(in_state(Menu::Page(READ)).and_then(resource_exists::<Palette>)),
    );
}
