//! The explorer: which moves were played from the position that is shown, in the games of the library or in those of our engine.

use super::study::Study;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::requests::{CountGames, GamesFilter, GamesOf, StudyPage};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{CurrentMatch, GameLibrary, Helped, in_match};
use bevy::prelude::*;
use qiju_core::library::{
    Explored, Hit, Library, Listed, MoveCount, PositionQuery, Query as LibraryQuery, engine_games, has_engine_games,
};
use qiju_core::message::Message;
use qiju_core::search::StopToken;
use qiju_core::table::{Notation, Table};

/// What is asked about a position.
#[derive(Clone, PartialEq)]
struct Question {
    /// The match, the position, and the library.
    about: (u64, u64, u32),
    /// How moves are written.
    notation: Notation,
    /// The games of our engine are there.
    has_engine: bool,
    /// Whose games count, if it was chosen.
    games: Option<GamesOf>,
    /// The names of the player, in lower case.
    names: Vec<String>,
    /// Which of them count, if there is a filter.
    filter: Option<GamesFilter>,
}

/// What was found for a position.
pub struct Found {
    /// Whose games were counted.
    pub of: GamesOf,
    /// Our engine has games of this game.
    pub has_engine: bool,
    /// The moves that were played from it, the most played first, as they are written.
    pub moves: Vec<(String, MoveCount)>,
    /// In how many games it occurs.
    pub games: usize,
    /// How many games of this game were looked through.
    pub all: usize,
    /// The last of them that were added, the newest first, without their moves.
    pub latest: Vec<(Hit, Listed)>,
}

/// What was asked last, and what was found last.
#[derive(Resource, Default)]
pub struct Explorer {
    games: Option<GamesOf>,
    filter: Option<GamesFilter>,
    asked: Option<(Question, BackgroundTask<Result<Found, Message>>)>,
    found: Option<(Question, Result<Found, Message>)>,
}

impl Explorer {
    /// Which games count, if there is a filter.
    pub fn filter(&self) -> Option<&GamesFilter> {
        self.filter.as_ref()
    }

    /// What was found last, and whether it is of the position that is shown.
    pub fn found(&self) -> Option<(&Result<Found, Message>, bool)> {
        self.found.as_ref().map(|(_, found)| (found, self.asked.is_none()))
    }
}

fn look(own: &Library, table: &dyn Table, asked: &Question, stop: &StopToken) -> Result<Found, Message> {
    let of_this = |games: &Library| games.games().iter().any(|(game, _)| game == table.game());
    let has_engine = of_this(engine_games());
    // Until the library has such games, those of the engine are better than none.
    let of = asked.games.unwrap_or(if has_engine && !of_this(own) { GamesOf::Engine } else { GamesOf::Library });
    let whose = match of {
        GamesOf::Library | GamesOf::Engine => None,
        GamesOf::Mine | GamesOf::Others => Some((asked.names.clone(), of == GamesOf::Mine)),
    };
    let games = if of == GamesOf::Engine { engine_games() } else { own };
    let game = Some(table.game().to_owned());
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let GamesFilter { player, side, from, to, result } = asked.filter.clone().unwrap_or_default();
    let (player, from, to) = (given(&player), given(&from), given(&to));
    let all = LibraryQuery { game, whose, player, side, from, to, result, stop: stop.clone(), ..LibraryQuery::default() };
    let number = games.search(&all).len();
    let explored = games.explore(&LibraryQuery { position: Some(PositionQuery::position(table, false)?), ..all });
    let Explored { moves, games: count, latest } = explored.joined(table);
    // A choice of an opening rule is no move on this board.
    let written = |count: MoveCount| Some((table.write(count.action, asked.notation)?, count));
    Ok(Found {
        of,
        has_engine,
        moves: moves.into_iter().filter_map(written).collect(),
        games: count,
        all: number,
        latest: latest.into_iter().rev().filter_map(|hit| Some((hit, games.listed(hit.id).ok()?))).collect(),
    })
}

/// Asks about each position that is shown while the page is open; another position ends the search for the one before.
fn seek(
    (mut explorer, mut counted): (ResMut<Explorer>, MessageReader<CountGames>),
    (current, study): (Res<CurrentMatch>, Res<Study>),
    mut library: ResMut<GameLibrary>,
    (settings, words, wake): (Res<Settings>, Res<Words>, WakeHandles),
    mut helped: MessageWriter<Helped>,
) {
    for wanted in counted.read() {
        match wanted {
            CountGames::Of(games) => explorer.games = Some(*games),
            CountGames::Only(filter) => explorer.filter.clone_from(filter),
        }
    }
    if study.page != Some(StudyPage::Explorer) || !current.help_allowed() {
        if explorer.asked.is_some() || explorer.found.is_some() {
            (explorer.asked, explorer.found) = (None, None);
        }
        return;
    }
    let Some((games, version)) = library.bypass_change_detection().games() else { return };
    let shown = current.shown();
    let names: Vec<String> = settings.own_names().collect();
    let quiet = explorer.bypass_change_detection();
    let question = Question {
        about: (current.seed(), shown.key(), version),
        notation: settings.notation(shown, words.language),
        has_engine: has_engine_games(),
        // Without names nobody knows whose games they are.
        games: quiet.games.filter(|games| !names.is_empty() || matches!(games, GamesOf::Library | GamesOf::Engine)),
        names,
        filter: quiet.filter.clone(),
    };
    let last = match (&quiet.asked, &quiet.found) {
        (Some((asked, _)), _) | (None, Some((asked, _))) => Some(asked),
        (None, None) => None,
    };
    if last != Some(&question) {
        let (games, table, asked) = (games.clone(), shown.boxed_clone(), question.clone());
        let task = BackgroundTask::on_thread(wake.handle(), move |stop| look(&games, &*table, &asked, stop));
        quiet.asked = Some((question, task));
        helped.write(Helped);
    }
    if let Some(found) = quiet.asked.as_mut().and_then(|(_, task)| task.poll()) {
        quiet.found = quiet.asked.take().map(|(question, _)| (question, found));
        explorer.set_changed();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Explorer>()
        .add_systems(Update, seek.in_set(Step::Think).run_if(in_match))
        // On a page it takes a moment until they are there.
        .add_systems(OnEnter(Screen::Match), || _ = has_engine_games())
        .add_systems(OnExit(Screen::Match), |mut explorer: ResMut<Explorer>| *explorer = Explorer::default());
}
