//! An external program as a [`Player`].

use super::{Buttons, Host, OptionValues, START_UP};
use crate::search::StopToken;
use crate::table::{Action, Player, PlayerError, Progress, SearchRequest, Table};
use std::time::Duration;

/// The timeout for a move without a time limit.
const WITHOUT_LIMIT: Duration = Duration::from_secs(120);

/// Plays with an external program, which is started when it is first needed and again after a failure. Of a request it gets the limits and
/// the number of lines.
pub struct ProgramPlayer {
    command: String,
    timeout: Duration,
    start_up: Duration,
    values: OptionValues,
    buttons: Buttons,
    host: Option<Host>,
    /// Whether the running program was told about the current game.
    greeted: bool,
}

impl ProgramPlayer {
    /// A player with the program of this command line. It may take `timeout` longer than its time.
    pub fn new(command: String, timeout: Duration) -> Self {
        let (values, buttons) = (OptionValues::new(), Buttons::default());
        ProgramPlayer { command, timeout, start_up: START_UP, values, buttons, host: None, greeted: false }
    }

    /// The same with values of the program's options, and with buttons that are sent before its next search.
    pub fn with_options(self, values: OptionValues, buttons: Buttons) -> Self {
        ProgramPlayer { values, buttons, ..self }
    }

    /// The same with another limit than [`START_UP`] for its start.
    pub fn with_start_up(self, start_up: Duration) -> Self {
        ProgramPlayer { start_up, ..self }
    }

    /// The running program; starts it and tells it about the game if necessary.
    fn host(&mut self, table: &dyn Table) -> Result<&mut Host, PlayerError> {
        let host = match self.host.take() {
            Some(mut host) => {
                if !self.greeted {
                    host.new_game(table)?;
                }
                host
            }
            None => Host::start_with(&self.command, table, &self.values, self.start_up)?,
        };
        self.greeted = true;
        Ok(self.host.insert(host))
    }
}

impl Player for ProgramPlayer {
    fn prepare(&mut self, table: &dyn Table, _: &SearchRequest) -> Result<(), PlayerError> {
        self.host(table).map(drop)
    }

    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, PlayerError> {
        if table.outcome().is_some() {
            return Ok(None);
        }
        let limits = &request.limits;
        let given = limits.time.or(limits.clock.map(|clock| clock.remaining));
        let timeout = given.map_or(WITHOUT_LIMIT, |given| given + self.timeout);
        let pressed = self.buttons.take();
        let host = self.host(table)?;
        host.want_lines(request.multipv);
        let sent = pressed.iter().try_for_each(|button| host.press(button));
        let answer = sent.and_then(|()| host.think(table, limits, timeout, stop, tell));
        if answer.is_err() {
            // After a failure the next request starts a new process.
            self.host = None;
        }
        Ok(Some(answer?))
    }

    fn new_game(&mut self) {
        self.greeted = false;
    }
}
