//! The local network: this program as the broker of its own matches, and the tables nearby.

use crate::app::ground::background::WakeHandles;
use crate::friends::{Announced, Broker, Lookout, Page, local_address};
use qiju_core::message;
use qiju_core::message::Message;
use qiju_core::record::letter::Letter;

/// What this program does on the local network.
#[derive(Default)]
pub struct Network {
    /// The broker of this program.
    broker: Option<Broker>,
    /// The invitation that those nearby see, where the network lets it, with the number of its match,
    announced: Option<(u64, Option<Announced>)>,
    /// and those of others, while a page shows them.
    lookout: Option<Lookout>,
}

impl Network {
    /// The address of the broker of this program, which begins to listen if it does not yet, at this port if it can.
    pub(super) fn host(&mut self, port: u16) -> Result<String, Message> {
        let here = local_address();
        if self.broker.as_ref().is_none_or(|broker| broker.address().ip() != here) {
            self.broker = None;
            let begin = |port| Broker::with_page((here, port).into(), Page::installed());
            let begun = begin(port).or_else(|_| begin(0));
            self.broker = Some(begun.map_err(|error| message!("{}: {}", here.to_string(), error))?);
        }
        Ok(self.hosted().unwrap_or_default())
    }

    /// The address of the broker of this program, if it is one.
    pub(super) fn hosted(&self) -> Option<String> {
        self.broker.as_ref().map(|broker| format!("ws://{}/", broker.address()))
    }

    /// The address of the page with which a friend joins the matches of this program without having it.
    pub fn page(&self) -> Option<String> {
        self.broker.as_ref().and_then(Broker::page)
    }

    /// Is a broker no longer.
    pub(super) fn close(&mut self) {
        self.broker = None;
    }

    /// Looks for tables nearby.
    ///
    /// # Errors
    /// The network does not let it.
    pub fn look(&mut self, wakes: &WakeHandles) -> Result<(), Message> {
        let wake = wakes.handle();
        self.lookout = Some(Lookout::new(move || wake.wake())?);
        Ok(())
    }

    /// Looks for them no longer.
    pub fn look_away(&mut self) {
        self.lookout = None;
    }

    /// The open invitations of others nearby; `None` if nobody looks for them.
    pub fn nearby(&self) -> Option<Vec<Letter>> {
        self.lookout.as_ref().map(Lookout::tables)
    }

    /// Lets those nearby see an invitation to the broker of this program, as long as it is open. Where there is no network there is nobody nearby.
    pub(super) fn announce(&mut self, invitation: Option<Letter>) -> Result<(), Message> {
        let broker = self.broker.as_ref().map(Broker::address).filter(|address| !address.ip().is_loopback());
        let Some((letter, broker)) = invitation.zip(broker) else {
            self.announced = None;
            return Ok(());
        };
        if self.announced.as_ref().is_none_or(|(number, _)| *number != letter.number) {
            let begun = letter.link().and_then(|link| Announced::new(letter.number, broker, &link));
            let (announced, done) = begun.map_or_else(|why| (None, Err(why)), |announced| (Some(announced), Ok(())));
            // What does not work is tried once.
            self.announced = Some((letter.number, announced));
            return done;
        }
        Ok(())
    }
}
