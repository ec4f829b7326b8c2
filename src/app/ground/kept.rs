//! What is kept in one file each: the settings, the player's progress, the external engines. It is changed by edits, and written by one system alone.

use super::home::Home;
use super::notices::Notices;
use super::step::Step;
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::storage::Blob;
use qiju_core::table::read_ron;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;

/// Something that is kept in a file. Unknown fields in the file are ignored, missing ones have their default.
pub trait Kept: Resource<Mutability = bevy::ecs::component::Mutable> + Clone + Default + Serialize + DeserializeOwned {
    /// The name of the file in the storage.
    const FILE: &'static str;

    /// What files of earlier versions hold, which are read where [`Kept::FILE`] is not there; they are left as they are. `read` reads one of them.
    fn earlier(read: &mut dyn FnMut(&str) -> Option<Self>) -> Option<Self>;

    /// The same with every value in its range.
    fn sane(self) -> Self {
        self
    }

    /// Reads it without changing anything; what is damaged has its default.
    fn peek(home: &Home) -> Self {
        there(home).unwrap_or_default()
    }

    /// Reads it. A damaged file is renamed (`preferences.ron.damaged-1`), and a message reports it.
    fn load(home: &Home) -> (Self, Vec<Message>) {
        let mut faults = Vec::new();
        let mut read = |name: &str| match parsed::<Self>(&home.blob(name)) {
            Ok(kept) => kept,
            Err((why, is_damaged)) => {
                faults.push(if is_damaged { set_aside(&home.blob(name), why) } else { why });
                None
            }
        };
        let kept = read(Self::FILE).or_else(|| Self::earlier(&mut read)).unwrap_or_default();
        (kept, faults)
    }

    /// Writes it, in place of what is there.
    ///
    /// # Errors
    /// The error, with the file.
    fn save(&self, home: &Home) -> Result<(), Message> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default())
            .map_err(|error| message!("RON cannot hold this: {}", error.to_string()))?;
        let blob = home.blob(Self::FILE);
        blob.replace(text).map_err(|error| message!("{}: {}", blob.to_string(), error))
    }

    /// Changes it, and its file likewise: what another window has written there since is kept.
    ///
    /// # Errors
    /// The file cannot be written; the change holds until the program ends.
    fn change(&mut self, home: &Home, edit: impl Fn(&mut Self)) -> Result<(), Message> {
        let changed = |mut kept: Self| {
            edit(&mut kept);
            kept.sane()
        };
        *self = changed(self.clone());
        let _owned = home.blob(Self::FILE).own_for_a_moment();
        match there(home) {
            Some(there) => changed(there).save(home),
            None => self.save(home),
        }
    }
}

/// What is in the file, or else in those of earlier versions.
fn there<K: Kept>(home: &Home) -> Option<K> {
    let mut read = |name: &str| parsed(&home.blob(name)).ok().flatten();
    read(K::FILE).or_else(|| K::earlier(&mut read))
}

/// What is in a file, if it is there; or what is wrong, and whether the file is damaged.
fn parsed<K: Kept>(blob: &Blob) -> Result<Option<K>, (Message, bool)> {
    let Some(bytes) = blob.read().map_err(|error| (message!("{}: {}", blob.to_string(), error), false))? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| (message!("{}: not valid UTF-8 text", blob.name()), true))?;
    let kept = read_ron::<K>(blob.name(), &text).map_err(|error| (error.into(), true))?;
    Ok(Some(kept.sane()))
}

/// Renames a damaged file, and says so.
fn set_aside(blob: &Blob, why: Message) -> Message {
    match blob.keep_aside().and_then(|kept| blob.remove().map(|()| kept)) {
        Ok(kept) => message!("{}; it is kept as {}", why, kept.to_string()),
        Err(error) => message!("{}; it could not be set aside: {}", why, error),
    }
}

/// A change of what is kept: a request to `ground::kept`.
#[derive(Message)]
pub struct Change<K: Kept>(Arc<dyn Fn(&mut K) + Send + Sync>);

impl<K: Kept> Change<K> {
    /// This change. It edits what it is about and leaves the rest as it finds it.
    pub fn new(edit: impl Fn(&mut K) + Send + Sync + 'static) -> Change<K> {
        Change(Arc::new(edit))
    }
}

impl<K: Kept> Clone for Change<K> {
    fn clone(&self) -> Self {
        Change(self.0.clone())
    }
}

impl<K: Kept> PartialEq for Change<K> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<K: Kept> fmt::Debug for Change<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Change of {}", K::FILE)
    }
}

/// The only system that changes what is kept.
fn apply<K: Kept>(mut changes: MessageReader<Change<K>>, mut kept: ResMut<K>, (home, mut notices): (Res<Home>, ResMut<Notices>)) {
    if changes.is_empty() {
        return;
    }
    let changes: Vec<_> = changes.read().collect();
    if let Err(why) = kept.change(&home, |kept| changes.iter().for_each(|Change(edit)| edit(kept))) {
        notices.fail(why);
    }
}

/// What is kept there, changed by requests.
pub(super) fn plugin<K: Kept>(app: &mut App) {
    app.init_resource::<K>().add_message::<Change<K>>().add_systems(Update, apply::<K>.in_set(Step::Tick));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ground::engines::{Engines, OtherEngine};
    use crate::app::ground::progress::PlayerProgress;
    use crate::app::ground::requests::Requests;
    use crate::app::ground::settings::{LastSetup, Settings};
    use qiju_core::record::data;
    use qiju_core::rules::BySide;

    fn setup(level: u8) -> LastSetup {
        LastSetup { levels: BySide::new(level, level), ..LastSetup::default() }
    }

    #[test]
    fn settings_come_back_and_damage_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().join("deep"));
        let mut settings = Settings { speed: 2.0, ..Settings::default() };
        settings.setups.insert("xiangqi".to_owned(), setup(7));
        settings.save(&home).unwrap();
        assert_eq!(Settings::load(&home), (settings, Vec::new()));
        // Invalid settings, invalid UTF-8 and other damage: each file is kept under its own name.
        let damages: [(&[u8], &str); 3] =
            [(b"(speed: oops", "preferences.ron:1"), (b"(\xff)", "UTF-8"), (b"(speed", "preferences.ron:1")];
        for (number, (bytes, words)) in (1..).zip(damages) {
            home.blob(Settings::FILE).replace(bytes).unwrap();
            let (settings, why) = Settings::load(&home);
            assert_eq!(settings, Settings::default());
            assert!(why[0].to_string().contains(words), "{why:?}");
            let kept = home.0.join(format!("preferences.ron.damaged-{number}"));
            assert_eq!(std::fs::read(kept).unwrap(), bytes);
            assert_eq!(home.blob(Settings::FILE).read().unwrap(), None);
        }
    }

    #[test]
    fn two_windows_keep_each_others_changes() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_path_buf());
        let mut one = Settings::default();
        one.change(&home, |settings| drop(settings.setups.insert("gomoku".to_owned(), setup(5)))).unwrap();
        let mut two = one.clone();
        one.change(&home, |settings| settings.speed = 0.5).unwrap();
        one.change(&home, |settings| drop(settings.setups.insert("xiangqi".to_owned(), setup(7)))).unwrap();
        two.change(&home, |settings| settings.theme = "night".to_owned()).unwrap();
        two.change(&home, |settings| drop(settings.setups.insert("gomoku".to_owned(), setup(2)))).unwrap();
        let both = Settings::peek(&home);
        assert_eq!((both.speed, both.theme.as_str()), (0.5, "night"));
        assert_eq!((&both.setups["xiangqi"], &both.setups["gomoku"]), (&setup(7), &setup(2)));
        // An entry removed by one window stays removed.
        one.change(&home, |settings| settings.setups.clear()).unwrap();
        two.change(&home, |settings| settings.speed = 2.0).unwrap();
        assert!(Settings::peek(&home).setups.is_empty());
    }

    /// The file of earlier versions held all three. It is read as long as there is no other, and left as it is.
    #[test]
    fn the_one_file_of_earlier_versions_is_split() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_path_buf());
        let old = "(speed: 0.5, trained: [\"a/b/3v2/1\"], stands: {\"gomoku/freestyle\": 21}, first_steps: {\"xiangqi/cannon\": 2}, \
                   first_steps_known: true, engines: [(name: \"Sharp\", game: \"xiangqi\", command: \"sharp -x\")], no_such: [1, (2)])";
        home.blob(data::SETTINGS).replace(old).unwrap();
        // The results of puzzles had a file of their own.
        home.blob(data::PUZZLES).replace("(games: {\"gomoku\": (streak: 4, best_streak: 6, tried: 10, solved: 9)})").unwrap();
        let check = |home: &Home| {
            assert_eq!(Settings::load(home).0.speed, 0.5);
            let progress = PlayerProgress::load(home).0;
            assert_eq!((progress.stands["gomoku/freestyle"], progress.first_steps["xiangqi/cannon"]), (21, 2));
            assert_eq!((progress.of_puzzles("gomoku").best_streak, progress.of_puzzles("xiangqi").tried), (6, 0));
            assert!(progress.trained.contains("a/b/3v2/1") && progress.first_steps_known);
            assert_eq!(Engines::load(home).0.find("xiangqi", "Sharp").map(|engine| engine.command.as_str()), Some("sharp -x"));
        };
        check(&home);
        // A change of one of them writes its own file.
        Engines::load(&home)
            .0
            .change(&home, |engines| engines.engines.push(OtherEngine { name: "B".to_owned(), ..OtherEngine::default() }))
            .unwrap();
        check(&home);
        let (mut settings, mut progress) = (Settings::load(&home).0, PlayerProgress::load(&home).0);
        settings.change(&home, |settings| settings.muted = true).unwrap();
        progress.change(&home, |progress| progress.first_steps_known = true).unwrap();
        check(&home);
        assert_eq!(home.blob(data::SETTINGS).read().unwrap().unwrap(), old.as_bytes());
        // Damage of one loses nothing of the others.
        home.blob(Engines::FILE).replace("(engines: [oops").unwrap();
        let (engines, why) = Engines::load(&home);
        assert!(why[0].to_string().contains("engines.ron"));
        // What there was before the file is better than nothing.
        assert_eq!(engines.engines.len(), 1);
        check(&home);
        assert!(Settings::load(&home).0.muted);
    }

    /// Two changes in one frame, of which each knows nothing of the other.
    #[test]
    fn no_change_of_a_frame_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home(folder.path().to_path_buf());
        let mut app = App::new();
        app.insert_resource(home.clone()).init_resource::<Notices>().add_plugins(plugin::<Settings>);
        app.add_systems(PreUpdate, |mut requests: Requests| requests.change(|settings: &mut Settings| settings.muted = true));
        app.add_systems(PreUpdate, |mut requests: Requests| requests.change(|settings: &mut Settings| settings.volume = 0.25));
        app.update();
        let kept = Settings::peek(&home);
        assert_eq!((kept.muted, kept.volume), (true, 0.25));
        assert_eq!(*app.world().resource::<Settings>(), kept);
    }
}
