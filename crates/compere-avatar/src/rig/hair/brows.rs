//! Brows, drawn hair by hair on the skin's pattern so that they move with it.

use crate::maths::Dice;
use crate::rig::body::sculpt::Body;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, interp, ss};
use crate::rig::people::person::{Hair, Look};

/// Pixels per model unit.
const FINE: f32 = 420.0;
/// What is covered, in model units from (x 0, eye height).
const WIDE: f32 = 0.75;
const LOW: f32 = 0.02;
const HIGH: f32 = 0.46;
/// How far beyond the middle of the eye a brow goes, and where hair or a scarf lies beside it: tails would run into that.
const END: f32 = 0.242;
const UNDER_HAIR: f32 = 0.21;

/// Coverage around one eye; the other is its mirror image with its own hairs.
pub(crate) struct Brows {
    soft: [Vec<f32>; 2],
    sharp: [Vec<f32>; 2],
    columns: usize,
    rows: usize,
}

impl Brows {
    pub(crate) fn new(body: &Body, look: &Look, hair: Hair) -> Self {
        let end = if matches!(hair, Hair::Long(_) | Hair::Scarf) { UNDER_HAIR } else { END };
        let (columns, rows) = ((WIDE * FINE) as usize, ((HIGH - LOW) * FINE) as usize);
        let mut dice = Dice::new(19, 4);
        let mut out = Self { soft: Default::default(), sharp: Default::default(), columns, rows };
        for side in 0..2 {
            let eye = body.eyes[side][0].abs();
            let mut sharp = vec![0.0; columns * rows];
            for _ in 0..900 {
                draw(&mut sharp, columns, rows, [eye, end], look, &mut dice);
            }
            out.soft[side] = blurred(&sharp, columns, rows, 7);
            out.sharp[side] = blurred(&sharp, columns, rows, 1);
        }
        out
    }

    /// A soft shadow under the brow, and its hairs.
    pub(crate) fn at(&self, r: V3) -> (f32, f32) {
        let side = usize::from(r[0] < 0.0);
        let (x, y) = (r[0].abs() * FINE - 0.5, (EYE_Y + HIGH - r[1]) * FINE - 0.5);
        let inside = x >= 0.0 && y >= 0.0 && x < (self.columns - 1) as f32 && y < (self.rows - 1) as f32;
        if !inside {
            return (0.0, 0.0);
        }
        let (ix, iy) = (x as usize, y as usize);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let read = |map: &[f32]| {
            let at = iy * self.columns + ix;
            let top = map[at] * (1.0 - fx) + map[at + 1] * fx;
            let low = map[at + self.columns] * (1.0 - fx) + map[at + self.columns + 1] * fx;
            top * (1.0 - fy) + low * fy
        };
        (read(&self.soft[side]).min(1.0), read(&self.sharp[side]).min(1.0))
    }
}

/// A hair of a brow over an `eye`, that reaches so far beyond its middle.
fn draw(map: &mut [f32], columns: usize, rows: usize, [eye, end]: [f32; 2], look: &Look, dice: &mut Dice) {
    let u = {
        // More hairs in the middle than at the ends.
        let v = dice.unit() * 0.5 + dice.unit() * 0.5;
        (v * 1.12 - 0.06).clamp(0.0, 1.0)
    };
    // It begins softly and runs out to a point: of one width it would be a strip with ends cut off.
    let thick = look.brow_width * interp(u, &[(0.0, 0.48), (0.16, 1.0), (0.6, 0.80), (0.85, 0.42), (1.0, 0.16)]);
    let x = eye + interp(u, &[(0.0, -0.185), (1.0, end)]);
    let arch = interp(u, &[(0.0, 0.0), (0.3, 0.030), (0.65, 0.060), (1.0, 0.014)]) * look.brow_arch;
    // Ends that hang look worried, ends that rise angry.
    let arch = arch + interp(u, &[(0.0, 0.006), (0.3, 0.002), (1.0, -0.004)]);
    let v = dice.normal().clamp(-1.8, 1.8) * 0.45;
    let y = look.brow_height + 0.02 + arch + v * thick;
    let dx = interp(u, &[(0.0, 0.60), (0.15, 0.85), (0.5, 1.0), (1.0, 1.0)]);
    let dy = interp(u, &[(0.0, 0.60), (0.15, 0.45), (0.5, 0.2), (1.0, -0.35)]) - v * 0.35;
    let size = (dx * dx + dy * dy).sqrt();
    // Short where the brow runs out, or it would end in a line.
    let long = dice.between(0.040, 0.075) * interp(u, &[(0.0, 0.70), (0.2, 1.0), (0.75, 1.0), (1.0, 0.55)]);
    let strength = dice.between(0.55, 1.0) * interp(u, &[(0.0, 0.22), (0.22, 1.0), (0.8, 1.0), (1.0, 0.6)]);
    let steps = 26;
    for step in 0..steps {
        let t = step as f32 / (steps - 1) as f32;
        let (px, py) = (x + dx / size * long * t, y + dy / size * long * t);
        let (cx, cy) = (px * FINE, (HIGH - py) * FINE);
        let half = 0.0024 * FINE * (1.0 - 0.75 * t);
        for yy in (cy - half - 1.0).max(0.0) as usize..((cy + half + 2.0).max(0.0) as usize).min(rows) {
            for xx in (cx - half - 1.0).max(0.0) as usize..((cx + half + 2.0).max(0.0) as usize).min(columns) {
                let (ax, ay) = (xx as f32 + 0.5 - cx, yy as f32 + 0.5 - cy);
                let cover = ss(half + 0.6, half - 0.6, (ax * ax + ay * ay).sqrt()) * strength;
                let cell = &mut map[yy * columns + xx];
                *cell = cell.max(cover);
            }
        }
    }
}

/// Three box blurs.
fn blurred(map: &[f32], columns: usize, rows: usize, reach: i32) -> Vec<f32> {
    let mut out = map.to_vec();
    for _ in 0..2 {
        for (dx, dy) in [(1, 0), (0, 1)] {
            let old = out.clone();
            for y in 0..rows as i32 {
                for x in 0..columns as i32 {
                    let sum: f32 = (-reach..=reach)
                        .map(|k| {
                            let (sx, sy) = (x + dx * k, y + dy * k);
                            let inside = (0..columns as i32).contains(&sx) && (0..rows as i32).contains(&sy);
                            if inside { old[sy as usize * columns + sx as usize] } else { 0.0 }
                        })
                        .sum();
                    out[y as usize * columns + x as usize] = sum / (2 * reach + 1) as f32;
                }
            }
        }
    }
    let most = out.iter().copied().fold(0.01, f32::max);
    if reach > 2 {
        for cell in &mut out {
            *cell /= most;
        }
    }
    out
}
