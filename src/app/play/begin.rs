//! Begins a match: creates the seats and the pieces as entities.

use super::game::{CurrentMatch, fresh_seed};
use super::journal::Unfinished;
use super::learning::{Learning, learns};
use super::letters;
use super::post::Posts;
use super::records::match_of;
use super::results::MyResults;
use super::seats::{Computer, ExternalProgram, Friend, Human, Seat};
use crate::app::ground::engines::Engines;
use crate::app::ground::home::Home;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::platform::PLATFORM;
use crate::app::ground::requests::{BeginRequest, LetterRequest, Requests};
use crate::app::ground::settings::Settings;
use crate::app::ground::setup::{MatchSetup, NEAR, Purpose};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use bevy::prelude::*;
use bevy::state::state::StateTransitionSystems;
use qiju_core::book::{BookPlayer, BookUse};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::SeatSpec;
use qiju_core::record::journal::Post;
use qiju_core::record::letter::Letter;
use qiju_core::rules::{BySide, Point, Side};
use qiju_core::table::{OpeningRule, Piece, PlayerHandle};

/// A piece on the board.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardPiece(pub Piece);

/// The point of a piece.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(pub Point);

/// A number that distinguishes pieces of the same kind: it selects the grain.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(pub u64);

/// The match that becomes the current one when the screen is entered; until then, everything refers to the previous
/// match.
#[derive(Resource)]
struct NextMatch(CurrentMatch);

/// The step between leaving the old match and entering the new one.
fn install(world: &mut World) {
    if *world.resource::<State<Screen>>().get() == Screen::Match
        && let Some(NextMatch(next)) = world.remove_resource()
    {
        world.insert_resource(next);
    }
}

fn begin(
    mut begins: MessageReader<BeginRequest>,
    mut commands: Commands,
    current: Option<Res<CurrentMatch>>,
    (library, results, home): (Res<Library>, Res<MyResults>, Res<Home>),
    mut notices: ResMut<Notices>,
    (settings, engines, mut requests): (Res<Settings>, Res<Engines>, Requests),
    mut posts: ResMut<Posts>,
    mut unfinished: ResMut<Unfinished>,
    (mut screen, mut menu): (ResMut<NextState<Screen>>, ResMut<NextState<Menu>>),
) {
    let posts = posts.bypass_change_detection();
    for request in begins.read() {
        let made = match request {
            BeginRequest::Start(setup) => {
                remember(&settings, setup, &mut requests);
                start(&library, &results, (posts, &settings), setup, None)
            }
            BeginRequest::Rematch(swap) => {
                let Some(current) = current.as_ref().filter(|current| !current.looks_on()) else { continue };
                let mut setup = current.match_setup();
                if *swap {
                    setup.seats = BySide::new(setup.seats.second, setup.seats.first);
                    setup.control = BySide::new(setup.control.second, setup.control.first);
                }
                start(&library, &results, (posts, &settings), &setup, current.to_play_again())
            }
            // A letter belongs to a match.
            BeginRequest::Record(record, _) if let Ok(Some(letter)) = Letter::of(record) => {
                requests.write(LetterRequest::Read(Box::new(letter)));
                continue;
            }
            BeginRequest::Letters(number) => letters::resume(&home, &library, *number),
            BeginRequest::Record(record, path) => match_of(&library, &engines, record, path.as_deref()),
            BeginRequest::Letter(record) => match_of(&library, &engines, record, None).map(|mut made| {
                made.unhelped = true;
                made
            }),
            BeginRequest::Resume => match unfinished.take(&library) {
                Some(result) => result,
                None => continue,
            },
        };
        match made {
            Ok(made) => {
                unfinished.give_way();
                commands.insert_resource(NextMatch(made));
                screen.set(Screen::Match);
                menu.set(Menu::None);
            }
            Err(why) => notices.fail(why),
        }
    }
}

/// A new match, which may be another one against the friend of the match before.
fn start(
    library: &Library,
    results: &MyResults,
    (posts, settings): (&mut Posts, &Settings),
    setup: &MatchSetup,
    again_after: Option<(u64, Post, Side)>,
) -> Result<CurrentMatch, Message> {
    let seed = fresh_seed();
    let library_game = library.game(setup.game).ok_or_else(|| message!("there is no game '{}'", setup.game))?;
    let mut setup = setup.clone();
    // A friend plays against the user.
    if let Some(friend) = Side::BOTH.into_iter().find(|side| setup.seats[*side] == SeatSpec::Friend) {
        setup.seats[!friend] = SeatSpec::Human;
        setup.purpose = Purpose::Friend;
    }
    // The ratings are those of the levels without a manner, and of players who have the same time.
    if setup.purpose == Purpose::Rated {
        setup.control = BySide::equal(setup.control.first);
        for seat in Side::BOTH {
            if let SeatSpec::Computer { manner, .. } = &mut setup.seats[seat] {
                *manner = None;
            }
        }
    }
    // Each match has a different balanced opening.
    if let (plain, OpeningRule::Balanced) = setup.setup.rules()
        && let Some(opening) = library_game.entry.opening(plain, seed)
    {
        setup.setup.position = opening.position;
    }
    let near;
    (setup.seats, near) = results.seats(library_game, &setup.seats, (setup.setup.position.as_deref(), seed));
    let mut made = CurrentMatch::new(library_game, &setup, seed)?;
    made.near = near;
    if made.friend().is_some() {
        made.post = posts.begin(settings, again_after.as_ref())?;
        // Links that the user sends have days.
        if made.post.is_none() {
            made.control = BySide::default();
        }
    }
    made.again_after = again_after;
    Ok(made)
}

/// Remembers the setup for the next match.
fn remember(settings: &Settings, setup: &MatchSetup, requests: &mut Requests) {
    if !setup.purpose.traits().counts {
        return;
    }
    let mut last = settings.last_setup(setup.game);
    for side in Side::BOTH {
        if let SeatSpec::Computer { level, .. } = setup.seats[side]
            && level != NEAR
        {
            last.levels[side] = level;
        }
    }
    (last.variant, last.seats, last.control) = (setup.setup.variant.clone(), setup.seats.clone(), setup.control);
    let game = setup.game;
    requests.change(move |settings: &mut Settings| drop(settings.setups.insert(game.to_owned(), last.clone())));
}

/// Creates the seats and pieces of the new match, and removes those of the previous one.
fn deal(
    mut commands: Commands,
    current: Res<CurrentMatch>,
    (learning, settings): (Res<Learning>, Res<Settings>),
    old: Query<Entity, Or<(With<Seat>, With<BoardPiece>)>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    for side in Side::BOTH {
        let mut seat = commands.spawn((Seat(side), DespawnOnExit(Screen::Match)));
        match &current.seats()[side] {
            SeatSpec::Computer { level, manner } => {
                let remembers = settings.learns && learns(&current, *level);
                let lessons = remembers.then(|| learning.lessons().clone());
                seat.insert(Computer { level: *level, manner: manner.clone(), player: player(&current, &settings), lessons })
            }
            SeatSpec::External { name } => seat.insert(ExternalProgram::new(name.clone())),
            SeatSpec::Human => seat.insert(Human),
            SeatSpec::Friend => seat.insert(Friend),
        };
    }
    for (point, piece) in current.shown().pieces() {
        commands.spawn(board_piece(piece, point));
    }
}

/// Our engine for a match, with the book that was chosen for the game. The levels of rated matches have ratings without one.
fn player(current: &CurrentMatch, settings: &Settings) -> PlayerHandle {
    let (player, purpose) = (current.table().player(), current.match_setup().purpose);
    let may = PLATFORM.folders && purpose.traits().counts && purpose != Purpose::Rated;
    match settings.books.get(current.table().game()).filter(|book| may && book.plays) {
        Some(book) => {
            PlayerHandle::new(Box::new(BookPlayer::new(player, BookUse { file: book.file.clone(), plies: book.plies })))
        }
        None => PlayerHandle::new(player),
    }
}

/// Creates a piece on a point.
pub fn board_piece(piece: Piece, point: Point) -> impl Bundle {
    let identity = u64::from(point.x) | u64::from(point.y) << 8 | (piece.side.index() as u64) << 16;
    (BoardPiece(piece), At(point), Identity(identity), DespawnOnExit(Screen::Match))
}

pub(super) fn plugin(app: &mut App) {
    let between = install.after(StateTransitionSystems::ExitSchedules).before(StateTransitionSystems::EnterSchedules);
    app.add_systems(StateTransition, between);
    app.add_systems(Update, begin.in_set(Step::Input)).add_systems(OnEnter(Screen::Match), deal);
}
