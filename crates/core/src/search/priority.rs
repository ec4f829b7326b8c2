//! The priority of the threads that search in the background of a window.

/// Lowers the priority of the calling thread, and of the programs that it starts, below the window's. So it does for the
/// threads that it starts, if they [take it over](inherited_priority).
pub fn lower_priority() {
    // If this is refused, the work runs with normal priority.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 19);
    #[cfg(windows)]
    set(windows_sys::Win32::System::Threading::THREAD_PRIORITY_LOWEST);
}

/// What a new thread calls to have the priority of the thread that started it. On Linux it has it already.
pub fn inherited_priority() -> impl Fn() + Copy + Send {
    #[cfg(windows)]
    // SAFETY: the handle of the calling thread is always valid.
    let priority = unsafe {
        use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadPriority};
        GetThreadPriority(GetCurrentThread())
    };
    move || {
        #[cfg(windows)]
        set(priority);
    }
}

#[cfg(windows)]
fn set(priority: i32) {
    use windows_sys::Win32::System::Threading::{GetCurrentThread, SetThreadPriority};
    // SAFETY: the handle of the calling thread is always valid.
    unsafe { SetThreadPriority(GetCurrentThread(), priority) };
}
