//! What is heard: men set down, men taken, check, the end, a refusal.

#[cfg(not(feature = "audio"))]
pub(super) fn plugin(_: &mut bevy::prelude::App) {}

#[cfg(feature = "audio")]
pub(super) use with_sound::plugin;

#[cfg(feature = "audio")]
mod with_sound {
    use crate::app::play::{BoardChanged, CurrentMatch, MatchEnded, MoveRefused, Passage};
    use crate::app::settings::Settings;
    use crate::app::state::Screen;
    use crate::app::view::motion::Contact;
    use crate::record::SeatSpec;
    use crate::table::Shape;
    use bevy::audio::{AudioPlayer, AudioSource, PlaybackSettings, Volume};
    use bevy::prelude::*;
    use std::time::Duration;

    /// Recordings shipped with the program.
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
            }
        };
    }

    sounds! {
        wood: ["place_wood_1", "place_wood_2", "place_wood_3", "place_wood_4"],
        stone: ["place_stone_1", "place_stone_2", "place_stone_3", "place_stone_4"],
        capture: ["capture_1", "capture_2", "capture_3"],
        capture_stone: ["capture_stone_1", "capture_stone_2", "capture_stone_3"],
        check: ["check"],
        refused: ["illegal"],
        win: ["win"],
        lose: ["lose"],
    }

    fn load(mut commands: Commands, mut assets: ResMut<Assets<AudioSource>>) {
        let sounds = Sounds::load(&mut assets);
        commands.insert_resource(sounds);
    }

    /// Two sounds are at least this far apart.
    const APART: Duration = Duration::from_millis(30);

    #[derive(Resource, Default)]
    struct Ear {
        last: Duration,
        count: usize,
    }

    #[derive(bevy::ecs::system::SystemParam)]
    struct Player<'w, 's> {
        commands: Commands<'w, 's>,
        settings: Res<'w, Settings>,
        sounds: Option<Res<'w, Sounds>>,
        ear: ResMut<'w, Ear>,
        time: Res<'w, Time<Real>>,
    }

    impl Player<'_, '_> {
        fn play(&mut self, choose: impl Fn(&Sounds) -> &Vec<Handle<AudioSource>>) {
            let Some(sounds) = &self.sounds else { return };
            let now = self.time.elapsed();
            if self.settings.volume <= 0.0 || now.saturating_sub(self.ear.last) < APART {
                return;
            }
            self.ear.last = now;
            self.ear.count += 1;
            let variations = choose(sounds);
            let bits = crate::rules::zobrist::mix(self.ear.count as u64);
            let source = variations[bits as usize % variations.len()].clone();
            // Three hundredths up or down: no two alike.
            let speed = 0.97 + 0.06 * ((bits >> 32 & 0xFF) as f32 / 255.0);
            let settings = PlaybackSettings::DESPAWN.with_volume(Volume::Linear(self.settings.volume)).with_speed(speed);
            self.commands.spawn((AudioPlayer(source), settings));
        }
    }

    fn hear(
        mut player: Player,
        current: Res<CurrentMatch>,
        (mut contacts, mut refused, mut ended, mut changed): (
            MessageReader<Contact>,
            MessageReader<MoveRefused>,
            MessageReader<MatchEnded>,
            MessageReader<BoardChanged>,
        ),
        mut checked: Local<bool>,
    ) {
        for change in changed.read() {
            *checked = change.check && change.passage != Passage::TakenBack;
        }
        let wooden = matches!(current.shelved().sheet.shape, Shape::Disc);
        for contact in contacts.read() {
            match contact {
                _ if std::mem::take(&mut *checked) => player.play(|s| &s.check),
                Contact::Capture if wooden => player.play(|s| &s.capture),
                Contact::Capture => player.play(|s| &s.capture_stone),
                Contact::Land if wooden => player.play(|s| &s.wood),
                Contact::Land => player.play(|s| &s.stone),
            }
        }
        if refused.read().count() > 0 {
            player.play(|s| &s.refused);
        }
        for MatchEnded(outcome) in ended.read() {
            let lost = outcome
                .winner
                .is_some_and(|side| current.seats()[!side] == SeatSpec::Human && current.seats()[side] != SeatSpec::Human);
            if lost {
                player.play(|s| &s.lose);
            } else {
                player.play(|s| &s.win);
            }
        }
    }

    pub fn plugin(app: &mut App) {
        // Without the audio plugin (headless tests) there is nothing to play with.
        app.init_resource::<Ear>().add_systems(Startup, load.run_if(resource_exists::<Assets<AudioSource>>));
        app.add_systems(
            Update,
            hear.after(crate::app::Step::Animate).run_if(in_state(Screen::Match).and_then(resource_exists::<CurrentMatch>)),
        );
    }
}
