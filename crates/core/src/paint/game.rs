//! A game as pictures: any of its positions, a film of its moves, or a printed sheet.

use super::canvas::Picture;
use super::drawing::pdf;
use super::film::{Film, png};
use super::mark::Mark;
use super::position::PositionPainter;
use super::print::PrintPainter;
use super::sheet::{SheetPart, sheet};
use crate::message;
use crate::message::Message;
use crate::rules::{PlayError, Point, Side};
use crate::table::{Action, Notation, Piece, Shape, Table};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// How long the positions of a film are shown, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// The first position.
    pub first_ms: u32,
    /// Each one between.
    pub move_ms: u32,
    /// The last.
    pub last_ms: u32,
}

/// So many positions a film shows at most.
pub const LONGEST_FILM: usize = 2000;

/// What positions are painted with.
pub enum Painter {
    /// Wood and shadows.
    Shaded(PositionPainter),
    /// Black on white; the number is that of the pixels of a picture's longer side.
    Printed(PrintPainter, u32),
}

/// What is written on the sheet of a game, in the language of its reader.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SheetText {
    /// The title.
    pub title: String,
    /// The lines below it: the players, the event.
    pub lines: Vec<String>,
    /// How the moves are written.
    pub notation: Notation,
    /// What stands below the position without a move.
    pub start: String,
    /// What stands after the moves; may be empty.
    pub result: String,
    /// The number of a page; see [`sheet`].
    pub page: String,
}

/// A game that is painted position by position.
pub struct GamePictures {
    painter: Painter,
    shape: Shape,
    table: Box<dyn Table>,
    actions: Vec<Action>,
    done: usize,
}

impl GamePictures {
    /// The pictures of a game whose pieces have this shape. `table` is the game as it begins, with no action played.
    pub fn new(painter: Painter, shape: Shape, table: Box<dyn Table>, actions: Vec<Action>) -> GamePictures {
        GamePictures { painter, shape, table, actions, done: 0 }
    }

    /// The position after so many moves, or after the last where there are fewer, with the last move marked.
    ///
    /// # Errors
    /// A move cannot be played.
    pub fn at(&mut self, moves: usize) -> Result<Picture, PlayError> {
        let (pieces, marks) = self.position(moves)?;
        Ok(match &self.painter {
            Painter::Shaded(painter) => painter.picture(&pieces, &marks),
            Painter::Printed(painter, pixels) => painter.drawing(&pieces, &marks, &[]).picture(*pixels),
        })
    }

    /// The same as a file of SVG: paths alone where it is printed, otherwise the pixels.
    ///
    /// # Errors
    /// A move cannot be played.
    pub fn svg(&mut self, moves: usize) -> Result<String, Message> {
        let (pieces, marks) = self.position(moves)?;
        match &self.painter {
            Painter::Shaded(painter) => {
                let picture = painter.picture(&pieces, &marks);
                let (width, height, pixels) = (picture.width, picture.height, STANDARD.encode(png(&picture)?));
                Ok(format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
                     viewBox=\"0 0 {width} {height}\">\n<image width=\"{width}\" height=\"{height}\" \
                     href=\"data:image/png;base64,{pixels}\"/>\n</svg>\n"
                ))
            }
            Painter::Printed(painter, _) => Ok(painter.drawing(&pieces, &marks, &[]).svg()),
        }
    }

    /// The pieces after so many moves, and the marks on them.
    fn position(&mut self, moves: usize) -> Result<(Vec<(Point, Piece)>, Vec<(Mark, Point)>), PlayError> {
        while self.done > moves {
            self.table.undo();
            self.done -= 1;
        }
        while self.done < moves.min(self.actions.len()) {
            self.table.play(self.actions[self.done])?;
            self.done += 1;
        }
        let last = self.done.checked_sub(1).map(|index| self.actions[index]);
        let mut marks = last.map(|action| Mark::of_move(self.shape, action)).unwrap_or_default();
        marks.extend(self.table.check().map(|point| (Mark::Check, point)));
        Ok((self.table.pieces(), marks))
    }

    /// A PDF with diagrams of the positions after these numbers of moves, and the moves. The stones in them have the numbers of their moves.
    ///
    /// # Errors
    /// A move cannot be played, or the painter does not print.
    pub fn pdf(&mut self, moves: &[usize], text: &SheetText) -> Result<Vec<u8>, Message> {
        self.position(0)?;
        let score = score(&*self.table, &self.actions, text.notation)?;
        let stones = matches!(self.shape, Shape::Stone { .. });
        let mut diagrams = Vec::with_capacity(moves.len());
        for &count in moves {
            let (pieces, marks) = self.position(count)?;
            let Painter::Printed(painter, _) = &self.painter else { return Err(message!("this look is not for print")) };
            let mut played = score.iter().filter(|one| one.place < self.done);
            let dropped = |one: &Scored| Some((self.actions[one.place].target()?, one.number));
            let numbers: Vec<_> = if stones { played.clone().filter_map(dropped).collect() } else { Vec::new() };
            let below = played.next_back().map_or_else(|| text.start.clone(), |one| one.alone(stones));
            diagrams.push((painter.drawing(&pieces, &marks, &numbers), below));
        }
        let moves = format!("{} {}", in_a_row(&score, stones), text.result);
        let parts = [SheetPart::Title(text.title.clone())]
            .into_iter()
            .chain(text.lines.iter().cloned().map(SheetPart::Line))
            .chain([SheetPart::Diagrams(diagrams), SheetPart::Text(moves)]);
        Ok(pdf(&text.title, &sheet(&parts.collect::<Vec<_>>(), &text.page)))
    }

    /// An animated GIF from the position after `from` moves to that after `to`. `progress` is told how many positions are painted and says
    /// whether to go on; `None` if it did not.
    ///
    /// # Errors
    /// A move cannot be played, the film would be too long, or the picture is too large for a GIF.
    pub fn film(
        &mut self,
        (from, to): (usize, usize),
        pace: Pace,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<Vec<u8>>, Message> {
        if from > to || to - from >= LONGEST_FILM {
            return Err(message!("an animated picture goes forward over at most {} positions", LONGEST_FILM));
        }
        let example = self.at(to)?;
        let first = self.at(from)?;
        let mut bytes = Vec::new();
        let mut film = Film::new(&mut bytes, &[&first, &example])?;
        film.add(&first, if from == to { pace.last_ms } else { pace.first_ms })?;
        for ply in from + 1..=to {
            if !progress(ply - from) {
                return Ok(None);
            }
            film.add(&self.at(ply)?, if ply == to { pace.last_ms } else { pace.move_ms })?;
        }
        drop(film);
        Ok(Some(bytes))
    }
}

/// A move of the score.
struct Scored {
    /// Its place among the actions.
    place: usize,
    /// Its number among all moves.
    number: u32,
    /// The number of the pair of moves that it is in.
    pair: u32,
    side: Side,
    text: String,
}

impl Scored {
    /// The move with its number; stones are numbered one by one.
    fn alone(&self, stones: bool) -> String {
        let Scored { number, pair, text, .. } = self;
        match self.side {
            _ if stones => format!("{number}.\u{a0}{text}"),
            Side::First => format!("{pair}.\u{a0}{text}"),
            Side::Second => format!("{pair}…\u{a0}{text}"),
        }
    }
}

/// Every move with its number, without the choices of an opening rule. `table` is the game before the first.
fn score(table: &dyn Table, actions: &[Action], notation: Notation) -> Result<Vec<Scored>, PlayError> {
    let mut table = table.boxed_clone();
    let mut score = Vec::with_capacity(actions.len());
    // Moves are counted in pairs from the first side's.
    let (mut number, later) = (0, u32::from(table.turn() == Side::Second));
    for (place, &action) in actions.iter().enumerate() {
        if !matches!(action, Action::Choose(_)) {
            number += 1;
            let text = table.write(action, notation).unwrap_or_default();
            score.push(Scored { place, number, pair: (number + later).div_ceil(2), side: table.turn(), text });
        }
        table.play(action)?;
    }
    Ok(score)
}

/// Moves one after the other, in a game with stones or without.
fn in_a_row(score: &[Scored], stones: bool) -> String {
    let word = |(index, one): (usize, &Scored)| match one.side {
        Side::Second if index > 0 && !stones => one.text.clone(),
        _ => one.alone(stones),
    };
    score.iter().enumerate().map(word).collect::<Vec<_>>().join("\u{a0} ")
}

/// Moves as text, with their numbers. `table` is the game before the first; its pieces have this shape.
///
/// # Errors
/// A move cannot be played.
pub fn score_text(table: &dyn Table, actions: &[Action], notation: Notation, shape: Shape) -> Result<String, PlayError> {
    Ok(in_a_row(&score(table, actions, notation)?, matches!(shape, Shape::Stone { .. })))
}
