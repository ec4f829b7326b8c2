//! The current match: its moves, its players, its outcome. Only the referee changes it; other modules may move the cursor.

use super::messages::BoardChanged;
use crate::app::ground::activity::{self, Activity};
use crate::app::ground::library::LibraryGame;
use crate::app::ground::setup::{MatchSetup, NEAR, Purpose, Traits};
use crate::app::ground::state::Screen;
use bevy::prelude::*;
use qiju_core::record::accord::Accord;
use qiju_core::record::journal::{Header, Post, VERSION};
use qiju_core::record::letter::Phrase;
use qiju_core::record::{SeatSpec, Tags};
use qiju_core::rules::{BySide, Outcome, PlayError, Side};
use qiju_core::table::{Action, Clock, NodeId, OtherSide, Piece, PlayedGame, SetupError, Table, TimeControl, Tree};

/// How a match began.
pub(super) enum Beginning {
    /// A new match.
    Fresh,
    /// Resumed from the journal, which is continued.
    Journal(Clock),
    /// Opened from a record; `clock` has its times.
    Record(Clock),
}

/// The current match: the table at its last move, the tree of its moves, and the cursor.
#[derive(Resource)]
pub struct CurrentMatch {
    pub(super) played: PlayedGame,
    library_game: LibraryGame,
    pub(super) seats: BySide<SeatSpec>,
    pub(super) control: BySide<TimeControl>,
    start: Vec<Piece>,
    pub(super) ended: Option<Outcome>,
    seed: u64,
    pub(super) beginning: Beginning,
    pub(super) from_record: bool,
    /// It shows a match by letter that may still go on: no engine helps.
    pub(super) unhelped: bool,
    /// True if it was changed since it was set up or opened.
    pub(super) worked_on: bool,
    /// True if the player took moves back or used hints, analysis or exact results before the match was over.
    pub(super) helped: bool,
    /// How often moves of a teaching match were taken back to try again.
    pub(super) tries: usize,
    /// The user goes on after the error that their last move was.
    pub(super) went_on: bool,
    /// The hint that was told for the position at the end of the match, and whether the whole move was told.
    pub(super) hinted: Option<(Action, bool)>,
    /// The seats of our engine whose level was chosen near the player's rating.
    pub(super) near: BySide<bool>,
    /// The seat whose offer of a draw stands, in a match against a friend.
    pub(super) offered: Option<Side>,
    /// The letter to the friend was shown since the match changed last.
    pub(super) letter_shown: bool,
    /// A letter was read or shown since the match began.
    pub(super) invited: bool,
    /// How the letters go by themselves, if they do.
    pub(super) post: Option<Post>,
    /// The friend knows that the match is over.
    pub(super) friend_knows: bool,
    /// What the user said to the friend last, and when.
    pub(super) said: Option<(u64, Phrase)>,
    /// When the friend said the last thing that was told here; 0 if nothing was.
    pub(super) heard: u64,
    /// What both agreed on beside the moves, in a match against a friend.
    pub(super) accord: Accord,
    /// The match before, with the friend's seat, if the friend is invited to another one by the way of that.
    pub(super) again_after: Option<(u64, Post, Side)>,
    /// The seat of the last move, if it came while something else was shown.
    pub(super) arrived: Option<Side>,
    purpose: Purpose,
    /// The activity that began the last sketch.
    sketched_by: Option<Activity>,
    heading: Heading,
}

/// True while there is a current match.
pub fn in_match(screen: Res<State<Screen>>, current: Option<Res<CurrentMatch>>) -> bool {
    *screen.get() == Screen::Match && current.is_some()
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
    /// The setup is not a valid position of the game.
    pub fn new(library_game: &LibraryGame, setup: &MatchSetup, seed: u64) -> Result<CurrentMatch, SetupError> {
        let table = match setup.purpose {
            Purpose::FirstStep(other) => library_game.entry.task_table(&setup.setup, other)?,
            Purpose::Casual
            | Purpose::Rated
            | Purpose::Teaching
            | Purpose::Friend
            | Purpose::Exercise
            | Purpose::HoldOut
            | Purpose::Analysis
            | Purpose::Puzzle => library_game.entry.table(&setup.setup)?,
            Purpose::Mistake | Purpose::Repertoire => {
                // The game that its moves are from may have gone on after a repetition.
                let mut table = library_game.entry.table(&setup.setup)?;
                table.adjudicate(false);
                table
            }
        };
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
            unhelped: false,
            worked_on: false,
            helped: false,
            tries: 0,
            went_on: false,
            hinted: None,
            near: BySide::default(),
            offered: None,
            letter_shown: false,
            invited: false,
            post: None,
            friend_knows: false,
            said: None,
            heard: 0,
            accord: Accord::default(),
            again_after: None,
            arrived: None,
            purpose: setup.purpose,
            sketched_by: None,
            heading: Heading::default(),
        })
    }

    /// The match from a journal or a record.
    pub(super) fn told(mut self, played: PlayedGame, ended: Option<Outcome>, beginning: Beginning, from_record: bool) -> Self {
        (self.played, self.ended, self.beginning, self.from_record) = (played, ended, beginning, from_record);
        self
    }

    /// The same with what its record says beside the moves.
    pub(super) fn headed(self, heading: Heading) -> Self {
        CurrentMatch { heading, ..self }
    }

    /// A player has told their name.
    pub(super) fn name_player(&mut self, seat: Side, name: &str) {
        self.heading.names[seat] = Some(name.to_owned());
    }

    /// What the record it was opened from says beside the moves.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// The table at the last move of the match.
    pub fn table(&self) -> &dyn Table {
        self.played.table()
    }

    /// The match with its tree, read only.
    pub fn played(&self) -> &PlayedGame {
        &self.played
    }

    /// The tree of the moves.
    pub fn tree(&self) -> &Tree {
        self.played.tree()
    }

    /// The node that is shown.
    pub fn cursor(&self) -> NodeId {
        self.played.cursor()
    }

    /// The table at the cursor.
    pub fn shown(&self) -> &dyn Table {
        self.played.shown()
    }

    /// True if the cursor is not at the end of the match.
    pub fn is_looking_back(&self) -> bool {
        self.cursor() != self.played.present() || self.played.sketch().is_some()
    }

    /// The seat whose move has come while an earlier position or a variation is shown, until the user returns to the end of the match.
    pub fn arrived(&self) -> Option<Side> {
        self.arrived.filter(|_| self.is_looking_back())
    }

    /// True if the user's next move on the board is a move of the match.
    pub fn plays_here(&self) -> bool {
        self.human_to_move() && !self.is_looking_back()
    }

    /// True if a move on the board now is played for good: in a match, and where one is asked.
    pub fn counts_moves(&self) -> bool {
        self.plays_here() && !self.is_analysis() || self.traits().beside
    }

    /// True if a move in another position is a variation, because no match is running.
    pub fn explores(&self) -> bool {
        self.outcome().is_some() || self.from_record || self.is_analysis()
    }

    /// True if it was opened from a record.
    pub fn is_of_record(&self) -> bool {
        self.from_record
    }

    /// True for an analysis board.
    pub fn is_analysis(&self) -> bool {
        self.purpose == Purpose::Analysis
    }

    /// The first move of the innermost variation that contains a move; `None` for the root and the moves of the match.
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

    /// True if a variation, given by its first move, can be moved up among its siblings; never above the moves of the match.
    pub fn can_promote(&self, variation: NodeId) -> bool {
        let siblings = self.tree().previous(variation).map_or(&[][..], |parent| self.tree().node(parent).children());
        let place = siblings.iter().position(|sibling| *sibling == variation);
        place.and_then(|place| siblings.get(place.checked_sub(1)?)).is_some_and(|above| !self.played.is_of_line(*above))
    }

    /// True if the user may move a piece on the board: in the match, as a variation, or in a sketch.
    pub fn hand_moves(&self) -> bool {
        let shown = self.shown();
        match self.played.sketch() {
            _ if self.plays_here() => true,
            _ if shown.outcome().is_some() => false,
            Some(_) => self.played.sketch_player() == Some(shown.turn()),
            None => self.explores() && (self.is_looking_back() || self.outcome().is_some()),
        }
    }

    /// The game.
    pub fn game(&self) -> &LibraryGame {
        &self.library_game
    }

    /// The players of the seats. Seats are named by their sides; in an opening with swap2, by the rule of
    /// [`Table::seat_to_move`].
    pub fn seats(&self) -> &BySide<SeatSpec> {
        &self.seats
    }

    /// The seat of a side. Before the sides are decided, the first side belongs to the first seat.
    pub fn seat_of(&self, side: Side) -> Side {
        self.table().seat_of(side).unwrap_or(side)
    }

    /// The pieces at the start of the match, in any order.
    pub fn start_pieces(&self) -> &[Piece] {
        &self.start
    }

    /// The outcome: by the rules, or by resignation, agreement or time.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| self.table().outcome())
    }

    /// The seat from whose view the match is told: that of the one person who plays in it. `None` where two play, none, or a record was opened.
    pub fn viewer(&self) -> Option<Side> {
        let human = |seat: Side| self.seats[seat] == SeatSpec::Human;
        let alone = Side::BOTH.into_iter().find(|seat| human(*seat) && !human(!*seat));
        alone.filter(|_| !self.from_record)
    }

    /// The seed of the computer's errors in this match.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// True if a person is to move and the match is running.
    pub fn human_to_move(&self) -> bool {
        self.outcome().is_none() && self.seats[self.table().seat_to_move()] == SeatSpec::Human
    }

    /// True if an engine or a program is to move and the match is running.
    pub fn engine_to_move(&self) -> bool {
        let seat = &self.seats[self.table().seat_to_move()];
        self.outcome().is_none() && !self.waits() && !matches!(seat, SeatSpec::Human | SeatSpec::Friend)
    }

    /// The seat of the person who acts for the people at the table: the one to move, else the other; `None` if there is none or the match is over.
    pub fn person(&self) -> Option<Side> {
        let turn = self.table().seat_to_move();
        let person = [turn, !turn].into_iter().find(|seat| self.seats[*seat] == SeatSpec::Human);
        person.filter(|_| self.outcome().is_none())
    }

    /// The person who would resign; `None` if there is none or the match is over.
    pub fn resigner(&self) -> Option<Side> {
        self.person().filter(|_| !self.is_analysis()).map(|seat| self.seat_of(seat))
    }

    /// The purpose of the match.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// The activity it belongs to.
    pub fn activity(&self) -> Activity {
        if self.is_watched() { activity::WATCHING } else { self.traits().activity }
    }

    /// The activity whose sketch is on the board.
    pub fn sketch_owner(&self) -> Option<Activity> {
        self.sketched_by.filter(|_| self.played.sketch().is_some())
    }

    /// True if no engine answers the moves of the person: see [`OtherSide`] and [`Traits::beside`].
    pub fn waits(&self) -> bool {
        matches!(self.purpose, Purpose::FirstStep(OtherSide::Waits | OtherSide::Follows)) || self.traits().beside
    }

    /// What holds for it because of its purpose.
    pub fn traits(&self) -> Traits {
        self.purpose.traits()
    }

    /// True if engines may help: with hints, analysis, exact results.
    pub fn help_allowed(&self) -> bool {
        self.help_refused().is_none()
    }

    /// The key of the text that says why no help of an engine is given; `None` if it is.
    pub fn help_refused(&self) -> Option<&'static str> {
        let refused = self.traits().no_help.or(self.unhelped.then_some("letters.refused"));
        refused.filter(|_| self.outcome().is_none())
    }

    /// True if there is a move to take back, and undo is allowed, or a friend can be asked for it.
    pub fn can_undo(&self) -> bool {
        self.played.can_undo() && self.traits().no_undo.is_none() || self.back_wish().is_some()
    }

    /// True if a move was taken back and can be played again.
    pub fn can_redo(&self) -> bool {
        self.played.can_redo() && self.traits().no_undo.is_none()
    }

    /// The first and the last ply of the cycle that ends in the current position.
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

    /// True if the player took moves back or used hints, analysis or exact results before the match was over.
    pub fn is_helped(&self) -> bool {
        self.helped
    }

    /// How often moves of a teaching match were taken back to try again.
    pub fn tries(&self) -> usize {
        self.tries
    }

    /// True if the user goes on after the error that their last move was.
    pub fn went_on(&self) -> bool {
        self.went_on
    }

    /// The hint that was told for the position at the end of the match, and whether the whole move was told.
    pub fn hinted(&self) -> Option<(Action, bool)> {
        self.hinted
    }

    /// The header to set up this match again.
    pub fn match_setup(&self) -> MatchSetup {
        MatchSetup {
            game: self.library_game.entry.key,
            setup: self.table().setup().clone(),
            seats: BySide::from_fn(|side| match &self.seats[side] {
                SeatSpec::Computer { manner, .. } if self.near[side] => {
                    SeatSpec::Computer { level: NEAR, manner: manner.clone() }
                }
                seat => seat.clone(),
            }),
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
            near: self.near,
            control: self.control,
            seed: self.seed,
            rated: self.purpose == Purpose::Rated,
            teaching: self.purpose == Purpose::Teaching,
            analysis: self.is_analysis(),
            from_record: self.from_record,
            unhelped: self.unhelped,
            tags: self.heading.tags.clone(),
            names: self.heading.names.clone(),
        }
    }
}

/// A seed for what is new each time, such as a match.
pub fn fresh_seed() -> u64 {
    use web_time::{SystemTime, UNIX_EPOCH};
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    qiju_core::rules::zobrist::mix(now.as_nanos() as u64)
}

/// The most steps in the match that are animated one by one,
const SHOWN_STEPS: usize = 1;
/// and the most steps in a sketch.
const SHOWN_SKETCH: usize = 2;

/// Moves the cursor. The changes of the board are returned, in order.
impl CurrentMatch {
    /// Shows this node.
    pub fn go(&mut self, to: NodeId) -> Vec<BoardChanged> {
        BoardChanged::of_steps(self.played.go(to), SHOWN_STEPS)
    }

    /// Shows the end of the match; a sketch ends.
    pub fn go_to_present(&mut self) -> Vec<BoardChanged> {
        let most = if self.played.sketch().is_some() { SHOWN_SKETCH } else { SHOWN_STEPS };
        BoardChanged::of_steps(self.played.go_to_present(), most)
    }

    /// Begins a sketch of an activity at this node; see [`PlayedGame::begin_sketch`].
    pub fn begin_sketch(&mut self, owner: Activity, at: NodeId, player: Option<Side>) -> Vec<BoardChanged> {
        self.sketched_by = Some(owner);
        BoardChanged::of_steps(self.played.begin_sketch(at, player), SHOWN_SKETCH)
    }

    /// The same with a line of moves, of which the first is shown at once. Also returns the nodes of the moves.
    pub fn begin_sketch_of(
        &mut self,
        owner: Activity,
        at: NodeId,
        moves: impl IntoIterator<Item = Action>,
    ) -> (Vec<NodeId>, Vec<BoardChanged>) {
        self.sketched_by = Some(owner);
        let mut steps = self.played.begin_sketch(at, None);
        let line = self.played.draw_sketch(at, moves);
        if let Some(first) = line.first() {
            steps.extend(self.played.go(*first));
        }
        (line, BoardChanged::of_steps(steps, SHOWN_SKETCH))
    }

    /// Adds a line to the sketch after this node and returns its nodes. The cursor does not move.
    pub fn draw_in_sketch(&mut self, at: NodeId, moves: impl IntoIterator<Item = Action>) -> Vec<NodeId> {
        self.played.draw_sketch(at, moves)
    }

    /// Plays a move of the sketch.
    ///
    /// # Errors
    /// The move is illegal.
    pub fn play_sketch(&mut self, action: Action) -> Result<BoardChanged, PlayError> {
        self.played.play_sketch(action).map(BoardChanged::of_step)
    }

    /// Shows another node of the sketch.
    pub fn go_in_sketch(&mut self, to: NodeId) -> Vec<BoardChanged> {
        BoardChanged::of_steps(self.played.go(to), SHOWN_SKETCH)
    }

    /// Ends the sketch and shows the node before it.
    pub fn end_sketch(&mut self) -> Vec<BoardChanged> {
        BoardChanged::of_steps(self.played.end_sketch(), SHOWN_SKETCH)
    }
}
