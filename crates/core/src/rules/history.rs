//! The history of a game: its positions, its moves and how often a position has occurred.

use super::Position;

/// The positions and moves of a game from its start to now.
#[derive(Clone, Debug)]
pub struct History<P: Position> {
    positions: Vec<P>,
    moves: Vec<P::Move>,
}

impl<P: Position> History<P> {
    /// A game at its start position.
    pub fn new(start: P) -> Self {
        History { positions: vec![start], moves: Vec::new() }
    }

    /// The current position.
    pub fn current(&self) -> &P {
        self.positions.last().expect("a history holds at least its start")
    }

    /// The position the game began with.
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// All positions, the start first: one more than the number of moves.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The moves played, in order.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// The number of moves played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Plays a move that is known to be legal.
    pub fn push(&mut self, mv: P::Move) {
        let mut next = self.current().clone();
        next.make(mv);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it; `None` at the start.
    pub fn pop(&mut self) -> Option<P::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// How often the current position (pieces and side to move) has occurred in this game, this time included.
    pub fn occurrences(&self) -> usize {
        let key = self.current().key();
        self.positions.iter().filter(|p| p.key() == key).count()
    }

    /// The keys of all positions, the start first.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.positions.iter().map(Position::key)
    }
}
