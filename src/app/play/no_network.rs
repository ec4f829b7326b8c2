//! This program is no broker and finds no tables nearby: a page in a browser, or one without the feature `friends`.

use crate::app::ground::background::WakeHandles;
use qiju_core::message::Message;
use qiju_core::record::letter::Letter;

/// What this program does on the local network: nothing.
#[derive(Default)]
pub struct Network;

impl Network {
    /// The address of the page with which a friend joins: there is none.
    pub fn page(&self) -> Option<String> {
        None
    }

    /// Looks for tables nearby: there are none.
    ///
    /// # Errors
    /// There are none.
    pub fn look(&mut self, _: &WakeHandles) -> Result<(), Message> {
        Ok(())
    }

    /// Looks for them no longer.
    pub fn look_away(&mut self) {}

    /// The open invitations of others nearby.
    pub fn nearby(&self) -> Option<Vec<Letter>> {
        None
    }
}

#[cfg(feature = "friends")]
impl Network {
    pub(super) fn host(&mut self, _: u16) -> Result<String, Message> {
        Err(std::io::Error::from(std::io::ErrorKind::Unsupported).into())
    }

    pub(super) fn hosted(&self) -> Option<String> {
        None
    }

    pub(super) fn close(&mut self) {}

    pub(super) fn announce(&mut self, _: Option<Letter>) -> Result<(), Message> {
        Ok(())
    }
}
