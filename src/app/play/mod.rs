//! One match: it is set up, moves are asked for, the referee answers, the journal is kept.
//!
//! There is one way in: a click, a key, an engine's answer all write [`MoveRequested`]; only the referee changes
//! [`CurrentMatch`], and tells what happened by [`BoardChanged`] or [`MoveRefused`].

mod begin;
mod clock;
mod copying;
mod dialog;
mod editor;
mod export;
mod game;
mod journal;
mod learning;
mod messages;
mod painting;
mod phase;
mod reading;
mod records;
mod referee;
mod repeat;
mod score_sheet;
mod search;
mod seats;
mod speech;
mod think;

pub use begin::{At, BoardPiece, Identity, board_piece};
pub use clock::{LowTime, MatchClock, SHORT as SHORT_TIME};
pub use dialog::{FileDialog, FolderEntry, FolderPage, endings};
pub use editor::TreeEditor;
pub use export::ExportChoice;
pub use game::CurrentMatch;
pub use journal::{MatchJournal, Unfinished};
pub use learning::{Learning, table_of};
pub use messages::{BoardChanged, MatchEnded, MoveRefused, MoveRequested, MoveWarned, Passage, Rewind};
pub use painting::Painting;
pub use phase::in_match;
pub use reading::{GameList, ListedGame};
pub use records::{DeletedGame, SavedGame, SavedGames, day_of, open as open_record};
pub use referee::Judging;
pub use score_sheet::{Entry, ScoreSheet};
pub use search::Search;
pub use seats::{Computer, ExternalProgram, Human, Seat};
pub use speech::Spoken;
pub use think::{Broken, Thinking, ThoughtLine};

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((copying::plugin, dialog::plugin, export::plugin, painting::plugin, reading::plugin))
        .add_plugins((messages::plugin, begin::plugin, clock::plugin, journal::plugin, learning::plugin, phase::plugin))
        .add_plugins((records::plugin, referee::plugin, repeat::plugin, score_sheet::plugin, speech::plugin, think::plugin));
}
