//! What is changed of games on the page of the library: what is told of one, and the keywords of several.

use crate::app::library::Library;
use crate::app::requests::{LibraryRequest, Requests};
use crate::app::words::Words;
use crate::ui::speech::Named;
use crate::ui::style::Palette;
use crate::ui::widgets::{
    dim, filled_button, heading, page_frame, page_less, page_of, page_width, segmented, text_field, tick, wide_button,
};
use bevy_egui::egui;
use egui::Ui;
use qiju_core::library::{GameId, Library as GamesFile};
use qiju_core::record::{Record, SeatSpec, keywords_in};
use qiju_core::rules::Side;
use std::collections::BTreeMap;

/// The tags that can be changed, with their names on the page.
const TAGS: [(&str, &str); 4] =
    [("Event", "games.event"), ("Date", "games.date"), ("Round", "library.round"), ("Site", "library.place")];

/// What is being changed.
pub enum Form {
    /// What is told of a game: the names of the players, the values of the tags, and who won.
    Told(GameId, Box<Record>, [String; 2], [String; TAGS.len()], Option<Option<Side>>),
    /// The keywords of games: for each, whether it is to hold for all of them, if that was chosen, and for how many it held; and a new one.
    Keywords(Vec<GameId>, BTreeMap<String, (Option<bool>, usize)>, String),
}

impl Form {
    /// What is told of a game; `None` if it is gone.
    pub fn told(games: &GamesFile, id: GameId, words: &Words) -> Option<Form> {
        let record = games.outline(id).ok()?;
        let names = Side::BOTH.map(|side| match &record.seats[side] {
            SeatSpec::External { name } => name.clone(),
            seat => words.player(seat, None),
        });
        let tags = TAGS.map(|(name, _)| record.tags.get(name).unwrap_or_default().to_owned());
        let winner = record.result.map(|result| result.winner);
        Some(Form::Told(id, Box::new(record), names, tags, winner))
    }

    /// The keywords of games, and those that the library has beside them.
    pub fn keywords(games: &GamesFile, ids: Vec<GameId>, known: &BTreeMap<String, usize>) -> Form {
        let held = games.keywords(&ids).unwrap_or_default();
        let all = known.keys().chain(held.keys());
        let all = all.map(|keyword| (keyword.clone(), (None, held.get(keyword).copied().unwrap_or_default()))).collect();
        Form::Keywords(ids, all, String::new())
    }

    /// Draws it above the page. True when it is done.
    pub fn draw(
        &mut self,
        ctx: &egui::Context,
        (words, palette): (&Words, &Palette),
        (library, games): (&Library, &GamesFile),
        requests: &mut Requests,
    ) -> bool {
        let modal = egui::Modal::new(egui::Id::new("library form")).frame(page_frame(ctx, palette)).show(ctx, |ui| {
            page_of(ui, page_width(ctx, 460.0), |ui| {
                let height = (ctx.content_rect().height() - page_less(ui, 150.0)).clamp(96.0, 540.0);
                let title = match self {
                    Form::Told(..) => words.say("library.edit").to_owned(),
                    Form::Keywords(ids, ..) => words.with("library.tags-of", words.with("games.count", ids.len())),
                };
                heading(ui, &title);
                let mut entered = false;
                egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                    entered = match self {
                        Form::Told(_, record, names, tags, winner) => {
                            told(ui, (words, palette, library), (record, names, tags, winner))
                        }
                        Form::Keywords(ids, all, fresh) => keywords(ui, (words, palette), (ids.len(), all, fresh)),
                    };
                });
                ui.add_space(8.0);
                ui.horizontal(|ui| {
                    let half = (ui.available_width() - 8.0) / 2.0;
                    let keeps = filled_button(ui, palette, words.say("comment.keep"), half, true).clicked();
                    let drops = wide_button(ui, words.say("comment.drop"), half, true).clicked();
                    (keeps || entered, drops)
                })
                .inner
            })
        });
        let (keeps, drops) = modal.inner;
        if keeps {
            let changed = self.changed(games, words);
            if !changed.is_empty() {
                requests.write(LibraryRequest::Tell(changed.into()));
            }
        }
        keeps || drops || modal.should_close()
    }

    /// The games that change, with what is told of them then.
    fn changed(&self, games: &GamesFile, words: &Words) -> Vec<(GameId, Record)> {
        match self {
            Form::Told(id, before, names, tags, winner) => {
                let mut record = (**before).clone();
                for (side, name) in
                    Side::BOTH.into_iter().zip(names).filter(|(side, name)| words.player(&before.seats[*side], None) != **name)
                {
                    let name = name.trim();
                    record.seats[side] =
                        if name.is_empty() { SeatSpec::Human } else { SeatSpec::External { name: name.to_owned() } };
                }
                for ((name, _), value) in TAGS.iter().zip(tags) {
                    record.tags.set(name, value.trim());
                }
                record.set_winner(*winner);
                if record == **before { Vec::new() } else { vec![(*id, record)] }
            }
            Form::Keywords(ids, all, fresh) => {
                let change = |id: &GameId| {
                    let before = games.outline(*id).ok()?;
                    let mut record = before.clone();
                    for (keyword, (holds, _)) in all {
                        if let Some(holds) = holds {
                            record.tags.set_keyword(keyword, *holds);
                        }
                    }
                    keywords_in(fresh).for_each(|keyword| record.tags.set_keyword(keyword, true));
                    (record != before).then_some((*id, record))
                };
                ids.iter().filter_map(change).collect()
            }
        }
    }
}

type ToldFields<'a> = (&'a Record, &'a mut [String; 2], &'a mut [String; TAGS.len()], &'a mut Option<Option<Side>>);

/// The fields of what is told. True if Enter was pressed in one.
fn told(ui: &mut Ui, (words, palette, library): (&Words, &Palette, &Library), (record, names, tags, winner): ToldFields) -> bool {
    let mut entered = false;
    let mut field = |ui: &mut Ui, name: &str, value: &mut String| {
        let label = dim(ui, palette, name);
        let field = text_field(ui, value, "", f32::INFINITY);
        let response = ui.add(field).named(&label, name);
        entered |= response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    };
    let game = library.game(&record.game);
    let sides = Side::BOTH.map(|side| game.map(|game| words.of(&game.sheet.sides[side])).unwrap_or_default());
    sides.iter().zip(names).for_each(|(name, value)| field(ui, name, value));
    TAGS.iter().zip(tags).for_each(|((_, name), value)| field(ui, words.say(name), value));
    dim(ui, palette, words.say("games.result"));
    let [first, second] = sides.map(|side| words.with("result.wins", side));
    segmented(
        ui,
        winner,
        &[
            (Some(Some(Side::First)), &first),
            (Some(None), words.say("result.draw")),
            (Some(Some(Side::Second)), &second),
            (None, words.say("library.no-result")),
        ],
    );
    entered
}

/// The keywords, and the field for a new one. True if Enter was pressed in it.
fn keywords(
    ui: &mut Ui,
    (words, palette): (&Words, &Palette),
    (games, all, fresh): (usize, &mut BTreeMap<String, (Option<bool>, usize)>, &mut String),
) -> bool {
    for (keyword, (holds, held)) in all {
        let mut on = holds.unwrap_or(*held == games);
        let some = holds.is_none() && (1..games).contains(held);
        let text = if some { words.fill("library.tag-some", &[keyword, &held.to_string()]) } else { keyword.clone() };
        if tick(ui, &mut on, &text).changed() {
            *holds = Some(on);
        }
    }
    let name = words.say("library.new-tag");
    let label = dim(ui, palette, name);
    let field = text_field(ui, fresh, words.say("library.tag-hint"), f32::INFINITY);
    let response = ui.add(field).named(&label, name);
    response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter))
}
