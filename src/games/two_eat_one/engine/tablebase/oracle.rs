//! What is known of every position: win, draw or loss from the table that ships with the program, distances from what has been worked out on this
//! machine.
//!
//! The boards of four by four are solved in a moment. Of five by five the program holds win, draw and loss (`assets/oracles`), read block by block, so the
//! first answer takes milliseconds. The distances of all classes are in the user's cache once they were made; those of up to four pieces a side are
//! made again in seconds, in the background, when a game comes near them.

use super::distances::{self, Distances};
use super::halves::{Halves, moves};
use super::outcomes::Outcomes;
use super::solver::{self, Watch};
use super::truth::{Tables, Truth};
use crate::games::two_eat_one::rules::board::{Bits, Board, Kind, Step};
use crate::rules::Position;
use crate::search::{Known, StopToken, Stopwatch, Verdict};
use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once, OnceLock, PoisonError, RwLock};
use std::time::Duration;

/// Win, draw and loss of the kept half of five by five (`outcomes.rs` says how).
static SHIPPED: &[u8] = include_bytes!("../../../../../assets/oracles/two-eat-one.outcomes");
/// Pieces a side up to which the distances of five by five are made where the cache has none.
pub const SMALL: usize = 4;

/// The knowledge of one kind, shared by the whole process.
pub struct Oracle {
    kind: Kind,
    halves: OnceLock<Halves>,
    shipped: OnceLock<Option<Outcomes<'static>>>,
    small: OnceLock<Tables>,
    small_begun: Once,
    distances: RwLock<Option<Arc<Distances>>>,
    distances_begun: Once,
    /// The cache was looked through for distances.
    distances_looked_for: OnceLock<()>,
}

/// The folder for what the program has worked out: `QIJU_CACHE`, or the user's cache folder.
pub fn cache_folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("QIJU_CACHE").filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    directories::ProjectDirs::from("", "", "qiju").map(|project| project.cache_dir().to_owned())
}

/// The pieces of the side to move, and those of the other.
pub fn seen(board: &Board) -> (Bits, Bits) {
    let turn = board.side_to_move();
    (board.stones(turn), board.stones(!turn))
}

impl Oracle {
    /// The oracle of a kind. Nothing is loaded or made before it is needed.
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

    /// The shipped table; `None` for the small boards, which need none.
    fn shipped(&self) -> Option<&Outcomes<'static>> {
        let open = || Outcomes::open(SHIPPED, self.kind, self.halves()).ok().filter(|_| self.kind == Kind::Standard);
        self.shipped.get_or_init(open).as_ref()
    }

    /// The distances of the small classes (of a small board all of them), made when first asked for.
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

    /// Takes the distances from a folder, if they are there and complete. True if they are.
    pub fn load_distances(&self, folder: &Path) -> bool {
        let found = Distances::open(folder, self.kind, self.halves()).map(Arc::new);
        let loaded = found.is_some();
        if loaded {
            *self.distances.write().unwrap_or_else(PoisonError::into_inner) = found;
        }
        loaded
    }

    /// Begins to look for distances in the cache, in a thread of its own; returns at once.
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

    /// Begins to make the distances of the small classes, in a thread of its own; returns at once.
    fn begin_small(&'static self) {
        self.small_begun.call_once(|| {
            in_background(move || {
                self.small();
            });
        });
    }

    /// Waits until everything that can be known without solving the whole game is at hand, or the token is raised. True when it is.
    pub fn wait(&'static self, stop: &StopToken) -> bool {
        self.look_for_distances();
        wait_until(stop, None, || self.distances_looked_for.get().is_some()) && self.wait_for_small(stop, None)
    }

    fn wait_for_small(&'static self, stop: &StopToken, patience: Option<Duration>) -> bool {
        if self.knows_all_distances() {
            return true;
        }
        self.begin_small();
        wait_until(stop, patience, || self.small.get().is_some() || self.knows_all_distances())
    }

    /// Waits for what the moves of a position need: nothing where the outcomes in the program are all there is to say; the distances of the small classes
    /// where a move may lead into them. False if the token is raised or the time is over before that; the outcomes are there in any case.
    pub fn wait_for(&'static self, board: &Board, stop: &StopToken, patience: Option<Duration>) -> bool {
        let begun = Stopwatch::start();
        self.look_for_distances();
        // The kept file is checked in a tenth of a second; where there is none, nothing is waited for.
        let file = cache_folder().is_some_and(|folder| distances::path(&folder, self.kind).is_file());
        if file && !wait_until(stop, patience, || self.distances_looked_for.get().is_some()) {
            return false;
        }
        let (own, other) = seen(board);
        let (own, other) = (own.count_ones() as usize, other.count_ones() as usize);
        let whole = 2 * self.kind.stones() as usize;
        if self.kind == Kind::Standard && own > SMALL {
            if own + other < whole {
                // The first capture was made: they will be asked for soon.
                self.begin_small();
            }
            return true;
        }
        self.wait_for_small(stop, patience.map(|patience| patience.saturating_sub(begun.elapsed())))
    }

    /// The exact distance of every position is available.
    pub fn knows_all_distances(&self) -> bool {
        let loaded = || self.distances.read().unwrap_or_else(PoisonError::into_inner).is_some();
        if self.kind == Kind::Standard { loaded() } else { self.small.get().is_some() }
    }

    /// What is known of a position for the side whose stones are `own`, to move.
    pub fn verdict(&self, own: Bits, other: Bits) -> Verdict {
        let exact = |truth: Truth| Verdict { known: truth.known, plies: Some(truth.plies) };
        if own.count_ones() < 2 || moves(self.kind, own, other).next().is_none() {
            return exact(Truth::LOST);
        }
        if other.count_ones() < 2 {
            // Set up by hand: any move, and it is the bare side's turn.
            return exact(Truth::LOST.through());
        }
        let distances = self.distances.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(distances) = distances
            && let Ok(truth) = self.halves().probe(own, other, &mut |slot| distances.read(slot))
        {
            return exact(truth);
        }
        let most = own.count_ones().max(other.count_ones()) as usize;
        let small = if self.kind == Kind::Standard { self.small.get().filter(|_| most <= SMALL) } else { Some(self.small()) };
        if let Some(truth) = small.and_then(|tables| tables.probe(own, other)) {
            return exact(truth);
        }
        match self.shipped_outcome(own, other) {
            Some(known) => Verdict { known, plies: (known == Known::Draw).then_some(0) },
            // The table inside the program is whole (a test says so), so this is never met.
            None => Verdict { known: Known::Draw, plies: None },
        }
    }

    /// What the shipped table alone says.
    pub fn shipped_outcome(&self, own: Bits, other: Bits) -> Option<Known> {
        let (halves, shipped) = (self.halves(), self.shipped()?);
        let read = &mut |slot| shipped.read(halves, slot).map(|known| Truth { known, plies: 0 });
        halves.probe(own, other, read).ok().map(|truth| truth.known)
    }

    /// Each legal move of a position with what it is worth to the side that makes it, the distance counted from before the move.
    pub fn of_moves(&self, board: &Board) -> Vec<(Step, Verdict)> {
        let mut steps = Vec::new();
        board.legal_moves(&mut steps);
        steps.into_iter().map(|step| (step, self.of_move(board, step))).collect()
    }

    /// What a legal move is worth to the side that makes it.
    pub fn of_move(&self, board: &Board, step: Step) -> Verdict {
        let (own, other) = seen(board);
        let taken = board.taken_by(step);
        let after = self.verdict(other & !taken, own ^ (1 << step.from | 1 << step.to));
        let known = after.reversed().known;
        let plies = after.plies.map(|plies| if known == Known::Draw { 0 } else { plies + 1 });
        Verdict { known, plies }
    }

    /// Keeps the distances of a solved kind in `folder`. From then on every verdict has its distance.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn keep_distances(&self, tables: &Tables, folder: &Path) -> io::Result<()> {
        let codes = self.halves().gather(tables).ok_or(io::ErrorKind::InvalidData)?;
        distances::store(self.kind, &codes, folder)?;
        if self.load_distances(folder) { Ok(()) } else { Err(io::Error::other("what was just written cannot be read back")) }
    }
}

/// Starts work in a thread of its own. Where there is no thread to be had it is done at once.
fn in_background(work: impl FnOnce() + Send + Clone + 'static) {
    let later = work.clone();
    if std::thread::Builder::new().name("two-eat-one oracle".to_owned()).spawn(later).is_err() {
        work();
    }
}

/// Waits until something is so. False if the token is raised or the time is over before.
fn wait_until(stop: &StopToken, patience: Option<Duration>, so: impl Fn() -> bool) -> bool {
    let begun = Stopwatch::start();
    while !so() {
        if stop.is_stopped() || patience.is_some_and(|patience| begun.elapsed() >= patience) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Threads for work behind a window: all but one, so that the frame keeps a core.
pub fn background_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1))
}
