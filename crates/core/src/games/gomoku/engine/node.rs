//! A node of the search: table lookup, pruning, and the depth of each move.
//!
//! Principal variation search with a shared transposition table. It is narrow: nearly everything depends on the
//! evaluation and on the order of the moves, whose values are fitted to positions of such searches. Reverse futility
//! pruning, razoring into the search of fours, a limit on the number of moves that grows with the depth, late move
//! reductions, singular extensions, and extensions of forced answers.

use super::threats;
use super::worker::{BEFORE_ROOT, DECIDED, INFINITE, MAX_PLY, WIN, Worker};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::rules::{Position, Side};
use crate::search::{Bound, Deferred, Entry, Hint, Score};

/// A ply of depth. Depths are in parts of a ply, so that small reductions add up.
pub const PLY: i32 = 1024;
/// The depth of a table entry without a search: it keeps the evaluation only.
const EVALUATED: u8 = 0;
/// The depth of the table entry of a leaf; after one or more fours it is one and two less. Of other nodes it is what is
/// added to the whole plies.
pub const LEAF: u8 = 3;

/// The depth of a table entry.
fn stored(depth: i32) -> u8 {
    (depth / PLY).clamp(0, 200) as u8 + LEAF
}

/// What a node knows of its position.
struct Node {
    ply: usize,
    side: Side,
    open_window: bool,
    /// A cut-off is expected.
    cut: bool,
    /// The opponent threatens a five; or an open four.
    pressed: bool,
    threatened: bool,
    key: u64,
    known: Option<Entry>,
    /// The evaluation, or a better one from the table. None if the opponent threatens.
    eval: Option<i32>,
    improving: bool,
    /// The move left out: a search of all others.
    skip: Option<Spot>,
}

impl Node {
    fn root(&self) -> bool {
        self.ply == 0
    }

    /// The score of the table's entry, if it was searched.
    fn known_score(&self) -> Option<(Entry, i32)> {
        self.known.filter(|entry| entry.depth > EVALUATED).map(|entry| (entry, entry.score.to_root(self.ply).0))
    }
}

impl Worker<'_> {
    /// The score of the position within the window. `depth` is in units of [`PLY`]; `cut` is true if a cut-off is
    /// expected (an expected cut node).
    pub fn node(&mut self, mut depth: i32, mut alpha: i32, mut beta: i32, ply: usize, skip: Option<Spot>, cut: bool) -> i32 {
        if depth <= 0 || ply >= LAST_PLY {
            return self.leaf(alpha, beta, ply, 0);
        }
        if !self.enter(ply) {
            return 0;
        }
        let root = ply == 0;
        if let Some(score) = self.immediate_result(ply).filter(|_| !root || self.is_decided_at_root()) {
            return score;
        }
        if !root {
            alpha = alpha.max(-(WIN - ply as i32));
            beta = beta.min(WIN - (ply as i32 + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let side = self.board.side_to_move();
        let pressed = self.board.has(!side, Class::Five);
        let threatened = pressed || threats::open_four(&self.board, !side).is_some();
        let key = self.board.key() ^ skip.map_or(0, |spot| crate::rules::zobrist::mix(spot.index() as u64));
        let known = self.shared.table.probe(key);
        let open_window = beta - alpha > 1;
        let mut node = Node { ply, side, open_window, cut, pressed, threatened, key, known, eval: None, improving: false, skip };
        if !open_window
            && let Some((entry, score)) = node.known_score()
            && entry.depth >= stored(depth)
            && entry.bound.allows_cutoff(score, alpha, beta)
        {
            return score;
        }
        self.judge_node(&mut node);
        if let Some(score) = self.pruned(&node, depth, alpha, beta) {
            return score;
        }
        let table_code = known.map_or(0, |entry| entry.code);
        // An open window deserves less depth where the table knows little.
        if open_window && !root && !pressed {
            let parameters = &self.settings.parameters;
            let lacking = depth - node.known_score().map_or(0, |(entry, _)| (i32::from(entry.depth) - i32::from(LEAF)) * PLY);
            depth -= if table_code == 0 {
                parameters.less_unknown
            } else {
                (lacking / 1024 * parameters.less_lacking).clamp(0, parameters.less_most)
            };
            if depth <= 0 {
                return self.leaf(alpha, beta, ply, 0);
            }
        }
        let (first, tried) = (self.candidates.len(), self.tried.len());
        let score = self.search_moves(&node, depth, alpha, beta);
        self.candidates.truncate(first);
        self.tried.truncate(tried);
        score
    }

    /// Whether the game is over or a five can be made or cannot be stopped: then even the root needs no search.
    fn is_decided_at_root(&self) -> bool {
        let side = self.board.side_to_move();
        self.board.has(side, Class::Five) || self.board.has(!side, Class::Five) || self.board.has(side, Class::OpenFour)
    }

    /// The score if it is known without a search: a five or an open four to make, no legal move (a full board, or in
    /// renju only forbidden points), fives that cannot be stopped, and the simplest wins by a four with an open three or two open threes.
    pub fn immediate_result(&mut self, ply: usize) -> Option<i32> {
        let (side, opponent) = (self.board.side_to_move(), !self.board.side_to_move());
        if self.board.has(side, Class::Five) {
            let five = self.board.of_class(side, Class::Five).first();
            self.pv.end(ply, five);
            return Some(WIN - (ply as i32 + 1));
        }
        if !self.board.has_legal_move() {
            return Some(0);
        }
        if self.board.has(opponent, Class::Five) {
            let mut stops = threats::against_five(&self.board, side);
            threats::keep_legal(&self.board, &mut stops);
            if !stops.is_empty() {
                return None;
            }
            let last = threats::last_answer(&self.board);
            self.pv.end(ply, last);
            return Some(-(WIN - (ply as i32 + 2)));
        }
        if let Some(spot) = threats::open_four(&self.board, side) {
            self.pv.end(ply, [spot]);
            return Some(WIN - (ply as i32 + 3));
        }
        if ply > 0
            && self.settings.proves
            && threats::open_four(&self.board, opponent).is_none()
            && let Some(spot) = threats::certain_win(&self.board, side)
        {
            self.pv.end(ply, [spot]);
            return Some(WIN - (ply as i32 + 5));
        }
        None
    }

    /// Evaluates the position of a node.
    fn judge_node(&mut self, node: &mut Node) {
        let at = BEFORE_ROOT + node.ply;
        self.levels[at + 2].killers = [0; 2];
        if node.threatened {
            // A position with few answers is as good as the one before it.
            self.levels[at].eval = -self.levels[at - 1].eval;
            return;
        }
        let judged = self.judged(node.known);
        self.levels[at].eval = judged;
        if node.known.is_none() && node.skip.is_none() {
            self.store_evaluation(node.key, judged);
        }
        let corrected = node.known_score().filter(|(entry, score)| entry.bound.corrects(*score, judged));
        node.eval = Some(corrected.map_or(judged, |(_, score)| score));
        node.improving = judged > self.levels[at - 2].eval;
    }

    /// Keeps an evaluation in the table.
    pub fn store_evaluation(&self, key: u64, judged: i32) {
        let entry = Entry { code: 0, score: Score(-INFINITE + 1), eval: judged as i16, depth: EVALUATED, bound: Bound::Lower };
        self.shared.table.store(key, entry);
    }

    /// The score, if the node need not be searched: its evaluation is far outside of the window.
    fn pruned(&mut self, node: &Node, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        if node.root() || node.open_window || node.pressed || node.skip.is_some() {
            return None;
        }
        let parameters = &self.settings.parameters;
        if depth < parameters.razoring_depth && alpha < DECIDED {
            let margin = parameters.razoring + parameters.razoring_ply * (depth / 8) / (PLY / 8);
            if node.eval.is_none_or(|eval| eval + margin < alpha) {
                return Some(self.leaf(alpha, beta, node.ply, 0));
            }
        }
        let eval = node.eval?;
        let at = BEFORE_ROOT + node.ply;
        let fours = |back: usize| self.levels[at - back].made[node.side.index()] >= Class::Four;
        let less = if node.improving { 2 } else { 1 };
        let by_ply = parameters.reverse_futility - if node.cut && node.known.is_none() { parameters.reverse_cut } else { 0 };
        let margin = (by_ply * ((depth - less * PLY) / 8) / (PLY / 8)).max(0);
        let far_above = eval - margin >= beta && eval < DECIDED && beta > -DECIDED;
        (far_above && !(fours(2) && fours(4))).then_some(eval)
    }

    /// The points that are searched.
    fn choose(&self, node: &Node) -> Spots {
        let mut spots = if node.pressed {
            threats::against_five(&self.board, node.side)
        } else if node.threatened {
            threats::against_open_four(&self.board, node.side)
        } else {
            threats::against_four_three(&self.board, node.side)
                .filter(|_| self.settings.proves && !node.root())
                .unwrap_or_else(|| self.board.near_stones())
        };
        threats::keep_legal(&self.board, &mut spots);
        if spots.is_empty() && !node.threatened {
            spots = super::candidates::candidates(&self.board);
        }
        if node.root() {
            for spot in self.left_out.iter().copied().chain(self.lost.iter().map(|(spot, _)| *spot)) {
                if spots.len() > 1 {
                    spots.remove(spot);
                }
            }
        }
        spots
    }

    /// Searches the moves of a node, and learns from their scores.
    fn search_moves(&mut self, node: &Node, mut depth: i32, mut alpha: i32, beta: i32) -> i32 {
        let (ply, side, root) = (node.ply, node.side, node.root());
        let at = BEFORE_ROOT + ply;
        let spots = self.choose(node);
        if spots.is_empty() {
            return -(WIN - (ply as i32 + 4));
        }
        let table_code = node.known.map_or(0, |entry| entry.code);
        let parameters = &self.settings.parameters;
        let probably_above = !node.open_window
            && node.cut
            && node.eval.is_some_and(|eval| eval >= beta + parameters.above + parameters.above_ply * depth / PLY);
        let first_alpha = alpha;
        let (mut place, first_tried) = (self.candidates.len(), self.tried.len());
        self.order(&spots, table_code, node.threatened);
        let end = self.candidates.len();
        let (mut best, mut best_move, mut count) = (-INFINITE, None, 0usize);
        let searching = &self.shared.searching;
        let defers = searching.defers(depth / PLY) && node.skip.is_none();
        let mut deferred = Deferred::new(Spot::new(0, 0));
        loop {
            // The next move, and its number if it was put off.
            let (spot, earlier) = if place < end {
                place += 1;
                (self.pick(place - 1), None)
            } else if let Some((spot, number)) = deferred.pop() {
                (spot, Some(number))
            } else {
                break;
            };
            if Some(spot) == node.skip || root && self.excluded.contains(&spot) {
                continue;
            }
            let classes = (self.board.class(spot, side), self.board.class(spot, !side));
            count += usize::from(earlier.is_none());
            if !root && earlier.is_none() && best > -DECIDED {
                if self.is_late(node, depth, count) {
                    place = end;
                    continue;
                }
                if self.is_pruned(node, depth, count, classes) {
                    continue;
                }
            }
            let hint = Hint::new(node.key, Board::move_code(spot));
            if defers && earlier.is_none() && count > 1 && searching.contains(hint) && deferred.push(spot, count) {
                continue;
            }
            let number = earlier.unwrap_or(count);
            let mut extension = match self.extension(node, spot, table_code, depth, beta) {
                Ok(extension) => extension,
                Err(score) => return score,
            };
            if probably_above {
                extension += match (classes.0 >= Class::Four, self.levels[at - 2].made[side.index()] >= Class::Four) {
                    (false, _) => -PLY,
                    (true, true) => PLY,
                    (true, false) => 0,
                };
            }
            self.levels[at].extended = self.levels[at - 1].extended + (extension - PLY).max(0);
            let reduces = depth >= 2 * PLY && number > 1 + usize::from(root);
            let reduction = reduces.then(|| self.reduction(node, spot, classes, depth, number, (alpha, beta)));
            self.make(spot, ply);
            if defers {
                searching.begin(hint);
            }
            let score = self.search_move(node, depth - PLY + extension, reduction, number, (alpha, beta), best);
            self.unmake(spot);
            if defers {
                searching.end(hint);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha || number == 1 {
                    self.pv.keep(ply, spot);
                }
                if score > alpha {
                    best_move = Some(spot);
                    if score >= beta {
                        self.cutoffs += 1;
                        break;
                    }
                    alpha = score;
                    // The others have to be better than this one: unlikely.
                    if (2 * PLY..12 * PLY).contains(&depth) && score.abs() < DECIDED {
                        depth = (depth - PLY).max(PLY);
                    }
                }
            }
            if best_move != Some(spot) {
                self.tried.push(spot);
            }
        }
        if count == 0 {
            return if node.skip.is_some() { alpha } else { -(WIN - (ply as i32 + 4)) };
        }
        if let Some(spot) = best_move {
            self.learn(spot, first_tried, depth, at, (node.pressed, node.threatened));
        }
        self.store(node, depth, best, best_move, (first_alpha, beta));
        best
    }

    /// Whether so many moves were searched that the others are left out (late move pruning).
    #[inline(always)]
    fn is_late(&self, node: &Node, depth: i32, number: usize) -> bool {
        let most = self.settings.move_limits[(depth / PLY).clamp(0, 63) as usize];
        number >= if node.improving { most } else { most / 2 }
    }

    /// Whether a move is not worth a search: beyond the width of the level, or a stone that does nothing for either side.
    #[inline(always)]
    fn is_pruned(&self, node: &Node, depth: i32, number: usize, (own, other): (Class, Class)) -> bool {
        self.settings.width.is_some_and(|width| number > width) && own < Class::Four && !node.threatened
            || own <= Class::Two && other <= Class::Two && depth < self.settings.parameters.idle_depth
    }

    /// The score of a move that has been made: with a null window, a late move first with a reduced depth, then with the
    /// window of the node if it may be the best.
    #[inline(always)]
    fn search_move(
        &mut self,
        node: &Node,
        next: i32,
        reduction: Option<i32>,
        number: usize,
        (alpha, beta): (i32, i32),
        best: i32,
    ) -> i32 {
        let ply = node.ply;
        let mut score = -INFINITE;
        if let Some(reduction) = reduction {
            let reduced = (next - reduction).min(next + PLY).max(PLY);
            score = -self.node(reduced, -alpha - 1, -alpha, ply + 1, None, true);
            if score > alpha && reduced < next && !self.stopped {
                let further = next + self.more_depth(score, (alpha, best), next, reduced);
                if reduced < further {
                    score = -self.node(further, -alpha - 1, -alpha, ply + 1, None, !node.cut);
                }
            }
        } else if !node.open_window || number > 1 {
            score = -self.node(next, -alpha - 1, -alpha, ply + 1, None, !node.cut);
        }
        if node.open_window && (number == 1 || score > alpha && (node.root() || score < beta)) && !self.stopped {
            score = -self.node(next, -beta, -alpha, ply + 1, None, false);
        }
        score
    }

    /// Keeps the score of a node in the table.
    fn store(&self, node: &Node, depth: i32, best: i32, best_move: Option<Spot>, window: (i32, i32)) {
        let bound = Bound::of(best, window.0, window.1);
        // If root moves are excluded, one of them may be better, so the score is only a lower bound.
        let partial = node.root() && !self.left_out.is_empty();
        let bound = if partial && bound == Bound::Exact { Bound::Lower } else { bound };
        if !node.root() || self.excluded.is_empty() && !(partial && bound == Bound::Upper) {
            let code = best_move.map_or_else(|| node.known.map_or(0, |entry| entry.code), Board::move_code);
            let eval = self.levels[BEFORE_ROOT + node.ply].eval as i16;
            let entry = Entry { code, score: Score(best).from_root(node.ply), eval, depth: stored(depth), bound };
            self.shared.table.store(node.key, entry);
        }
    }

    /// By how much a move is searched deeper.
    ///
    /// # Errors
    /// The score of the node, if two moves reach beta (multi-cut) or the search was stopped.
    fn extension(&mut self, node: &Node, spot: Spot, table_code: u16, depth: i32, beta: i32) -> Result<i32, i32> {
        let parameters = &self.settings.parameters;
        let deepest = 3 * self.root_depth as usize + 8;
        if node.pressed {
            return Ok(if node.ply < deepest { parameters.extend_forced } else { PLY });
        }
        if Board::move_code(spot) != table_code {
            return Ok(0);
        }
        let at = BEFORE_ROOT + node.ply;
        let usual = if node.open_window { parameters.extend_known } else { parameters.extend_known / 3 };
        let Some((entry, score)) = node.known_score() else { return Ok(usual) };
        let singular = !node.root()
            && node.skip.is_none()
            && depth >= parameters.singular_depth
            && score.abs() < DECIDED
            && entry.bound != Bound::Upper
            && (i32::from(entry.depth) - i32::from(LEAF)) * PLY >= depth - 2 * PLY;
        if !singular {
            return Ok(usual);
        }
        let bar = score - parameters.singular * (depth / PLY) / 100;
        let others = self.node(depth - depth / 100 * parameters.singular_less, bar - 1, bar, node.ply, Some(spot), node.cut);
        if self.stopped {
            return Err(0);
        }
        self.pv.clear(node.ply);
        if others < bar {
            let very = !node.open_window && others < bar - parameters.singular_very && self.levels[at].extended < 11 * PLY;
            Ok(if very { 2 * PLY } else { PLY })
        } else if bar >= beta {
            Err(beta)
        } else {
            Ok(if score >= beta { -parameters.singular_not } else { 0 })
        }
    }

    /// The reduction of a late move.
    fn reduction(
        &self,
        node: &Node,
        spot: Spot,
        (own, other): (Class, Class),
        depth: i32,
        number: usize,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let parameters = &self.settings.parameters;
        let at = BEFORE_ROOT + node.ply;
        let mut reduction = self.settings.reductions[((depth / PLY) as usize).min(63)][number.min(63)];
        if node.open_window {
            let width = f64::from(beta - alpha) / f64::from(self.root_window.max(1));
            reduction = (reduction - (width * f64::from(PLY)) as i32).max(0);
        } else if !node.improving && reduction > PLY {
            reduction += parameters.reduce_not_improving;
        }
        let killer = !node.threatened && own < Class::OpenThree && self.levels[at].killers.contains(&Board::move_code(spot));
        if node.cut && !killer {
            reduction += parameters.reduce_cut;
        }
        if node.threatened && other < Class::Four {
            reduction += parameters.reduce_delay;
        }
        let history = &self.tables.history[node.side.index()];
        let favour = history[0][spot.index()] + history[1][spot.index()] - parameters.history_usual;
        reduction - favour * PLY / parameters.reduce_history
    }

    /// By how much deeper a move is searched again that was better than expected with less depth.
    fn more_depth(&self, score: i32, (alpha, best): (i32, i32), next: i32, reduced: i32) -> i32 {
        let parameters = &self.settings.parameters;
        let less = (next - reduced) / PLY;
        let mut more = 0;
        if score > alpha + parameters.deeper + parameters.deeper_ply * less {
            more += PLY;
        }
        if score < best + next / PLY {
            more -= PLY;
        }
        more
    }
}

/// The depth in a table entry is that of a search at a leaf or of a deeper one.
pub fn is_searched(entry: &Entry) -> bool {
    entry.depth > EVALUATED
}

/// The deepest ply at which a node may still look further.
pub const LAST_PLY: usize = MAX_PLY - 4;
