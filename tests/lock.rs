//! Checks that the lock file has one version of each shared crate: two versions of the core of Bevy or egui would not work together.

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
