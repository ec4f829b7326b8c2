//! Loads the network: the one that is part of the program, or one from a file.

use super::Network;
use crate::games::large;
use crate::games::networks::{self, Shipped};
use crate::table::Evaluation;
use std::sync::Arc;

static OWN: Shipped<Network> = Shipped::new(|| networks::shipped(large::gomoku_network(), Network::read));

/// The network of an evaluation; `None` for the evaluation by values alone.
///
/// # Errors
/// There is no such file, or it is no network or damaged: a line that names it.
pub fn network(wanted: &Evaluation) -> Result<Option<Arc<Network>>, String> {
    networks::load(wanted, &OWN, Network::read)
}
