//! A trimmed beard, drawn hair by hair on the skin's pattern so that it moves with it.

use crate::maths::Dice;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, atan2, cos, exp, interp, noise, powi, sin, ss};

/// The map lies around the head: degrees from the middle of the face, and height over the eyes.
const AROUND: f32 = 108.0;
const LOW: f32 = -1.50;
const HIGH: f32 = 0.32;
/// The axis that it lies around, and how far from it skin is about.
const AXIS: f32 = 0.42;
const RADIUS: f32 = 0.80;
/// Pixels per model unit.
const FINE: f32 = 330.0;
const HAIRS: usize = 13_500;

/// Where cheeks begin: down before the ear, in a bow to the corner of the mouth, and up over the lip.
const UPPER: [(f32, f32); 12] = [
    (0.0, -0.485),
    (6.0, -0.485),
    (12.0, -0.520),
    (17.0, -0.575),
    (23.0, -0.615),
    (29.0, -0.615),
    (36.0, -0.545),
    (41.5, -0.440),
    (46.0, -0.310),
    (50.5, -0.165),
    (55.0, -0.010),
    (60.0, 0.160),
];

/// Both halves, each with hairs of its own.
pub(crate) struct Beard {
    halves: [Half; 2],
}

/// How much hairs cover, on the whole and one by one, and how light they are.
#[derive(Clone)]
struct Half {
    soft: Vec<f32>,
    sharp: Vec<f32>,
    tone: Vec<f32>,
}

/// What is seen of a beard at a place.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seen {
    pub(crate) cover: f32,
    pub(crate) tone: f32,
}

fn columns() -> usize {
    (AROUND.to_radians() * RADIUS * FINE) as usize
}

fn rows() -> usize {
    ((HIGH - LOW) * FINE) as usize
}

impl Beard {
    pub(crate) fn new() -> Self {
        let mut dice = Dice::new(23, 5);
        Self { halves: [0, 1].map(|_| Half::grown(&mut dice)) }
    }

    pub(crate) fn at(&self, r: V3) -> Seen {
        let x = atan2(r[0].abs(), r[2] - AXIS) * RADIUS * FINE - 0.5;
        let y = (EYE_Y + HIGH - r[1]) * FINE - 0.5;
        if !(x >= -0.5 && y >= 0.0 && x < (columns() - 1) as f32 && y < (rows() - 1) as f32) {
            return Seen::default();
        }
        let half = &self.halves[usize::from(r[0] < 0.0)];
        let x = x.max(0.0);
        let (fx, fy) = (x - (x as usize) as f32, y - (y as usize) as f32);
        let at = y as usize * columns() + x as usize;
        let read = |map: &[f32]| {
            let top = map[at] * (1.0 - fx) + map[at + 1] * fx;
            let low = map[at + columns()] * (1.0 - fx) + map[at + columns() + 1] * fx;
            top * (1.0 - fy) + low * fy
        };
        // Behind its front edge is the ear, and below that the neck.
        let front = ss(0.34, 0.52, r[2] + 0.26 * ss(-0.34, -0.50, r[1] - EYE_Y));
        Seen { cover: (0.90 * read(&half.soft)).max(read(&half.sharp)) * front, tone: read(&half.tone) }
    }
}

/// How densely hair grows, by degrees and height.
fn density(around: f32, high: f32) -> f32 {
    let rough = 0.08 * (noise([around * 0.16, high * 9.0, 4.0]) - 0.5);
    // Over the lip it has an edge, on the cheeks it thins out.
    let soft = 0.07 + 0.085 * ss(14.0, 30.0, around);
    let upper = interp(around, &UPPER) + rough;
    let lower = -1.14 + 0.27 * ss(20.0, 75.0, around) + rough;
    let inside = ss(upper + soft, upper - 1.5 * soft, high) * ss(lower - 0.15, lower + 0.11, high);
    // Beside the tuft under the lower lip, and in the groove over the upper, hardly any grows.
    let spot = |x: f32, y: f32, wide: f32, tall: f32| exp(-powi((around - x) / wide, 2) - powi((high - y) / tall, 2));
    let bare = (0.50 * spot(9.5, -0.885, 3.6, 0.050)).max(0.55 * spot(0.0, -0.50, 2.4, 0.06));
    let cheek = 1.0 - 0.35 * ss(26.0, 40.0, around) * ss(-0.78, -0.55, high);
    // Shaved heads have it fade out before the ear.
    inside * (1.0 - bare) * cheek * ss(0.20, -0.16, high)
}

/// Which way it grows: over the lip outwards, on the chin down, on the cheeks down and forward.
fn way(around: f32, high: f32) -> [f32; 2] {
    let lip = ss(-0.66, -0.58, high) * ss(27.0, 16.0, around);
    let cheek = ss(22.0, 42.0, around);
    let swirl = 1.1 * (noise([around * 0.09, high * 4.0, 11.0]) - 0.5);
    [0.05 + 0.80 * lip - 0.34 * cheek + swirl * (1.0 - 0.5 * lip), -1.0 + 0.45 * lip]
}

impl Half {
    fn grown(dice: &mut Dice) -> Self {
        let empty = vec![0.0; columns() * rows()];
        let mut out = Self { soft: Vec::new(), sharp: empty.clone(), tone: empty };
        let mut left = HAIRS;
        while left > 0 {
            let (around, high) = (dice.between(-3.0, AROUND - 6.0), dice.between(LOW, HIGH));
            let grows = density(around.abs(), high);
            if grows > dice.unit() {
                out.hair([around, high], grows, dice);
                left -= 1;
            }
        }
        out.soft = blurred(&out.sharp, 5);
        let tones: Vec<f32> = out.tone.iter().zip(&out.sharp).map(|(tone, cover)| tone * cover).collect();
        // Between hairs the mean of those around.
        let (tones, covers) = (blurred(&tones, 3), blurred(&out.sharp, 3));
        for (at, tone) in out.tone.iter_mut().enumerate() {
            let mean = tones[at] / covers[at].max(1e-3);
            *tone = mean * 0.8 * (1.0 - out.sharp[at]) + *tone * out.sharp[at];
        }
        out
    }

    fn hair(&mut self, [around, high]: [f32; 2], grows: f32, dice: &mut Dice) {
        let [dx, dy] = way(around.abs(), high);
        let lean = 0.32 * dice.normal().clamp(-2.0, 2.0);
        let (c, s) = (cos(lean), sin(lean));
        let size = (dx * dx + dy * dy).sqrt();
        let [dx, dy] = [(dx * c - dy * s) / size, (dx * s + dy * c) / size];
        // Short and fine where it thins out: in full they would be crumbs.
        let long = dice.between(0.040, 0.085) * (0.33 + 0.67 * grows);
        let strength = dice.between(0.60, 1.0) * (0.18 + 0.82 * grows);
        let chin = ss(24.0, 6.0, around.abs()) * ss(-0.80, -1.0, high);
        let grey = dice.unit() < 0.06 + 0.12 * chin;
        let tone = if grey { 0.40 * dice.between(0.35, 0.75) } else { dice.between(0.0, 0.11) };
        let bow = 0.25 * dice.normal();
        let steps = 22;
        for step in 0..steps {
            let t = step as f32 / (steps - 1) as f32;
            let (x, y) = (dx * t - dy * bow * t * t, dy * t + dx * bow * t * t);
            let cx = (around.to_radians() * RADIUS + x * long) * FINE;
            let cy = (HIGH - high - y * long) * FINE;
            self.dab([cx, cy], 0.0030 * (0.65 + 0.35 * grows) * FINE * (1.0 - 0.65 * t), strength, tone);
        }
    }

    fn dab(&mut self, [cx, cy]: [f32; 2], half: f32, strength: f32, tone: f32) {
        let span =
            |at: f32, most: usize| (at - half - 1.0).max(0.0) as usize..((at + half + 2.0).max(0.0) as usize).min(most);
        for y in span(cy, rows()) {
            for x in span(cx, columns()) {
                let (ax, ay) = (x as f32 + 0.5 - cx, y as f32 + 0.5 - cy);
                let cover = ss(half + 0.6, half - 0.6, (ax * ax + ay * ay).sqrt()) * strength;
                let at = y * columns() + x;
                self.sharp[at] = self.sharp[at].max(cover);
                self.tone[at] += (tone - self.tone[at]) * cover;
            }
        }
    }
}

/// Two box blurs.
fn blurred(map: &[f32], reach: usize) -> Vec<f32> {
    let mut out = map.to_vec();
    for _ in 0..2 {
        for (step, length) in [(1, columns()), (columns(), rows())] {
            let old = out.clone();
            for (at, cell) in out.iter_mut().enumerate() {
                let place = at / step % length;
                let (low, high) = (place.saturating_sub(reach), (place + reach).min(length - 1));
                let sum: f32 = (low..=high).map(|k| old[at - place * step + k * step]).sum();
                *cell = sum / (high - low + 1) as f32;
            }
        }
    }
    out
}
