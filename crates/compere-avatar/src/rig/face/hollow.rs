//! Shade between lips.

use compere_media::Rect;

use crate::maths::lerp;
use crate::rig::ground::v3::ss;
use crate::rig::raster::deep::{Canvas, FOLD, INNER};
use crate::rig::raster::flat::{PLACE, Place};

/// Lips keep light from teeth and tongue: most from what lies right below the upper one, and from the sides, so that
/// corners are deep. How far it is to them is counted in pixels, up, down, and along the row.
pub(super) struct Hollow {
    /// How far the shade of the upper lip, of corners and of the lower lip reaches, in pixels.
    reach: [f32; 3],
    /// What is left of the light in each pixel of the mouth, and how far above each column the lip ends.
    left: Vec<f32>,
    above: Vec<u16>,
    /// How much of each column is open, and what is left of the light in it at least: behind lips, and on their insides.
    open: Vec<u16>,
    least: Vec<[f32; 2]>,
    /// The lip below what is open of each column.
    below: Vec<Option<[u8; 4]>>,
    /// How wide the upper row is, in pixels.
    wide: f32,
}

/// The same as shares of how wide the upper row is.
const REACH: [f32; 3] = [0.13, 0.25, 0.06];
/// How much of the light each takes at most.
const TAKEN: [f32; 3] = [0.24, 0.40, 0.10];
/// Of a mouth that is open by little no more than such a share of it lies in the shade of either lip: a row of teeth would
/// be a grey band.
const SHADED: f32 = 0.55;
/// And how much of it is there at least: deep in an open mouth, and between lips that hardly part, which would be a black
/// line.
const LEAST: [f32; 2] = [0.42, 0.64];
/// How far lips are apart there, as shares of how wide the upper row is.
const APART: [f32; 2] = [0.075, 0.025];

/// Insides of lips lie in that shade towards the corners, from so far from the middle; elsewhere pixels of them are seen along
/// the teeth, which would be black dots.
const CORNERS: [f32; 2] = [0.60, 0.82];

/// And no deeper than to this: all of it would be a dark pocket.
const INSIDE: f32 = 0.58;

/// Lips are shut below so much between them, and open above that, as shares of how wide the upper row is.
const SHUT: [f32; 2] = [0.05, 0.08];
/// How much of their insides is then of the lip's tone, and how dark that is.
const CLOSED: f32 = 0.8;
const TONE: [f32; 3] = [0.74, 0.56, 0.56];
/// From how bright on what is seen between lips may be a tooth, in display bytes, and where it is one.
const WHITE: [f32; 2] = [60.0, 110.0];
/// How far below its edge a lip is of that tone.
const DEEP: f32 = 0.03;

impl Hollow {
    /// `teeth` are the points of the upper row.
    pub(super) fn new(teeth: &[Place]) -> Self {
        let ends = teeth.iter().fold([f32::MAX, f32::MIN], |[low, high], p| [low.min(p[0]), high.max(p[0])]);
        let wide = ((ends[1] - ends[0]) / PLACE).max(1.0);
        Self {
            reach: REACH.map(|share| share * wide),
            left: Vec::new(),
            above: Vec::new(),
            open: Vec::new(),
            least: Vec::new(),
            below: Vec::new(),
            wide,
        }
    }

    pub(super) fn shade(&mut self, canvas: &mut Canvas, mouth: Rect) {
        let [width, height] = canvas.size;
        let mouth = mouth.intersect(Rect::new(0, 0, width, height));
        if mouth.is_empty() {
            return;
        }
        let wide = mouth.width() as usize;
        let row = |y: i32| (y * width + mouth.x0) as usize..(y * width + mouth.x1) as usize;
        self.left.clear();
        self.left.resize(wide * mouth.height() as usize, 1.0);
        self.measure(canvas, mouth);
        self.close(canvas, mouth);
        self.fall(canvas, mouth, 0);
        self.fall(canvas, mouth, 2);
        for (y, left) in (mouth.y0..mouth.y1).zip(self.left.chunks_mut(wide)) {
            let parts = &canvas.part[row(y)];
            let mut far = 0;
            for (left, &part) in left.iter_mut().zip(parts) {
                far = if is_inner(part) { far + 1 } else { 0 };
                *left *= kept(far, self.reach[1], TAKEN[1]);
            }
            far = 0;
            for (left, &part) in left.iter_mut().zip(parts).rev() {
                far = if is_inner(part) { far + 1 } else { 0 };
                *left *= kept(far, self.reach[1], TAKEN[1]);
            }
            // Edges of lips have steps, which must not be drawn out.
            let mut before = left[0];
            for at in 0..wide {
                let (own, next) = (left[at], left[(at + 1).min(wide - 1)]);
                left[at] = 0.25 * (before + next) + 0.5 * own;
                before = own;
            }
            let pixels = canvas.color[row(y)].iter_mut().zip(parts);
            for (((color, &part), left), [least, lips]) in pixels.zip(left).zip(&self.least) {
                if is_inner(part) {
                    // Light that has been on lips is red.
                    let left = left.max(if part == FOLD { *lips } else { *least });
                    let kept = [left, left * (0.75 + 0.25 * left), left * (0.70 + 0.30 * left)];
                    color.iter_mut().zip(kept).for_each(|(c, kept)| *c = (f32::from(*c) * kept) as u8);
                }
            }
        }
    }

    fn measure(&mut self, canvas: &Canvas, mouth: Rect) {
        self.open.clear();
        self.open.resize(mouth.width() as usize, 0);
        for y in mouth.y0..mouth.y1 {
            let start = (y * canvas.size[0] + mouth.x0) as usize;
            let parts = &canvas.part[start..start + self.open.len()];
            self.open.iter_mut().zip(parts).for_each(|(open, &part)| *open += u16::from(is_inner(part)));
        }
        let [apart, shut] = APART.map(|share| share * self.wide);
        self.least.clear();
        let is_open = |open: &u16| *open > 0;
        let ends =
            [self.open.iter().position(is_open), self.open.iter().rposition(is_open)].map(Option::unwrap_or_default);
        let (middle, half) = (0.5 * (ends[0] + ends[1]) as f32, (0.5 * (ends[1] - ends[0]) as f32).max(1.0));
        self.least.extend(self.open.iter().enumerate().map(|(at, &open)| {
            let least = lerp(LEAST[0], LEAST[1], ss(apart, shut, f32::from(open)));
            [least, lerp(1.0, least.max(INSIDE), ss(CORNERS[0], CORNERS[1], (at as f32 - middle).abs() / half))]
        }));
    }

    /// Lips that rest on each other touch to their corners; of the data they part there, and one would look into dark pockets.
    /// What is seen of their insides is nearly of the tone of the lip below.
    fn close(&mut self, canvas: &mut Canvas, mouth: Rect) {
        let most = self.open.iter().max().copied().unwrap_or(0);
        let share = CLOSED * ss(SHUT[1], SHUT[0], f32::from(most) / self.wide);
        if share <= 0.0 {
            return;
        }
        let width = canvas.size[0];
        // The edge itself is a dark line.
        let inside = (DEEP * self.wide) as i32 + 1;
        self.below.clear();
        self.below.resize(mouth.width() as usize, None);
        for y in (mouth.y0..mouth.y1).rev() {
            let row = (y * width + mouth.x0) as usize;
            let lip = ((y + inside).min(mouth.y1 - 1) * width + mouth.x0) as usize;
            for (x, below) in self.below.iter_mut().enumerate() {
                if !is_inner(canvas.part[row + x]) {
                    *below = None;
                    continue;
                }
                let lip = *below.get_or_insert(canvas.color[lip + x]);
                let color = &mut canvas.color[row + x];
                // Teeth stay what they are.
                let share = share * ss(WHITE[1], WHITE[0], f32::from(color[1]));
                let color = color.iter_mut().zip(lip).zip(TONE);
                color.for_each(|((c, lip), tone)| *c = lerp(f32::from(*c), tone * f32::from(lip), share) as u8);
            }
        }
    }

    /// From the upper lip downwards, or from the lower upwards.
    fn fall(&mut self, canvas: &Canvas, mouth: Rect, from: usize) {
        let (wide, width) = (mouth.width() as usize, canvas.size[0]);
        self.above.clear();
        self.above.resize(wide, 0);
        let high = mouth.height() as i32;
        for at in 0..high {
            let at = if from == 0 { at } else { high - 1 - at };
            let start = ((mouth.y0 + at) * width + mouth.x0) as usize;
            let left = &mut self.left[at as usize * wide..(at as usize + 1) * wide];
            let columns = self.above.iter_mut().zip(&self.open);
            for ((left, (above, &open)), &part) in left.iter_mut().zip(columns).zip(&canvas.part[start..start + wide]) {
                *above = if is_inner(part) { *above + 1 } else { 0 };
                let reach = self.reach[from].min(SHADED * f32::from(open)).max(1.0);
                *left *= kept(*above, reach, TAKEN[from]);
            }
        }
    }
}

/// Teeth, tongue, and the insides of lips and cheeks beside them.
fn is_inner(part: u8) -> bool {
    (INNER..=FOLD).contains(&part)
}

/// What is left of the light so far from a lip.
fn kept(far: u16, reach: f32, taken: f32) -> f32 {
    let near = (1.0 - f32::from(far) / reach).max(0.0);
    1.0 - taken * near * near
}
