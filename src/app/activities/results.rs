//! The player's own results: the rating with its error and how it came about, a table by level, the latest matches, and the way to erase it all.

use crate::app::activity::Activity;
use crate::app::library::{Library, LibraryGame};
use crate::app::notices::Notices;
use crate::app::play::{Milestone, MyResults, Way, day_of};
use crate::app::requests::{PageRequest, Requests};
use crate::app::state::Menu;
use crate::app::step::Step;
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::draw::Draw;
use crate::ui::style::{BODY, Palette, SMALL, TITLE, colour};
use crate::ui::typesetting::{Prose, Tip};
use crate::ui::widgets::{
    Icon, button, dim, filled_button, heading, is_narrow, page_frame, page_less, page_of, page_width, segmented, stacked,
    wrapping,
};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align2, Color32, FontId, Mesh, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use qiju_core::rules::{BySide, Side};
use qiju_core::study::results::{Ending, MatchResult};

/// Height of the chart, of a row of the table and of a row of the list, in logical pixels.
const CHART: f32 = 132.0;
const ROW: f32 = 26.0;
/// The most matches in the list.
const LISTED: usize = 200;
/// The least range of ratings in the chart.
const LEAST_RANGE: f64 = 300.0;

/// The page of the player's own results.
pub const RESULTS: Activity = Activity("results");

/// To `activities::results`: the player's own results.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultsRequest {
    /// Show those in this game.
    Show(&'static str),
    /// Erase those of this game, or of all games.
    Erase(Option<&'static str>),
    /// Bring back those that were erased last.
    Restore,
}

/// Which matches are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    All,
    Rated,
    Casual,
}

/// What the player has chosen on the page.
#[derive(Resource, Default)]
struct Page {
    /// The game's key.
    game: &'static str,
    kind: Kind,
    /// The rule set; `None` is all.
    variant: Option<String>,
}

/// What the page is made of.
struct View<'a> {
    words: &'a Words,
    palette: &'a Palette,
    game: &'a LibraryGame,
    way: &'a Way,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Default)]
struct Tally([u32; 3]);

impl Tally {
    fn add(&mut self, ending: Ending) {
        self.0[match ending {
            Ending::Won => 0,
            Ending::Drawn => 1,
            Ending::Lost => 2,
        }] += 1;
    }

    fn count(self) -> u32 {
        self.0.iter().sum()
    }

    /// The score in percent.
    fn score(self) -> f64 {
        100.0 * (f64::from(self.0[0]) + f64::from(self.0[1]) / 2.0) / f64::from(self.count().max(1))
    }
}

fn draw(
    mut contexts: EguiContexts,
    mut page: ResMut<Page>,
    (words, palette, library, results): (Res<Words>, Res<Palette>, Res<Library>, Res<MyResults>),
    mut requests: Requests,
) -> Result {
    let page = page.bypass_change_detection();
    let ctx = contexts.ctx_mut()?;
    let (Some(game), Some(way)) = (library.game(page.game), results.way(page.game)) else { return Ok(()) };
    let view = View { words: &words, palette: &palette, game, way };
    let screen = ctx.content_rect();
    let modal = egui::Modal::new(egui::Id::new("results")).frame(page_frame(ctx, &palette)).show(ctx, |ui| {
        page_of(ui, page_width(ctx, 640.0), |ui| {
            heading(ui, words.say("results.title"));
            choose_game(ui, page.game, (&library, &results), &words, &mut requests);
            let height = (screen.height() - page_less(ui, 300.0)).clamp(120.0, 520.0);
            let area = egui::ScrollArea::vertical().id_salt(page.game).max_height(height).min_scrolled_height(height);
            let area = area.auto_shrink([false, false]);
            area.show(ui, |ui| {
                ui.set_width(ui.available_width() - 12.0);
                // A rating is an estimate from matches: without one there is nothing to show.
                if way.milestones.is_empty() {
                    ui.prose(RichText::new(words.say("results.none")).size(BODY));
                    return;
                }
                view.rating(ui);
                view.chart(ui);
                view.choices(ui, page);
                let shown: Vec<&Milestone> = way.milestones.iter().filter(|one| page.shows(&one.result)).collect();
                view.table(ui, &shown);
                view.latest(ui, &shown);
                ui.add_space(4.0);
                dim(ui, &palette, words.say("results.about"));
            });
            ui.add_space(8.0);
            erase(ui, (&library, &results), &view, &mut requests);
            let width = ui.available_width();
            filled_button(ui, &palette, words.say("menu.done"), width, true).clicked()
        })
    });
    if modal.inner || modal.should_close() {
        requests.write(PageRequest::Menu(Menu::None));
    }
    Ok(())
}

impl Page {
    fn shows(&self, result: &MatchResult) -> bool {
        let kind = match self.kind {
            Kind::All => true,
            Kind::Rated => result.rated,
            Kind::Casual => !result.rated,
        };
        kind && self.variant.as_ref().is_none_or(|variant| *variant == result.variant)
    }
}

/// The games that have results, and the one that is shown.
fn choose_game(ui: &mut Ui, shown: &str, (library, results): (&Library, &MyResults), words: &Words, requests: &mut Requests) {
    let has = |key: &str| results.way(key).is_some_and(|way| !way.milestones.is_empty());
    let games = library.games.iter().filter(|game| game.entry.key == shown || has(game.entry.key));
    let names: Vec<(&str, &str)> = games.map(|game| (game.entry.key, words.of(&game.sheet.name))).collect();
    let mut chosen = shown;
    if segmented(ui, &mut chosen, &names)
        && let Some(game) = library.game(chosen)
    {
        requests.write(ResultsRequest::Show(game.entry.key));
    }
}

/// Erases results, and brings them back.
fn erase(ui: &mut Ui, (library, results): (&Library, &MyResults), view: &View, requests: &mut Requests) {
    let words = view.words;
    let total: usize = library.games.iter().filter_map(|game| results.way(game.entry.key)).map(|way| way.milestones.len()).sum();
    let here = view.way.milestones.len();
    wrapping(ui, |ui| {
        ui.set_min_height(32.0);
        if results.erased() > 0 {
            dim(ui, view.palette, words.with("results.erased", results.erased()));
            if button(ui, words.say("results.undo"), true).clicked() {
                requests.write(ResultsRequest::Restore);
            }
            return;
        }
        let name = words.of(&view.game.sheet.name);
        if button(ui, &words.with("results.erase", name), here > 0).clicked() {
            requests.write(ResultsRequest::Erase(Some(view.game.entry.key)));
        }
        if total > here && button(ui, words.say("results.erase-all"), true).clicked() {
            requests.write(ResultsRequest::Erase(None));
        }
    });
}

impl View<'_> {
    /// The rating now, and the level that suits it.
    fn rating(&self, ui: &mut Ui) {
        let words = self.words;
        let (Some(rating), Some(next)) = (self.way.rating, self.way.next) else {
            dim(ui, self.palette, words.say("results.no-rating"));
            return;
        };
        stacked(ui, |ui| {
            dim(ui, self.palette, words.say("results.rating"));
            ui.prose(RichText::new(words.rating(rating)).size(TITLE));
            ui.add_space(if is_narrow(ui.ctx()) { 0.0 } else { 12.0 });
            let level = words.say(&format!("level.{next}")).to_owned();
            ui.prose(RichText::new(format!("{} · {level}", words.with("results.next", next))).size(BODY));
        });
    }

    /// Which matches are shown: rated or not, and by which rules, where there is a choice.
    fn choices(&self, ui: &mut Ui, page: &mut Page) {
        let words = self.words;
        let results = || self.way.milestones.iter().map(|one| &one.result);
        if results().any(|result| result.rated) && results().any(|result| !result.rated) {
            let kinds = [
                (Kind::All, words.say("results.all")),
                (Kind::Rated, words.say("results.rated")),
                (Kind::Casual, words.say("results.casual")),
            ];
            segmented(ui, &mut page.kind, &kinds);
        } else {
            page.kind = Kind::All;
        }
        let mut rules: Vec<&str> = Vec::new();
        for result in results() {
            if !rules.contains(&result.variant.as_str()) {
                rules.push(&result.variant);
            }
        }
        if rules.len() < 2 {
            page.variant = None;
            return;
        }
        let mut chosen = page.variant.as_ref().and_then(|variant| rules.iter().position(|rule| rule == variant)).map(|at| at + 1);
        let names = rules.iter().enumerate().map(|(at, rule)| (Some(at + 1), self.rule(rule)));
        let options: Vec<(Option<usize>, &str)> = std::iter::once((None, words.say("results.all-rules"))).chain(names).collect();
        segmented(ui, &mut chosen, &options);
        page.variant = chosen.and_then(|at| rules.get(at - 1)).map(|rule| (*rule).to_owned());
    }

    /// The name of a rule set.
    fn rule(&self, key: &str) -> &str {
        let sheet = &self.game.sheet;
        let found = sheet.variant(key).or(sheet.variants.first().filter(|_| key.is_empty()));
        found.map_or("", |variant| self.words.of(&variant.name))
    }

    fn side(&self, side: Side) -> &str {
        self.words.of(&self.game.sheet.sides[side])
    }

    /// A line for each level that was played: its rating, the results with each side, and the score.
    fn table(&self, ui: &mut Ui, shown: &[&Milestone]) {
        let words = self.words;
        let mut levels: Vec<BySide<Tally>> = vec![BySide::default(); 10];
        for Milestone { result, .. } in shown {
            levels[usize::from(result.level.clamp(1, 10)) - 1][result.side].add(result.ending);
        }
        ui.add_space(8.0);
        let width = ui.available_width();
        let parts = if is_narrow(ui.ctx()) { [0.0, 0.20, 0.37, 0.59, 0.81] } else { [0.0, 0.30, 0.44, 0.65, 0.87] };
        let places = parts.map(|part| part * width);
        let (first, second) = (self.side(Side::First), self.side(Side::Second));
        let heads = [
            words.say("results.level").to_owned(),
            words.say("results.level-rating").to_owned(),
            words.with("results.as", first),
            words.with("results.as", second),
            words.say("results.score").to_owned(),
        ];
        row(ui, &places, self.palette.dim(), "", || heads.clone());
        crate::ui::widgets::hairline(ui);
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, sides) in levels.iter().enumerate().rev() {
            let number = index + 1;
            let all = Tally(std::array::from_fn(|kind| sides.first.0[kind] + sides.second.0[kind]));
            if all.count() == 0 {
                continue;
            }
            let tally = |tally: Tally| {
                if tally.count() == 0 { "-".to_owned() } else { format!("+{} ={} -{}", tally.0[0], tally.0[1], tally.0[2]) }
            };
            let rating = self.game.sheet.ratings.get(number - 1).map_or("-".to_owned(), |rating| format!("{rating:.0}"));
            let level = if is_narrow(ui.ctx()) { words.with("level", number) } else { words.level(number as u8) };
            let cells = [level, rating, tally(sides.first), tally(sides.second), format!("{:.0} %", all.score())];
            let [won, drawn, lost] = all.0.map(|count| count.to_string());
            let said = words.fill("results.tally", &[&won, &drawn, &lost]);
            row(ui, &places, self.palette.text(), &said, || cells.clone());
        }
        ui.spacing_mut().item_spacing.y = 8.0;
    }

    /// The latest matches, newest first.
    fn latest(&self, ui: &mut Ui, shown: &[&Milestone]) {
        let words = self.words;
        ui.add_space(8.0);
        ui.prose(RichText::new(words.say("results.latest")).size(BODY));
        ui.spacing_mut().item_spacing.y = 0.0;
        let width = ui.available_width();
        let places = [0.0, 0.20, 0.36, 0.50, 0.61].map(|part| part * width);
        for one in shown.iter().rev().take(LISTED) {
            row(ui, &places, self.palette.text(), "", || self.cells(one));
        }
        ui.spacing_mut().item_spacing.y = 8.0;
    }

    /// Date, level, side, result, and the rating after it or why it doesn't count.
    fn cells(&self, one: &Milestone) -> [String; 5] {
        let (words, result) = (self.words, &one.result);
        let after = match one.rating {
            Some(rating) => words.rating(rating),
            None if result.set_up => words.say("results.set-up").to_owned(),
            None if result.helped => words.say("results.helped").to_owned(),
            None if result.unrated => words.say("results.casual").to_owned(),
            None if result.handicap.is_some() => words.say("results.set-up").to_owned(),
            None => String::new(),
        };
        let handicap = result.handicap.as_ref().and_then(|position| self.game.sheet.handicap(position));
        let handicap = handicap.map_or(String::new(), |handicap| format!(" · {}", words.of(&handicap.name)));
        let ending = words.say(match result.ending {
            Ending::Won => "results.won",
            Ending::Drawn => "results.drawn",
            Ending::Lost => "results.lost",
        });
        let level = words.with("level", result.level);
        let rated = if result.rated { format!(" · {}", words.say("results.rated")) } else { String::new() };
        let day = day_of(result.date).unwrap_or_default();
        [day, level, self.side(result.side).to_owned(), ending.to_owned(), format!("{after}{rated}{handicap}")]
    }

    /// The rating after each match that counts, with its error, and the ratings of the levels.
    fn chart(&self, ui: &mut Ui) {
        let points: Vec<(f64, f64, &Milestone)> =
            self.way.milestones.iter().filter_map(|one| one.rating.map(|rating| (rating.value, rating.error, one))).collect();
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let words = self.words;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), CHART), Sense::hover());
        let day = |one: &Milestone| day_of(one.result.date).unwrap_or_default();
        let said = [format!("{:.0}", first.0), day(first.2), format!("{:.0}", last.0), day(last.2)];
        let said = words.fill("results.chart.said", &said.each_ref().map(String::as_str));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, &said));
        // The dates stand below, the levels at the right.
        let plot = Rect::from_min_max(rect.min, rect.max - vec2(84.0, 20.0));
        let painter = ui.painter_at(rect.expand(1.0));
        painter.rect_filled(plot, 4.0, colour(self.palette.panel().raised));
        let low = points.iter().map(|(value, error, _)| value - error).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|(value, error, _)| value + error).fold(f64::NEG_INFINITY, f64::max);
        let (middle, half) = ((low + high) / 2.0, ((high - low) * 0.55).max(LEAST_RANGE / 2.0));
        let y = |rating: f64| {
            let part = ((rating - middle) / half).clamp(-1.0, 1.0) as f32;
            plot.center().y - part * plot.height() / 2.0
        };
        let x = |at: usize| match points.len() {
            1 => plot.center().x,
            count => plot.left() + 8.0 + (plot.width() - 16.0) * at as f32 / (count - 1) as f32,
        };
        self.level_lines(&painter, plot, (middle - half)..(middle + half), &y);
        let accent = self.palette.accent();
        let mut band = Mesh::default();
        for (at, (value, error, _)) in points.iter().enumerate() {
            band.colored_vertex(pos2(x(at), y(value + error)), accent.gamma_multiply(0.22));
            band.colored_vertex(pos2(x(at), y(value - error)), accent.gamma_multiply(0.22));
            if at > 0 {
                let from = 2 * (at as u32 - 1);
                band.add_triangle(from, from + 1, from + 2);
                band.add_triangle(from + 1, from + 2, from + 3);
            }
        }
        painter.add(Shape::mesh(band));
        painter.add(Shape::line(
            points.iter().enumerate().map(|(at, (value, ..))| pos2(x(at), y(*value))).collect(),
            Stroke::new(1.5, accent),
        ));
        let last_at = pos2(x(points.len() - 1), y(last.0));
        if points.len() == 1 {
            painter.vline(last_at.x, y(last.0 + last.1)..=y(last.0 - last.1), Stroke::new(1.5, accent));
        }
        painter.circle_filled(last_at, 3.5, accent);
        painter.rect_stroke(plot, 4.0, Stroke::new(1.0, colour(self.palette.panel().hairline)), StrokeKind::Outside);
        let font = FontId::proportional(SMALL);
        let (start, end) = (day(first.2), day(last.2));
        painter.text(plot.left_bottom() + vec2(0.0, 4.0), Align2::LEFT_TOP, &start, font.clone(), self.palette.dim());
        if end != start {
            painter.text(plot.right_bottom() + vec2(0.0, 4.0), Align2::RIGHT_TOP, &end, font, self.palette.dim());
        }
        let Some(at) = response.hover_pos().filter(|at| plot.contains(*at)) else { return };
        let nearest = (0..points.len()).min_by(|a, b| (x(*a) - at.x).abs().total_cmp(&(x(*b) - at.x).abs())).unwrap_or(0);
        let (value, _, one) = points[nearest];
        painter.vline(x(nearest).round(), plot.y_range(), Stroke::new(1.0, self.palette.dim()));
        painter.circle(pos2(x(nearest), y(value)), 3.5, accent, Stroke::new(1.0, Color32::WHITE));
        response.on_hover_text_at_pointer(self.cells(one).join(" · "));
    }

    /// Lines at the ratings of the levels, with their names at the right where there is space.
    fn level_lines(&self, painter: &egui::Painter, plot: Rect, range: std::ops::Range<f64>, y: &dyn Fn(f64) -> f32) {
        let mut written = f32::INFINITY;
        for (number, rating) in (1..).zip(&self.game.sheet.ratings) {
            if !range.contains(rating) {
                continue;
            }
            let at = y(*rating).round();
            let ends = [pos2(plot.left(), at), pos2(plot.right(), at)];
            painter.extend(Shape::dashed_line(&ends, Stroke::new(1.0, self.palette.dim().gamma_multiply(0.6)), 3.0, 4.0));
            let inside = at > plot.top() + 7.0 && at < plot.bottom() - 7.0;
            if inside && written - at > 18.0 {
                let place = pos2(plot.right() + 8.0, at);
                let font = FontId::proportional(SMALL);
                painter.text(place, Align2::LEFT_CENTER, self.words.with("level", number), font, self.palette.dim());
                written = at;
            }
        }
    }
}

/// A line of a table: each cell begins at its place. The cells of a line that is not seen are not written.
fn row(ui: &mut Ui, places: &[f32; 5], ink: Color32, said: &str, cells: impl Fn() -> [String; 5]) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let label = || format!("{} {said}", cells().join(" · "));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, label().trim()));
    if !ui.is_rect_visible(rect) {
        return;
    }
    for (at, (left, text)) in places.iter().zip(cells()).enumerate() {
        let space = places.get(at + 1).copied().unwrap_or(rect.width()) - left - 6.0;
        let text = egui::WidgetText::from(RichText::new(text).size(SMALL).color(ink));
        let galley = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), space, egui::TextStyle::Small);
        let place = pos2(rect.left() + left, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(place, galley, ink);
    }
    if !said.is_empty() {
        response.tip(said);
    }
}

/// Opens the page, which shows everything of a game at first; erases results and brings them back.
fn change(
    mut requests: MessageReader<ResultsRequest>,
    (mut page, mut results): (ResMut<Page>, ResMut<MyResults>),
    (library, mut notices, mut menu): (Res<Library>, ResMut<Notices>, ResMut<NextState<Menu>>),
) {
    for request in requests.read() {
        let done = match *request {
            ResultsRequest::Show(game) => {
                *page = Page { game, ..Page::default() };
                results.forget_erased();
                menu.set(Menu::Page(RESULTS));
                Ok(())
            }
            ResultsRequest::Erase(game) => results.erase(game, &library),
            ResultsRequest::Restore => results.restore(&library),
        };
        if let Err(why) = done {
            notices.fail(why);
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    register(app, RESULTS)
        .entry(8, Icon::Results, "results.title", |game, _, _| Some(ResultsRequest::Show(game.entry.key).into()));
    app.init_resource::<Page>().add_message::<ResultsRequest>().add_systems(Update, change.in_set(Step::Input)).add_systems(
        EguiPrimaryContextPass,
        draw.in_set(Draw::Menu).run_if(in_state(Menu::Page(RESULTS)).and_then(resource_exists::<Palette>)),
    );
}
