//! Shade where skin goes on behind something: collars, hair, a jaw. What lamps leave is told at points of meshes, which lie
//! too far apart for it, and without it the one ends on the other like a card.

use compere_media::Pixmap;

use super::retouch::blurred;
use crate::maths::smooth;
use crate::rig::ground::camera::Camera;
use crate::rig::raster::render::{Hit, Shot};

/// How much of red, green and blue it takes: light that comes through skin is warm.
const TAKES: [f32; 3] = [0.76, 0.97, 1.08];
/// How far it falls to the side and down, as the key stands at the picture's left and above: shares of its reach.
const FALLS: [f32; 2] = [0.5, 0.4];

/// How wide the shade on skin is beside cloth, beside hair and under a jaw, and how much of the light it takes.
pub(super) const CLOTH: (f32, f32) = (0.05, 0.30);
pub(super) const HAIR: (f32, f32) = (0.07, 0.21);
pub(super) const JAW: (f32, f32) = (0.12, 0.18);

/// How wide a shade is, in pixels, and how much of the light is missing at most.
#[derive(Clone, Copy)]
pub(super) struct Soft {
    reach: usize,
    most: f32,
}

impl Soft {
    pub(super) fn new((wide, most): (f32, f32), camera: &Camera) -> Self {
        Self { reach: ((wide * camera.unit) as usize).max(1), most }
    }
}

/// Of cloth on the skin of a body's plate, whose first mesh it is.
pub(super) fn under_cloth(shot: &mut Shot, soft: Soft) {
    let size = [shot.picture.width(), shot.picture.height()].map(|side| side as usize);
    let cloth = shot.hits.iter().map(|hit| hit.filter(|hit| hit.mesh != 0).map_or([0.0; 2], |hit| [hit.depth, 1.0]));
    let near = blurred(cloth.collect(), size, soft.reach);
    let is_skin = |at: usize| shot.hits.get(at).is_some_and(|hit| hit.is_some_and(|hit| hit.mesh == 0));
    // An edge of cloth shows some of the skin behind it, which would be a bright line before its shade.
    let beside =
        |at: usize| [at.wrapping_sub(1), at + 1, at.wrapping_sub(size[0]), at + size[0]].into_iter().any(is_skin);
    // A neck stands before the shoulders it ends on: without a way from one to the other its base would be a line on them.
    let behind = |at: usize| {
        let hit = shot.hits[at].filter(|hit| hit.mesh == 0)?;
        let [depth, share] = near[at];
        Some(if share > 0.0 { smooth(-0.01, 0.05, hit.depth - depth / share) } else { 0.0 })
    };
    let behind = (0..near.len()).map(|at| behind(at).map_or([0.0; 2], |behind| [behind, 1.0]));
    let behind = blurred(behind.collect(), size, (soft.reach / 2).max(1));
    for (at, (pixel, [_, share])) in shot.picture.data_mut().iter_mut().zip(near).enumerate() {
        let Some(hit) = shot.hits[at].filter(|_| share > 0.0) else { continue };
        let behind = match hit.mesh {
            0 => behind[at][0] / behind[at][1].max(1e-6),
            _ if beside(at) => hit.behind,
            _ => continue,
        };
        dim(pixel, soft.most * behind * smooth(0.0, 0.5, share));
    }
}

/// What of a picture is chosen.
pub(super) fn only(shot: &Shot, chosen: impl Fn(&Hit) -> bool) -> Pixmap {
    let mut picture = shot.picture.clone();
    let others = shot.hits.iter().map(|hit| hit.is_some_and(|hit| !chosen(&hit)));
    picture.data_mut().iter_mut().zip(others).filter(|(_, other)| *other).for_each(|(pixel, _)| *pixel = [0; 4]);
    picture
}

/// Of what is `over` it, on skin: of hair on a face, of a jaw on a throat. Less towards an outline, beyond which nothing is.
pub(super) fn under(skin: &mut Pixmap, over: &Pixmap, soft: Soft, is_skin: impl Fn(usize) -> bool) {
    let size = [skin.width(), skin.height()].map(|side| side as usize);
    let [aside, down] = FALLS.map(|share| (share * soft.reach as f32) as usize);
    let from = |at: usize| at.checked_sub(down * size[0] + aside).filter(|_| at % size[0] >= aside);
    let over = |at: usize| over.data()[at][3];
    let own = skin
        .data()
        .iter()
        .enumerate()
        .map(|(at, skin)| [from(at).map_or(0, over), over(at).max(skin[3])].map(|alpha| f32::from(alpha) / 255.0));
    let near = blurred(own.collect(), size, soft.reach);
    for (at, (pixel, [over, all])) in skin.data_mut().iter_mut().zip(near).enumerate() {
        if over > 0.0 && pixel[3] > 0 && is_skin(at) {
            dim(pixel, soft.most * smooth(0.0, 0.7, over) * smooth(0.55, 0.95, all));
        }
    }
}

fn dim(pixel: &mut [u8; 4], share: f32) {
    for (c, takes) in pixel.iter_mut().zip(TAKES) {
        *c = (f32::from(*c) * (1.0 - share * takes)) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_is_darker_beside_what_lies_over_it_and_not_at_its_outline() {
        let mut skin = Pixmap::new(60, 40);
        (0..40).for_each(|y| skin.row_mut(y)[..50].fill([200, 150, 120, 255]));
        let mut hair = Pixmap::new(60, 40);
        (0..10).for_each(|y| hair.row_mut(y).fill([30, 20, 10, 255]));
        under(&mut skin, &hair, Soft { reach: 3, most: 0.3 }, |_| true);
        let at = |x: usize, y: u32| skin.row(y)[x];
        assert_eq!(at(20, 30), [200, 150, 120, 255]);
        assert!(at(20, 10)[1] < 130 && at(20, 10)[3] == 255, "{:?}", at(20, 10));
        // Warm, and less at the side where nothing is.
        let left = |k: usize| f32::from(at(20, 10)[k]) / f32::from(at(20, 30)[k]);
        assert!(left(0) > left(1) && left(1) > left(2), "{:?}", at(20, 10));
        assert!(at(49, 11)[1] > at(20, 11)[1], "{:?} {:?}", at(49, 11), at(20, 11));
        assert_eq!(at(55, 11), [0; 4]);
    }
}
