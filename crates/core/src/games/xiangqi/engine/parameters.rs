//! The parameters of the search. Margins are in hundredths of a soldier, reductions in 1024ths of a ply. `qiju-tools tune xiangqi` tunes them.

use crate::search::parameters;

parameters! {
    /// Margins, reductions and limits.
    pub struct Parameters {
        /// Razoring: the margin below alpha, and what it grows by with the square of the depth.
        razoring: 369 in 50..=800,
        razoring_depth: 190 in 40..=500,
        /// Reverse futility: the margin above beta for each ply.
        reverse_futility: 73 in 30..=160,
        /// Null move: the margin of the static evaluation, what it falls by with the depth, and the lead for one ply more of reduction.
        null_margin: 74 in -100..=350,
        null_margin_depth: 18 in 0..=40,
        null_lead: 167 in 60..=400,
        /// ProbCut: the margin above beta, and how much less it is when the side to move improves.
        prob_cut: 126 in 60..=350,
        prob_cut_improving: 47 in 0..=120,
        /// Quiet moves with a history worse than this for each ply are pruned.
        history_pruning: 4003 in 1000..=9000,
        /// The loss of material allowed to quiet moves, for the square of the depth, and to captures, for each ply.
        quiet_loss: 49 in 5..=100,
        capture_loss: 152 in 30..=250,
        /// Futility: the margin below alpha, and what it grows by with each ply.
        futility: 88 in 0..=300,
        futility_depth: 84 in 30..=200,
        /// Quiescence: the margin of a capture below alpha.
        delta: 198 in 50..=400,
        /// Singular extension: the margin for each ply, in hundredths; and the margin for two plies.
        singular: 208 in 50..=500,
        singular_double: 35 in 5..=100,
        /// Late move reductions: the divisor of the product of the logarithms, in hundredths.
        late_divisor: 231 in 130..=330,
        /// Changes of the reduction.
        reduce_pv: -530 in -2500..=0,
        reduce_cut: 1041 in 0..=2800,
        reduce_table_capture: 853 in -300..=1700,
        reduce_not_improving: 665 in -300..=1500,
        reduce_gives_check: -579 in -2000..=500,
        reduce_in_check: -918 in -2000..=500,
        reduce_favoured: -835 in -2500..=0,
        reduce_capture: -1041 in -2500..=500,
        /// The history worth ten 1024ths of a ply less, of quiet moves and of captures.
        reduce_history: 80 in 40..=250,
        reduce_capture_history: 103 in 40..=300,
    }
}
