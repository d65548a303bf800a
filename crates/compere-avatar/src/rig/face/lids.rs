//! What lids do to the ball of an eye: their shade on it, and the moist edge of the lower one.
//!
//! The ball is lit once, lids move over it. So that an eye lies under its lids whatever they do, its pixels are shaded
//! by how far they are from them.

use compere_media::Rect;

use super::Eyeball;
use crate::rig::raster::deep::{Canvas, SKIN};

/// How far the shade of the upper lid reaches, soft and close, that of the lower one, and how thick that one's edge is, as
/// shares of the ball's radius.
const SOFT: f32 = 0.42;
const CLOSE: f32 = 0.13;
const LOWER: f32 = 0.16;
const EDGE: f32 = 0.075;
/// How far what is pink reaches out of the corner at the nose.
const FLESH: f32 = 0.26;

/// How much of the light each takes where it is darkest; and the corners.
const TAKEN: [f32; 3] = [0.46, 0.34, 0.14];
const CORNERS: f32 = 0.42;

/// Where lids end in every column of an eye.
#[derive(Default)]
pub(super) struct Lids {
    upper: Vec<f32>,
    lower: Vec<f32>,
    spare: Vec<f32>,
}

impl Lids {
    /// Around what is seen of an eye.
    pub(super) fn opening(canvas: &Canvas, which: usize, rect: Rect) -> Rect {
        let mut seen = Rect::default();
        // Of one that stands outside the picture nothing is.
        if rect.is_empty() {
            return seen;
        }
        for y in rect.y0..rect.y1 {
            let row = row(canvas, rect, y);
            let first = row.iter().position(|&part| is_eye(part, which));
            let last = row.iter().rposition(|&part| is_eye(part, which));
            if let (Some(first), Some(last)) = (first, last) {
                seen = seen.union(Rect::new(rect.x0 + first as i32, y, rect.x0 + last as i32 + 1, y + 1));
            }
        }
        seen
    }

    /// Shades all that is seen of an eye, which is inside `seen`.
    pub(super) fn shade(&mut self, canvas: &mut Canvas, which: usize, eye: &Eyeball, seen: Rect) {
        if seen.is_empty() {
            return;
        }
        let radius = eye.rect.width() as f32 * 0.5;
        self.measure(canvas, which, seen, (radius * 0.09) as usize + 1);
        let edge = self.edge(canvas, seen);
        let flesh = [0, 1, 2].map(|k| (u32::from(edge[k]) * [222, 176, 166][k] / 256) as u8);
        let wide_seen = seen.width() as f32;
        let width = canvas.size[0];
        let half = seen.width() as f32 * 0.5;
        let wide = eye.rect.width() as i32;
        for y in seen.y0..seen.y1 {
            let cells = (y * width + seen.x0) as usize..(y * width + seen.x1) as usize;
            let pixels = eye.pixels[((y - eye.rect.y0) * wide + seen.x0 - eye.rect.x0) as usize..].iter();
            let parts = canvas.part[cells.clone()].iter();
            for (at, ((color, &part), pixel)) in canvas.color[cells].iter_mut().zip(parts).zip(pixels).enumerate() {
                if !is_eye(part, which) {
                    continue;
                }
                let middle = (y - seen.y0) as f32 + 0.5;
                let (down, up) = ((middle - self.upper[at]) / radius, (self.lower[at] - middle) / radius);
                let side = (at as f32 + 0.5 - half).abs() / half;
                // What mirrors the lamp does so in the shade as well.
                let matt = 1.0 - pixel.glint[0].min(1.0);
                let taken = TAKEN[0] * near(down, SOFT) + TAKEN[1] * near(down, CLOSE);
                let left = (1.0 - taken) * (1.0 - TAKEN[2] * near(up, LOWER));
                let left = left * (1.0 - CORNERS * near(1.0 - side, 0.34));
                tint(color, 1.0 - (1.0 - left) * matt);
                // Where tears gather the ball ends and flesh begins.
                let inner = if which == 0 { at as f32 + 0.5 } else { wide_seen - at as f32 - 0.5 } / radius;
                moist(color, flesh, 0.70 * near(inner, FLESH).sqrt() * matt);
                moist(color, edge, (1.0 - up.max(0.0) / EDGE).max(0.0) * (1.0 - near(1.0 - side, 0.10)));
            }
        }
    }

    /// The colour of the lower lid's edge: of the skin below it, moist and with blood in it.
    fn edge(&self, canvas: &Canvas, seen: Rect) -> [u8; 3] {
        let [width, height] = canvas.size;
        let (mut sum, mut count) = ([0_u32; 3], 0);
        for (x, &lower) in (seen.x0..seen.x1).zip(&self.lower) {
            let y = seen.y0 + lower as i32 + 2;
            let cell = (y.min(height - 1) * width + x) as usize;
            if canvas.part[cell] == SKIN {
                let color = canvas.color[cell];
                sum.iter_mut().zip(color).for_each(|(sum, c)| *sum += u32::from(c));
                count += 1;
            }
        }
        let light = |k: usize, more: u32| (255 - (255 - sum[k] / count.max(1)) * (256 - more) / 256) as u8;
        [light(0, 96), light(1, 52), light(2, 60)]
    }

    /// Finds where lids end, as smooth lines: edges of pixels have steps.
    fn measure(&mut self, canvas: &Canvas, which: usize, seen: Rect, reach: usize) {
        let wide = seen.width() as usize;
        let high = seen.height() as f32;
        self.upper.clear();
        self.upper.resize(wide, high);
        self.lower.clear();
        self.lower.resize(wide, 0.0);
        for y in seen.y0..seen.y1 {
            let at = (y - seen.y0) as f32;
            for (x, &part) in row(canvas, seen, y).iter().enumerate() {
                if is_eye(part, which) {
                    self.upper[x] = self.upper[x].min(at);
                    self.lower[x] = at + 1.0;
                }
            }
        }
        evened(&mut self.upper, &mut self.spare, reach);
        evened(&mut self.lower, &mut self.spare, reach);
    }
}

fn is_eye(part: u8, which: usize) -> bool {
    usize::from(part) == which + 1
}

fn row(canvas: &Canvas, rect: Rect, y: i32) -> &[u8] {
    &canvas.part[(y * canvas.size[0] + rect.x0) as usize..(y * canvas.size[0] + rect.x1) as usize]
}

/// 1 at a lid and nothing `reach` away from it.
fn near(far: f32, reach: f32) -> f32 {
    let near = (1.0 - far.max(0.0) / reach).max(0.0);
    near * near
}

/// Light that has been on lids is warm.
fn tint(color: &mut [u8; 4], left: f32) {
    let kept =
        [left * (0.94 + 0.06 * left) + 0.06 * (1.0 - left), left * (0.90 + 0.10 * left), left * (0.89 + 0.11 * left)];
    color.iter_mut().zip(kept).for_each(|(c, kept)| *c = (f32::from(*c) * kept) as u8);
}

fn moist(color: &mut [u8; 4], edge: [u8; 3], share: f32) {
    let mixed = |c: u8, edge: u8| (f32::from(c) + (f32::from(edge) - f32::from(c)) * share) as u8;
    color.iter_mut().zip(edge).for_each(|(c, edge)| *c = mixed(*c, edge));
}

/// Means over neighbours, twice. At the ends there are fewer.
fn evened(line: &mut [f32], spare: &mut Vec<f32>, reach: usize) {
    for _ in 0..2 {
        spare.clear();
        spare.extend_from_slice(line);
        for (at, mean) in line.iter_mut().enumerate() {
            let near = &spare[at.saturating_sub(reach)..(at + reach + 1).min(spare.len())];
            *mean = near.iter().sum::<f32>() / near.len() as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::face::EyePixel;

    /// An eye of 40 by 24 pixels in skin, as white as it is lit.
    fn canvas() -> (Canvas, Eyeball) {
        let mut canvas = Canvas::new([60, 60]);
        canvas.part.fill(SKIN);
        canvas.color.fill([200, 150, 120, 255]);
        for y in 18..42 {
            canvas.part[y * 60 + 10..y * 60 + 50].fill(1);
            canvas.color[y * 60 + 10..y * 60 + 50].fill([210, 210, 210, 255]);
        }
        let pixel = EyePixel { depth: 0.0, normal: [0.0; 3], light: [1.0; 3], glint: [0.0; 3] };
        let rect = Rect::new(0, 0, 60, 60);
        (canvas, Eyeball { rect, pixels: vec![pixel; 3600], iris: Vec::new() })
    }

    #[test]
    fn the_ball_is_darkest_under_the_upper_lid_and_skin_stays() {
        let (mut canvas, eye) = canvas();
        let seen = Lids::opening(&canvas, 0, eye.rect);
        assert_eq!(seen, Rect::new(10, 18, 50, 42));
        Lids::default().shade(&mut canvas, 0, &eye, seen);
        let green = |x: usize, y: usize| canvas.color[y * 60 + x][1];
        assert!(green(30, 18) < 90, "{}", green(30, 18));
        assert!(green(30, 24) < green(30, 32) && green(30, 32) > 195, "{}", green(30, 32));
        assert!(green(12, 32) < green(30, 32));
        assert_eq!(canvas.color[17 * 60 + 30], [200, 150, 120, 255]);
    }

    #[test]
    fn an_eye_outside_the_picture_is_not_seen() {
        let (canvas, _) = canvas();
        assert!(Lids::opening(&canvas, 0, Rect::new(63, 10, 60, 40)).is_empty());
    }

    #[test]
    fn another_eye_is_not_seen_here() {
        let (canvas, eye) = canvas();
        assert!(Lids::opening(&canvas, 1, eye.rect).is_empty());
    }
}
