//! Background tasks on the compute pool. Dropping a task cancels it; when it is finished, the sleeping window is woken.

use crate::search::{StopOnDrop, StopToken};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use winit::event_loop::EventLoopProxy;

/// A running task. Dropping it stops the work and discards its answer.
pub struct BackgroundTask<T> {
    answer: Mutex<Receiver<T>>,
    _task: Option<Task<()>>,
    _stop: StopOnDrop,
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Starts the work, which must check the token regularly.
    pub fn start(wake: WakeHandle, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> BackgroundTask<T> {
        let stop = StopToken::new();
        let token = stop.clone();
        let (sender, answer) = channel();
        let counted = Counted::new();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let _counted = counted;
            let done = work(&token);
            if sender.send(done).is_ok() {
                wake.wake();
            }
        });
        BackgroundTask { answer: Mutex::new(answer), _task: Some(task), _stop: StopOnDrop(stop) }
    }

    /// Starts work for which the user waits, on a thread of its own: it is not held up by what the compute pool is working on.
    pub fn on_thread(wake: WakeHandle, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> BackgroundTask<T> {
        let stop = StopToken::new();
        let token = stop.clone();
        let (sender, answer) = channel();
        let counted = Counted::new();
        std::thread::spawn(move || {
            let done = work(&token);
            // Whoever is woken shall not find it still counted.
            drop(counted);
            if sender.send(done).is_ok() {
                wake.wake();
            }
        });
        BackgroundTask { answer: Mutex::new(answer), _task: None, _stop: StopOnDrop(stop) }
    }

    /// The answer, if it is ready. It is returned only once.
    pub fn poll(&mut self) -> Option<T> {
        self.answer.get_mut().ok()?.try_recv().ok()
    }
}

/// Long work in a thread of its own at the lowest priority: the window, the opponent and every other task go first. Dropping it tells the work to
/// stop and forgets its answer.
pub struct QuietWork<T> {
    answer: Mutex<Receiver<T>>,
    _stop: StopOnDrop,
}

impl<T: Send + 'static> QuietWork<T> {
    /// Starts the work, which is expected to look at the token now and then. `None` where the system gives no thread.
    pub fn start(name: &str, wake: WakeHandle, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> Option<QuietWork<T>> {
        let stop = StopToken::new();
        let token = stop.clone();
        let (sender, answer) = channel();
        let counted = Counted::new();
        let whole = move || {
            let _counted = counted;
            lower_priority(19);
            let done = work(&token);
            if sender.send(done).is_ok() {
                wake.wake();
            }
        };
        std::thread::Builder::new().name(name.to_owned()).spawn(whole).ok()?;
        Some(QuietWork { answer: Mutex::new(answer), _stop: StopOnDrop(stop) })
    }

    /// The answer, once it is there. It is given once.
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

/// Lowers the priority of the calling thread and of the threads it starts to 19, below all other threads.
pub fn lower_priority(niceness: i32) {
    #[cfg(target_os = "linux")]
    {
        // If this is refused, the work runs with normal priority.
        let _ = rustix::process::setpriority_process(None, niceness);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}
