//! The guided experiments of the search laboratory: a few steps that set the page up, ask what will happen, and show it. Their positions and texts are in
//! `assets/laboratory/experiments.ron`. No figure stands in a text: a figure is measured by searching when the experiment begins, and what a text says
//! about figures is a [`Claim`], which the tests check by searching.

use super::{MOST_COUNTED, MOST_DRAWN};
use crate::search::{NodeEnd, PlainKind, StopToken, Value, grouped};
use crate::table::{Notation, PlayerError, SearchTree, SheetError, Table, Text, TreeRequest, TreeSize, read_ron};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The shipped experiments.
const SHIPPED: &str = include_str!("../../../assets/laboratory/experiments.ron");

/// A guided experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its name.
    pub title: Text,
    /// The game's key.
    pub game: String,
    /// The searches that it compares.
    pub benches: Vec<Bench>,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A position and how deep it is searched.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    /// The position as text; the start if there is none.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves that are played first, in the game's own notation.
    #[serde(default)]
    pub moves: String,
    /// Plies to search.
    pub depth: u16,
    /// Only so many of the most promising moves.
    #[serde(default)]
    pub width: Option<u16>,
    /// Depth by depth.
    #[serde(default)]
    pub deepening: bool,
}

/// An algorithm of the file, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub PlainKind);

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0.key())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Kind, D::Error> {
        let word = String::deserialize(from)?;
        PlainKind::from_key(&word).map(Kind).ok_or_else(|| serde::de::Error::custom(format!("no algorithm '{word}'")))
    }
}

/// A search of an experiment: the number of its bench, and the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Which(pub usize, pub Kind);

impl Which {
    /// Reads `0.table`.
    fn read(words: &str) -> Option<Which> {
        let (bench, algorithm) = words.split_once('.')?;
        Some(Which(bench.parse().ok()?, Kind(PlainKind::from_key(algorithm)?)))
    }
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Moment {
    /// The beginning.
    #[default]
    Start,
    /// When a branch is cut off for the first time; its node is chosen.
    FirstCut,
    /// The end.
    End,
}

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ShownMoment(pub Which, pub Moment);

/// A step of an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What is told.
    pub text: Text,
    /// What the page shows.
    pub sight: ShownMoment,
    /// What is asked.
    #[serde(default)]
    pub question: Option<Question>,
    /// What this step, with its answer, says about figures.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

/// A question, and what is shown when it is answered.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The answers to choose from.
    pub options: Vec<Text>,
    /// The right one, counted from 0.
    pub right: usize,
    /// What the page shows then.
    pub sight: ShownMoment,
    /// What is told then.
    pub after: Text,
}

/// Something that is said about searches; it must be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Claim {
    /// Both find the same value.
    SameValue(Which, Which),
    /// Both have as many nodes.
    SameNodes(Which, Which),
    /// The first has at most so many hundredths of the second's nodes.
    Nodes(Which, Which, u64),
    /// With iterative deepening, the last depth of the first has at most so many hundredths of the second's nodes.
    LastDepth(Which, Which, u64),
    /// Every position has as many moves as the width allows, down to the full depth: there are as many leaves as minimax must look at.
    Even(Which),
    /// Both choose the same move.
    SameMove(Which, Which),
    /// They choose different moves.
    OtherMove(Which, Which),
    /// The value is at least so many hundredths, without a forced win.
    AtLeast(Which, i32),
    /// The value is at most so many hundredths, without a forced loss.
    AtMost(Which, i32),
    /// The side to move wins by force.
    Wins(Which),
}

/// The figures of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Nodes of its tree.
    pub nodes: u64,
    /// Nodes at which moves were left out.
    pub cutoffs: u64,
    /// Positions that were evaluated or ended the game.
    pub leaves: u64,
    /// The nodes of the last depth alone, with iterative deepening.
    pub last: u64,
    /// The leaves of minimax where every position has as many moves as the width allows; 0 without a width.
    pub most: u64,
    /// The fewest leaves that alpha-beta can need there (Knuth and Moore, 1975); 0 without a width.
    pub least: u64,
    /// The value for the side to move.
    pub value: Value,
    /// The best line; empty if the tree is too large to be kept.
    pub line: Vec<String>,
}

impl Measured {
    /// The figures of a tree.
    pub fn of(tree: &SearchTree) -> Measured {
        let text = |id: &u32| tree.nodes[*id as usize].mv.as_ref().map(|(_, text)| text.clone());
        let leaf = |end: NodeEnd| matches!(end, NodeEnd::Leaf | NodeEnd::GameOver);
        let last_root = tree.roots().last().unwrap_or(0);
        Measured {
            nodes: tree.nodes.len() as u64,
            cutoffs: tree.cutoffs,
            leaves: tree.nodes.iter().filter(|node| leaf(node.end)).count() as u64,
            last: tree.nodes.len() as u64 - u64::from(last_root),
            most: 0,
            least: 0,
            value: tree.value().unwrap_or(Value::Cp(0)),
            line: tree.best_line.iter().filter_map(text).collect(),
        }
    }
}

impl Measured {
    /// The figures of a tree that was only counted.
    fn counted(size: &TreeSize) -> Measured {
        let TreeSize { nodes, cutoffs, value } = *size;
        Measured { nodes, cutoffs, leaves: 0, last: 0, most: 0, least: 0, value, line: Vec::new() }
    }
}

/// The figures of the searches that an experiment names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures(pub Vec<(Which, Measured)>);

impl Figures {
    /// Makes the searches that an experiment names; there is a table for each bench.
    ///
    /// # Errors
    /// A search is too large, or was stopped.
    pub fn measure(
        experiment: &Experiment,
        tables: &[Box<dyn Table>],
        notation: Notation,
        stop: &StopToken,
    ) -> Result<Figures, PlayerError> {
        let mut figures = Vec::new();
        for which in experiment.searches() {
            let Some((bench, table)) = experiment.benches.get(which.0).zip(tables.get(which.0)) else { continue };
            let request = bench.request(which.1.0, notation);
            let mut measured = match table.search_tree(&request, stop) {
                Ok(tree) => Measured::of(&tree),
                // Too large to be kept, but not to be counted.
                Err(_) => Measured::counted(&table.tree_size(&TreeRequest { most: MOST_COUNTED, ..request }, stop)?),
            };
            if let Some(width) = bench.width.map(u64::from) {
                let (depth, power) = (u32::from(bench.depth), |exponent: u32| width.saturating_pow(exponent));
                measured.most = power(depth);
                measured.least = power(depth.div_ceil(2)) + power(depth / 2) - 1;
            }
            figures.push((which, measured));
        }
        Ok(Figures(figures))
    }

    /// The figures of one search.
    pub fn of(&self, which: Which) -> Option<&Measured> {
        self.0.iter().find(|(of, _)| *of == which).map(|(_, measured)| measured)
    }

    /// A text with its figures: `{0.table.nodes}` is the number of nodes of bench 0 with the table; there are `nodes`, `last`, `leaves`, `most`, `least`, `cutoffs`,
    /// `value`, `move`, `line`, and `{0.minimax/0.alphabeta}`, how many times as many nodes the first has. `value` writes a value.
    pub fn fill(&self, text: &str, value: &dyn Fn(Value) -> String) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, tail)) = rest.split_once('{') {
            let Some((name, after)) = tail.split_once('}') else { break };
            out.push_str(before);
            match self.figure(name, value) {
                Some(figure) => out.push_str(&figure),
                None => out.extend(["{", name, "}"]),
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn figure(&self, name: &str, value: &dyn Fn(Value) -> String) -> Option<String> {
        let search = |words: &str| self.of(Which::read(words)?);
        if let Some((more, less)) = name.split_once('/') {
            return Some(format!("{:.0}", search(more)?.nodes as f64 / search(less)?.nodes as f64));
        }
        let (words, what) = name.rsplit_once('.')?;
        let measured = search(words)?;
        if measured.line.is_empty() && !matches!(what, "nodes" | "cutoffs" | "value") {
            return None;
        }
        Some(match what {
            "nodes" => grouped(measured.nodes),
            "last" => grouped(measured.last),
            "leaves" => grouped(measured.leaves),
            "cutoffs" => grouped(measured.cutoffs),
            "most" => grouped(measured.most),
            "least" => grouped(measured.least),
            "value" => value(measured.value),
            "move" => measured.line.first()?.clone(),
            "line" => measured.line.join(" "),
            _ => return None,
        })
    }

    /// True if a claim is so.
    pub fn bears_out(&self, claim: Claim) -> bool {
        let pair = |a: Which, b: Which| self.of(a).zip(self.of(b));
        let one = |which: Which| self.of(which).map(|measured| measured.value);
        match claim {
            Claim::SameValue(a, b) => pair(a, b).is_some_and(|(a, b)| a.value == b.value),
            Claim::SameNodes(a, b) => pair(a, b).is_some_and(|(a, b)| a.nodes == b.nodes),
            Claim::Nodes(a, b, part) => pair(a, b).is_some_and(|(a, b)| a.nodes * 100 <= b.nodes * part),
            Claim::LastDepth(a, b, part) => pair(a, b).is_some_and(|(a, b)| a.last * 100 <= b.nodes * part),
            Claim::Even(which) => self.of(which).is_some_and(|measured| measured.leaves == measured.most),
            Claim::SameMove(a, b) => pair(a, b).is_some_and(|(a, b)| a.line.first() == b.line.first()),
            Claim::OtherMove(a, b) => pair(a, b).is_some_and(|(a, b)| a.line.first() != b.line.first()),
            Claim::AtLeast(which, least) => matches!(one(which), Some(Value::Cp(value)) if value >= least),
            Claim::AtMost(which, most) => matches!(one(which), Some(Value::Cp(value)) if value <= most),
            Claim::Wins(which) => matches!(one(which), Some(Value::Mate(moves)) if moves > 0),
        }
    }
}

impl Bench {
    /// The search of this bench by an algorithm.
    pub fn request(&self, algorithm: PlainKind, notation: Notation) -> TreeRequest {
        TreeRequest {
            width: self.width,
            deepening: self.deepening,
            notation,
            ..TreeRequest::new(algorithm, self.depth, MOST_DRAWN)
        }
    }
}

impl Claim {
    /// The searches it is about.
    fn searches(self) -> Vec<Which> {
        match self {
            Claim::SameValue(a, b)
            | Claim::SameNodes(a, b)
            | Claim::Nodes(a, b, _)
            | Claim::LastDepth(a, b, _)
            | Claim::SameMove(a, b)
            | Claim::OtherMove(a, b) => vec![a, b],
            Claim::Even(which) | Claim::AtLeast(which, _) | Claim::AtMost(which, _) | Claim::Wins(which) => vec![which],
        }
    }
}

/// The searches whose figures stand in a text.
fn named_in(text: &str) -> impl Iterator<Item = Which> + '_ {
    let names = text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name);
    names
        .flat_map(|name| match name.split_once('/') {
            Some((more, less)) => vec![more, less],
            None => vec![name.rsplit_once('.').map_or(name, |(words, _)| words)],
        })
        .filter_map(Which::read)
}

impl Experiment {
    /// The searches whose figures it needs.
    fn searches(&self) -> Vec<Which> {
        let mut all: Vec<Which> = Vec::new();
        for step in &self.steps {
            let mut texts = vec![&step.text];
            all.push(step.sight.0);
            if let Some(question) = &step.question {
                all.push(question.sight.0);
                texts.extend(question.options.iter().chain([&question.after]));
            }
            all.extend(texts.iter().flat_map(|text| named_in(&text.en).chain(named_in(&text.zh))));
            all.extend(step.claims.iter().flat_map(|claim| claim.searches()));
        }
        let mut once: Vec<Which> = Vec::new();
        for which in all {
            if !once.contains(&which) {
                once.push(which);
            }
        }
        once
    }

    /// The shipped experiments.
    ///
    /// # Errors
    /// None if the tests pass: they read the file.
    pub fn shipped() -> Result<Vec<Experiment>, SheetError> {
        read_ron("laboratory/experiments.ron", SHIPPED)
    }
}
