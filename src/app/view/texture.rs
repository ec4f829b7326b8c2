//! Pictures as textures.

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use qiju_core::paint::Picture;

/// Converts a picture to a texture.
pub fn texture(picture: Picture) -> Image {
    let size = Extent3d { width: picture.width.max(1), height: picture.height.max(1), depth_or_array_layers: 1 };
    let mut image =
        Image::new(size, TextureDimension::D2, picture.rgba, TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::RENDER_WORLD);
    image.sampler = ImageSampler::linear();
    image
}

/// The same for the interface, which needs colours premultiplied by their alpha, blended in linear light.
pub fn ui_texture(mut picture: Picture) -> Image {
    for pixel in picture.rgba.chunks_exact_mut(4) {
        let alpha = f32::from(pixel[3]) / 255.0;
        if pixel[3] < 255 {
            pixel[..3].iter_mut().for_each(|v| *v = (f32::from(*v) * alpha.powf(1.0 / 2.2)).round() as u8);
        }
    }
    texture(picture)
}
