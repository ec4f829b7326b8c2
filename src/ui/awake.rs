//! Lets the window sleep although egui is drawn in it.

use bevy::asset::AssetEventSystems;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::{EguiInput, EguiPostUpdateSet, EguiPreUpdateSet, EguiRenderOutput, egui};

/// `bevy_egui` sends egui the modifier keys in every frame, and egui redraws at every event, which is an endless loop.
/// So unchanged modifiers are removed.
fn drop_unchanged_modifiers(mut inputs: Query<&mut EguiInput>, mut last: Local<Option<egui::Modifiers>>) {
    for mut input in &mut inputs {
        input.0.events.retain(|event| match event {
            egui::Event::ModifiersChanged(modifiers) => last.replace(*modifiers) != Some(*modifiers),
            _ => true,
        });
    }
}

/// A font's texture that is new, and not only changed, may reach the graphics card late: one more frame is drawn.
fn show_new_letters(outputs: Query<&EguiRenderOutput>, mut redraw: MessageWriter<RequestRedraw>) {
    if outputs.iter().any(|output| !output.textures_delta.set.is_empty()) {
        redraw.write(RequestRedraw);
    }
}

pub(super) fn plugin(app: &mut App) {
    let after_drawing = show_new_letters.after(EguiPostUpdateSet::ProcessOutput).before(EguiPostUpdateSet::PostProcessOutput);
    app.add_systems(PostUpdate, after_drawing);
    // The renderer hears of changed textures by the events of assets. Sent before egui's textures change, they would tell it of a character that is
    // drawn for the first time only in the next frame, until which the character is missing.
    app.configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems));
    app.add_systems(
        PreUpdate,
        drop_unchanged_modifiers.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
    );
}
