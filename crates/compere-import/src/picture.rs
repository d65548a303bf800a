//! One page as a picture that fills the canvas: fitted, its edges drawn on, written in the smaller of two forms.

use std::path::Path;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;

use crate::ImportError;
use crate::palette::Palette;

/// RGB, rows without padding.
#[derive(Clone)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgb: Vec<[u8; 3]>,
}

impl Picture {
    pub(crate) fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.rgb[y as usize * self.width as usize + x as usize]
    }

    /// A rectangle of it.
    pub(crate) fn part(&self, x0: u32, y0: u32, x1: u32, y1: u32) -> Self {
        let row = |y: u32| &self.rgb[(y * self.width + x0) as usize..(y * self.width + x1) as usize];
        Self { width: x1 - x0, height: y1 - y0, rgb: (y0..y1).flat_map(row).copied().collect() }
    }

    fn column(&self, x: u32) -> Vec<[u8; 3]> {
        (0..self.height).map(|y| self.at(x, y)).collect()
    }

    fn row(&self, y: u32) -> Vec<[u8; 3]> {
        (0..self.width).map(|x| self.at(x, y)).collect()
    }
}

/// A page on its canvas.
pub(crate) struct Mounted {
    pub(crate) picture: Picture,
    pub(crate) edge: [u8; 3],
}

/// The largest size of a page of this shape that fits the canvas.
pub(crate) fn fitted((width, height): (f64, f64), canvas: (u32, u32)) -> (u32, u32) {
    let scale = (f64::from(canvas.0) / width).min(f64::from(canvas.1) / height);
    let side = |length: f64, most: u32| {
        let side = (length * scale).round().clamp(1.0, f64::from(most)) as u32;
        // A bar of a pixel or two is a mistake in the page's size, not a shape of its own.
        if most - side <= most / 200 { most } else { side }
    };
    (side(width, canvas.0), side(height, canvas.1))
}

/// Where a line of pixels at the edge of a page goes on beyond it.
enum Beyond {
    /// Every pixel goes on: an even colour, a gradient, a band.
    Each(Vec<[u8; 3]>),
    One([u8; 3]),
}

impl Beyond {
    /// More jumps than this are a photograph or a pattern, which would go on as stripes.
    const JUMPS: usize = 4;

    fn of(line: Vec<[u8; 3]>) -> Self {
        let jump = |pair: &&[[u8; 3]]| pair[0].iter().zip(pair[1]).any(|(a, b)| a.abs_diff(b) > 8);
        if line.windows(2).filter(jump).count() <= Self::JUMPS { Self::Each(line) } else { Self::One(common(&line)) }
    }

    fn at(&self, at: usize) -> [u8; 3] {
        match self {
            Self::Each(line) => line[at],
            Self::One(colour) => *colour,
        }
    }
}

/// The colour that most of a line has, or the mean of all when none prevails.
fn common(line: &[[u8; 3]]) -> [u8; 3] {
    let mut bins = std::collections::BTreeMap::<[u8; 3], (u64, [u64; 3])>::new();
    for pixel in line {
        let (count, sum) = bins.entry(pixel.map(|c| c >> 4)).or_default();
        *count += 1;
        sum.iter_mut().zip(pixel).for_each(|(sum, c)| *sum += u64::from(*c));
    }
    let mean = |(count, sum): (u64, [u64; 3])| sum.map(|c| (c / count.max(1)) as u8);
    let most = bins.values().copied().max_by_key(|(count, _)| *count).unwrap_or_default();
    if most.0 * 3 >= line.len() as u64 {
        return mean(most);
    }
    mean(bins.values().fold((0, [0; 3]), |(n, sum), (count, more)| {
        (n + count, [sum[0] + more[0], sum[1] + more[1], sum[2] + more[2]])
    }))
}

/// Puts a page on the canvas. The rest of it is `rest`, else what the page's edges go on as.
pub(crate) fn mount(mut page: Picture, canvas: (u32, u32), (x0, y0): (u32, u32), rest: Option<[u8; 3]>) -> Mounted {
    heal(&mut page);
    let (right, bottom) = (page.width - 1, page.height - 1);
    if (page.width, page.height) == canvas {
        let lines = [page.column(0), page.column(right), page.row(0), page.row(bottom)];
        return Mounted { edge: common(&lines.concat()), picture: page };
    }
    let beside = page.width < canvas.0;
    let lines = if beside { [page.column(0), page.column(right)] } else { [page.row(0), page.row(bottom)] };
    let edge = common(&lines.concat());
    let [first, last] = lines.map(|line| rest.map_or_else(|| Beyond::of(line), Beyond::One));
    let mut rgb = Vec::with_capacity(canvas.0 as usize * canvas.1 as usize);
    let rows = page.rgb.chunks_exact(page.width as usize);
    if beside {
        for (y, row) in rows.enumerate() {
            rgb.resize(rgb.len() + x0 as usize, first.at(y));
            rgb.extend_from_slice(row);
            rgb.resize((y + 1) * canvas.0 as usize, last.at(y));
        }
    } else {
        let bar = |line: &Beyond| (0..canvas.0 as usize).map(|x| line.at(x)).collect::<Vec<_>>();
        let (above, below) = (bar(&first), bar(&last));
        (0..y0).for_each(|_| rgb.extend_from_slice(&above));
        rows.for_each(|row| rgb.extend_from_slice(row));
        (y0 + page.height..canvas.1).for_each(|_| rgb.extend_from_slice(&below));
    }
    Mounted { picture: Picture { width: canvas.0, height: canvas.1, rgb }, edge }
}

/// A page's own background often ends a fraction of a pixel before the page does, which leaves a pale line at the edge.
/// Where the outermost line differs from the next, and the next does not from the one after, the next takes its place.
fn heal(page: &mut Picture) {
    let (w, h) = (page.width as usize, page.height as usize);
    if w < 8 || h < 8 {
        return;
    }
    let differ = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 2);
    // Start, step along the edge, length, step inwards.
    let sides: [(usize, usize, usize, isize); 4] =
        [(0, w, h, 1), (w - 1, w, h, -1), (0, 1, w, w as isize), ((h - 1) * w, 1, w, -(w as isize))];
    for (start, along, length, inward) in sides {
        let at = |i: usize, depth: isize| (start + i * along).wrapping_add_signed(inward * depth);
        let rgb = &page.rgb;
        let pale = (0..length).filter(|&i| differ(rgb[at(i, 0)], rgb[at(i, 1)])).count();
        let even = (0..length).filter(|&i| !differ(rgb[at(i, 1)], rgb[at(i, 2)])).count();
        if pale * 2 > length && even * 10 > length * 9 {
            for i in 0..length {
                page.rgb[at(i, 0)] = page.rgb[at(i, 1)];
            }
        }
    }
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Png,
    Jpeg,
}

impl Form {
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }
}

/// The quality at which nobody tells a 4K slide from its original.
const JPEG_QUALITY: u8 = 92;
const THUMBNAIL_QUALITY: u8 = 85;
/// Share of pixels that are like neither their left nor their upper neighbour, above which PNG is the larger form.
const BUSY: f64 = 0.10;

/// The bytes of a picture, without loss unless it is a photograph.
pub(crate) fn encode(picture: &Picture) -> Result<(Form, Vec<u8>), ImportError> {
    if let Some(palette) = Palette::of(&picture.rgb) {
        return Ok((Form::Png, palette.png((picture.width, picture.height)).map_err(failed)?));
    }
    if busy(picture) > BUSY { Ok((Form::Jpeg, jpeg(picture, JPEG_QUALITY)?)) } else { Ok((Form::Png, png(picture)?)) }
}

fn busy(picture: &Picture) -> f64 {
    let width = picture.width as usize;
    let (mut seen, mut busy) = (0u64, 0u64);
    for pair in picture.rgb.chunks_exact(width * 2) {
        let (above, row) = pair.split_at(width);
        seen += width as u64 - 1;
        busy += (1..width).filter(|&x| row[x] != row[x - 1] && row[x] != above[x]).count() as u64;
    }
    busy as f64 / seen.max(1) as f64
}

fn jpeg(picture: &Picture, quality: u8) -> Result<Vec<u8>, ImportError> {
    let mut out = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut out, quality);
    let bytes = picture.rgb.as_flattened();
    encoder.encode(bytes, picture.width, picture.height, ExtendedColorType::Rgb8).map_err(failed)?;
    Ok(out)
}

fn png(picture: &Picture) -> Result<Vec<u8>, ImportError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    // Gradients vanish under it, and flat ground stays flat.
    encoder.set_filter(png::Filter::Up);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(picture.rgb.as_flattened()).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}

pub(crate) fn thumbnail(picture: &Picture) -> Result<Vec<u8>, ImportError> {
    let (width, height) = if picture.width >= picture.height { (480, 270) } else { (270, 480) };
    // Named by their type: whoever leaves it open compiles the filters of all thirteen.
    let source = TypedImageRef::<U8x3>::from_buffer(picture.width, picture.height, picture.rgb.as_flattened());
    let mut target = TypedImage::<U8x3>::new(width, height);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom));
    Resizer::new().resize_typed(&source.map_err(failed)?, &mut target, &options).map_err(failed)?;
    let rgb = target.pixels().iter().map(|pixel| pixel.0).collect();
    jpeg(&Picture { width, height, rgb }, THUMBNAIL_QUALITY)
}

fn failed(error: impl std::fmt::Display) -> ImportError {
    ImportError::new(crate::ImportErrorKind::Internal, format!("A slide's picture could not be written: {error}."))
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), ImportError> {
    std::fs::write(path, bytes).map_err(|error| ImportError::io("write a slide's picture", &error))
}
