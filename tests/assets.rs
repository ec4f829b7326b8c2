//! Tests of the assets: every file has a source and a licence, and every sound is within its limits.

use std::fs;
use std::path::{Path, PathBuf};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// The folders of assets: of the window and of the core.
const FOLDERS: [&str; 2] = ["assets", "crates/core/assets"];

/// Every file below a folder, as a path from there with `/`.
fn files(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let entry = entry.expect("a readable folder");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}

/// True if a path matches a pattern, in which `*` means anything.
fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut last = "";
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = part;
    }
    rest.is_empty() || (pattern.contains('*') && (last.is_empty() || path.ends_with(last)))
}

#[test]
fn every_asset_has_a_line_about_its_source_and_licence() {
    for name in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_else(|error| panic!("{name}/README.md: {error}"));
        // The first column of the table, and files of licences named anywhere.
        let listed: Vec<&str> =
            readme.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
        let mut found = Vec::new();
        files(&folder, "", &mut found);
        assert!(found.len() > 20, "{found:?}");
        for file in found.iter().filter(|file| *file != "README.md") {
            assert!(listed.iter().any(|pattern| matches(pattern, file)), "{name}/{file} is not in {name}/README.md");
        }
        for pattern in readme.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()) {
            assert!(found.iter().any(|file| matches(pattern, file)), "{name}/README.md lists {pattern}, which is not there");
        }
    }
}

#[test]
fn patterns_match_what_they_name() {
    for (pattern, path, want) in [
        ("a/b.txt", "a/b.txt", true),
        ("a/*.txt", "a/b.txt", true),
        ("a/*.txt", "a/b.ron", false),
        ("a/*", "a/b/c.png", true),
        ("a/*", "b/a/c", false),
        ("a/b", "a/bc", false),
    ] {
        assert_eq!(matches(pattern, path), want, "{pattern} {path}");
    }
}

/// Samples of a mono WAV of 16 bits at 44.1 kHz.
fn samples(path: &Path) -> Vec<i16> {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let number = |at: usize, size: usize| (0..size).fold(0_u32, |sum, i| sum | u32::from(bytes[at + i]) << (8 * i));
    assert_eq!((&bytes[0..4], &bytes[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]), "{}", path.display());
    assert_eq!((number(20, 2), number(22, 2), number(24, 4), number(34, 2)), (1, 1, 44_100, 16), "{}", path.display());
    assert_eq!(&bytes[36..40], b"data");
    bytes[44..44 + number(40, 4) as usize].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

#[test]
fn sounds_are_quiet_short_and_end_in_silence() {
    // Name, variations, longest in ms, loudest peak in dBFS. A sound without a number has one variation.
    let wanted = [
        ("place_wood", 4, 180, -11.9),
        ("place_stone", 4, 180, -11.9),
        ("capture", 3, 300, -10.9),
        ("capture_stone", 3, 300, -10.9),
        ("check", 0, 1200, -15.0),
        ("win", 0, 1400, -12.0),
        ("lose", 0, 1400, -12.0),
        ("illegal", 0, 180, -12.0),
        ("low_time", 0, 180, -12.0),
        ("lift", 0, 100, -20.0),
    ];
    let mut seen = Vec::new();
    for (name, variations, longest, loudest) in wanted {
        let names: Vec<String> =
            if variations == 0 { vec![name.to_owned()] } else { (1..=variations).map(|n| format!("{name}_{n}")).collect() };
        for name in names {
            let sound = samples(&assets().join(format!("sounds/{name}.wav")));
            let length = sound.len() as f32 / 44.1;
            let peak = sound.iter().map(|&v| f32::from(v).abs()).fold(0.0, f32::max) / 32768.0;
            let peak = 20.0 * peak.log10();
            assert!(length < longest as f32, "{name} lasts {length:.0} ms");
            assert!((-36.0..=loudest).contains(&peak), "{name} peaks at {peak:.1} dBFS");
            let (first, last) = (i32::from(sound[0]), i32::from(sound[sound.len() - 1]));
            assert!(first.abs() < 400 && last.abs() < 20, "{name} clicks: it begins at {first} and ends at {last}");
            let drift = sound.iter().map(|&v| f64::from(v)).sum::<f64>() / sound.len() as f64;
            assert!(drift.abs() < 20.0, "{name} is {drift:.1} off the middle");
            assert!(!seen.contains(&sound), "{name} is another sound again");
            seen.push(sound);
        }
    }
}

/// What `scripts/windows` packs, the installer removes again; it speaks the languages of the program.
#[test]
fn the_installer_for_windows_removes_what_it_installs() {
    let text = fs::read_to_string(assets().join("windows/installer.nsi")).expect("the installer");
    let of = |before: &str| text.lines().filter_map(|line| line.trim().strip_prefix(before)).collect::<Vec<_>>();
    assert_eq!(of("!insertmacro MUI_LANGUAGE ").len(), qiju::language::Language::ALL.len());
    let removed: Vec<String> =
        of(r#"Delete "$INSTDIR\"#).iter().map(|name| name.trim_end_matches('"').replace('\\', "/")).collect();
    let mut packed = ["Qiju.exe", "bin/qiju.exe", "README.md", "LICENSE-MIT", "LICENSE-APACHE"].map(str::to_owned).to_vec();
    packed.extend(["licences/assets.md", "licences/assets-core.md"].map(str::to_owned));
    let mut core = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/assets"), "", &mut core);
    let licences = core.iter().filter(|file| matches("fonts/OFL-*.txt", file) || matches("pieces/LICENSE-*.md", file));
    packed.extend(licences.map(|file| format!("licences/{}", file.rsplit('/').next().unwrap_or(file))));
    assert!(packed.len() > 9, "{packed:?}");
    for file in packed {
        assert!(removed.iter().any(|pattern| matches(pattern, &file)), "{file} is installed and not removed: {removed:?}");
    }
}
