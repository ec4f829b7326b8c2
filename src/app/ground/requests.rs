//! Requests of the user: written by menus and keys, each handled by one module, which is named at its type; with the types of their data.
//!
//! Anybody may send a request, and only its module reads it (a test holds this). What others must know of is told by what changed, or by a message
//! of its own.

use super::commands::CommandTable;
use super::engines::OtherEngine;
use super::exercise::Drill;
use super::kept::{Change, Kept};
use super::position::{PictureRequest, PositionWish};
use super::setup::MatchSetup;
use super::state::Menu;
pub use crate::print::PictureKind;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use qiju_core::book::BookEdit;
use qiju_core::library::GameId;
use qiju_core::record::accord::Agreement;
use qiju_core::record::data::Data;
use qiju_core::record::journal::Post;
use qiju_core::record::letter::{Letter, Phrase};
use qiju_core::record::{Charset, Format, Record};
use qiju_core::rules::{Outcome, Side};
use qiju_core::table::{Action, Choice, NodeId, PuzzleKind, Setup, TreeEdit};
use std::any::Any;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A request of any kind.
#[derive(Clone, Debug)]
pub struct AnyRequest(Arc<dyn Request>);

/// What every request can do.
trait Request: Any + Debug + Send + Sync {
    fn write(&self, world: &mut World);
    fn is(&self, other: &AnyRequest) -> bool;
}

impl<R: Message + Clone + Debug + PartialEq> Request for R {
    fn write(&self, world: &mut World) {
        world.write_message(self.clone());
    }

    fn is(&self, other: &AnyRequest) -> bool {
        other.get() == Some(self)
    }
}

impl<R: Message + Clone + Debug + PartialEq> From<R> for AnyRequest {
    fn from(request: R) -> AnyRequest {
        AnyRequest(Arc::new(request))
    }
}

impl PartialEq for AnyRequest {
    fn eq(&self, other: &AnyRequest) -> bool {
        self.0.is(other)
    }
}

impl AnyRequest {
    /// The request, if it is of this kind.
    pub fn get<R: Message>(&self) -> Option<&R> {
        let request: &dyn Any = &*self.0;
        request.downcast_ref()
    }

    /// Sends it at once.
    pub fn send(self, world: &mut World) {
        self.0.write(world);
        world.get_resource_or_init::<Sent>().now.push(self);
    }
}

/// Sends requests. They arrive before the systems that run after the one that sends them.
#[derive(SystemParam)]
pub struct Requests<'w, 's> {
    queue: Commands<'w, 's>,
    table: Option<Res<'w, CommandTable>>,
}

impl Requests<'_, '_> {
    /// Sends a request.
    pub fn write(&mut self, request: impl Into<AnyRequest>) {
        let request = request.into();
        self.queue.queue(move |world: &mut World| request.send(world));
    }

    /// The key that sends the same.
    pub fn key_of(&self, request: &AnyRequest) -> Option<&'static str> {
        self.table.as_ref()?.key_of(request)
    }

    /// Asks for a change of what is kept.
    pub fn change<K: Kept>(&mut self, edit: impl Fn(&mut K) + Send + Sync + 'static) {
        self.write(Change::new(edit));
    }
}

/// The requests of this frame and of the one before: until they have been handled and drawn, the window does not rest.
#[derive(Resource, Default)]
pub struct Sent {
    now: Vec<AnyRequest>,
    before: Vec<AnyRequest>,
}

impl Sent {
    /// The frame is over. True if there is a request of this frame or of the one before.
    pub fn end_frame(&mut self) -> bool {
        let any = !self.now.is_empty() || !self.before.is_empty();
        if any {
            self.before = std::mem::take(&mut self.now);
        }
        any
    }

    /// Those of the frame before.
    pub fn before(&self) -> &[AnyRequest] {
        &self.before
    }
}

/// A navigation step in the tree of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// To the beginning.
    Start,
    /// One move back.
    Back,
    /// One move forward.
    Forward,
    /// To the end of the match.
    End,
    /// Leave a variation or sketch and return to the match.
    Leave,
    /// To the position after this number of moves of the match.
    Ply(usize),
    /// To this node of the tree.
    To(NodeId),
}

/// A page of study beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StudyPage {
    /// The review of the game.
    Review,
    /// The engine's analysis of the position that is shown.
    Analysis,
    /// The moves that were played from this position in the games of the library.
    Explorer,
}

/// How long a review searches each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// A glance.
    Quick,
    /// Enough for most games.
    #[default]
    Normal,
    /// For games of good players.
    Thorough,
}

/// To `activities::study::state::learn`: what is to be done with the positions before one's own mistakes.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnStep {
    /// Begin with those of this side.
    Begin(Side),
    /// Show the better move.
    Show,
    /// Go to the next one.
    Next,
    /// End it.
    End,
}

/// To `activities::first_steps`: what is to be done with the first steps.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStep {
    /// Open the first steps of this game at the first task that is not done.
    Open(&'static str),
    /// Go to the task with this number, counted from 0.
    To(usize),
    /// Go to the next one.
    Next,
    /// Go to the one before.
    Previous,
    /// Begin this one again.
    Again,
    /// Show a move that leads on.
    Show,
}

/// How hard the puzzles are to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PuzzleGrade {
    /// As the user's rating suggests.
    #[default]
    Suited,
    /// Easy.
    Easy,
    /// Medium.
    Medium,
    /// Hard.
    Hard,
}

/// Which puzzles the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleWish {
    /// Of this kind; `None` is all kinds.
    pub kind: Option<PuzzleKind>,
    /// With this theme; `None` is all.
    pub theme: Option<&'static str>,
    /// How hard.
    pub grade: PuzzleGrade,
}

/// To `activities::puzzles`: what is to be done with puzzles.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleStep {
    /// Begin with those of this game.
    Open(&'static str),
    /// The same with the missed ones that are due, of whatever kind.
    Due(&'static str),
    /// Begin one of these.
    Wish(PuzzleWish),
    /// Show the themes, to choose one.
    Themes,
    /// Begin a timed run, or end it.
    Run(bool),
    /// Give the next hint for the move.
    Hint,
    /// Show the solution.
    Show,
    /// Begin the next one.
    Next,
    /// Ask whether the results in this game are to be erased; then the answer.
    Erase(Option<bool>),
}

/// To `activities::mistakes`: what is to be done with the player's own mistakes.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum MistakeStep {
    /// Open the page that says what is due.
    Open,
    /// Ask what is due: of this game, or of all games.
    Begin(Option<&'static str>),
    /// Show the better move.
    Show,
    /// Go to the next one.
    Next,
}

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

/// To `activities::letters`: matches by letter.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum LetterRequest {
    /// Show the list of matches.
    List,
    /// Show the letter of the match on the board, to be sent.
    Show,
    /// Show the link with which others can watch the match on the board.
    ShowLink,
    /// A letter is to be read.
    Read(Box<Letter>),
    /// A letter of the match on the board has come by itself, and has waited so long for the user.
    Came(Box<Letter>, Duration),
    /// Begin the match of the letter that was read, as the one it was written to, or watch it.
    Accept,
    /// Show the game of the letter that was read by itself.
    Look,
    /// Go on with the match with this number.
    GoOn(u64),
    /// Take this match off the list. Its game is kept among the saved games.
    PutAway(u64),
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

/// To `ui::clipboard`: read what lies in the system's clipboard.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasteClipboard;

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

/// To `explore::cursor`: what is shown of the match, and what is written beside it.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum CursorRequest {
    /// Show another node of the tree.
    Go(Go),
    /// Undo to the user's own last turn.
    Undo,
    /// Redo.
    Redo,
    /// Take back all moves after the position shown.
    GoOnFromHere,
    /// Show the moves of a repetition cycle, one after the other.
    ShowCycle,
    /// Play a move that does not belong to the match: a variation, or a defence in an attempt to refute a win.
    Try(Action),
    /// Change the tree, but not the match: comments, glyphs, marks, the order of variations.
    Edit(TreeEdit),
}

/// To `explore::hint`: a hint is wanted.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintRequest;

/// To `explore::analysis`.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum AnalysisRequest {
    /// Switch the analysis on or off.
    Switch,
    /// Switch it on, if it is not on.
    Begin,
    /// Let it rest (`true`), or go on.
    Pause(bool),
    /// Show so many lines.
    Lines(usize),
    /// Have this program of the settings analyse, or our own engine.
    With(Option<String>),
}

/// To `explore::lines`: take this line of the analysis, counted from 0, as a variation.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakeLine(pub usize);

/// To `explore::study`: open a page of study beside the board, or close it.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyRequest(pub Option<StudyPage>);

/// The games that the explorer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesOf {
    /// All of the library.
    Library,
    /// Those of the library that the player has played.
    Mine,
    /// The others of the library.
    Others,
    /// Those of our engine, which come with the program.
    Engine,
}

/// Which games the explorer counts; an empty part leaves none out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesFilter {
    /// A part of a player's name.
    pub player: String,
    /// The side of this player.
    pub side: Option<Side>,
    /// The first year.
    pub from: String,
    /// The last year.
    pub to: String,
    /// The winner; `Some(None)` for a draw.
    pub result: Option<Option<Side>>,
}

/// To `explore::explorer`: count these games.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum CountGames {
    /// Those of these players.
    Of(GamesOf),
    /// Those that a filter lets through; all without one.
    Only(Option<GamesFilter>),
}

/// To `explore::book`: a change of the opening book of the game on the board.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum BookRequest {
    /// Change what it has for the position that is shown.
    Edit(BookEdit),
    /// Put the last move before the position that is shown into it.
    AddLast,
}

/// To `activities::study::state::review`.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewRequest {
    /// Go through the match with the engine's judgement of its moves.
    Show,
    /// Have the game reviewed, again if it was already.
    With(Effort),
    /// Stop the review that runs.
    Stop,
    /// Show the next inaccuracy, mistake or blunder (`true`), or the one before.
    NextError(bool),
}

/// To `explore::truth`: show or hide the exact values of the moves of a solved game.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TruthRequest;

/// To `explore::refutation`: show the refutation of the move with this number, counted from 0.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefuteRequest(pub usize);

/// To `explore::proof`: look for a forced win of the running match.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeekWin;

/// To `activities::attempt`: try to refute the proven win.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptRequest;

/// To `activities::teaching`: what the user answers to the verdict on the last move.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeachRequest {
    /// Show on the board why it was bad.
    Why,
    /// Take it back, to try another one.
    Again,
    /// The opponent may go on.
    GoOn,
}

/// To `activities::voice`: put this into words.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceRequest {
    /// What stands at the cursor, where it can go, who attacks it, and whether it is defended.
    Here,
    /// All pieces, by side and kind.
    Pieces,
    /// The rows of the board.
    Rows,
    /// Whose turn it is, and the clocks.
    Clocks,
    /// The last moves.
    Moves,
    /// A move is to be typed.
    Type,
}

/// To `activities::threats`: what the other side threatens, or no longer.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatRequest;

/// To `activities::exercises`: the exercises.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum TrainerRequest {
    /// Open the page of exercises of this game.
    Open(&'static str),
    /// Show the exercises of another variant on this page.
    Variant(String),
    /// Begin this exercise.
    Begin(Drill),
}

/// To `explore::preparation`: start the computation of a variant's missing distances now.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct PrepareRequest {
    /// The game's key.
    pub game: &'static str,
    /// The variant's.
    pub variant: String,
}

/// To `ground::programs`: send a button of an external program before its next search.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct PressOption {
    /// The program.
    pub engine: OtherEngine,
    /// The button's name.
    pub option: String,
}

/// To `ui::engines`: show the options of the external program with this name for this game, or the list of all programs.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ShowEngineOptions {
    /// The game's key.
    pub game: String,
    /// The program's name; `None` shows the list.
    pub name: Option<String>,
}

/// To `hand::selection`: what is chosen on the board.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionRequest {
    /// Play the move that waits for confirmation (`true`), or cancel it.
    Confirm(bool),
    /// Make this choice in the opening.
    Take(Choice),
    /// Clear the selection.
    LetGo,
}

/// To `ground::menus`: the screen and the menus.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum PageRequest {
    /// Go to the title page.
    Title,
    /// Set up a match of this game.
    Choose(&'static str),
    /// Set up a match of this game from this position.
    SetUp {
        /// The game's key.
        game: &'static str,
        /// The variant and the position.
        setup: Setup,
    },
    /// Open or close a menu.
    Menu(Menu),
    /// Quit the program.
    Quit,
}

/// To `ui::rules`: show the rules of a variant of this game.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct RulesRequest(pub &'static str, pub String);

/// To `view::sound`: play a sound, to hear how loud it is.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrySound;

/// To `view::layout`.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutRequest {
    /// Flip the board.
    Flip,
    /// Fold or unfold the side panel of a narrow window.
    Panel,
    /// Let the window fill the screen, or give it its size back.
    FullScreen,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Sent>();
    app.add_message::<BeginRequest>().add_message::<Discard>().add_message::<RefereeRequest>().add_message::<TryAgain>();
    app.add_message::<ShowEnding>().add_message::<WatchRequest>().add_message::<RecordsRequest>().add_message::<ReadRequest>();
    app.add_message::<LibraryRequest>()
        .add_message::<PasteClipboard>()
        .add_message::<DialogRequest>()
        .add_message::<FileChosen>()
        .add_message::<ExportRequest>();
    app.add_message::<StopPainting>().add_message::<DataRequest>().add_message::<ForgetLessons>();
    app.add_message::<CopyRequest>().add_message::<CursorRequest>().add_message::<HintRequest>().add_message::<AnalysisRequest>();
    app.add_message::<CountGames>().add_message::<BookRequest>();
    app.add_message::<TakeLine>().add_message::<StudyRequest>().add_message::<ReviewRequest>().add_message::<TruthRequest>();
    app.add_message::<RefuteRequest>().add_message::<AttemptRequest>().add_message::<SeekWin>().add_message::<TrainerRequest>();
    app.add_message::<PrepareRequest>().add_message::<PressOption>().add_message::<ShowEngineOptions>();
    app.add_message::<SelectionRequest>().add_message::<PageRequest>().add_message::<RulesRequest>();
    app.add_message::<TrySound>().add_message::<LayoutRequest>();
    app.add_message::<TeachRequest>().add_message::<ThreatRequest>().add_message::<VoiceRequest>();
    app.add_message::<LearnStep>().add_message::<TaskStep>().add_message::<PuzzleStep>();
    app.add_message::<MistakeStep>().add_message::<LetterRequest>();
    app.add_message::<PositionWish>().add_message::<PictureRequest>();
}
