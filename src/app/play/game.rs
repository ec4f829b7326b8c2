//! The match that is played: its moves, its players, how it ended. Only the referee changes it; any other part may show another place of its tree.

use super::messages::BoardChanged;
use crate::app::ground::library::LibraryGame;
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::record::journal::{Header, VERSION};
use crate::record::{SeatSpec, Tags};
use crate::rules::{BySide, Outcome, PlayError, Side};
use crate::table::{Action, Clock, NodeId, Piece, PlayedGame, SetupError, Table, TimeControl, Tree};
use bevy::prelude::*;

/// How a match came to be.
pub(super) enum Beginning {
    /// It begins.
    Fresh,
    /// The journal told it, and goes on in the same file.
    Journal(Clock),
    /// A record told it; `clock` has the times that were kept.
    Record(Clock),
}

/// The match being played: the table at the present, the tree of its moves, and the cursor, which is the place that is shown.
#[derive(Resource)]
pub struct CurrentMatch {
    pub(super) played: PlayedGame,
    library_game: LibraryGame,
    pub(super) seats: BySide<SeatSpec>,
    pub(super) control: TimeControl,
    start: Vec<Piece>,
    pub(super) ended: Option<Outcome>,
    seed: u64,
    pub(super) beginning: Beginning,
    pub(super) from_record: bool,
    /// Something has happened in it since it was set up or opened.
    pub(super) worked_on: bool,
    purpose: Purpose,
    heading: Heading,
}

/// What a record says about a game beside its moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// Event, date, place and so on.
    pub tags: Tags,
    /// The players' names, where they are known.
    pub names: BySide<Option<String>>,
}

impl CurrentMatch {
    /// Sets up a match.
    ///
    /// # Errors
    /// The setup is no position of the game.
    pub fn new(library_game: &LibraryGame, setup: &MatchSetup, seed: u64) -> Result<CurrentMatch, SetupError> {
        let table = library_game.entry.table(&setup.setup)?;
        let start = table.pieces().into_iter().map(|(_, piece)| piece).collect();
        Ok(CurrentMatch {
            played: PlayedGame::new(table),
            library_game: library_game.clone(),
            seats: setup.seats.clone(),
            control: setup.control.sane(),
            start,
            ended: None,
            seed,
            beginning: Beginning::Fresh,
            from_record: false,
            worked_on: false,
            purpose: setup.purpose,
            heading: Heading::default(),
        })
    }

    /// The match as a journal or a record told it.
    pub(super) fn told(mut self, played: PlayedGame, ended: Option<Outcome>, beginning: Beginning, from_record: bool) -> Self {
        (self.played, self.ended, self.beginning, self.from_record) = (played, ended, beginning, from_record);
        self
    }

    /// The same with what its record says beside the moves.
    pub(super) fn headed(self, heading: Heading) -> Self {
        CurrentMatch { heading, ..self }
    }

    /// What the record it was opened from says beside the moves.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// The table at the present of the match.
    pub fn table(&self) -> &dyn Table {
        self.played.table()
    }

    /// The moves played and tried, to look at.
    pub fn played(&self) -> &PlayedGame {
        &self.played
    }

    /// The tree of the moves.
    pub fn tree(&self) -> &Tree {
        self.played.tree()
    }

    /// The place of the tree that is shown.
    pub fn cursor(&self) -> NodeId {
        self.played.cursor()
    }

    /// The table as it is shown.
    pub fn shown(&self) -> &dyn Table {
        self.played.shown()
    }

    /// True if something else than the present is looked at.
    pub fn is_looking_back(&self) -> bool {
        self.cursor() != self.played.present() || self.played.sketch().is_some()
    }

    /// True where the player's next move on the board is a move of the match.
    pub fn plays_here(&self) -> bool {
        self.human_to_move() && !self.is_looking_back()
    }

    /// True where a move at another moment than the present is a variation: no match is running on.
    pub fn explores(&self) -> bool {
        self.outcome().is_some() || self.from_record
    }

    /// The first move of the variation a move belongs to, the innermost one; `None` for the root and the moves of the match.
    pub fn variation_of(&self, node: NodeId) -> Option<NodeId> {
        let (played, tree) = (&self.played, self.tree());
        let mut at = node;
        while !played.is_of_line(at) {
            let parent = tree.previous(at)?;
            if played.is_of_line(parent) || tree.next(parent) != Some(at) {
                return Some(at);
            }
            at = parent;
        }
        None
    }

    /// True if a variation, named by its first move, can move up among its siblings: never above the moves of the match.
    pub fn can_promote(&self, variation: NodeId) -> bool {
        let siblings = self.tree().previous(variation).map_or(&[][..], |parent| self.tree().node(parent).children());
        let place = siblings.iter().position(|sibling| *sibling == variation);
        place.and_then(|place| siblings.get(place.checked_sub(1)?)).is_some_and(|above| !self.played.is_of_line(*above))
    }

    /// True if the player may move a piece on the board as it is shown: in the match, as a variation, or in a line that is shown for a while.
    pub fn hand_moves(&self) -> bool {
        let shown = self.shown();
        match self.played.sketch() {
            _ if self.plays_here() => true,
            _ if shown.outcome().is_some() => false,
            Some(_) => self.played.sketch_player() == Some(shown.turn()),
            None => self.explores() && (self.is_looking_back() || self.outcome().is_some()),
        }
    }

    /// The game played.
    pub fn game(&self) -> &LibraryGame {
        &self.library_game
    }

    /// Who plays where. Seats are called by the sides they have, in an opening that settles the sides by
    /// [`Table::seat_to_move`]'s rule.
    pub fn seats(&self) -> &BySide<SeatSpec> {
        &self.seats
    }

    /// The seat of a side; before the sides are settled the first side's is the first.
    pub fn seat_of(&self, side: Side) -> Side {
        self.table().seat_of(side).unwrap_or(side)
    }

    /// The pieces the match began with, in any order.
    pub fn start_pieces(&self) -> &[Piece] {
        &self.start
    }

    /// How the match ended: by the rules, or by a player's word.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| self.table().outcome())
    }

    /// The seed of the computer's errors in this match.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// True if a person is to move and the match goes on.
    pub fn human_to_move(&self) -> bool {
        self.outcome().is_none() && self.seats[self.table().seat_to_move()] == SeatSpec::Human
    }

    /// The person who would give up: the one to move, else the other; `None` if nobody is one or the match is over.
    pub fn resigner(&self) -> Option<Side> {
        let turn = self.table().seat_to_move();
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
        self.played.can_undo() && self.purpose != Purpose::Rated
    }

    /// True if a move was taken back and can be played again.
    pub fn can_redo(&self) -> bool {
        self.played.can_redo()
    }

    /// The first and the last ply of the cycle that closed with the present position: its earlier appearance, and now.
    pub fn cycle(&self) -> Option<(usize, usize)> {
        let mut table = self.table().boxed_clone();
        let (key, last) = (table.key(), table.ply());
        while table.undo().is_some() {
            if table.key() == key {
                return Some((table.ply(), last));
            }
        }
        None
    }

    /// What would set this match up again.
    pub fn match_setup(&self) -> MatchSetup {
        MatchSetup {
            game: self.library_game.entry.key,
            setup: self.table().setup().clone(),
            seats: self.seats.clone(),
            control: self.control,
            purpose: self.purpose,
        }
    }

    pub(super) fn header(&self) -> Header {
        Header {
            version: VERSION,
            game: self.library_game.entry.key.to_owned(),
            setup: self.table().setup().clone(),
            seats: self.seats.clone(),
            control: self.control,
            seed: self.seed,
            rated: self.purpose == Purpose::Rated,
            from_record: self.from_record,
            tags: self.heading.tags.clone(),
            names: self.heading.names.clone(),
        }
    }
}

/// More steps through the match than this are not shown one by one,
const SHOWN_STEPS: usize = 1;
/// and of a line that is shown for a while.
const SHOWN_SKETCH: usize = 2;

/// Showing other places of the tree. What that changes on the board is returned, in order.
impl CurrentMatch {
    /// Shows this place.
    pub fn go(&mut self, to: NodeId) -> Vec<BoardChanged> {
        BoardChanged::of_steps(self.played.go(to), SHOWN_STEPS)
    }

    /// Shows the present of the match; a line shown for a while is over.
    pub fn go_to_present(&mut self) -> Vec<BoardChanged> {
        let most = if self.played.sketch().is_some() { SHOWN_SKETCH } else { SHOWN_STEPS };
        BoardChanged::of_steps(self.played.go_to_present(), most)
    }

    /// Begins a line that is shown for a while, at this place; see [`PlayedGame::begin_sketch`].
    pub fn begin_sketch(&mut self, at: NodeId, player: Option<Side>) -> Vec<BoardChanged> {
        BoardChanged::of_steps(self.played.begin_sketch(at, player), SHOWN_SKETCH)
    }

    /// The same with moves in it, of which the first is shown at once. The nodes of the moves come first.
    pub fn begin_sketch_of(&mut self, at: NodeId, moves: impl IntoIterator<Item = Action>) -> (Vec<NodeId>, Vec<BoardChanged>) {
        let mut steps = self.played.begin_sketch(at, None);
        let line = self.played.draw_sketch(at, moves);
        if let Some(first) = line.first() {
            steps.extend(self.played.go(*first));
        }
        (line, BoardChanged::of_steps(steps, SHOWN_SKETCH))
    }

    /// Plays a move of it.
    ///
    /// # Errors
    /// The rules refuse it.
    pub fn play_sketch(&mut self, action: Action) -> Result<BoardChanged, PlayError> {
        self.played.play_sketch(action).map(BoardChanged::of_step)
    }

    /// Shows another place of it.
    pub fn go_in_sketch(&mut self, to: NodeId) -> Vec<BoardChanged> {
        BoardChanged::of_steps(self.played.go(to), SHOWN_SKETCH)
    }

    /// Ends it and shows what was shown before.
    pub fn end_sketch(&mut self) -> Vec<BoardChanged> {
        BoardChanged::of_steps(self.played.end_sketch(), SHOWN_SKETCH)
    }
}
