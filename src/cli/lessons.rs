//! `lessons`: shows what lost games taught the engines, learns from records, and forgets.

use super::ask::LimitArgs;
use super::failure::Failure;
use super::output::{aside, json, line};
use crate::games;
use crate::record;
use crate::search::StopToken;
use crate::table::{Lesson, Lessons, SearchRequest};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long each position of a lost game is searched by default.
const POSITION: Duration = Duration::from_secs(1);

/// Shows what lost games taught the engines, learns from records of games, and forgets.
///
/// A lesson is a position, a move that lost there, and one that was not seen to lose. Engines leave the losing move out when the
/// position comes again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only this game's lessons
    game: Option<String>,
    /// Forget them
    #[arg(long, conflicts_with = "learn")]
    clear: bool,
    /// Learn for the loser of each game in a file of records, of any format that `convert` reads
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// The folder they are kept in; the user's own where left out
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// One JSON object a lesson
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(game) = &args.game {
        games::find(game)?;
    }
    let folder = args.folder.clone().unwrap_or_else(record::home);
    let broken = |error: std::io::Error| Failure::work(format!("the lessons in {}: {error}", folder.display()));
    let (lessons, damage) = Lessons::open(&folder).map_err(broken)?;
    if let Some(damage) = damage {
        aside(&damage.to_string());
    }
    if args.clear {
        let before = lessons.len();
        lessons.clear(args.game.as_deref()).map_err(broken)?;
        return line(&format!("forgotten {}", before - lessons.len()));
    }
    if let Some(file) = &args.learn {
        return learn(args, &lessons, file);
    }
    for lesson in lessons.list().iter().filter(|lesson| args.game.as_ref().is_none_or(|game| lesson.game == *game)) {
        show(args, lesson)?;
    }
    Ok(())
}

fn learn(args: &Args, lessons: &Lessons, file: &Path) -> Result<(), Failure> {
    let (name, bytes) = super::convert::read(file)?;
    let records = super::convert::format_of(&name, &bytes, file)?.read(&name, &bytes)?.all()?;
    let mut limits = args.limits.limits();
    if args.limits.depth.is_none() && args.limits.nodes.is_none() && args.limits.movetime.is_none() {
        limits.time = Some(POSITION);
    }
    let request = SearchRequest { limits, ..SearchRequest::default() };
    for record in records.iter().filter(|record| args.game.as_ref().is_none_or(|game| record.game == *game)) {
        let table = record.replay().map_err(|(_, why)| Failure::usage(why))?;
        let result = record.result.or_else(|| table.outcome());
        let Some(loser) = result.and_then(|outcome| outcome.winner).map(|winner| !winner) else { continue };
        match lessons.learn(&*table, loser, &request, &StopToken::new()).map_err(Failure::work)? {
            Some(lesson) => show(args, &lesson)?,
            None => aside("a lost game taught nothing: no better move was found at any of its positions"),
        }
    }
    Ok(())
}

fn show(args: &Args, lesson: &Lesson) -> Result<(), Failure> {
    if args.json {
        return json(lesson);
    }
    let Lesson { game, variant, position, avoid, instead, .. } = lesson;
    line(&format!("{game} {variant}: {position}: not {avoid} but {instead}"))
}
