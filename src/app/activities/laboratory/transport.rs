//! Below the tree: what the last step did, step by step back and forward, playing at a chosen speed, and the moments of the search as a slider; and the
//! commands of the page.

use super::request::{LABORATORY, LabGo, LabWalk, LabWish};
use super::shared::{Page, short};
use super::state::{Laboratory, SPEEDS};
use super::view::{TreeView, ViewWish};
use crate::app::commands::Command;
use crate::app::keys::KeyFocus;
use crate::app::requests::Requests;
use crate::app::state::Menu;
use crate::ui::style::SMALL;
use crate::ui::typesetting::Tip;
use crate::ui::widgets::{Face, Icon, dim, face_button, with_key};
use bevy::prelude::*;
use bevy_egui::egui;
use egui::{FontId, Rect, Sense, Ui, pos2, vec2};
use qiju_core::search::{NodeEnd, PlainKind, grouped};
use qiju_core::study::laboratory::Playback;
use qiju_core::table::{SearchEvent, View};

/// The height of all of it, in logical pixels.
pub const HEIGHT: f32 = 96.0;
/// The height of the line that tells the last step, and of the slider.
const LINE: f32 = 22.0;

impl Page<'_> {
    /// All of it.
    pub(super) fn transport(&self, ui: &mut Ui, requests: &mut Requests) {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let playback = self.lab.playback();
        self.told_step(ui, playback);
        let (steps, at) = playback.map_or((0, 0), |playback| (playback.steps(), playback.at()));
        let mut moment = at;
        ui.scope(|ui| {
            ui.spacing_mut().slider_width = ui.available_width();
            ui.spacing_mut().interact_size.y = LINE;
            ui.add_enabled_ui(steps > 0, |ui| {
                let slider = ui.add(egui::Slider::new(&mut moment, 0..=steps.max(1)).show_value(false));
                let said = self.words.fill("lab.moment", &[&grouped(at as u64), &grouped(steps as u64)]);
                slider.widget_info(|| egui::WidgetInfo::slider(steps > 0, at as f64, &said));
            });
        });
        if moment != at {
            requests.write(LabWish::Go(LabGo::To(moment)));
        }
        ui.horizontal(|ui| {
            let playing = self.lab.is_playing();
            let (icon, key) = if playing { (Icon::Pause, "lab.pause") } else { (Icon::Play, "lab.play") };
            for (icon, key, wish, on) in [
                (Icon::First, "lab.first", LabWish::Go(LabGo::Start), at > 0),
                (Icon::Back, "lab.back", LabWish::Go(LabGo::Back), at > 0),
                (icon, key, LabWish::Play(!playing), steps > 0),
                (Icon::Forward, "lab.forward", LabWish::Go(LabGo::Forward), at < steps),
                (Icon::Last, "lab.last", LabWish::Go(LabGo::End), at < steps),
            ] {
                let face = Face { icon: Some(icon), filled: matches!(icon, Icon::Play | Icon::Pause), ..Face::default() };
                let response = face_button(ui, face, vec2(if face.filled { 48.0 } else { 34.0 }, 32.0), on);
                let name = self.words.say(key);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, on, name));
                if response.tip(with_key(self.words, name, wish.clone(), requests)).clicked() {
                    requests.write(wish);
                }
            }
            let mut speed = self.lab.speed();
            // In a narrow window the slider alone.
            let told = ui.available_width() > 140.0;
            ui.add_space(if told { 6.0 } else { 0.0 });
            ui.spacing_mut().slider_width = (ui.available_width() - if told { 130.0 } else { 8.0 }).clamp(48.0, 180.0);
            let slider = ui.add(egui::Slider::new(&mut speed, SPEEDS.0..=SPEEDS.1).logarithmic(true).show_value(false));
            let said = self.words.with("lab.speed", grouped(speed.round() as u64));
            slider.widget_info(|| egui::WidgetInfo::slider(true, f64::from(speed), &said));
            if slider.changed() {
                requests.write(LabWish::Speed(speed));
            }
            if told {
                dim(ui, self.palette, said);
            }
        });
    }

    /// What the last step did, and how far the search is.
    fn told_step(&self, ui: &mut Ui, playback: Option<&Playback>) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
        let text = playback.map(|playback| self.step_text(playback)).unwrap_or_default();
        let count = playback.map_or_else(String::new, |playback| {
            let all = playback.tree().nodes.len() as u64;
            self.words.fill("lab.opened", &[&grouped(playback.opened() as u64), &grouped(all)])
        });
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, format!("{text} {count}")));
        let painter = ui.painter();
        let font = FontId::proportional(SMALL);
        let right = painter.layout_no_wrap(count, font.clone(), self.palette.dim());
        let left = painter.layout_no_wrap(text, font, self.palette.text());
        let y = rect.center().y;
        // Where there is no room for both, what the step did is more important.
        let both = left.size().x + right.size().x + 12.0 <= rect.width();
        if both {
            let at = pos2(rect.right() - right.size().x, y - right.size().y / 2.0);
            painter.galley(at, right, self.palette.dim());
        }
        let clip = painter.with_clip_rect(Rect::from_min_max(rect.min, rect.max));
        clip.galley(pos2(rect.left(), y - left.size().y / 2.0), left, self.palette.text());
    }

    fn step_text(&self, playback: &Playback) -> String {
        let Some(event) = playback.last() else { return self.words.say("lab.step.none").to_owned() };
        let tree = playback.tree();
        let name = |node: u32| {
            let of = &tree.nodes[node as usize];
            of.mv.as_ref().map_or_else(|| self.words.say("lab.root").to_owned(), |(_, text)| text.clone())
        };
        match event {
            SearchEvent::Open(node) => {
                let side = self.side(tree.nodes[node as usize].mover);
                self.words.fill("lab.step.open", &[&name(node), side])
            }
            SearchEvent::Improve(node, score) => {
                let falls = tree.view == View::Root && tree.nodes[node as usize].mover != tree.nodes[0].mover;
                let key = if falls { "lab.step.falls" } else { "lab.step.rises" };
                self.words.fill(key, &[&name(node), &short(score)])
            }
            SearchEvent::Close(node) => {
                let of = &tree.nodes[node as usize];
                let value = short(of.score);
                match of.end {
                    NodeEnd::Leaf => self.words.fill("lab.step.leaf", &[&name(node), &value]),
                    NodeEnd::GameOver => self.words.fill("lab.step.over", &[&name(node), &value]),
                    NodeEnd::Searched => self.words.fill("lab.step.done", &[&name(node), &value]),
                    NodeEnd::CutOff(moves) => self.words.fill("lab.step.cut", &[&name(node), &value, &grouped(moves as u64)]),
                    NodeEnd::Table => self.words.fill("lab.step.table", &[&name(node), &value]),
                }
            }
        }
    }
}

/// With the keyboard on the tree the arrow keys choose a node; Ctrl with an arrow key does so anywhere.
pub(super) static COMMANDS: &[Command] = &[
    Command::new("keys.left", "lab.back", |world| is_open(world) && !on_tree(world), || LabWish::Go(LabGo::Back).into())
        .repeats(),
    Command::new("keys.right", "lab.forward", |world| is_open(world) && !on_tree(world), || LabWish::Go(LabGo::Forward).into())
        .repeats(),
    Command::new("Home", "lab.first", is_open, || LabWish::Go(LabGo::Start).into()),
    Command::new("End", "lab.last", is_open, || LabWish::Go(LabGo::End).into()),
    Command::new("keys.space", "keys.lab.play", |world| is_open(world) && !is_playing(world), || LabWish::Play(true).into()),
    Command::new("keys.space", "keys.lab.play", |world| is_open(world) && is_playing(world), || LabWish::Play(false).into()),
    Command::new("1", "keys.lab.algorithm", is_open, || LabWish::Algorithm(PlainKind::ALL[0]).into()),
    Command::new("2", "keys.lab.algorithm", is_open, || LabWish::Algorithm(PlainKind::ALL[1]).into()),
    Command::new("3", "keys.lab.algorithm", is_open, || LabWish::Algorithm(PlainKind::ALL[2]).into()),
    Command::new("4", "keys.lab.algorithm", is_open, || LabWish::Algorithm(PlainKind::ALL[3]).into()),
    Command::new("5", "keys.lab.algorithm", is_open, || LabWish::Algorithm(PlainKind::ALL[4]).into()),
    Command::told("keys.ctrl-arrow-keys", "keys.lab.choose"),
    Command::new("ArrowUp", "", on_tree, || LabWish::Walk(LabWalk::Up).into()).repeats(),
    Command::new("ArrowDown", "", on_tree, || LabWish::Walk(LabWalk::Down).into()).repeats(),
    Command::new("keys.left", "", on_tree, || LabWish::Walk(LabWalk::Left).into()).repeats(),
    Command::new("keys.right", "", on_tree, || LabWish::Walk(LabWalk::Right).into()).repeats(),
    Command::new("Ctrl+ArrowUp", "", is_open, || LabWish::Walk(LabWalk::Up).into()).repeats(),
    Command::new("Ctrl+ArrowDown", "", is_open, || LabWish::Walk(LabWalk::Down).into()).repeats(),
    Command::new("Ctrl+keys.left", "", is_open, || LabWish::Walk(LabWalk::Left).into()).repeats(),
    Command::new("Ctrl+keys.right", "", is_open, || LabWish::Walk(LabWalk::Right).into()).repeats(),
    Command::new("+", "keys.lab.zoom", is_open, || ViewWish::Zoom(1.5).into()).repeats(),
    Command::new("-", "keys.lab.zoom", is_open, || ViewWish::Zoom(1.0 / 1.5).into()).repeats(),
    Command::new("0", "keys.lab.whole", is_open, || ViewWish::Whole.into()),
];

/// The page is open, and nothing but the tree has the keyboard.
fn is_open(world: &World) -> bool {
    let free = KeyFocus::is_board(world) || world.resource::<TreeView>().focused;
    free && !world.resource::<KeyFocus>().popup && *world.resource::<State<Menu>>() == Menu::Page(LABORATORY)
}

fn on_tree(world: &World) -> bool {
    is_open(world) && world.resource::<TreeView>().focused
}

fn is_playing(world: &World) -> bool {
    world.resource::<Laboratory>().is_playing()
}
