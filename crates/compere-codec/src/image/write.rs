//! Posters and previews.

use compere_media::{Frame, Pixmap};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageResult};

use crate::MediaError;

/// A poster. Quality 88 is where a viewer stops seeing the difference.
pub fn frame_to_jpeg(frame: &Frame, quality: u8) -> Result<Vec<u8>, MediaError> {
    let rgb = frame.to_rgb();
    let mut out = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut out, quality.clamp(1, 100));
    written(encoder.write_image(rgb.as_flattened(), frame.width(), frame.height(), ExtendedColorType::Rgb8))?;
    Ok(out)
}

pub fn frame_to_png(frame: &Frame) -> Result<Vec<u8>, MediaError> {
    let rgb = frame.to_rgb();
    png(rgb.as_flattened(), frame.width(), frame.height(), ExtendedColorType::Rgb8)
}

/// The picture as RGBA, to be made smaller.
pub fn frame_to_pixmap(frame: &Frame) -> Pixmap {
    let pixels = frame.to_rgb().into_iter().map(|[r, g, b]| [r, g, b, 255]).collect();
    Pixmap::from_premultiplied(frame.width(), frame.height(), pixels)
}

/// An opaque picture; transparency is taken as black.
pub fn pixmap_to_jpeg(pixmap: &Pixmap, quality: u8) -> Result<Vec<u8>, MediaError> {
    let rgb: Vec<[u8; 3]> = pixmap.data().iter().map(|&[r, g, b, _]| [r, g, b]).collect();
    let mut out = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut out, quality.clamp(1, 100));
    written(encoder.write_image(rgb.as_flattened(), pixmap.width(), pixmap.height(), ExtendedColorType::Rgb8))?;
    Ok(out)
}

/// Numbers of any meaning as one grey picture, row by row.
pub fn grey_to_jpeg(grey: &[u8], width: u32, height: u32, quality: u8) -> Result<Vec<u8>, MediaError> {
    let mut out = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut out, quality.clamp(1, 100));
    written(encoder.write_image(grey, width, height, ExtendedColorType::L8))?;
    Ok(out)
}

/// With straight alpha, as PNG has it.
pub fn pixmap_to_png(pixmap: &Pixmap) -> Result<Vec<u8>, MediaError> {
    let straight: Vec<[u8; 4]> = pixmap.data().iter().map(|&pixel| straight(pixel)).collect();
    png(straight.as_flattened(), pixmap.width(), pixmap.height(), ExtendedColorType::Rgba8)
}

fn straight([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    if a == 0 {
        return [0; 4];
    }
    let divide = |c: u8| ((u32::from(c) * 255 + u32::from(a) / 2) / u32::from(a)).min(255) as u8;
    [divide(r), divide(g), divide(b), a]
}

fn png(data: &[u8], width: u32, height: u32, color: ExtendedColorType) -> Result<Vec<u8>, MediaError> {
    let mut out = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive);
    written(encoder.write_image(data, width, height, color))?;
    Ok(out)
}

fn written(result: ImageResult<()>) -> Result<(), MediaError> {
    result.map_err(|error| MediaError::machine(format!("a picture could not be written: {error}")))
}
