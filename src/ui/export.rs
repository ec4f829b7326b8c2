//! The pages that write a file: a game in another format, and a picture of the match.

use super::style::Palette;
use super::widgets::{dim, filled_button, heading, segmented, wide_button};
use crate::app::platform::PLATFORM;
use crate::app::play::{CurrentMatch, ExportChoice, Painting};
use crate::app::requests::{DialogRequest, FileAim, Output, PageRequest, PictureKind, PictureOrder, Requests, StopPainting};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::speech::Named;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{RichText, Ui};
use qiju_core::record::Format;

/// What a format is called.
fn name(format: Format, words: &Words) -> &str {
    words.say(match format {
        Format::Ron => "format.own",
        Format::Pgn => "format.pgn",
        Format::Xqf => "format.xqf",
        Format::Wxf => "format.wxf",
        Format::DhtmlXq => "format.ubb",
        Format::Psq => "format.psq",
        Format::Link => "format.link",
        Format::Sgf => "format.sgf",
        _ => "format.txt",
    })
}

/// What the button says: a page downloads the file at once.
fn choose(words: &Words) -> &str {
    words.say(if PLATFORM.folders { "export.choose" } else { "export.download" })
}

/// The page on which a format is chosen.
pub fn page(ui: &mut Ui, (words, palette): (&Words, &Palette), (choice, back): (&ExportChoice, Menu), requests: &mut Requests) {
    heading(ui, words.say("files.save"));
    ui.add_space(8.0);
    let memory = ui.id().with("format");
    let known = ui.data(|data| data.get_temp::<usize>(memory)).unwrap_or(1);
    let mut at = known.min(choice.formats.len().saturating_sub(1));
    for (index, (format, _)) in choice.formats.iter().enumerate() {
        let text = format!("{}  .{}", name(*format, words), format.key());
        let response = ui.add(egui::RadioButton::new(at == index, text));
        if response.clicked() {
            at = index;
        }
    }
    ui.data_mut(|data| data.insert_temp(memory, at));
    ui.add_space(4.0);
    if let Some((_, lost)) = choice.formats.get(at) {
        let said = lost.clone().unwrap_or_else(|| words.say("export.whole").to_owned());
        dim(ui, palette, said);
    }
    ui.add_space(8.0);
    let width = ui.available_width();
    if filled_button(ui, palette, choose(words), width, !choice.formats.is_empty()).clicked()
        && let Some((format, _)) = choice.formats.get(at)
    {
        let output = Output::Game(*format, choice.saved.clone());
        requests.write(PageRequest::Menu(Menu::None));
        requests.write(DialogRequest::Choose(FileAim::Save { output, name: choice.name.clone(), ending: format.key() }));
    }
    if wide_button(ui, words.say("comment.drop"), width, true).clicked() {
        requests.write(PageRequest::Menu(back));
    }
}

/// Pixels of the longer side that are offered.
const SIZES: [(u32, &str); 4] = [(480, "480"), (720, "720"), (1080, "1080"), (1600, "1600")];

/// What is being ordered on the page of pictures.
#[derive(Clone, Copy)]
struct Order {
    game: u64,
    order: PictureOrder,
}

/// The page on which a picture is ordered.
pub fn picture(
    ui: &mut Ui,
    (words, palette): (&Words, &Palette),
    (current, painting): (Option<&CurrentMatch>, &Painting),
    requests: &mut Requests,
) {
    let Some(current) = current else {
        requests.write(PageRequest::Menu(Menu::None));
        return;
    };
    heading(ui, words.say("picture.title"));
    ui.add_space(4.0);
    let moves = current.played().line().len();
    let game = current.played().number();
    let memory = ui.id().with("picture");
    let fresh = PictureOrder { kind: PictureKind::Png, pixels: 720, from: 0, to: moves, pace_ms: 1000, every: 20 };
    let known = ui.data(|data| data.get_temp::<Order>(memory)).filter(|order| order.game == game);
    let mut order = known.map_or(fresh, |known| known.order);
    order.to = order.to.min(moves);
    order.from = order.from.min(order.to);
    dim(ui, palette, words.say("picture.still"));
    let still = [(PictureKind::Png, words.say("picture.png")), (PictureKind::Svg, words.say("picture.svg"))];
    segmented(ui, &mut order.kind, &still);
    dim(ui, palette, words.say("picture.film"));
    let film = [(PictureKind::Gif, words.say("picture.gif")), (PictureKind::Pdf, words.say("picture.pdf"))];
    // The painters of a page have no characters for texts.
    segmented(ui, &mut order.kind, if PLATFORM.folders { &film } else { &film[..1] });
    if matches!(order.kind, PictureKind::Png | PictureKind::Gif) {
        dim(ui, palette, words.say("picture.size"));
        segmented(ui, &mut order.pixels, &SIZES);
    }
    if order.kind == PictureKind::Pdf {
        dim(ui, palette, words.say("picture.every"));
        segmented(ui, &mut order.every, &[(10, "10"), (20, "20"), (40, "40"), (0, words.say("picture.last"))]);
    }
    if order.kind == PictureKind::Gif {
        dim(ui, palette, words.say("picture.moves"));
        ui.horizontal(|ui| {
            let last = order.to;
            let label = ui.prose(words.say("picture.from"));
            let field = egui::DragValue::new(&mut order.from).range(0..=last);
            ui.add(field).named(&label, words.say("picture.from"));
            let first = order.from;
            let label = ui.prose(words.say("picture.to"));
            let field = egui::DragValue::new(&mut order.to).range(first..=moves);
            ui.add(field).named(&label, words.say("picture.to"));
            ui.prose(RichText::new(words.with("picture.of", moves)).color(palette.dim()));
        });
        dim(ui, palette, words.say("picture.pace"));
        let paces = [
            (400, words.say("picture.pace.fast")),
            (1000, words.say("picture.pace.normal")),
            (2000, words.say("picture.pace.slow")),
        ];
        segmented(ui, &mut order.pace_ms, &paces);
    }
    ui.data_mut(|data| data.insert_temp(memory, Order { game, order }));
    ui.add_space(8.0);
    let width = ui.available_width();
    if let Some((done, all)) = painting.progress() {
        let part = done as f32 / all.max(1) as f32;
        ui.add(egui::ProgressBar::new(part).text(words.fill("picture.progress", &[&done.to_string(), &all.to_string()])));
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(200));
        if wide_button(ui, words.say("games.stop"), width, true).clicked() {
            requests.write(StopPainting);
        }
    } else if filled_button(ui, palette, choose(words), width, true).clicked() {
        let ply = match order.kind {
            PictureKind::Gif => order.to,
            PictureKind::Pdf => moves,
            PictureKind::Png | PictureKind::Svg => current.shown().ply(),
        };
        let (ending, name) = (order.kind.ending(), format!("{} {ply}", current.game().entry.key));
        requests.write(DialogRequest::Choose(FileAim::Save { output: Output::Picture(order), name, ending }));
    }
    if wide_button(ui, words.say("menu.done"), width, true).clicked() {
        requests.write(PageRequest::Menu(Menu::None));
    }
}
