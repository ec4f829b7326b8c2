//! The generic implementation of [`Table`] for all games.

use super::engine_player::EnginePlayer;
use super::{
    Action, Capabilities, Change, Choice, Curve, Formation, Game, Image, Notation, OpeningRule, Piece, Player, PlayerError,
    ProvenWin, Restriction, SearchTree, Setup, SetupError, State, Swap2, Table, TreeRequest, TreeSize, search_tree,
};
use crate::message;
use crate::message::Message;
use crate::rules::{History, Outcome, PlayError, Point, Position, Refusal, Side};
use crate::search::StopToken;
use std::any::Any;

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game of `G` in progress: its history.
pub struct GameTable<G: Game> {
    setup: Setup,
    history: History<G::Position>,
    outcome: Option<Outcome>,
    /// The opening, where a rule asks for one.
    opening: Option<Swap2>,
    /// True if repetition and move limits do not end the game.
    unjudged: bool,
}

impl<G: Game> GameTable<G> {
    /// Creates a table from a setup.
    ///
    /// # Errors
    /// The variant is unknown, or the position is invalid.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        let variant = setup.variant.clone().unwrap_or_else(|| G::variants()[0].to_owned());
        let (plain, rule) = OpeningRule::split(&variant);
        let swap2 = rule == OpeningRule::Swap2 && G::SWAP2;
        let known = swap2 || rule == OpeningRule::Balanced && !G::balanced_openings(plain).is_empty();
        // An unknown opening rule makes the whole variant invalid.
        let parsed = if known { plain } else { &variant };
        let history = G::parse(parsed, setup.position.as_deref())?;
        // With more than three stones in the start position the sides are already decided.
        let opening = (swap2 && G::pieces(history.current()).len() <= 3).then(Swap2::default);
        let outcome = history.current().outcome().or_else(|| G::adjudicate(&history));
        let setup = Setup { variant: Some(variant), position: setup.position.clone() };
        Ok(GameTable { setup, history, outcome, opening, unjudged: false })
    }

    /// The table with its type, if it is a table of `G`.
    pub fn of(state: &dyn State) -> Option<&Self> {
        let any: &dyn Any = state;
        any.downcast_ref()
    }

    /// The history of the game, with its type.
    pub fn history(&self) -> &History<G::Position> {
        &self.history
    }

    /// The variant's key without the opening rule.
    pub(super) fn variant(&self) -> &str {
        self.setup.variant.as_deref().map_or(G::variants()[0], |variant| OpeningRule::split(variant).0)
    }

    fn position(&self) -> &G::Position {
        self.history.current()
    }

    fn stones(&self) -> usize {
        G::pieces(self.position()).len()
    }

    /// The choices a player has now; none during normal play.
    pub(super) fn offered(&self) -> &'static [Choice] {
        match &self.opening {
            Some(opening) if self.outcome.is_none() => opening.offered(self.stones()),
            _ => &[],
        }
    }

    fn choose(&mut self, choice: Choice) {
        let stones = self.stones();
        if let Some(opening) = &mut self.opening {
            opening.choose(stones, choice);
        }
    }

    /// The choices of the opening, each with the number of moves before it.
    fn choices(&self) -> Vec<(usize, Choice)> {
        let before = self.stones() - self.history.ply().min(self.stones());
        let made = self.opening.iter().flat_map(|opening| opening.choices());
        made.map(|&(stones, choice)| (stones - before, choice)).collect()
    }

    /// The moves and choices so far in order, each converted by `of_move` or `of_choice`.
    fn told<T>(&self, of_move: impl Fn(&G::Position, MoveOf<G>) -> T, of_choice: impl Fn(Choice) -> T) -> Vec<T> {
        let mut told = Vec::with_capacity(self.ply());
        let choices = self.choices();
        let before = self.history.positions();
        for (index, (&mv, position)) in self.history.moves().iter().zip(before).enumerate() {
            told.extend(choices.iter().filter(|(at, _)| *at == index).map(|(_, choice)| of_choice(*choice)));
            told.push(of_move(position, mv));
        }
        let last = self.history.ply();
        told.extend(choices.iter().filter(|(at, _)| *at == last).map(|(_, choice)| of_choice(*choice)));
        told
    }

    fn legal(&self) -> Vec<MoveOf<G>> {
        let mut moves = Vec::new();
        if self.outcome.is_none() && self.offered().is_empty() {
            self.position().legal_moves(&mut moves);
        }
        moves
    }

    fn find(&self, action: Action) -> Option<MoveOf<G>> {
        self.legal().into_iter().find(|&mv| G::action(self.position(), mv) == action)
    }

    /// The outcome of the game, by the position or by its history.
    fn end(&self) -> Option<Outcome> {
        let by_the_past = || if self.unjudged { None } else { G::adjudicate(&self.history) };
        self.position().outcome().or_else(by_the_past)
    }
}

/// The position of a table of `G` in which a move is to be played; `None` for another game, if the game is over, and if an opening rule requires
/// a choice.
pub fn position_of<G: Game>(state: &dyn State) -> Option<&G::Position> {
    let table = GameTable::<G>::of(state)?;
    (table.outcome.is_none() && table.offered().is_empty()).then(|| table.position())
}

/// The moves of a line of actions from a position.
///
/// # Errors
/// Which action is illegal.
pub fn moves_of<G: Game>(start: &G::Position, line: &[Action]) -> Result<Vec<MoveOf<G>>, Message> {
    let mut position = start.clone();
    let mut found = Vec::with_capacity(line.len());
    let mut legal = Vec::new();
    for (ply, action) in line.iter().enumerate() {
        legal.clear();
        position.legal_moves(&mut legal);
        let mv = legal.iter().copied().find(|&mv| G::action(&position, mv) == *action);
        let mv = mv.ok_or_else(|| message!("move {} is illegal", ply + 1))?;
        position.make(mv);
        found.push(mv);
    }
    Ok(found)
}

impl<G: Game> State for GameTable<G> {}

impl<G: Game> Table for GameTable<G> {
    fn game(&self) -> &'static str {
        G::KEY
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn size(&self) -> (u8, u8) {
        G::size(self.position())
    }

    fn pieces(&self) -> Vec<(Point, Piece)> {
        G::pieces(self.position())
    }

    fn turn(&self) -> Side {
        self.position().side_to_move()
    }

    fn ply(&self) -> usize {
        self.history.ply() + self.opening.as_ref().map_or(0, |opening| opening.choices().len())
    }

    fn opening(&self) -> Option<&Swap2> {
        self.opening.as_ref()
    }

    fn actions(&self) -> Vec<Action> {
        if !self.offered().is_empty() {
            return self.offered().iter().map(|choice| choice.action()).collect();
        }
        self.legal().into_iter().map(|mv| G::action(self.position(), mv)).collect()
    }

    fn play(&mut self, action: Action) -> Result<Vec<Change>, PlayError> {
        if let Some(choice) = Choice::of_action(action).filter(|choice| self.offered().contains(choice)) {
            self.choose(choice);
            return Ok(Vec::new());
        }
        let Some(mv) = self.find(action) else {
            return Err(self.refusal(action).unwrap_or(Refusal::NoSuchAction).into());
        };
        let changes = G::changes(self.position(), mv);
        self.history.push(mv);
        self.outcome = self.end();
        Ok(changes)
    }

    fn undo(&mut self) -> Option<Vec<Change>> {
        let stones = self.stones();
        if self.opening.as_mut().is_some_and(|opening| opening.take_back(stones)) {
            return Some(Vec::new());
        }
        let mv = self.history.pop()?;
        // The game continued from here before, so it is not over.
        self.outcome = None;
        let changes = G::changes(self.position(), mv);
        Some(changes.into_iter().rev().map(Change::reversed).collect())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn played(&self) -> Vec<Action> {
        self.told(G::action, Choice::action)
    }

    fn played_text(&self, notation: Notation) -> Vec<String> {
        self.told(|position, mv| G::write(position, mv, notation), |choice| choice.key().to_owned())
    }

    fn read(&self, text: &str) -> Result<Action, PlayError> {
        if self.outcome.is_some() {
            return Err(Refusal::GameOver.into());
        }
        let offered = self.offered();
        if !offered.is_empty() {
            let word = text.trim();
            let choice = offered.iter().find(|choice| choice.key().eq_ignore_ascii_case(word));
            return choice.map(|choice| choice.action()).ok_or_else(|| {
                let known = offered.iter().map(|choice| choice.key()).collect::<Vec<_>>().join(", ");
                PlayError::Unreadable { text: text.to_owned(), why: message!("the opening rule requires a choice: {}", known) }
            });
        }
        match G::read(self.position(), text) {
            Ok(mv) => Ok(G::action(self.position(), mv)),
            Err(why) => Err(PlayError::Unreadable { text: text.to_owned(), why }),
        }
    }

    fn readings(&self, text: &str) -> Vec<Action> {
        if self.outcome.is_some() || !self.offered().is_empty() {
            return self.read(text).into_iter().collect();
        }
        G::readings(self.position(), text).into_iter().map(|mv| G::action(self.position(), mv)).collect()
    }

    fn adjudicate(&mut self, on: bool) {
        self.unjudged = !on;
        self.outcome = self.end();
    }

    fn adjudicates(&self) -> bool {
        !self.unjudged
    }

    fn is_still(&self) -> bool {
        G::STILL
    }

    fn takes_aside(&self) -> bool {
        G::TAKES_ASIDE
    }

    fn steps(&self, piece: Piece) -> Vec<(i8, i8)> {
        G::steps(self.position(), piece)
    }

    fn write(&self, action: Action, notation: Notation) -> Option<String> {
        match Choice::of_action(action) {
            Some(choice) => self.offered().contains(&choice).then(|| choice.key().to_owned()),
            None => self.find(action).map(|mv| G::write(self.position(), mv, notation)),
        }
    }

    fn notations(&self) -> &'static [Notation] {
        G::notations()
    }

    fn refusal(&self, action: Action) -> Option<Refusal> {
        if self.outcome.is_some() {
            return Some(Refusal::GameOver);
        }
        if !self.offered().is_empty() {
            let may = Choice::of_action(action).is_some_and(|choice| self.offered().contains(&choice));
            return (!may).then_some(Refusal::ChooseFirst);
        }
        if self.find(action).is_some() {
            return None;
        }
        let (files, ranks) = self.size();
        let off = |p: Point| p.x >= files || p.y >= ranks;
        if action.origin().is_some_and(off) || action.target().is_some_and(off) {
            return Some(Refusal::OffBoard);
        }
        Some(G::refusal(self.position(), action))
    }

    fn position_text(&self) -> String {
        G::text(self.position())
    }

    fn passed(&self) -> Option<Box<dyn Table>> {
        let settled = self.outcome.is_none() && self.opening.as_ref().is_none_or(|opening| opening.is_over(self.pieces().len()));
        let history = History::new(G::passed(self.position()).filter(|_| settled)?);
        let outcome = history.current().outcome();
        Some(Box::new(GameTable::<G> { setup: self.setup.clone(), history, outcome, opening: None, unjudged: self.unjudged }))
    }

    fn images(&self) -> Vec<(Image, Box<dyn Table>)> {
        let position = self.position();
        let seen = |image: Image| {
            let text = if image == Image::SAME { G::text(position) } else { G::image(position, image)? };
            let setup = Setup { variant: Some(self.variant().to_owned()), position: Some(text) };
            let table: Box<dyn Table> = Box::new(GameTable::<G>::new(&setup).ok()?);
            Some((image, table))
        };
        Image::ALL.into_iter().filter(|image| image.fits(self.size())).filter_map(seen).collect()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn check(&self) -> Option<Point> {
        G::check(self.position())
    }

    fn winning_line(&self) -> Vec<Point> {
        if self.outcome.is_some() { G::winning_line(self.position()) } else { Vec::new() }
    }

    fn diagram(&self) -> String {
        G::diagram(self.position())
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        if depth == 0 {
            return Vec::new();
        }
        let mut position = self.position().clone();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut counts = Vec::new();
        for mv in moves {
            let text = G::write(&position, mv, Notation::Uci);
            let undo = position.make(mv);
            counts.push((text, position.perft(depth - 1)));
            position.unmake(mv, undo);
        }
        counts
    }

    fn perft(&self, depth: u32) -> u64 {
        self.position().clone().perft(depth)
    }

    fn occurrences(&self) -> usize {
        self.history.occurrences()
    }

    fn capabilities(&self) -> Capabilities {
        G::capabilities(self.variant())
    }

    fn curve(&self) -> Curve {
        G::CURVE
    }

    fn proven(&self) -> Option<ProvenWin> {
        G::proven(position_of::<G>(self)?)
    }

    fn restrictions(&self) -> Vec<Restriction> {
        position_of::<G>(self).map(G::restrictions).unwrap_or_default()
    }

    fn formations(&self, action: Action) -> Option<Vec<Formation>> {
        let made = || self.find(action).map(|mv| G::formations(self.position(), mv)).unwrap_or_default();
        G::NAMES_FORMATIONS.then(made)
    }

    fn suits(&self, manner: &str, action: Action) -> Option<bool> {
        let manner = G::manners().iter().find(|one| one.key == manner)?;
        Some(self.find(action).is_some_and(|mv| (manner.likes)(self.position(), mv)))
    }

    fn captures(&self) -> Vec<(Action, i32)> {
        let position = self.position();
        let gains = self.legal().into_iter().map(|mv| (G::action(position, mv), G::exchange(position, mv)));
        let mut captures: Vec<(Action, i32)> = gains.filter(|(_, gain)| *gain > 0).collect();
        captures.sort_by_key(|(_, gain)| std::cmp::Reverse(*gain));
        captures
    }

    fn piece_won(&self) -> Option<i32> {
        G::PIECE_WON
    }

    fn price(&self, piece: Piece) -> i32 {
        G::price(piece)
    }

    fn search_tree(&self, request: &TreeRequest, stop: &StopToken) -> Result<SearchTree, PlayerError> {
        search_tree::record::<G>(&self.history, request, stop)
    }

    fn tree_size(&self, request: &TreeRequest, stop: &StopToken) -> Result<TreeSize, PlayerError> {
        search_tree::measure::<G>(&self.history, request, stop)
    }

    fn player(&self) -> Box<dyn Player> {
        Box::new(EnginePlayer::<G>::new())
    }

    fn self_check(&self) -> Result<(), String> {
        if let Some(wrong) = self.restrictions().iter().find(|one| self.find(Action::Drop(one.at)).is_some()) {
            return Err(format!("{}: {:?} is both forbidden and legal", self.position_text(), wrong.at));
        }
        super::self_check::check::<G>(self.variant(), self.position())
    }

    fn boxed_clone(&self) -> Box<dyn Table> {
        Box::new(GameTable::<G> {
            setup: self.setup.clone(),
            history: self.history.clone(),
            outcome: self.outcome,
            opening: self.opening.clone(),
            unjudged: self.unjudged,
        })
    }
}
