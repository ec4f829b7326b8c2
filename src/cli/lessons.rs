//! `lessons`: lists what the engines learnt from lost games, learns from records, and deletes lessons.

use super::ask::LimitArgs;
use qiju_core::games;
use qiju_core::message::Message;
use qiju_core::record;
use qiju_core::search::StopToken;
use qiju_core::table::{Lesson, Lessons, SearchRequest};
use qiju_core::terminal::{Failure, aside, json, line};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The default time to search each position of a lost game, in milliseconds.
const POSITION: Duration = Duration::from_secs(1);

/// Lists what the engines learnt from lost games, learns from records, or deletes lessons.
///
/// A lesson is a position, a move that lost there, and a move that does not lose as far as the engine can see. Engines exclude the losing move when the
/// position occurs again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only the lessons of this game
    #[arg(value_parser = super::ask::read_game)]
    game: Option<String>,
    /// Delete the lessons
    #[arg(long, conflicts_with = "learn")]
    clear: bool,
    /// Learn from the losses in a file of records, in any format that `convert` reads
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// The folder of the lessons [default: the user's folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print one JSON object per lesson
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(game) = &args.game {
        games::find(game)?;
    }
    let folder = args.folder.clone().unwrap_or_else(record::home);
    let broken = |error: std::io::Error| Failure::work(format!("the lessons in {}: {}", folder.display(), Message::from(&error)));
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
            None => aside("nothing learnt from a lost game: no better move was found in any of its positions"),
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
