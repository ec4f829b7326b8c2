//! Makes a tree: searches, walks over what was found, and fills what the walk misses.

mod parts;

use super::hints::{Hints, Unreadable};
use super::maker::{Maker, NODES, Stopped, Table};
use super::tasks::{Tasks, lock};
use super::work::{ANY_STONES, Known, Unusable, Work};
use qiju_core::games::gomoku::Gomoku;
use qiju_core::games::gomoku::proof::board::{key_of, place, spot, stones};
use qiju_core::games::gomoku::proof::check::{variant_of, walk};
use qiju_core::games::gomoku::proof::key::{Key, Place, turned, turned_back};
use qiju_core::games::gomoku::proof::tree::{Answer, Damaged, MOST_MOVES, Title, Tree};
use qiju_core::games::gomoku::proof::verifier::{Answers, Report};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::rule::Rule;
use qiju_core::games::gomoku::rules::spot::Spot;
use qiju_core::rules::Position;
use qiju_core::search::StopToken;
use qiju_core::table::{Game, SetupError};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The largest effort; each searches four times the nodes of the one before.
const MOST_EFFORT: u8 = 9;

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
pub struct SearchProgress {
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

    /// Keeps the work in a file of this folder, which is that of all positions of the variant. What is in the file is continued, as far as its wins are short
    /// enough; what was taken over before is not.
    ///
    /// # Errors
    /// The file cannot be used.
    pub fn keep_in(&mut self, folder: &Path) -> Result<(), Unproven> {
        let variant = variant_of(&self.title);
        let path = folder.join(format!("gomoku-{}.work", variant.replace(':', "-")));
        let most = if self.most == MOST_MOVES { ANY_STONES } else { u16::try_from(self.most_stones()).unwrap_or(ANY_STONES) };
        let made = std::fs::create_dir_all(folder).map_err(Unusable::Failed);
        let opened = made.and_then(|()| Work::open(&path, &variant, most));
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
        progress: &(dyn Fn(&SearchProgress) + Sync),
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

    fn search(&self, threads: usize, stop: &StopToken, progress: &(dyn Fn(&SearchProgress) + Sync)) -> Result<(), Unproven> {
        if self.root.stone_count() == 0 {
            return self.search_empty(threads, stop, progress);
        }
        self.search_all(vec![self.root.clone()], threads, stop, &|_| {})
    }

    /// On the empty board the first stone is in the middle, and every reply is searched.
    fn search_empty(
        &self,
        threads: usize,
        stop: &StopToken,
        progress: &(dyn Fn(&SearchProgress) + Sync),
    ) -> Result<(), Unproven> {
        let (first, replies) = self.replies_to_first();
        let tasks: Vec<Spot> = replies.iter().copied().filter(|reply| !self.is_answered(*reply)).collect();
        let told = |open: &[usize]| {
            progress(&SearchProgress {
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
    /// searched in parts (see `parts`). `told` is called with the numbers of those that are left, after each proof and when it is stopped.
    fn search_all(
        &self,
        boards: Vec<Board>,
        threads: usize,
        stop: &StopToken,
        told: &(dyn Fn(&[usize]) + Sync),
    ) -> Result<(), Unproven> {
        let table = &self.table;
        let maker = |_| self.maker(stop).with_nodes(self.nodes);
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
                let (board, way) = (&boards[task], self.way_to(&boards[task]));
                let proven =
                    self.shorten(&mut makers, board, &way, effort) || self.search_in_parts(&mut makers, board, &way, effort);
                if proven && lock(&tasks).end(task, true) {
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

    /// A maker on one thread.
    fn maker<'a>(&'a self, stop: &'a StopToken) -> Maker<'a> {
        let maker = Maker::new(self.root.side_to_move(), self.title.size, &self.work, &self.hints, stop);
        maker.within(self.most_stones()).sharing(self.table.clone())
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
        let found = || CompletedAnswers { solver: self, maker: self.maker(stop) };
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

/// The answers of the work, and new ones where the walk asks for more.
struct CompletedAnswers<'a> {
    solver: &'a Solver,
    maker: Maker<'a>,
}

impl Answers for CompletedAnswers<'_> {
    fn answer(&mut self, key: Key, left: u16) -> Option<Place> {
        let solver = self.solver;
        if solver.root.stone_count() == 0 && key.hash == key_of(&solver.root).hash {
            return Some(place(solver.first_stone(), solver.title.size));
        }
        match solver.work.known(key.hash, left)? {
            Known::Won(place) => Some(turned_back(place, key.symmetry, solver.title.size)),
            Known::Chosen(_) | Known::Longer(_) => None,
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

#[cfg(test)]
mod tests;
