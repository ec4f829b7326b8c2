//! The parameters of the search. Margins are in hundredths of an open two, depths and reductions in 1024ths of a ply. `qiju-tools tune gomoku` tunes them.

use crate::search::parameters;

parameters! {
    /// Margins, reductions and limits.
    pub struct Parameters {
        /// The half width of the first aspiration window.
        window: 17 in 5..=100,
        /// Reverse futility: the margin above beta for each ply but the first, and how much less it is at an expected cut node that the table does not know.
        reverse_futility: 76 in 20..=150,
        reverse_cut: 10 in 0..=40,
        /// Razoring: the margin below alpha, what it grows by with each ply, and the depth from which on it is not used.
        razoring: 6 in 0..=150,
        razoring_ply: 13 in 0..=100,
        razoring_depth: 1757 in 1024..=5120,
        /// At a leaf, an evaluation so far below alpha ends the search of fours.
        hopeless: 1935 in 500..=3000,
        /// How much less deep a node of the principal variation is searched if it is not in the table; and for each ply that its entry lacks, with the most.
        less_unknown: 466 in 0..=1024,
        less_lacking: 154 in 0..=700,
        less_most: 3923 in 0..=6000,
        /// Expected cut nodes with an evaluation so far above beta are searched a ply less: the margin and what it grows by with each ply.
        above: 13 in -100..=200,
        above_ply: 16 in 0..=60,
        /// The number of moves that are searched: some, and the depth to this power, in hundredths.
        moves: 4 in 1..=10,
        moves_power: 145 in 80..=220,
        /// The depth up to which stones that do nothing for either side are left out.
        idle_depth: 2793 in 0..=10000,
        /// Late move reductions: the factor of the product of the logarithms, in hundredths.
        late_factor: 59 in 50..=150,
        /// Changes of the reduction.
        reduce_cut: 1699 in 0..=3000,
        reduce_not_improving: 999 in 0..=2200,
        reduce_delay: 1606 in 0..=3000,
        /// The history worth a ply less, and the usual history.
        reduce_history: 13154 in 4000..=30000,
        history_usual: 3670 in -3000..=8000,
        /// A move better than expected by this much, and so much for each ply that it was reduced by, is searched a ply deeper.
        deeper: 34 in 0..=200,
        deeper_ply: 24 in 0..=60,
        /// Extensions: of an answer to a four, and of the table's move in a node of the principal variation.
        extend_forced: 1295 in 0..=2048,
        extend_known: 222 in 0..=1024,
        /// Singular extensions: the least depth, the margin for each ply in hundredths, the reduction in hundredths of the depth, the margin for two plies, and the
        /// reduction if the move is not singular but reaches beta.
        singular_depth: 7328 in 4096..=12288,
        singular: 107 in 20..=400,
        singular_less: 58 in 30..=70,
        singular_very: 18 in 5..=100,
        singular_not: 1403 in 0..=2560,
        /// Move ordering: the weight of the history in 4096ths for moves that threaten nothing (twice as much for others), and what a counter move is put forward by.
        order_history: 26 in 2..=64,
        order_counter: 32 in 0..=100,
    }
}

impl Parameters {
    /// The number of moves that are searched at a depth in plies, if the side to move improves.
    pub fn move_limit(&self, plies: usize) -> usize {
        let more = (plies as f64).powf(f64::from(self.moves_power) / 100.0) as usize;
        if plies == 0 { 0 } else { self.moves as usize + more }
    }
}
