//! Moves as numbers, and the replay of a game from them without its rules.
//!
//! The number of a move is the number of its piece among those of its side at the start, together with the step among all that a piece of this kind may make; where
//! pieces are put on the board, it is the number of the point. So it is found without the legal moves, and means the same in every version of the rules.

use crate::games;
use crate::message;
use crate::message::Message;
use crate::rules::{Point, Side, zobrist};
use crate::table::{Action, Change, Choice, Piece, Setup, Table};

/// The most points of a board.
pub(super) const MOST_POINTS: usize = 400;
/// The most pieces of a side that moves pieces.
const MOST_PIECES: usize = 64;
/// Piece codes are below this: 0 for an empty point, then two for each role.
pub(super) const PIECE_CODES: usize = 32;
/// Numbers for what is no move of a piece: a pass, and the choices of an opening rule.
const OTHERS: usize = 1 + Choice::ALL.len();

/// The code of a piece; `None` if there are too many roles.
pub(super) fn code_of(piece: Piece) -> Option<u8> {
    let code = 1 + 2 * usize::from(piece.role) + piece.side.index();
    (code < PIECE_CODES).then_some(code as u8)
}

/// How the number of pieces changes in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trend {
    /// Pieces are put on the board and stay.
    Grows,
    /// Pieces move and are taken.
    Shrinks,
    /// Both.
    Unknown,
}

/// What all games with the same setup share: the position at their start and the numbers of their moves.
pub(super) struct Start {
    pub size: (u8, u8),
    pub turn: Side,
    /// The piece on each point, as its code.
    pub points: [u8; MOST_POINTS],
    /// The number of the piece on each point.
    at: [u8; MOST_POINTS],
    pub pieces: usize,
    pub trend: Trend,
    /// The variant's key.
    pub variant: String,
    /// The hash of game, variant and position, from which those of its games are computed.
    pub hash: u64,
    /// Bits of a move's number.
    bits: u32,
    sides: [Numbers; 2],
    /// For games whose moves change more than they say.
    table: Option<Box<dyn Table>>,
}

/// The numbers of a side's moves: first the steps of its pieces, then the points where a piece is put, then what is no move of a piece.
struct Numbers {
    /// The points of its pieces at the start, empty where pieces are put on the board.
    pieces: Vec<u16>,
    /// For each number of a step: the piece, and how far it goes in files and ranks.
    steps: Vec<(u8, i8, i8)>,
    /// The first number of each piece.
    first: Vec<usize>,
    /// The number of points where a piece can be put.
    drops: usize,
}

impl Numbers {
    fn count(&self) -> usize {
        self.steps.len() + self.drops + OTHERS
    }
}

/// A move by the numbers of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Played {
    Step { piece: u8, from: u16, to: u16 },
    Drop(u16),
    Pass,
    Choose(u8),
}

impl Start {
    /// The start of games with this setup.
    pub fn new(game: &str, setup: &Setup) -> Result<Start, Message> {
        let mut table = games::find(game)?.table(setup)?;
        table.adjudicate(false);
        Start::of(table).ok_or_else(|| message!("a library cannot hold this board"))
    }

    fn of(table: Box<dyn Table>) -> Option<Start> {
        let size = table.size();
        let count = usize::from(size.0) * usize::from(size.1);
        let mut points = *(count <= MOST_POINTS).then_some(&[0; MOST_POINTS])?;
        let mut standing = table.pieces();
        standing.sort_unstable_by_key(|(at, _)| (at.y, at.x));
        let mut at = [0; MOST_POINTS];
        let mut numbers = [0u8; 2];
        for (point, piece) in &standing {
            points[index(*point, size)] = code_of(*piece)?;
            let number = &mut numbers[piece.side.index()];
            at[index(*point, size)] = *number;
            *number = number.saturating_add(1);
        }
        let drops = table.actions().iter().any(|action| matches!(action, Action::Drop(_) | Action::Choose(_)));
        let numbers = |side: Side| {
            let mut numbers =
                Numbers { pieces: Vec::new(), steps: Vec::new(), first: Vec::new(), drops: if drops { count } else { 0 } };
            for (at, piece) in standing.iter().filter(|(_, piece)| !drops && piece.side == side) {
                let number = numbers.pieces.len() as u8;
                numbers.first.push(numbers.steps.len());
                numbers.pieces.push(index(*at, size) as u16);
                let steps = table.steps(*piece);
                numbers.steps.extend(steps.into_iter().map(|(files, ranks)| (number, files, ranks)));
            }
            numbers
        };
        let sides = Side::BOTH.map(numbers);
        let most = sides.iter().map(Numbers::count).max()?;
        if sides.iter().any(|side| side.pieces.len() > MOST_PIECES) || most > 1 << 16 {
            return None;
        }
        let trend = match (drops, table.takes_aside()) {
            (true, false) => Trend::Grows,
            (true, true) => Trend::Unknown,
            (false, _) => Trend::Shrinks,
        };
        let variant = table.setup().variant.clone().unwrap_or_default();
        let named = [table.game(), &variant, &table.position_text()].join("\0");
        Some(Start {
            size,
            turn: table.turn(),
            points,
            at,
            pieces: standing.len(),
            trend,
            variant,
            hash: zobrist::hash(0, named.bytes()),
            bits: (most - 1).ilog2().max(7) + 1,
            sides,
            table: table.takes_aside().then_some(table),
        })
    }

    /// The numbers of a line of moves as bytes, and the number of pieces at its end.
    pub fn pack(&self, actions: &[Action]) -> Result<(Vec<u8>, usize), Message> {
        let (mut replay, mut numbers) = (Replay::new(self), Vec::with_capacity(actions.len()));
        for (ply, action) in (1..).zip(actions) {
            let number = replay.number(*action);
            let illegal = || message!("move {} is illegal", ply);
            let played = number.and_then(|number| replay.read(number)).ok_or_else(illegal)?;
            replay.play(played, &mut |_, _, _| ()).ok_or_else(illegal)?;
            numbers.extend(number);
        }
        let more = self.bits - 8;
        let mut bytes: Vec<u8> = numbers.iter().map(|number| *number as u8).collect();
        bytes.resize(self.packed_length(actions.len()), 0);
        for (place, number) in numbers.iter().enumerate() {
            for bit in (0..more).filter(|bit| number >> (8 + bit) & 1 == 1) {
                let at = place * more as usize + bit as usize;
                bytes[numbers.len() + at / 8] |= 1 << (at % 8);
            }
        }
        Ok((bytes, replay.pieces))
    }

    /// The bytes of so many moves.
    pub fn packed_length(&self, plies: usize) -> usize {
        plies + (plies * (self.bits as usize - 8)).div_ceil(8)
    }

    /// The numbers in packed moves.
    pub fn unpack<'a>(&self, bytes: &'a [u8], plies: usize) -> impl Iterator<Item = u16> + use<'a> {
        let more = self.bits as usize - 8;
        let (low, high) = bytes.split_at_checked(plies).unwrap_or_default();
        low.iter().enumerate().map(move |(place, byte)| {
            let bit = |bit: usize| {
                let at = place * more + bit;
                high.get(at / 8).map_or(0, |byte| u16::from(byte >> (at % 8) & 1))
            };
            (0..more).fold(u16::from(*byte), |number, at| number | bit(at) << (8 + at))
        })
    }

    /// The moves in packed form as actions; `None` if they are damaged.
    pub fn actions(&self, bytes: &[u8], plies: usize) -> Option<Vec<Action>> {
        let mut replay = Replay::new(self);
        let numbers = self.unpack(bytes, plies);
        let actions: Vec<Action> = numbers
            .map_while(|number| {
                let played = replay.read(number)?;
                replay.play(played, &mut |_, _, _| ())?;
                Some(self.action(played))
            })
            .collect();
        (actions.len() == plies).then_some(actions)
    }

    /// The action of a move.
    pub fn action(&self, played: Played) -> Action {
        let point = |at: u16| Point::new((at % u16::from(self.size.0)) as u8, (at / u16::from(self.size.0)) as u8);
        match played {
            Played::Step { from, to, .. } => Action::Step { from: point(from), to: point(to) },
            Played::Drop(at) => Action::Drop(point(at)),
            Played::Pass => Action::Pass,
            Played::Choose(choice) => Action::Choose(choice),
        }
    }
}

/// The number of a point.
pub(super) fn index(at: Point, size: (u8, u8)) -> usize {
    usize::from(at.y) * usize::from(size.0) + usize::from(at.x)
}

/// A game that is replayed from the numbers of its moves.
pub(super) struct Replay<'a> {
    start: &'a Start,
    points: [u8; MOST_POINTS],
    at: [u8; MOST_POINTS],
    /// Where the pieces of each side are that were there at the start. One that was taken stays where it stood.
    places: [[u16; MOST_PIECES]; 2],
    pub turn: Side,
    pub pieces: usize,
    table: Option<Box<dyn Table>>,
}

impl<'a> Replay<'a> {
    pub fn new(start: &'a Start) -> Replay<'a> {
        let mut places = [[0; MOST_PIECES]; 2];
        for (places, side) in places.iter_mut().zip(&start.sides) {
            places[..side.pieces.len()].copy_from_slice(&side.pieces);
        }
        let table = start.table.as_ref().map(|table| table.boxed_clone());
        Replay { start, points: start.points, at: start.at, places, turn: start.turn, pieces: start.pieces, table }
    }

    /// The number of an action; `None` if there is no such move.
    fn number(&self, action: Action) -> Option<u16> {
        let (size, side) = (self.start.size, &self.start.sides[self.turn.index()]);
        let on_board = |at: Point| at.x < size.0 && at.y < size.1;
        let drop = |at| side.steps.len() + at;
        let number = match action {
            Action::Step { from, to } if on_board(from) && on_board(to) => {
                let code = self.points[index(from, size)];
                let piece = self.at[index(from, size)];
                let first = *side.first.get(usize::from(piece)).filter(|_| code != 0 && (code - 1) % 2 == self.turn as u8)?;
                let wanted = (piece, to.x as i8 - from.x as i8, to.y as i8 - from.y as i8);
                let mut steps = side.steps[first..].iter().take_while(|step| step.0 == piece);
                first + steps.position(|step| *step == wanted)?
            }
            Action::Drop(at) if on_board(at) && side.drops > 0 => drop(index(at, size)),
            Action::Pass => drop(side.drops),
            Action::Choose(choice) if usize::from(choice) < Choice::ALL.len() => drop(side.drops) + 1 + usize::from(choice),
            _ => return None,
        };
        Some(number as u16)
    }

    /// The move with a number; `None` if it leads off the board.
    #[inline]
    pub fn read(&self, number: u16) -> Option<Played> {
        let side = &self.start.sides[self.turn.index()];
        let number = usize::from(number);
        if let Some(&(piece, files, ranks)) = side.steps.get(number) {
            let from = self.places[self.turn.index()][usize::from(piece) % MOST_PIECES];
            let to = i32::from(from) + i32::from(ranks) * i32::from(self.start.size.0) + i32::from(files);
            let to = u16::try_from(to).ok().filter(|to| usize::from(*to) < MOST_POINTS)?;
            return Some(Played::Step { piece, from, to });
        }
        match number - side.steps.len() {
            at if at < side.drops => Some(Played::Drop(at as u16)),
            at if at == side.drops => Some(Played::Pass),
            at if at < side.drops + OTHERS => Some(Played::Choose((at - side.drops - 1) as u8)),
            _ => None,
        }
    }

    /// Plays a move and tells of each point that changes what was there and what is there then. `None` if it is not possible.
    #[inline]
    pub fn play(&mut self, played: Played, tell: &mut impl FnMut(usize, u8, u8)) -> Option<()> {
        if self.table.is_some() {
            return self.play_by_rules(played, tell);
        }
        match played {
            Played::Step { piece, from, to } => {
                let moving = std::mem::take(&mut self.points[usize::from(from)]);
                let taken = std::mem::replace(&mut self.points[usize::from(to)], moving);
                tell(usize::from(from), moving, 0);
                tell(usize::from(to), taken, moving);
                self.pieces -= usize::from(taken != 0);
                self.places[self.turn.index()][usize::from(piece) % MOST_PIECES] = to;
                self.at[usize::from(to)] = piece;
                self.turn = !self.turn;
            }
            Played::Drop(at) => {
                let piece = 1 + self.turn as u8;
                if std::mem::replace(&mut self.points[usize::from(at)], piece) != 0 {
                    return None;
                }
                tell(usize::from(at), 0, piece);
                self.pieces += 1;
                self.turn = !self.turn;
            }
            Played::Pass => self.turn = !self.turn,
            Played::Choose(_) => {}
        }
        Some(())
    }

    /// The same where a move changes more than it says.
    fn play_by_rules(&mut self, played: Played, tell: &mut impl FnMut(usize, u8, u8)) -> Option<()> {
        let (size, mover) = (self.start.size, self.turn);
        let table = self.table.as_mut()?;
        let changes = table.play(self.start.action(played)).ok()?;
        self.turn = table.turn();
        let mut put = |at: usize, piece: u8| {
            let before = std::mem::replace(&mut self.points[at], piece);
            tell(at, before, piece);
            before
        };
        for change in changes {
            match change {
                Change::Place { piece, at } => {
                    put(index(at, size), code_of(piece)?);
                    self.pieces += 1;
                }
                Change::Remove { at, .. } => {
                    put(index(at, size), 0);
                    self.pieces -= 1;
                }
                Change::Slide { from, to } => {
                    let moving = put(index(from, size), 0);
                    put(index(to, size), moving);
                }
                Change::Flip { at, to, .. } => drop(put(index(at, size), code_of(to)?)),
                Change::Pass => {}
            }
        }
        if let Played::Step { piece, to, .. } = played {
            self.places[mover.index()][usize::from(piece) % MOST_PIECES] = to;
            self.at[usize::from(to)] = piece;
        }
        Some(())
    }
}
