//! Work beside the frame: done by the compute pool, given up when dropped, and the sleeping window is woken when it is finished.

use crate::search::{StopOnDrop, StopToken};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use winit::event_loop::EventLoopProxy;

/// Wakes the window from any thread. Without a window it does nothing.
#[derive(Clone, Default)]
pub struct Bell(Option<EventLoopProxy<WinitUserEvent>>);

impl Bell {
    /// Asks for a frame.
    pub fn ring(&self) {
        if let Some(proxy) = &self.0 {
            // A loop that has ended needs no waking.
            let _ = proxy.send_event(WinitUserEvent::WakeUp);
        }
    }
}

/// Where bells are had from.
#[derive(SystemParam)]
pub struct Bells<'w>(Option<Res<'w, EventLoopProxyWrapper>>);

impl Bells<'_> {
    /// True where there is a window to be woken.
    pub fn has_window(&self) -> bool {
        self.0.is_some()
    }

    /// A bell for a thread or a task.
    pub fn bell(&self) -> Bell {
        Bell(self.0.as_ref().map(|proxy| (***proxy).clone()))
    }
}

/// Errands of this process whose work has not ended.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// How many errands are under way: a picture of the window is complete once none is.
pub fn under_way() -> usize {
    UNDER_WAY.load(Ordering::Acquire)
}

/// Counts an errand while its work lives, whether it ends or is given up.
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

/// Work that is under way. Dropping it tells the work to stop and forgets its answer.
pub struct Errand<T> {
    answer: Mutex<Receiver<T>>,
    _task: Task<()>,
    _stop: StopOnDrop,
}

impl<T: Send + 'static> Errand<T> {
    /// Has the work done. It is expected to look at the token now and then.
    pub fn send(bell: Bell, work: impl FnOnce(&StopToken) -> T + Send + 'static) -> Errand<T> {
        let stop = StopToken::new();
        let token = stop.clone();
        let (tell, answer) = channel();
        let counted = Counted::new();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let _counted = counted;
            let done = work(&token);
            if tell.send(done).is_ok() {
                bell.ring();
            }
        });
        Errand { answer: Mutex::new(answer), _task: task, _stop: StopOnDrop(stop) }
    }

    /// The answer, once it is there. It is given once.
    pub fn look(&mut self) -> Option<T> {
        self.answer.get_mut().ok()?.try_recv().ok()
    }
}
