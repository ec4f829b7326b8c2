//! A node of the search: table lookup, pruning, and the depth of each move.
//!
//! Principal variation search with a shared transposition table, history, late move reductions and pruning, futility pruning, singular extensions and
//! extensions of forced answers. A quiet node whose evaluation is below beta also searches for a win by fours.

use super::candidates;
use super::evaluation::WHOLE;
use super::threats;
use super::values;
use super::worker::{DECIDED, INFINITE, MAX_PLY, WIN, Worker};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::Position;
use crate::search::{Bound, Deferred, Entry, Hint, Score};

/// The node budget of the search for a win by fours at a node, for each two plies of depth.
const INNER_FOURS: u64 = 120;
/// A ply of depth. Depths are in parts of a ply, so that small reductions add up.
pub const PLY: i32 = 1024;

/// The depth in whole plies, rounded; at least 0.
fn whole(depth: i32) -> i32 {
    (depth.max(0) + PLY / 2) / PLY
}

impl Worker<'_> {
    /// The score of the position within the window. `depth` is in units of [`PLY`]; `cut` is true if a cut-off is expected (an expected cut node).
    #[allow(clippy::too_many_lines, reason = "one node read from the top down")]
    pub fn node(&mut self, mut depth: i32, mut alpha: i32, mut beta: i32, ply: usize, skip: Option<Spot>, cut: bool) -> i32 {
        let settings = self.settings;
        let parameters = &settings.parameters;
        self.nodes += 1;
        self.pv.clear(ply);
        if self.ends() {
            self.stopped = true;
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        let (side, opponent) = (self.board.side_to_move(), !self.board.side_to_move());
        let root = ply == 0;
        // The end of the game, and positions where the result is certain.
        if self.board.count(side, Class::Five) > 0 {
            let five = self.board.of_class(side, Class::Five).first();
            self.pv.end(ply, five);
            return WIN - (ply as i32 + 1);
        }
        let pressed = self.board.count(opponent, Class::Five) > 0;
        let mut spots = Spots::default();
        let mut delays = Spots::default();
        let mut threatened = false;
        if pressed {
            spots = threats::against_five(&self.board, side);
            threats::keep_legal(&self.board, &mut spots);
            if spots.is_empty() {
                let last = threats::last_answer(&self.board);
                self.pv.end(ply, last);
                return -(WIN - (ply as i32 + 2));
            }
        } else {
            if let Some(spot) = threats::open_four(&self.board, side) {
                self.pv.end(ply, [spot]);
                return WIN - (ply as i32 + 3);
            }
            if self.board.empty().is_empty() {
                return 0;
            }
            threatened = threats::open_four(&self.board, opponent).is_some();
            if !threatened
                && !root
                && self.settings.proves
                && let Some(spot) = threats::certain_win(&self.board, side)
            {
                self.pv.end(ply, [spot]);
                return WIN - (ply as i32 + 5);
            }
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(WHOLE);
        }
        if !root {
            alpha = alpha.max(-(WIN - (ply as i32 + 2)));
            beta = beta.min(WIN - (ply as i32 + 3));
            if alpha >= beta {
                return alpha;
            }
        }
        let open_window = beta - alpha > 1;
        if depth <= 0 && threatened && (ply as i32) < 2 * self.root_depth + 4 {
            depth = PLY;
        }
        if depth <= 0 && !pressed {
            let known = self.shared.table.probe(self.board.key());
            let settled = known.and_then(|entry| Self::table_cutoff(&entry, ply, alpha, beta));
            return settled.unwrap_or_else(|| self.leaf(known, ply, alpha, beta));
        }
        let plies_was = whole(depth);
        let key = self.board.key() ^ skip.map_or(0, |spot| crate::rules::zobrist::mix(spot.index() as u64));
        let known = self.shared.table.probe(key);
        if let Some(entry) = known
            && !root
            && !open_window
            && i32::from(entry.depth) >= plies_was
            && let Some(score) = Self::table_cutoff(&entry, ply, alpha, beta)
        {
            return score;
        }
        let table_code = known.map_or(0, |entry| entry.code);
        let judged = if pressed { -INFINITE } else { self.judged(known, (alpha, beta)) };
        let eval = known.filter(|_| !pressed).map_or(judged, |entry| Self::refined(judged, &entry, ply));
        // A position with one answer is as good as the one before it.
        self.evals[ply] = if pressed && !root { -self.evals[ply - 1] } else { eval };
        let improving = ply >= 2 && !pressed && eval > self.evals[ply - 2];
        if !pressed && !root && skip.is_none() {
            let narrow = !open_window && !threatened && beta.abs() < DECIDED;
            // Reverse futility: the evaluation is far above beta at a low depth.
            let lead = parameters.reverse_futility * depth / PLY - if improving { parameters.reverse_improving } else { 0 };
            if narrow && plies_was <= parameters.reverse_depth && eval - lead >= beta {
                return eval;
            }
            if (open_window || eval < beta)
                && let Some(length) = self.wins_by_fours(INNER_FOURS * (1 + plies_was as u64 / 2))
            {
                return WIN - (ply + length) as i32;
            }
            // Razoring: the evaluation is far below alpha.
            if narrow && plies_was <= 3 && eval + parameters.razoring_depth * depth / PLY + parameters.razoring < alpha {
                return self.leaf(known, ply, alpha, beta);
            }
        }
        if plies_was >= 5 && table_code == 0 && !pressed {
            depth -= PLY;
        }
        let plies = whole(depth);
        if !pressed {
            spots = if threatened {
                let (defences, puts_off) = threats::defences(&self.board, side);
                if !root {
                    delays = puts_off;
                }
                defences
            } else if !root
                && self.settings.proves
                && let Some((defences, puts_off)) = threats::against_four_three(&self.board, side)
            {
                delays = puts_off;
                defences
            } else {
                candidates::candidates(&self.board)
            };
            if spots.is_empty() {
                // No defence against an open four of the opponent.
                return -(WIN - (ply as i32 + 4));
            }
        }
        if root {
            for spot in self.left_out.iter().copied().chain(self.lost.iter().map(|(spot, _)| *spot)) {
                if spots.len() > 1 {
                    spots.remove(spot);
                }
            }
        }
        let mut list = self.order(&spots, &delays, table_code, ply);
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_code = 0;
        let mut count = 0;
        let mut quiet_tried: Vec<Spot> = Vec::new();
        let busy = &self.shared.busy;
        let divides = busy.divides(plies) && skip.is_none();
        let mut deferred = Deferred::new(Spot::new(0, 0));
        let mut index = 0;
        loop {
            // The next move, and its number if it was put off.
            let (spot, earlier) = if index < list.len() {
                let mut pick = index;
                for other in index + 1..list.len() {
                    if list[other].order > list[pick].order {
                        pick = other;
                    }
                }
                list.swap(index, pick);
                index += 1;
                (list[index - 1].spot, None)
            } else if let Some((spot, number)) = deferred.pop() {
                (spot, Some(number))
            } else {
                break;
            };
            if Some(spot) == skip || root && self.excluded.contains(&spot) {
                continue;
            }
            if best > -DECIDED && delays.contains(spot) {
                index = list.len();
                continue;
            }
            let own = self.board.class(spot, side);
            let other = self.board.class(spot, opponent);
            let quiet = own < Class::Four && other < Class::Four;
            if count > 0 && earlier.is_none() && !root && !pressed && best > -DECIDED {
                if let Some(width) = self.settings.width
                    && count >= width
                    && own < Class::Four
                    && !threatened
                {
                    continue;
                }
                // Late moves are not searched, whatever they are and wherever: in nodes of the principal variation too, and among the answers to a threat.
                if own < Class::FourThree && other < Class::FourThree {
                    let more = parameters.moves_more + plies * plies * parameters.moves_depth / 100;
                    let limit = more / if improving { 1 } else { 2 } + parameters.moves;
                    if count as i32 >= limit {
                        index = list.len();
                        continue;
                    }
                }
                if quiet && !open_window && !threatened && plies <= 5 {
                    let margin = parameters.futility_depth * plies + parameters.futility;
                    let order = parameters.futility_order * values::ordering_score(&self.board, spot, side) / 16;
                    if eval + margin + order <= alpha {
                        continue;
                    }
                }
            }
            count += usize::from(earlier.is_none());
            let code = Board::move_code(spot);
            let hint = Hint::new(key, code);
            if divides && earlier.is_none() && count > 1 && busy.contains(hint) && deferred.push(spot, count) {
                continue;
            }
            let number = earlier.unwrap_or(count);
            let mut extension = 0;
            if !root
                && skip.is_none()
                && code == table_code
                && let Some(entry) = known
            {
                extension = match self.singular_extension(spot, &entry, plies, beta, ply, cut) {
                    Ok(extension) => extension,
                    Err(score) => return score,
                };
            }
            // A forced answer does not reduce the depth.
            if pressed && list.len() == 1 && (ply as i32) < 3 * self.root_depth + 8 {
                extension += PLY;
            }
            let next = depth - PLY + extension;
            self.shared.table.prefetch(self.board.key_after(spot));
            self.standing.make(&mut self.board, spot);
            self.path.push(spot);
            if divides {
                busy.begin(hint);
            }
            let score = if number == 1 {
                -self.node(next, -beta, -alpha, ply + 1, None, !open_window && !cut)
            } else {
                let mut reduction = 0;
                if plies >= 3 && number > 2 {
                    let changes = [
                        (cut, parameters.reduce_cut),
                        (!quiet, parameters.reduce_noisy),
                        (open_window, parameters.reduce_pv),
                        (!improving, parameters.reduce_not_improving),
                    ];
                    let change: i32 = changes.iter().map(|(holds, change)| if *holds { *change } else { 0 }).sum();
                    let favour = self.tables.history[side.index()][spot.index()] * 1024 / parameters.reduce_history;
                    let usual = settings.reductions[(plies as usize).min(63)][number.min(63)];
                    reduction = (usual + change - favour).clamp(0, (next - PLY).max(0));
                }
                let mut score = -self.node(next - reduction, -alpha - 1, -alpha, ply + 1, None, true);
                if reduction > 0 && score > alpha && !self.stopped {
                    score = -self.node(next, -alpha - 1, -alpha, ply + 1, None, !cut);
                }
                if score > alpha && score < beta && !self.stopped {
                    score = -self.node(next, -beta, -alpha, ply + 1, None, false);
                }
                score
            };
            self.path.pop();
            self.standing.unmake(&mut self.board, spot);
            if divides {
                busy.end(hint);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha || number == 1 {
                    best_code = code;
                    self.pv.keep(ply, spot);
                }
                if score > alpha {
                    alpha = score;
                    if alpha >= beta {
                        self.cutoffs += 1;
                        if !pressed {
                            self.update_ordering(spot, &quiet_tried, plies, ply);
                        }
                        break;
                    }
                }
            }
            if quiet_tried.len() < 32 {
                quiet_tried.push(spot);
            }
        }
        if count == 0 {
            return if skip.is_some() { alpha } else { eval.max(-WIN) };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // If root moves are excluded, one of them may be better, so the score is only a lower bound.
        let partial = root && !self.left_out.is_empty();
        let bound = if partial && bound == Bound::Exact { Bound::Lower } else { bound };
        if !root || self.excluded.is_empty() && !(partial && bound == Bound::Upper) {
            let note = judged.clamp(-30_000, 30_000) as i16;
            let entry =
                Entry { code: best_code, score: Score(best).from_root(ply), note, depth: plies_was.min(255) as u8, bound };
            self.shared.table.store(key, entry);
        }
        best
    }

    /// The score of a table entry, if it gives a cut-off in this window.
    fn table_cutoff(entry: &Entry, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
        let score = entry.score.to_root(ply).0;
        entry.bound.settles(score, alpha, beta).then_some(score)
    }

    /// The evaluation of a position in which the side to move need not stop a five; a table entry keeps it.
    pub fn judged(&self, known: Option<Entry>, window: (i32, i32)) -> i32 {
        known.map_or_else(|| self.evaluate(window), |entry| entry.note.into())
    }

    /// The evaluation, or the score of an earlier search if that is better.
    fn refined(eval: i32, entry: &Entry, ply: usize) -> i32 {
        let score = entry.score.to_root(ply).0;
        if entry.bound.corrects(score, eval) && score.abs() < DECIDED { score } else { eval }
    }

    /// Singular extension: by how much the table move is extended, if all other moves score lower at a reduced depth (`plies` is the depth of the node).
    /// It is twice as much if all others lose by force.
    ///
    /// # Errors
    /// The score of the node, if another move reaches beta too (multi-cut) or the search was stopped.
    fn singular_extension(
        &mut self,
        spot: Spot,
        known: &Entry,
        plies: i32,
        beta: i32,
        ply: usize,
        cut: bool,
    ) -> Result<i32, i32> {
        let worthwhile = plies >= 7
            && known.bound != Bound::Upper
            && i32::from(known.depth) >= plies - 3
            && known.score.0.abs() < DECIDED
            && (ply as i32) < 2 * self.root_depth;
        if !worthwhile {
            return Ok(0);
        }
        let bar = known.score.0 - self.settings.parameters.singular * plies / 100;
        let score = self.node((plies / 2 - 1) * PLY, bar - 1, bar, ply, Some(spot), cut);
        if self.stopped {
            return Err(0);
        }
        if score >= bar && bar >= beta {
            return Err(bar);
        }
        self.pv.clear(ply);
        let plies = if score <= -DECIDED { 2 } else { i32::from(score < bar) };
        Ok(plies * PLY)
    }
}
