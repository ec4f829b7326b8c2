//! The engines of a match.

use crate::cli::ask::{check_evaluation, read_algorithm};
use qiju_core::protocol::host::ProgramPlayer;
use qiju_core::protocol::machine::check_memory;
use qiju_core::record::SeatSpec;
use qiju_core::search::{Limits, StopToken, Value};
use qiju_core::table::{Action, EngineOptions, Evaluation, GameSheet, Player, PlayerError, Progress, SearchRequest, Table};
use std::fmt;
use std::time::Duration;

/// The additional time after a program's limit before it counts as not answering.
const MORE_PATIENCE: Duration = Duration::from_secs(2);

/// An engine given on the command line.
#[derive(Clone, Debug, PartialEq)]
pub enum Spec {
    /// One of the game's levels.
    Level {
        /// From 1 to 10.
        number: u8,
    },
    /// One of our own search algorithms.
    Algorithm {
        /// Its text on the command line.
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
    /// Reads `level:N`, `algorithm:A,depth:D,..` or `cmd:PROGRAM ARGS`.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub fn parse(text: &str, game: &str, sheet: &GameSheet) -> Result<Spec, String> {
        let (kind, rest) = text.split_once(':').ok_or("an engine is level:N, algorithm:A,depth:D or cmd:PROGRAM")?;
        match kind {
            "level" => {
                let levels = sheet.levels.len();
                let number = rest.parse().ok().filter(|number| (1..=levels).contains(&usize::from(*number)));
                Ok(Spec::Level { number: number.ok_or_else(|| format!("'{rest}' is not a level: 1 to {levels}"))? })
            }
            "algorithm" => algorithm(rest, game),
            "cmd" if rest.trim().is_empty() => Err("no program is given".to_owned()),
            "cmd" => Ok(Spec::Program { command: rest.trim().to_owned() }),
            other => Err(format!("'{other}' is not level, algorithm or cmd")),
        }
    }

    /// Checks that the engine exists and has a limit.
    ///
    /// # Errors
    /// A message that says what is missing.
    pub fn check(&self, limits: &Limits, table: &dyn Table) -> Result<(), String> {
        let Spec::Algorithm { options, limits: own, .. } = self else {
            return match self {
                Spec::Program { .. } if limits.is_infinite() => Err("a program needs --movetime or --nodes".to_owned()),
                _ => Ok(()),
            };
        };
        if own.is_infinite() && limits.is_infinite() {
            return Err("it has no limit: add a depth, or --movetime or --nodes".to_owned());
        }
        check_evaluation(&options.evaluation, table)?;
        let request = SearchRequest { options: options.clone(), limits: own.clone(), ..SearchRequest::default() };
        table.player().prepare(table, &request).map_err(|error| error.to_string())
    }

    /// Its name in the report.
    pub fn name(&self) -> String {
        match self {
            Spec::Level { number } => format!("level {number}"),
            Spec::Algorithm { words, .. } => words.clone(),
            Spec::Program { command } => command.clone(),
        }
    }

    /// Its name in a record.
    pub fn seat(&self) -> SeatSpec {
        match self {
            Spec::Level { number } => SeatSpec::Computer { level: *number },
            other => SeatSpec::External { name: other.name() },
        }
    }
}

/// `A,depth:D,..`.
fn algorithm(text: &str, game: &str) -> Result<Spec, String> {
    let mut parts = text.split(',');
    let mut options = EngineOptions { algorithm: read_algorithm(parts.next().unwrap_or_default())?, ..EngineOptions::default() };
    let mut limits = Limits::default();
    for part in parts {
        let (key, value) = part.split_once([':', '=']).ok_or_else(|| format!("'{part}' is not key:value"))?;
        if key == "evaluation" {
            options.evaluation = Evaluation::read(value)?;
            continue;
        }
        if key == "parameters" {
            options.parameters = parameters(value, game)?;
            continue;
        }
        let number: u64 = value.parse().map_err(|_| format!("{key}: '{value}' is not a number"))?;
        let within = |least: u64, most: u64| {
            if (least..=most).contains(&number) {
                Ok(number)
            } else {
                Err(format!("{key}: {number} is not in the range {least} to {most}"))
            }
        };
        match key {
            "depth" => limits.depth = Some(within(1, 200)? as u16),
            "nodes" => limits.nodes = Some(within(1, u64::MAX)?),
            "movetime" => limits.time = Some(Duration::from_millis(within(1, 86_400_000)?)),
            "hash" => options.hash_mb = check_memory(within(1, 1 << 20)?).map_err(|why| format!("hash: {why}"))?,
            "threads" => options.threads = within(1, 256)? as usize,
            "width" => options.width = Some(within(1, 1000)? as u16),
            "misjudgement" => options.misjudgement = within(0, 10_000)? as u16,
            other => {
                return Err(format!("'{other}' is not depth, nodes, movetime, hash, threads, width, misjudgement or evaluation"));
            }
        }
    }
    Ok(Spec::Algorithm { words: text.to_owned(), options, limits })
}

/// The values in a file that `train GAME search` has written.
#[cfg(feature = "training")]
fn parameters(file: &str, game: &str) -> Result<Vec<i32>, String> {
    let training = qiju_core::games::trainers::of(game).ok_or_else(|| format!("{game} has no parameters"))?;
    crate::cli::train::search::load(file.as_ref(), training.parameters())
}

#[cfg(not(feature = "training"))]
fn parameters(_: &str, _: &str) -> Result<Vec<i32>, String> {
    Err("parameters: the program was built without the feature 'training'".to_owned())
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
    /// Created for the first search.
    player: Option<Box<dyn Player>>,
}

impl Competitor {
    /// An engine that has not been started yet.
    pub fn new(spec: Spec) -> Self {
        Competitor { spec, request: SearchRequest::default(), player: None }
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
            Spec::Level { number } => {
                sheet.levels.get(usize::from(*number) - 1).map(|level| level.request(seed)).unwrap_or_default()
            }
            Spec::Algorithm { options, limits, .. } => SearchRequest {
                options: EngineOptions { seed, ..options.clone() },
                limits: limits.clone(),
                ..SearchRequest::default()
            },
            Spec::Program { .. } => SearchRequest::default(),
        };
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
        let player = self.player.get_or_insert_with(|| match &self.spec {
            Spec::Program { command } => Box::new(ProgramPlayer::new(command.clone(), grace + MORE_PATIENCE)),
            Spec::Level { .. } | Spec::Algorithm { .. } => table.player(),
        });
        match player.think(table, &request, &StopToken::new(), &mut hear) {
            Ok(action) => action.ok_or_else(|| Fault::Illegal("no move".to_owned())),
            Err(PlayerError::Illegal { answer, why, .. }) => Err(Fault::Illegal(format!("'{answer}', {why}"))),
            Err(PlayerError::Silent(_)) => Err(Fault::Time),
            Err(error @ (PlayerError::Died(_) | PlayerError::Unavailable(_))) => Err(Fault::Crash(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games;

    #[test]
    fn engines_are_read_or_refused() {
        let sheet = games::find("tic-tac-toe").unwrap().sheet().unwrap();
        // (text, its name or the error)
        let cases = [
            ("level:1", Ok("level 1")),
            ("level:10", Ok("level 10")),
            ("algorithm:own,depth:3", Ok("own,depth:3")),
            ("algorithm:alpha-beta,nodes:100,movetime:5,hash:1,threads:2,width:3,misjudgement:4", Ok("alpha-beta,nodes:")),
            ("algorithm:own,evaluation:network:games.network,depth:2", Ok("own,evaluation:")),
            ("cmd: engine --fast", Ok("engine --fast")),
            ("level:0", Err("not a level: 1 to 10")),
            ("level:11", Err("not a level")),
            ("level:999", Err("not a level")),
            ("level", Err("an engine is")),
            ("", Err("an engine is")),
            ("cmd: ", Err("no program")),
            ("algorithm:magic", Err("no such algorithm")),
            ("algorithm:own,evaluation:magic", Err("none of own, hand")),
            ("algorithm:own,depth", Err("not key:value")),
            ("algorithm:own,depth:x", Err("not a number")),
            ("algorithm:own,depth:0", Err("1 to 200")),
            ("algorithm:own,depth:-3", Err("not a number")),
            ("algorithm:own,speed:3", Err("not depth")),
            ("engine:x", Err("not level")),
        ];
        for (text, expected) in cases {
            match (Spec::parse(text, "tic-tac-toe", &sheet), expected) {
                (Ok(spec), Ok(name)) => assert!(spec.name().starts_with(name), "{text}"),
                (Err(why), Err(words)) => assert!(why.contains(words), "{text}: {why}"),
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }
}
