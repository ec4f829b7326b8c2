//! Requests to the modules of a match: its beginning and end, its records and files.

use crate::app::ground::setup::MatchSetup;
use crate::print::PictureKind;
use bevy::prelude::*;
use qiju_core::library::GameId;
use qiju_core::record::accord::Agreement;
use qiju_core::record::data::Data;
use qiju_core::record::journal::Post;
use qiju_core::record::letter::Phrase;
use qiju_core::record::{Charset, Format, Record};
use qiju_core::rules::{Outcome, Side};
use qiju_core::table::{Action, NodeId};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a file is chosen for.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAim {
    /// To read the games in it; several may be chosen.
    Open,
    /// To add the games in it to the library, likewise.
    Add,
    /// To add the games of all files in a folder.
    AddFolder,
    /// To be the opening book of a game.
    Book {
        /// The game's key.
        game: &'static str,
        /// The computer is to play from it.
        plays: bool,
    },
    /// To write something to it.
    Save {
        /// What is written.
        output: Output,
        /// The name that is offered, without its ending.
        name: String,
        /// The ending.
        ending: &'static str,
    },
}

impl FileAim {
    /// True if files are read; else one is written.
    pub fn reads(&self) -> bool {
        !matches!(self, FileAim::Save { .. })
    }

    /// The key of the dialog's title.
    pub fn title(&self) -> &'static str {
        match self {
            FileAim::Open => "files.open",
            FileAim::Add | FileAim::AddFolder => "files.add",
            FileAim::Book { .. } => "files.book",
            FileAim::Save { output: Output::Games(_), .. } => "files.save-games",
            FileAim::Save { output: Output::Game(..), .. } => "files.save",
            FileAim::Save { output: Output::Picture(order), .. } => match order.kind {
                PictureKind::Gif => "files.save-film",
                PictureKind::Pdf => "files.save-sheet",
                PictureKind::Png | PictureKind::Svg => "files.save-picture",
            },
            FileAim::Save { output: Output::Data, .. } => "files.save-data",
        }
    }
}

/// What is written to a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A game in this format: the match, or this saved game.
    Game(Format, Option<PathBuf>),
    /// Games of the library, in the format of the ending.
    Games(Arc<[GameId]>),
    /// A picture of the match.
    Picture(PictureOrder),
    /// All of the player's data.
    Data,
}

/// A picture of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureOrder {
    /// What it is.
    pub kind: PictureKind,
    /// Pixels of its longer side.
    pub pixels: u32,
    /// An animated picture begins with the position after so many moves of the match,
    pub from: usize,
    /// and ends with the position after so many.
    pub to: usize,
    /// Milliseconds for each move.
    pub pace_ms: u32,
    /// A diagram on a sheet after each so many moves; 0 is only the last.
    pub every: usize,
}

/// To `play::copying`: what is copied from the match as text.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyRequest {
    /// The game with its variations and comments, as PGN.
    Game,
    /// The position that is shown.
    Position,
    /// The moves of the match.
    Moves,
    /// The address of a page that shows the game, with as much of its variations and comments as fits.
    Link,
    /// The address of a page that shows the position that is shown.
    PositionLink,
    /// The part of the game that begins with this move, as PGN.
    From(NodeId),
}

/// To `play::begin`: a match begins.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum BeginRequest {
    /// Begin a match.
    Start(MatchSetup),
    /// Begin another match with the same setup; with sides swapped if `true`.
    Rematch(bool),
    /// Resume the match found in the journal.
    Resume,
    /// Go on with the match by letter that has this number.
    Letters(u64),
    /// Open this game; the path is that of its file.
    Record(Box<Record>, Option<PathBuf>),
    /// Show the game of a letter whose match may still go on.
    Letter(Box<Record>),
}

/// To `play::journal`: discard the match found in the journal (`true`), or bring back the one that was discarded.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discard(pub bool);

/// To `play::referee`.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum RefereeRequest {
    /// Resign, as this side.
    Resign(Side),
    /// Offer a draw.
    OfferDraw,
    /// Agree to what the other player asks for (`true`), or decline it.
    Answer(bool),
    /// The friend offers a draw.
    FriendOffers,
    /// The friend agrees to the draw that was offered to them.
    FriendAgrees,
    /// A letter of the match was read, with the name of its writer if it tells one, or it is shown to be sent.
    Letter(Option<String>),
    /// The letters of the match go by themselves in this way from now on.
    Post(Box<Post>),
    /// The friend knows that the match is over.
    FriendKnows,
    /// The friend's time has run out, by their own clock.
    FriendIsLate,
    /// A match that the user watches has ended by resignation, agreement or time.
    Ended(Outcome),
    /// Say this to the friend.
    Say(Phrase),
    /// What the friend said at this time, in seconds since 1970, was told.
    Heard(u64),
    /// Ask the friend for a pause of both clocks.
    AskPause,
    /// Let both clocks go on.
    GoOn,
    /// What the friend has agreed to, or asks for.
    Agree(Agreement),
    /// In a teaching match the user takes the last move back to try again.
    TriedAgain,
    /// In a teaching match the user goes on after an error.
    WentOn,
    /// A hint was told: its move, and whether the whole of it was told.
    Hinted(Action, bool),
    /// The letter with the friend's move has waited so long for the user to come to the board.
    Waited(Duration),
}

/// To `play::think`: restart a program that failed.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TryAgain;

/// To `play::ending`: show the card that tells how the match ended, or put it away.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowEnding(pub bool);

/// To `play::watch`: about a match that is only watched.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchRequest {
    /// Stop it (`true`), or let it go on.
    Pause(bool),
    /// Play one move of it, and stop.
    Step,
}

/// To `play::records`: the saved games.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum RecordsRequest {
    /// Save a record of the match.
    Save,
    /// Give this game another title; an empty one takes it away.
    Rename(PathBuf, String),
    /// Delete this game.
    Delete(PathBuf),
    /// Bring back what was deleted last.
    Restore,
}

/// To `play::reading`: read games.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum ReadRequest {
    /// Read these files: a single game is opened, many are listed.
    Open(Vec<PathBuf>),
    /// Read a text that was pasted, likewise.
    Paste(String),
    /// Open the game at this place of the list of games that were read.
    Listed(usize),
    /// Read again what was read last, with its texts in another encoding.
    In(Charset),
    /// Read no further.
    Stop,
}

/// To `play::game_library`: the library of all games.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum LibraryRequest {
    /// Show its page.
    Show,
    /// Open this game, and show it after so many moves.
    Open(GameId, Option<usize>),
    /// Delete these games.
    Delete(Arc<[GameId]>),
    /// Bring back what was deleted last.
    Restore,
    /// Tell of these games what the records tell. Their moves stay.
    Tell(Arc<[(GameId, Record)]>),
    /// Add no further games.
    Stop,
}

/// To `play::dialog`.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum DialogRequest {
    /// Have files chosen.
    Choose(FileAim),
    /// On the page that lists folders: another folder.
    Enter(PathBuf),
}

/// From `play::dialog` to whom the aim concerns: files were chosen.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct FileChosen(pub FileAim, pub Vec<PathBuf>);

/// To `play::export`: choose in which format the match is written to a file, or this saved game.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ExportRequest(pub Option<PathBuf>);

/// To `play::painting`: paint no further.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopPainting;

/// To `play::data`: all of the player's data.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum DataRequest {
    /// Write them to a file.
    Export,
    /// Ask whether these are to be taken over; with the name of their file.
    Offer(String, Box<Data>),
    /// Take over those that were offered.
    Take,
}

/// To `play::learning`: delete the lessons of this game, or of all games.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForgetLessons(pub Option<&'static str>);

pub(super) fn plugin(app: &mut App) {
    app.add_message::<CopyRequest>();
    app.add_message::<BeginRequest>();
    app.add_message::<Discard>();
    app.add_message::<RefereeRequest>();
    app.add_message::<TryAgain>();
    app.add_message::<ShowEnding>();
    app.add_message::<WatchRequest>();
    app.add_message::<RecordsRequest>();
    app.add_message::<ReadRequest>();
    app.add_message::<LibraryRequest>();
    app.add_message::<DialogRequest>();
    app.add_message::<FileChosen>();
    app.add_message::<ExportRequest>();
    app.add_message::<StopPainting>();
    app.add_message::<DataRequest>();
    app.add_message::<ForgetLessons>();
}
