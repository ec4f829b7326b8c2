//! `Qiju.exe` of the packages for Windows: opens the window of the program in the folder `bin` beside it. The system gives a program a console
//! before it runs, or none: by a word in its file. `bin\qiju.exe` has one, because it is the command line too; this program has none.
#![windows_subsystem = "windows"]

#[cfg(windows)]
fn main() -> std::process::ExitCode {
    use std::os::windows::process::CommandExt;
    use std::process::{Command, ExitCode, Stdio};
    use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

    let program = std::env::current_exe().unwrap_or_default().with_file_name("bin").join("qiju.exe");
    let mut call = Command::new(&program);
    call.arg("play").args(std::env::args_os().skip(1)).stdout(Stdio::inherit()).creation_flags(CREATE_NO_WINDOW);
    let why = match call.output() {
        Ok(done) if done.status.success() => return ExitCode::SUCCESS,
        // Its error is a line that begins like this; with a backtrace the last line has to do. There is none if it was killed.
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            let told: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("qiju: ")).collect();
            if told.is_empty() { said.trim_end().lines().last().unwrap_or_default().to_owned() } else { told.join("\n") }
        }
        Err(error) => format!("{}: {error}\n\nPlease unpack the whole archive first. 请先解压整个压缩包。", program.display()),
    };
    if !why.is_empty() {
        tell(&why);
    }
    ExitCode::FAILURE
}

/// Shows an error until it is read.
#[cfg(windows)]
fn tell(why: &str) {
    use windows_sys::Win32::UI::WindowsAndMessaging::{MB_ICONERROR, MB_SETFOREGROUND, MessageBoxW};
    let wide = |text: &str| text.encode_utf16().chain([0]).collect::<Vec<u16>>();
    let (text, title) = (wide(why), wide("Qiju"));
    // SAFETY: both texts end with a zero and live until the box is closed.
    unsafe { MessageBoxW(std::ptr::null_mut(), text.as_ptr(), title.as_ptr(), MB_ICONERROR | MB_SETFOREGROUND) };
}

#[cfg(not(windows))]
fn main() {
    eprintln!("qiju-starter: only Windows needs it");
}
