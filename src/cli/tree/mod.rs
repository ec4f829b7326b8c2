//! `tree`: the tree as a simple algorithm searches it, as text, as JSON or as a picture.

mod svg;

use super::ask::{MovesArgs, PositionArgs, words};
use super::output::value_text;
use qiju_core::search::{NodeEnd, PlainKind, StopToken, Value, grouped};
use qiju_core::storage::replace_file;
use qiju_core::table::{SearchNode, SearchTree, TreeRequest, View};
use qiju_core::terminal::{Failure, aside, json, line};
use serde::Serialize;
use std::path::PathBuf;

/// The most nodes of a tree that is written as text or JSON, and of one that is drawn.
const MOST: usize = 1_000_000;
const MOST_DRAWN: usize = 5_000;

/// Shows the tree as an algorithm searches it: each move it tries, the values that come back, and what it leaves out.
///
/// Minimax has all values from the view of the side to move at the root; the other algorithms have each value from the view of the side to move at
/// its node, so that the sign changes with every move.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    moves: MovesArgs,
    /// Plies to search
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=40))]
    depth: u16,
    /// The algorithm: minimax, negamax, alphabeta, ordered (alpha-beta, promising moves first) or table (with a transposition table, too)
    #[arg(long, value_name = "A", default_value = "alphabeta", value_parser = read_kind)]
    algorithm: PlainKind,
    /// Only the W most promising moves of each position
    #[arg(long, value_name = "W", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1000))]
    width: Option<u16>,
    /// Search to depth 1 first, then to depth 2, and so on: a tree for each depth
    #[arg(long, conflicts_with = "svg")]
    deepening: bool,
    /// Draws the tree into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// One JSON object for each node, in the order of the search, then one with the counts
    #[arg(long)]
    json: bool,
}

fn read_kind(word: &str) -> Result<PlainKind, String> {
    PlainKind::from_key(word)
        .ok_or_else(|| format!("there is no such algorithm; there are {}", words(PlainKind::ALL.map(PlainKind::key))))
}

/// A node of the contract.
#[derive(Serialize)]
struct NodeLine<'a> {
    id: usize,
    parent: Option<u32>,
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    side: &'static str,
    value: Value,
    end: &'static str,
    cut: bool,
    left_out: usize,
}

#[derive(Serialize)]
struct Counts {
    nodes: usize,
    cutoffs: u64,
}

/// How a node ended, in one word.
fn word(end: NodeEnd) -> &'static str {
    match end {
        NodeEnd::Leaf => "leaf",
        NodeEnd::GameOver => "over",
        NodeEnd::Searched => "searched",
        NodeEnd::CutOff(_) => "cut-off",
        NodeEnd::Table => "table",
    }
}

fn text_of(node: &SearchNode) -> &str {
    node.mv.as_ref().map_or("", |(_, text)| text.as_str())
}

/// One line that says what the tree is.
fn title(args: &Args, tree: &SearchTree) -> String {
    let best: Vec<&str> = tree.best_line.iter().map(|id| text_of(&tree.nodes[*id as usize])).collect();
    format!(
        "{} by {}, depth {}: {} nodes, {} cut-offs, value {}, best line {}",
        args.position.game,
        args.algorithm.key(),
        args.depth,
        grouped(tree.nodes.len() as u64),
        grouped(tree.cutoffs),
        tree.value().map(value_text).unwrap_or_default(),
        best.join(" ")
    )
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut table = args.position.table()?;
    args.moves.play(&mut *table)?;
    if let Some(outcome) = table.outcome() {
        return Err(Failure::usage(format!("the game is over ({}): there is nothing to search", outcome.reason.key())));
    }
    let most = if args.svg.is_some() { MOST_DRAWN } else { MOST };
    let request =
        TreeRequest { width: args.width, deepening: args.deepening, ..TreeRequest::new(args.algorithm, args.depth, most) };
    let tree = table.search_tree(&request, &StopToken::new())?;
    if let Some(path) = &args.svg {
        let view = match tree.view {
            View::Root => "values are those of the side to move at the root",
            View::Mover => "each value is that of the side to move at its node",
        };
        let picture = svg::draw(&tree, &title(args, &tree), view);
        replace_file(path, picture.as_bytes()).map_err(|error| Failure::file(path, &error))?;
        if !args.json {
            aside(&title(args, &tree));
            return Ok(());
        }
    }
    if args.json {
        for (id, node) in tree.nodes.iter().enumerate() {
            json(&NodeLine {
                id,
                parent: node.parent,
                mv: node.mv.as_ref().map(|(_, text)| text.as_str()),
                side: node.mover.key(),
                value: node.value(),
                end: word(node.end),
                cut: node.left_out().is_some(),
                left_out: node.left_out().unwrap_or(0),
            })?;
        }
        return json(&Counts { nodes: tree.nodes.len(), cutoffs: tree.cutoffs });
    }
    for node in &tree.nodes {
        let name = if node.mv.is_some() { text_of(node) } else { "root" };
        let end = match node.end {
            NodeEnd::CutOff(moves) => format!("  cut-off, {} left out", grouped(moves as u64)),
            NodeEnd::GameOver => "  game over".to_owned(),
            NodeEnd::Table => "  from the table".to_owned(),
            NodeEnd::Leaf | NodeEnd::Searched => String::new(),
        };
        line(&format!("{}{name}  {}{end}", "  ".repeat(usize::from(node.ply)), value_text(node.value())))?;
    }
    line(&title(args, &tree))
}
