//! The parameters of the search. Margins are in hundredths of an open two, reductions in 1024ths of a ply. `qiju train gomoku search` tunes them.

use crate::search::parameters;

parameters! {
    /// Margins, reductions and limits.
    pub struct Parameters {
        /// The half width of the first aspiration window.
        window: 74 in 10..=200,
        /// Reverse futility: the margin above beta for each ply, how much less it is when the side to move improves, and the greatest depth.
        reverse_futility: 114 in 30..=180,
        reverse_improving: 64 in 0..=120,
        reverse_depth: 5 in 3..=12,
        /// Razoring: the margin below alpha, and what it grows by with each ply.
        razoring: 118 in 0..=400,
        razoring_depth: 256 in 30..=350,
        /// Futility: the margin below alpha, what it grows by with each ply, and the weight of a move's ordering score, in 16ths.
        futility: 109 in 0..=400,
        futility_depth: 128 in 30..=220,
        futility_order: 10 in 0..=24,
        /// How many moves are searched, except fours with an open three and answers to them: some, some more, and more with the square of the depth, in hundredths.
        moves: 3 in 0..=10,
        moves_more: 5 in 0..=16,
        moves_depth: 50 in 20..=110,
        /// Late move reductions: the factor of the product of the logarithms, in hundredths, and what is added.
        late_factor: 93 in 50..=150,
        late_more: 155 in -300..=1300,
        /// Changes of the reduction.
        reduce_cut: 507 in 0..=2400,
        reduce_noisy: 0 in -2400..=1200,
        reduce_pv: -500 in -2400..=500,
        reduce_not_improving: 973 in -200..=2200,
        /// The history worth a ply less.
        reduce_history: 2146 in 1500..=10000,
        /// Singular extension: the margin for each ply, in hundredths.
        singular: 311 in 80..=700,
        /// Move ordering: the weights of a point's values for the side to move and for the other side, in 16ths; what a simple four is put back by, and
        /// what killer and counter moves are put forward by.
        order_own: 174 in 60..=200,
        order_other: 83 in 40..=180,
        order_four: 232 in 0..=1000,
        order_killer: 286 in 0..=600,
        order_counter: 181 in 0..=600,
        /// The weight of the policy in move ordering, in 16ths.
        order_policy: 72 in 0..=160,
        /// The weight of the history in move ordering, in 256ths.
        order_history: 20 in 4..=48,
    }
}
