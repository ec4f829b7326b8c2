//! Questions of the search laboratory.

use super::{Computation, SentTable};
use crate::games;
use crate::search::StopToken;
use crate::study::laboratory::{Bench, Experiment, Figures, TreeLayout};
use crate::table::{Notation, PlayerError, SearchTree, Setup, Table, TreeRequest, TreeSize};
use serde::{Deserialize, Serialize};

/// The sizes of trees of one position, each reported when it is counted.
#[derive(Serialize, Deserialize)]
pub struct CountTree {
    /// The position.
    pub table: SentTable,
    /// The trees. The last is counted first.
    pub requests: Vec<TreeRequest>,
}

impl Computation for CountTree {
    const KEY: &'static str = "count-tree";
    /// The index of a request, and the size of its tree.
    type News = (usize, Result<TreeSize, PlayerError>);
    type Answer = ();

    fn run(self, stop: &StopToken, tell: &mut dyn FnMut(Self::News)) {
        for (index, request) in self.requests.iter().enumerate().rev() {
            if stop.is_stopped() {
                return;
            }
            tell((index, self.table.tree_size(request, stop)));
        }
    }
}

/// The tree of a search, laid out to be drawn.
#[derive(Serialize, Deserialize)]
pub struct DrawTree {
    /// The position.
    pub table: SentTable,
    /// How it is searched.
    pub request: TreeRequest,
}

impl Computation for DrawTree {
    const KEY: &'static str = "draw-tree";
    type News = ();
    type Answer = Result<(SearchTree, TreeLayout), PlayerError>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        let tree = self.table.search_tree(&self.request, stop)?;
        let layout = TreeLayout::of(&tree);
        Ok((tree, layout))
    }
}

/// The figures of one of the experiments that come with the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasureExperiment {
    /// Its number in [`Experiment::shipped`].
    pub number: usize,
    /// How moves are written.
    pub notation: Notation,
}

/// The table of a bench of an experiment; `None` if its position or a move is not valid.
pub fn table_of_bench(game: &str, bench: &Bench) -> Option<Box<dyn Table>> {
    let setup = Setup { variant: None, position: bench.position.clone() };
    let mut table = games::find(game).ok()?.table(&setup).ok()?;
    for word in bench.moves.split_whitespace() {
        let action = table.read(word).ok()?;
        table.play(action).ok()?;
    }
    Some(table)
}

impl Computation for MeasureExperiment {
    const KEY: &'static str = "measure-experiment";
    type News = ();
    /// `None` if there is no such experiment.
    type Answer = Option<Result<Figures, PlayerError>>;

    fn run(self, stop: &StopToken, _: &mut dyn FnMut(())) -> Self::Answer {
        let experiments = Experiment::shipped().ok()?;
        let experiment = experiments.get(self.number)?;
        let tables: Option<Vec<_>> = experiment.benches.iter().map(|bench| table_of_bench(&experiment.game, bench)).collect();
        Some(Figures::measure(experiment, &tables?, self.notation, stop))
    }
}
