//! Fitting the evaluation of xiangqi to games.

mod tuning;
