//! Sounds: pieces lifted, set down and captured, check, the end of a match, a refused move, low time.

#[cfg(not(feature = "audio"))]
pub(super) fn plugin(_: &mut bevy::prelude::App) {}

#[cfg(feature = "audio")]
pub(super) use with_sound::plugin;

#[cfg(feature = "audio")]
mod with_sound {
    use crate::app::ground::requests::TrySound;
    use crate::app::ground::settings::Settings;
    use crate::app::ground::step::Step;
    use crate::app::hand::Selection;
    use crate::app::play::{
        BoardChanged, CurrentMatch, LowTime, MatchEnded, MoveArrived, MoveRefused, Passage, TaskDone, in_match,
    };
    use crate::app::view::motion::Contact;
    use crate::app::view::{FrameRequests, Moving};
    use bevy::audio::{AudioPlayer, AudioSource, PlaybackSettings, Volume};
    use bevy::prelude::*;
    use qiju_core::record::SeatSpec;
    use qiju_core::rules::Point;
    use qiju_core::table::Shape;
    use std::time::Duration;

    /// The built-in sound files.
    macro_rules! sounds {
        ($($name:ident: [$($file:literal),+]),+ $(,)?) => {
            #[derive(Resource)]
            struct Sounds { $($name: Vec<Handle<AudioSource>>),+ }

            impl Sounds {
                fn load(assets: &mut Assets<AudioSource>) -> Sounds {
                    Sounds { $($name: vec![$(assets.add(AudioSource {
                        bytes: include_bytes!(concat!("../../../assets/sounds/", $file, ".wav")).as_slice().into(),
                    })),+]),+ }
                }

                #[allow(non_camel_case_types)]
                fn of(&self, what: What) -> &[Handle<AudioSource>] {
                    match what { $(What::$name => &self.$name),+ }
                }
            }

            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            enum What { $($name),+ }
        };
    }

    sounds! {
        wood: ["place_wood_1", "place_wood_2", "place_wood_3", "place_wood_4"],
        stone: ["place_stone_1", "place_stone_2", "place_stone_3", "place_stone_4"],
        capture: ["capture_1", "capture_2", "capture_3"],
        capture_stone: ["capture_stone_1", "capture_stone_2", "capture_stone_3"],
        lift: ["lift"],
        check: ["check"],
        refused: ["illegal"],
        low_time: ["low_time"],
        win: ["win"],
        lose: ["lose"],
    }

    fn load(mut commands: Commands, mut assets: ResMut<Assets<AudioSource>>) {
        let sounds = Sounds::load(&mut assets);
        commands.insert_resource(sounds);
    }

    /// The shortest time between two sounds; a sound that is earlier waits.
    const APART: Duration = Duration::from_millis(30);
    /// The longest time a sound may wait, in seconds; then it is dropped.
    const TOO_LATE: Duration = Duration::from_millis(400);
    /// The delay of the check sound after the checking piece has landed, and of the end sound after the last piece.
    const BELL: Duration = Duration::from_millis(110);
    const NOTES: Duration = Duration::from_millis(280);

    /// The queue of sounds with their times, and the last sounds played.
    #[derive(Resource, Default)]
    struct SoundQueue {
        coming: Vec<(Duration, What)>,
        last: Option<(Duration, usize)>,
        count: u64,
    }

    impl SoundQueue {
        fn expect(&mut self, at: Duration, what: What) {
            self.coming.push((at, what));
        }

        /// The next sound that is due, if any.
        fn due(&mut self, now: Duration) -> Option<What> {
            if self.last.is_some_and(|(last, _)| now < last + APART) {
                return None;
            }
            self.coming.retain(|(at, _)| now < *at + TOO_LATE);
            let (index, _) = self.coming.iter().enumerate().filter(|(_, (at, _))| *at <= now).min_by_key(|(_, (at, _))| *at)?;
            Some(self.coming.remove(index).1)
        }

        /// Chooses a variation, never the same twice in a row, and a speed within three per cent.
        fn vary(&mut self, now: Duration, variations: usize) -> (usize, f32) {
            self.count += 1;
            let bits = qiju_core::rules::zobrist::mix(self.count);
            let mut index = bits as usize % variations;
            if self.last.is_some_and(|(_, last)| last == index) {
                index = (index + 1) % variations;
            }
            self.last = Some((now, index));
            (index, 0.97 + 0.06 * ((bits >> 32 & 0xFF) as f32 / 255.0))
        }
    }

    /// Plays a sound when the volume was changed, so that the player hears how loud it is.
    fn try_out(
        mut requests: MessageReader<TrySound>,
        mut queue: ResMut<SoundQueue>,
        time: Res<Time<Real>>,
        mut frames: ResMut<FrameRequests>,
    ) {
        if requests.read().any(|request| *request == TrySound) {
            queue.bypass_change_detection().expect(time.elapsed(), What::wood);
            frames.keep();
        }
    }

    fn hear(
        mut queue: ResMut<SoundQueue>,
        (current, selection): (Res<CurrentMatch>, Res<Selection>),
        (mut contacts, mut arrived, mut refused, mut ended, mut tasks, mut changed, mut low): (
            MessageReader<Contact>,
            MessageReader<MoveArrived>,
            MessageReader<MoveRefused>,
            MessageReader<MatchEnded>,
            MessageReader<TaskDone>,
            MessageReader<BoardChanged>,
            MessageReader<LowTime>,
        ),
        moving: Query<(), With<Moving>>,
        time: Res<Time<Real>>,
        (mut checked, mut over, mut held): (Local<bool>, Local<Option<What>>, Local<Option<Point>>),
    ) {
        let now = time.elapsed();
        let queue = queue.bypass_change_detection();
        for change in changed.read() {
            *checked = change.check && change.passage != Passage::TakenBack;
        }
        let wooden = matches!(current.game().sheet.shape, Shape::Disc);
        // A move that is not shown is heard as a piece that is set down.
        let unseen = arrived.read().count() > 0;
        *checked |= unseen && current.table().check().is_some();
        for contact in contacts.read().chain(unseen.then_some(&Contact::Land)) {
            let what = match contact {
                Contact::Capture if wooden => What::capture,
                Contact::Capture => What::capture_stone,
                Contact::Land if wooden => What::wood,
                Contact::Land => What::stone,
            };
            queue.expect(now, what);
            if std::mem::take(&mut *checked) {
                queue.expect(now + BELL, What::check);
            }
        }
        if selection.picked != *held {
            *held = selection.picked;
            if held.is_some() {
                queue.expect(now, What::lift);
            }
        }
        if refused.read().count() > 0 {
            queue.expect(now, What::refused);
        }
        if low.read().count() > 0 {
            queue.expect(now, What::low_time);
        }
        for MatchEnded(outcome) in ended.read() {
            let human = |side: qiju_core::rules::Side| current.seats()[current.seat_of(side)] == SeatSpec::Human;
            let beaten = |side: qiju_core::rules::Side| human(!side) && !human(side);
            *over = Some(if outcome.winner.is_some_and(beaten) { What::lose } else { What::win });
        }
        if tasks.read().count() > 0 {
            *over = Some(What::win);
        }
        // The end sound is played when the last piece has landed.
        if moving.is_empty()
            && let Some(what) = over.take()
        {
            queue.expect(now + NOTES, what);
        }
    }

    fn play(
        mut commands: Commands,
        mut queue: ResMut<SoundQueue>,
        sounds: Option<Res<Sounds>>,
        settings: Res<Settings>,
        time: Res<Time<Real>>,
        mut frames: ResMut<FrameRequests>,
    ) {
        let now = time.elapsed();
        let queue = queue.bypass_change_detection();
        if let Some(what) = queue.due(now)
            && let Some(sounds) = sounds
            && settings.volume > 0.0
            && !settings.muted
        {
            let variations = sounds.of(what);
            let (index, speed) = queue.vary(now, variations.len());
            let settings = PlaybackSettings::DESPAWN.with_volume(Volume::Linear(settings.volume)).with_speed(speed);
            commands.spawn((AudioPlayer(variations[index].clone()), settings));
        }
        if let Some(next) = queue.coming.iter().map(|(at, _)| *at).min() {
            frames.wake_in(next.saturating_sub(now).max(APART).as_secs_f32());
        }
    }

    pub fn plugin(app: &mut App) {
        // Without the audio plugin (tests without a window) no sound is played.
        app.init_resource::<SoundQueue>()
            .add_systems(Startup, load.run_if(resource_exists::<Assets<AudioSource>>))
            .add_systems(Update, (hear.run_if(in_match), try_out, play).chain().after(Step::Animate));
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn ms(ms: u64) -> Duration {
            Duration::from_millis(ms)
        }

        #[test]
        fn two_sounds_are_never_closer_than_thirty_milliseconds() {
            let mut queue = SoundQueue::default();
            for what in [What::wood, What::check, What::lift] {
                queue.expect(ms(1000), what);
            }
            let mut heard = Vec::new();
            for now in 1000..1200 {
                if let Some(what) = queue.due(ms(now)) {
                    queue.vary(ms(now), 3);
                    heard.push((now, what));
                }
            }
            assert_eq!(heard, [(1000, What::wood), (1030, What::check), (1060, What::lift)]);
            // A sound that is far too late is not played.
            queue.expect(ms(2000), What::wood);
            assert_eq!(queue.due(ms(3000)), None);
        }

        #[test]
        fn no_sound_is_the_same_twice_running_and_pitch_stays_near() {
            let mut queue = SoundQueue::default();
            let mut last = usize::MAX;
            for now in 0..500 {
                let (index, speed) = queue.vary(ms(now * 40), 3);
                assert!(index != last && index < 3 && (0.97..=1.03).contains(&speed), "{index} {speed}");
                last = index;
            }
            assert_eq!(queue.vary(ms(1), 1).0, 0, "a single recording is a single recording");
        }
    }
}
