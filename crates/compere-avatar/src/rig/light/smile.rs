//! Light of a smile, pixel by pixel: points of a face are too few for a fold that begins at once.
//!
//! A cheek is lifted and hangs over the fold from the nose to the mouth: that is told as heights, and lit by the lamps, so
//! that both sides of a face differ as they do. It is told where skin is once it smiles: at rest the way of a fold would be
//! bent by what moves beside it.

use super::folds::{Wing, corner};
use super::studio::{FILL, KEY};
use crate::maths::lerp;
use crate::rig::body::parts::Mesh;
use crate::rig::ground::v3::{V3, dot, exp, norm, powi, ss, sub};

/// How much darker a fold is than the skin around, and how high the cheek hangs over it.
const DARK: f32 = 0.15;
const STEP: f32 = 0.042;
/// How much of a fold a young face has, and how much one with all lines of years.
const AGED: [f32; 2] = [0.50, 1.25];
/// How high a cheek is lifted, and how wide and tall what is lifted is, softly.
const APPLE: f32 = 0.10;
const ROUND: [f32; 2] = [0.16, 0.13];
/// Over which width it falls to the fold, and over which it runs out on the cheek.
const FALL: f32 = 0.036;
const RUN: f32 = 0.10;
/// Half of how wide the shade in the fold is, softly, towards the lip and towards the cheek that covers it.
const WIDE: [f32; 2] = [0.045, 0.012];
/// How far the way of the fold bows out.
const BOW: f32 = 0.03;
/// Sides of a fold lean: what is across it is nearer than what is beside it.
const LEANS: f32 = 0.8;
/// How much of what lamps give more or less is kept: skin scatters it.
const KEPT: [f32; 2] = [0.32, 0.45];

/// Where a face is that smiles.
pub(crate) struct Smile {
    /// Where the fold begins, beside the wing of the nose, and where it ends, below the corner of the mouth.
    from: [f32; 2],
    to: [f32; 2],
    /// The middle of the cheek that is lifted.
    apple: [f32; 2],
    /// How far in front the corner of the mouth is.
    front: f32,
    /// How deep the fold is.
    deep: f32,
}

impl Smile {
    /// Of skin whose points were `moved` by it; `eye` is at the picture's right.
    pub(crate) fn new(skin: &Mesh, moved: &[V3], wing: Wing, eye: V3, lines: f32) -> Self {
        let at = corner(skin);
        let smiled = |p: V3| {
            let far = |v: &usize| {
                let d = sub(skin.skin()[*v].rest, p);
                dot(d, d)
            };
            let nearest = (0..skin.points.len()).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0);
            let by = sub(moved[nearest], skin.points[nearest]);
            [p[0] + by[0], p[1] + by[1]]
        };
        let (mouth, nose) = (smiled(at), smiled(wing.at));
        Self {
            from: [nose[0] + 0.015, nose[1] - 0.03],
            to: [mouth[0] + 0.085, mouth[1] - 0.10],
            apple: [mouth[0] + 0.14, lerp(mouth[1], eye[1], 0.41)],
            front: at[2],
            deep: lerp(AGED[0], AGED[1], lines.min(1.0)),
        }
    }

    /// How far down the fold a height is.
    fn down(&self, y: f32) -> f32 {
        (self.from[1] - y) / (self.from[1] - self.to[1])
    }

    /// How far a place is on the side of the cheek from the fold.
    fn off(&self, x: f32, y: f32) -> f32 {
        let t = self.down(y).clamp(-0.3, 1.3);
        LEANS * (x - lerp(self.from[0], self.to[0], t) - BOW * 4.0 * t * (1.0 - t))
    }

    /// How high the cheek lifts a place, and how high it stands over the fold.
    fn high(&self, x: f32, y: f32) -> [f32; 2] {
        let q = [(x - self.apple[0]) / ROUND[0], (y - self.apple[1]) / ROUND[1]];
        let off = self.off(x, y);
        [APPLE * exp(-q[0] * q[0] - q[1] * q[1]), self.deep * STEP * ss(-FALL, FALL, off) * exp(-off.max(0.0) / RUN)]
    }

    /// The light of a point of the skin that is `p` in a smile and faces `n` at rest: 256 as it was.
    pub(crate) fn of(&self, p: V3, n: V3) -> i32 {
        const BESIDE: f32 = 0.004;
        let front = ss(self.front - 0.45, self.front - 0.2, p[2]);
        let (x, y) = (p[0].abs(), p[1]);
        if front <= 0.0 || (x - self.apple[0]).abs() > 0.5 || (y - self.apple[1]).abs() > 0.6 {
            return 256;
        }
        let ends = ss(-0.15, 0.15, self.down(y)) * ss(1.2, 0.55, self.down(y));
        let here = self.high(x, y);
        let slope = |[apple, over]: [f32; 2]| (apple - here[0] + ends * (over - here[1])) / BESIDE;
        let (across, up) = (slope(self.high(x + BESIDE, y)), slope(self.high(x, y + BESIDE)));
        let turned = norm(sub(n, [p[0].signum() * across, up, 0.0]));
        let change = received(turned) / received(n) - 1.0;
        let change = (KEPT[usize::from(change < 0.0)] * change).clamp(-0.25, 0.15);
        let off = self.off(x, y);
        let shade = ends * exp(-powi(off / WIDE[usize::from(off > 0.0)], 2));
        let light = (1.0 + change) * (1.0 - DARK * self.deep * shade);
        (256.0 + (light - 1.0) * 256.0 * front) as i32
    }
}

/// What skin that faces so gets from the lamps, roughly.
fn received(n: V3) -> f32 {
    let lamps = [(norm(KEY), 0.60), (norm(FILL), 0.22), ([0.0, 1.0, 0.0], 0.10)];
    0.42 + lamps.iter().map(|(lamp, strength)| strength * (dot(n, *lamp) * 0.8 + 0.2).max(0.0)).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face whose fold goes straight down beside the middle.
    const FACE: Smile = Smile { from: [0.2, 6.5], to: [0.2, 6.1], apple: [0.36, 6.5], front: 1.0, deep: 1.0 };

    fn light(x: f32, y: f32) -> i32 {
        FACE.of([x, y, 1.0], [0.0, 0.0, 1.0])
    }

    #[test]
    fn a_fold_is_dark_at_once_beside_the_cheek_and_gets_lighter_towards_the_lip() {
        let way = 0.2 + BOW;
        let [lip, fold, cheek] = [-0.07, 0.0, 0.06].map(|off| light(way + off, 6.3));
        assert!(fold < lip - 8 && fold < cheek - 8, "{lip} {fold} {cheek}");
        let near = |off: f32| fold - light(way + off, 6.3);
        assert!(near(0.03) < near(-0.03), "it begins at once: {} {}", near(0.03), near(-0.03));
    }

    #[test]
    fn the_key_lights_one_cheek_and_not_the_other() {
        let cheek = |side: f32| light(side * 0.52, 6.5);
        assert!(cheek(-1.0) > cheek(1.0), "{} {}", cheek(-1.0), cheek(1.0));
    }

    #[test]
    fn a_face_is_left_alone_beyond_its_cheeks() {
        assert_eq!([light(0.36, 7.2), light(1.0, 6.3)], [256; 2]);
        assert_eq!(FACE.of([0.2, 6.3, 0.4], [0.0, 0.0, 1.0]), 256, "behind the face");
    }
}
