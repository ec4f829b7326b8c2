//! A search in the background: a task on the compute pool that sends its progress through a channel and stops when dropped.

use crate::search::{StopOnDrop, StopToken};
use crate::table::{Action, PlayerHandle, Progress, SearchRequest, Table};
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

/// The result of a search: a move, no move, or an error.
type Answer = Result<Option<Action>, String>;

/// A running search. Dropping it stops the search.
pub struct Search {
    task: Task<Answer>,
    news: Mutex<Receiver<Progress>>,
    begun: Arc<AtomicBool>,
    _stop: StopOnDrop,
}

/// The output of a running search since the last call.
pub struct News {
    /// The last progress line since the last call, if any.
    pub news: Option<Progress>,
    /// The answer, if it is ready: `Some(Ok(None))` if there is no move.
    pub answer: Option<Answer>,
}

impl Search {
    /// Starts a search of a position on the compute pool by this player: our engine or an external program.
    pub fn start(table: &dyn Table, request: &SearchRequest, player: &PlayerHandle) -> Search {
        let (table, request, player) = (table.boxed_clone(), request.clone(), player.clone());
        Search::spawn(move |stop, begun, tell| {
            let mut player = player.lock();
            player.prepare(&*table, &request).map_err(|error| error.to_string())?;
            begun.store(true, Ordering::Relaxed);
            player.think(&*table, &request, stop, tell).map_err(|error| error.to_string())
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

    /// True when the engine is loaded and searches.
    pub fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    /// All progress lines since the last call.
    pub fn news(&mut self) -> Vec<Progress> {
        self.news.get_mut().map(|news| news.try_iter().collect()).unwrap_or_default()
    }

    /// Hears every line of progress since the last look; true once the search has ended and everything was heard.
    pub fn poll_all(&mut self, mut hear: impl FnMut(Progress)) -> bool {
        // The answer comes after the last line.
        let ended = check_ready(&mut self.task).is_some();
        self.news().into_iter().for_each(&mut hear);
        ended
    }

    /// Checks for output without waiting.
    pub fn poll(&mut self) -> News {
        let news = self.news.get_mut().ok().and_then(|news| news.try_iter().last());
        News { news, answer: check_ready(&mut self.task) }
    }
}
