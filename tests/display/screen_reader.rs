//! A screen reader of Linux for tests: it asks programs on a session bus of its own to be accessible (AT-SPI) and keeps what they announce.

use futures_lite::StreamExt;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use zbus::zvariant::OwnedValue;
use zbus::{MatchRule, MessageStream, Proxy, connection, message};

/// A session bus with somebody who listens; it ends with this value.
pub struct ScreenReader {
    /// For `DBUS_SESSION_BUS_ADDRESS`.
    pub address: String,
    /// Everything announced so far.
    pub heard: Vec<String>,
    announced: Receiver<String>,
    daemon: Child,
    _sockets: tempfile::TempDir,
}

impl ScreenReader {
    /// Starts the bus and listens.
    pub fn new() -> ScreenReader {
        let sockets = tempfile::tempdir().unwrap();
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .env("XDG_RUNTIME_DIR", sockets.path())
            .env_remove("AT_SPI_BUS_ADDRESS")
            .env_remove("DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon is installed (or say QIJU_SKIP_WINDOW=1)");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_string();
        let (ready, listening) = channel();
        let (sender, announced) = channel();
        let bus = address.clone();
        std::thread::spawn(move || {
            // It ends with an error when the bus does.
            if let Err(why) = futures_lite::future::block_on(listen(&bus, &ready, &sender)) {
                let _ = ready.send(Err(why));
            }
        });
        listening.recv().unwrap().expect("at-spi2-core is installed (or say QIJU_SKIP_WINDOW=1)");
        ScreenReader { address, heard: Vec::new(), announced, daemon, _sockets: sockets }
    }

    /// Waits until all these words are in one announcement. Meanwhile `nudge` is called again and again.
    pub fn hears(&mut self, words: &[&str], nudge: impl Fn()) {
        let start = Instant::now();
        loop {
            while let Ok(text) = self.announced.recv_timeout(Duration::from_millis(1000)) {
                self.heard.push(text);
                if words.iter().all(|word| self.heard.last().unwrap().contains(word)) {
                    return;
                }
            }
            assert!(start.elapsed() < Duration::from_secs(120), "not announced: {words:?}; but {:#?}", self.heard);
            nudge();
        }
    }
}

impl Drop for ScreenReader {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// Says that a screen reader is there, tells `ready`, and sends what is announced.
async fn listen(bus: &str, ready: &Sender<zbus::Result<()>>, announced: &Sender<String>) -> zbus::Result<()> {
    let session = connection::Builder::address(bus)?.build().await?;
    let address: String =
        Proxy::new(&session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus").await?.call("GetAddress", &()).await?;
    let status = Proxy::new(&session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status").await?;
    status.set_property("IsEnabled", true).await?;
    status.set_property("ScreenReaderEnabled", true).await?;
    let connection = connection::Builder::address(address.as_str())?.build().await?;
    let rule = MatchRule::builder()
        .msg_type(message::Type::Signal)
        .interface("org.a11y.atspi.Event.Object")?
        .member("Announcement")?
        .build();
    let mut signals = MessageStream::for_match_rule(rule, &connection, None).await?;
    let _ = ready.send(Ok(()));
    while let Some(signal) = signals.next().await {
        let signal = signal?;
        // Politeness, what for, the text, and more about it.
        let (_, _, _, text, _): (String, i32, i32, OwnedValue, HashMap<String, OwnedValue>) = signal.body().deserialize()?;
        if announced.send(String::try_from(text)?).is_err() {
            break;
        }
    }
    Ok(())
}
