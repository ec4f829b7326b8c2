//! Players that use the engines of a game.

use super::{
    Action, Algorithm, Chance, Choice, Duty, EngineOptions, Game, GameTable, Notation, Opener, Player, PlayerError, Progress,
};
use super::{Manner, SearchRequest, Table, moves_of};
use crate::message;
use crate::rules::{Position, zobrist};
use crate::search::{Engine, Info, Job, Misjudge, Plain, StopToken};

/// An opening counts as balanced up to this value, in hundredths of the game's unit.
const BALANCED: i32 = 60;

/// Plays with an engine of the game. The engine is kept as long as the options stay the same.
pub(super) struct EnginePlayer<G: Game> {
    engine: Option<Built<G>>,
}

/// An engine and its options.
struct Built<G: Game> {
    options: EngineOptions,
    engine: Box<dyn Engine<G::Position>>,
}

impl<G: Game> EnginePlayer<G> {
    /// A player without an engine yet.
    pub(super) fn new() -> Self {
        EnginePlayer { engine: None }
    }

    /// The engine with these options.
    fn engine(&mut self, options: &EngineOptions) -> Result<&mut Box<dyn Engine<G::Position>>, PlayerError> {
        let built = match self.engine.take().filter(|built| built.options == *options) {
            Some(built) => built,
            None => Built { options: options.clone(), engine: build::<G>(options)? },
        };
        Ok(&mut self.engine.insert(built).engine)
    }
}

fn build<G: Game>(options: &EngineOptions) -> Result<Box<dyn Engine<G::Position>>, PlayerError> {
    if let Algorithm::Plain(kind) = options.algorithm {
        return Ok(Box::new(Plain::new(kind, Misjudge::new(G::evaluation(), options.misjudgement, options.seed))));
    }
    let none = || PlayerError::Unavailable(message!("{} has no engine '{}'", G::KEY, options.algorithm.key()));
    G::engine(options).ok_or_else(none)
}

fn typed<G: Game>(table: &dyn Table) -> Result<&GameTable<G>, PlayerError> {
    let wrong = || PlayerError::Unavailable(message!("an engine of {} cannot play {}", G::KEY, table.game()));
    GameTable::of(table).ok_or_else(wrong)
}

/// The legal moves among these actions.
fn moves<G: Game>(position: &G::Position, actions: &[Action]) -> Vec<<G::Position as Position>::Move> {
    let mut moves = Vec::new();
    if !actions.is_empty() {
        position.legal_moves(&mut moves);
        moves.retain(|&mv| actions.contains(&G::action(position, mv)));
    }
    moves
}

/// Converts the progress of a search to types that do not depend on the game. The line ends before an illegal move.
fn progress<G: Game>(root: &G::Position, info: Info<<G::Position as Position>::Move>) -> Progress {
    let mut position = root.clone();
    let (mut pv, mut pv_text) = (Vec::with_capacity(info.pv.len()), Vec::with_capacity(info.pv.len()));
    for &mv in &info.pv {
        if !position.is_legal(mv) {
            break;
        }
        pv.push(G::action(&position, mv));
        pv_text.push(G::write(&position, mv, Notation::Uci));
        position.make(mv);
    }
    info.with_line(pv, pv_text)
}

impl<G: Game> Player for EnginePlayer<G> {
    fn prepare(&mut self, table: &dyn Table, request: &SearchRequest) -> Result<(), PlayerError> {
        typed::<G>(table)?;
        self.engine(&request.options).map(drop)
    }

    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, PlayerError> {
        let table = typed::<G>(table)?;
        if let Some(stone) = opening_stone(table, request.options.seed) {
            return Ok(Some(stone));
        }
        let engine = self.engine(&request.options)?;
        if table.outcome().is_some() {
            return Ok(None);
        }
        let root = table.history();
        let of_game = |(key, margin): &(String, Chance)| Some((G::manners().iter().find(|one| one.key == key)?, *margin));
        let manner = request.manner.as_ref().and_then(of_game);
        let left_out = moves::<G>(root.current(), &request.left_out);
        let mut best: Option<Info<_>> = None;
        let mut info = |info: Info<_>| {
            if info.multipv == 1 {
                best = Some(info.clone());
            }
            tell(progress::<G>(root.current(), info));
        };
        let limits = manner.map_or_else(|| request.limits.clone(), |_| Manner::<G::Position>::before(&request.limits));
        let job = Job {
            multipv: usize::from(request.multipv.max(1)),
            book: request.book,
            from_proof: request.from_proof,
            left_out: left_out.clone(),
            ..Job::new(limits, stop.clone(), &mut info)
        };
        let mut found = engine.think(root, job);
        let value = best.as_ref().map_or(0, |info| info.value.units());
        if let Some(choice) = choice(value, table.offered()) {
            return Ok(Some(choice.action()));
        }
        if let (Some((manner, margin)), Some(mv), Some(own)) = (manner, found, &best)
            && let Some(info) =
                manner.instead((mv, own), root, &mut **engine, (&request.limits, G::CURVE, margin), (&left_out, stop))
        {
            found = info.pv.first().copied();
            tell(progress::<G>(root.current(), info));
        }
        Ok(found.map(|mv| G::action(root.current(), mv)))
    }

    fn new_game(&mut self) {
        self.engine = None;
    }
}

/// The choice to make in an opening, if the second side is to move and `value` is the evaluation for it.
fn choice(value: i32, offered: &[Choice]) -> Option<Choice> {
    let even = if offered.contains(&Choice::TwoMore) { BALANCED } else { 0 };
    let suits = |choice: &Choice| match choice {
        Choice::First => value < -even,
        Choice::Second => value > even,
        Choice::TwoMore => value.abs() <= BALANCED,
    };
    offered.iter().copied().find(suits).or(offered.first().copied())
}

/// The next stone of an opening that we propose by swap2: of a balanced opening that begins with the stones on the board. `None` if there is none,
/// or if no stone is to be placed.
fn opening_stone<G: Game>(table: &GameTable<G>, seed: u64) -> Option<Action> {
    let due = table.outcome().is_none()
        && table.opening().is_some_and(|opening| opening.duty(table.pieces().len()) == Duty::Put(Opener::Setter));
    let openings = if due { G::balanced_openings(table.variant()) } else { Vec::new() };
    let played = table.played();
    let legal = |opening: &&Vec<Action>| moves_of::<G>(table.history().start(), opening).is_ok();
    let fitting: Vec<&Vec<Action>> =
        openings.iter().filter(|opening| opening.len() == 3 && opening.starts_with(&played)).filter(legal).collect();
    let pick = (zobrist::mix(seed) % fitting.len().max(1) as u64) as usize;
    fitting.get(pick)?.get(table.ply()).copied()
}
