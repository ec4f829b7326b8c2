//! The engines of a match.

use crate::protocol::host::ProgramPlayer;
use crate::record::SeatSpec;
use crate::search::{Limits, StopToken, Value};
use crate::table::{Action, EngineOptions, GameSheet, Player, PlayerError, Progress, SearchRequest, Table};
use std::fmt;
use std::time::Duration;

/// The additional time after a program's limit before it counts as not answering.
const MORE_PATIENCE: Duration = Duration::from_secs(2);

/// An engine of a match.
#[derive(Clone, Debug, PartialEq)]
pub enum Spec {
    /// One of the game's levels.
    Level {
        /// From 1 to 10.
        number: u8,
        /// The key of the manner in which it plays.
        manner: Option<String>,
    },
    /// One of our own search algorithms.
    Algorithm {
        /// Its name in the report.
        words: String,
        /// Its options.
        options: EngineOptions,
        /// Its own limits.
        limits: Limits,
    },
    /// An external program.
    Program {
        /// Its command line.
        command: String,
    },
}

impl Spec {
    /// Its name in the report.
    pub fn name(&self) -> String {
        match self {
            Spec::Level { .. } => self.seat().to_string(),
            Spec::Algorithm { words, .. } => words.clone(),
            Spec::Program { command } => command.clone(),
        }
    }

    /// The key of the manner in which it plays.
    pub fn manner(&self) -> Option<&str> {
        if let Spec::Level { manner, .. } = self { manner.as_deref() } else { None }
    }

    /// Its name in a record.
    pub fn seat(&self) -> SeatSpec {
        match self {
            Spec::Level { number, manner } => SeatSpec::Computer { level: *number, manner: manner.clone() },
            other => SeatSpec::External { name: other.name() },
        }
    }
}

/// Why an engine lost by a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It played an illegal move.
    Illegal(String),
    /// It exceeded its time.
    Time,
    /// It crashed or could not be restarted.
    Crash(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Illegal(why) => write!(f, "illegal move: {why}"),
            Fault::Time => f.write_str("loss on time"),
            Fault::Crash(why) => write!(f, "crash: {why}"),
        }
    }
}

/// An engine of the match, used for all its games.
pub struct Competitor {
    spec: Spec,
    request: SearchRequest,
    /// The time that a program may take to start.
    start_up: Duration,
    /// Created when the first game is prepared.
    player: Option<Box<dyn Player>>,
}

impl Competitor {
    /// An engine that has not been started yet. A program may take `start_up` to start.
    pub fn new(spec: Spec, start_up: Duration) -> Self {
        Competitor { spec, request: SearchRequest::default(), start_up, player: None }
    }

    /// The engine's description.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Prepares for a game. `seed` determines the errors of the lower levels in this game.
    pub fn new_game(&mut self, sheet: &GameSheet, seed: u64) {
        if let Some(player) = &mut self.player {
            player.new_game();
        }
        self.request = match &self.spec {
            Spec::Level { number, manner } => sheet.request(*number, manner.as_deref(), seed),
            Spec::Algorithm { options, limits, .. } => SearchRequest {
                options: EngineOptions { seed, ..options.clone() },
                limits: limits.clone(),
                ..SearchRequest::default()
            },
            Spec::Program { .. } => SearchRequest::default(),
        };
    }

    /// Makes the engine ready for a game, before its time runs: a program is started if it does not run, and told about the game.
    ///
    /// # Errors
    /// A program does not start.
    pub fn prepare(&mut self, table: &dyn Table, grace: Duration) -> Result<(), Fault> {
        let request = self.request.clone();
        self.player(table, grace).prepare(table, &request).map_err(|error| Fault::Crash(error.to_string()))
    }

    fn player(&mut self, table: &dyn Table, grace: Duration) -> &mut dyn Player {
        let (spec, start_up) = (&self.spec, self.start_up);
        let create = || -> Box<dyn Player> {
            match spec {
                Spec::Program { command } => {
                    Box::new(ProgramPlayer::new(command.clone(), grace + MORE_PATIENCE).with_start_up(start_up))
                }
                Spec::Level { .. } | Spec::Algorithm { .. } => table.player(),
            }
        };
        &mut **self.player.get_or_insert_with(create)
    }

    /// The engine's move. `limits` are those of the match; a level keeps its own limits too, and an algorithm with its own limits
    /// uses only those. `value` is set to the engine's value of the position, if it reports one.
    pub fn choose(
        &mut self,
        table: &dyn Table,
        limits: &Limits,
        grace: Duration,
        value: &mut Option<Value>,
    ) -> Result<Action, Fault> {
        let mut hear = |progress: Progress| {
            if progress.multipv <= 1 {
                *value = Some(progress.value);
            }
        };
        let mut request = self.request.clone();
        if request.limits.is_infinite() {
            request.limits = limits.clone();
        } else if matches!(self.spec, Spec::Level { .. }) {
            request.limits.time = [request.limits.time, limits.time].into_iter().flatten().min();
            request.limits.nodes = [request.limits.nodes, limits.nodes].into_iter().flatten().min();
        }
        match self.player(table, grace).think(table, &request, &StopToken::new(), &mut hear) {
            Ok(action) => action.ok_or_else(|| Fault::Illegal("no move".to_owned())),
            Err(PlayerError::Illegal { answer, why, .. }) => Err(Fault::Illegal(format!("'{answer}', {why}"))),
            Err(PlayerError::Silent(_)) => Err(Fault::Time),
            Err(error @ (PlayerError::Died(_) | PlayerError::Unavailable(_))) => Err(Fault::Crash(error.to_string())),
        }
    }
}
