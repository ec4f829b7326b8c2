//! Null move pruning: if a side is still above beta after letting the opponent move twice, its moves do not have to be searched.
//!
//! Donninger 1993; at large depths verified by a search without null moves (Tabibi and Netanyahu 2002), because of zugzwang.

use super::history::PieceTo;
use super::node::Node;
use super::scores::BANNED_FROM;
use super::worker::Worker;
use crate::games::xiangqi::rules::piece::Role;

impl Worker<'_> {
    /// Searches a null move: the score if it is still at least beta. At large depths a search without null moves
    /// verifies it, because of zugzwang.
    pub fn null_move(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, ply, beta, cut, evaluation, .. } = node;
        let reduction = 3 + depth / 4 + ((evaluation - beta) / self.shared.parameters.null_lead).min(3);
        self.make_null(ply);
        let score = -self.search::<false, false>(depth - reduction, ply + 1, -beta, 1 - beta, !cut);
        self.unmake_null();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        let score = if score >= BANNED_FROM { beta } else { score };
        if depth < 10 || self.no_null_until > 0 {
            return Some(score);
        }
        self.no_null_until = ply + (depth - reduction) as usize * 3 / 4;
        let verified = self.search::<false, false>(depth - reduction, ply, beta - 1, beta, false);
        self.no_null_until = 0;
        if self.stopped {
            return Some(0);
        }
        (verified >= beta).then_some(score)
    }

    fn make_null(&mut self, ply: usize) {
        self.board.pass();
        self.plies[ply].piece_to = PieceTo::NONE;
        self.plies[ply + 1].tally = self.plies[ply].tally;
        self.plies[ply + 1].shape = self.plies[ply].shape;
        self.plies[ply + 1].check = false;
        self.plies[ply + 1].since_null = 0;
        if let Some(network) = &mut self.network {
            network.note_pass(ply);
        }
        self.keys.push(self.board.hash());
        self.line.push(None);
    }

    fn unmake_null(&mut self) {
        self.keys.pop();
        self.line.pop();
        self.board.pass();
    }

    /// True if the side to move has a piece besides general, advisors, elephants and soldiers; then zugzwang is rare.
    pub fn has_force(&self) -> bool {
        let turn = self.board.turn();
        self.board.of(turn, Role::Chariot) | self.board.of(turn, Role::Horse) | self.board.of(turn, Role::Cannon) != 0
    }
}
