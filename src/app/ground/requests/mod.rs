//! Requests of the user: written by menus and keys, each handled by one module, which is named at its type; with the types of their data.
//!
//! Anybody may send a request, and only its module reads it (a test holds this). What others must know of is told by what changed, or by a message
//! of its own. Requests to the modules of one part of the program are in a file of that part.

mod activities;
mod explore;
mod play;

pub use activities::{
    AttemptRequest, Effort, LearnStep, LetterRequest, MistakeStep, PuzzleGrade, PuzzleStep, PuzzleWish, RepertoireDrill,
    RepertoireStep, ReviewRequest, TaskStep, TeachRequest, ThreatRequest, TrainerRequest, TreePart, VoiceRequest,
};
pub use explore::{
    AnalysisRequest, BookRequest, CountGames, CursorRequest, GamesFilter, GamesOf, Go, HintRequest, PrepareRequest,
    RefuteRequest, SeekWin, StudyPage, StudyRequest, TakeLine, TruthRequest,
};
pub use play::{
    BeginRequest, CopyRequest, DataRequest, DialogRequest, Discard, ExportRequest, FileAim, FileChosen, ForgetLessons,
    LibraryRequest, Output, PictureOrder, ReadRequest, RecordsRequest, RefereeRequest, ShowEnding, StopPainting, TryAgain,
    WatchRequest,
};

use super::commands::CommandTable;
use super::engines::OtherEngine;
use super::kept::{Change, Kept};
use super::position::{PictureRequest, PositionWish};
use super::state::Menu;
pub use crate::print::PictureKind;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use qiju_core::table::{Choice, Setup};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

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

/// To `ui::clipboard`: read what lies in the system's clipboard.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasteClipboard;

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
    app.add_plugins((activities::plugin, explore::plugin, play::plugin));
    app.add_message::<PositionWish>().add_message::<PictureRequest>();
    app.add_message::<PasteClipboard>();
    app.add_message::<PressOption>();
    app.add_message::<ShowEngineOptions>();
    app.add_message::<SelectionRequest>();
    app.add_message::<PageRequest>();
    app.add_message::<RulesRequest>();
    app.add_message::<TrySound>();
    app.add_message::<LayoutRequest>();
}
