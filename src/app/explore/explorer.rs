//! The explorer: which moves were played from the position that is shown, in the games of the library.

use super::study::Study;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::requests::StudyPage;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, GameLibrary, Helped, in_match};
use bevy::prelude::*;
use qiju_core::library::{Explored, Hit, Library, MoveCount, PositionQuery, Query as LibraryQuery};
use qiju_core::message::Message;
use qiju_core::record::Record;
use qiju_core::search::StopToken;
use qiju_core::table::{Notation, Table};

/// The position that is asked about: the match, the position, the library, and how moves are written.
type Question = (u64, u64, u32, Notation);

/// What was found for a position.
#[derive(Default)]
pub struct Found {
    /// The moves that were played from it, the most played first, as they are written.
    pub moves: Vec<(String, MoveCount)>,
    /// In how many games it occurs.
    pub games: usize,
    /// How many games of this game there are.
    pub of: usize,
    /// The last of them that were added, the newest first, without their moves.
    pub latest: Vec<(Hit, Record)>,
}

/// What was asked last, and what was found last.
#[derive(Resource, Default)]
pub struct Explorer {
    asked: Option<(Question, BackgroundTask<Result<Found, Message>>)>,
    found: Option<(Question, Result<Found, Message>)>,
}

impl Explorer {
    /// What was found last, and whether it is of the position that is shown.
    pub fn found(&self) -> Option<(&Result<Found, Message>, bool)> {
        self.found.as_ref().map(|(_, found)| (found, self.asked.is_none()))
    }
}

fn look(games: &Library, table: &dyn Table, notation: Notation, stop: &StopToken) -> Result<Found, Message> {
    let position = Some(PositionQuery::position(table, false)?);
    let game = Some(table.game().to_owned());
    let explored = games.explore(&LibraryQuery { game, position, stop: stop.clone(), ..LibraryQuery::default() });
    let Explored { moves, games: count, latest } = explored.joined(table);
    // A choice of an opening rule is no move on this board.
    let written = |count: MoveCount| Some((table.write(count.action, notation)?, count));
    Ok(Found {
        moves: moves.into_iter().filter_map(written).collect(),
        games: count,
        of: games.games().iter().find(|(game, _)| game == table.game()).map_or(0, |(_, count)| *count),
        latest: latest.into_iter().rev().filter_map(|hit| Some((hit, games.outline(hit.id).ok()?))).collect(),
    })
}

/// Asks about each position that is shown while the page is open; another position ends the search for the one before.
fn seek(
    mut explorer: ResMut<Explorer>,
    (current, study): (Res<CurrentMatch>, Res<Study>),
    mut library: ResMut<GameLibrary>,
    (settings, words, wake): (Res<Settings>, Res<Words>, WakeHandles),
    mut helped: MessageWriter<Helped>,
) {
    if study.page != Some(StudyPage::Explorer) || !current.help_allowed() {
        if explorer.asked.is_some() || explorer.found.is_some() {
            *explorer = Explorer::default();
        }
        return;
    }
    let Some((games, version)) = library.bypass_change_detection().games() else { return };
    let shown = current.shown();
    let notation = settings.notation(shown, words.language);
    let question = (current.seed(), shown.key(), version, notation);
    let quiet = explorer.bypass_change_detection();
    let last = match (&quiet.asked, &quiet.found) {
        (Some((asked, _)), _) | (None, Some((asked, _))) => Some(*asked),
        (None, None) => None,
    };
    if last != Some(question) {
        let (games, table) = (games.clone(), shown.boxed_clone());
        let task = BackgroundTask::on_thread(wake.handle(), move |stop| look(&games, &*table, notation, stop));
        quiet.asked = Some((question, task));
        helped.write(Helped);
    }
    if let Some(found) = quiet.asked.as_mut().and_then(|(_, task)| task.poll()) {
        quiet.asked = None;
        quiet.found = Some((question, found));
        explorer.set_changed();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Explorer>()
        .add_systems(Update, seek.in_set(Step::Think).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut explorer: ResMut<Explorer>| *explorer = Explorer::default());
}
