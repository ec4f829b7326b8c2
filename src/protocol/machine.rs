//! What this machine can give: memory and threads asked for by a user or another program are held against it.

use crate::search::StopToken;
use std::num::NonZero;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Threads may be asked for beyond the processors there are, as tests of engines do, but not without end.
const THREADS_EACH: usize = 4;
const THREADS_ALWAYS: usize = 16;

/// MiB of memory that a program could have now, where the system tells: what is free on the machine, and what is left of the limit of
/// a container.
pub fn free_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let number = |name: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse::<u64>().ok();
    let contained = number("memory.max").map(|most| most.saturating_sub(number("memory.current").unwrap_or(0)) >> 20);
    Some(contained.unwrap_or(u64::MAX).min(kib / 1024))
}

/// A table of this many MiB can be allocated.
///
/// # Errors
/// There is not so much memory, and how much there is.
pub fn check_memory(megabytes: u64) -> Result<usize, String> {
    match free_mb() {
        Some(free) if megabytes > free => Err(format!("{megabytes} MiB are more than this machine has free ({free} MiB)")),
        _ => usize::try_from(megabytes).map_err(|_| format!("{megabytes} MiB cannot be addressed")),
    }
}

/// So many threads can be had.
///
/// # Errors
/// They are too many for the processors there are.
pub fn check_threads(threads: usize) -> Result<usize, String> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let most = (cores * THREADS_EACH).max(THREADS_ALWAYS);
    if threads > most {
        Err(format!("{threads} threads are too many for {cores} processors; {most} are the most"))
    } else {
        Ok(threads)
    }
}

/// Raises a token after a while, unless this is dropped before.
pub struct Countdown(#[expect(dead_code, reason = "dropping it ends the countdown")] Sender<()>);

impl Countdown {
    /// Begins to count.
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
    fn what_no_machine_has_is_refused() {
        assert_eq!(check_memory(1), Ok(1));
        assert_eq!(check_threads(1), Ok(1));
        assert!(check_threads(1 << 20).unwrap_err().contains("processors"));
        if free_mb().is_some() {
            assert!(check_memory(1 << 40).unwrap_err().contains("MiB are more than this machine has free"));
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
