//! The page on which files are chosen where the system has no dialog for it: a folder's contents, a line to type a path, the keyboard alone.

use super::draw::Draw;
use super::style::{BODY, Palette, SMALL, colour};
use super::widgets::{
    Icon, dim, drawn_button, filled_button, heading, in_a_row, is_narrow, page_frame, page_less, page_of, page_width, row_height,
    segmented, stacked, text_field, wide_button,
};
use crate::app::play::{FileDialog, FolderEntry, FolderPage};
use crate::app::requests::{DialogRequest, FileAim, FileChosen, PageRequest, Requests};
use crate::app::state::Menu;
use crate::app::words::Words;
use crate::ui::typesetting::Prose;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Sense, Stroke, StrokeKind, Ui, vec2};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Height of a row, in logical pixels.
const ROW: f32 = 30.0;

/// What the player has typed and chosen.
#[derive(Resource, Default)]
struct Page {
    /// The folder it was typed and chosen in.
    folder: PathBuf,
    path: String,
    filter: String,
    all_files: bool,
    chosen: BTreeSet<String>,
    /// The file that is there already and would be replaced.
    replaces: Option<PathBuf>,
}

impl Page {
    /// Begins anew in another folder; the name of the file to be saved stays.
    fn follow(&mut self, page: &FolderPage) {
        if self.folder == page.folder {
            return;
        }
        let name = Path::new(&self.path).file_name().map(|name| name.to_string_lossy().into_owned());
        let fresh = self.folder.as_os_str().is_empty();
        let name = match &page.aim {
            FileAim::Save { name, ending, .. } if fresh => Some(format!("{name}.{ending}")),
            FileAim::Save { .. } => name,
            FileAim::Open | FileAim::Add | FileAim::AddFolder | FileAim::Book { .. } => None,
        };
        let path = match name {
            Some(name) => page.folder.join(name).display().to_string(),
            // With a separator at its end.
            None => page.folder.join("").display().to_string(),
        };
        *self = Page { folder: page.folder.clone(), path, all_files: self.all_files, ..Page::default() };
    }

    /// True if an entry is shown; where records are read, by itself only what may be one.
    fn shows(&self, entry: &FolderEntry, opens: bool) -> bool {
        let wanted = self.filter.trim().to_lowercase();
        let fits = wanted.is_empty() || entry.name.to_lowercase().contains(&wanted);
        fits && (entry.is_folder || entry.is_record || self.all_files || !opens)
    }
}

fn draw(
    mut contexts: EguiContexts,
    (dialog, mut state): (Res<FileDialog>, ResMut<Page>),
    (words, palette): (Res<Words>, Res<Palette>),
    mut requests: Requests,
) -> Result {
    let Some(page) = dialog.page() else { return Ok(()) };
    let ctx = contexts.ctx_mut()?;
    let state = state.bypass_change_detection();
    state.follow(page);
    let screen = ctx.content_rect();
    let frame = page_frame(ctx, &palette);
    let modal = egui::Modal::new(egui::Id::new("files")).frame(frame).show(ctx, |ui| {
        page_of(ui, page_width(ctx, 640.0), |ui| {
            let opens = page.aim.reads();
            heading(ui, words.say(page.aim.title()));
            path_line(ui, page, state, (&words, &palette), &mut requests);
            let height = (screen.height() - page_less(ui, 330.0) - if is_narrow(ctx) { 52.0 } else { 0.0 }).clamp(96.0, 480.0);
            entries(ui, page, state, (&words, &palette), height, &mut requests);
            ui.add_space(4.0);
            if let Some(path) = &state.replaces {
                ui.prose(words.with("files.replaces", path.file_name().unwrap_or_default().to_string_lossy()));
            }
            let width = ui.available_width();
            ui.horizontal(|ui| {
                let half = (width - 8.0) / 2.0;
                let said = match (opens, state.replaces.is_some()) {
                    (true, _) => words.say("records.open"),
                    (false, true) => words.say("files.replace"),
                    (false, false) => words.say("files.accept-save"),
                };
                if filled_button(ui, &palette, said, half, true).clicked() {
                    choose(page, state, &mut requests);
                }
                if wide_button(ui, words.say("comment.drop"), half, true).clicked() {
                    requests.write(PageRequest::Menu(Menu::None));
                }
            });
        });
    });
    if modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

/// Goes to the folder that was typed, or takes the file or files.
fn choose(page: &FolderPage, state: &mut Page, requests: &mut Requests) {
    // Without separators that say nothing.
    let typed = page.folder.join(state.path.trim()).components().collect();
    let paths = match state.chosen.is_empty() {
        true => vec![typed],
        false => state.chosen.iter().map(|name| page.folder.join(name)).collect(),
    };
    // The folder that is shown is chosen where one is asked for.
    let is_wanted = |path: &Path| page.aim == FileAim::AddFolder && path == page.folder;
    if let [path] = &paths[..]
        && path.is_dir()
        && !is_wanted(path)
    {
        requests.write(DialogRequest::Enter(path.clone()));
        return;
    }
    if !page.aim.reads()
        && let [path] = &paths[..]
        && path.exists()
        && state.replaces.as_ref() != Some(path)
    {
        state.replaces = Some(path.clone());
        return;
    }
    requests.write(PageRequest::Menu(Menu::None));
    requests.write(FileChosen(page.aim.clone(), paths));
}

/// True if records of games are read.
fn reads_records(aim: &FileAim) -> bool {
    aim.reads() && !matches!(aim, FileAim::Book { .. })
}

fn path_line(ui: &mut Ui, page: &FolderPage, state: &mut Page, (words, palette): (&Words, &Palette), requests: &mut Requests) {
    ui.horizontal(|ui| {
        if drawn_button(ui, Icon::Leave, words.say("files.up"), page.folder.parent().is_some()).clicked()
            && let Some(parent) = page.folder.parent()
        {
            requests.write(DialogRequest::Enter(parent.to_owned()));
        }
        let width = ui.available_width();
        let edit = text_field(ui, &mut state.path, words.say("records.path-hint"), width);
        let response = ui.add(edit);
        if response.changed() {
            state.chosen.clear();
            state.replaces = None;
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
            choose(page, state, requests);
        }
    });
    stacked(ui, |ui| {
        let filter = text_field(ui, &mut state.filter, words.say("games.search"), 200.0);
        ui.add(filter);
        if reads_records(&page.aim) {
            segmented(ui, &mut state.all_files, &[(false, words.say("files.games")), (true, words.say("files.all"))]);
        }
    });
    if let Some(why) = &page.fault {
        dim(ui, palette, words.sentence(why));
    }
}

fn entries(
    ui: &mut Ui,
    page: &FolderPage,
    state: &mut Page,
    (words, palette): (&Words, &Palette),
    height: f32,
    requests: &mut Requests,
) {
    let opens = page.aim.reads();
    let records = reads_records(&page.aim);
    let shown: Vec<&FolderEntry> = page.entries.iter().filter(|entry| state.shows(entry, records)).collect();
    let area = egui::ScrollArea::vertical()
        .id_salt(&state.folder)
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, false]);
    ui.spacing_mut().item_spacing.y = 0.0;
    if shown.is_empty() {
        ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
            ui.set_min_height(height);
            dim(ui, palette, words.say("files.nothing"));
        });
        return;
    }
    let high = row_height(ui, ROW);
    area.show_rows(ui, high, shown.len(), |ui, range| {
        for entry in &shown[range] {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), high), Sense::click());
            let chosen = state.chosen.contains(&entry.name);
            response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Button, true, chosen, &entry.name));
            if chosen || response.hovered() {
                ui.painter().rect_filled(rect, 4.0, colour(palette.panel().raised));
            }
            if response.has_focus() {
                ui.painter().rect_stroke(rect, 4.0, Stroke::new(2.0, palette.accent()), StrokeKind::Inside);
            }
            if response.gained_focus() {
                response.scroll_to_me(None);
            }
            let ink = if chosen { palette.accent() } else { palette.text() };
            sign(ui, rect, entry.is_folder, if chosen { ink } else { palette.dim() });
            let size = if is_narrow(ui.ctx()) { SMALL } else { BODY };
            let galley = in_a_row(ui, entry.name.clone(), size, rect.width() - 44.0, ink);
            ui.painter().galley(rect.left_center() + vec2(36.0, -galley.size().y / 2.0), galley, ink);
            if !response.clicked() && !response.double_clicked() {
                continue;
            }
            if entry.is_folder {
                requests.write(DialogRequest::Enter(page.folder.join(&entry.name)));
            } else if opens {
                if !state.chosen.remove(&entry.name) {
                    state.chosen.insert(entry.name.clone());
                }
                if response.double_clicked() {
                    state.chosen = BTreeSet::from([entry.name.clone()]);
                    choose(page, state, requests);
                }
            } else {
                state.path = page.folder.join(&entry.name).display().to_string();
                state.replaces = None;
            }
        }
    });
}

/// A folder or a sheet of paper, drawn before a name.
fn sign(ui: &Ui, row: egui::Rect, is_folder: bool, ink: egui::Color32) {
    let middle = row.left_center() + vec2(18.0, 0.0);
    let stroke = Stroke::new(1.5, ink);
    let at = |x: f32, y: f32| middle + vec2(x, y);
    let points = match is_folder {
        true => vec![at(-8.0, -5.5), at(-2.0, -5.5), at(0.0, -3.0), at(8.0, -3.0), at(8.0, 6.0), at(-8.0, 6.0)],
        false => vec![at(-5.5, -7.5), at(2.0, -7.5), at(5.5, -4.0), at(5.5, 7.5), at(-5.5, 7.5)],
    };
    ui.painter().add(egui::Shape::closed_line(points, stroke));
}

/// A closed page forgets what was typed.
fn close(mut state: ResMut<Page>) {
    *state = Page::default();
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Page>()
        .add_systems(EguiPrimaryContextPass, draw.in_set(Draw::Menu).run_if(in_state(Menu::Files)))
        .add_systems(OnExit(Menu::Files), close);
}
