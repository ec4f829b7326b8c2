//! A game seated at the table: the one generic implementation of [`Table`].

use super::{
    Action, Brief, Change, EngineOptions, Game, Man, Memory, Notation, Preparation, Progress, Setup, SetupError, Table, Thinker,
};
use crate::rules::{History, Outcome, PlayError, Point, Position, Refusal, Side};
use crate::search::{Engine, Job, StopToken, Verdict};

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game of `G` in progress: its past, and the moves taken back that can be played again.
pub struct Seated<G: Game> {
    setup: Setup,
    history: History<G::Position>,
    undone: Vec<MoveOf<G>>,
    outcome: Option<Outcome>,
}

/// What stays in a seat's memory: the engine and what it was built with.
struct Built<P: Position>(EngineOptions, Box<dyn Engine<P>>);

impl<G: Game> Seated<G> {
    /// Sets the table.
    ///
    /// # Errors
    /// The setup names no variant of the game or no position of it.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        let variant = setup.variant.clone().unwrap_or_else(|| G::variants()[0].to_owned());
        let history = G::parse(&variant, setup.position.as_deref())?;
        let outcome = history.current().outcome().or_else(|| G::adjudicate(&history));
        let setup = Setup { variant: Some(variant), position: setup.position.clone() };
        Ok(Seated { setup, history, undone: Vec::new(), outcome })
    }

    /// The typed past of the game.
    pub fn history(&self) -> &History<G::Position> {
        &self.history
    }

    fn position(&self) -> &G::Position {
        self.history.current()
    }

    fn legal(&self) -> Vec<MoveOf<G>> {
        let mut moves = Vec::new();
        if self.outcome.is_none() {
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
        self.outcome = self.position().outcome().or_else(|| G::adjudicate(&self.history));
        changes
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

    fn men(&self) -> Vec<(Point, Man)> {
        G::men(self.position())
    }

    fn turn(&self) -> Side {
        self.position().side_to_move()
    }

    fn ply(&self) -> usize {
        self.history.ply()
    }

    fn actions(&self) -> Vec<Action> {
        self.legal().into_iter().map(|mv| G::action(self.position(), mv)).collect()
    }

    fn play(&mut self, action: Action) -> Result<Vec<Change>, PlayError> {
        let Some(mv) = self.find(action) else {
            return Err(self.refusal(action).unwrap_or(Refusal::NoSuchAction).into());
        };
        self.undone.clear();
        Ok(self.push(mv))
    }

    fn undo(&mut self) -> Option<Vec<Change>> {
        let mv = self.history.pop()?;
        self.undone.push(mv);
        // The game went on from here once, so nothing had ended it.
        self.outcome = None;
        let changes = G::changes(self.position(), mv);
        Some(changes.into_iter().rev().map(Change::reversed).collect())
    }

    fn redo(&mut self) -> Option<Vec<Change>> {
        let mv = self.undone.pop()?;
        Some(self.push(mv))
    }

    fn undone(&self) -> usize {
        self.undone.len()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn played(&self) -> Vec<Action> {
        let before = self.history.positions();
        self.history.moves().iter().zip(before).map(|(&mv, position)| G::action(position, mv)).collect()
    }

    fn played_text(&self, notation: Notation) -> Vec<String> {
        let before = self.history.positions();
        self.history.moves().iter().zip(before).map(|(&mv, position)| G::write(position, mv, notation)).collect()
    }

    fn read(&self, text: &str) -> Result<Action, PlayError> {
        if self.outcome.is_some() {
            return Err(Refusal::GameOver.into());
        }
        match G::read(self.position(), text) {
            Ok(mv) => Ok(G::action(self.position(), mv)),
            Err(why) => Err(PlayError::Unreadable { text: text.to_owned(), why }),
        }
    }

    fn write(&self, action: Action, notation: Notation) -> Option<String> {
        self.find(action).map(|mv| G::write(self.position(), mv, notation))
    }

    fn notations(&self) -> &'static [Notation] {
        G::notations()
    }

    fn refusal(&self, action: Action) -> Option<Refusal> {
        if self.outcome.is_some() {
            return Some(Refusal::GameOver);
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

    fn verdicts(&self, stop: &StopToken) -> Option<Vec<(Action, Verdict)>> {
        if self.outcome.is_some() {
            return None;
        }
        let verdicts = G::verdicts(self.position(), stop)?;
        Some(verdicts.into_iter().map(|(mv, verdict)| (G::action(self.position(), mv), verdict)).collect())
    }

    fn preparation(&self) -> Option<Preparation> {
        G::preparation(self.setup.variant.as_deref().unwrap_or(G::variants()[0]))
    }

    fn thinker(&self, brief: &Brief, memory: &Memory) -> Result<Thinker, String> {
        let root = self.history.clone();
        let over = self.outcome.is_some();
        let Brief { mut options, limits } = brief.clone();
        if let Some(lessons) = memory.lessons() {
            options.left_out.extend(lessons.avoid(self));
        }
        let memory = memory.clone();
        let kept = memory.take::<Built<G::Position>>().filter(|built| built.0 == options);
        let mut built = match kept {
            Some(built) => built,
            None => Built(options.clone(), G::engine(&options)?),
        };
        Ok(Box::new(move |stop, tell| {
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
            mv.map(|mv| G::action(root.current(), mv))
        }))
    }

    fn self_check(&self) -> Result<(), String> {
        super::self_check::check::<G>(self.setup.variant.as_deref().unwrap_or(G::variants()[0]), self.position())
    }

    fn boxed_clone(&self) -> Box<dyn Table> {
        Box::new(Seated::<G> {
            setup: self.setup.clone(),
            history: self.history.clone(),
            undone: self.undone.clone(),
            outcome: self.outcome,
        })
    }
}
