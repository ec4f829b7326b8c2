//! The board in words, for screen readers and for ears: what stands at the cursor, the position, the clocks, the last moves; and moves that are typed.

use crate::app::activity::Activity;
use crate::app::commands::Command;
use crate::app::hand::Selection;
use crate::app::keys::KeyFocus;
use crate::app::notices::Notices;
use crate::app::play::{CurrentMatch, MatchClock, MoveRequested, Spoken, at_board, in_match, say_all};
use crate::app::requests::{CursorRequest, Requests, VoiceRequest};
use crate::app::settings::Settings;
use crate::app::state::{Menu, Screen};
use crate::app::step::Step;
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::clock::text_of;
use crate::ui::panel::{Place, Room};
use crate::ui::widgets::text_field;
use bevy::prelude::*;
use bevy_egui::egui::{Key, Ui};
use qiju_core::rules::{Point, Side};
use qiju_core::table::{Action, GameSheet, Piece, Table};

/// The board in words.
const VOICE: Activity = Activity("voice");
/// So many of the last moves are told.
const LAST_MOVES: usize = 4;
/// The most letters of a move that is typed.
const LONGEST: usize = 40;

fn at_a_board(world: &World) -> bool {
    at_board(world).is_some() && *world.resource::<State<Menu>>() == Menu::None && KeyFocus::is_board(world)
}

static COMMANDS: &[Command] = &[
    Command::new("W", "voice.here", at_a_board, || VoiceRequest::Here.into()),
    Command::new("B", "voice.pieces", at_a_board, || VoiceRequest::Pieces.into()),
    Command::new("Shift+B", "voice.rows", at_a_board, || VoiceRequest::Rows.into()),
    Command::new("C", "voice.clocks", at_a_board, || VoiceRequest::Clocks.into()),
    Command::new("V", "voice.moves", at_a_board, || VoiceRequest::Moves.into()),
    Command::new("I", "voice.type", at_a_board, || VoiceRequest::Type.into()),
];

/// A board that is put into words.
struct Told<'a> {
    words: &'a Words,
    table: &'a dyn Table,
    sheet: &'a GameSheet,
}

impl Told<'_> {
    /// The name of a point.
    fn name(&self, at: Point) -> String {
        self.sheet.board(self.table.size()).map(|board| board.coordinates.name(at)).unwrap_or_default()
    }

    fn names(&self, mut points: Vec<Point>) -> String {
        points.sort_by_key(|at| (at.y, at.x));
        points.dedup();
        points.into_iter().map(|at| self.name(at)).collect::<Vec<_>>().join(", ")
    }

    fn piece(&self, at: Point) -> Option<Piece> {
        self.table.pieces().into_iter().find(|(point, _)| *point == at).map(|(_, piece)| piece)
    }

    /// A point and what stands there.
    fn place(&self, at: Point) -> String {
        match self.piece(at) {
            None => self.words.with("positions.empty", self.name(at)),
            Some(piece) => self.words.fill("positions.at", &[&self.name(at), &self.words.sides_piece(self.sheet, piece)]),
        }
    }

    /// The board as it is for a side to move, if it may be asked: the side to move, or after a pass.
    fn seen_by(&self, side: Side) -> Option<Box<dyn Table>> {
        if self.table.turn() == side { Some(self.table.boxed_clone()) } else { self.table.passed() }
    }

    /// What stands on a point, where it can go, who attacks it, and whether it is defended.
    fn here(&self, at: Point) -> String {
        let mut said = vec![self.place(at)];
        let Some(piece) = self.piece(at) else { return said.concat() };
        let onto = |action: &Action| action.origin().is_some() && action.target() == Some(at);
        if let Some(own) = self.seen_by(piece.side) {
            let from_here = own.actions().into_iter().filter(|action| action.origin() == Some(at));
            let targets: Vec<Point> = from_here.filter_map(Action::target).collect();
            // A stone does not move at all.
            if own.actions().iter().any(|action| action.origin().is_some()) {
                let goes = if targets.is_empty() {
                    self.words.say("voice.stays").to_owned()
                } else {
                    self.words.with("voice.goes", self.names(targets))
                };
                said.push(goes);
            }
        }
        if let Some(mut other) = self.seen_by(!piece.side) {
            let attacks: Vec<Action> = other.actions().into_iter().filter(onto).collect();
            if let Some(first) = attacks.first().copied() {
                said.push(self.words.with("voice.attacked", self.names(attacks.iter().filter_map(|it| it.origin()).collect())));
                let defended = other.play(first).is_ok() && other.actions().iter().any(onto);
                said.push(self.words.say(if defended { "voice.defended" } else { "voice.undefended" }).to_owned());
            }
        }
        said.join(". ")
    }

    /// All pieces, by side and kind.
    fn pieces(&self) -> String {
        let all = self.table.pieces();
        let of_side = |side: Side| {
            let mut kinds: Vec<(u8, Vec<Point>)> = Vec::new();
            for (at, piece) in all.iter().filter(|(_, piece)| piece.side == side) {
                match kinds.iter_mut().find(|(role, _)| *role == piece.role) {
                    Some((_, points)) => points.push(*at),
                    None => kinds.push((piece.role, vec![*at])),
                }
            }
            kinds.sort_by_key(|(role, _)| *role);
            let kinds = kinds.into_iter().map(|(role, points)| {
                let name = self.words.sides_piece(self.sheet, Piece { side, role });
                format!("{name} {}", self.names(points))
            });
            kinds.collect::<Vec<_>>().join("; ")
        };
        let sides = Side::BOTH.map(of_side).into_iter().filter(|text| !text.is_empty());
        let text = sides.collect::<Vec<_>>().join(". ");
        if text.is_empty() { self.words.say("voice.empty").to_owned() } else { text }
    }

    /// The rows with pieces, from the far side of the board.
    fn rows(&self) -> String {
        let mut all = self.table.pieces();
        all.sort_by_key(|(at, _)| (std::cmp::Reverse(at.y), at.x));
        let rows = all.chunk_by(|(a, _), (b, _)| a.y == b.y);
        let row = |row: &[(Point, Piece)]| row.iter().map(|(at, _)| self.place(*at)).collect::<Vec<_>>().join(", ");
        let text = rows.map(row).collect::<Vec<_>>().join(". ");
        if text.is_empty() { self.words.say("voice.empty").to_owned() } else { text }
    }
}

/// The move that is being typed.
#[derive(Resource, Default)]
struct Typed(Option<String>);

fn tell(
    mut asked: MessageReader<VoiceRequest>,
    (current, selection, clock): (Res<CurrentMatch>, Res<Selection>, Res<MatchClock>),
    (words, settings): (Res<Words>, Res<Settings>),
    (mut typed, mut spoken): (ResMut<Typed>, ResMut<Spoken>),
    mut cursor: Local<Option<Point>>,
) {
    let told = Told { words: &words, table: current.shown(), sheet: &current.game().sheet };
    let mut said = Vec::new();
    if *cursor != selection.cursor {
        *cursor = selection.cursor;
        said.extend(selection.cursor.map(|at| told.place(at)));
    }
    for request in asked.read() {
        said.push(match request {
            VoiceRequest::Here => selection.cursor.map_or_else(|| words.say("voice.no-cursor").to_owned(), |at| told.here(at)),
            VoiceRequest::Pieces => told.pieces(),
            VoiceRequest::Rows => told.rows(),
            VoiceRequest::Clocks => clocks(&current, &clock, &words),
            VoiceRequest::Moves => {
                let moves = told.table.played_text(settings.notation(told.table, words.language));
                let last = &moves[moves.len().saturating_sub(LAST_MOVES)..];
                if last.is_empty() { words.say("play.no-moves").to_owned() } else { last.join(", ") }
            }
            VoiceRequest::Type => {
                typed.0 = Some(String::new());
                continue;
            }
        });
    }
    say_all(&mut spoken, &said);
}

/// Whose turn it is, and the time that each side has.
fn clocks(current: &CurrentMatch, clock: &MatchClock, words: &Words) -> String {
    let sides = &current.game().sheet.sides;
    let turn = current.outcome().is_none().then(|| words.with("play.turn", words.of(&sides[current.table().turn()])));
    let left = Side::BOTH.map(|seat| {
        let left = clock.get().left(seat)?;
        Some(format!("{} {}", words.seat(current, seat), text_of(left.left)))
    });
    let said: Vec<String> = turn.into_iter().chain(left.into_iter().flatten()).collect();
    if said.is_empty() { words.say("menu.over").to_owned() } else { said.join(". ") }
}

/// The field for a move, while one is typed: Enter plays it, and Escape closes the field.
fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (current, words): (Res<CurrentMatch>, Res<Words>),
    (mut typed, mut notices, mut requests): (ResMut<Typed>, ResMut<Notices>, Requests),
) -> bool {
    let typed = typed.bypass_change_detection();
    let Some(text) = typed.0.as_mut().filter(|_| room == Room::Panel) else { return false };
    let width = ui.available_width() - 20.0;
    let response = ui.add(text_field(ui, text, words.say("voice.type.hint"), width).char_limit(LONGEST));
    if !response.lost_focus() {
        response.request_focus();
        return true;
    }
    if ui.input(|input| input.key_pressed(Key::Enter)) && !text.trim().is_empty() {
        match current.shown().read(text.trim()) {
            Ok(action) if current.plays_here() => requests.write(MoveRequested { action, ply: current.table().ply() }),
            Ok(action) => requests.write(CursorRequest::Try(action)),
            Err(why) => notices.warn(words.sentence(why)),
        }
    }
    typed.0 = None;
    true
}

pub(super) fn plugin(app: &mut App) {
    register(app, VOICE).section(Place::Below(0), section).commands("voice.title", COMMANDS);
    app.init_resource::<Typed>()
        .add_systems(Update, tell.in_set(Step::Animate).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut typed: ResMut<Typed>| *typed = Typed::default());
}
