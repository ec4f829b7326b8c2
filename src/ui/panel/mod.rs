//! The panel beside the board: it lays out the sections of the activities around the seats, the moves and the buttons. What the activities
//! are, it does not know.

mod parts;
mod sections;
mod small;

use super::style::{Palette, colour};
use super::widgets::{Icon, drawn_button, fill, root, with_key};
use crate::app::activity::Activity;
use crate::app::layout::{BAR, Layout, Shape};
use crate::app::play::{CurrentMatch, Opened};
use crate::app::requests::{CursorRequest, LayoutRequest, Requests};
use crate::app::view::Trays;
use crate::app::words::Words;
use crate::ui::typesetting::Tip;
use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use egui::{Align, Ui};
pub use parts::{signed, status_of, value_text};
use qiju_core::rules::BySide;
use sections::Section;
pub use sections::{Place, Room, Sections};

/// Below what stands at the bottom of the panel.
const FOOT: f32 = 14.0;

pub fn draw(world: &mut World, contexts: &mut SystemState<EguiContexts>) -> Result {
    if !world.contains_resource::<CurrentMatch>() {
        return Ok(());
    }
    let ctx = &contexts.get_mut(world)?.ctx_mut()?.clone();
    // The captured pieces of the frame before; a page has no place for them.
    let trays = BySide::from_fn(|side| {
        let place: Option<egui::Pos2> = ctx.data_mut(|data| data.remove_temp(parts::tray(side)));
        place.map(|place| Vec2::new(place.x, place.y))
    });
    world.resource_mut::<Trays>().bypass_change_detection().0 = trays;
    let (layout, ground) = (world.resource::<Layout>(), colour(world.resource::<Palette>().panel().surface));
    let (shape, width, sheet) = (layout.shape, layout.panel, layout.sheet);
    let mut ui = root(ctx, "match");
    let (panel, size) = match shape {
        Shape::Upright => (egui::Panel::bottom("panel"), sheet),
        Shape::Beside | Shape::Lying => (egui::Panel::right("panel"), width),
        Shape::Folded => {
            folded(world, ctx, ui, ground);
            return Ok(());
        }
    };
    let frame = egui::Frame::new().fill(ground);
    let panel = panel.exact_size(size).resizable(false).show_separator_line(false);
    if shape == Shape::Beside {
        panel.frame(frame.inner_margin(16)).show(&mut ui, |ui| contents(world, ui));
    } else {
        panel.frame(frame.inner_margin(egui::Margin::symmetric(16, 8))).show(&mut ui, |ui| small::show(world, ui));
    }
    Ok(())
}

/// In a narrow window: the bar, and the panel below it while it is unfolded.
fn folded(world: &mut World, ctx: &egui::Context, mut ui: Ui, ground: egui::Color32) {
    let layout = world.resource::<Layout>();
    let (width, open, fingers) = (layout.panel, layout.panel_open, layout.fingers);
    let frame = egui::Frame::new().fill(ground);
    let bar = egui::Panel::top("bar").exact_size(BAR).resizable(false).show_separator_line(false);
    bar.frame(frame.inner_margin(egui::Margin::symmetric(16, if fingers { 2 } else { 8 }))).show(&mut ui, |ui| {
        ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
            run(world, bar_buttons, ui, ());
            run(world, parts::clocks, ui, ());
            ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| row(world, ui));
        });
    });
    if !open {
        return;
    }
    let area = ui.max_rect();
    let rect = egui::Rect::from_min_max(egui::pos2(area.right() - width, area.top() + BAR), area.max);
    // Not constrained to the window: that would move it by the size it had before the window changed its own.
    let area = egui::Area::new(egui::Id::new("drawer")).fixed_pos(rect.min).constrain(false);
    area.order(egui::Order::Middle).show(ctx, |ui| {
        frame.inner_margin(16).show(ui, |ui| {
            ui.set_width(width - 32.0);
            ui.set_height(rect.height() - 32.0);
            contents(world, ui);
        });
    });
}

/// In a narrow window: the button that unfolds the panel, or folds it; and the one that takes a move back, unless a sketch has its own.
fn bar_buttons(
    (InMut(ui), In(())): (InMut<Ui>, In<()>),
    (current, layout, words): (Res<CurrentMatch>, Res<Layout>, Res<Words>),
    mut requests: Requests,
) {
    let key = if layout.panel_open { "panel.fold" } else { "panel.unfold" };
    if drawn_button(ui, Icon::Menu, words.say(key), true).clicked() {
        requests.write(LayoutRequest::Panel);
    }
    if current.played().sketch().is_none() {
        let undo = drawn_button(ui, Icon::Undo, words.say("play.undo"), current.can_undo());
        if undo.tip(with_key(&words, words.say("play.undo"), CursorRequest::Undo, &requests)).clicked() {
            requests.write(CursorRequest::Undo);
        }
    }
}

/// Runs a part of the panel.
fn run<I: 'static, M>(
    world: &mut World,
    part: impl IntoSystem<(InMut<'static, Ui>, In<I>), (), M> + 'static,
    ui: &mut Ui,
    input: I,
) {
    if let Err(error) = world.run_system_cached_with(part, (ui, input)) {
        error_once!("a part of the panel: {error}");
    }
}

/// Shows a section that every match has.
fn own<M>(
    world: &mut World,
    section: impl IntoSystem<(InMut<'static, Ui>, In<Room>), bool, M> + 'static,
    ui: &mut Ui,
    room: Room,
) -> bool {
    let section = world.register_system_cached(section);
    show(world, section, ui, room)
}

/// Shows the first of these sections that has something to show; false if there is none.
fn first(world: &mut World, sections: Vec<Section>, ui: &mut Ui, room: Room) -> bool {
    sections.into_iter().any(|section| show(world, section, ui, room))
}

fn show(world: &mut World, section: Section, ui: &mut Ui, room: Room) -> bool {
    world.run_system_with(section, (ui, room)).unwrap_or_else(|error| {
        error_once!("a section of the panel: {error}");
        false
    })
}

/// The activities that are on, the one on top first.
fn on(world: &World) -> Vec<Activity> {
    world.resource::<CurrentMatch>().on(world.resource::<Opened>()).collect()
}

/// In one row: how it stands with the activity on top, or whose turn it is, or what is asked.
fn row(world: &mut World, ui: &mut Ui) {
    let on = on(world);
    let (current, sections) = (world.resource::<CurrentMatch>(), world.resource::<Sections>());
    let sketch = current.sketch_owner().map(|owner| sections.below(Some(owner)));
    let (above, status) = (sketch.into_iter().flatten().chain(sections.pages(&on)).collect(), sections.status(&on));
    if !first(world, above, ui, Room::Row) {
        state(world, status, ui, Room::Row);
    }
}

/// What waits for confirmation, what the other player asks, how it stands with the match's own activity, or else whose turn it is.
fn state(world: &mut World, status: Vec<Section>, ui: &mut Ui, room: Room) {
    let _ = own(world, parts::confirmation, ui, room)
        || own(world, parts::question, ui, room)
        || first(world, status, ui, room)
        || own(world, parts::status, ui, room);
}

/// The page of an activity, or else the match: the upper seat, the moves, what the activities say, the lower seat, the buttons.
fn contents(world: &mut World, ui: &mut Ui) {
    let on = on(world);
    let sections = world.resource::<Sections>();
    let (pages, below, status) = (sections.pages(&on), sections.below(None), sections.status(&on));
    if first(world, pages, ui, Room::Panel) {
        return;
    }
    let bottom = world.resource::<Layout>().below;
    run(world, parts::upper_seat, ui, !bottom);
    fill(
        ui,
        48.0,
        world,
        |ui, world, height| run(world, parts::list, ui, height),
        |ui, world| {
            run(world, parts::leaf, ui, ());
            run(world, parts::thoughts, ui, ());
            for section in below {
                show(world, section, ui, Room::Panel);
            }
            state(world, status, ui, Room::Panel);
            run(world, parts::lower_seat, ui, bottom);
            ui.add_space(FOOT);
        },
    );
}
