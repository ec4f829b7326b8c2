//! Reads the engines of a match from the command line.

use crate::cli::ask::{check_evaluation, read_algorithm, read_manner};
use qiju_core::arena::Spec;
use qiju_core::protocol::machine::check_memory;
use qiju_core::search::Limits;
use qiju_core::table::{EngineOptions, Evaluation, GameSheet, SearchRequest, Table};
use std::time::Duration;

/// Reads `level:N`, `level:N,manner:M`, `algorithm:A,depth:D,..` or `cmd:PROGRAM ARGS`.
///
/// # Errors
/// A message that says what is wrong.
pub fn read(text: &str, sheet: &GameSheet) -> Result<Spec, String> {
    let (kind, rest) = text.split_once(':').ok_or("an engine is level:N, algorithm:A,depth:D or cmd:PROGRAM")?;
    match kind {
        "level" => {
            let levels = sheet.levels.len();
            let (level, manner) = rest.split_once(",manner:").map_or((rest, None), |(level, manner)| (level, Some(manner)));
            let number = level.parse().ok().filter(|number| (1..=levels).contains(&usize::from(*number)));
            let number = number.ok_or_else(|| format!("'{level}' is not a level: 1 to {levels}"))?;
            Ok(Spec::Level { number, manner: manner.map(|manner| read_manner(manner, sheet)).transpose()? })
        }
        "algorithm" => algorithm(rest),
        "cmd" if rest.trim().is_empty() => Err("no program is given".to_owned()),
        "cmd" => Ok(Spec::Program { command: rest.trim().to_owned() }),
        other => Err(format!("'{other}' is not level, algorithm or cmd")),
    }
}

/// Checks that the engine exists and has a limit.
///
/// # Errors
/// A message that says what is missing.
pub fn check(spec: &Spec, limits: &Limits, table: &dyn Table) -> Result<(), String> {
    let Spec::Algorithm { options, limits: own, .. } = spec else {
        return match spec {
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

/// `A,depth:D,..`.
fn algorithm(text: &str) -> Result<Spec, String> {
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
            let numbers = value.split('/').map(|number| number.parse().map_err(|_| format!("{key}: '{number}' is not a number")));
            options.parameters = numbers.collect::<Result<_, _>>()?;
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
                return Err(format!(
                    "'{other}' is not depth, nodes, movetime, hash, threads, width, misjudgement, evaluation or parameters"
                ));
            }
        }
    }
    Ok(Spec::Algorithm { words: text.to_owned(), options, limits })
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
            ("level:3,manner:trades", Err("have no manners")),
            ("level:3,depth:2", Err("not a level")),
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
            ("algorithm:own,depth:2,parameters:40/-5/3", Ok("own,depth:2")),
            ("algorithm:own,depth:2,parameters:40/x", Err("parameters: 'x' is not a number")),
            ("algorithm:own,depth", Err("not key:value")),
            ("algorithm:own,depth:x", Err("not a number")),
            ("algorithm:own,depth:0", Err("1 to 200")),
            ("algorithm:own,depth:-3", Err("not a number")),
            ("algorithm:own,speed:3", Err("not depth")),
            ("engine:x", Err("not level")),
        ];
        for (text, expected) in cases {
            match (read(text, &sheet), expected) {
                (Ok(spec), Ok(name)) => assert!(spec.name().starts_with(name), "{text}"),
                (Err(why), Err(words)) => assert!(why.contains(words), "{text}: {why}"),
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }
}
