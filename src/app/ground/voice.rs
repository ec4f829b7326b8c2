//! Texts said aloud: by the program of Speech Dispatcher, by the voices of Windows, or by the browser.

/// True if texts can be said aloud.
#[cfg(target_arch = "wasm32")]
pub fn can_speak() -> bool {
    crate::page::shell::can_speak()
}

/// Says a text aloud, in the language with this code; what is being said ends.
#[cfg(target_arch = "wasm32")]
pub fn speak(text: &str, language: &str) {
    crate::page::shell::speak(text, language);
}

#[cfg(not(target_arch = "wasm32"))]
pub use system::{can_speak, speak};

#[cfg(not(any(target_arch = "wasm32", windows)))]
mod system {
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::sync::OnceLock;

    /// True if texts can be said aloud.
    pub fn can_speak() -> bool {
        found().is_some()
    }

    /// The program, if it is installed.
    fn found() -> Option<&'static Path> {
        static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
        let look = || {
            let paths = std::env::var_os("PATH")?;
            std::env::split_paths(&paths).map(|folder| folder.join("spd-say")).find(|file| file.is_file())
        };
        FOUND.get_or_init(look).as_deref()
    }

    /// Says a text aloud, in the language with this code; what is being said ends. An error is not told: the text is on the screen.
    pub fn speak(text: &str, language: &str) {
        let Some(program) = found() else { return };
        let language = language.split('-').next().unwrap_or(language);
        let mut command = Command::new(program);
        command.args(["-C", "-l", language, "--", text]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // It hands the text over to a service and ends soon; a thread waits for that.
        if let Ok(mut child) = command.spawn() {
            std::thread::spawn(move || child.wait());
        }
    }
}

#[cfg(windows)]
mod system {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{Sender, channel};
    use windows::Win32::Media::Speech::{ISpVoice, SPF_ASYNC, SPF_IS_XML, SPF_PURGEBEFORESPEAK, SpVoice};
    use windows::Win32::System::Com::{CLSCTX_ALL, COINIT_MULTITHREADED, CoCreateInstance, CoInitializeEx};
    use windows::core::{HSTRING, Result};

    /// The voice refused to speak.
    static REFUSED: AtomicBool = AtomicBool::new(false);

    /// True if texts can be said aloud. The first call may take a moment.
    pub fn can_speak() -> bool {
        found().is_some() && !REFUSED.load(Ordering::Relaxed)
    }

    /// Where texts go to be said: a thread that has the system's voice, if there is one.
    fn found() -> Option<&'static Sender<String>> {
        static FOUND: OnceLock<Option<Sender<String>>> = OnceLock::new();
        let start = || {
            let (sender, texts) = channel::<String>();
            let (tell, told) = channel();
            std::thread::spawn(move || {
                let voice = voice();
                let _ = tell.send(voice.is_ok());
                let Ok(voice) = voice else { return };
                let how = (SPF_ASYNC.0 | SPF_PURGEBEFORESPEAK.0 | SPF_IS_XML.0) as u32;
                for text in texts {
                    // SAFETY: the text ends with a zero, and is copied before the call returns.
                    let said = unsafe { voice.Speak(&HSTRING::from(text), how, None) };
                    REFUSED.store(said.is_err(), Ordering::Relaxed);
                }
            });
            told.recv().is_ok_and(|opened| opened).then_some(sender)
        };
        FOUND.get_or_init(start).as_ref()
    }

    fn voice() -> Result<ISpVoice> {
        // SAFETY: the thread is ours, and the voice does not leave it.
        unsafe {
            CoInitializeEx(None, COINIT_MULTITHREADED).ok()?;
            let voice: ISpVoice = CoCreateInstance(&SpVoice, None, CLSCTX_ALL)?;
            // An error if no voice is installed.
            voice.GetVoice()?;
            Ok(voice)
        }
    }

    /// Says a text aloud, in the language with this code; what is being said ends. An error is not told: the text is on the screen.
    pub fn speak(text: &str, language: &str) {
        // Numbers of the system's languages. The voice is chosen by it; without such a voice the user's own speaks.
        let number = match language {
            "zh" => "804",
            "zh-hant" => "404",
            "ja" => "411",
            "ko" => "412",
            "ru" => "419",
            "vi" => "42a",
            _ => "409",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        if let Some(thread) = found() {
            let _ = thread.send(format!("<lang langid=\"{number}\">{text}</lang>"));
        }
    }
}
