//! The page of what is due: the player's own mistakes, the puzzles that were missed, and the moves of repertoires, in each game.

use crate::app::activity::MISTAKES;
use crate::app::library::{Library, LibraryGame};
use crate::app::mistakes::Mistakes;
use crate::app::platform;
use crate::app::progress::PlayerProgress;
use crate::app::repertoires::Repertoires;
use crate::app::requests::{AnyRequest, MistakeStep, PageRequest, PuzzleStep, RepertoireStep, Requests};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::draw::Draw;
use crate::ui::style::{BODY, Palette, SMALL, TITLE};
use crate::ui::typesetting::Prose;
use crate::ui::widgets::{Icon, dim, filled_button, heading, page_frame, page_less, page_of, page_width, wide_drawn_button};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{RichText, Ui};

/// The width of the page, in logical pixels.
const WIDTH: f32 = 460.0;

fn draw(
    mut contexts: EguiContexts,
    (words, palette, library): (Res<Words>, Res<Palette>, Res<Library>),
    (mistakes, progress, repertoires): (Res<Mistakes>, Res<PlayerProgress>, Res<Repertoires>),
    mut requests: Requests,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let screen = ctx.content_rect();
    let today = platform::today();
    let due = mistakes.due(None, today).len();
    let own_moves = repertoires.due(None, today);
    let all = due + progress.due(today) + own_moves;
    let modal = egui::Modal::new(egui::Id::new("mistakes")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, page_width(ctx, WIDTH), |ui| {
            heading(ui, words.say("mistakes.title"));
            let height = (screen.height() - page_less(ui, 190.0)).clamp(96.0, 420.0);
            egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                ui.set_width(ui.available_width() - 12.0);
                ui.prose(RichText::new(words.due(all)).size(TITLE));
                let next =
                    [mistakes.next_day(today), progress.next_day(today), repertoires.next_day(today)].into_iter().flatten().min();
                if let Some(next) = next {
                    dim(ui, &palette, words.with("mistakes.next-day", words.in_days(next - today)));
                }
                for game in &library.games {
                    of_game(ui, game, (&mistakes, &progress, &repertoires, today), (&words, &palette), &mut requests);
                }
                ui.add_space(8.0);
                ui.prose(RichText::new(words.say("mistakes.about")).size(SMALL).color(palette.dim()));
            });
            ui.add_space(8.0);
            let width = ui.available_width();
            let missed = library.games.iter().map(|game| game.entry.key).find(|key| progress.of_puzzles(key).due(today) > 0);
            let first: Option<AnyRequest> = match missed {
                _ if due > 0 => Some(MistakeStep::Begin(None).into()),
                Some(key) => Some(PuzzleStep::Due(key).into()),
                None => (own_moves > 0).then(|| RepertoireStep::Open.into()),
            };
            if let Some(first) = first
                && filled_button(ui, &palette, words.say("mistakes.begin"), width, true).clicked()
            {
                requests.write(first);
            }
            wide_drawn_button(ui, Icon::Check, words.say("menu.done"), width, true).clicked()
        })
    });
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// What there is in a game, and what of it is due.
fn of_game(
    ui: &mut Ui,
    game: &LibraryGame,
    (mistakes, progress, repertoires, today): (&Mistakes, &PlayerProgress, &Repertoires, i32),
    (words, palette): (&Words, &Palette),
    requests: &mut Requests,
) {
    let key = game.entry.key;
    let own = mistakes.positions.values().filter(|mistake| mistake.game == key).count();
    let puzzles = progress.of_puzzles(key);
    let own_moves = repertoires.due(Some(key), today);
    let rows: [(usize, usize, &str, Icon, AnyRequest); 3] = [
        (mistakes.due(Some(key), today).len(), own, "mistakes.own", Icon::Again, MistakeStep::Begin(Some(key)).into()),
        (puzzles.due(today), puzzles.returning(), "mistakes.puzzles", Icon::Puzzle, PuzzleStep::Due(key).into()),
        (own_moves, repertoires.positions(key), "mistakes.repertoires", Icon::Rules, RepertoireStep::Open.into()),
    ];
    if rows.iter().all(|(_, all, ..)| *all == 0) {
        return;
    }
    ui.add_space(6.0);
    ui.prose(RichText::new(words.of(&game.sheet.name)).size(BODY).strong());
    for (due, all, name, icon, request) in rows.into_iter().filter(|(_, all, ..)| *all > 0) {
        let text = words.fill(name, &[&due.to_string(), &all.to_string()]);
        if due == 0 {
            dim(ui, palette, text);
            continue;
        }
        let width = ui.available_width();
        if wide_drawn_button(ui, icon, &text, width, true).clicked() {
            requests.write(request);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Menu).run_if(in_state(Menu::Page(MISTAKES)).and_then(resource_exists::<Palette>)),
    );
}
