//! Writing the match, or a saved game, to a file in another format.

use super::clock::MatchClock;
use super::game::CurrentMatch;
use super::records::record_of;
use crate::app::ground::home::Home;
use crate::app::ground::notices::Notices;
use crate::app::ground::platform;
use crate::app::ground::requests::{ExportRequest, FileAim, FileChosen, Output};
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::ground::user_files;
use crate::app::ground::words::Words;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::{Format, LeftOut, Record, RecordPart, Writer};
use std::path::{Path, PathBuf};

/// The formats in which a game can be written.
#[derive(Resource, Default)]
pub struct ExportChoice {
    /// The saved game; `None` is the match.
    pub saved: Option<PathBuf>,
    /// The name that is offered for the file, without its ending.
    pub name: String,
    /// The formats that can hold the game, each with what it would leave out.
    pub formats: Vec<(Format, Option<String>)>,
}

/// A game as a file of this format, and what the format cannot hold.
pub(super) fn written(record: &Record, format: Format) -> Result<(Vec<u8>, Option<LeftOut>), Message> {
    let mut writer = Writer::new(format, None, false)?;
    let mut bytes = Vec::new();
    writer.add(record, &mut bytes)?;
    let lost = writer.finish(&mut bytes);
    Ok((bytes, lost))
}

/// What a format cannot hold, in the language of the window.
pub(super) fn told(lost: &LeftOut, words: &Words) -> String {
    let part = |(count, part): (usize, RecordPart)| {
        let key = format!("left-out.{}", part.key());
        if count == 1 { words.say(&format!("{key}.one")).to_owned() } else { words.with(&key, count) }
    };
    let parts: Vec<String> = lost.loss.parts().map(part).collect();
    words.fill("left-out.line", &[&parts.join(words.say("left-out.and")), lost.format.key()])
}

fn record(home: &Home, saved: Option<&Path>, current: Option<&CurrentMatch>, clock: &MatchClock) -> Result<Record, Message> {
    let Some(path) = saved else {
        return current.map(|current| record_of(current, clock.get())).ok_or_else(|| message!("there is no game"));
    };
    let file = path.display().to_string();
    let reading = home.bytes_of(path).and_then(|bytes| qiju_core::record::read(&file, &bytes, Some("ron")));
    let reading = reading?;
    reading.records.into_iter().next().ok_or_else(|| message!("{}: there is no record in it", path.display()))
}

/// A name for the file: the players or the game, and the date.
fn name_for(record: &Record) -> String {
    let players = [&record.seats.first, &record.seats.second].map(|seat| seat.to_string());
    let known = players.iter().any(|name| name != "human");
    let who = if known { players.join(" - ") } else { record.game.clone() };
    let date = platform::now().strftime("%Y-%m-%d").to_string();
    let date = record.tags.get("Date").filter(|date| date.starts_with(|c: char| c.is_ascii_digit())).map_or(date, str::to_owned);
    let name = format!("{who} {date}");
    name.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '-' } else { c }).collect()
}

/// The path with an ending, this one where it has none that fits.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let has = path.extension().and_then(|known| known.to_str()).is_some_and(|known| known.eq_ignore_ascii_case(ending));
    if has { path.to_owned() } else { PathBuf::from(format!("{}.{ending}", path.display())) }
}

fn export(
    (mut requests, mut chosen): (MessageReader<ExportRequest>, MessageReader<FileChosen>),
    (current, clock): (Option<Res<CurrentMatch>>, Res<MatchClock>),
    (home, mut choice): (Res<Home>, ResMut<ExportChoice>),
    (words, mut notices, mut menu): (Res<Words>, ResMut<Notices>, ResMut<NextState<Menu>>),
) {
    for ExportRequest(saved) in requests.read() {
        match record(&home, saved.as_deref(), current.as_deref(), &clock) {
            Ok(record) => {
                let fits = |format: Format| Some((format, written(&record, format).ok()?.1.map(|lost| told(&lost, &words))));
                let formats = Format::WRITTEN.into_iter().filter_map(fits).collect();
                *choice = ExportChoice { saved: saved.clone(), name: name_for(&record), formats };
                menu.set(Menu::Export);
            }
            Err(why) => notices.fail(why),
        }
    }
    for FileChosen(aim, paths) in chosen.read() {
        let FileAim::Save { output: Output::Game(format, saved), .. } = aim else { continue };
        let Some(path) = paths.first() else { continue };
        // Another ending that was typed is another format.
        let typed = path.extension().and_then(|ending| ending.to_str()).and_then(Format::from_key);
        let format = typed.filter(|format| format.is_written()).unwrap_or(*format);
        let path = if typed == Some(format) { path.clone() } else { with_ending(path, format.key()) };
        let done = record(&home, saved.as_deref(), current.as_deref(), &clock).and_then(|record| {
            let (bytes, lost) = written(&record, format)?;
            user_files::write(&path, bytes).map_err(|error| message!("{}: {}", path.display(), error))?;
            Ok(lost)
        });
        match done {
            Ok(lost) => {
                notices.warn(words.with("records.saved", path.display()));
                lost.into_iter().for_each(|lost| notices.warn(told(&lost, &words)));
            }
            Err(why) => notices.fail(why),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ExportChoice>().add_systems(Update, export.in_set(Step::Animate));
}
