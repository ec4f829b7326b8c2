//! The limits of this machine: checks the memory and the threads that a user or another program asks for.

use crate::search::StopToken;
use std::num::NonZero;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// More threads than processors are allowed, because tests of engines use them, but not without limit.
const THREADS_EACH: usize = 4;
const THREADS_ALWAYS: usize = 16;

/// The free memory in MiB, if the system reports it: the smaller of the free memory of the machine and the rest of the
/// container's limit.
pub fn free_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let number = |name: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse::<u64>().ok();
    let contained = number("memory.max").map(|most| most.saturating_sub(number("memory.current").unwrap_or(0)) >> 20);
    Some(contained.unwrap_or(u64::MAX).min(kib / 1024))
}

/// Checks that a table of this size in MiB can be allocated.
///
/// # Errors
/// There is not enough memory; the message says how much is free.
pub fn check_memory(megabytes: u64) -> Result<usize, String> {
    match free_mb() {
        Some(free) if megabytes > free => {
            Err(format!("{megabytes} MiB are more than the free memory of this machine ({free} MiB)"))
        }
        _ => usize::try_from(megabytes).map_err(|_| format!("{megabytes} MiB cannot be addressed")),
    }
}

/// Checks that this number of threads is allowed.
///
/// # Errors
/// There are too many threads for the number of processors.
pub fn check_threads(threads: usize) -> Result<usize, String> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let most = (cores * THREADS_EACH).max(THREADS_ALWAYS);
    if threads > most {
        Err(format!("{threads} threads are too many for {cores} processors; the most are {most}"))
    } else {
        Ok(threads)
    }
}

/// Raises a token after some time, unless it is dropped before.
pub struct Countdown(#[expect(dead_code, reason = "dropping it ends the countdown")] Sender<()>);

impl Countdown {
    /// Starts the countdown.
    pub fn start(stop: StopToken, left: Duration) -> Countdown {
        let (ends, dropped) = channel::<()>();
        std::thread::spawn(move || {
            if dropped.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                stop.stop();
            }
        });
        Countdown(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_amounts_are_refused() {
        assert_eq!(check_memory(1), Ok(1));
        assert_eq!(check_threads(1), Ok(1));
        assert!(check_threads(1 << 20).unwrap_err().contains("processors"));
        if free_mb().is_some() {
            assert!(check_memory(1 << 40).unwrap_err().contains("MiB are more than the free memory of this machine"));
        }
    }

    #[test]
    fn a_countdown_that_is_dropped_raises_nothing() {
        let (raised, kept) = (StopToken::new(), StopToken::new());
        drop(Countdown::start(kept.clone(), Duration::from_millis(30)));
        let _counts = Countdown::start(raised.clone(), Duration::from_millis(60));
        while !raised.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!kept.is_stopped());
    }
}
