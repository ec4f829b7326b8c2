//! Below the tree: what the last step did, step by step back and forward, playing at a chosen speed, and the moments of the search as a slider; and the
//! keys of the page.

use super::shared::{Page, short};
use super::view::{TreeView, ViewWish};
use crate::app::explore::SPEEDS;
use crate::app::laboratory::{LabGo, LabWalk, LabWish};
use crate::app::requests::Requests;
use crate::ui::style::SMALL;
use crate::ui::widgets::{Face, Icon, dim, face_button};
use bevy_egui::egui;
use egui::{FontId, Key, Modifiers, Rect, Sense, Ui, pos2, vec2};
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
        let mut ask = |wish| {
            requests.write(wish);
        };
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
            ask(LabWish::Go(LabGo::To(moment)));
        }
        ui.horizontal(|ui| {
            let playing = self.lab.is_playing();
            let (icon, key) = if playing { (Icon::Pause, "lab.pause") } else { (Icon::Play, "lab.play") };
            for (icon, key, hint, wish, on) in [
                (Icon::First, "lab.first", "Home", LabWish::Go(LabGo::Start), at > 0),
                (Icon::Back, "lab.back", self.words.say("keys.left"), LabWish::Go(LabGo::Back), at > 0),
                (icon, key, self.words.say("keys.space"), LabWish::Play(!playing), steps > 0),
                (Icon::Forward, "lab.forward", self.words.say("keys.right"), LabWish::Go(LabGo::Forward), at < steps),
                (Icon::Last, "lab.last", "End", LabWish::Go(LabGo::End), at < steps),
            ] {
                let face = Face { icon: Some(icon), filled: matches!(icon, Icon::Play | Icon::Pause), ..Face::default() };
                let response = face_button(ui, face, vec2(if face.filled { 48.0 } else { 34.0 }, 32.0), on);
                let name = self.words.say(key);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, on, name));
                if response.on_hover_text(format!("{name} ({hint})")).clicked() {
                    ask(wish);
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
                ask(LabWish::Speed(speed));
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

/// The keys of the page. With the keyboard on the tree the arrow keys choose a node; Ctrl with an arrow key does so anywhere.
pub fn keys(ui: &Ui, page: &Page, view: &mut TreeView, requests: &mut Requests) {
    let focused = ui.memory(|memory| memory.focused().is_some());
    if focused && !view.focused || egui::Popup::is_any_open(ui.ctx()) {
        return;
    }
    let pressed =
        |modifiers: Modifiers, key: Key| ui.input(|input| input.modifiers.matches_exact(modifiers) && input.key_pressed(key));
    let mut ask = |wish| {
        requests.write(wish);
    };
    for (key, walk) in [
        (Key::ArrowUp, LabWalk::Up),
        (Key::ArrowDown, LabWalk::Down),
        (Key::ArrowLeft, LabWalk::Left),
        (Key::ArrowRight, LabWalk::Right),
    ] {
        if pressed(Modifiers::CTRL, key) || view.focused && pressed(Modifiers::NONE, key) {
            ask(LabWish::Walk(walk));
        }
    }
    for (key, go) in
        [(Key::ArrowLeft, LabGo::Back), (Key::ArrowRight, LabGo::Forward), (Key::Home, LabGo::Start), (Key::End, LabGo::End)]
    {
        let of_tree = view.focused && matches!(key, Key::ArrowLeft | Key::ArrowRight);
        if !of_tree && pressed(Modifiers::NONE, key) {
            ask(LabWish::Go(go));
        }
    }
    if pressed(Modifiers::NONE, Key::Space) {
        ask(LabWish::Play(!page.lab.is_playing()));
    }
    for (key, kind) in [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5].into_iter().zip(PlainKind::ALL) {
        if pressed(Modifiers::NONE, key) {
            ask(LabWish::Algorithm(kind));
        }
    }
    let plus = [Key::Plus, Key::Equals].into_iter().any(|key| pressed(Modifiers::NONE, key) || pressed(Modifiers::SHIFT, key));
    let wish = match () {
        () if plus => Some(ViewWish::Zoom(1.5)),
        () if pressed(Modifiers::NONE, Key::Minus) => Some(ViewWish::Zoom(1.0 / 1.5)),
        () if pressed(Modifiers::NONE, Key::Num0) => Some(ViewWish::Whole),
        () => None,
    };
    if wish.is_some() {
        view.wish = wish;
        ui.ctx().request_repaint();
    }
}
