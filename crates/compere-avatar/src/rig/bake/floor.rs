//! The shade of shoes on the ground: without it a whole figure floats.

use compere_media::Pixmap;

use crate::maths::smooth;
use crate::rig::body::parts::Mesh;
use crate::rig::ground::camera::Camera;

/// How dark it is right under a sole, and around both feet.
const UNDER: f32 = 0.62;
const AROUND: f32 = 0.26;

/// A round spot on the ground, as the lens sees it: flat.
struct Spot {
    middle: [f32; 2],
    half: [f32; 2],
    dark: f32,
}

impl Spot {
    fn dark(&self, x: f32, y: f32) -> f32 {
        let [dx, dy] = [(x - self.middle[0]) / self.half[0], (y - self.middle[1]) / self.half[1]];
        self.dark * smooth(1.0, 0.15, (dx * dx + dy * dy).sqrt())
    }
}

/// Lays the shade under what is painted already.
pub(super) fn shade(picture: &mut Pixmap, camera: &Camera, shoes: &Mesh) {
    let Some(spots) = spots(camera, shoes) else { return };
    for y in 0..picture.height() {
        let high = y as f32 + 0.5;
        if spots.iter().all(|spot| (high - spot.middle[1]).abs() > spot.half[1]) {
            continue;
        }
        for (x, pixel) in picture.row_mut(y).iter_mut().enumerate() {
            let left = spots.iter().fold(1.0, |left, spot| left * (1.0 - spot.dark(x as f32 + 0.5, high)));
            let under = (1.0 - left) * f32::from(255 - pixel[3]);
            pixel[3] += under as u8;
        }
    }
}

/// One under each shoe, and a wider one that falls away from the key.
fn spots(camera: &Camera, shoes: &Mesh) -> Option<[Spot; 3]> {
    let one = |sign: f32| {
        let mine = shoes.points.iter().filter(|p| p[0] * sign > 0.0).map(|&p| camera.project(p));
        mine.fold(None, |all: Option<[f32; 3]>, q| {
            let [left, right, low] = all.unwrap_or([q[0], q[0], q[1]]);
            Some([left.min(q[0]), right.max(q[0]), low.max(q[1])])
        })
    };
    let [a, b] = [one(-1.0)?, one(1.0)?];
    let unit = camera.unit;
    let under = |[left, right, low]: [f32; 3]| Spot {
        middle: [(left + right) * 0.5 + 0.03 * unit, low - 0.06 * unit],
        half: [(right - left) * 0.5 + 0.16 * unit, 0.15 * unit],
        dark: UNDER,
    };
    let (left, right, low) = (a[0].min(b[0]), a[1].max(b[1]), a[2].max(b[2]));
    let around = Spot {
        middle: [(left + right) * 0.5 + 0.30 * unit, low - 0.10 * unit],
        half: [(right - left) * 0.5 + 0.75 * unit, 0.34 * unit],
        dark: AROUND,
    };
    Some([under(a), under(b), around])
}
