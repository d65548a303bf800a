//! Pictures stretched into their place.
//!
//! Shrinking is Lanczos on premultiplied pixels, growing and turning is Catmull-Rom; both work on sRGB values as
//! browsers do. A picture that is not turned has its sides on whole output pixels.

use super::raster::{Mask, mul};
use super::shape::on_pixels;
use super::{Drawn, placed};
use compere_media::{Pixmap, Rect, math};
use compere_scene::Place;
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x4;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use kurbo::{Affine, Point, Shape as _};

/// Draws `picture` into its place. `scale` is output pixels per canvas unit.
pub fn image(picture: &Pixmap, place: &Place, scale: f64, window: Rect) -> Option<Drawn> {
    if !(place.width > 0.0 && place.height > 0.0) || picture.bounds().is_empty() {
        return None;
    }
    let place = on_pixels(place, scale);
    let unit = placed(&place, scale) * Affine::scale_non_uniform(place.width, place.height);
    stretched(picture, unit, window)
}

/// Fitted so that it covers all of `width` by `height`; what is too wide or too tall is cut evenly.
pub fn cover(picture: &Pixmap, width: u32, height: u32) -> Pixmap {
    if picture.bounds().is_empty() || width == 0 || height == 0 {
        return Pixmap::new(width, height);
    }
    let (from_width, from_height) = (f64::from(picture.width()), f64::from(picture.height()));
    let ratio = (f64::from(width) / from_width).max(f64::from(height) / from_height);
    let (seen_width, seen_height) = (f64::from(width) / ratio, f64::from(height) / ratio);
    let (left, top) = ((from_width - seen_width) / 2.0, (from_height - seen_height) / 2.0);
    resized(picture, [left.max(0.0), top.max(0.0), seen_width, seen_height], width, height)
}

/// Draws `picture` so that its unit square lands where `unit` maps it.
pub(super) fn stretched(picture: &Pixmap, unit: Affine, window: Rect) -> Option<Drawn> {
    let [a, b, c, d, e, f] = unit.as_coeffs();
    let is_whole = |value: f64| (value - value.round()).abs() < 1e-6;
    let upright = b.abs() < 1e-9 && c.abs() < 1e-9 && a > 0.0 && d > 0.0;
    if upright && [a, d, e, f].into_iter().all(is_whole) {
        let limit = |value: f64| value.round().clamp(-1e9, 1e9) as i32;
        let rect = Rect::new(limit(e), limit(f), limit(e + a), limit(f + d));
        return upright_part(picture, rect, window);
    }
    let mask = Mask::of(&(unit * kurbo::Rect::new(0.0, 0.0, 1.0, 1.0).to_path(0.1)), window)?;
    let size = |length: f64, own: u32| (length.ceil().max(1.0) as u32).min(own);
    let (width, height) = (size(math::hypot(a, b), picture.width()), size(math::hypot(c, d), picture.height()));
    let whole = [0.0, 0.0, f64::from(picture.width()), f64::from(picture.height())];
    let near = resized(picture, whole, width, height);
    let from_output = (unit * Affine::scale_non_uniform(1.0 / f64::from(width), 1.0 / f64::from(height))).inverse();
    Some(sampled(&near, from_output, &mask))
}

/// The part of a picture stretched over `rect` that lies in `window`.
fn upright_part(picture: &Pixmap, rect: Rect, window: Rect) -> Option<Drawn> {
    let seen = rect.intersect(window);
    if seen.is_empty() {
        return None;
    }
    let per_pixel = (
        f64::from(picture.width()) / f64::from(rect.x1 - rect.x0),
        f64::from(picture.height()) / f64::from(rect.y1 - rect.y0),
    );
    let crop = [
        f64::from(seen.x0 - rect.x0) * per_pixel.0,
        f64::from(seen.y0 - rect.y0) * per_pixel.1,
        f64::from(seen.width()) * per_pixel.0,
        f64::from(seen.height()) * per_pixel.1,
    ];
    Some(Drawn { pixmap: resized(picture, crop, seen.width(), seen.height()), x: seen.x0, y: seen.y0 })
}

/// `[left, top, width, height]` of the picture, resampled.
fn resized(picture: &Pixmap, [left, top, width, height]: [f64; 4], to_width: u32, to_height: u32) -> Pixmap {
    let (width, height) = (width.min(f64::from(picture.width()) - left), height.min(f64::from(picture.height()) - top));
    let as_is =
        left.fract() == 0.0 && top.fract() == 0.0 && width == f64::from(to_width) && height == f64::from(to_height);
    if as_is {
        let (left, top) = (left as i32, top as i32);
        return picture.cropped(Rect::new(left, top, left + to_width as i32, top + to_height as i32));
    }
    // Named by their type: whoever leaves it open compiles the filters of all thirteen.
    let from = TypedImageRef::<U8x4>::from_buffer(picture.width(), picture.height(), picture.data().as_flattened());
    let from = from.expect("a pixmap holds four bytes for each pixel");
    let mut to = TypedImage::<U8x4>::new(to_width, to_height);
    let grows = f64::from(to_width) > width && f64::from(to_height) > height;
    let filter = if grows { FilterType::CatmullRom } else { FilterType::Lanczos3 };
    let options =
        ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter)).crop(left, top, width, height).use_alpha(false);
    Resizer::new().resize_typed(&from, &mut to, &options).expect("the crop lies inside");
    Pixmap::from_premultiplied(to_width, to_height, to.pixels().iter().map(|pixel| tamed(pixel.0)).collect())
}

/// Filters with negative lobes overshoot; no colour may exceed its alpha.
fn tamed([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    [r.min(a), g.min(a), b.min(a), a]
}

fn sampled(picture: &Pixmap, from_output: Affine, mask: &Mask) -> Drawn {
    let rect = mask.rect;
    let mut drawn = Drawn { pixmap: Pixmap::new(rect.width(), rect.height()), x: rect.x0, y: rect.y0 };
    for y in rect.y0..rect.y1 {
        let row = drawn.pixmap.row_mut((y - rect.y0) as u32);
        for ((x, pixel), &coverage) in (rect.x0..rect.x1).zip(row).zip(mask.row(y)) {
            if coverage > 0 {
                let at = from_output * Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                *pixel = cubic(picture, at.x - 0.5, at.y - 0.5).map(|channel| mul(channel, coverage));
            }
        }
    }
    drawn
}

/// The picture at a place between its pixels, the border pixels going on forever.
fn cubic(picture: &Pixmap, x: f64, y: f64) -> [u8; 4] {
    let (left, top) = (floor(x), floor(y));
    let (across, down) = (weights((x - f64::from(left)) as f32), weights((y - f64::from(top)) as f32));
    let clamp = |value: i32, size: u32| value.clamp(0, size as i32 - 1) as usize;
    let columns = [-1, 0, 1, 2].map(|step| clamp(left + step, picture.width()));
    let mut sum = [0.0f32; 4];
    for (step, weight) in (-1..).zip(down) {
        let row = picture.row(clamp(top + step, picture.height()) as u32);
        let mut line = [0.0f32; 4];
        for (&column, weight) in columns.iter().zip(across) {
            for (line, channel) in line.iter_mut().zip(row[column]) {
                *line += f32::from(channel) * weight;
            }
        }
        for (sum, line) in sum.iter_mut().zip(line) {
            *sum += line * weight;
        }
    }
    tamed(sum.map(|channel| (channel + 0.5).clamp(0.0, 255.0) as u8))
}

/// Without the library call that `f64::floor` is on the oldest processors we build for.
fn floor(value: f64) -> i32 {
    let cut = value as i32;
    cut - i32::from(f64::from(cut) > value)
}

/// Catmull-Rom.
fn weights(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1.0, -1.5 * t3 + 2.0 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]
}
