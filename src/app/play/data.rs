//! All of the player's data as one file: written to it, and taken over from it. The question before that is a page of its own.

use super::learning::Learning;
use super::messages::DataTaken;
use super::results::MyResults;
use crate::app::ground::engines::Engines;
use crate::app::ground::home::Home;
use crate::app::ground::kept::Kept;
use crate::app::ground::library::Library;
use crate::app::ground::mistakes::Mistakes;
use crate::app::ground::notices::Notices;
use crate::app::ground::platform;
use crate::app::ground::progress::PlayerProgress;
use crate::app::ground::repertoires::Repertoires;
use crate::app::ground::requests::{DataRequest, DialogRequest, FileAim, FileChosen, Output, PageRequest, Requests};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::user_files;
use crate::app::ground::words::Words;
use crate::app::play::journal::MatchJournal;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::data::{self, Data, ENDING, Kind, Taken};
use qiju_core::storage::Waiting;
use std::path::Path;

/// Data that were read from a file, until the player has said whether they are to be taken over.
#[derive(Resource, Default)]
pub struct OfferedData(Option<(String, Box<Data>)>);

impl OfferedData {
    /// The file's name, and what is in it.
    pub fn get(&self) -> Option<(&str, &Data)> {
        self.0.as_ref().map(|(file, data)| (file.as_str(), &**data))
    }
}

/// What is in the data, in the language of the window: `settings, 3 saved games`.
pub fn account(data: &Data, words: &Words) -> String {
    let part = |(count, kind): (usize, Kind)| {
        let key = format!("data.{}", kind.key());
        match (kind, count) {
            (Kind::Game | Kind::Match | Kind::Letters, 1) => words.say(&format!("{key}.one")).to_owned(),
            (Kind::Game | Kind::Match | Kind::Letters, _) => words.with(&key, count),
            _ => words.say(&key).to_owned(),
        }
    };
    let parts: Vec<String> = data.parts().map(part).collect();
    if parts.is_empty() { words.say("data.nothing").to_owned() } else { parts.join(words.say("left-out.and")) }
}

/// Tells what was taken over.
pub fn tell_taken(taken: &Taken, words: &Words, notices: &mut Notices) {
    notices.warn(words.with("data.taken", account(&taken.data, words)));
    if let Some(before) = &taken.before {
        notices.warn(words.with("data.before", before));
    }
}

/// Completes what was being taken over when the program ended.
pub fn finish_taking(home: &Home, words: &Words, notices: &mut Notices) {
    #[cfg(target_arch = "wasm32")]
    qiju_core::storage::browser::told()
        .into_iter()
        .for_each(|why| notices.fail(message!("the browser does not keep the data: {}", why)));
    match data::finish(&home.storage()) {
        Ok(None) => {}
        Ok(Some(taken)) => tell_taken(&taken, words, notices),
        Err(error) => notices.fail(error),
    }
}

fn write(home: &Home, path: &Path) -> Result<Data, Message> {
    let data = Data::of(&*home.storage())?;
    user_files::write(path, data.pack()).map_err(|error| message!("{}: {}", path.display(), error))?;
    Ok(data)
}

/// Writes all data to the file that was chosen.
fn export(mut chosen: MessageReader<FileChosen>, (home, words, mut notices): (Res<Home>, Res<Words>, ResMut<Notices>)) {
    for FileChosen(aim, paths) in chosen.read() {
        let (FileAim::Save { output: Output::Data, .. }, Some(path)) = (aim, paths.first()) else { continue };
        let path = super::export::with_ending(path, ENDING);
        match write(&home, &path) {
            Ok(data) => {
                notices.warn(words.with("records.saved", path.display()));
                notices.warn(words.with("data.written", account(&data, &words)));
            }
            Err(why) => notices.fail(why),
        }
    }
}

fn serve(
    (mut asked, mut requests): (MessageReader<DataRequest>, Requests),
    (home, words, screen): (Res<Home>, Res<Words>, Res<State<Screen>>),
    (mut offered, mut journal): (ResMut<OfferedData>, ResMut<MatchJournal>),
    (mut notices, mut taken): (ResMut<Notices>, MessageWriter<DataTaken>),
) {
    for request in asked.read() {
        match request {
            DataRequest::Export => {
                let name = format!("Qiju {}", platform::now().strftime("%Y-%m-%d"));
                requests.write(DialogRequest::Choose(FileAim::Save { output: Output::Data, name, ending: ENDING }));
            }
            // The match on the board has its journal open.
            DataRequest::Offer(..) if *screen.get() == Screen::Match => notices.warn(words.say("data.in-match")),
            DataRequest::Offer(file, data) => {
                offered.0 = Some((file.clone(), data.clone()));
                requests.write(PageRequest::Menu(Menu::Data));
            }
            DataRequest::Take => {
                let Some((_, data)) = offered.0.take() else { continue };
                requests.write(PageRequest::Menu(Menu::None));
                journal.release();
                let storage = home.storage();
                match data::stage(&*storage, &data).and_then(|()| data::finish(&storage)) {
                    Ok(done) => done.iter().for_each(|taken| tell_taken(taken, &words, &mut notices)),
                    Err(error) => {
                        notices.fail(error);
                        notices.warn(words.say("data.later"));
                    }
                }
                taken.write(DataTaken);
            }
        }
    }
}

/// Everything that was read from the storage at the start is read again.
fn reread(mut commands: Commands, (home, words, library): (Res<Home>, Res<Words>, Res<Library>), mut notices: ResMut<Notices>) {
    let (settings, progress, engines) = (Settings::load(&home), PlayerProgress::load(&home), Engines::load(&home));
    let (mistakes, repertoires) = (Mistakes::load(&home), Repertoires::load(&home));
    let faults = [settings.1, progress.1, engines.1, mistakes.1, repertoires.1];
    faults.into_iter().flatten().for_each(|fault| notices.fail(fault));
    commands.insert_resource(settings.0);
    commands.insert_resource(progress.0);
    commands.insert_resource(engines.0);
    commands.insert_resource(mistakes.0);
    commands.insert_resource(repertoires.0);
    commands.insert_resource(Learning::open(&home, &words, &mut notices));
    commands.insert_resource(MyResults::open(&home, &library, &words, &mut notices));
}

/// Tells what a browser does not keep.
fn tell_waiting(home: Res<Home>, words: Res<Words>, mut notices: ResMut<Notices>, mut last: Local<Waiting>) {
    let now = home.storage().waiting();
    if now == *last {
        return;
    }
    if now.elsewhere && !last.elsewhere {
        notices.warn(words.say("data.elsewhere"));
    }
    if now.blobs > 0 && last.blobs == 0 {
        notices.warn(words.say("data.waiting"));
    }
    match (&now.fault, &last.fault) {
        (Some(why), None) => notices.warn(words.with("data.not-kept", words.tell(why))),
        (None, Some(_)) => notices.warn(words.say("data.kept-again")),
        _ => {}
    }
    *last = now;
}

fn forget(mut offered: ResMut<OfferedData>) {
    offered.0 = None;
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OfferedData>()
        .add_systems(Update, (serve, export, reread.run_if(on_message::<DataTaken>)).chain().in_set(Step::Input))
        // Files keep at once what they acknowledge.
        .add_systems(Update, tell_waiting.in_set(Step::Ui).run_if(|| cfg!(target_arch = "wasm32")))
        .add_systems(OnExit(Menu::Data), forget);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_writes_is_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_owned());
        for (name, kind) in [
            (Settings::FILE, Kind::Settings),
            (PlayerProgress::FILE, Kind::Progress),
            (Engines::FILE, Kind::Engines),
            (Mistakes::FILE, Kind::Mistakes),
            (Repertoires::FILE, Kind::Repertoires),
        ] {
            assert_eq!(Kind::of(name), Some(kind));
        }
        assert_eq!(Kind::of(home.journal().name()), Some(Kind::Match));
        assert_eq!(Kind::of(&qiju_core::record::journal::name_by_letter(7)), Some(Kind::Letters));
        assert_eq!(Kind::of(qiju_core::study::results::FILE), Some(Kind::Results));
        assert_eq!(Kind::of(qiju_core::table::LESSONS_FILE), Some(Kind::Lessons));
    }
}
