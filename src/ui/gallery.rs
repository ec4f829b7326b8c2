//! Animated examples on small boards, in rows: of the rules, and of the themes of puzzles.

use super::boards::Boards;
use super::scenes::Scene;
use super::widgets::{is_narrow, page_width};
use crate::app::library::LibraryGame;
use crate::app::settings::Settings;
use bevy_egui::egui;
use egui::{Rect, Ui, vec2};

/// The side of an example's board, in logical pixels.
const BOARD: f32 = 176.0;
const GAP: f32 = 16.0;
/// The seconds after the last move of an example before it begins again.
const AFTER: f32 = 1.6;

/// How the examples are arranged.
pub struct Gallery {
    /// Two boards beside each other, before and after, in place of an animation.
    still: bool,
    side: f32,
    /// The width of an example.
    example: f32,
    columns: usize,
    /// The width of the page.
    pub width: f32,
}

impl Gallery {
    /// As many columns as the window has room for.
    pub fn new(ctx: &egui::Context, settings: &Settings) -> Gallery {
        let still = settings.reduced_motion || settings.speed <= 0.0;
        // Beside each other the two boards of an example are as wide as a narrow window.
        let room = page_width(ctx, f32::INFINITY) - 20.0;
        let side = if still && is_narrow(ctx) { (room / 2.0).floor().min(BOARD) } else { BOARD };
        let screen = ctx.content_rect();
        let example = if still { 2.0 * side + 8.0 } else { side };
        let columns = (((screen.width() - 96.0 + GAP) / (example + GAP)) as usize).clamp(1, if still { 2 } else { 4 });
        let width = (columns as f32 * (example + GAP) - GAP).max(360.0).min(page_width(ctx, screen.width() - 80.0));
        Gallery { still, side, example, columns, width }
    }

    /// Draws the examples. Below each board there is at least so much height, in which `caption` lays out what belongs to the example with this
    /// number. `seconds` is the time since the page was opened; the result is the time in seconds until the next frame is needed.
    pub fn show(
        &self,
        ui: &mut Ui,
        boards: &mut Boards,
        (game, scenes, seconds): (&LibraryGame, &[Scene], f32),
        below: f32,
        mut caption: impl FnMut(&mut Ui, usize),
    ) -> f32 {
        let mut next = f32::INFINITY;
        let numbered: Vec<(usize, &Scene)> = scenes.iter().enumerate().collect();
        for row in numbered.chunks(self.columns) {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
                ui.horizontal_top(|ui| {
                    for (_, scene) in row {
                        let (place, _) = ui.allocate_exact_size(vec2(self.example, self.side), egui::Sense::hover());
                        if ui.is_rect_visible(place) {
                            next = next.min(self.board(ui, boards, (game, scene, seconds), place.min));
                        }
                    }
                });
                // The highest caption of a row makes it as high.
                ui.horizontal_top(|ui| {
                    for &(number, _) in row {
                        let size = vec2(self.example, below);
                        ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
                            ui.set_min_size(size);
                            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
                            ui.push_id(number, |ui| caption(ui, number));
                        });
                    }
                });
            });
        }
        next
    }

    fn board(&self, ui: &Ui, boards: &mut Boards, (game, scene, seconds): (&LibraryGame, &Scene, f32), at: egui::Pos2) -> f32 {
        let place = Rect::from_min_size(at, vec2(self.side, self.side));
        let beside = place.translate(vec2(self.side + 8.0, 0.0));
        let painter = ui.painter();
        let mut board = |place| boards.within(painter, game, scene.size, place);
        if self.still {
            if let (Some(before), Some(after)) = (board(place), board(beside)) {
                let (pieces, marks) = scene.before();
                before.draw(painter, &pieces, &marks);
                after.draw(painter, &scene.after(), &scene.last_move(game.sheet.shape));
            }
            return f32::INFINITY;
        }
        let Some(board) = board(place) else { return f32::INFINITY };
        let length = scene.seconds() + AFTER;
        let since = seconds % length;
        let (pieces, change) = scene.at(since);
        let marks: Vec<_> = scene.forbidden().filter(|_| since >= scene.seconds()).collect();
        board.draw(painter, &pieces, &marks);
        change.min(length - since)
    }
}
