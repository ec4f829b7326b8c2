//! Decodes files of pictures.

use crate::message;
use crate::message::Message;
use crate::paint::Picture;
use std::io::Cursor;

/// The largest side of a picture that is read, in pixels.
const LONGEST: u32 = 12_000;
/// The most pixels.
const MOST: u64 = 50_000_000;

/// Decodes the file of a picture: PNG, JPEG or GIF, the first picture of an animation.
///
/// # Errors
/// It is no such file, it is damaged, or the picture is too large.
pub fn decode(bytes: &[u8]) -> Result<Picture, Message> {
    let decoder = decoder_of(bytes).ok_or_else(|| message!("this is no picture that is read here; PNG, JPEG and GIF are"))?;
    decoder(bytes)
}

/// True if a file begins as a picture that [`decode`] reads.
pub fn is_picture(bytes: &[u8]) -> bool {
    decoder_of(bytes).is_some()
}

/// What decodes a file, by how it begins.
fn decoder_of(bytes: &[u8]) -> Option<fn(&[u8]) -> Result<Picture, Message>> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(png),
        [0xFF, 0xD8, 0xFF, ..] => Some(jpeg),
        [b'G', b'I', b'F', b'8', ..] => Some(gif),
        _ => None,
    }
}

fn damaged(why: impl ToString) -> Message {
    message!("the picture is damaged: {}", why.to_string())
}

fn check_size(width: u32, height: u32) -> Result<(), Message> {
    if width == 0 || height == 0 {
        return Err(message!("a picture without pixels"));
    }
    if width > LONGEST || height > LONGEST || u64::from(width) * u64::from(height) > MOST {
        return Err(message!("the picture is too large: {} × {} pixels", width, height));
    }
    Ok(())
}

fn png(bytes: &[u8]) -> Result<Picture, Message> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = (reader.info().width, reader.info().height);
    check_size(width, height)?;
    let mut data = vec![0; reader.output_buffer_size().ok_or(message!("a picture without pixels"))?];
    let info = reader.next_frame(&mut data).map_err(damaged)?;
    data.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::Grayscale => data.iter().flat_map(|&v| [v, v, v, 255]).collect(),
        png::ColorType::GrayscaleAlpha => data.chunks_exact(2).flat_map(|two| [two[0], two[0], two[0], two[1]]).collect(),
        png::ColorType::Rgb => data.chunks_exact(3).flat_map(|three| [three[0], three[1], three[2], 255]).collect(),
        png::ColorType::Rgba => data,
        png::ColorType::Indexed => return Err(message!("a picture without pixels")),
    };
    Ok(Picture { width, height, rgba })
}

fn jpeg(bytes: &[u8]) -> Result<Picture, Message> {
    use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .set_max_width(LONGEST as usize)
        .set_max_height(LONGEST as usize);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| damaged(format!("{error:?}")))?;
    let (width, height) = decoder.dimensions().ok_or(message!("a picture without pixels"))?;
    let (width, height) = (width as u32, height as u32);
    check_size(width, height)?;
    let rgba = decoder.decode().map_err(|error| damaged(format!("{error:?}")))?;
    if rgba.len() != width as usize * height as usize * 4 {
        return Err(message!("a picture without pixels"));
    }
    Ok(Picture { width, height, rgba })
}

fn gif(bytes: &[u8]) -> Result<Picture, Message> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).map_err(damaged)?;
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    check_size(width, height)?;
    let frame = decoder.read_next_frame().map_err(damaged)?.ok_or(message!("a picture without pixels"))?;
    let mut rgba = vec![0; width as usize * height as usize * 4];
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    for (row, line) in frame.buffer.chunks_exact(usize::from(frame.width).max(1) * 4).enumerate() {
        let from = ((top + row) * width as usize + left) * 4;
        if let Some(to) = rgba.get_mut(from..from + line.len()) {
            to.copy_from_slice(line);
        }
    }
    Ok(Picture { width, height, rgba })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_picture_or_damaged_is_refused() {
        let picture = Picture { width: 3, height: 2, rgba: vec![200; 24] };
        let file = crate::paint::png(&picture).unwrap();
        let read = decode(&file).unwrap();
        assert_eq!((read.width, read.height), (3, 2));
        for broken in [&b"hello"[..], &[], &file[..20], &file[..file.len() / 2], b"GIF89a", &[0xFF, 0xD8, 0xFF, 0xE0]] {
            assert!(decode(broken).is_err(), "{broken:?}");
        }
    }
}
