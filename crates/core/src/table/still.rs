//! A game in which only one side moves, for exercises that show how pieces move: after each move the other side skips its turn. The moves are those of the
//! game itself, except that a move may not give a check, which the other side would have to answer.

use super::{Action, Change, EngineOptions, Game, Notation, Piece, Protocol, SetupError};
use crate::message::Message;
use crate::rules::{History, Outcome, Point, Position, Reason, Refusal, Side, Skip};
use crate::search::{Engine, Evaluate};
use std::marker::PhantomData;

/// A game of `G` in which the side that does not begin never moves.
pub struct Still<G>(PhantomData<fn() -> G>);

/// A position of it. The side to move is always the same until the game ends.
#[derive(Clone)]
pub struct StillPosition<P>(P);

impl<P: Skip> StillPosition<P> {
    /// True if the other side can skip its turn after this legal move. A move that ends the game needs no answer.
    fn leaves_peace(&self, mv: P::Move) -> bool {
        let mut after = self.0.clone();
        after.make(mv);
        after.may_skip() || after.outcome().is_some()
    }
}

impl<P: Skip> Position for StillPosition<P> {
    type Move = P::Move;
    /// What the game itself needs, and whether the other side has skipped its turn.
    type Undo = (P::Undo, bool);

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn legal_moves(&self, out: &mut Vec<P::Move>) {
        let mut legal = Vec::new();
        self.0.legal_moves(&mut legal);
        out.extend(legal.into_iter().filter(|mv| self.leaves_peace(*mv)));
    }

    fn make(&mut self, mv: P::Move) -> (P::Undo, bool) {
        let undo = self.0.make(mv);
        let goes_on = self.0.outcome().is_none();
        if goes_on {
            self.0.skip();
        }
        (undo, goes_on)
    }

    fn unmake(&mut self, mv: P::Move, (undo, skipped): (P::Undo, bool)) {
        if skipped {
            self.0.skip();
        }
        self.0.unmake(mv, undo);
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn key_from_scratch(&self) -> u64 {
        self.0.key_from_scratch()
    }

    /// As in the game itself, and a draw where every move would need an answer.
    fn outcome(&self) -> Option<Outcome> {
        let stuck = || {
            let mut moves = Vec::new();
            self.legal_moves(&mut moves);
            moves.is_empty().then(|| Outcome::draw(Reason::NoMove))
        };
        self.0.outcome().or_else(stuck)
    }

    fn move_code(mv: P::Move) -> u16 {
        P::move_code(mv)
    }
}

/// The static evaluation of the game itself.
pub struct StillEvaluation<E>(E);

impl<P: Skip, E: Evaluate<P>> Evaluate<StillPosition<P>> for StillEvaluation<E> {
    fn evaluate(&mut self, position: &StillPosition<P>) -> i32 {
        self.0.evaluate(&position.0)
    }
}

impl<G: Game> Game for Still<G>
where
    G::Position: Skip,
{
    type Position = StillPosition<G::Position>;
    type Evaluation = StillEvaluation<G::Evaluation>;

    const KEY: &'static str = G::KEY;
    const PROTOCOL: Protocol = G::PROTOCOL;
    const STILL: bool = true;
    const TAKES_ASIDE: bool = G::TAKES_ASIDE;

    fn variants() -> &'static [&'static str] {
        G::variants()
    }

    fn parse(variant: &str, position: Option<&str>) -> Result<History<Self::Position>, SetupError> {
        let history = G::parse(variant, position)?;
        Ok(History::new(StillPosition(history.current().clone())))
    }

    fn text(position: &Self::Position) -> String {
        G::text(&position.0)
    }

    fn size(position: &Self::Position) -> (u8, u8) {
        G::size(&position.0)
    }

    fn pieces(position: &Self::Position) -> Vec<(Point, Piece)> {
        G::pieces(&position.0)
    }

    fn action(position: &Self::Position, mv: <Self::Position as Position>::Move) -> Action {
        G::action(&position.0, mv)
    }

    fn changes(position: &Self::Position, mv: <Self::Position as Position>::Move) -> Vec<Change> {
        G::changes(&position.0, mv)
    }

    fn refusal(position: &Self::Position, action: Action) -> Refusal {
        let mut legal = Vec::new();
        position.0.legal_moves(&mut legal);
        if legal.into_iter().any(|mv| G::action(&position.0, mv) == action) {
            return Refusal::NeedsAnswer;
        }
        G::refusal(&position.0, action)
    }

    fn read(position: &Self::Position, text: &str) -> Result<<Self::Position as Position>::Move, Message> {
        let mv = G::read(&position.0, text)?;
        if position.leaves_peace(mv) { Ok(mv) } else { Err(Refusal::NeedsAnswer.into()) }
    }

    fn write(position: &Self::Position, mv: <Self::Position as Position>::Move, notation: Notation) -> String {
        G::write(&position.0, mv, notation)
    }

    fn notations() -> &'static [Notation] {
        G::notations()
    }

    /// Nothing is judged by its repetition: the other side has no part in it.
    fn adjudicate(_: &History<Self::Position>) -> Option<Outcome> {
        None
    }

    fn check(position: &Self::Position) -> Option<Point> {
        G::check(&position.0)
    }

    fn winning_line(position: &Self::Position) -> Vec<Point> {
        G::winning_line(&position.0)
    }

    fn diagram(position: &Self::Position) -> String {
        G::diagram(&position.0)
    }

    fn evaluation() -> Self::Evaluation {
        StillEvaluation(G::evaluation())
    }

    fn engine(_: &EngineOptions) -> Option<Box<dyn Engine<Self::Position>>> {
        None
    }
}
