//! Positions in pictures of boards: a picture that was dropped, chosen or pasted is read in the background, and its position is opened in the editor.

use super::positions::PositionEditor;
use crate::app::ground::background::{Place, Running, WakeHandles};
use crate::app::ground::notices::Notices;
use crate::app::ground::position::{PictureRequest, PositionWish};
use crate::app::ground::requests::Requests;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::CurrentMatch;
use bevy::prelude::*;
use qiju_core::compute::{ReadPicture, Shot};
use qiju_core::games;
#[cfg(not(target_arch = "wasm32"))]
use {crate::app::ground::background::BackgroundTask, qiju_core::paint::Picture, std::borrow::Cow};

/// The picture that is being read.
#[derive(Resource, Default)]
struct Reading {
    work: Option<Running<ReadPicture>>,
    /// The picture in the clipboard, while it is asked for.
    #[cfg(not(target_arch = "wasm32"))]
    pasted: Option<BackgroundTask<Option<Picture>>>,
}

/// The picture in the system's clipboard.
#[cfg(not(target_arch = "wasm32"))]
fn in_clipboard() -> Option<Picture> {
    let image = arboard::Clipboard::new().ok()?.get_image().ok()?;
    let (width, height) = (u32::try_from(image.width).ok()?, u32::try_from(image.height).ok()?);
    let rgba = match image.bytes {
        Cow::Owned(bytes) => bytes,
        Cow::Borrowed(bytes) => bytes.to_vec(),
    };
    (rgba.len() == image.width * image.height * 4).then_some(Picture { width, height, rgba })
}

/// Begins to read a picture.
fn begin(
    mut asked: MessageReader<PictureRequest>,
    mut reading: ResMut<Reading>,
    (editor, current, screen): (Res<PositionEditor>, Option<Res<CurrentMatch>>, Res<State<Screen>>),
    (words, mut notices, wake): (Res<Words>, ResMut<Notices>, WakeHandles),
) {
    for request in asked.read() {
        let shot = match request {
            PictureRequest::Read(shot) => Shot::clone(shot),
            #[cfg(not(target_arch = "wasm32"))]
            PictureRequest::Paste => {
                reading.pasted = Some(BackgroundTask::on_thread(wake.handle(), |_| in_clipboard()));
                continue;
            }
            // A browser gives what is pasted as a file.
            #[cfg(target_arch = "wasm32")]
            PictureRequest::Paste => continue,
        };
        // First the game that is in front of the player, then all others.
        let edited = editor.editing().map(|editing| (editing.game().entry.key, Some(editing.variant().to_owned())));
        let of_match =
            || current.as_ref().filter(|_| *screen.get() == Screen::Match).map(|current| (current.game().entry.key, None));
        let first = edited.or_else(of_match);
        let others = games::REGISTRY.iter().map(|entry| (entry.key, None));
        let again = first.iter().filter(|(_, variant)| variant.is_some()).map(|(key, _)| (*key, None)).collect::<Vec<_>>();
        let games = first.into_iter().chain(again).chain(others).map(|(key, variant)| (key.to_owned(), variant)).collect();
        reading.work = Some(Running::start(Place::Thread, wake.handle(), ReadPicture { shot, games }));
        notices.warn(words.say("positions.reading"));
    }
}

/// Takes the picture from the clipboard.
#[cfg(not(target_arch = "wasm32"))]
fn take_pasted(mut reading: ResMut<Reading>, (words, mut notices, mut requests): (Res<Words>, ResMut<Notices>, Requests)) {
    let Some(found) = reading.pasted.as_mut().and_then(BackgroundTask::poll) else { return };
    reading.pasted = None;
    match found {
        Some(picture) => requests.write(PictureRequest::Read(std::sync::Arc::new(Shot::Pixels(picture)))),
        None => notices.warn(words.say("games.nothing-to-paste")),
    }
}

/// Opens the position that was read.
fn take(mut reading: ResMut<Reading>, (words, mut notices, mut requests): (Res<Words>, ResMut<Notices>, Requests)) {
    let Some(answer) = reading.work.as_mut().and_then(Running::poll) else { return };
    reading.work = None;
    match answer {
        Ok(sighting) => {
            let Ok(entry) = games::find(&sighting.game) else { return };
            let uncertain = sighting.seen.uncertain().collect();
            let seen = sighting.seen;
            requests.write(PositionWish::Seen { game: entry.key, variant: seen.variant, draft: seen.draft, uncertain });
            notices.warn(words.say("positions.seen"));
        }
        Err(why) => notices.fail(why),
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Reading>();
    #[cfg(not(target_arch = "wasm32"))]
    app.add_systems(Update, take_pasted.in_set(Step::Think).run_if(|reading: Res<Reading>| reading.pasted.is_some()));
    app.add_systems(Update, (begin, take.run_if(|reading: Res<Reading>| reading.work.is_some())).chain().in_set(Step::Think));
}
