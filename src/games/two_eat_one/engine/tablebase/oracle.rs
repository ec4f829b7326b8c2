//! What is known of every position: win, draw or loss from the table that ships with the program, distances from what has been worked out on this
//! machine.
//!
//! The boards of four by four are solved on the spot. Of five by five the program holds win, draw and loss (`assets/oracles`); the distances of all
//! classes are in the user's cache once they were made, and those of up to four stones a side are made again in seconds.

use super::distances::{self, Distances};
use super::halves::{Halves, moves, unpack};
use super::solver::{self, Watch};
use super::truth::{Tables, Truth};
use crate::games::two_eat_one::rules::board::{Bits, Board, Kind, Step};
use crate::rules::Position;
use crate::search::{Known, StopToken, Verdict};
use flate2::read::GzDecoder;
use std::convert::Infallible;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

/// Win, draw and loss of the kept half of five by five, five to a byte, as gzip.
static SHIPPED: &[u8] = include_bytes!("../../../../../assets/oracles/two-eat-one.wdl.gz");
/// Stones a side up to which the distances of five by five are made where the cache has none.
pub const SMALL: usize = 4;

/// The knowledge of one kind, shared by the whole process.
pub struct Oracle {
    kind: Kind,
    halves: OnceLock<Halves>,
    shipped: OnceLock<Option<Vec<u8>>>,
    small: OnceLock<Tables>,
    distances: RwLock<Option<Arc<Distances>>>,
    wake: std::sync::Once,
    awake: OnceLock<()>,
}

/// The folder for what the program has worked out: `QIJU_CACHE`, or the user's cache folder.
pub fn cache_folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("QIJU_CACHE").filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    directories::ProjectDirs::from("", "", "qiju").map(|project| project.cache_dir().to_owned())
}

/// The shipped table, unpacked; about so many bytes.
///
/// # Errors
/// It is damaged, which a test of the program rules out.
pub fn unpacked(bytes: usize) -> io::Result<Vec<u8>> {
    let mut packed = Vec::with_capacity(bytes);
    GzDecoder::new(SHIPPED).read_to_end(&mut packed)?;
    Ok(packed)
}

/// Opposite stones as the side to move sees them.
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
                distances: RwLock::new(None),
                wake: std::sync::Once::new(),
                awake: OnceLock::new(),
            })
        });
        &oracles[kind as usize]
    }

    fn halves(&self) -> &Halves {
        self.halves.get_or_init(|| Halves::new(self.kind, self.kind.stones() as usize))
    }

    /// The shipped table, unpacked; `None` for the small boards, which need none.
    fn shipped(&self) -> Option<&[u8]> {
        let unpacked = self
            .shipped
            .get_or_init(|| (self.kind == Kind::Standard).then(|| unpacked(self.halves().slots() / 5 + 1).ok()).flatten());
        unpacked.as_deref()
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

    /// Takes the distances from a folder, if they lie there whole. True if they do.
    pub fn load_distances(&self, folder: &Path) -> bool {
        let found = Distances::open(folder, self.kind, self.halves()).map(Arc::new);
        let loaded = found.is_some();
        if loaded {
            *self.distances.write().unwrap_or_else(PoisonError::into_inner) = found;
        }
        loaded
    }

    /// Begins, in a thread of its own, to load or make what answers will need; returns at once.
    pub fn wake_up(&'static self) {
        self.wake.call_once(|| {
            let work = move || {
                if self.kind == Kind::Standard {
                    self.shipped();
                    if let Some(folder) = cache_folder() {
                        self.load_distances(&folder);
                    }
                }
                if !self.knows_all_distances() {
                    self.small();
                }
                let _ = self.awake.set(());
            };
            // Where there is no thread to be had, answers take the time when they are asked for.
            let _ = std::thread::Builder::new().name("two-eat-one oracle".to_owned()).spawn(work);
        });
    }

    /// Waits until what [`wake_up`](Oracle::wake_up) began is done, or the token is raised. True when done.
    pub fn wait(&'static self, stop: &StopToken) -> bool {
        self.wake_up();
        while self.awake.get().is_none() {
            if stop.is_stopped() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// The exact distance of every position is at hand.
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
        let packed = self.shipped().unwrap_or_default();
        let known = self.halves().probe(own, other, &mut |slot| unpack(packed, slot).ok_or(()));
        match known {
            Ok(truth) => Verdict { known: truth.known, plies: (truth.known == Known::Draw).then_some(0) },
            // The table inside the program is whole (a test says so), so this is never met.
            Err(()) => Verdict { known: Known::Draw, plies: None },
        }
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

/// Threads for work behind a window: all but one, so that the frame keeps a core.
pub fn background_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1))
}

#[cfg(test)]
impl Oracle {
    /// What the shipped table alone says.
    pub fn shipped_outcome(&self, own: Bits, other: Bits) -> Option<Known> {
        let packed = self.shipped()?;
        self.halves().probe(own, other, &mut |slot| unpack(packed, slot).ok_or(())).ok().map(|truth| truth.known)
    }
}
