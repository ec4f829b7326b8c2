//! The tree: every ply a row in the tint of the side to move, the nodes that are open so far, their values, and the branches that were cut off.
//!
//! Only what is visible is drawn. Where a tree is so wide that several nodes share a pixel, one of them is drawn for all.

use super::camera::{Camera, Extent};
use super::request::LabWish;
use super::shared::{Page, short, small};
use super::state::NoTree;
use super::tiny_board::tiny_board;
use super::view::{TreeView, ViewWish};
use crate::app::requests::Requests;
use crate::app::view::{FrameRequests, seconds};
use crate::ui::style::{SMALL, colour};
use crate::ui::widgets::{Icon, ask_icon, icon_button};
use bevy_egui::egui;
use egui::epaint::CubicBezierShape;
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2};
use qiju_core::rules::Side;
use qiju_core::search::{NodeEnd, Score, grouped};
use qiju_core::study::laboratory::{MOST_DRAWN, Playback, Stage, TreeLayout};
use qiju_core::table::{SearchEvent, View};

/// From this width of a column on a node has a small board (on small boards), its value, or a dot; below, it is a line.
const BOARDS: f32 = 74.0;
const VALUES: f32 = 46.0;
const DOTS: f32 = 7.0;
/// The largest board that is drawn in a node.
const SMALL_BOARD: u8 = 5;
/// The width of the strip on the left that says whose turn it is, in a narrow and in a wide page.
const STRIP: (f32, f32) = (26.0, 84.0);
/// How far above the middle of its nodes a row begins.
const HEAD: f32 = 34.0;
/// The seconds of a value's way up an edge, and of a new node's appearance.
const RISE: f32 = 0.22;

/// What is needed to draw a tree.
struct Sheet<'a> {
    page: &'a Page<'a>,
    playback: &'a Playback,
    layout: &'a TreeLayout,
    camera: Camera,
    rect: Rect,
    extent: Extent,
    /// How far the last step has come, 0 to 1.
    part: f32,
}

impl Page<'_> {
    /// The tree, or why there is none.
    pub(super) fn canvas(
        &self,
        ui: &mut Ui,
        rect: Rect,
        view: &mut TreeView,
        frames: &mut FrameRequests,
        requests: &mut Requests,
    ) {
        // In a window that has hardly any room nothing can be drawn.
        if rect.width() < 120.0 || rect.height() < 40.0 {
            return;
        }
        let response = ui.interact(rect, egui::Id::new("search tree"), Sense::click_and_drag());
        view.focused = response.has_focus();
        ui.painter().rect_filled(rect, 8.0, colour(self.palette.panel().raised));
        let (Some(playback), Some(layout)) = (self.lab.playback(), self.lab.layout()) else {
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, self.words.say("lab.tree")));
            self.edge(ui, rect, view.focused);
            self.no_tree(ui, rect);
            return;
        };
        if view.focused {
            let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        }
        let label = self.told_of_tree(playback);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, &label));
        let strip = if rect.width() > 560.0 { STRIP.1 } else { STRIP.0 };
        let field = Rect::from_min_max(pos2(rect.left() + strip, rect.top()), rect.max);
        let extent = Extent { columns: layout.width, rows: layout.rows.len() };
        let now = ui.input(|input| input.time);
        if view.generation != self.lab.generation() || view.camera.is_none() {
            let mut first = Camera::whole(field, extent);
            // A tree is entered where it can be read.
            if self.lab.follows() && first.column < VALUES && !playback.is_over() {
                first.column = if self.has_boards() { BOARDS + 6.0 } else { VALUES + 10.0 };
                first.middle = layout.x[playback.opened().saturating_sub(1).min(layout.x.len() - 1)];
                first.hold(field, extent);
            }
            *view = TreeView {
                camera: Some(first),
                generation: self.lab.generation(),
                step: (playback.at(), now),
                ..TreeView::default()
            };
        }
        if view.step.0 != playback.at() {
            view.step = (playback.at(), now);
            if let Some(node) = playback.current().filter(|_| self.lab.follows()) {
                let mut target = view.target.or(view.camera).unwrap_or_else(|| Camera::whole(field, extent));
                let sheet = Sheet { page: self, playback, layout, camera: target, rect: field, extent, part: 1.0 };
                // A node that stands in the view above its children is seen where it is.
                let column = target.column_at(field, sheet.place(node).x);
                target.reveal(field, extent, column, f32::from(playback.tree().nodes[node as usize].ply));
                view.target = Some(target);
            }
        }
        self.move_view(ui, &response, view, field, extent);
        let length = seconds(self.settings, RISE);
        let calm = self.settings.reduced_motion || length <= 0.0;
        let fast = self.lab.is_playing() && self.lab.speed() > 12.0;
        let part = if calm || fast { 1.0 } else { (((now - view.step.1) as f32) / length).clamp(0.0, 1.0) };
        if part < 1.0 {
            frames.keep();
        }
        let mut camera = view.camera.unwrap_or_else(|| Camera::whole(field, extent));
        if let Some(target) = view.target {
            let step = if calm { 0.0 } else { ui.input(|input| input.stable_dt).min(0.05) };
            if camera.approach(target, step) {
                frames.keep();
            } else {
                view.target = None;
            }
        }
        camera.hold(field, extent);
        view.camera = Some(camera);
        let sheet = Sheet { page: self, playback, layout, camera, rect: field, extent, part };
        sheet.bands(&ui.painter_at(rect), rect);
        let painter = ui.painter_at(field);
        sheet.draw(&painter, view);
        self.edge(ui, rect, view.focused);
        if let Some(at) = response.hover_pos().or(response.interact_pointer_pos()) {
            let node = sheet.node_at(at);
            if response.clicked() {
                requests.write(LabWish::Choose(node));
            }
            if let Some(node) = node.filter(|_| !response.dragged()) {
                response.on_hover_text_at_pointer(self.told_of_node(playback, node));
            }
        }
    }

    /// True if a small board is drawn in the nodes, where there is room.
    fn has_boards(&self) -> bool {
        self.lab.table().is_some_and(|table| table.size().0 <= SMALL_BOARD && table.size().1 <= SMALL_BOARD)
    }

    fn edge(&self, ui: &Ui, rect: Rect, focused: bool) {
        let stroke = if focused { Stroke::new(2.0, self.palette.accent()) } else { Stroke::new(1.0, self.hairline()) };
        ui.painter().rect_stroke(rect, 8.0, stroke, StrokeKind::Inside);
    }

    fn no_tree(&self, ui: &mut Ui, rect: Rect) {
        let text = match self.lab.no_tree() {
            NoTree::Searching => self.words.say("lab.searching").to_owned(),
            NoTree::Stopped => self.words.say("lab.stopped").to_owned(),
            NoTree::Over => self.words.say("lab.no-moves").to_owned(),
            NoTree::TooLarge => self.words.with("lab.too-large", grouped(MOST_DRAWN as u64)),
        };
        let space = Rect::from_center_size(rect.center(), vec2((rect.width() - 32.0).min(420.0), 80.0));
        ui.scope_builder(UiBuilder::new().max_rect(space).layout(egui::Layout::top_down(egui::Align::Center)), |ui| {
            small(ui, text)
        });
    }

    /// What a screen reader is told of the tree: the chosen node, or the last step.
    fn told_of_tree(&self, playback: &Playback) -> String {
        let about = self.lab.chosen().or(playback.current());
        let told = about.map(|node| self.told_of_node(playback, node)).unwrap_or_default();
        format!("{}. {told}", self.words.say("lab.tree"))
    }

    /// A node in one line: its move and its value.
    pub(super) fn told_of_node(&self, playback: &Playback, node: u32) -> String {
        let here = &playback.tree().nodes[node as usize];
        let name = here.mv.as_ref().map_or_else(|| self.words.say("lab.root"), |(_, text)| text.as_str());
        match playback.seen(node).best {
            Some(score) => format!("{name}: {}", self.value(score)),
            None => format!("{name}: {}", self.words.say("lab.node.open")),
        }
    }

    /// What the pointer, the wheel and the keys do to the view.
    fn move_view(&self, ui: &Ui, response: &egui::Response, view: &mut TreeView, rect: Rect, extent: Extent) {
        let Some(camera) = &mut view.camera else { return };
        if response.dragged() {
            camera.pan(rect, extent, response.drag_delta());
            view.target = None;
        }
        if response.contains_pointer() {
            let (scroll, pinch, at) =
                ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta(), input.pointer.latest_pos()));
            let factor = pinch * (scroll.y / 240.0).exp();
            if let Some(at) = at.filter(|_| (factor - 1.0).abs() > 1e-4) {
                camera.zoom(rect, extent, factor, at);
                view.target = None;
            }
            if scroll.x != 0.0 {
                camera.pan(rect, extent, vec2(scroll.x, 0.0));
                view.target = None;
            }
        }
        match view.wish.take() {
            Some(ViewWish::Zoom(factor)) => {
                let mut target = view.target.unwrap_or(*camera);
                let about = self.lab.chosen().or_else(|| self.lab.playback()?.current());
                let place = about.zip(self.lab.layout()).zip(self.lab.playback()).map(|((node, layout), playback)| {
                    camera.at(rect, extent, layout.x[node as usize], f32::from(playback.tree().nodes[node as usize].ply))
                });
                target.zoom(rect, extent, factor, place.filter(|at| rect.contains(*at)).unwrap_or(rect.center()));
                view.target = Some(target);
            }
            Some(ViewWish::Whole) => view.target = Some(Camera::whole(rect, extent)),
            None => {}
        }
    }

    /// The buttons of the view: smaller, larger, all of it, and whether it follows the search.
    pub(super) fn view_buttons(&self, ui: &mut Ui, view: &mut TreeView, requests: &mut Requests) {
        ui.spacing_mut().item_spacing.x = 4.0;
        let on = self.lab.follows();
        let response = icon_button(ui, Icon::Target, self.words.say("lab.follow"), 32.0, true);
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, on, self.words.say("lab.follow")));
        if on {
            ui.painter().rect_stroke(response.rect, 8.0, Stroke::new(2.0, self.palette.accent()), StrokeKind::Inside);
        }
        if response.clicked() {
            requests.write(LabWish::Follow(!on));
            // It comes back to the node that is searched.
            view.step.0 = usize::MAX;
        }
        for (icon, key, wish) in [
            (Icon::Whole, "lab.whole", ViewWish::Whole),
            (Icon::New, "lab.zoom-in", ViewWish::Zoom(1.5)),
            (Icon::Less, "lab.zoom-out", ViewWish::Zoom(1.0 / 1.5)),
        ] {
            let asked = ask_icon(ui, self.words, (icon, key), wish, 32.0, self.lab.playback().is_some(), requests).clicked();
            if asked && wish == ViewWish::Whole && on {
                requests.write(LabWish::Follow(false));
            }
        }
    }
}

impl Sheet<'_> {
    /// Where a node is drawn. A node with children above whom the view is stays in view, as long as it is above one of them.
    fn place(&self, node: u32) -> Pos2 {
        let ply = self.playback.tree().nodes[node as usize].ply;
        let row = f32::from(ply);
        let at = |column: f32| self.camera.at(self.rect, self.extent, column, row);
        let mut place = at(self.layout.x[node as usize]);
        let pad = (self.rect.width() * 0.22).min(180.0);
        let (left, right) = (self.rect.left() + pad, self.rect.right() - pad);
        if (left..=right).contains(&place.x) {
            return place;
        }
        let children = self.layout.children(node, ply);
        if let (Some(first), Some(last)) = (children.first(), children.last()) {
            let (from, to) = (at(self.layout.x[*first as usize]).x, at(self.layout.x[*last as usize]).x);
            place.x = place.x.clamp(left, right).clamp(from.min(place.x), to.max(place.x));
        }
        place
    }

    /// How far below and above the middle of a node its drawing reaches.
    fn reach(&self, node: u32) -> (f32, f32) {
        if self.camera.column < VALUES {
            return (0.0, 0.0);
        }
        let named = self.playback.tree().nodes[node as usize].mv.is_some();
        let board = self.board_side().map_or(0.0, |side| side + 4.0);
        (11.0 + board, if named { 29.0 } else { 11.0 })
    }

    /// The side of the boards in the nodes, where there is room for them.
    fn board_side(&self) -> Option<f32> {
        if self.camera.column < BOARDS || !self.page.has_boards() {
            return None;
        }
        let side = (self.camera.column * 0.62).min(64.0).min(self.camera.row(self.rect, self.extent) - 66.0);
        (side >= 26.0).then_some(side)
    }

    /// The curve of an edge, from below a node to above its child.
    fn curve(&self, from: u32, to: u32) -> [Pos2; 4] {
        let a = self.place(from) + vec2(0.0, self.reach(from).0);
        let b = self.place(to) - vec2(0.0, self.reach(to).1);
        let bend = (b.y - a.y) * 0.5;
        [a, pos2(a.x, a.y + bend), pos2(b.x, b.y - bend), b]
    }

    /// Whose turn it is in a row.
    fn mover(&self, row: usize) -> Side {
        let root = self.playback.tree().nodes[0].mover;
        let known = self.layout.rows[row].first().map(|node| self.playback.tree().nodes[*node as usize].mover);
        known.unwrap_or(root)
    }

    /// A band for each ply in the tint of the side to move, with its name at the left.
    fn bands(&self, painter: &Painter, rect: Rect) {
        let height = self.camera.row(self.rect, self.extent);
        let view = self.playback.tree().view;
        for row in 0..self.extent.rows {
            let y = self.camera.at(self.rect, self.extent, 0.0, row as f32).y;
            let top = if row == 0 { rect.top() } else { y - HEAD };
            let bottom = if row + 1 == self.extent.rows { rect.bottom() } else { y - HEAD + height };
            let band = Rect::from_min_max(pos2(rect.left(), top), pos2(rect.right(), bottom)).intersect(rect);
            if !band.is_positive() {
                continue;
            }
            let side = self.mover(row);
            let tone = self.page.tone(side);
            painter.rect_filled(band, 0.0, tone.gamma_multiply(0.10));
            if row + 1 < self.extent.rows {
                painter.hline(band.x_range(), band.bottom().round(), Stroke::new(1.0, self.page.hairline().gamma_multiply(0.7)));
            }
            let disc = pos2(rect.left() + 13.0, y);
            if !rect.contains(disc) {
                continue;
            }
            painter.circle(disc, 5.5, tone, Stroke::new(1.0, self.page.palette.dim()));
            if self.rect.left() - rect.left() < STRIP.1 {
                continue;
            }
            let font = FontId::proportional(SMALL);
            let name = painter.layout_no_wrap(self.page.side(side).to_owned(), font.clone(), self.page.palette.dim());
            if name.size().x < STRIP.1 - 30.0 {
                painter.galley(pos2(rect.left() + 24.0, y - name.size().y / 2.0), name, self.page.palette.dim());
            }
            // Minimax: one side takes the largest value, the other the smallest. Negamax: each takes its own largest.
            let root = self.mover(0);
            let key = if view == View::Mover || side == root { "lab.max" } else { "lab.min" };
            let word = painter.layout_no_wrap(self.page.words.say(key).to_owned(), font, self.page.palette.dim());
            let last = row + 1 == self.extent.rows;
            if !last && y + 24.0 < band.bottom() && word.size().x < STRIP.1 - 28.0 {
                painter.galley(pos2(rect.left() + 24.0, y + 9.0), word, self.page.palette.dim().gamma_multiply(0.8));
            }
        }
    }

    /// The visible nodes of a row that are open, at most one for each pixel.
    fn visible(&self, row: usize, margin: f32) -> Vec<u32> {
        let from = self.camera.column_at(self.rect, self.rect.left() - margin);
        let to = self.camera.column_at(self.rect, self.rect.right() + margin);
        // One more on each side: it may stand in the view above its children.
        let nodes = &self.layout.rows[row];
        let first = nodes.partition_point(|node| self.layout.x[*node as usize] < from).saturating_sub(1);
        let last = nodes.partition_point(|node| self.layout.x[*node as usize] <= to) + 1;
        let nodes = &nodes[first..last.min(nodes.len())];
        let opened = nodes.partition_point(|node| (*node as usize) < self.playback.opened());
        let nodes = &nodes[..opened];
        if self.camera.column >= 1.0 {
            return nodes.to_vec();
        }
        let (step, mut shown, mut rest) = (1.0 / self.camera.column, Vec::new(), nodes);
        while let Some(&first) = rest.first() {
            shown.push(first);
            let next = self.layout.x[first as usize] + step;
            rest = &rest[rest.partition_point(|node| self.layout.x[*node as usize] < next).max(1)..];
        }
        shown
    }

    fn draw(&self, painter: &Painter, view: &mut TreeView) {
        let margin = self.camera.column + 40.0;
        let rows: Vec<Vec<u32>> = (0..self.extent.rows).map(|row| self.visible(row, margin)).collect();
        let best = self.best_line();
        for (row, nodes) in rows.iter().enumerate() {
            self.edges(painter, row, nodes, &best);
        }
        for row in 0..self.extent.rows {
            self.cuts(painter, row);
        }
        for pair in best.windows(2) {
            self.edge(painter, pair[0], pair[1], Stroke::new(3.0, self.page.palette.accent()));
        }
        self.rising(painter);
        for nodes in &rows {
            if self.camera.column < DOTS {
                self.slivers(painter, nodes);
            } else {
                for &node in nodes {
                    self.node(painter, node, view);
                }
            }
        }
        self.frames(painter);
    }

    /// The best line of a search that is over, or of the last depth that is.
    fn best_line(&self) -> Vec<u32> {
        let tree = self.playback.tree();
        if !self.playback.is_over() {
            return Vec::new();
        }
        let mut line: Vec<u32> =
            tree.best_line.first().and_then(|first| tree.nodes[*first as usize].parent).into_iter().collect();
        line.extend(&tree.best_line);
        line
    }

    fn edge(&self, painter: &Painter, from: u32, to: u32, stroke: Stroke) {
        painter.add(CubicBezierShape::from_points_stroke(self.curve(from, to), false, Color32::TRANSPARENT, stroke));
    }

    /// The edges that lead down to a row's nodes, and to the ones that are seen from the row above.
    fn edges(&self, painter: &Painter, row: usize, nodes: &[u32], best: &[u32]) {
        let tree = self.playback.tree();
        let ink = self.page.palette.dim();
        if self.camera.column < DOTS {
            // Many edges are a fan.
            let fan = ink.gamma_multiply(0.10);
            let mut mesh = Mesh::default();
            for &node in nodes {
                let children = self.layout.children(node, tree.nodes[node as usize].ply);
                let open = children.partition_point(|child| (*child as usize) < self.playback.opened());
                let (Some(first), Some(last)) = (children[..open].first(), children[..open].last()) else { continue };
                let (top, mut left, mut right) = (self.place(node), self.place(*first), self.place(*last));
                if right.x - left.x < 1.0 {
                    (left.x, right.x) = (left.x - 0.5, right.x + 0.5);
                }
                let from = mesh.vertices.len() as u32;
                for corner in [top, left, right] {
                    mesh.colored_vertex(corner, fan);
                }
                mesh.add_triangle(from, from + 1, from + 2);
            }
            painter.add(Shape::mesh(mesh));
            return;
        }
        if row == 0 {
            return;
        }
        let path = self.playback.current().map(|node| tree.path(node)).unwrap_or_default();
        for &node in nodes {
            let Some(parent) = tree.nodes[node as usize].parent else { continue };
            if best.contains(&node) && best.contains(&parent) {
                continue;
            }
            let on_path = path.contains(&node) && !self.playback.is_over();
            let stroke = match self.playback.seen(node).stage {
                _ if on_path => Stroke::new(2.0, self.page.palette.accent().gamma_multiply(0.8)),
                _ if self.is_best_so_far(parent, node) => Stroke::new(1.8, ink),
                _ => Stroke::new(1.0, ink.gamma_multiply(0.45)),
            };
            self.edge(painter, parent, node, stroke);
        }
    }

    /// The value of a child as its parent sees it.
    fn seen_from_above(&self, child: u32) -> Option<Score> {
        let tree = self.playback.tree();
        let seen = self.playback.seen(child);
        (seen.stage == Stage::Closed).then_some(())?;
        seen.best.map(|score| if tree.view == View::Mover { -score } else { score })
    }

    /// True if a child gave its parent the best value it has now.
    fn is_best_so_far(&self, parent: u32, child: u32) -> bool {
        let Some(best) = self.playback.seen(parent).best else { return false };
        if self.seen_from_above(child) != Some(best) {
            return false;
        }
        let ply = self.playback.tree().nodes[parent as usize].ply;
        self.layout
            .children(parent, ply)
            .iter()
            .take_while(|other| **other < child)
            .all(|other| self.seen_from_above(*other) != Some(best))
    }

    /// The branches that were not searched, struck through.
    fn cuts(&self, painter: &Painter, row: usize) {
        let height = self.camera.row(self.rect, self.extent);
        let cuts = &self.layout.cuts[row];
        let from = self.camera.column_at(self.rect, self.rect.left() - 60.0);
        let to = self.camera.column_at(self.rect, self.rect.right() + 60.0);
        let first = cuts.partition_point(|(_, x)| *x < from);
        let accent = self.page.palette.accent();
        let mut last = f32::NEG_INFINITY;
        for &(node, x) in cuts[first..].iter().take_while(|(_, x)| *x <= to) {
            if self.playback.seen(node).stage != Stage::Closed {
                continue;
            }
            let top = self.place(node) + vec2(0.0, self.reach(node).0);
            // The space down to the next row, and how far the line goes.
            let space = height - self.reach(node).0;
            let length = (space * 0.45).min((space - HEAD - 5.0).max(9.0));
            let end = pos2(self.camera.at(self.rect, self.extent, x, 0.0).x, top.y + length);
            if self.camera.column < DOTS {
                // A tick below the node, at most one for each two pixels.
                if end.x - last >= 2.0 {
                    let stroke = Stroke::new(1.0, accent.gamma_multiply(0.7));
                    painter.line_segment([pos2(end.x, top.y + height * 0.30), pos2(end.x, top.y + height * 0.42)], stroke);
                    last = end.x;
                }
                continue;
            }
            painter.extend(Shape::dashed_line(
                &[top, end],
                Stroke::new(1.0, self.page.palette.dim().gamma_multiply(0.6)),
                3.0,
                3.0,
            ));
            let middle = top + (end - top) * 0.72;
            let arm = (self.camera.column * 0.14).clamp(2.5, 6.0);
            let stroke = Stroke::new(2.0, accent);
            painter.line_segment([middle + vec2(-arm, -arm), middle + vec2(arm, arm)], stroke);
            painter.line_segment([middle + vec2(arm, -arm), middle + vec2(-arm, arm)], stroke);
            if self.camera.column >= VALUES {
                let moves = self.playback.tree().nodes[node as usize].left_out().unwrap_or(0);
                let text = self.page.words.with("lab.left-out", moves);
                // Within the row of the node: below the cross if there is room, otherwise beside it.
                let (at, align) = match length + 18.0 <= space - HEAD {
                    true => (end + vec2(0.0, 10.0), Align2::CENTER_CENTER),
                    false => (middle + vec2(arm + 5.0, 0.0), Align2::LEFT_CENTER),
                };
                self.text(painter, at, align, &text, self.page.palette.accent(), self.camera.column + 8.0);
            }
        }
    }

    /// A text at a place, if it is no wider than this and wholly in the view.
    fn text(&self, painter: &Painter, at: Pos2, align: Align2, text: &str, ink: Color32, most: f32) {
        let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(SMALL), ink);
        let rect = align.anchor_size(at, galley.size());
        let inside = rect.left() >= self.rect.left() && rect.right() <= self.rect.right();
        if inside && galley.size().x <= most && rect.top() >= self.rect.top() && rect.bottom() <= self.rect.bottom() {
            painter.galley(rect.min, galley, ink);
        }
    }

    /// The value that the last step carried from a node to its parent.
    fn rising(&self, painter: &Painter) {
        let Some(SearchEvent::Improve(node, score)) = self.playback.last() else { return };
        if self.part >= 1.0 || self.camera.column < DOTS {
            return;
        }
        let ply = self.playback.tree().nodes[node as usize].ply;
        let children = self.layout.children(node, ply);
        let Some(child) = children.iter().rev().find(|child| self.seen_from_above(**child) == Some(score)) else { return };
        let t = self.part * self.part * (3.0 - 2.0 * self.part);
        let curve = CubicBezierShape::from_points_stroke(self.curve(node, *child), false, Color32::TRANSPARENT, Stroke::NONE);
        painter.circle_filled(curve.sample(1.0 - t), 6.0, self.page.palette.accent());
    }

    /// Very many nodes: a line for each pixel.
    fn slivers(&self, painter: &Painter, nodes: &[u32]) {
        let mut mesh = Mesh::default();
        let width = self.camera.column.clamp(1.0, DOTS) * 0.7;
        for &node in nodes {
            let here = &self.playback.tree().nodes[node as usize];
            let at = self.place(node);
            let fill = self.page.palette.dim().lerp_to_gamma(self.page.tone(here.mover), 0.7);
            mesh.add_colored_rect(Rect::from_center_size(at, vec2(width.max(1.0), 12.0)), fill);
        }
        painter.add(Shape::mesh(mesh));
    }

    fn node(&self, painter: &Painter, node: u32, view: &mut TreeView) {
        let here = &self.playback.tree().nodes[node as usize];
        let seen = self.playback.seen(node);
        let at = self.place(node);
        let tone = self.page.tone(here.mover);
        let ground = colour(self.page.palette.panel().raised);
        let cut = matches!(here.end, NodeEnd::CutOff(_)) && seen.stage == Stage::Closed;
        let fill = ground.lerp_to_gamma(tone, 0.20);
        let line = ground.lerp_to_gamma(tone, 0.8).lerp_to_gamma(self.page.palette.text(), 0.22);
        let edge = Stroke::new(1.4, if cut { self.page.palette.accent() } else { line });
        let new = self.playback.current() == Some(node) && matches!(self.playback.last(), Some(SearchEvent::Open(_)));
        let strength = if new { 0.3 + 0.7 * self.part } else { 1.0 };
        // One side's nodes are round, the other's are square.
        let round = if here.mover == Side::First { 11.0 } else { 3.0 };
        if self.camera.column < VALUES {
            let radius = (self.camera.column * 0.36).clamp(2.5, 7.0);
            let square = Rect::from_center_size(at, vec2(2.0 * radius, 2.0 * radius));
            let corner = if here.mover == Side::First { radius } else { 1.5 };
            let solid = ground.lerp_to_gamma(tone, if seen.stage == Stage::Closed { 0.75 } else { 0.25 });
            painter.rect(square, corner, solid.gamma_multiply(strength), edge, StrokeKind::Middle);
            return;
        }
        let value = match seen.best {
            Some(score) => short(score),
            None => "…".to_owned(),
        };
        let move_text = here.mv.as_ref().map_or("", |(_, text)| text.as_str());
        let pill = Rect::from_center_size(at, vec2((self.camera.column - 6.0).clamp(40.0, 66.0), 22.0));
        painter.rect(pill, round, fill.gamma_multiply(strength), edge, StrokeKind::Middle);
        let ink = if seen.stage == Stage::Closed { self.page.palette.text() } else { self.page.palette.dim() };
        self.text(painter, at, Align2::CENTER_CENTER, &value, ink, pill.width() - 2.0);
        self.text(
            painter,
            at - vec2(0.0, 23.0),
            Align2::CENTER_CENTER,
            move_text,
            self.page.palette.dim(),
            self.camera.column - 4.0,
        );
        if let Some(side) = self.board_side() {
            let place = Rect::from_center_size(pos2(at.x, pill.bottom() + 4.0 + side / 2.0), vec2(side, side));
            self.board(painter, node, place, strength, view);
        }
    }

    /// The node that is searched, and the one that is chosen.
    fn frames(&self, painter: &Painter) {
        let size = match self.camera.column {
            column if column >= VALUES => vec2((column - 6.0).clamp(40.0, 66.0) + 7.0, 29.0),
            column if column >= DOTS => vec2(18.0, 18.0),
            _ => vec2(8.0, 20.0),
        };
        let frame = |node: u32, stroke: Stroke, grow: f32| {
            painter.rect_stroke(Rect::from_center_size(self.place(node), size).expand(grow), 9.0, stroke, StrokeKind::Middle);
        };
        if let Some(node) = self.playback.current().filter(|_| !self.playback.is_over()) {
            frame(node, Stroke::new(2.0, self.page.palette.accent()), 0.0);
        }
        if let Some(node) = self.page.lab.chosen() {
            frame(node, Stroke::new(2.5, self.page.palette.text()), 2.0);
        }
    }

    /// The position of a node, small.
    fn board(&self, painter: &Painter, node: u32, rect: Rect, strength: f32, view: &mut TreeView) {
        let pieces = view.boards.entry(node).or_insert_with(|| {
            let table = self.page.lab.position_of(node);
            table.map(|table| table.pieces()).unwrap_or_default()
        });
        let size = self.page.lab.table().map_or((3, 3), |table| table.size());
        let Some(board) = self.page.game.sheet.board(size) else { return };
        let last = self.playback.tree().nodes[node as usize].mv.as_ref().and_then(|(action, _)| action.target());
        tiny_board(painter, rect, self.page, board, pieces, last, strength);
    }

    /// The node at a place on the screen.
    fn node_at(&self, at: Pos2) -> Option<u32> {
        if !self.rect.contains(at) {
            return None;
        }
        let height = self.camera.row(self.rect, self.extent);
        // A node's board belongs to it.
        let row = (self.camera.row_at(self.rect, self.extent, at.y) + 26.0 / height).floor();
        if row < 0.0 || row >= self.extent.rows as f32 {
            return None;
        }
        let node = if self.camera.column < 1.0 {
            self.layout.nearest(row as usize, self.camera.column_at(self.rect, at.x))?
        } else {
            let away = |node: &u32| (self.place(*node).x - at.x).abs();
            self.visible(row as usize, self.camera.column).into_iter().min_by(|a, b| away(a).total_cmp(&away(b)))?
        };
        let near = (self.place(node).x - at.x).abs() <= (self.camera.column * 0.5).max(6.0);
        (near && (node as usize) < self.playback.opened()).then_some(node)
    }
}
