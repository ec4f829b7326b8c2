//! The priority of the threads that search in the background of a window.

use std::thread::Scope;

/// Lowers the priority of the calling thread, and of the programs that it starts, below the window's. So it does for the
/// threads that it [starts in a scope](spawn).
///
/// On Linux the window gets nine parts of a core that both want. With the lowest priority a search would stand still beside a long compilation.
pub fn lower_priority() {
    // If this is refused, the work runs with normal priority.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
    #[cfg(windows)]
    set(windows_sys::Win32::System::Threading::THREAD_PRIORITY_LOWEST);
}

/// Starts a thread in a scope, with the priority of the calling thread. On Linux it has it by itself.
pub fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) {
    #[cfg(windows)]
    // SAFETY: the handle of the calling thread is always valid.
    let priority = unsafe {
        use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadPriority};
        GetThreadPriority(GetCurrentThread())
    };
    scope.spawn(move || {
        #[cfg(windows)]
        set(priority);
        work();
    });
}

#[cfg(windows)]
fn set(priority: i32) {
    use windows_sys::Win32::System::Threading::{GetCurrentThread, SetThreadPriority};
    // SAFETY: the handle of the calling thread is always valid.
    unsafe { SetThreadPriority(GetCurrentThread(), priority) };
}
