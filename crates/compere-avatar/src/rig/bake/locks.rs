//! What is done to a plate's hair once it is painted: shade between its locks, and no bits that hang on nothing.

use compere_media::Pixmap;

use super::retouch::{blurred, boxed};
use crate::maths::smooth;
use crate::rig::people::person::Hair;
use crate::rig::raster::render::{Hit, Shot};

/// How light it gets on a lock of how dark it gets under one, and how much higher or deeper that lies.
const LIGHT: f32 = 0.24;
const STEP: f32 = 0.07;

/// How dark it gets under a lock: what is cut short has none, but single hairs in tufts.
pub(super) fn dark(hair: Hair) -> f32 {
    match hair {
        Hair::Long(_) => 0.17,
        Hair::Curls { loose: true, .. } => 0.62,
        Hair::Curls { .. } => 0.42,
        Hair::Tied { .. } => 0.30,
        Hair::Short { .. } | Hair::Bald | Hair::Scarf => 0.0,
    }
}

/// Locks that lie under others are darker: light at points of strands is too coarse for that. `reach` is half of a lock's
/// width in pixels. Single strands count for nothing here, or each would have a dark seam.
pub(super) fn shaded(shot: &mut Shot, reach: usize, most: f32, is_hair: impl Fn(&Hit) -> bool) {
    if most == 0.0 {
        return;
    }
    let (width, height) = (shot.picture.width() as usize, shot.picture.height() as usize);
    let own = shot.hits.iter().map(|hit| hit.filter(&is_hair).map_or([0.0; 2], |hit| [hit.depth, 1.0]));
    let lock = (reach / 5).max(1);
    let near = boxed(&boxed(&own.collect::<Vec<_>>(), width, height, 1, width, lock), height, width, width, 1, lock);
    let far = blurred(near.clone(), [width, height], reach);
    for ((pixel, near), far) in shot.picture.data_mut().iter_mut().zip(&near).zip(&far) {
        // At an outline half of the neighbourhood is missing, and what is left lies to one side.
        let sure = smooth(0.55, 0.95, near[1]) * smooth(0.55, 0.95, far[1]);
        if sure == 0.0 {
            continue;
        }
        let deeper = near[0] / near[1] - far[0] / far[1];
        // What falls off farther than a lock is high is the mass that turns away, and lies in the rim's light.
        let dark = most * smooth(0.0, STEP, deeper) * (1.0 - 0.8 * smooth(STEP, 3.0 * STEP, deeper));
        let factor = 1.0 - sure * (dark - LIGHT * most * smooth(0.0, STEP, -deeper));
        let alpha = f32::from(pixel[3]);
        for c in &mut pixel[..3] {
            *c = (f32::from(*c) * factor).min(alpha) as u8;
        }
    }
}

/// What is fainter than this holds nothing together.
const FAINT: u8 = 28;

/// Takes away what covers fewer than `least` pixels and touches nothing else: ends of strands whose middle lies behind
/// something would float in the air.
pub(super) fn swept(picture: &mut Pixmap, least: usize) {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut known: Vec<bool> = picture.data().iter().map(|pixel| pixel[3] < FAINT).collect();
    let mut piece = Vec::new();
    for at in 0..width * height {
        if known[at] {
            continue;
        }
        known[at] = true;
        piece.clear();
        piece.push(at);
        let mut next = 0;
        while let Some(&from) = piece.get(next) {
            next += 1;
            let (x, y) = (from % width, from / width);
            for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let near = ny * width + nx;
                    if !known[near] {
                        known[near] = true;
                        piece.push(near);
                    }
                }
            }
        }
        if piece.len() < least {
            piece.iter().for_each(|&gone| picture.data_mut()[gone] = [0; 4]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_go_and_what_hangs_together_stays() {
        let mut picture = Pixmap::new(12, 6);
        let ink = [9, 9, 9, 255];
        // A curl that touches by its corner, and a bit that does not.
        (0..5).for_each(|y| picture.row_mut(y)[1] = ink);
        picture.row_mut(5)[2] = ink;
        picture.row_mut(2)[8] = ink;
        picture.row_mut(3)[8] = ink;
        swept(&mut picture, 4);
        let left = picture.data().iter().filter(|pixel| pixel[3] > 0).count();
        assert_eq!((left, picture.row(5)[2], picture.row(2)[8]), (6, ink, [0; 4]));
    }
}
