//! A search that runs beside the frame: an async compute task that tells its progress through a channel and stops when dropped.

use crate::protocol::host::Host;
use crate::search::{Limits, StopOnDrop, StopToken};
use crate::table::{Action, Memory, Progress, SearchRequest, Table};
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long another program thinks where there is no clock.
pub(super) const PROGRAM_TIME: Duration = Duration::from_secs(3);
/// How much longer than its time a program is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a search comes to: a move, none, or why it could not be looked for.
type Answer = Result<Option<Action>, String>;

/// A search that runs. Dropping it stops the search.
pub struct Search {
    task: Task<Answer>,
    news: Mutex<Receiver<Progress>>,
    begun: Arc<AtomicBool>,
    _stop: StopOnDrop,
}

/// What a running search has told since the last call.
pub struct News {
    /// The last line of progress, if there was one since the last look.
    pub news: Option<Progress>,
    /// The answer, once it is there: `Some(Ok(None))` where the engine had no move.
    pub answer: Option<Answer>,
}

impl Search {
    /// Starts a search of a position by our own engine on the compute pool.
    ///
    /// # Errors
    /// The game has no such algorithm.
    pub fn start(table: &dyn Table, request: &SearchRequest, memory: &Memory) -> Result<Search, String> {
        let thinker = table.thinker(request, memory)?;
        Ok(Search::spawn(move |stop, begun, tell| {
            begun.store(true, Ordering::Relaxed);
            Ok(thinker(stop, tell))
        }))
    }

    /// Asks another program for a move; it is started if it does not run yet.
    pub(super) fn ask(table: Box<dyn Table>, command: String, limits: Limits, memory: Memory) -> Search {
        Search::spawn(move |stop, begun, tell| {
            let fault = |error: crate::protocol::host::HostError| error.to_string();
            let mut host = match memory.take::<Host>() {
                Some(host) => host,
                None => Host::start(&command, table.as_ref()).map_err(fault)?,
            };
            begun.store(true, Ordering::Relaxed);
            let given = limits.time.or(limits.clock.map(|clock| clock.remaining)).unwrap_or(PROGRAM_TIME);
            let action = host.think(table.as_ref(), &limits, given + PATIENCE, stop, tell).map_err(fault)?;
            memory.put(host);
            Ok(Some(action))
        })
    }

    fn spawn(work: impl FnOnce(&StopToken, &AtomicBool, &mut dyn FnMut(Progress)) -> Answer + Send + 'static) -> Search {
        let stop = StopToken::new();
        let (token, begun) = (stop.clone(), Arc::new(AtomicBool::new(false)));
        let (tell, news) = channel();
        let told = begun.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            work(&token, &told, &mut |progress| {
                let _ = tell.send(progress);
            })
        });
        Search { task, news: Mutex::new(news), begun, _stop: StopOnDrop(stop) }
    }

    /// True once the engine is loaded and thinks.
    pub fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    /// Every line of progress since the last look.
    pub fn news(&mut self) -> Vec<Progress> {
        self.news.get_mut().map(|news| news.try_iter().collect()).unwrap_or_default()
    }

    /// Looks without waiting.
    pub fn poll(&mut self) -> News {
        let news = self.news.get_mut().ok().and_then(|news| news.try_iter().last());
        News { news, answer: check_ready(&mut self.task) }
    }
}
