//! A program and every process it starts, which end together, also if we are killed.

pub use system::Group;

/// The program is the leader of its own process group, which is killed as a whole. If we are killed ourselves, a watcher
/// does it: a shell that reads from a pipe whose other end only we hold; the pipe is closed when we end.
#[cfg(unix)]
mod system {
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::io::{Result, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    pub struct Group {
        leader: Pid,
        /// `None` if there is no shell: then the group is ended only if we end normally.
        watcher: Option<Child>,
    }

    impl Group {
        /// Starts a program as the first of a group.
        pub fn start(call: &mut Command) -> Result<(Child, Group)> {
            let child = call.process_group(0).spawn()?;
            let leader = Pid::from_child(&child);
            let mut watch = Command::new("sh");
            watch.args(["-c", r#"read -r word || kill -9 -"$1""#, "sh", &leader.to_string()]);
            watch.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            // Signals of the terminal must not reach the watcher.
            let watcher = watch.process_group(0).spawn().ok();
            Ok((child, Group { leader, watcher }))
        }

        /// Kills all of it.
        pub fn kill(self, child: &mut Child) {
            // The standard library only kills the child itself.
            let _ = kill_process_group(self.leader, Signal::KILL);
            let _ = child.kill();
            let _ = child.wait();
            // There is nothing left to kill for the watcher.
            if let Some(mut watcher) = self.watcher {
                if let Some(mut stdin) = watcher.stdin.take() {
                    let _ = stdin.write_all(b"done\n");
                }
                let _ = watcher.wait();
            }
        }
    }
}

/// The program runs in a job that kills all its processes when its only handle is closed: by us, or by the system when
/// we end in whatever way.
#[cfg(windows)]
mod system {
    use std::io::{Error, Result};
    use std::mem::{size_of, zeroed};
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command};
    use std::ptr::null;
    use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
    use windows_sys::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
    };
    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
        JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
    };
    use windows_sys::Win32::System::Threading::{
        BELOW_NORMAL_PRIORITY_CLASS, CREATE_NO_WINDOW, CREATE_SUSPENDED, GetCurrentThread, GetThreadPriority, OpenThread,
        ResumeThread, THREAD_SUSPEND_RESUME,
    };

    pub struct Group(OwnedHandle);

    impl Group {
        /// Starts a program as the first of a group. Its console has no window. If our thread has a low priority, so has
        /// the program.
        pub fn start(call: &mut Command) -> Result<(Child, Group)> {
            let group = Group::new()?;
            // SAFETY: the handle of the calling thread is always valid.
            let is_low = unsafe { GetThreadPriority(GetCurrentThread()) } < 0;
            let priority = if is_low { BELOW_NORMAL_PRIORITY_CLASS } else { 0 };
            // It may not start anything before it is in the job.
            let mut child = call.creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW | priority).spawn()?;
            // SAFETY: both handles are open.
            let taken = unsafe { AssignProcessToJobObject(group.0.as_raw_handle(), child.as_raw_handle()) };
            match checked(taken).and_then(|()| resume(child.id())) {
                Ok(()) => Ok((child, group)),
                Err(error) => {
                    group.kill(&mut child);
                    Err(error)
                }
            }
        }

        fn new() -> Result<Group> {
            // SAFETY: no name and the usual rights; the handle is not inherited by programs that we start.
            let job = unsafe { CreateJobObjectW(null(), null()) };
            checked(i32::from(!job.is_null()))?;
            // SAFETY: the handle is new and ours.
            let job = unsafe { OwnedHandle::from_raw_handle(job) };
            // SAFETY: zeros mean no limits.
            let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
            limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
            let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
            let kind = JobObjectExtendedLimitInformation;
            // SAFETY: the kind is that of the structure, whose size is given.
            checked(unsafe { SetInformationJobObject(job.as_raw_handle(), kind, (&raw const limits).cast(), size) })?;
            Ok(Group(job))
        }

        /// Kills all of it.
        pub fn kill(self, child: &mut Child) {
            // SAFETY: the handle is open.
            unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn checked(done: i32) -> Result<()> {
        if done == 0 { Err(Error::last_os_error()) } else { Ok(()) }
    }

    /// Lets a process run that was started suspended.
    fn resume(process: u32) -> Result<()> {
        // SAFETY: the snapshot is closed by its owner; the entry has the size that it tells; a thread that has been opened
        // is closed by its owner.
        unsafe {
            let threads = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
            checked(i32::from(threads != INVALID_HANDLE_VALUE))?;
            let threads = OwnedHandle::from_raw_handle(threads);
            let mut entry: THREADENTRY32 = zeroed();
            entry.dwSize = size_of::<THREADENTRY32>() as u32;
            let mut more = Thread32First(threads.as_raw_handle(), &mut entry);
            while more != 0 {
                if entry.th32OwnerProcessID == process {
                    let thread = OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID);
                    checked(i32::from(!thread.is_null()))?;
                    let thread = OwnedHandle::from_raw_handle(thread);
                    return checked(i32::from(ResumeThread(thread.as_raw_handle()) != u32::MAX));
                }
                more = Thread32Next(threads.as_raw_handle(), &mut entry);
            }
        }
        Err(Error::last_os_error())
    }
}

/// Only the program itself is ended.
#[cfg(not(any(unix, windows)))]
mod system {
    use std::io::Result;
    use std::process::{Child, Command};

    pub struct Group;

    impl Group {
        /// Starts a program.
        pub fn start(call: &mut Command) -> Result<(Child, Group)> {
            Ok((call.spawn()?, Group))
        }

        /// Kills it.
        pub fn kill(self, child: &mut Child) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
