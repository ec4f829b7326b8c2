//! The match: its setup, the requests for moves, the referee, the journal.
//!
//! Clicks, keys and engines all send [`MoveRequested`]; only the referee changes
//! [`CurrentMatch`], and it reports the result with [`BoardChanged`] or [`MoveRefused`].

mod activity;
mod begin;
mod clock;
mod copying;
mod data;
mod dialog;
mod editor;
mod ending;
mod export;
mod game;
mod game_library;
mod journal;
mod learning;
mod letters;
mod messages;
#[cfg_attr(not(all(feature = "friends", not(target_arch = "wasm32"))), path = "no_network.rs")]
mod network;
mod offers;
mod painting;
#[cfg_attr(not(feature = "friends"), path = "no_post.rs")]
mod post;
mod reading;
mod records;
mod referee;
mod repeat;
mod results;
mod score_sheet;
mod search;
mod seats;
mod speech;
mod think;
mod watch;

pub use activity::{HeldBack, Marked, Opened, Walk, Walks, at_board, is_on, is_whole_game};
pub use begin::{At, BoardPiece, Identity, board_piece};
pub use clock::{LowTime, MatchClock, SHORT as SHORT_TIME};
pub use data::{OfferedData, account, finish_taking};
pub use dialog::{FileDialog, FolderEntry, FolderPage, endings};
pub use editor::TreeEditor;
pub use ending::EndCard;
pub use export::ExportChoice;
pub use game::{CurrentMatch, fresh_seed, in_match};
pub use game_library::GameLibrary;
pub use journal::{MatchJournal, Unfinished};
pub use learning::{Learning, table_of};
pub use letters::{Brings, Connection, LetterMatch, Letters, Turn, accept, note_post, put_away, recovered, resume};
pub use messages::{
    BoardChanged, DataTaken, Helped, MatchEnded, MoveArrived, MoveRefused, MoveRequested, MoveWarned, Passage, Rewind, TakenBack,
    TaskDone,
};
pub use offers::{NoOffer, Offers, Question, Wish};
pub use painting::Painting;
pub use post::{Posts, look_on, shared};
pub use reading::{GameList, ListedGame, Rescue};
pub use records::{DeletedGame, SavedGame, SavedGames, day_of, open as open_record};
pub use referee::Judging;
pub use results::{Milestone, MyResults, Way};
pub use score_sheet::{Entry, ScoreSheet};
pub use search::Search;
pub use seats::{Computer, ExternalProgram, Friend, Human, Seat};
pub use speech::{Spoken, say_all};
pub use think::{Broken, Thinking, ThoughtLine};
pub use watch::Watch;

use bevy::prelude::*;

/// True if this program can carry letters by itself.
pub const CARRIES: bool = cfg!(feature = "friends");
/// True if it can be the broker of its own matches.
pub const HOSTS: bool = cfg!(all(feature = "friends", not(target_arch = "wasm32")));

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        activity::plugin,
        copying::plugin,
        data::plugin,
        dialog::plugin,
        export::plugin,
        game_library::plugin,
        painting::plugin,
        reading::plugin,
    ))
    .add_plugins((messages::plugin, begin::plugin, clock::plugin, ending::plugin, journal::plugin, learning::plugin))
    .add_plugins((letters::plugin, post::plugin))
    .add_plugins((
        offers::plugin,
        records::plugin,
        referee::plugin,
        repeat::plugin,
        results::plugin,
        score_sheet::plugin,
        speech::plugin,
        think::plugin,
        watch::plugin,
    ));
}
