//! A table at which one of our engines sits: it invites a friend by a letter, reads the friend's letters and answers them, as the window does for a
//! person. The engine agrees when its friend asks for moves back or a pause, and declines a draw by its next move.

use crate::friends::{Announced, Beats, Carrier, Key, News, PublicKey, beats_topic, topic};
use qiju_core::message::Message;
use qiju_core::record::accord::{Accord, Agreement, Asked, Wish};
use qiju_core::record::letter::{Invitation, Letter, Standing, is_told_by_loser};
use qiju_core::record::{Record, SeatSpec};
use qiju_core::rules::{BySide, Outcome, Reason, Side};
use qiju_core::search::StopToken;
use qiju_core::table::{Action, Clock, GameSheet, Player, SearchRequest, Table, TimeControl};
use qiju_core::terminal::aside;
use std::sync::mpsc::Receiver;
use web_time::Instant;

/// What the engine plays, and against whom.
pub struct Hosted {
    /// The number of the match.
    pub number: u64,
    at: String,
    /// The engine's seat.
    seat: Side,
    level: u8,
    table: Box<dyn Table>,
    moves: Vec<Action>,
    accord: Accord,
    control: BySide<TimeControl>,
    clock: Clock,
    /// How it ended, if not by the rules.
    ended: Option<Outcome>,
    player: Box<dyn Player>,
    request: SearchRequest,
    key: Key,
    friend: Option<PublicKey>,
    /// What the friend was told last.
    told: Option<Letter>,
}

impl Hosted {
    /// A table of this game, with an engine of this level at one seat. Letters go through the broker at an address.
    pub fn new(
        at: String,
        (table, sheet): (Box<dyn Table>, &GameSheet),
        (seat, level): (Side, u8),
        control: BySide<TimeControl>,
    ) -> Hosted {
        let number = fastrand::u64(..);
        let request = sheet.levels.get(usize::from(level) - 1).map(|one| one.request(number)).unwrap_or_default();
        Hosted {
            number,
            at,
            seat,
            level,
            player: table.player(),
            table,
            moves: Vec::new(),
            accord: Accord::default(),
            control,
            clock: Clock::new(control),
            ended: None,
            request,
            key: Key::fresh(),
            friend: None,
            told: None,
        }
    }

    /// The link that invites.
    ///
    /// # Errors
    /// The position is too long for a link.
    pub fn invitation(&self) -> Result<String, Message> {
        let key = self.key.public().text();
        Letter { post: Some(Invitation { at: self.at.clone(), key }), ..self.letter() }.link()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| self.table.outcome())
    }

    /// The side of a seat, as far as it is decided.
    fn side_of(&self, seat: Side) -> Side {
        self.table.seat_of(seat).unwrap_or(seat)
    }

    /// The letter that tells the match as it is here.
    fn letter(&self) -> Letter {
        let name = format!("Qiju, level {}", self.level);
        let seats = BySide::from_fn(|seat| match seat == self.seat {
            true => SeatSpec::External { name: name.clone() },
            false => SeatSpec::Human,
        });
        // Only who has lost in such a way says so.
        let own = |outcome: &Outcome| !is_told_by_loser(outcome.reason) || outcome.winner == Some(self.side_of(!self.seat));
        let mut record = Record::of(&*self.table, seats, self.ended);
        record.result = record.result.filter(own);
        let times = if self.control.is_limited() { self.clock.times() } else { Vec::new() };
        Letter {
            number: self.number,
            reader: !self.seat,
            draw: false,
            over: self.outcome().is_some(),
            post: None,
            watch: None,
            says: None,
            watchers: 0,
            told: self.accord.told(self.seat),
            control: self.control,
            times: times.iter().map(|time| time.as_millis() as u64).collect(),
            record,
        }
    }

    /// Plays until nobody wants it any longer. `woken` says when there is news. Those nearby see the table until the friend is there.
    pub fn serve(mut self, mut carrier: Carrier, woken: &Receiver<()>, mut announced: Option<Announced>) {
        carrier.watch(topic(self.number, !self.seat));
        while woken.recv().is_ok() {
            for news in carrier.news() {
                match news {
                    News::Came(_, bytes) => {
                        let (knew, ran) = (self.friend.is_some(), self.outcome().is_none());
                        self.read(&bytes).unwrap_or_default();
                        if let Some(friend) = self.friend.clone().filter(|_| !knew) {
                            aside("The friend is at the table.");
                            drop(announced.take());
                            let [to, from] = [self.seat, !self.seat].map(|seat| beats_topic(self.number, seat));
                            carrier.beat(to, from, Beats::new(self.key.clone(), friend, Instant::now()));
                        }
                        self.play();
                        self.tell(&carrier);
                        if let Some(outcome) = self.outcome().filter(|_| ran) {
                            let winner = outcome.winner.map_or("draw", Side::key);
                            aside(&format!("The match is over: {winner} ({}).", outcome.reason.key()));
                        }
                    }
                    News::Lost(why) => aside(&why.to_string()),
                    News::Connected | News::Seen(..) | News::Watchers(..) | News::Flood(_) => {}
                }
            }
        }
    }

    /// Reads a letter; what is no letter of the friend's at this table is nothing.
    fn read(&mut self, bytes: &[u8]) -> Option<()> {
        let (writer, text) = self.key.open(bytes)?;
        let letter = Letter::in_text(&text)?;
        let ours = letter.number == self.number && letter.reader == self.seat && letter.watch.is_none();
        if !ours || self.friend.as_ref().is_some_and(|friend| *friend != writer) {
            return None;
        }
        let told = &letter.told;
        if self.accord.is_older(told) {
            return None;
        }
        let agreed = self.accord.agreed(self.seat, told).ok()?;
        let new = match letter.against(self.table.game(), self.table.setup(), &self.moves) {
            Standing::Newer(moves) => moves,
            Standing::Same | Standing::Older(_) => Vec::new(),
            Standing::OtherStart | Standing::OtherMove(_) => return None,
        };
        self.friend = Some(writer);
        if self.outcome().is_some() {
            return None;
        }
        agreed.into_iter().for_each(|step| self.agree_on(step));
        for action in new {
            self.add(action, letter.time(self.moves.len()).unwrap_or_default())?;
        }
        if let Some(reason) = letter.gives_up().filter(|_| self.outcome().is_none()) {
            self.ended = Some(Outcome::win(self.side_of(self.seat), reason));
        }
        let says = self.accord.says(self.seat, told, self.moves.len(), false);
        says.into_iter().for_each(|step| self.accord.apply(step));
        if let Some(asked) = self.accord.question(self.seat, self.moves.len()) {
            let agrees = self.outcome().is_none() && self.can_be(asked);
            self.agree_on(self.accord.answer(self.seat, asked, agrees));
        }
        // The engine plays on.
        if letter.draw {
            self.agree_on(Agreement::Declined { by: self.seat, at: self.moves.len() });
        }
        Some(())
    }

    /// True if the friend can ask for this.
    fn can_be(&self, asked: Asked) -> bool {
        let Wish::Back(to) = asked.wish else { return self.control.is_limited() && !self.accord.is_paused() };
        let mut before = self.table.boxed_clone();
        (0..self.moves.len()).rev().find(|_| before.undo().is_some() && before.seat_to_move() == !self.seat) == Some(to)
    }

    fn agree_on(&mut self, step: Agreement) {
        self.accord.apply(step);
        if let Agreement::TakenBack { to, .. } = step {
            while self.moves.len() > to && self.table.undo().is_some() {
                self.moves.pop();
                self.clock.taken_back();
            }
        }
    }

    fn add(&mut self, action: Action, time: web_time::Duration) -> Option<()> {
        let mover = self.table.seat_to_move();
        self.table.play(action).ok()?;
        self.clock.spend(mover, time);
        self.clock.moved(mover);
        self.accord.moved(mover);
        self.moves.push(action);
        Some(())
    }

    /// The engine moves as long as it is its turn. It waits for its friend at the beginning, and while both clocks stand.
    fn play(&mut self) {
        while self.friend.is_some()
            && self.outcome().is_none()
            && !self.accord.is_paused()
            && self.table.seat_to_move() == self.seat
        {
            let begun = Instant::now();
            let mut request = self.request.clone();
            self.clock.limit(self.seat, &mut request.limits);
            let found = self.player.think(&*self.table, &request, &StopToken::new(), &mut |_| ());
            let late = self.clock.clone().spend(self.seat, begun.elapsed());
            let played = match found {
                Ok(Some(action)) if !late => self.add(action, begun.elapsed()),
                _ => None,
            };
            if played.is_none() {
                let reason = if late { Reason::Time } else { Reason::Resignation };
                self.ended = Some(Outcome::win(self.side_of(!self.seat), reason));
            }
        }
    }

    /// Tells the friend the match, if it is another than the one they were told last.
    fn tell(&mut self, carrier: &Carrier) {
        let letter = self.letter();
        let Some(friend) = self.friend.as_ref().filter(|_| self.told.as_ref() != Some(&letter)) else { return };
        if let Ok(link) = letter.link() {
            carrier.put(topic(self.number, self.seat), self.key.seal(friend, &link));
            self.told = Some(letter);
        }
    }
}
