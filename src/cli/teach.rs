//! `teach`: the verdict on the last move, as in a teaching match.

use super::ask::{MovesArgs, PositionArgs, notation_for, read_notation};
use super::review::{Line, head, row};
use qiju_core::games;
use qiju_core::search::{Limits, StopToken};
use qiju_core::study::{TEACHING_NODES, judge_move};
use qiju_core::table::{Notation, SearchRequest};
use qiju_core::terminal::{Failure, json};

/// Judges the last move of a line as a teaching match does: how much winning chance it lost, what was better, and why.
///
/// With --json one object is printed, that of `review` for this move.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    moves: MovesArgs,
    /// Nodes to search for each position
    #[arg(long, value_name = "N", default_value_t = TEACHING_NODES, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The notation of moves in the text output: uci, iccs, wxf or chinese
    #[arg(long, value_name = "N", value_parser = read_notation)]
    notation: Option<Notation>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut table = args.position.table()?;
    args.moves.play(&mut *table)?;
    let ply = table.ply();
    let Some(action) = table.played().pop() else {
        return Err(Failure::usage("--moves: there is no move to judge".to_owned()));
    };
    table.undo();
    let request = SearchRequest { limits: Limits::nodes(args.nodes), ..SearchRequest::default() };
    let mut player = table.player();
    let judged = judge_move(&*table, action, None, &mut *player, &request, &StopToken::new())
        .map_err(|error| Failure::work(error.to_string()))?;
    let sheet = games::find(table.game())?.sheet()?;
    let assessment = judged.as_ref().map(|judged| &judged.assessment);
    if args.json {
        return json(&Line::of(ply, &*table, action, assessment, &sheet));
    }
    let notation = notation_for(args.notation, &*table);
    head()?;
    row(ply, &*table, action, assessment, (&sheet, notation))
}
