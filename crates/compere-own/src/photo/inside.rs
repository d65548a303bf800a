//! What is seen between open lips: teeth, tongue and the dark behind them, in the light of the portrait. No portrait shows it.

use super::fields::ease;
use super::shape::{Shape, Spot};

/// Luma and both colours.
pub(super) type Colour = [f32; 3];

/// Where the teeth of one side end, from the middle, in distances of the eyes.
const TEETH: [f32; 5] = [0.092, 0.166, 0.236, 0.300, 0.36];
/// Half as wide as a gap between two.
const SLIT: f32 = 0.0035;

/// The portrait's light, as its skin, lips and eyes show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Light {
    pub(super) teeth: Colour,
    pub(super) tongue: Colour,
    pub(super) dark: Colour,
    /// How much brighter the right side is than the left one, as a part.
    pub(super) slope: f32,
    /// Of the grain, in grey levels.
    pub(super) grain: f32,
}

/// A place between the lips.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// In the head, at rest.
    pub(super) at: Spot,
    /// How far the jaw is down.
    pub(super) jaw: f32,
    /// How far the tongue is up.
    pub(super) tongue: f32,
    /// How far the lips are rounded, which hides the teeth.
    pub(super) round: f32,
    /// From the upper and from the lower lip, in distances of the eyes.
    pub(super) under: f32,
    pub(super) over: f32,
    /// One pixel in this measure.
    pub(super) pixel: f32,
}

pub(super) fn inside(shape: &Shape, light: &Light, place: &Place) -> Colour {
    let mouth = &shape.mouth;
    let x = place.at[0] - mouth.x;
    let middle = mouth.lower(mouth.x);
    let (y, soft) = (place.at[1] - middle, place.pixel.max(0.002));
    let low = y - place.jaw;
    let along = (x / mouth.half).clamp(-1.0, 1.0);
    let round = along * along;

    let mut colour = light.dark;
    // The tongue lies behind the lower teeth, and comes up to the upper ones when it is asked.
    let top = -(0.030 + place.tongue * (0.05 + 0.8 * place.jaw)) + 0.10 * round;
    let tongue = ease(-0.02, 0.02, low - top) * (1.0 - 0.75 * round);
    let groove = 1.0 - 0.22 * (1.0 - ease(0.0, 0.02, x.abs()));
    colour = mix(colour, shade(light.tongue, groove), tongue * (0.55 + 0.45 * place.tongue));

    let rim = -0.010 + 0.035 * round;
    let lower = ease(-soft, soft, low - rim) * (1.0 - ease(0.55, 0.85, along.abs()));
    colour = mix(colour, shade(light.teeth, 0.74 * row(x, 0.72, soft) * (1.0 - 0.45 * round)), lower);

    let edge = 0.034 - 0.040 * round + scallop(x);
    let upper = ease(-soft, soft, edge - y) * (1.0 - ease(0.80, 0.98, along.abs()));
    colour = mix(colour, shade(light.teeth, row(x, 1.0, soft) * (1.0 - 0.50 * round * round - 0.12 * round)), upper);

    // Lips throw a shadow; the corners are dark.
    let shadow = (0.60 + 0.40 * ease(0.0, 0.030, place.under)) * (0.80 + 0.20 * ease(0.0, 0.02, place.over));
    let corner = 1.0 - 0.55 * ease(0.45, 1.0, along.abs());
    let hidden = 1.0 - 0.62 * place.round;
    shade(colour, hidden * shadow * corner * (1.0 + light.slope * along * 0.5))
}

/// One tooth beside the other: dark slits between them, each a little darker to its sides.
fn row(x: f32, size: f32, soft: f32) -> f32 {
    let x = x.abs();
    let ends = TEETH.map(|end| end * size);
    let gap = std::iter::once(0.0).chain(ends).map(|end| (x - end).abs()).fold(f32::MAX, f32::min);
    let slit = ease(SLIT * 0.3, SLIT + soft, gap);
    let bulge = ease(0.0, 0.035, gap);
    (0.84 + 0.16 * slit) * (0.95 + 0.05 * bulge)
}

/// The edge of the upper teeth is rounded between two of them.
fn scallop(x: f32) -> f32 {
    let x = x.abs();
    let gap = std::iter::once(0.0).chain(TEETH).map(|end| (x - end).abs()).fold(f32::MAX, f32::min);
    // The second one from the middle is the shortest.
    let short = if (TEETH[0]..TEETH[1]).contains(&x) { -0.006 } else { 0.0 };
    short - 0.008 * (1.0 - ease(0.0, 0.022, gap))
}

fn mix(a: Colour, b: Colour, part: f32) -> Colour {
    std::array::from_fn(|n| a[n] + (b[n] - a[n]) * part)
}

/// Darker or brighter; what is darker has less colour, too.
fn shade([y, u, v]: Colour, by: f32) -> Colour {
    let tint = by.clamp(0.0, 1.0);
    [16.0 + (y - 16.0) * by, 128.0 + (u - 128.0) * tint, 128.0 + (v - 128.0) * tint]
}

/// Grain that stays on its place, from -1 to 1.
pub(super) fn grain(x: i32, y: i32) -> f32 {
    let mut hash = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x2C1B_3C6D);
    hash = (hash ^ (hash >> 12)).wrapping_mul(0x297A_2D39);
    hash ^= hash >> 15;
    // The sum of two even ones is nearly a bell.
    let (a, b) = (hash & 0xFFFF, hash >> 16);
    (a + b) as f32 / 65_535.0 - 1.0
}
