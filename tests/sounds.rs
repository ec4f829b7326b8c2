//! Tests of the sound files: quiet, short, with variations, and all of them used.

use std::fs;
use std::path::Path;

struct Sound {
    name: String,
    seconds: f32,
    /// The loudest sample in decibels below full scale.
    peak: f32,
}

/// Sixteen bits, one channel, as `scripts/sounds.py` writes them.
fn read(path: &Path) -> Sound {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let bytes = fs::read(path).unwrap();
    assert!(bytes.starts_with(b"RIFF") && &bytes[8..16] == b"WAVEfmt ", "{name} is no WAV file");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let rate = word(24);
    assert_eq!((bytes[22], bytes[34], &bytes[36..40]), (1, 16, b"data".as_slice()), "{name}: one channel of 16 bits");
    let samples: Vec<f32> = bytes[44..44 + word(40) as usize]
        .chunks_exact(2)
        .map(|s| f32::from(i16::from_le_bytes([s[0], s[1]])) / 32768.0)
        .collect();
    let loudest = samples.iter().fold(0.0_f32, |loudest, sample| loudest.max(sample.abs()));
    Sound { name, seconds: samples.len() as f32 / rate as f32, peak: 20.0 * loudest.log10() }
}

fn sounds() -> Vec<Sound> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sounds");
    fs::read_dir(folder).unwrap().map(|entry| read(&entry.unwrap().path())).collect()
}

#[test]
fn moves_are_short_and_nothing_is_loud() {
    for Sound { name, seconds, peak } in sounds() {
        assert!((-30.0..=-10.5).contains(&peak), "{name}: its peak is {peak:.1} dBFS");
        if name.starts_with("place") {
            assert!(seconds < 0.18 && (-13.0..=-11.0).contains(&peak), "{name}: {seconds:.3} s, {peak:.1} dBFS");
        }
    }
}

#[test]
fn frequent_sounds_have_at_least_three_variations() {
    let sounds = sounds();
    for kind in ["place_wood", "place_stone", "capture", "capture_stone"] {
        let of_kind = |sound: &&Sound| {
            sound.name.rsplit_once('_').is_some_and(|(name, number)| name == kind && number.parse::<u8>().is_ok())
        };
        assert!(sounds.iter().filter(of_kind).count() >= 3, "{kind}");
    }
    let longest = |kind: &str| sounds.iter().filter(|s| s.name.starts_with(kind)).map(|s| s.seconds).fold(0.0, f32::max);
    assert!(longest("capture_") > longest("place_"), "a capture is longer than a move");
}

#[test]
fn every_sound_is_used() {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/view/sound.rs")).unwrap();
    for Sound { name, .. } in sounds() {
        assert!(source.contains(&format!("\"{name}\"")), "{name}.wav is never heard");
    }
}
