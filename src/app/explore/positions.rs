//! The editor of positions: pieces are put on the board, moved and taken away, and the rules say what is wrong.

use crate::app::ground::clipboard::Clipboard;
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::notices::Notices;
use crate::app::ground::position::{PositionWish, Tool};
use crate::app::ground::requests::{BeginRequest, PageRequest, Requests};
use crate::app::ground::setup::MatchSetup;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{Spoken, Unfinished};
use bevy::prelude::*;
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::rules::{FaultKind, Point, PositionFault, Side};
use qiju_core::table::{Draft, GameSheet, Piece, Placement, Setup};
use std::collections::BTreeSet;

/// The changes that can be taken back.
const REMEMBERED: usize = 500;

/// The position that is being set up; nothing while the editor is closed.
#[derive(Resource, Default)]
pub struct PositionEditor(Option<Editing>);

/// A position that is being set up.
pub struct Editing {
    library_game: LibraryGame,
    placement: &'static dyn Placement,
    variant: String,
    draft: Draft,
    past: Vec<Draft>,
    future: Vec<Draft>,
    tool: Tool,
    /// The point of the piece that was picked to be moved.
    picked: Option<Point>,
    cursor: Option<Point>,
    /// A piece of the palette that the pointer holds.
    grabbed: Option<Piece>,
    faults: Vec<PositionFault>,
    /// The points of a picture that should be looked at.
    uncertain: BTreeSet<Point>,
    /// The fault that is pointed at.
    pointed: Option<usize>,
    /// The match would be over at once.
    over: bool,
    text: String,
    /// What the editor was opened with, and whether that was the position of a match.
    opened: Setup,
    from_match: bool,
}

impl PositionEditor {
    /// The position that is being set up.
    pub fn editing(&self) -> Option<&Editing> {
        self.0.as_ref()
    }
}

impl Editing {
    fn open(library_game: &LibraryGame, setup: &Setup, from_match: bool) -> Result<Editing, Message> {
        let first = || library_game.sheet.variants.first().map(|variant| variant.key.clone()).unwrap_or_default();
        let variant = setup.variant.clone().unwrap_or_else(first);
        // An opening rule has no place on a board that is set up.
        let variant = qiju_core::table::OpeningRule::split(&variant).0.to_owned();
        let placement = (library_game.entry.capabilities)(&variant).placement;
        let placement = placement.ok_or_else(|| message!("positions of {} cannot be set up", library_game.entry.key))?;
        let setup = Setup { variant: Some(variant.clone()), position: setup.position.clone() };
        // A position that no match can begin from is shown with its faults.
        let draft = match (library_game.entry.table(&setup), &setup.position) {
            (Ok(table), _) => Draft::of(table.pieces(), table.turn()),
            (Err(_), Some(text)) => placement.read(&variant, text)?,
            (Err(error), None) => return Err(error.into()),
        };
        let mut editing = Editing {
            library_game: library_game.clone(),
            placement,
            variant,
            draft,
            past: Vec::new(),
            future: Vec::new(),
            tool: Tool::Hand,
            picked: None,
            cursor: None,
            grabbed: None,
            faults: Vec::new(),
            uncertain: BTreeSet::new(),
            pointed: None,
            over: false,
            text: String::new(),
            opened: setup,
            from_match,
        };
        editing.judge();
        Ok(editing)
    }

    /// The game.
    pub fn game(&self) -> &LibraryGame {
        &self.library_game
    }

    /// The variant's key.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// The pieces and the side to move.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The numbers of files and ranks.
    pub fn size(&self) -> (u8, u8) {
        self.placement.size(&self.variant)
    }

    /// What a click does.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// The point of the piece that was picked to be moved.
    pub fn picked(&self) -> Option<Point> {
        self.picked
    }

    /// The keyboard cursor.
    pub fn cursor(&self) -> Option<Point> {
        self.cursor
    }

    /// The piece of the palette that the pointer holds.
    pub fn grabbed(&self) -> Option<Piece> {
        self.grabbed
    }

    /// What is wrong with the position.
    pub fn faults(&self) -> &[PositionFault] {
        &self.faults
    }

    /// The points of the fault that is pointed at, or of all faults.
    pub fn faulty_points(&self) -> Vec<Point> {
        let shown = |index: usize| self.pointed.is_none_or(|pointed| pointed == index);
        let faults = self.faults.iter().enumerate().filter(|(index, _)| shown(*index));
        faults.flat_map(|(_, fault)| fault.at.iter().copied()).collect()
    }

    /// The points that were not read with certainty from a picture, and were not looked at since.
    pub fn uncertain(&self) -> &BTreeSet<Point> {
        &self.uncertain
    }

    /// True if the position is a valid one in which the game is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// True if a match can begin with the position.
    pub fn is_playable(&self) -> bool {
        self.faults.is_empty() && !self.over
    }

    /// The position text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if a change can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// True if a change that was taken back can be made again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// How many pieces of a kind can still be placed.
    pub fn left(&self, piece: Piece) -> usize {
        self.placement.most(&self.variant, piece).saturating_sub(self.draft.count(piece))
    }

    /// True if the piece can ever stand on this point.
    pub fn may_stand(&self, piece: Piece, at: Point) -> bool {
        self.placement.may_stand(&self.variant, piece, at)
    }

    /// The position as the start of a match.
    pub fn setup(&self) -> Setup {
        Setup { variant: Some(self.variant.clone()), position: Some(self.text.clone()) }
    }

    /// Asks the rules about the position.
    fn judge(&mut self) {
        self.text = self.placement.text(&self.variant, &self.draft);
        self.faults = self.placement.faults(&self.variant, &self.draft);
        self.pointed = None;
        let over = || self.library_game.entry.table(&self.setup()).is_ok_and(|table| table.outcome().is_some());
        self.over = self.faults.is_empty() && over();
    }

    /// Shows another position; the one before can be brought back.
    fn change(&mut self, next: Draft) {
        if next == self.draft {
            return;
        }
        if self.past.len() == REMEMBERED {
            self.past.remove(0);
        }
        let before = std::mem::replace(&mut self.draft, next);
        self.uncertain.retain(|at| before.pieces.get(at) == self.draft.pieces.get(at));
        self.past.push(before);
        self.future.clear();
        self.judge();
    }

    /// Shows a position that was read from a picture.
    fn show_seen(&mut self, variant: &str, draft: &Draft, uncertain: &[Point]) {
        self.set_variant(variant);
        self.change(draft.clone());
        self.uncertain = uncertain.iter().copied().collect();
    }

    fn put(&mut self, piece: Piece, at: Point) {
        let mut next = self.draft.clone();
        next.put(piece, at, self.placement.most(&self.variant, piece));
        self.change(next);
    }

    fn remove(&mut self, at: Point) {
        let mut next = self.draft.clone();
        next.pieces.remove(&at);
        self.change(next);
    }

    fn shift(&mut self, from: Point, to: Point) {
        let mut next = self.draft.clone();
        if next.shift(from, to) {
            self.change(next);
        }
    }

    fn touch(&mut self, at: Point) {
        self.uncertain.remove(&at);
        match self.tool {
            Tool::Put(piece) if self.draft.pieces.get(&at) == Some(&piece) => self.remove(at),
            Tool::Put(piece) => self.put(piece, at),
            Tool::Remove => self.remove(at),
            Tool::Hand => match self.picked.take() {
                Some(from) if from != at => self.shift(from, at),
                Some(_) => {}
                None => self.picked = Some(at).filter(|at| self.draft.pieces.contains_key(at)),
            },
        }
    }

    /// Another variant: the pieces that are on its board stay.
    fn set_variant(&mut self, variant: &str) {
        let Some(placement) = (self.library_game.entry.capabilities)(variant).placement else { return };
        (self.placement, self.variant) = (placement, variant.to_owned());
        let (files, ranks) = self.size();
        let stays = |at: &Point| at.x < files && at.y < ranks;
        for draft in std::iter::once(&mut self.draft).chain(&mut self.past).chain(&mut self.future) {
            draft.pieces.retain(|at, _| stays(at));
        }
        self.uncertain.retain(stays);
        (self.picked, self.cursor) = (self.picked.filter(stays), self.cursor.filter(stays));
        self.judge();
    }

    /// Carries out what concerns the position alone.
    fn edit(&mut self, wish: &PositionWish) -> Result<(), Message> {
        let size = self.size();
        if !matches!(wish, PositionWish::Touch(_) | PositionWish::Cursor(_) | PositionWish::PointAt(_)) {
            self.picked = None;
        }
        match wish {
            PositionWish::Choose(tool) => (self.tool, self.grabbed) = (*tool, None),
            PositionWish::Grab(piece) => (self.tool, self.grabbed) = (Tool::Put(*piece), Some(*piece)),
            PositionWish::Touch(at) => self.touch(*at),
            PositionWish::Shift(from, Some(to)) => self.shift(*from, *to),
            PositionWish::Put(piece, at) => {
                self.grabbed = None;
                self.put(*piece, *at);
            }
            PositionWish::Shift(at, None) | PositionWish::Remove(at) => self.remove(*at),
            PositionWish::Cursor(at) => self.cursor = *at,
            PositionWish::Open { .. } | PositionWish::Seen { .. } => {}
            PositionWish::LetGo => (self.tool, self.grabbed, self.cursor) = (Tool::Hand, None, None),
            PositionWish::Clear => self.change(Draft { turn: self.draft.turn, ..Draft::empty() }),
            PositionWish::Start => {
                let setup = Setup { variant: Some(self.variant.clone()), position: None };
                let table = self.library_game.entry.table(&setup)?;
                self.change(Draft::of(table.pieces(), table.turn()));
            }
            PositionWish::Turn(turn) => self.change(Draft { turn: *turn, ..self.draft.clone() }),
            PositionWish::Rotate => self.change(self.draft.turned(size, self.placement.halves())),
            PositionWish::Mirror => self.change(self.draft.mirrored(size)),
            PositionWish::Undo => {
                if let Some(before) = self.past.pop() {
                    self.future.push(std::mem::replace(&mut self.draft, before));
                    self.judge();
                }
            }
            PositionWish::Redo => {
                if let Some(after) = self.future.pop() {
                    self.past.push(std::mem::replace(&mut self.draft, after));
                    self.judge();
                }
            }
            PositionWish::PointAt(index) => {
                self.pointed = Some(*index).filter(|index| *index < self.faults.len() && self.pointed != Some(*index));
            }
            PositionWish::Variant(variant) => self.set_variant(variant),
            PositionWish::Paste(text) => {
                let draft = self.placement.read(&self.variant, text.trim())?;
                self.change(draft);
            }
            PositionWish::Copy | PositionWish::Play | PositionWish::Analyse | PositionWish::Close => {}
        }
        Ok(())
    }
}

impl Words {
    /// What a side calls a piece, without the side.
    fn role_of(&self, sheet: &GameSheet, piece: Piece) -> String {
        let Some(role) = sheet.roles.get(usize::from(piece.role)) else { return String::new() };
        self.of(role.names.as_ref().map_or(&role.name, |names| &names[piece.side])).to_owned()
    }

    /// A side and its piece.
    pub fn sides_piece(&self, sheet: &GameSheet, piece: Piece) -> String {
        self.fill("positions.piece", &[self.of(&sheet.sides[piece.side]), &self.role_of(sheet, piece)])
    }

    /// What stands on a point of the editor's board.
    fn place_in_editor(&self, editing: &Editing, at: Point) -> String {
        let sheet = &editing.game().sheet;
        let name = sheet.board(editing.size()).map(|board| board.coordinates.name(at)).unwrap_or_default();
        let Some(piece) = editing.draft.pieces.get(&at) else { return self.with("positions.empty", name) };
        self.fill("positions.at", &[&name, &self.sides_piece(sheet, *piece)])
    }

    /// What is wrong with a position, as a sentence.
    pub fn position_fault(&self, game: &LibraryGame, size: (u8, u8), fault: &PositionFault) -> String {
        let sheet = &game.sheet;
        let side = |side: Side| self.of(&sheet.sides[side]).to_owned();
        let role = |side: Side, role: u8| self.role_of(sheet, Piece { side, role });
        let at = || {
            let names = sheet.board(size).map(|board| board.coordinates);
            let names = fault.at.iter().filter_map(|at| Some(names?.name(*at)));
            names.collect::<Vec<_>>().join(", ")
        };
        let (key, values) = match fault.kind {
            FaultKind::Misplaced { side: of, role: kind } => ("fault.misplaced", vec![side(of), role(of, kind), at()]),
            FaultKind::TooMany { side: of, role: kind, most } => {
                ("fault.too-many", vec![side(of), most.to_string(), role(of, kind), fault.at.len().to_string()])
            }
            FaultKind::Missing { side: of, role: kind } => ("fault.missing", vec![side(of), role(of, kind)]),
            FaultKind::GeneralsFace => ("fault.generals-face", vec![at()]),
            FaultKind::CheckAfterMove { side: of } => ("fault.check", vec![side(of), side(!of)]),
            FaultKind::Uneven { first, second } => {
                ("fault.uneven", vec![first.to_string(), side(Side::First), second.to_string(), side(Side::Second)])
            }
            FaultKind::WonBefore { side: of } => ("fault.won", vec![side(of)]),
            FaultKind::BothWon => ("fault.both-won", Vec::new()),
        };
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        self.fill(key, &values)
    }
}

/// Opens the editor.
fn open(
    mut requests: MessageReader<PositionWish>,
    library: Res<Library>,
    mut editor: ResMut<PositionEditor>,
    mut notices: ResMut<Notices>,
    (now, mut screen, mut menu): (Res<State<Screen>>, ResMut<NextState<Screen>>, ResMut<NextState<Menu>>),
) {
    for request in requests.read() {
        let (game, setup, seen) = match request {
            PositionWish::Open { game, setup } => (game, setup.clone(), None),
            PositionWish::Seen { game, variant, draft, uncertain } => {
                (game, Setup { variant: Some(variant.clone()), position: None }, Some((variant, draft, uncertain)))
            }
            _ => continue,
        };
        let Some(library_game) = library.game(game) else { continue };
        let shown = editor.0.as_mut().filter(|editing| editing.game().entry.key == *game);
        if let (Some(editing), Some((variant, draft, uncertain))) = (shown, seen) {
            editing.show_seen(variant, draft, uncertain);
            continue;
        }
        match Editing::open(library_game, &setup, *now.get() == Screen::Match) {
            Ok(mut editing) => {
                if let Some((variant, draft, uncertain)) = seen {
                    editing.show_seen(variant, draft, uncertain);
                }
                editor.0 = Some(editing);
                // Leaving the editor would close it.
                if *now.get() != Screen::Editor {
                    screen.set(Screen::Editor);
                }
                menu.set(Menu::None);
            }
            Err(why) => notices.fail(why),
        }
    }
}

/// Carries out what is asked for.
fn work(
    (mut asked, mut requests): (MessageReader<PositionWish>, Requests),
    mut editor: ResMut<PositionEditor>,
    mut clipboard: ResMut<Clipboard>,
    (words, mut notices, mut spoken, unfinished): (Res<Words>, ResMut<Notices>, ResMut<Spoken>, Res<Unfinished>),
) {
    for wish in asked.read() {
        let Some(editing) = editor.0.as_mut() else { continue };
        if matches!(wish, PositionWish::Paste(text) if text.trim().is_empty()) {
            notices.warn(words.say("games.nothing-to-paste"));
            continue;
        }
        if let Err(why) = editing.edit(wish) {
            notices.fail(why);
        }
        let game = editing.game().entry.key;
        // The keyboard cursor is announced to screen readers.
        if let (PositionWish::Cursor(_) | PositionWish::Touch(_) | PositionWish::Remove(_), Some(at)) = (wish, editing.cursor) {
            spoken.say(words.place_in_editor(editing, at));
        }
        match wish {
            PositionWish::Copy => {
                clipboard.copy(editing.text.clone());
                notices.warn(words.say("copy.position"));
            }
            PositionWish::Play if editing.is_playable() => requests.write(PageRequest::SetUp { game, setup: editing.setup() }),
            PositionWish::Analyse if editing.is_playable() => {
                requests.write(BeginRequest::Start(MatchSetup::analysis(game, editing.setup())));
            }
            // A match that was left for the editor goes on.
            PositionWish::Close if editing.from_match && unfinished.found().is_some() => requests.write(BeginRequest::Resume),
            PositionWish::Close => requests.write(PageRequest::SetUp { game, setup: editing.opened.clone() }),
            _ => {}
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PositionEditor>()
        .add_systems(Update, (open, work).chain().in_set(Step::Think))
        .add_systems(OnExit(Screen::Editor), |mut editor: ResMut<PositionEditor>| editor.0 = None);
}
