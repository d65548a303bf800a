//! The two ends of the pipe: decoding inside the sandbox, and reading what comes out of it.
//!
//! The answer is one byte, 0 and then width, height (32 bits, little endian) and premultiplied RGBA, or 1 to 4 and then a
//! sentence.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};
use std::process::ExitCode;

use compere_media::Pixmap;
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x4;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::{bmp::BmpDecoder, gif::GifDecoder, jpeg::JpegDecoder, png::PngDecoder, webp::WebPDecoder};
use image::{DynamicImage, ImageDecoder, ImageError, Limits};

use super::{ImageType, MAX_PIXELS, MAX_SIDE, Want, image_type, svg};
use crate::sandbox::Running;
use crate::{MediaError, MediaErrorKind};

const KINDS: [MediaErrorKind; 4] =
    [MediaErrorKind::WrongType, MediaErrorKind::Damaged, MediaErrorKind::TooLarge, MediaErrorKind::Machine];

/// Inside the sandbox: `FILE MAX_WIDTH MAX_HEIGHT`, the answer to `out`.
pub fn decode_image_main(args: impl Iterator<Item = OsString>, out: impl Write) -> ExitCode {
    let answer = decode_args(args);
    match write_answer(answer, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn decode_args(args: impl Iterator<Item = OsString>) -> Result<Pixmap, MediaError> {
    let args: Vec<OsString> = args.collect();
    let number = |arg: &OsString| arg.to_str().and_then(|text| text.parse().ok());
    let [path, width, height] = args.as_slice() else {
        return Err(MediaError::machine("the picture decoder was called wrongly"));
    };
    let (Some(max_width), Some(max_height)) = (number(width), number(height)) else {
        return Err(MediaError::machine("the picture decoder was called with a size that is no number"));
    };
    let mut data = Vec::new();
    File::open(path)
        .and_then(|file| BufReader::new(file).read_to_end(&mut data))
        .map_err(|error| MediaError::io("could not read the picture", &error))?;
    decode_bytes(&data, Want { max_width, max_height })
}

fn decode_bytes(data: &[u8], want: Want) -> Result<Pixmap, MediaError> {
    let head = &data[..data.len().min(4096)];
    let picture = match image_type(head).map_err(MediaError::wrong_type)? {
        ImageType::Svg => return svg::draw(data, want),
        ImageType::Avif => return Err(MediaError::machine("AVIF is not decoded here")),
        ImageType::Png => {
            // Memory alone, so that a size over the limit is told in numbers.
            finish(PngDecoder::with_limits(Cursor::new(data), memory_limit()))
        }
        ImageType::Jpeg => finish(JpegDecoder::new(Cursor::new(data))),
        ImageType::WebP => finish(WebPDecoder::new(Cursor::new(data))),
        ImageType::Gif => finish(GifDecoder::new(Cursor::new(data))),
        ImageType::Bmp => finish(BmpDecoder::new(Cursor::new(data))),
    }?;
    Ok(shrink(picture, want))
}

fn memory_limit() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(8 * MAX_PIXELS + (64 << 20));
    limits
}

fn decoder_limits() -> Limits {
    let mut limits = memory_limit();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits
}

fn finish<D: ImageDecoder>(decoder: Result<D, ImageError>) -> Result<Pixmap, MediaError> {
    let mut decoder = decoder.map_err(told)?;
    check_size(decoder.dimensions())?;
    decoder.set_limits(decoder_limits()).map_err(told)?;
    // A broken EXIF block turns nothing, but it is no reason to refuse the picture.
    let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(told)?;
    picture.apply_orientation(orientation);
    let picture = picture.into_rgba8();
    let (width, height) = picture.dimensions();
    let pixels = picture.as_raw().as_chunks::<4>().0.to_vec();
    Ok(Pixmap::from_straight(width, height, pixels))
}

pub(super) fn check_size((width, height): (u32, u32)) -> Result<(), MediaError> {
    if width == 0 || height == 0 {
        return Err(MediaError::damaged("has no pixels"));
    }
    if width > MAX_SIDE || height > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(MediaError::too_large(format!(
            "is {width}x{height} pixels; at most {MAX_SIDE} a side and {} megapixels are read",
            MAX_PIXELS / 1_000_000
        )));
    }
    Ok(())
}

fn told(error: ImageError) -> MediaError {
    match error {
        ImageError::Limits(_) => MediaError::too_large("needs more memory than a picture may"),
        ImageError::Unsupported(why) => MediaError::wrong_type(format!("cannot be read: {why}")),
        // What the library says of it is for those who write such libraries.
        _ => MediaError::damaged("is damaged, or cut off before its end"),
    }
}

pub(super) fn shrink(picture: Pixmap, want: Want) -> Pixmap {
    let (from, to) =
        ((picture.width(), picture.height()), want.fitted(picture.width().into(), picture.height().into(), false));
    if from == to {
        return picture;
    }
    // Named by their type: whoever leaves it open compiles the filters of all thirteen.
    let source = TypedImageRef::<U8x4>::from_buffer(from.0, from.1, picture.data().as_flattened());
    let mut target = TypedImage::<U8x4>::new(to.0, to.1);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
    let resized = source.map(|source| Resizer::new().resize_typed(&source, &mut target, &options).is_ok());
    if resized != Ok(true) {
        // Cannot happen: the buffers were made for these sizes. The large picture is as right as the small one.
        return picture;
    }
    let mut pixels: Vec<[u8; 4]> = target.pixels().iter().map(|pixel| pixel.0).collect();
    for [r, g, b, a] in &mut pixels {
        // The filter overshoots at hard edges; premultiplied colour never exceeds its alpha.
        (*r, *g, *b) = ((*r).min(*a), (*g).min(*a), (*b).min(*a));
    }
    Pixmap::from_premultiplied(to.0, to.1, pixels)
}

fn write_answer(answer: Result<Pixmap, MediaError>, mut out: impl Write) -> std::io::Result<()> {
    match answer {
        Ok(picture) => {
            out.write_all(&[0])?;
            out.write_all(&picture.width().to_le_bytes())?;
            out.write_all(&picture.height().to_le_bytes())?;
            out.write_all(picture.data().as_flattened())?;
        }
        Err(error) => {
            let kind = KINDS.iter().position(|&kind| kind == error.kind).unwrap_or(1);
            out.write_all(&[kind as u8 + 1])?;
            out.write_all(error.what.as_bytes())?;
        }
    }
    out.flush()
}

/// Outside the sandbox: what the decoder answered.
pub(super) fn read_answer(mut running: Running) -> Result<Pixmap, MediaError> {
    let mut first = [0];
    if running.fill(&mut first)? == 0 {
        running.finish()?;
        return Err(MediaError::damaged("made the picture decoder stop without a word"));
    }
    if first[0] != 0 {
        return Err(read_refusal(first[0], &mut running)?);
    }
    let mut size = [0; 8];
    running.fill(&mut size)?;
    let [w0, w1, w2, w3, h0, h1, h2, h3] = size;
    let (width, height) = (u32::from_le_bytes([w0, w1, w2, w3]), u32::from_le_bytes([h0, h1, h2, h3]));
    check_size((width, height))?;
    let mut pixels = vec![[0; 4]; width as usize * height as usize];
    let bytes = pixels.as_flattened_mut();
    if running.fill(bytes)? != bytes.len() {
        running.finish()?;
        return Err(MediaError::damaged("made the picture decoder stop half way"));
    }
    Ok(Pixmap::from_premultiplied(width, height, pixels))
}

fn read_refusal(kind: u8, running: &mut Running) -> Result<MediaError, MediaError> {
    let mut what = vec![0; 1000];
    let length = running.fill(&mut what)?;
    let kind = KINDS.get(usize::from(kind) - 1).copied().unwrap_or(MediaErrorKind::Damaged);
    let what = String::from_utf8_lossy(&what[..length]);
    Ok(MediaError::new(kind, what.chars().filter(|c| !c.is_control()).collect::<String>()))
}
