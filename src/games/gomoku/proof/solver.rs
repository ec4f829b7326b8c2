//! Makes a tree: searches, walks over what was found, and fills what the walk misses.

use super::hints::{Hints, Unreadable};
use super::key::{Key, Place, key, turned, turned_back};
use super::maker::{Maker, NODES, Stopped, Table, key_of, place, spot, stones};
use super::tasks::{Tasks, lock};
use super::tree::{Answer, Damaged, MOST_MOVES, Title, Tree};
use super::verifier::{Answers, Report, Seen, Walk};
use super::work::{Known, Unusable, Work};
use crate::games::gomoku::Gomoku;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::Position;
use crate::search::StopToken;
use crate::table::{Game, SetupError};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// The largest effort; each is eight times the one before.
const MOST_EFFORT: u8 = 9;
/// How often a position that resists is searched with the same effort after a part of it, and how many plies after the first position parts begin at most.
const ROUNDS: usize = 3;
const DEEPEST: usize = 16;

/// Why there is no tree.
#[derive(Debug, thiserror::Error)]
pub enum Unproven {
    /// The position or the variant cannot be read.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// There are no proofs for this variant.
    #[error("proofs are made by the rules freestyle and standard, not for '{0}'")]
    Variant(String),
    /// A win cannot have so many plies.
    #[error("the winner makes the last move: the number of plies is odd, and {0} at most")]
    Plies(u16),
    /// The game is over in this position.
    #[error("the game is over in this position")]
    Over,
    /// The work file cannot be used.
    #[error("the work file {0}: {1}")]
    Work(String, Unusable),
    /// It was stopped.
    #[error("not proven yet; the same command continues")]
    Stopped,
    /// No win was found.
    #[error("no win was found with the largest effort")]
    NotFound,
    /// The tree cannot be written.
    #[error("two positions have the same key")]
    SameKeys,
}

/// Why the answers of a tree cannot be taken over.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It is no tree, or a damaged one.
    #[error("{0}")]
    Tree(#[from] Damaged),
    /// The rule, the board or the winner is another.
    #[error("the tree is about {0}, not {1}")]
    Other(String, String),
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The first move.
    pub first: String,
    /// Replies to the first move, up to symmetry, that are answered, and all of them.
    pub answered: usize,
    /// See `answered`.
    pub replies: usize,
    /// The replies that are not answered yet.
    pub open: Vec<String>,
    /// Positions with an answer.
    pub answers: u64,
}

/// A finished tree.
pub struct Solved {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the walk over it found.
    pub report: Report,
}

/// Finds the tree of a position in which the side to move wins.
pub struct Solver {
    root: Board,
    title: Title,
    work: Work,
    hints: Hints,
    table: Arc<Table>,
    /// A tree with the same first position, of which the new tree keeps all answers.
    base: Option<Tree>,
    /// The winner's own moves from the first position, at most.
    most: u16,
    /// The nodes of effort 0 on each thread.
    nodes: u64,
    /// The position that is searched, and the moves that lead to it from the first position, if it is a part of that.
    searched: Mutex<(u64, Vec<Spot>)>,
}

/// Whether a rule has proofs: `Some(true)` if exactly five win.
fn exact(rule: Rule) -> Option<bool> {
    match rule {
        Rule::Freestyle => Some(false),
        Rule::Standard => Some(true),
        Rule::Renju | Rule::Caro | Rule::CaroLong => None,
    }
}

impl Solver {
    /// A solver of a position of a variant (default: the empty board). Its work is kept in memory only.
    ///
    /// # Errors
    /// The position has no proof.
    pub fn new(variant: &str, position: Option<&str>) -> Result<Solver, Unproven> {
        let root = Gomoku::parse(variant, position)?.current().clone();
        let exact = exact(root.rule()).ok_or_else(|| Unproven::Variant(variant.to_owned()))?;
        if root.outcome().is_some() {
            return Err(Unproven::Over);
        }
        let (size, searched) = (root.size(), Mutex::new((root.key(), Vec::new())));
        let title = Title { exact, size, stones: stones(&root).collect(), open: Vec::new() };
        Ok(Solver {
            root,
            title,
            work: Work::in_memory(),
            hints: Hints::default(),
            table: Arc::default(),
            base: None,
            most: MOST_MOVES,
            nodes: NODES,
            searched,
        })
    }

    /// Looks only for wins that take so many plies at most. Answers of trees that are taken over count where they are short enough, and are
    /// tried first elsewhere; the new tree keeps only those of them that it needs. To be called first.
    ///
    /// # Errors
    /// The number is even, or larger than a tree can name.
    pub fn within(&mut self, plies: u16) -> Result<(), Unproven> {
        if plies.is_multiple_of(2) || plies.div_ceil(2) > MOST_MOVES {
            return Err(Unproven::Plies(2 * MOST_MOVES - 1));
        }
        self.most = plies.div_ceil(2);
        Ok(())
    }

    /// The winner's stones with its five, at most, those of the first position included.
    fn most_stones(&self) -> usize {
        self.root.stones(self.root.side_to_move()).len() + usize::from(self.most)
    }

    /// Keeps the work in a file of this folder. What is in the file is continued; what was taken over before is not.
    ///
    /// # Errors
    /// The file cannot be used.
    pub fn keep_in(&mut self, folder: &Path) -> Result<(), Unproven> {
        let variant = variant_of(&self.title);
        let name = variant.replace(':', "-");
        let empty = self.title.stones.is_empty();
        let start = if empty { String::new() } else { format!("-{:016x}", key_of(&self.root).hash) };
        let (within, about) = match self.most {
            MOST_MOVES => (String::new(), String::new()),
            most => (format!("-within-{}", most * 2 - 1), format!(" within {}", most * 2 - 1)),
        };
        let path = folder.join(format!("gomoku-{name}{start}{within}.work"));
        let made = std::fs::create_dir_all(folder).map_err(Unusable::Failed);
        let opened = made.and_then(|()| Work::open(&path, &format!("{variant} {}{about}", Gomoku::text(&self.root))));
        self.work = opened.map_err(|error| Unproven::Work(path.display().to_string(), error))?;
        Ok(())
    }

    /// Adds moves that are tried first, from the bytes of a file (see [`Hints::add`]).
    ///
    /// # Errors
    /// It cannot be read.
    pub fn hint(&mut self, bytes: Vec<u8>) -> Result<(), Unreadable> {
        self.hints.add(bytes, self.root.rule(), self.title.size)
    }

    /// Takes over the answers of a tree that was made before, from the bytes of its file. The first one with the same first position becomes part of the new tree
    /// as it is; answers of others are checked again when the new tree is made.
    ///
    /// # Errors
    /// It is no tree, or one by another rule or on another board.
    pub fn take_over(&mut self, bytes: Vec<u8>) -> Result<(), Unfit> {
        let tree = Tree::read(bytes)?;
        let about =
            |title: &Title| format!("{}, won by the {} player", variant_of(title), ["first", "second"][title.winner().index()]);
        let (own, other) = (about(&self.title), about(tree.title()));
        if own != other {
            return Err(Unfit::Other(other, own));
        }
        if self.base.is_none() && self.most == MOST_MOVES && tree.title().stones == self.title.stones {
            self.base = Some(tree.clone());
        }
        if self.most < MOST_MOVES {
            self.hints.add_tree(tree.clone());
        }
        self.work.take_over(tree);
        Ok(())
    }

    /// The moves from the first position on that are searched most, if that is not the empty board or only a part of it is searched.
    pub fn line(&self) -> Vec<String> {
        let (key, way) = lock(&self.searched).clone();
        way.into_iter().chain(self.table.line(key, true)).map(|spot| spot.to_string()).collect()
    }

    /// The number of positions with an answer so far.
    pub fn answers(&self) -> u64 {
        self.work.won()
    }

    /// Searches until the win is proven or the token is raised, and makes the tree. If it was stopped on the empty board, `part` says whether to make
    /// a tree of the replies that are answered so far; the others are open in it. `progress` is called after every answered reply to the first
    /// move, `walked` with the number of answers during the walks.
    ///
    /// # Errors
    /// It was stopped, or there is no tree.
    pub fn run(
        &self,
        threads: usize,
        part: bool,
        stop: &StopToken,
        progress: &(dyn Fn(&Standing) + Sync),
        walked: &(dyn Fn(usize) + Sync),
    ) -> Result<Solved, Unproven> {
        let mut title = self.title.clone();
        match self.search(threads, stop, progress) {
            Ok(()) => {}
            Err(Unproven::Stopped | Unproven::NotFound) if part && self.root.stone_count() == 0 => {
                let open = self.replies_to_first().1.into_iter().filter(|reply| !self.is_answered(*reply));
                title.open = open.map(|reply| place(reply, title.size)).collect();
                return self.pack(&title, threads, &StopToken::new(), walked);
            }
            Err(error) => return Err(error),
        }
        self.pack(&title, threads, stop, walked)
    }

    /// Whether there is an answer to this reply to the first stone on the empty board.
    fn is_answered(&self, reply: Spot) -> bool {
        matches!(self.work.known(key_of(&self.after(reply)).hash, self.most - 1), Some(Known::Won(_)))
    }

    /// The first stone on the empty board: in the middle.
    fn first_stone(&self) -> Spot {
        Spot::new(self.title.size / 2, self.title.size / 2)
    }

    /// The board after the first stone and a reply.
    fn after(&self, reply: Spot) -> Board {
        let mut board = self.root.clone();
        board.make(self.first_stone());
        board.make(reply);
        board
    }

    fn search(&self, threads: usize, stop: &StopToken, progress: &(dyn Fn(&Standing) + Sync)) -> Result<(), Unproven> {
        if self.root.stone_count() == 0 {
            return self.search_empty(threads, stop, progress);
        }
        self.search_all(vec![self.root.clone()], threads, stop, &|_| {})
    }

    /// On the empty board the first stone is in the middle, and every reply is searched.
    fn search_empty(&self, threads: usize, stop: &StopToken, progress: &(dyn Fn(&Standing) + Sync)) -> Result<(), Unproven> {
        let (first, replies) = self.replies_to_first();
        let tasks: Vec<Spot> = replies.iter().copied().filter(|reply| !self.is_answered(*reply)).collect();
        let told = |open: &[usize]| {
            progress(&Standing {
                first: first.to_string(),
                answered: replies.len() - open.len(),
                replies: replies.len(),
                open: open.iter().map(|&task| tasks[task].to_string()).collect(),
                answers: self.work.won(),
            });
        };
        self.search_all(tasks.iter().map(|reply| self.after(*reply)).collect(), threads, stop, &told)?;
        let key = key_of(&self.root);
        self.work.add(key.hash, Known::Won(turned(place(first, self.title.size), key.symmetry, self.title.size)));
        Ok(())
    }

    /// Proves a win in each of these positions. Each thread takes one of them; once all are taken, threads help each other. Those that resist are then
    /// searched in parts. `told` is called with the numbers of those that are left, after each proof and when it is stopped.
    fn search_all(
        &self,
        boards: Vec<Board>,
        threads: usize,
        stop: &StopToken,
        told: &(dyn Fn(&[usize]) + Sync),
    ) -> Result<(), Unproven> {
        let winner = self.root.side_to_move();
        let table = &self.table;
        let maker = |_| {
            Maker::new(winner, self.title.size, &self.work, &self.hints, stop)
                .within(self.most_stones())
                .with_nodes(self.nodes)
                .sharing(table.clone())
        };
        let mut makers: Vec<Maker> = (0..threads.max(1)).map(maker).collect();
        let keys: Vec<u64> = boards.iter().map(Position::key).collect();
        let tasks = Mutex::new(Tasks::of(boards.len()));
        for effort in 0..=MOST_EFFORT {
            table.begin(&keys);
            lock(&tasks).begin();
            *lock(&self.searched) = (self.root.key(), Vec::new());
            let run = |maker: &mut Maker| {
                while let Some(task) = { lock(&tasks).take() } {
                    let proven = maker.join(&mut boards[task].clone(), effort);
                    let mut tasks = lock(&tasks);
                    if tasks.end(task, proven == Ok(true)) {
                        told(tasks.open());
                    }
                    if proven.is_err() {
                        return;
                    }
                }
            };
            std::thread::scope(|scope| {
                let (own, others) = makers.split_at_mut(1);
                for maker in others {
                    scope.spawn(|| run(maker));
                }
                own.iter_mut().for_each(run);
            });
            let left = lock(&tasks).open().to_vec();
            for task in left {
                let way = self.way_to(&boards[task]);
                if self.search_in_parts(&mut makers, &boards[task], &way, effort) && lock(&tasks).end(task, true) {
                    told(lock(&tasks).open());
                }
            }
            let tasks = lock(&tasks);
            if tasks.open().is_empty() {
                return Ok(());
            }
            if stop.is_stopped() {
                told(tasks.open());
                return Err(self.stopped());
            }
        }
        Err(Unproven::NotFound)
    }

    /// Searches a position that was just searched in vain: first the one two plies on that resisted most, with an empty table, then the position
    /// itself again. Once the hard reply has an answer, or another move of the winner was tried for longer, the rest is often easy.
    /// `way` leads to it from the first position.
    fn search_in_parts(&self, makers: &mut [Maker], board: &Board, way: &[Spot], effort: u8) -> bool {
        for _ in 0..ROUNDS {
            let [answer, reply, ..] = self.table.line(board.key(), true)[..] else { return false };
            let mut part = board.clone();
            part.make(answer);
            part.make(reply);
            let further = [way, &[answer, reply]].concat();
            let proven = self.search_alone(makers, &part, &further, effort)
                || further.len() < DEEPEST && self.search_in_parts(makers, &part, &further, effort);
            if !proven {
                return false;
            }
            if self.search_alone(makers, board, way, effort) {
                return true;
            }
        }
        false
    }

    /// Searches one position with all threads and an empty table.
    fn search_alone(&self, makers: &mut [Maker], board: &Board, way: &[Spot], effort: u8) -> bool {
        self.table.forget();
        *lock(&self.searched) = (board.key(), way.to_vec());
        let run = |maker: &mut Maker| maker.join(&mut board.clone(), effort) == Ok(true);
        std::thread::scope(|scope| {
            let running: Vec<_> = makers.iter_mut().map(|maker| scope.spawn(|| run(maker))).collect();
            let proven: Vec<bool> = running.into_iter().map(|thread| thread.join().unwrap_or(false)).collect();
            proven.contains(&true)
        })
    }

    /// The moves from the first position to one that is searched: none, or the first stone and a reply to it.
    fn way_to(&self, board: &Board) -> Vec<Spot> {
        if board.key() == self.root.key() {
            return Vec::new();
        }
        [Some(self.first_stone()), board.stones(!self.root.side_to_move()).first()].into_iter().flatten().collect()
    }

    /// The first stone, and the replies to it up to symmetry, those far away first.
    fn replies_to_first(&self) -> (Spot, Vec<Spot>) {
        let middle = self.first_stone();
        let mut board = self.root.clone();
        board.make(middle);
        let mut replies: Vec<(u32, u64, Spot)> = Vec::new();
        for reply in board.empty().iter() {
            board.make(reply);
            let hash = key_of(&board).hash;
            board.unmake(reply, ());
            let (a, b) = (reply.point(), middle.point());
            let distance = u32::from(a.x.abs_diff(b.x)).pow(2) + u32::from(a.y.abs_diff(b.y)).pow(2);
            match replies.iter_mut().find(|(_, other, _)| *other == hash) {
                // Of symmetric points the one farthest to the right, and then the highest, is named.
                Some(known) => known.2 = std::cmp::max_by_key(known.2, reply, |spot| (spot.point().x, spot.point().y)),
                None => replies.push((distance, hash, reply)),
            }
        }
        replies.sort_by_key(|(distance, _, _)| std::cmp::Reverse(*distance));
        (middle, replies.into_iter().map(|(_, _, reply)| reply).collect())
    }

    fn stopped(&self) -> Unproven {
        match self.work.sync() {
            Ok(()) => Unproven::Stopped,
            Err(error) => Unproven::Work("of this run".to_owned(), Unusable::Failed(error)),
        }
    }

    /// Walks over the answers, adds what the walk misses, and packs those that were used.
    fn pack(&self, title: &Title, threads: usize, stop: &StopToken, walked: &(dyn Fn(usize) + Sync)) -> Result<Solved, Unproven> {
        // The positions of the search are of no more use.
        self.table.clear();
        let found = || {
            let maker =
                Maker::new(self.root.side_to_move(), title.size, &self.work, &self.hints, stop).within(self.most_stones());
            let maker = maker.sharing(self.table.clone());
            Found { solver: self, maker }
        };
        let report = walk((title, self.most), found, threads, stop, walked);
        if report.stopped || stop.is_stopped() {
            return Err(self.stopped());
        }
        if !report.faults.is_empty() {
            return Err(Unproven::NotFound);
        }
        let begin = key_of(&self.root).hash;
        let kept = self.base.iter().flat_map(Tree::answers).filter(|(hash, _)| *hash >> 8 != begin >> 8);
        let answers: Vec<(u64, Answer)> = report.answers.iter().copied().chain(kept).collect();
        let bytes = Tree::pack(title, report.moves * 2 - 1, &answers).ok_or(Unproven::SameKeys)?;
        self.work.sync().map_err(|error| Unproven::Work("of this run".to_owned(), Unusable::Failed(error)))?;
        Ok(Solved { bytes, report })
    }
}

/// Walks over a tree on several threads and puts together what they found.
fn walk<A: Answers>(
    (title, most): (&Title, u16),
    source: impl Fn() -> A + Sync,
    threads: usize,
    stop: &StopToken,
    walked: &(dyn Fn(usize) + Sync),
) -> Report {
    let threads = threads.max(1);
    let seen = Seen::new(threads);
    let counts: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
    let one = |thread: usize| {
        let progress = |report: &Report| {
            counts[thread].store(report.answers.len(), Relaxed);
            walked(counts.iter().map(|count| count.load(Relaxed)).sum());
        };
        Walk::new(title, (&seen, thread), source(), 1, stop, &progress).within(most).run()
    };
    let reports: Vec<Report> = std::thread::scope(|scope| {
        let one = &one;
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || one(thread))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut whole = Report { stopped: reports.len() < threads, ..Report::default() };
    for report in reports {
        whole.faults.extend(report.faults);
        whole.answers.extend(report.answers);
        whole.positions += report.positions;
        whole.leaves += report.leaves;
        whole.left_out += report.left_out;
        whole.moves = whole.moves.max(report.moves);
        whole.stopped |= report.stopped;
    }
    whole.answers.sort_unstable_by_key(|(hash, _)| *hash);
    whole
}

/// The answers of the work, and new ones where the walk asks for more.
struct Found<'a> {
    solver: &'a Solver,
    maker: Maker<'a>,
}

impl Answers for Found<'_> {
    fn answer(&mut self, key: Key, left: u16) -> Option<Place> {
        let solver = self.solver;
        if solver.root.stone_count() == 0 && key.hash == key_of(&solver.root).hash {
            return Some(place(solver.first_stone(), solver.title.size));
        }
        match solver.work.known(key.hash, left)? {
            Known::Won(place) => Some(turned_back(place, key.symmetry, solver.title.size)),
            Known::Chosen(_) => None,
        }
    }

    fn settled(&mut self, hash: u64) -> Option<u16> {
        let base = self.solver.base.as_ref()?;
        base.answer(Key { hash, symmetry: 0 }).map(|answer| answer.moves)
    }

    fn spares(&self) -> bool {
        true
    }

    fn missing(&mut self, moves: &[Place]) -> Option<Place> {
        let mut board = self.solver.root.clone();
        let way: Vec<Spot> = moves.iter().map(|&place| spot(place, self.solver.title.size)).collect();
        way.iter().for_each(|&spot| board.make(spot));
        *lock(&self.solver.searched) = (board.key(), way);
        for effort in 0..=MOST_EFFORT {
            match self.maker.settle(&mut board, effort) {
                Ok(true) => return self.answer(Key { symmetry: 0, ..key_of(&board) }, self.maker.left(&board)),
                Ok(false) => {}
                Err(Stopped) => return None,
            }
        }
        None
    }
}

impl Answers for &Tree {
    fn answer(&mut self, key: Key, _left: u16) -> Option<Place> {
        Tree::answer(self, key).map(|answer| answer.place)
    }
}

/// The key of the variant that a tree is about.
pub fn variant_of(title: &Title) -> String {
    let rule = if title.exact { "standard" } else { "freestyle" };
    if title.size == 15 { rule.to_owned() } else { format!("{rule}:{}", title.size) }
}

/// The answer of a tree in its first position; `None` if that is won by threats.
pub fn first_move(tree: &Tree) -> Option<String> {
    let title = tree.title();
    let answer = tree.answer(key(title.stones.iter().copied(), title.size))?;
    Some(spot(answer.place, title.size).to_string())
}

/// The replies to the first answer of a tree against which it proves nothing.
pub fn open_replies(tree: &Tree) -> Vec<String> {
    tree.title().open.iter().map(|&reply| spot(reply, tree.title().size).to_string()).collect()
}

/// What the check of a tree found.
pub struct Checked {
    /// The walk over it. There are no faults if the tree is a proof.
    pub report: Report,
    /// The first fault as text.
    pub fault: Option<String>,
}

/// Checks a tree by the rules alone, on so many threads. Stops at the first fault.
pub fn check(tree: &Tree, threads: usize, stop: &StopToken, walked: &(dyn Fn(usize) + Sync)) -> Checked {
    let title = tree.title();
    let report = walk((title, tree.plies().div_ceil(2)), || tree, threads, stop, walked);
    let size = tree.title().size;
    let named = |places: &[Place]| places.iter().map(|&place| spot(place, size).to_string()).collect::<Vec<_>>().join(" ");
    let mut fault = report.faults.first().map(|fault| format!("after {}: {}", named(&fault.moves), fault.why));
    if fault.is_none() && !report.stopped {
        let kept = |hash: u64| tree.answer(Key { hash, symmetry: 0 });
        if report.answers.len() != tree.len() {
            fault = Some(format!("{} of its {} answers belong to no line", tree.len() - report.answers.len(), tree.len()));
        } else if report.moves * 2 != tree.plies() + 1 {
            fault = Some(format!("its longest line has {} plies, not {}", report.moves * 2 - 1, tree.plies()));
        } else if report.answers.iter().any(|(hash, answer)| kept(*hash) != Some(*answer)) {
            fault = Some("a number of moves in it is wrong".to_owned());
        }
    }
    Checked { report, fault }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Answer;
    use super::*;

    /// Won, but not by plain threats.
    const SMALL: [(&str, &str); 2] = [("freestyle", "h8n8g7f6i7f5"), ("standard", "h8n8g7f6i7f5")];

    fn solved(variant: &str, position: &str) -> Solved {
        solved_by(1, variant, position)
    }

    fn solved_by(threads: usize, variant: &str, position: &str) -> Solved {
        let solver = Solver::new(variant, Some(position)).unwrap();
        solver.run(threads, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap()
    }

    fn fault(bytes: Vec<u8>) -> Option<String> {
        check(&Tree::read(bytes).unwrap(), 2, &StopToken::new(), &|_| {}).fault
    }

    #[test]
    fn a_tree_is_made_and_is_a_proof() {
        for (variant, position) in SMALL {
            let solved = solved(variant, position);
            let tree = Tree::read(solved.bytes.clone()).unwrap();
            assert_eq!(variant_of(tree.title()), variant);
            assert!(tree.len() >= 2 && (9..=45).contains(&tree.plies()), "{} {}", tree.len(), tree.plies());
            assert!(solved.report.left_out > 100 && solved.report.leaves >= 3, "{:?}", solved.report);
            assert_eq!(fault(solved.bytes), None, "{variant}");
        }
    }

    /// Threads search the same position together, and walk over the same tree.
    #[test]
    fn any_number_of_threads_makes_and_checks_a_tree() {
        let position = "h8n8g7i9";
        for threads in [2, 5] {
            let solved = solved_by(threads, "freestyle", position);
            let tree = Tree::read(solved.bytes).unwrap();
            let reports = [1, 2, 5].map(|threads| {
                let checked = check(&tree, threads, &StopToken::new(), &|_| {});
                assert_eq!(checked.fault, None, "{threads}");
                checked.report
            });
            assert!(reports[0].positions > 100 && reports[0].answers.len() > 8, "{:?}", reports[0]);
            assert!(reports.iter().all(|report| *report == reports[0]), "{reports:?}");
        }
    }

    #[test]
    fn the_answers_of_a_tree_are_taken_over() {
        let (variant, position) = SMALL[0];
        let bytes = solved(variant, position).bytes;
        let tree = Tree::read(bytes.clone()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut solver = Solver::new(variant, Some(position)).unwrap();
        solver.keep_in(folder.path()).unwrap();
        solver.take_over(bytes.clone()).unwrap();
        assert_eq!(solver.answers(), tree.len() as u64);
        let again = solver.run(1, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap();
        assert_eq!((again.bytes == bytes, solver.answers()), (true, tree.len() as u64), "nothing is searched");
        drop(solver);
        let mut later = Solver::new(variant, Some(position)).unwrap();
        later.keep_in(folder.path()).unwrap();
        assert_eq!(later.answers(), 0, "they are not written into the file of work");
    }

    /// A shorter tree of the same position is a proof too. Answers of the longer one count only where they are short enough.
    #[test]
    fn wins_of_fewer_plies_are_found() {
        let position = "h8n8g7i9";
        let long = solved("freestyle", position).bytes;
        let plies = |bytes: &[u8]| Tree::read(bytes.to_vec()).unwrap().plies();
        assert!(plies(&long) > 35, "{}", plies(&long));
        for from in [None, Some(&long)] {
            let mut solver = Solver::new("freestyle", Some(position)).unwrap();
            solver.within(35).unwrap();
            from.into_iter().for_each(|long| solver.take_over(long.clone()).unwrap());
            let short = solver.run(2, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap();
            assert!(plies(&short.bytes) <= 35, "{}", plies(&short.bytes));
            assert_eq!(fault(short.bytes), None);
        }
        // No win is that short, and no win ends with a move of the other side.
        let mut solver = Solver::new(SMALL[0].0, Some(SMALL[0].1)).unwrap();
        solver.within(5).unwrap();
        let end = solver.run(1, false, &StopToken::new(), &|_| {}, &|_| {}).err();
        assert!(matches!(end, Some(Unproven::NotFound)), "{end:?}");
        for plies in [0, 30, 255] {
            assert!(matches!(solver.within(plies), Err(Unproven::Plies(253))), "{plies}");
        }
    }

    /// The work on shorter wins is not that on longer ones.
    #[test]
    fn work_on_shorter_wins_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let (variant, position) = SMALL[0];
        for plies in [None, Some(41), Some(29)] {
            let mut solver = Solver::new(variant, Some(position)).unwrap();
            plies.into_iter().for_each(|plies| solver.within(plies).unwrap());
            solver.keep_in(folder.path()).unwrap();
            assert_eq!(solver.answers(), 0, "{plies:?}");
            solver.run(1, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap();
            assert!(solver.answers() > 0);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    /// With too few nodes to find it at once, a position is won after parts of it.
    #[test]
    fn what_resists_is_searched_in_parts() {
        let position = "h8n8g7i9";
        let mut solver = Solver::new("freestyle", Some(position)).unwrap();
        solver.nodes = 20_000;
        let mut ways = Vec::new();
        let solved = std::thread::scope(|scope| {
            let solving = scope.spawn(|| solver.run(2, false, &StopToken::new(), &|_| {}, &|_| {}).unwrap());
            while !solving.is_finished() {
                ways.push(solver.searched.lock().unwrap().1.len());
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            solving.join().unwrap()
        });
        assert!(ways.iter().any(|way| *way >= 2), "{ways:?}");
        assert_eq!(fault(solved.bytes), None);
    }

    #[test]
    fn trees_about_something_else_are_not_taken_over() {
        let (variant, position) = SMALL[0];
        let bytes = solved(variant, position).bytes;
        let refused = |variant: &str, position: &str, bytes: &[u8]| {
            Solver::new(variant, Some(position)).unwrap().take_over(bytes.to_vec()).unwrap_err().to_string()
        };
        let other = refused("standard", position, &bytes);
        let wanted = "the tree is about freestyle, won by the first player, not standard, won by the first player";
        assert_eq!(other, wanted);
        assert!(refused(variant, "h8i9i7", &bytes).ends_with("not freestyle, won by the second player"));
        assert!(refused(variant, position, &bytes[1..]).contains("not a tree"));
    }

    /// Every answer in turn is changed to every other point of a few; none of these trees passes.
    #[test]
    fn a_tree_with_one_altered_answer_fails() {
        let (variant, position) = SMALL[0];
        let Solved { report, .. } = solved(variant, position);
        let solver = Solver::new(variant, Some(position)).unwrap();
        for altered in 0..report.answers.len() {
            // Two corners, a stone of the first position, and the number of moves alone.
            for place in [14, 224, 112] {
                let mut answers = report.answers.clone();
                answers[altered].1.place = place;
                let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &answers).unwrap();
                assert!(fault(bytes).is_some(), "answer {altered} as {place}");
            }
            let mut answers = report.answers.clone();
            answers[altered].1.moves += 1;
            let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &answers).unwrap();
            assert_eq!(fault(bytes).as_deref(), Some("a number of moves in it is wrong"));
            let mut answers = report.answers.clone();
            answers.remove(altered);
            let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &answers).unwrap();
            assert!(fault(bytes).is_some(), "without answer {altered}");
        }
        let more = [&report.answers[..], &[(5 << 8, Answer { place: 3, moves: 2 })]].concat();
        let bytes = Tree::pack(&solver.title, report.moves * 2 - 1, &more).unwrap();
        let expected = format!("1 of its {} answers belong to no line", more.len());
        assert_eq!(fault(bytes), Some(expected));
        let bytes = Tree::pack(&solver.title, report.moves * 2 + 1, &report.answers).unwrap();
        assert!(fault(bytes).is_some_and(|why| why.contains("plies")));
    }

    /// The game itself, move by move: random defences lose within the plies that the tree names.
    #[test]
    fn the_tree_wins_every_game() {
        use crate::games::gomoku::engine::prover::ThreatProver;
        let (variant, position) = SMALL[0];
        let tree = Tree::read(solved(variant, position).bytes).unwrap();
        let root = Gomoku::parse(variant, Some(position)).unwrap().current().clone();
        let mut random = fastrand::Rng::with_seed(3);
        let mut prover = ThreatProver::new();
        let mut answered = 0;
        for _ in 0..60 {
            let mut board = root.clone();
            let winner = board.side_to_move();
            for ply in 0.. {
                assert!(ply < 60, "{board:?}");
                if board.winner().is_some() {
                    break;
                }
                let mv = if board.side_to_move() == winner {
                    let answer = tree.answer(key_of(&board)).map(|answer| spot(answer.place, 15));
                    answered += u32::from(answer.is_some());
                    let won = |prover: &mut ThreatProver| {
                        prover.line(&mut board.clone(), 400_000, &StopToken::new()).map(|win| win.0[0])
                    };
                    let forced = crate::games::gomoku::engine::threats::forced(&board).filter(|spots| spots.len() == 1);
                    let mv = forced.and_then(|spots| spots.first()).or(answer).or_else(|| won(&mut prover));
                    mv.unwrap_or_else(|| panic!("no answer in {board:?}"))
                } else {
                    let forced = crate::games::gomoku::engine::threats::forced(&board);
                    let near = forced.filter(|spots| !spots.is_empty()).unwrap_or_else(|| board.near_stones());
                    near.iter().nth(random.usize(..near.len())).unwrap()
                };
                board.make(mv);
            }
            assert_eq!(board.winner(), Some(winner), "{board:?}");
        }
        assert!(answered > 60, "{answered}");
    }

    #[test]
    fn a_stopped_run_says_how_far_it_is() {
        let stop = StopToken::new();
        stop.stop();
        let told = Mutex::new(Vec::new());
        let solver = Solver::new("standard", None).unwrap();
        let end = solver.run(2, false, &stop, &|standing| told.lock().unwrap().push(standing.clone()), &|_| {});
        assert!(matches!(end, Err(Unproven::Stopped)));
        let told = told.into_inner().unwrap();
        let last = told.last().unwrap();
        assert_eq!((last.first.as_str(), last.answered, last.replies), ("h8", 0, 35));
        assert_eq!((last.open.len(), last.open[0].as_str(), last.open[34].as_str()), (35, "o15", "i8"));
    }

    /// Replies that the title leaves open are not walked, and others are, on any number of threads.
    #[test]
    fn open_replies_are_left_out() {
        let solver = Solver::new("freestyle", None).unwrap();
        let middle = place(Spot::new(7, 7), 15);
        let all: Vec<Place> = solver.replies_to_first().1.into_iter().map(|reply| place(reply, 15)).collect();
        assert_eq!(all.len(), 35);
        let hash = key_of(&solver.root).hash;
        let tree = |open: &[Place]| {
            let title = Title { open: open.to_vec(), ..solver.title.clone() };
            let plies = if open.len() == all.len() { 1 } else { 9 };
            Tree::read(Tree::pack(&title, plies, &[(hash, Answer { place: middle, moves: 1 })]).unwrap()).unwrap()
        };
        let everything = tree(&all);
        assert_eq!((open_replies(&everything).len(), first_move(&everything).as_deref()), (35, Some("h8")));
        let checked = check(&everything, 1, &StopToken::new(), &|_| {});
        assert_eq!((checked.fault, checked.report.answers.len(), checked.report.positions), (None, 1, 1));
        // Without an answer to the last three, one of them is found by each number of threads.
        for threads in [1, 2, 5] {
            let checked = check(&tree(&all[..32]), threads, &StopToken::new(), &|_| {});
            assert!(checked.fault.is_some_and(|why| why.contains("there is no answer")), "{threads}");
        }
    }

    #[test]
    fn what_has_no_proof_is_refused() {
        let refused = |variant, position| Solver::new(variant, position).err().map(|error| error.to_string());
        assert_eq!(
            refused("renju", None).as_deref(),
            Some("proofs are made by the rules freestyle and standard, not for 'renju'")
        );
        assert_eq!(refused("freestyle", Some("a1a2b1b2c1c2d1d2e1")).as_deref(), Some("the game is over in this position"));
        assert!(refused("freestyle", Some("z9")).is_some());
        assert!(refused("freestyle:17", None).is_some());
    }
}
