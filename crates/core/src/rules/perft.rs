//! Perft: counts the tree of legal moves, to test move generators.

use super::Position;

/// The number of leaves of the tree of legal moves `depth` plies deep. A finished game has no
/// children, so it counts only at depth 0. The last ply is counted without being played.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut total = 0;
    for mv in moves {
        let undo = position.make(mv);
        total += perft(position, depth - 1);
        position.unmake(mv, undo);
    }
    total
}
