//! The renderer's pipelines are built in the background, and what needs one stays undrawn until then. A window that sleeps between its frames
//! is woken when they are ready; else a machine that is busy while it opens would show a black one until somebody touches it.

use bevy::prelude::*;
use bevy::render::render_resource::PipelineCache;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use winit::event_loop::EventLoopProxy;

/// Whether a frame has waited for a pipeline. Shared with the renderer, whose frames are drawn while the table's next one is made.
#[derive(Resource, Clone)]
pub(super) struct Unbuilt(Arc<AtomicBool>);

impl Unbuilt {
    /// Whether the last frame drawn lacked something.
    pub fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes in whether a frame lacked something; true where the one before was different.
    fn changes_to(&self, waiting: bool) -> bool {
        self.0.swap(waiting, Ordering::Relaxed) != waiting
    }
}

/// What the renderer calls the window with.
#[derive(Resource)]
struct Bell(EventLoopProxy<WinitUserEvent>);

/// The renderer's half: tells after each frame, and wakes the window when that has changed.
fn tell(cache: Res<PipelineCache>, unbuilt: Res<Unbuilt>, bell: Res<Bell>) {
    if unbuilt.changes_to(cache.waiting_pipelines().next().is_some())
        && let Err(error) = bell.0.send_event(WinitUserEvent::WakeUp)
    {
        debug!("the window is closed: {error}");
    }
}

pub(super) fn plugin(app: &mut App) {
    let Some(window) = app.world().get_resource::<EventLoopProxyWrapper>() else { return };
    let bell = Bell(EventLoopProxy::clone(window));
    let Some(renderer) = app.get_sub_app_mut(RenderApp) else { return };
    // Nothing has been drawn yet, so everything lacks.
    let unbuilt = Unbuilt(Arc::new(AtomicBool::new(true)));
    renderer.insert_resource(unbuilt.clone()).insert_resource(bell);
    renderer.add_systems(Render, tell.in_set(RenderSystems::Cleanup));
    app.insert_resource(unbuilt);
}
