//! The searchers every game can be played with besides its own engine.

use crate::rules::Position;
use crate::search::{Engine, Evaluate, Misjudge, Plain, PlainKind};
use crate::table::{Algorithm, EngineOptions};

/// The plain searcher that is asked for, over a game's evaluation with the errors of the level.
///
/// # Errors
/// The algorithm is none of the plain ones.
pub fn engine<P, E>(options: &EngineOptions, evaluation: E) -> Result<Box<dyn Engine<P>>, String>
where
    P: Position + 'static,
    E: Evaluate<P> + 'static,
{
    let kind = match options.algorithm {
        Algorithm::Minimax => PlainKind::Minimax,
        Algorithm::Negamax => PlainKind::Negamax,
        Algorithm::AlphaBeta => PlainKind::AlphaBeta,
        Algorithm::Seed => return Err("the seed's opponent plays two-eat-one only".to_owned()),
        Algorithm::Own => return Err("the game has no engine of its own".to_owned()),
    };
    Ok(Box::new(Plain::new(kind, Misjudge::new(evaluation, options.misjudgement, options.seed))))
}
