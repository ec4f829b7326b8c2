//! Checks of how the program is built. The lock file has one version of each shared crate: two versions of the core of Bevy or egui would not work together.
//! What is given to others is linked for speed, and stripped.

#[test]
fn shared_crates_have_one_version() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock");
    let lock = std::fs::read_to_string(path).expect("the lock file is part of the repository");
    for shared in ["bevy_app", "bevy_ecs", "egui", "bevy_egui", "winit", "wgpu"] {
        let wanted = format!("name = \"{shared}\"");
        let lines: Vec<usize> = (1..).zip(lock.lines()).filter(|(_, line)| *line == wanted).map(|(number, _)| number).collect();
        assert_eq!(lines.len(), 1, "Cargo.lock, lines {lines:?}: {shared} must be there once");
    }
}

/// The profile `dist` optimises the whole program at the end, by the level of what is linked; without this the engines are a third slower. Nor does the profile
/// strip a package that has settings of its own.
#[test]
fn what_is_given_to_others_is_linked_for_speed_and_stripped() {
    let text = |file: &str| std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).expect(file);
    for file in ["scripts/package", "scripts/windows", ".github/workflows/release.yml", "assets/linux/org.qiju.Qiju.yml"] {
        let text = text(file);
        assert!(text.contains("--profile dist") && text.contains("-C opt-level=3"), "{file}");
    }
    let settings = text("Cargo.toml");
    let own = settings.split("[profile.dist.package.qiju]").nth(1).and_then(|rest| rest.split('[').next());
    assert!(own.is_some_and(|own| own.contains("strip = true")), "Cargo.toml");
}
