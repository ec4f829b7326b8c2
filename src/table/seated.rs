//! A game seated at the table: the one generic implementation of [`Table`].

use super::{
    Action, Change, Choice, Duty, EngineOptions, Game, Image, Memory, Notation, Opener, OpeningRule, Piece, Preparation,
    Progress, Restriction, SearchRequest, Setup, SetupError, Swap2, Table, Thinker, Win,
};
use crate::rules::{History, Outcome, PlayError, Point, Position, Refusal, Side};
use crate::search::{Engine, Job, Known, Prover, StopToken, Value, Verdict};

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game of `G` in progress: its past, and the moves taken back that can be played again.
pub struct Seated<G: Game> {
    setup: Setup,
    history: History<G::Position>,
    undone: Vec<Undone<MoveOf<G>>>,
    outcome: Option<Outcome>,
    /// The opening, where a rule asks for one.
    opening: Option<Swap2>,
    /// The past of the game does not end it.
    unjudged: bool,
}

/// What was taken back and can be done again.
#[derive(Clone, Copy)]
enum Undone<M> {
    Move(M),
    Choice(Choice),
}

/// What an opening counts as balanced, in hundredths of the game's unit.
const BALANCED: i32 = 60;

/// What stays in a seat's memory: the engine and what it was built with.
struct Built<P: Position>(EngineOptions, Box<dyn Engine<P>>);

/// What stays in the memory of who walks through a proof.
struct Proving<P: Position>(Box<dyn Prover<P>>);

impl<G: Game> Seated<G> {
    /// Sets the table.
    ///
    /// # Errors
    /// The setup names no variant of the game or no position of it.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        let variant = setup.variant.clone().unwrap_or_else(|| G::variants()[0].to_owned());
        let (plain, rule) = OpeningRule::split(&variant);
        let swap2 = rule == OpeningRule::Swap2 && G::OPENS_BY_SWAP2;
        let known = swap2 || rule == OpeningRule::Balanced && !G::openings(plain).is_empty();
        // A word that is no opening rule of the game is refused with the variant it spoils.
        let parsed = if known { plain } else { &variant };
        let history = G::parse(parsed, setup.position.as_deref())?;
        // From a position beyond the first three stones the sides are settled.
        let opening = (swap2 && G::pieces(history.current()).len() <= 3).then(Swap2::default);
        let outcome = history.current().outcome().or_else(|| G::adjudicate(&history));
        let setup = Setup { variant: Some(variant), position: setup.position.clone() };
        Ok(Seated { setup, history, undone: Vec::new(), outcome, opening, unjudged: false })
    }

    /// The typed past of the game.
    pub fn history(&self) -> &History<G::Position> {
        &self.history
    }

    /// The variant's own key, without the word of an opening rule.
    fn variant(&self) -> &str {
        self.setup.variant.as_deref().map_or(G::variants()[0], |variant| OpeningRule::split(variant).0)
    }

    fn position(&self) -> &G::Position {
        self.history.current()
    }

    fn stones(&self) -> usize {
        G::pieces(self.position()).len()
    }

    /// What a player may choose now; nothing while pieces are moved.
    fn offered(&self) -> &'static [Choice] {
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

    /// Moves and choices as they were made: after how many moves of the history each choice came.
    fn choices(&self) -> Vec<(usize, Choice)> {
        let before = self.stones() - self.history.ply().min(self.stones());
        let made = self.opening.iter().flat_map(|opening| opening.choices());
        made.map(|&(stones, choice)| (stones - before, choice)).collect()
    }

    /// What was played, each as `of_move` or `of_choice` puts it.
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

    fn push(&mut self, mv: MoveOf<G>) -> Vec<Change> {
        let changes = G::changes(self.position(), mv);
        self.history.push(mv);
        self.outcome = self.end();
        changes
    }

    /// How the game has ended here, by the position or by its past.
    fn end(&self) -> Option<Outcome> {
        let by_the_past = || if self.unjudged { None } else { G::adjudicate(&self.history) };
        self.position().outcome().or_else(by_the_past)
    }
}

/// A value in hundredths; what is decided counts as very much.
fn units(value: Value) -> i32 {
    match value {
        Value::Cp(units) => units,
        Value::Mate(moves) => moves.signum() * 30_000,
        Value::Exact { outcome: Known::Win, .. } => 30_000,
        Value::Exact { outcome: Known::Loss, .. } => -30_000,
        Value::Exact { outcome: Known::Draw, .. } => 0,
    }
}

/// What to choose of what is offered, where the second side is to move and this is what its position is worth to it.
fn decide(worth: i32, offered: &[Choice]) -> Option<Choice> {
    let likes = |choice: &Choice| match choice {
        Choice::First => worth < -if offered.contains(&Choice::TwoMore) { BALANCED } else { 0 },
        Choice::Second => worth > if offered.contains(&Choice::TwoMore) { BALANCED } else { 0 },
        Choice::TwoMore => worth.abs() <= BALANCED,
    };
    offered.iter().copied().find(likes).or(offered.first().copied())
}

impl<G: Game> Seated<G> {
    /// The next stone of an opening the game offers, one whose first stones stand on the board; `None` if there is none.
    fn offer(&self, seed: u64) -> Option<Action> {
        let offers = G::openings(self.variant());
        let fits = |moves: &&Vec<MoveOf<G>>| {
            let mut position = self.history.start().clone();
            let played = self.history.moves();
            moves.len() == 3
                && moves.starts_with(played)
                && moves.iter().all(|&mv| {
                    let legal = position.is_legal(mv);
                    if legal {
                        position.make(mv);
                    }
                    legal
                })
        };
        let fitting: Vec<&Vec<MoveOf<G>>> = offers.iter().filter(fits).collect();
        let pick = (crate::rules::zobrist::mix(seed) % fitting.len().max(1) as u64) as usize;
        let mv = *fitting.get(pick)?.get(self.history.ply())?;
        Some(G::action(self.position(), mv))
    }
}

impl<G: Game> Table for Seated<G> {
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
            self.undone.clear();
            self.choose(choice);
            return Ok(Vec::new());
        }
        let Some(mv) = self.find(action) else {
            return Err(self.refusal(action).unwrap_or(Refusal::NoSuchAction).into());
        };
        self.undone.clear();
        Ok(self.push(mv))
    }

    fn undo(&mut self) -> Option<Vec<Change>> {
        let stones = self.stones();
        if let Some(choice) = self.opening.as_mut().and_then(|opening| opening.take_back(stones)) {
            self.undone.push(Undone::Choice(choice));
            return Some(Vec::new());
        }
        let mv = self.history.pop()?;
        self.undone.push(Undone::Move(mv));
        // The game went on from here once, so nothing had ended it.
        self.outcome = None;
        let changes = G::changes(self.position(), mv);
        Some(changes.into_iter().rev().map(Change::reversed).collect())
    }

    fn redo(&mut self) -> Option<Vec<Change>> {
        match self.undone.pop()? {
            Undone::Move(mv) => Some(self.push(mv)),
            Undone::Choice(choice) => {
                self.choose(choice);
                Some(Vec::new())
            }
        }
    }

    fn undone(&self) -> usize {
        self.undone.len()
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
                PlayError::Unreadable { text: text.to_owned(), why: format!("the opening asks for a choice: {known}") }
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

    fn images(&self) -> Vec<(Image, Box<dyn Table>)> {
        let position = self.position();
        let seen = |image: Image| {
            let text = if image == Image::SAME { G::text(position) } else { G::image(position, image)? };
            let setup = Setup { variant: Some(self.variant().to_owned()), position: Some(text) };
            let table: Box<dyn Table> = Box::new(Seated::<G>::new(&setup).ok()?);
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

    fn forbidden(&self) -> Vec<Point> {
        if self.outcome.is_some() { Vec::new() } else { G::forbidden(self.position()) }
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

    fn is_solved(&self) -> bool {
        G::is_solved(self.variant())
    }

    fn verdicts(&self, stop: &StopToken) -> Option<Vec<(Action, Verdict)>> {
        if self.outcome.is_some() {
            return None;
        }
        let verdicts = G::verdicts(self.position(), stop)?;
        Some(verdicts.into_iter().map(|(mv, verdict)| (G::action(self.position(), mv), verdict)).collect())
    }

    fn prove(&self, nodes: u64, memory: &Memory, stop: &StopToken) -> Option<Win> {
        if self.outcome.is_some() || !self.offered().is_empty() {
            return None;
        }
        let mut kept = match memory.take::<Proving<G::Position>>() {
            Some(kept) => kept,
            None => Proving(G::prover()?),
        };
        let proof = kept.0.prove(self.position(), nodes, stop);
        let mut win = None;
        if let Some(proof) = proof.filter(|proof| !proof.line.is_empty()) {
            let mut position = self.position().clone();
            let (mut line, mut text, mut defences) = (Vec::new(), Vec::new(), None);
            for (index, mv) in proof.line.into_iter().enumerate() {
                line.push(G::action(&position, mv));
                text.push(G::write(&position, mv, Notation::Uci));
                position.make(mv);
                if index == 0 && position.outcome().is_none() {
                    let only = kept.0.only_moves(&position);
                    defences = only.map(|moves| moves.into_iter().map(|mv| G::action(&position, mv)).collect());
                }
            }
            win = Some(Win { line, text, plies: proof.plies as u32, defences });
        }
        memory.put(kept);
        win
    }

    fn restrictions(&self) -> Vec<Restriction> {
        if self.outcome.is_some() { Vec::new() } else { G::restrictions(self.position()) }
    }

    fn preparation(&self) -> Option<Preparation> {
        G::preparation(self.variant())
    }

    fn thinker(&self, request: &SearchRequest, memory: &Memory) -> Result<Thinker, String> {
        let root = self.history.clone();
        let over = self.outcome.is_some();
        let SearchRequest { mut options, limits } = request.clone();
        if let Some(lessons) = memory.lessons() {
            options.left_out.extend(lessons.avoid(self));
        }
        let memory = memory.clone();
        let kept = memory.take::<Built<G::Position>>().filter(|built| built.0 == options);
        let duty = self.opening.as_ref().filter(|_| !over).map(|opening| opening.duty(self.stones()));
        if let Some(Duty::Put(Opener::Setter)) = duty
            && let Some(mv) = self.offer(options.seed)
        {
            return Ok(Box::new(move |_, _| Some(mv)));
        }
        let offered = self.offered();
        let mut built = match kept {
            Some(built) => built,
            None => Built(options.clone(), G::engine(&options)?),
        };
        Ok(Box::new(move |stop, tell| {
            let mut worth = 0;
            let mv = if over {
                None
            } else {
                let mut info = |info: crate::search::Info<MoveOf<G>>| {
                    let mut position = root.current().clone();
                    let mut pv = Vec::with_capacity(info.pv.len());
                    let mut pv_text = Vec::with_capacity(info.pv.len());
                    for mv in info.pv {
                        if !position.is_legal(mv) {
                            break;
                        }
                        pv.push(G::action(&position, mv));
                        pv_text.push(G::write(&position, mv, Notation::Uci));
                        position.make(mv);
                    }
                    if info.multipv == 1 {
                        worth = units(info.value);
                    }
                    tell(Progress {
                        depth: info.depth,
                        seldepth: info.seldepth,
                        value: info.value,
                        nodes: info.nodes,
                        cutoffs: info.cutoffs,
                        time: info.time,
                        hashfull: info.hashfull,
                        pv,
                        pv_text,
                        multipv: info.multipv,
                    });
                };
                built.1.think(&root, Job { limits, stop: stop.clone(), info: &mut info })
            };
            memory.put(built);
            if let Some(choice) = decide(worth, offered) {
                return Some(choice.action());
            }
            mv.map(|mv| G::action(root.current(), mv))
        }))
    }

    fn self_check(&self) -> Result<(), String> {
        super::self_check::check::<G>(self.variant(), self.position())
    }

    fn boxed_clone(&self) -> Box<dyn Table> {
        Box::new(Seated::<G> {
            setup: self.setup.clone(),
            history: self.history.clone(),
            undone: self.undone.clone(),
            outcome: self.outcome,
            opening: self.opening.clone(),
            unjudged: self.unjudged,
        })
    }
}
