//! `review`: assesses every move of a recorded game.

use super::ask::{check_evaluation, notation_for, read_notation};
use super::convert;
use qiju_core::games;
use qiju_core::protocol::machine::check_memory;
use qiju_core::record::{Format, Record, Writer};
use qiju_core::rules::{BySide, Side};
use qiju_core::search::{Limits, StopToken, Value, nodes_per_second};
use qiju_core::storage::replace_file;
use qiju_core::study::{News, Review, Summary, Tally, edits, review};
use qiju_core::table::{
    Action, Assessment, EngineOptions, Evaluation, GameSheet, Judgement, MistakeKind, MistakeReason, MoveVerdict, NodeId,
    Notation, Origin, PlayedGame, SearchRequest, Table, TreeEdit,
};
use qiju_core::terminal::{Failure, aside, json, line};
use serde::Serialize;
use std::path::{Path, PathBuf};
use web_time::{Duration, Instant};

/// The default number of nodes for each position of the game.
const NODES: u64 = 200_000;
/// A week.
const LONGEST_MS: u64 = 7 * 24 * 3600 * 1000;

/// Assesses every move of a recorded game: how much winning chance it lost, what was better, and why.
///
/// A move is best, good, an inaccuracy (0.05 of winning chance lost), a mistake (0.11) or a blunder (0.24). Reasons are given only if they were
/// verified. With --json one object is printed for each move,
/// {"ply","side","move","best","win_before","win_after","judgement","reason":null|{"kind","line","moves","piece"},"line","score"}, where the win_ fields are the mover's
/// winning chance in 0..1 with the best move and after the one played, `line` is the better line, a reason's line begins in the position before the
/// move, and score is the value after the move for its maker; then one
/// {"summary":{"first":{"accuracy","best","good","inaccuracies","mistakes","blunders"},"second":{..}},"turning_point":PLY|null}.
/// docs/review.md explains the method.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The record, of any format that `convert` reads; `-` is standard input
    file: PathBuf,
    /// The number of the game in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Nodes to search for each position; 200000 by default
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each search
    #[arg(long, visible_alias = "time", value_name = "MS", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=LONGEST_MS))]
    movetime: Option<u64>,
    /// Use the engine of this level, 1 to 10, and its limits unless others are given
    #[arg(long, value_name = "L", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// Threads of the search
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", allow_negative_numbers = true, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// The evaluation: own (that of the level, or the best that the engine has), hand, network or network:FILE
    #[arg(long, value_name = "E", value_parser = Evaluation::read)]
    evaluation: Option<Evaluation>,
    /// The notation of moves in the text output: uci, iccs, wxf or chinese
    #[arg(long, value_name = "N", value_parser = read_notation)]
    notation: Option<Notation>,
    /// Also write the record with the review's glyphs, comments and variations; the file name's ending selects the format
    #[arg(long, value_name = "OUT")]
    write: Option<PathBuf>,
    /// Print one JSON object for each move
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (name, bytes) = convert::read(&args.file)?;
    let reading = convert::format_of(&name, &bytes, &args.file)?.read(&name, &bytes)?;
    let games = reading.records.len();
    let record = match reading.records.into_iter().nth(args.game as usize - 1) {
        Some(record) => record,
        None => {
            let refused = reading.refused.into_iter().next().map(|refused| Failure::usage(refused.fault.in_file(&name)));
            let none = if games == 0 {
                "there is no record here".to_owned()
            } else {
                format!("there is no game {}; there are {games}", args.game)
            };
            return Err(refused.filter(|_| games == 0).unwrap_or_else(|| Failure::usage(format!("{name}: {none}"))));
        }
    };
    let target = args.write.as_deref().map(|path| target(path, args.notation, &record)).transpose()?;
    let start = record.table()?;
    let main = match_of(&record);
    let moves: Vec<Action> = main.iter().filter_map(|id| record.tree.node(*id).action()).collect();
    if moves.is_empty() {
        return Err(Failure::usage(format!("{name}: the game has no moves")));
    }
    let request = request(args, &record, &*start)?;
    let mut player = start.player();
    player.prepare(&*start, &request)?;
    let begun = Instant::now();
    let mut told = Told { begun, last: begun };
    let mut tell = |news: News| told.progress(&news);
    let reviewed = review(&*start, &moves, &mut *player, &request, &StopToken::new(), &mut tell)
        .map_err(|error| Failure::work(format!("{name}: {error}")))?;
    let sheet = games::find(&record.game)?.sheet()?;
    let notation = notation_for(args.notation, &*start);
    let result = record.result.map(|outcome| outcome.winner);
    let positions: Vec<Option<&Assessment>> = reviewed.positions.iter().map(Option::as_ref).collect();
    let summary = Summary::of(&positions, result);
    let paper = Paper { start: &*start, moves: &moves, reviewed: &reviewed, sheet: &sheet };
    if args.json {
        paper.json(&summary)?;
    } else {
        paper.text(&summary, notation)?;
    }
    match target {
        Some((path, writer)) => write(&path, writer, record, &main, &reviewed, (&sheet, notation)),
        None => Ok(()),
    }
}

/// The moves of the game: the main line up to the first move that is a variation.
fn match_of(record: &Record) -> Vec<NodeId> {
    let played = |id: &NodeId| matches!(record.tree.node(*id).origin, Origin::Main | Origin::Record);
    record.tree.main_line().into_iter().take_while(played).collect()
}

/// The search request for each position.
fn request(args: &Args, record: &Record, start: &dyn Table) -> Result<SearchRequest, Failure> {
    let mut request = match args.level {
        Some(level) => {
            let sheet = games::find(&record.game)?.sheet()?;
            let mut request = sheet.levels[usize::from(level) - 1].request(0);
            // A book has no values.
            request.book = false;
            request
        }
        None => SearchRequest::default(),
    };
    let given = args.nodes.is_some() || args.movetime.is_some();
    if given || args.level.is_none() {
        let time = args.movetime.map(Duration::from_millis);
        let nodes = args.nodes.or((!given).then_some(NODES));
        request.limits = Limits { nodes, time, ..Limits::default() };
    }
    let hash_mb = check_memory(u64::from(args.hash)).map_err(|why| Failure::usage(format!("--hash: {why}")))?;
    request.options = EngineOptions { hash_mb, threads: usize::from(args.threads), ..request.options };
    if let Some(evaluation) = &args.evaluation {
        check_evaluation(evaluation, start).map_err(|why| Failure::usage(format!("--evaluation: {why}")))?;
        request.options.evaluation = evaluation.clone();
    }
    Ok(request)
}

/// The output file with its writer. Whether the record can be written there is checked before the long search.
fn target(path: &Path, notation: Option<Notation>, record: &Record) -> Result<(PathBuf, Writer), Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let usage = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let format = ending.and_then(Format::from_key).filter(|format| format.is_written());
    let format = format.ok_or_else(|| {
        let endings = super::ask::words(Format::WRITTEN.map(Format::key));
        usage(format!("the ending names no format that is written; there are {endings}"))
    })?;
    let writer = || Writer::new(format, notation.filter(|_| format == Format::Pgn), false).map_err(|why| usage(why.into()));
    writer()?.add(record, &mut Vec::new()).map_err(|why| usage(why.into()))?;
    Ok((path.to_owned(), writer()?))
}

/// Writes the record with the review.
fn write(
    path: &Path,
    mut writer: Writer,
    record: Record,
    line: &[NodeId],
    reviewed: &Review,
    (sheet, notation): (&GameSheet, Notation),
) -> Result<(), Failure> {
    let start = record.table()?;
    let wording = |table: &dyn Table, verdict: &MoveVerdict| comment(table, verdict, sheet, notation);
    let edits: Vec<TreeEdit> = edits(&*start, &record.tree, line, &reviewed.positions, &wording);
    let work = |why: String| Failure::work(format!("{}: {why}", path.display()));
    let played = PlayedGame::with_tree(record.table()?, record.tree.clone());
    let mut played = played.map_err(|(number, error)| work(format!("move {number}: {error}")))?;
    for edit in &edits {
        played.edit(edit).map_err(|error| work(error.to_string()))?;
    }
    let record = Record { tree: played.tree().packed(), ..record };
    let mut out = Vec::new();
    writer.add(&record, &mut out).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
    if let Some(lost) = writer.finish(&mut out) {
        aside(&format!("qiju: {lost}"));
    }
    replace_file(path, out).map_err(|error| Failure::file(path, &error))
}

/// Reports the progress of a long review on standard error.
struct Told {
    begun: Instant,
    last: Instant,
}

/// The time between two reports of progress.
const PATIENCE: Duration = Duration::from_secs(5);

impl Told {
    fn progress(&mut self, news: &News) {
        if self.last.elapsed() < PATIENCE || news.done == news.of {
            return;
        }
        self.last = Instant::now();
        // The number of positions a second, with three digits.
        let rate = nodes_per_second(news.done as u64 * 1000, self.begun.elapsed()).max(1);
        let left = (news.of - news.done) as u64 * 1000 / rate;
        aside(&format!("{} of {} positions, about {left} s left", news.done, news.of));
    }
}

/// A line of moves, written from a position.
fn written(table: &dyn Table, line: &[Action], notation: Notation) -> Vec<String> {
    let mut table = table.boxed_clone();
    let mut moves = Vec::with_capacity(line.len());
    for action in line {
        let Some(text) = table.write(*action, notation) else { break };
        moves.push(text);
        if table.play(*action).is_err() {
            break;
        }
    }
    moves
}

/// The number of moves of a line that are shown in the text output.
const SHOWN: usize = 8;

fn shown(table: &dyn Table, line: &[Action], notation: Notation) -> String {
    let mut text = written(table, &line[..line.len().min(SHOWN)], notation).join(" ");
    if line.len() > SHOWN {
        text.push_str(" …");
    }
    text
}

fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// A reason as a sentence. The table stands before the move.
fn sentence(table: &dyn Table, reason: &MistakeReason, after: f64, sheet: &GameSheet, notation: Notation) -> String {
    let piece = reason.piece.and_then(|piece| sheet.roles.get(usize::from(piece.role)));
    let piece = piece.map_or("a piece".to_owned(), |role| format!("the {}", role.name.en.to_lowercase()));
    let in_moves = match reason.moves {
        Some(1) => " in 1 move".to_owned(),
        Some(moves) => format!(" in {moves} moves"),
        None => String::new(),
    };
    let what = match reason.kind {
        MistakeKind::PieceLost => format!("It loses {piece}"),
        MistakeKind::PieceMissed => format!("It misses the win of {piece}"),
        MistakeKind::WinMissed => format!("It misses a forced win{in_moves}"),
        MistakeKind::WinAllowed => format!("It allows a forced win{in_moves}"),
        MistakeKind::RepetitionLoses => "It loses by the rules of repetition".to_owned(),
        MistakeKind::DrawMade => "It makes a draw".to_owned(),
        MistakeKind::Solved if after > 0.25 => "It gives the win away: the position is drawn now".to_owned(),
        MistakeKind::Solved => format!("It loses: the game is solved, and the other side wins{in_moves}"),
    };
    let line = shown(table, &reason.line, notation);
    if reason.line.len() > 1 { format!("{what}: {line}.") } else { format!("{what}.") }
}

/// The name of a judgement at the beginning of a sentence.
fn title(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Best => "Best",
        Judgement::Good => "Good",
        Judgement::Inaccuracy => "Inaccuracy",
        Judgement::Mistake => "Mistake",
        Judgement::Blunder => "Blunder",
    }
}

/// The comment that is written into the record at a bad move.
fn comment(table: &dyn Table, verdict: &MoveVerdict, sheet: &GameSheet, notation: Notation) -> String {
    let (before, after) = (verdict.before.part(), verdict.after.part());
    let better = written(table, &verdict.best[..verdict.best.len().min(1)], notation).concat();
    let mut text = format!("{}: winning chance {} to {}.", title(verdict.judgement), percent(before), percent(after));
    if !better.is_empty() {
        text.push_str(&format!(" Better is {better}."));
    }
    if let Some(reason) = &verdict.reason {
        text.push(' ');
        text.push_str(&sentence(table, reason, after, sheet, notation));
    }
    text
}

/// The head of the rows.
pub(super) fn head() -> Result<(), Failure> {
    line(&format!("{:>4} {:<12} {:<10} {:>6} {:>6}  {:<10} better", "ply", "side", "move", "before", "after", "judgement"))
}

/// The row of a move, and why it was bad. The table stands before it.
pub(super) fn row(
    ply: usize,
    table: &dyn Table,
    action: Action,
    assessment: Option<&Assessment>,
    (sheet, notation): (&GameSheet, Notation),
) -> Result<(), Failure> {
    let side = &sheet.sides[table.turn()].en;
    let played = table.write(action, notation).unwrap_or_default();
    let Some(verdict) = assessment.and_then(|it| it.verdict.as_ref()) else {
        return line(format!("{ply:>4} {side:<12} {played}").trim_end());
    };
    let (before, after) = (verdict.before.part(), verdict.after.part());
    let differs = verdict.best.first() != Some(&action);
    let better = if differs && verdict.judgement.is_error() { shown(table, &verdict.best, notation) } else { String::new() };
    let judgement =
        format!("{}{}", verdict.judgement.key(), verdict.judgement.glyph().and_then(|it| it.sign()).unwrap_or_default());
    let row = format!("{ply:>4} {side:<12} {played:<10} {before:>6.3} {after:>6.3}  {judgement:<12} {better}");
    line(row.trim_end())?;
    match &verdict.reason {
        Some(reason) => line(&format!("{:>43}{}", "", sentence(table, reason, after, sheet, notation))),
        None => Ok(()),
    }
}

/// A reviewed game, to be printed.
struct Paper<'a> {
    start: &'a dyn Table,
    moves: &'a [Action],
    reviewed: &'a Review,
    sheet: &'a GameSheet,
}

impl Paper<'_> {
    /// Each move with its number from 1, the table before it and its assessment.
    fn each(
        &self,
        mut tell: impl FnMut(usize, &dyn Table, Action, Option<&Assessment>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut table = self.start.boxed_clone();
        table.adjudicate(false);
        for (index, action) in self.moves.iter().enumerate() {
            tell(index + 1, &*table, *action, self.reviewed.positions[index + 1].as_ref())?;
            table.play(*action).map_err(|error| Failure::work(format!("move {}: {error}", index + 1)))?;
        }
        Ok(())
    }

    fn json(&self, summary: &Summary) -> Result<(), Failure> {
        self.each(|ply, table, action, assessment| json(&Line::of(ply, table, action, assessment, self.sheet)))?;
        let side = |tally: Tally| SideLine {
            accuracy: tally.accuracy.map(|accuracy| (accuracy * 10.0).round() / 10.0),
            best: tally.count(Judgement::Best),
            good: tally.count(Judgement::Good),
            inaccuracies: tally.count(Judgement::Inaccuracy),
            mistakes: tally.count(Judgement::Mistake),
            blunders: tally.count(Judgement::Blunder),
        };
        let sides = BySide::from_fn(|of| side(summary.sides[of]));
        json(&SummaryLine { summary: sides, turning_point: summary.turning_point })
    }

    fn text(&self, summary: &Summary, notation: Notation) -> Result<(), Failure> {
        head()?;
        self.each(|ply, table, action, assessment| row(ply, table, action, assessment, (self.sheet, notation)))?;
        line("")?;
        for side in Side::BOTH {
            let tally = &summary.sides[side];
            let count = |judgement| tally.count(judgement);
            let accuracy = tally.accuracy.map_or("no choice".to_owned(), |accuracy| format!("accuracy {accuracy:.0} %"));
            line(&format!(
                "{:<12} {accuracy}, {} best, {} good, {} inaccuracies, {} mistakes, {} blunders",
                self.sheet.sides[side].en,
                count(Judgement::Best),
                count(Judgement::Good),
                count(Judgement::Inaccuracy),
                count(Judgement::Mistake),
                count(Judgement::Blunder)
            ))?;
        }
        match summary.turning_point {
            Some(ply) => line(&format!("turning point: ply {ply}")),
            None => line("turning point: none"),
        }
    }
}

/// A move as JSON, with the field names of the command-line contract.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    ply: usize,
    side: Side,
    #[serde(rename = "move")]
    played: String,
    best: Option<String>,
    win_before: f64,
    win_after: f64,
    judgement: Judgement,
    reason: Option<ReasonLine<'a>>,
    line: Vec<String>,
    score: Option<Value>,
}

impl<'a> Line<'a> {
    /// A move with its assessment. The table stands before it.
    pub(super) fn of(
        ply: usize,
        table: &dyn Table,
        action: Action,
        assessment: Option<&Assessment>,
        sheet: &'a GameSheet,
    ) -> Line<'a> {
        let Some((assessment, verdict)) = assessment.and_then(|it| Some((it, it.verdict.as_ref()?))) else {
            return Line::unsettled(ply, table, action);
        };
        let of_mover = |value: Value| if verdict.mover == Side::First { value } else { value.reversed() };
        let best = written(table, &verdict.best, Notation::Uci);
        let reason = verdict.reason.as_ref().map(|reason| ReasonLine {
            kind: reason.kind.key(),
            line: written(table, &reason.line, Notation::Uci),
            moves: reason.moves,
            piece: reason.piece.and_then(|piece| sheet.roles.get(usize::from(piece.role))).map(|role| role.key.as_str()),
        });
        Line {
            ply,
            side: verdict.mover,
            played: table.write(action, Notation::Uci).unwrap_or_default(),
            best: best.first().cloned(),
            win_before: verdict.before.part(),
            win_after: verdict.after.part(),
            judgement: verdict.judgement,
            reason,
            line: best,
            score: Some(of_mover(assessment.value)),
        }
    }

    /// A stone or a choice made before the opening decided the sides: it is not assessed.
    fn unsettled(ply: usize, table: &dyn Table, action: Action) -> Line<'static> {
        let played = table.write(action, Notation::Uci).unwrap_or_default();
        Line {
            ply,
            side: table.turn(),
            best: Some(played.clone()),
            line: vec![played.clone()],
            played,
            win_before: 0.5,
            win_after: 0.5,
            judgement: Judgement::Best,
            reason: None,
            score: None,
        }
    }
}

/// A reason as JSON.
#[derive(Serialize)]
struct ReasonLine<'a> {
    kind: &'static str,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<&'a str>,
}

/// The numbers of a side as JSON.
#[derive(Serialize)]
struct SideLine {
    accuracy: Option<f64>,
    best: u32,
    good: u32,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

/// The numbers of the game as JSON.
#[derive(Serialize)]
struct SummaryLine {
    summary: BySide<SideLine>,
    turning_point: Option<usize>,
}
