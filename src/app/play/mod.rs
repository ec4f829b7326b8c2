//! One match: deal, input, think, referee, journal.
//!
//! There is one door: a click, a key, an engine's answer all write [`MoveRequested`]; only the referee changes
//! [`CurrentMatch`], and tells what happened by [`BoardChanged`] or [`MoveRefused`].

mod analysis;
mod aside;
mod attempt;
mod browse;
mod clock;
mod deal;
mod diary;
mod forbidden;
mod hint;
mod input;
mod referee;
mod repeat;
mod sheet;
mod shelf;
mod speak;
mod think;
mod truth;

pub use analysis::{Analysis, LINES as ANALYSIS_LINES};
pub use aside::{Aside, LineMove, Refutation, Stride};
pub use attempt::{Attempt, Found, Proof, Stage};
pub use browse::{Look, Walk};
pub use clock::{LowTime, MatchClock, SHORT as SHORT_TIME};
pub use deal::{At, BoardPiece, Identity, board_piece};
pub use diary::{Diary, Unfinished};
pub use forbidden::Restrictions;
pub use hint::Hint;
pub use input::{KeysGo, Pointer, Selection};
pub use sheet::ScoreSheet;
pub(in crate::app) use shelf::open as open_record;
pub use shelf::{Paper, Shelf, day_of};
pub use speak::Spoken;
pub use think::{Broken, Thinking, ThoughtLine};
pub use truth::{Judged, Review, Truth};

use super::library::Shelved;
use super::state::{Phase, Screen};
use crate::protocol::host::ProgramPlayer;
use crate::record::SeatSpec;
use crate::record::journal::{Header, VERSION};
use crate::rules::{BySide, Outcome, Refusal, Side};
use crate::table::{Action, Change, Clock, Lessons, Piece, PlayerHandle, Setup, SetupError, Table, TimeControl};
use bevy::prelude::*;

/// Who plays what: all that is needed to begin a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSetup {
    /// The game's key.
    pub game: &'static str,
    /// Variant and position.
    pub setup: Setup,
    /// Who sits where.
    pub seats: BySide<SeatSpec>,
    /// How much time they have.
    pub control: TimeControl,
    /// What it is played for.
    pub purpose: Purpose,
}

/// What a match is played for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// For the fun of it.
    #[default]
    Casual,
    /// To see who is stronger: no hints, no undo, no truth.
    Rated,
    /// To convert a won position; no journal is kept of it.
    Exercise,
}

/// A seat at the table: an entity with this and [`Human`] or [`Computer`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat(pub Side);

/// A person sits here.
#[derive(Component, Clone, Copy, Debug)]
pub struct Human;

/// The computer sits here.
#[derive(Component, Clone, Debug)]
pub struct Computer {
    /// Its level, 1 to 10.
    pub level: u8,
    /// Its engine.
    pub player: PlayerHandle,
    /// What lost games taught, where it heeds that.
    pub lessons: Option<Lessons>,
}

/// Another program sits here.
#[derive(Component, Clone, Debug)]
pub struct Guest {
    /// Its name in the settings.
    pub name: String,
    /// The program and its command line, once it was asked for a move.
    running: Option<(String, PlayerHandle)>,
}

impl Guest {
    /// The program of this name in the settings; it is started when it is first asked for a move.
    pub fn new(name: String) -> Self {
        Guest { name, running: None }
    }

    /// The player by this command line, which the settings may have changed meanwhile.
    fn player(&mut self, command: &str) -> PlayerHandle {
        if let Some((_, player)) = self.running.as_ref().filter(|(running, _)| running == command) {
            return player.clone();
        }
        let player = PlayerHandle::new(Box::new(ProgramPlayer::new(command.to_owned(), think::PATIENCE)));
        self.running = Some((command.to_owned(), player.clone()));
        player
    }
}

/// How a match came to the table.
enum Origin {
    /// It begins.
    Fresh,
    /// The journal told it, and goes on in the same file.
    Journal(Clock),
    /// A record told it; `clock` has the times that were kept.
    Record(Clock),
}

/// The match being played. Only the referee changes it.
#[derive(Resource)]
pub struct CurrentMatch {
    table: Box<dyn Table>,
    /// The table as it stood at the move that is looked at; `None` is the present.
    looked_at: Option<Box<dyn Table>>,
    /// A line that is shown aside from the match.
    aside: Option<Aside>,
    /// A win that the player tries to refute, aside from the match.
    attempt: Option<Attempt>,
    shelved: Shelved,
    seats: BySide<SeatSpec>,
    control: TimeControl,
    start: Vec<Piece>,
    ended: Option<Outcome>,
    seed: u64,
    origin: Origin,
    purpose: Purpose,
}

impl CurrentMatch {
    /// Sets up a match.
    ///
    /// # Errors
    /// The setup is no position of the game.
    pub fn new(shelved: &Shelved, setup: &MatchSetup, seed: u64) -> Result<CurrentMatch, SetupError> {
        let table = shelved.entry.table(&setup.setup)?;
        let start = table.pieces().into_iter().map(|(_, piece)| piece).collect();
        Ok(CurrentMatch {
            table,
            looked_at: None,
            aside: None,
            attempt: None,
            shelved: shelved.clone(),
            seats: setup.seats.clone(),
            control: setup.control.sane(),
            start,
            ended: None,
            seed,
            origin: Origin::Fresh,
            purpose: setup.purpose,
        })
    }

    /// The table, to look at.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The table as it is shown: the present, an earlier moment that is looked at, or a line aside from the match.
    pub fn shown(&self) -> &dyn Table {
        if let Some(aside) = &self.aside {
            return aside.table();
        }
        if let Some(attempt) = &self.attempt {
            return attempt.table();
        }
        self.looked_at.as_ref().unwrap_or(&self.table).as_ref()
    }

    /// True if something else than the present is looked at.
    pub fn is_looking_back(&self) -> bool {
        self.looked_at.is_some() || self.is_aside()
    }

    /// The line shown aside from the match.
    pub fn aside(&self) -> Option<&Aside> {
        self.aside.as_ref()
    }

    /// The game played.
    pub fn shelved(&self) -> &Shelved {
        &self.shelved
    }

    /// Who sits where. Seats are called by the sides they have, in an opening that settles the sides by
    /// [`Table::seat_to_move`]'s rule.
    pub fn seats(&self) -> &BySide<SeatSpec> {
        &self.seats
    }

    /// The seat of a side; before the sides are settled the first side's is the first.
    pub fn seat_of(&self, side: Side) -> Side {
        self.table.seat_of(side).unwrap_or(side)
    }

    /// The pieces the match began with, in any order.
    pub fn start_pieces(&self) -> &[Piece] {
        &self.start
    }

    /// How the match ended: by the rules, or by a player's word.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| self.table.outcome())
    }

    /// The seed of the computer's errors in this match.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// True if a person is to move and the match goes on.
    pub fn human_to_move(&self) -> bool {
        self.outcome().is_none() && self.seats[self.table.seat_to_move()] == SeatSpec::Human
    }

    /// The person who would give up: the one to move, else the other; `None` if nobody is one or the match is over.
    pub fn resigner(&self) -> Option<Side> {
        let turn = self.table.seat_to_move();
        let person = [turn, !turn].into_iter().find(|seat| self.seats[*seat] == SeatSpec::Human);
        person.filter(|_| self.outcome().is_none()).map(|seat| self.seat_of(seat))
    }

    /// What the match is played for.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// True unless this is a rated match that still goes on.
    pub fn help_allowed(&self) -> bool {
        self.purpose != Purpose::Rated || self.outcome().is_some()
    }

    /// True if there is a move to take back, and it may be.
    pub fn can_undo(&self) -> bool {
        self.table.ply() > 0 && self.purpose != Purpose::Rated
    }

    /// True if a move was taken back and can be played again.
    pub fn can_redo(&self) -> bool {
        self.table.undone() > 0
    }

    /// What would set this match up again.
    pub fn match_setup(&self) -> MatchSetup {
        MatchSetup {
            game: self.shelved.entry.key,
            setup: self.table.setup().clone(),
            seats: self.seats.clone(),
            control: self.control,
            purpose: self.purpose,
        }
    }

    fn header(&self) -> Header {
        Header {
            version: VERSION,
            game: self.shelved.entry.key.to_owned(),
            setup: self.table.setup().clone(),
            seats: self.seats.clone(),
            control: self.control,
            seed: self.seed,
            rated: self.purpose == Purpose::Rated,
        }
    }
}

/// Somebody wants this move played. `ply` is the number of moves played when it was thought of: a late answer is dropped.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRequested {
    /// The move.
    pub action: Action,
    /// Moves played when it was thought of.
    pub ply: usize,
}

/// How the pieces came to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// A move was played.
    Played,
    /// A move was taken back.
    TakenBack,
    /// A move taken back was played again.
    Replayed,
    /// One of many steps at once, too many to show.
    Leapt,
}

/// The pieces on the board have changed.
#[derive(Message, Clone, Debug)]
pub struct BoardChanged {
    /// What changed, in order.
    pub changes: Vec<Change>,
    /// The move played or taken back.
    pub action: Action,
    /// Whose move it is.
    pub mover: Side,
    /// How it came about.
    pub passage: Passage,
    /// Whether the side to move now stands in check.
    pub check: bool,
}

impl BoardChanged {
    /// Takes the table's last move back; `None` if there is none.
    fn by_undo(table: &mut dyn Table) -> Option<BoardChanged> {
        let action = *table.played().last()?;
        let changes = table.undo()?;
        let (mover, check) = (table.turn(), table.check().is_some());
        Some(BoardChanged { changes, action, mover, passage: Passage::TakenBack, check })
    }

    /// Plays the move last taken back again; `None` if there is none.
    fn by_redo(table: &mut dyn Table) -> Option<BoardChanged> {
        let mover = table.turn();
        let changes = table.redo()?;
        let action = *table.played().last()?;
        Some(BoardChanged { changes, action, mover, passage: Passage::Replayed, check: table.check().is_some() })
    }
}

/// A move was refused; nothing has changed.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRefused {
    /// The move wanted.
    pub action: Action,
    /// What the rules have against it.
    pub reason: Refusal,
}

/// A person's move would lose by a rule one forgets easily: nothing has changed, and played once more it counts.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveWarned {
    /// The move wanted.
    pub action: Action,
    /// What it would come to.
    pub outcome: Outcome,
}

/// The match has ended.
#[derive(Message, Clone, Copy, Debug)]
pub struct MatchEnded(pub Outcome);

pub(super) fn plugin(app: &mut App) {
    app.add_message::<MoveRequested>()
        .add_message::<BoardChanged>()
        .add_message::<MoveRefused>()
        .add_message::<MoveWarned>()
        .add_message::<MatchEnded>()
        .add_plugins((
            aside::plugin,
            attempt::plugin,
            analysis::plugin,
            browse::plugin,
            clock::plugin,
            deal::plugin,
            diary::plugin,
            hint::plugin,
            input::plugin,
        ))
        .add_plugins((referee::plugin, repeat::plugin, sheet::plugin, shelf::plugin, speak::plugin, think::plugin))
        .add_plugins((truth::plugin, forbidden::plugin));
}

/// Moves on to the phase the match stands in.
fn direct_phase(
    current: Res<CurrentMatch>,
    phase: Res<State<Phase>>,
    mut next: ResMut<NextState<Phase>>,
    moving: Query<(), With<super::view::Moving>>,
    ready: Res<super::view::Ready>,
) {
    let wanted = if !ready.0 {
        Phase::Deal
    } else if !moving.is_empty() {
        Phase::Animate
    } else if current.outcome().is_some() {
        Phase::Over
    } else if current.human_to_move() {
        Phase::Human
    } else {
        Phase::Think
    };
    if *phase.get() != wanted {
        next.set(wanted);
    }
}

/// True while a match is on the table.
fn in_match(screen: Res<State<Screen>>, current: Option<Res<CurrentMatch>>) -> bool {
    *screen.get() == Screen::Match && current.is_some()
}
