//! Whether the friend is at the board, and how long a message takes there and back. A program that shows a match says so every few seconds, sealed as
//! letters are. The broker keeps the last beat, so whoever comes late knows when the friend was there.
//!
//! Each beat has a token, and the last token of the friend with the time since it came. Only a beat that answers a token of the last seconds proves
//! that the friend is there: an old one that somebody sends again does not. Neither clock needs to be right for the delay.

use super::{Key, PublicKey};
use qiju_core::record::letter::Presence;
use std::collections::VecDeque;
use web_time::{Duration, Instant};

/// So often a program says that it is there.
const BEAT: Duration = Duration::from_secs(10);
/// After so long without an answer, a friend is no longer there.
const GONE: Duration = Duration::from_secs(25);
/// The shortest time between two beats.
const SHORTEST: Duration = Duration::from_secs(1);
/// The version of beats.
const VERSION: &str = "1";

/// The beats of one match, to and fro.
#[derive(Debug)]
pub struct Beats {
    key: Key,
    friend: PublicKey,
    /// The own tokens that can still be answered.
    sent: VecDeque<(u64, Instant)>,
    /// When the next beat is due.
    due: Instant,
    /// The friend's last token,
    heard: Option<(u64, Instant)>,
    /// and their last answer.
    proven: Option<Instant>,
    seen: Presence,
}

impl Beats {
    /// Begins with a beat at once.
    pub fn new(key: Key, friend: PublicKey, now: Instant) -> Beats {
        Beats { key, friend, sent: VecDeque::new(), due: now, heard: None, proven: None, seen: Presence::default() }
    }

    /// The next beat, if it is due. `time` is in seconds since 1970.
    pub fn next(&mut self, now: Instant, time: i64) -> Option<Vec<u8>> {
        (now >= self.due).then(|| self.beat("here", now, time))
    }

    /// There is a new connection: a beat is due.
    pub fn again(&mut self, now: Instant) {
        self.due = now;
    }

    /// The last beat: the user leaves the board.
    pub fn last(&mut self, now: Instant, time: i64) -> Vec<u8> {
        self.beat("gone", now, time)
    }

    fn beat(&mut self, word: &str, now: Instant, time: i64) -> Vec<u8> {
        let token = fastrand::u64(..);
        self.sent.retain(|(_, at)| now.duration_since(*at) < GONE);
        self.sent.push_back((token, now));
        self.due = now + BEAT;
        let heard = self.heard.map(|(token, at)| format!(" {token} {}", now.duration_since(at).as_millis()));
        self.key.seal(&self.friend, &format!("beat {VERSION} {word} {time} {token}{}", heard.unwrap_or_default()))
    }

    /// Takes what came; what is no beat of the friend is nothing.
    pub fn came(&mut self, bytes: &[u8], now: Instant, time: i64) {
        let Some((writer, text)) = self.key.open(bytes) else { return };
        if writer == self.friend {
            self.read(&text, now, time).unwrap_or_default();
        }
    }

    fn read(&mut self, text: &str, now: Instant, time: i64) -> Option<()> {
        let words: Vec<&str> = text.split(' ').collect();
        let ["beat", VERSION, word @ ("here" | "gone"), at, token, ref rest @ ..] = words[..] else { return None };
        let at: i64 = at.parse().ok().filter(|at| *at > 0)?;
        let token: u64 = token.parse().ok()?;
        let answer: Option<(u64, u64)> = match rest {
            [] => None,
            [token, held] => Some((token.parse().ok()?, held.parse().ok()?)),
            _ => return None,
        };
        // A friend whose clock is wrong was not here in the future, and an old beat says less than a later one.
        self.seen.last = self.seen.last.max(Some(at.min(time)));
        let delay = answer.and_then(|(token, held)| {
            let (_, sent) = self.sent.iter().find(|(one, _)| *one == token)?;
            now.duration_since(*sent).checked_sub(Duration::from_millis(held))
        });
        let was_here = self.seen.delay.is_some();
        if word == "here" {
            self.heard = Some((token, now));
        }
        match delay {
            Some(_) if word == "gone" => (self.proven, self.seen.delay) = (None, None),
            Some(delay) => {
                self.proven = Some(now);
                self.seen.last = Some(time);
                // One beat may have waited a moment longer than the next.
                self.seen.delay = Some(self.seen.delay.map_or(delay, |before| (3 * before + delay) / 4));
            }
            None => {}
        }
        // Whoever has just come is answered soon.
        if word == "here" && !was_here {
            let last = self.sent.back().map_or(now, |(_, at)| *at + SHORTEST);
            self.due = self.due.min(last.max(now));
        }
        Some(())
    }

    /// What is known of the friend.
    pub fn seen(&mut self, now: Instant) -> Presence {
        if self.proven.is_some_and(|at| now.duration_since(at) >= GONE) {
            self.lost();
        }
        self.seen
    }

    /// The connection is lost: nothing is known any longer.
    pub fn lost(&mut self) {
        (self.proven, self.seen.delay) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: i64 = 1_800_000_000;

    fn pair(now: Instant) -> [Beats; 2] {
        let keys = [Key::fresh(), Key::fresh()];
        [0, 1].map(|index| Beats::new(keys[index].clone(), keys[1 - index].public(), now))
    }

    /// Both at the board, with messages that take so long each way, in steps of a tenth of a second; `written` counts the beats.
    fn run(beats: &mut [Beats; 2], from: Instant, seconds: u64, way: Duration) -> (Instant, usize) {
        let (mut under_way, mut written): (Vec<(Instant, usize, Vec<u8>)>, usize) = (Vec::new(), 0);
        let mut now = from;
        for _ in 0..seconds * 10 {
            now += Duration::from_millis(100);
            for (index, one) in beats.iter_mut().enumerate() {
                if let Some(bytes) = one.next(now, TIME) {
                    written += 1;
                    under_way.push((now + way, 1 - index, bytes));
                }
            }
            let due = under_way.iter().filter(|(at, ..)| *at <= now).cloned().collect::<Vec<_>>();
            under_way.retain(|(at, ..)| *at > now);
            due.into_iter().for_each(|(_, reader, bytes)| beats[reader].came(&bytes, now, TIME));
        }
        (now, written)
    }

    #[test]
    fn both_know_soon_that_the_other_is_there_and_say_no_more_than_needed() {
        let begun = Instant::now();
        let mut beats = pair(begun);
        let (now, _) = run(&mut beats, begun, 4, Duration::from_millis(200));
        for one in &mut beats {
            let delay = one.seen(now).delay.expect("the friend is there");
            assert!((400..700).contains(&delay.as_millis()), "{delay:?}");
        }
        let (now, written) = run(&mut beats, now, 60, Duration::from_millis(200));
        assert!((11..=13).contains(&written), "{written} beats of two in a minute");
        // One of them is cut off, and the other one notices.
        let after = now + GONE + Duration::from_secs(1);
        assert_eq!(beats[0].seen(after), Presence { delay: None, last: Some(TIME) });
        // One of them leaves.
        let bytes = beats[0].last(now, TIME + 5);
        beats[1].came(&bytes, now, TIME + 9);
        assert_eq!(beats[1].seen(now), Presence { delay: None, last: Some(TIME + 5) });
    }

    #[test]
    fn an_old_beat_proves_nothing_and_a_bad_one_is_none() {
        let begun = Instant::now();
        let mut beats = pair(begun);
        let first = beats[0].next(begun, TIME - 600).unwrap();
        // It tells when the friend was there, by whatever clock, but not later than now.
        beats[1].came(&first, begun, TIME);
        assert_eq!(beats[1].seen(begun), Presence { delay: None, last: Some(TIME - 600) });
        let answer = beats[1].next(begun, TIME + 9999).unwrap();
        beats[0].came(&answer, begun, TIME);
        assert_eq!(beats[0].seen(begun), Presence { delay: Some(Duration::ZERO), last: Some(TIME) });
        // The same answer once more, after its token was forgotten.
        let later = begun + GONE;
        assert_eq!(beats[0].next(later, TIME).map(drop), Some(()));
        beats[0].came(&answer, later, TIME + 25);
        assert_eq!(beats[0].seen(later).delay, None);

        // Of a third key, changed, or with words that are none.
        let [mut other, _] = pair(begun);
        let foreign = other.next(begun, TIME).unwrap();
        let (red, black) = (beats[0].key.clone(), beats[1].key.public());
        let token = beats[1].sent.back().unwrap().0;
        let before = beats[1].seen(begun);
        beats[1].came(&foreign, begun, TIME + 1);
        for bad in [
            String::new(),
            "beat".to_owned(),
            "beat 1 here".to_owned(),
            format!("beat 2 here {TIME} 7 {token} 0"),
            format!("beat 1 away {TIME} 7 {token} 0"),
            format!("beat 1 here -5 7 {token} 0"),
            format!("beat 1 here {TIME} x {token} 0"),
            format!("beat 1 here {TIME} 7 {token}"),
            format!("beat 1 here {TIME} 7 {token} 0 0"),
            format!("beat 1 here {TIME} 7 {token} -1"),
        ] {
            beats[1].came(&red.seal(&black, &bad), begun, TIME);
            assert_eq!(beats[1].seen(begun), before, "{bad}");
        }
        // Held longer than it was away: no delay.
        beats[1].came(&red.seal(&black, &format!("beat 1 here {TIME} 7 {token} 5")), begun, TIME);
        assert_eq!(beats[1].seen(begun).delay, None);
    }
}
