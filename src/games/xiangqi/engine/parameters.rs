//! The parameters of the search. Margins are in hundredths of a soldier, reductions in 1024ths of a ply. `qiju train xiangqi search` tunes them.

use crate::search::parameters;

parameters! {
    /// Margins, reductions and limits.
    pub struct Parameters {
        /// Razoring: the margin below alpha, and what it grows by with the square of the depth.
        razoring: 350 in 50..=800,
        razoring_depth: 220 in 40..=500,
        /// Reverse futility: the margin above beta for each ply.
        reverse_futility: 75 in 30..=160,
        /// Null move: the margin of the static evaluation, what it falls by with the depth, and the lead for one ply more of reduction.
        null_margin: 120 in -100..=350,
        null_margin_depth: 18 in 0..=40,
        null_lead: 180 in 60..=400,
        /// ProbCut: the margin above beta, and how much less it is when the side to move improves.
        prob_cut: 170 in 60..=350,
        prob_cut_improving: 50 in 0..=120,
        /// Quiet moves with a history worse than this for each ply are pruned.
        history_pruning: 3600 in 1000..=9000,
        /// The loss of material allowed to quiet moves, for the square of the depth, and to captures, for each ply.
        quiet_loss: 40 in 5..=100,
        capture_loss: 110 in 30..=250,
        /// Futility: the margin below alpha, and what it grows by with each ply.
        futility: 110 in 0..=300,
        futility_depth: 95 in 30..=200,
        /// Quiescence: the margin of a capture below alpha.
        delta: 180 in 50..=400,
        /// Singular extension: the margin for each ply, in hundredths; and the margin for two plies.
        singular: 200 in 50..=500,
        singular_double: 30 in 5..=100,
        /// Late move reductions: the divisor of the product of the logarithms, in hundredths.
        late_divisor: 210 in 130..=330,
        /// Changes of the reduction.
        reduce_pv: -1024 in -2500..=0,
        reduce_cut: 1400 in 0..=2800,
        reduce_table_capture: 700 in -300..=1700,
        reduce_not_improving: 512 in -300..=1500,
        reduce_gives_check: -700 in -2000..=500,
        reduce_in_check: -700 in -2000..=500,
        reduce_favoured: -1024 in -2500..=0,
        reduce_capture: -900 in -2500..=500,
        /// The history worth ten 1024ths of a ply less, of quiet moves and of captures.
        reduce_history: 100 in 40..=250,
        reduce_capture_history: 120 in 40..=300,
    }
}
