//! The budget of the fuzz tests: a small fixed number in `cargo test`, any time with `scripts/fuzz`.
//!
//! `QIJU_FUZZ_SECONDS` is the time of each part in seconds; `QIJU_FUZZ_GAMES` is the number of games per rule set that are compared with the second
//! generators; `QIJU_FUZZ_SEED` sets the seed; `QIJU_FUZZ_SAVE` is the folder for inputs that cause failures; `QIJU_FUZZ_RULES` and `QIJU_FUZZ_DIARY` serve
//! long runs of games (see `second::compare` and `diary`).

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Once;
use std::time::{Duration, Instant};

/// The budget of a part.
pub struct Budget {
    seed: u64,
    amount: Amount,
}

#[derive(Clone, Copy)]
enum Amount {
    /// A number of inputs for each share.
    Each(u64),
    /// A time for all shares together.
    Time(Duration),
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

impl Budget {
    /// `small` inputs for each share, unless a time is given.
    pub fn new(small: u64) -> Budget {
        let amount = number("QIJU_FUZZ_SECONDS").map_or(Amount::Each(small), |s| Amount::Time(Duration::from_secs(s)));
        Budget { seed: number("QIJU_FUZZ_SEED").unwrap_or(1), amount }
    }

    /// The same for games, which have their own number.
    pub fn of_games(small: u64) -> Budget {
        let budget = Budget::new(small);
        Budget { amount: number("QIJU_FUZZ_GAMES").map_or(budget.amount, Amount::Each), ..budget }
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// One of `of` equal shares.
    pub fn share(&self, index: usize, of: usize) -> Share {
        let amount = match self.amount {
            Amount::Time(time) => Amount::Time(time / of.max(1) as u32),
            each => each,
        };
        let first = self.seed.wrapping_mul(1_000_000_007).wrapping_add(index as u64 * 10_000_000_000);
        Share { amount, begun: Instant::now(), first, done: 0 }
    }
}

/// Gives a seed for each input, until the share is used up.
pub struct Share {
    amount: Amount,
    begun: Instant,
    first: u64,
    done: u64,
}

impl Share {
    /// The share without its first `done` seeds, which an earlier run has used.
    pub fn after(self, done: u64) -> Share {
        Share { done, ..self }
    }

    /// The number of seeds given.
    pub fn done(&self) -> u64 {
        self.done
    }
}

impl Iterator for Share {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let goes_on = match self.amount {
            Amount::Each(count) => self.done < count,
            Amount::Time(time) => self.begun.elapsed() < time,
        };
        goes_on.then(|| {
            self.done += 1;
            self.first.wrapping_add(self.done)
        })
    }
}

/// Saves an input that causes a failure.
pub fn save_folder() -> PathBuf {
    std::env::var_os("QIJU_FUZZ_SAVE").map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz"), PathBuf::from)
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function; a panic becomes an error and is not printed.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
    let was = QUIET.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(was);
    done.unwrap_or_else(|payload| {
        let text =
            payload.downcast_ref::<String>().cloned().or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("it panics: {}", text.unwrap_or_default()))
    })
}
