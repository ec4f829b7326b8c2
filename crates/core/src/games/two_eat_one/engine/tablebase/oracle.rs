//! Looks up the value of every position: win, draw or loss from the table that comes with the program, distances from what has been computed on this
//! machine.
//!
//! The variants on four by four are solved in a moment. For five by five the program contains win, draw and loss (`assets/oracles`), read block by block,
//! so the first answer takes milliseconds. The distances of all classes are in the user's cache after they have been computed. Without the cache, those of
//! up to four stones per side are computed in seconds, in the background, when a game comes near them.

use super::distances::{self, Distances};
use super::halves::{Halves, moves};
use super::outcomes::Outcomes;
use super::solver::{self, Watch};
use super::tables::Tables;
use crate::games::large;
use crate::games::two_eat_one::rules::board::{Bits, Board, Kind, Step};
use crate::rules::Position;
use crate::search::{Known, StopToken, Stopwatch, Verdict};
use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once, OnceLock, PoisonError, RwLock};
use std::time::Duration;

/// A page has no other threads: there everything is computed when it is asked for.
const IN_BACKGROUND: bool = !cfg!(target_arch = "wasm32");
/// Without a cache, distances of five by five are computed for up to this number of stones per side.
pub const SMALL: usize = 4;

/// The known values of one kind, shared by the whole process.
pub struct Oracle {
    kind: Kind,
    halves: OnceLock<Halves>,
    shipped: OnceLock<Option<Outcomes<'static>>>,
    small: OnceLock<Tables>,
    small_begun: Once,
    distances: RwLock<Option<Arc<Distances>>>,
    distances_begun: Once,
    /// True if the cache has been searched for distances.
    distances_looked_for: OnceLock<()>,
}

/// The folder for computed tablebases: `QIJU_CACHE`, or the user's cache folder.
pub fn cache_folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("QIJU_CACHE").filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    directories::ProjectDirs::from("", "", "qiju").map(|project| project.cache_dir().to_owned())
}

/// The stones of the side to move, and those of the other side.
pub fn seen(board: &Board) -> (Bits, Bits) {
    let turn = board.side_to_move();
    (board.stones(turn), board.stones(!turn))
}

impl Oracle {
    /// The oracle of a kind. Nothing is loaded or computed before it is needed.
    pub fn of(kind: Kind) -> &'static Oracle {
        static ORACLES: OnceLock<[Oracle; 4]> = OnceLock::new();
        let oracles = ORACLES.get_or_init(|| {
            Kind::ALL.map(|kind| Oracle {
                kind,
                halves: OnceLock::new(),
                shipped: OnceLock::new(),
                small: OnceLock::new(),
                small_begun: Once::new(),
                distances: RwLock::new(None),
                distances_begun: Once::new(),
                distances_looked_for: OnceLock::new(),
            })
        });
        &oracles[kind as usize]
    }

    fn halves(&self) -> &Halves {
        self.halves.get_or_init(|| Halves::new(self.kind, self.kind.stones() as usize))
    }

    /// The table that comes with the program (win, draw and loss of the stored half of five by five, format: `outcomes.rs`); `None` for the small
    /// boards, which need none.
    fn shipped(&self) -> Option<&Outcomes<'static>> {
        if self.kind != Kind::Standard {
            return None;
        }
        let file = large::two_eat_one()?;
        self.shipped.get_or_init(|| Outcomes::open(file, self.kind, self.halves()).ok()).as_ref()
    }

    /// True if the result of every position can be looked up here. It is false only in the window of a page, whose workers have the table.
    pub fn is_here(&self) -> bool {
        self.kind != Kind::Standard || large::can_be_had()
    }

    /// The distances of the small classes (of a small board, of all classes), computed on first use.
    fn small(&self) -> &Tables {
        self.small.get_or_init(|| {
            let mut tables = Tables::new(self.kind);
            let most = if self.kind == Kind::Standard { SMALL } else { self.kind.stones() as usize };
            let stop = StopToken::new();
            let watch = Watch { threads: background_threads(), stop: &stop, progress: &|_, _| {} };
            let solved = solver::solve::<Infallible>(&mut tables, most, &watch, |_, _| Ok(()));
            debug_assert!(solved.is_ok());
            tables
        })
    }

    /// Loads the distances from a folder. True if they are there and complete.
    pub fn load_distances(&self, folder: &Path) -> bool {
        let found = Distances::open(folder, self.kind, self.halves()).map(Arc::new);
        let loaded = found.is_some();
        if loaded {
            *self.distances.write().unwrap_or_else(PoisonError::into_inner) = found;
        }
        loaded
    }

    /// Starts to search the cache for distances in another thread; returns at once.
    fn look_for_distances(&'static self) {
        self.distances_begun.call_once(|| {
            in_background(move || {
                if self.kind == Kind::Standard
                    && let Some(folder) = cache_folder()
                {
                    self.load_distances(&folder);
                }
                let _ = self.distances_looked_for.set(());
            });
        });
    }

    /// Starts to compute the distances of the small classes in another thread; returns at once.
    fn begin_small(&'static self) {
        self.small_begun.call_once(|| {
            in_background(move || {
                self.small();
            });
        });
    }

    /// Waits until everything is available that does not need the whole game to be solved, or the token is raised. True if it is available.
    pub fn wait(&'static self, stop: &StopToken) -> bool {
        self.look_for_distances();
        wait_until(stop, None, || self.distances_looked_for.get().is_some()) && self.wait_for_small(stop, None)
    }

    fn wait_for_small(&'static self, stop: &StopToken, timeout: Option<Duration>) -> bool {
        if self.knows_all_distances() {
            return true;
        }
        self.begin_small();
        wait_until(stop, timeout, || self.small.get().is_some() || self.knows_all_distances())
    }

    /// Waits for the data that the moves of a position need: the distances of the small classes if a move may lead into them, otherwise nothing. False if
    /// the token is raised or the time is over before that; the outcomes are available even then.
    pub fn wait_for(&'static self, board: &Board, stop: &StopToken, timeout: Option<Duration>) -> bool {
        let begun = Stopwatch::start();
        self.look_for_distances();
        // Checking the cache file takes a tenth of a second; without a file this does not wait.
        let file = cache_folder().is_some_and(|folder| distances::path(&folder, self.kind).is_file());
        if file && !wait_until(stop, timeout, || self.distances_looked_for.get().is_some()) {
            return false;
        }
        let (own, other) = seen(board);
        let (own, other) = (own.count_ones() as usize, other.count_ones() as usize);
        let whole = 2 * self.kind.stones() as usize;
        if self.kind == Kind::Standard && own > SMALL {
            if own + other < whole && IN_BACKGROUND {
                // After the first capture they will be needed soon.
                self.begin_small();
            }
            return true;
        }
        self.wait_for_small(stop, timeout.map(|timeout| timeout.saturating_sub(begun.elapsed())))
    }

    /// True if the exact distance of every position is available.
    pub fn knows_all_distances(&self) -> bool {
        let loaded = || self.distances.read().unwrap_or_else(PoisonError::into_inner).is_some();
        if self.kind == Kind::Standard { loaded() } else { self.small.get().is_some() }
    }

    /// The known value of a position for the side to move, whose stones are `own`.
    pub fn verdict(&self, own: Bits, other: Bits) -> Verdict {
        if own.count_ones() < 2 || moves(self.kind, own, other).next().is_none() {
            return Verdict::LOST;
        }
        if other.count_ones() < 2 {
            // A position set up by the user: after any move the side with too few stones is to move and has lost.
            return Verdict::LOST.through();
        }
        let distances = self.distances.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(distances) = distances
            && let Ok(exact) = self.halves().probe(own, other, &mut |slot| distances.read(slot))
        {
            return exact;
        }
        let most = own.count_ones().max(other.count_ones()) as usize;
        let small = if self.kind == Kind::Standard { self.small.get().filter(|_| most <= SMALL) } else { Some(self.small()) };
        if let Some(exact) = small.and_then(|tables| tables.probe(own, other)) {
            return exact;
        }
        match self.shipped_outcome(own, other) {
            Some(known) => Verdict { known, plies: (known == Known::Draw).then_some(0) },
            // Cannot happen: a test checks that the table inside the program is complete.
            None => Verdict { known: Known::Draw, plies: None },
        }
    }

    /// The value in the table inside the program.
    pub fn shipped_outcome(&self, own: Bits, other: Bits) -> Option<Known> {
        let (halves, shipped) = (self.halves(), self.shipped()?);
        let read = &mut |slot| shipped.read(halves, slot).map(|known| Verdict { known, plies: None });
        halves.probe(own, other, read).ok().map(|exact| exact.known)
    }

    /// Each legal move of a position with its value for the side that makes it. Distances are counted from before the move.
    pub fn of_moves(&self, board: &Board) -> Vec<(Step, Verdict)> {
        let mut steps = Vec::new();
        board.legal_moves(&mut steps);
        steps.into_iter().map(|step| (step, self.of_move(board, step))).collect()
    }

    /// The value of a legal move for the side that makes it.
    pub fn of_move(&self, board: &Board, step: Step) -> Verdict {
        let (own, other) = seen(board);
        let taken = board.taken_by(step);
        self.verdict(other & !taken, own ^ (1 << step.from | 1 << step.to)).through()
    }

    /// Saves the distances of a solved kind in `folder`. From then on every value has its distance.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn keep_distances(&self, tables: &Tables, folder: &Path) -> io::Result<()> {
        let codes = self.halves().gather(tables).ok_or(io::ErrorKind::InvalidData)?;
        distances::store(self.kind, &codes, folder)?;
        if self.load_distances(folder) { Ok(()) } else { Err(io::Error::other("the file just written cannot be read back")) }
    }
}

/// Runs work in a new thread, or at once if no thread can be created.
fn in_background(work: impl FnOnce() + Send + Clone + 'static) {
    let later = work.clone();
    if std::thread::Builder::new().name("two-eat-one oracle".to_owned()).spawn(later).is_err() {
        work();
    }
}

/// Waits until a condition is true. False if the token is raised or the time is over before that.
fn wait_until(stop: &StopToken, timeout: Option<Duration>, so: impl Fn() -> bool) -> bool {
    let begun = Stopwatch::start();
    while !so() {
        if stop.is_stopped() || timeout.is_some_and(|timeout| begun.elapsed() >= timeout) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// The number of threads for work in the background of a window: one core is left for the window.
pub fn background_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1))
}
