//! Work in the background: computations ([`Running`]) and work with files ([`BackgroundTask`]). Dropping it stops it; when it is finished, the
//! sleeping window is woken.

#[cfg(target_arch = "wasm32")]
use crate::page::{pool::Priority, workers};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, IoTaskPool, Task};
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};
use qiju_core::compute::Computation;
pub use qiju_core::search::lower_priority;
use qiju_core::search::{StopOnDrop, StopToken};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use winit::event_loop::EventLoopProxy;

/// A running computation. Dropping it stops it and forgets its answer.
pub struct Running<C: Computation> {
    news: Mutex<Receiver<C::News>>,
    answer: Mutex<Receiver<C::Answer>>,
    answered: bool,
    _held: Ending,
}

/// Where a computation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the threads of the searches.
    Pool,
    /// There too, and it may go on until it is stopped: a screenshot does not wait for it.
    Search,
    /// Where no search holds it up, because the next picture waits for it: the boards and pieces.
    Pictures,
    /// On a thread of its own, because the user waits for it.
    Thread,
    /// On a thread of its own at the lowest priority, because it takes long: the window, the opponent and every other task go first.
    Quiet,
}

/// What ends a computation when it is dropped.
#[expect(dead_code, reason = "the values are held, not looked at")]
struct Held(Option<Task<()>>, StopOnDrop);

impl<C: Computation> Running<C> {
    /// Starts a computation. The window is woken by its news and by its answer.
    pub fn start(place: Place, wake: WakeHandle, computation: C) -> Running<C> {
        let (tell, news) = channel();
        let (answer, held) = compute(place, wake, computation, tell);
        Running { news: Mutex::new(news), answer, answered: false, _held: held }
    }

    /// The news since the last call.
    pub fn news(&mut self) -> Vec<C::News> {
        self.news.get_mut().map(|news| news.try_iter().collect()).unwrap_or_default()
    }

    /// The answer, if it is ready. It is returned only once. All news came before it.
    ///
    /// # Panics
    /// The computation has panicked: nobody is to wait for its answer for ever.
    pub fn poll(&mut self) -> Option<C::Answer> {
        match self.answer.get_mut().ok()?.try_recv() {
            Ok(answer) => {
                self.answered = true;
                Some(answer)
            }
            Err(TryRecvError::Disconnected) if !self.answered => panic!("'{}' ended without an answer", C::KEY),
            Err(_) => None,
        }
    }
}

/// What ends a computation when it is dropped.
#[cfg(not(target_arch = "wasm32"))]
type Ending = Held;
/// What ends a computation when it is dropped.
#[cfg(target_arch = "wasm32")]
type Ending = workers::Asked;

/// Computes in this process.
#[cfg(not(target_arch = "wasm32"))]
fn compute<C: Computation>(
    place: Place,
    wake: WakeHandle,
    computation: C,
    tell: Sender<C::News>,
) -> (Mutex<Receiver<C::Answer>>, Ending) {
    let told = wake.clone();
    start(place, C::KEY, wake, move |stop| {
        computation.run(stop, &mut |news| {
            if tell.send(news).is_ok() {
                told.wake();
            }
        })
    })
}

/// Asks a worker of the page.
#[cfg(target_arch = "wasm32")]
fn compute<C: Computation>(
    place: Place,
    wake: WakeHandle,
    computation: C,
    tell: Sender<C::News>,
) -> (Mutex<Receiver<C::Answer>>, Ending) {
    let (sender, answer) = channel();
    let mut counted = (place != Place::Search).then(Counted::new);
    let priority = match place {
        Place::Pictures => Priority::Picture,
        Place::Pool | Place::Thread => Priority::Soon,
        Place::Search | Place::Quiet => Priority::Long,
    };
    let question = workers::Question {
        priority,
        key: C::KEY,
        // Every question can be written: the tests write each of them.
        bytes: qiju_core::compute::write(&computation).unwrap_or_else(|why| panic!("{why}")),
        keeps: computation.keeps(),
    };
    let asked = workers::ask(question, move |heard| {
        let heard = match heard {
            workers::Heard::News(bytes) => qiju_core::compute::read_news::<C>(&bytes).map(|news| drop(tell.send(news))),
            workers::Heard::Answer(bytes) => {
                // Whoever is woken shall not find it still counted.
                drop(counted.take());
                qiju_core::compute::read_answer::<C>(&bytes).map(|answer| drop(sender.send(answer)))
            }
            workers::Heard::Trouble => Ok(()),
        };
        if let Err(why) = heard {
            error!("{why}");
        }
        wake.wake();
    });
    (Mutex::new(answer), asked)
}

/// Starts work in the background. Its answer comes through the channel and wakes the window.
fn start<T: Send + 'static>(
    place: Place,
    name: &str,
    wake: WakeHandle,
    work: impl FnOnce(&StopToken) -> T + Send + 'static,
) -> (Mutex<Receiver<T>>, Held) {
    let stop = StopToken::new();
    let token = stop.clone();
    let (sender, answer) = channel();
    let counted = (place != Place::Search).then(Counted::new);
    let task = run_at(place, name, move || {
        let done = work(&token);
        // Whoever is woken shall not find it still counted.
        drop(counted);
        if sender.send(done).is_ok() {
            wake.wake();
        }
    });
    (Mutex::new(answer), Held(task, StopOnDrop(stop)))
}

/// Runs work in the background. Dropping the task, if there is one, cancels work that has not begun.
fn run_at(place: Place, name: &str, work: impl FnOnce() + Send + 'static) -> Option<Task<()>> {
    match place {
        Place::Pool | Place::Search => Some(AsyncComputeTaskPool::get().spawn(async move { work() })),
        Place::Pictures => Some(IoTaskPool::get().spawn(async move { work() })),
        Place::Thread => on_thread(name, work),
        Place::Quiet => on_thread(name, move || {
            lower_priority();
            work();
        }),
    }
}

/// Runs work on a thread of its own, or on the threads of the searches if the system gives none.
fn on_thread(name: &str, work: impl FnOnce() + Send + 'static) -> Option<Task<()>> {
    let work = Arc::new(Mutex::new(Some(work)));
    let run = {
        let work = work.clone();
        move || {
            let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(work) = work {
                work();
            }
        }
    };
    match std::thread::Builder::new().name(name.to_owned()).spawn(run.clone()) {
        Ok(_) => None,
        Err(_) => Some(AsyncComputeTaskPool::get().spawn(async move { run() })),
    }
}

/// Work with files in the background, which stays in this process. Dropping it stops the work and forgets its answer.
pub struct BackgroundTask<T> {
    answer: Mutex<Receiver<T>>,
    held: Held,
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Starts the work, which must check the token regularly.
    pub fn start(wake: WakeHandle, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> BackgroundTask<T> {
        BackgroundTask::start_at(Place::Pool, wake, work)
    }

    /// Starts work for which the user waits, on a thread of its own: it is not held up by what the compute pool is working on.
    pub fn on_thread(wake: WakeHandle, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> BackgroundTask<T> {
        BackgroundTask::start_at(Place::Thread, wake, work)
    }

    /// Starts long work for which nobody waits, on a thread of its own at the lowest priority.
    pub fn quietly(wake: WakeHandle, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> BackgroundTask<T> {
        BackgroundTask::start_at(Place::Quiet, wake, work)
    }

    /// Asks it to end early; its answer still comes.
    pub fn stop(&self) {
        self.held.1.0.stop();
    }

    fn start_at(place: Place, wake: WakeHandle, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> BackgroundTask<T> {
        let (answer, held) = start(place, "files", wake, work);
        BackgroundTask { answer, held }
    }

    /// The answer, if it is ready. It is returned only once.
    pub fn poll(&mut self) -> Option<T> {
        self.answer.get_mut().ok()?.try_recv().ok()
    }
}

/// Wakes the window from any thread. Without a window it does nothing.
#[derive(Clone, Default)]
pub struct WakeHandle(Option<EventLoopProxy<WinitUserEvent>>);

impl WakeHandle {
    /// Requests a frame.
    pub fn wake(&self) {
        if let Some(proxy) = &self.0 {
            // An event loop that has ended does not need to be woken.
            let _ = proxy.send_event(WinitUserEvent::WakeUp);
        }
    }
}

/// The system parameter that creates [`WakeHandle`]s.
#[derive(SystemParam)]
pub struct WakeHandles<'w>(Option<Res<'w, EventLoopProxyWrapper>>);

impl WakeHandles<'_> {
    /// True if there is a window.
    pub fn has_window(&self) -> bool {
        self.0.is_some()
    }

    /// A handle for a thread or a task.
    pub fn handle(&self) -> WakeHandle {
        WakeHandle(self.0.as_ref().map(|proxy| (***proxy).clone()))
    }
}

/// The number of tasks of this process that have not ended.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// The number of running tasks: a screenshot is complete when it is 0.
pub fn under_way() -> usize {
    UNDER_WAY.load(Ordering::Acquire)
}

/// Counts a task until it ends or is cancelled.
struct Counted;

impl Counted {
    fn new() -> Counted {
        UNDER_WAY.fetch_add(1, Ordering::AcqRel);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::AcqRel);
    }
}
