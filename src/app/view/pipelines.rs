//! The renderer builds its pipelines in the background, and objects that need one are not drawn until then. A sleeping window
//! is woken when they are ready; otherwise a window opened on a busy machine could stay black until the next input.

use bevy::prelude::*;
use bevy::render::render_resource::{PipelineCache, PipelineDescriptor};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use winit::event_loop::EventLoopProxy;

/// Whether the last frame waited for a pipeline. Shared with the renderer, which draws a frame while the next one is prepared.
#[derive(Resource, Clone)]
pub(super) struct Unbuilt(Arc<AtomicBool>);

impl Unbuilt {
    /// True if the last frame was incomplete.
    pub fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Stores whether a frame was incomplete; true if this has changed.
    fn changes_to(&self, waiting: bool) -> bool {
        self.0.swap(waiting, Ordering::Relaxed) != waiting
    }
}

/// Wakes the window from the renderer.
#[derive(Resource)]
struct Bell(EventLoopProxy<WinitUserEvent>);

/// The renderer's part: updates the state after each frame, and wakes the window when it has changed.
fn tell(cache: Res<PipelineCache>, unbuilt: Res<Unbuilt>, bell: Res<Bell>) {
    // What is drawn needs no pipeline that computes. In a page there is one that is never built, because WebGL cannot compute.
    let draws = |id: usize| {
        let pipeline = cache.pipelines().nth(id);
        pipeline.is_some_and(|pipeline| matches!(pipeline.descriptor, PipelineDescriptor::RenderPipelineDescriptor(_)))
    };
    if unbuilt.changes_to(cache.waiting_pipelines().any(draws))
        && let Err(error) = bell.0.send_event(WinitUserEvent::WakeUp)
    {
        debug!("the window is closed: {error}");
    }
}

pub(super) fn plugin(app: &mut App) {
    let Some(window) = app.world().get_resource::<EventLoopProxyWrapper>() else { return };
    let bell = Bell(EventLoopProxy::clone(window));
    let Some(renderer) = app.get_sub_app_mut(RenderApp) else { return };
    // Nothing has been drawn yet, so the frame counts as incomplete.
    let unbuilt = Unbuilt(Arc::new(AtomicBool::new(true)));
    renderer.insert_resource(unbuilt.clone()).insert_resource(bell);
    renderer.add_systems(Render, tell.in_set(RenderSystems::Cleanup));
    app.insert_resource(unbuilt);
}
