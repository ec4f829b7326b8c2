//! A game as pictures: any of its positions, or a film of its moves.

use super::canvas::Picture;
use super::film::Film;
use super::mark::Mark;
use super::position::PositionPainter;
use crate::message;
use crate::message::Message;
use crate::rules::PlayError;
use crate::table::{Action, Shape, Table};
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

/// A game that is painted position by position.
pub struct GamePictures {
    painter: PositionPainter,
    shape: Shape,
    table: Box<dyn Table>,
    actions: Vec<Action>,
    done: usize,
}

impl GamePictures {
    /// The pictures of a game whose pieces have this shape. `table` is the game as it begins, with no action played.
    pub fn new(painter: PositionPainter, shape: Shape, table: Box<dyn Table>, actions: Vec<Action>) -> GamePictures {
        GamePictures { painter, shape, table, actions, done: 0 }
    }

    /// The position after so many moves, or after the last where there are fewer, with the last move marked.
    ///
    /// # Errors
    /// A move cannot be played.
    pub fn at(&mut self, moves: usize) -> Result<Picture, PlayError> {
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
        Ok(self.painter.picture(&self.table.pieces(), &marks))
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
