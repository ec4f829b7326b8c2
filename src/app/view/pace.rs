//! The speed of animations, from the settings: normal, reduced or off.

use crate::app::ground::settings::Settings;
use bevy::prelude::*;

/// The length of the fade that replaces an animation with reduced motion, in seconds.
pub const FADE: f32 = 0.08;

/// The longest time step of one frame, so that a slow frame does not skip an animation.
const LONGEST_STEP: f32 = 0.05;

/// The time step of this frame, in seconds.
pub fn step(time: &Time<Real>) -> f32 {
    time.delta_secs().min(LONGEST_STEP)
}

/// The seconds of an animation: scaled by the speed, 0 if animations are off.
pub fn seconds(settings: &Settings, normal: f32) -> f32 {
    if settings.speed <= 0.0 { 0.0 } else { normal / settings.speed.max(0.1) }
}

/// The same, but a short fade with reduced motion.
pub fn seconds_or_fade(settings: &Settings, normal: f32) -> f32 {
    match seconds(settings, normal) {
        0.0 => 0.0,
        _ if settings.reduced_motion => FADE,
        seconds => seconds,
    }
}

/// Easing: fast at the start.
pub fn ease_out(part: f32) -> f32 {
    let left = 1.0 - part.clamp(0.0, 1.0);
    1.0 - left * left
}

/// Easing: slow at both ends.
pub fn ease_in_out(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    if part < 0.5 { 4.0 * part.powi(3) } else { 1.0 - (-2.0 * part + 2.0).powi(3) / 2.0 }
}

/// A value that runs once from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Run {
    elapsed: f32,
    length: f32,
}

impl Run {
    /// A run of this number of seconds; with 0 it ends at once.
    pub fn of(seconds: f32) -> Run {
        Run { elapsed: 0.0, length: seconds }
    }

    /// The current value, 0 to 1.
    pub fn part(&self) -> f32 {
        if self.is_over() { 1.0 } else { self.elapsed / self.length }
    }

    /// True at the end.
    pub fn is_over(&self) -> bool {
        self.elapsed >= self.length
    }

    /// Advances.
    pub fn step(&mut self, seconds: f32) {
        self.elapsed = (self.elapsed + seconds).min(self.length);
    }

    /// Ends at once.
    pub fn finish(&mut self) {
        self.elapsed = self.length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_arrives_once_and_can_be_cut_short() {
        let mut run = Run::of(0.3);
        run.step(0.1);
        assert!((run.part() - 1.0 / 3.0).abs() < 1e-6 && !run.is_over());
        run.step(1.0);
        assert!(run.is_over() && run.part() == 1.0);
        assert!(Run::of(0.0).is_over(), "motion is off");
        let mut run = Run::of(9.0);
        run.finish();
        assert!(run.is_over());
    }

    #[test]
    fn speed_scales_off_is_instant_and_less_motion_is_a_short_fade() {
        let settings = |speed, reduced_motion| Settings { speed, reduced_motion, ..Settings::default() };
        assert_eq!(seconds_or_fade(&settings(2.0, false), 0.3), 0.15);
        assert_eq!(seconds_or_fade(&settings(0.0, false), 0.3), 0.0);
        assert_eq!(seconds_or_fade(&settings(1.0, true), 0.3), FADE);
        assert_eq!(seconds_or_fade(&settings(0.0, true), 0.3), 0.0);
    }
}
