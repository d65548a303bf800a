//! Where hair grows: the line around the face, and roots over the scalp.

use crate::maths::Dice;
use crate::rig::body::skull::angles;
use crate::rig::ground::v3::{V3, exp, interp, length, norm, powi, ss};
use crate::rig::people::person::{Hair, LongCut};

/// Height of the hairline over the horizon, in degrees, by degrees from the front.
const LINE: [(f32, f32); 15] = [
    (0.0, 13.5),
    (12.0, 13.2),
    (22.0, 11.0),
    (29.0, 6.5),
    (35.0, -1.5),
    (40.0, -12.0),
    (44.0, -24.0),
    (49.0, -34.0),
    (55.0, -40.0),
    (66.0, -45.0),
    (80.0, -47.0),
    (92.0, -29.0),
    (120.0, -46.0),
    (150.0, -60.0),
    (180.0, -62.0),
];

/// How many degrees nearer to the front what is cut short begins at the temples.
const BEFORE: f32 = 6.5;

impl Hair {
    /// Height of the hairline at an azimuth: lower at the temples' corners when it recedes.
    pub(crate) fn line(self, azimuth: f32) -> f32 {
        if matches!(self, Self::Bald | Self::Scarf) {
            return 120.0;
        }
        let (recede, low) = match self {
            Self::Short { recede, .. } => (recede, 9.5),
            Self::Tied { .. } => (0.0, 9.5),
            // Highest at the parting, from where it falls to both sides as a curtain does.
            Self::Long(cut) => (0.0, 9.5 - 8.5 * ss(cut.arch(), 0.0, (azimuth - cut.parting()).abs())),
            _ => (0.0, 9.0),
        };
        let temple = exp(-powi((azimuth.abs() - 38.0) / 16.0, 2));
        let front = ss(50.0, 30.0, azimuth.abs());
        let side = if matches!(self, Self::Tied { .. }) {
            // Tied back it leaves the ears free.
            4.0 * ss(50.0, 64.0, azimuth.abs()) * ss(112.0, 88.0, azimuth.abs())
        } else if matches!(self, Self::Short { .. }) {
            // Sideburns, as far as the middle of the ear.
            3.0 * ss(50.0, 60.0, azimuth.abs()) * ss(80.0, 72.0, azimuth.abs())
        } else {
            0.0
        };
        interp(azimuth.abs(), &LINE) + side - low * front + recede * (0.35 + temple) * 12.0
    }
}

impl Hair {
    /// Degrees from the hairline, by the shortest way: at the temples it falls steeply, and what grows a little beside it is
    /// far above it. An edge that is told by height alone is hard there.
    pub(crate) fn above(self, d: V3) -> f32 {
        let (azimuth, elevation) = angles(d);
        if !matches!(self, Self::Short { .. } | Self::Tied { .. }) {
            return elevation - self.line(azimuth);
        }
        let azimuth = self.forward(azimuth.abs());
        let above = elevation - self.line(azimuth);
        let steep = (self.line(azimuth.abs() + 2.5) - self.line((azimuth.abs() - 2.5).abs())) / 5.0;
        let steep = steep.clamp(-2.6, 2.6);
        above / (1.0 + steep * steep).sqrt()
    }

    /// Whether a place is below the hairline, where hair would hang into the face.
    pub(super) fn in_face(self, d: V3) -> bool {
        angles(d).0.abs() < 60.0 && self.above(d) < -1.5
    }

    /// Where the line of a place is found that is so far from the front: what is cut short begins at the temples a little
    /// before the top does, where skin faces the lens. An edge behind that is cut by the head's own outline, as a cap's.
    fn forward(self, azimuth: f32) -> f32 {
        let before = if matches!(self, Self::Short { .. }) { BEFORE } else { 0.0 };
        azimuth + before * ss(30.0, 42.0, azimuth) * ss(78.0, 60.0, azimuth)
    }

    /// How much is left of hair that is cut short, which goes over into skin from the temples down to the sideburns, and of
    /// hair that is tied back, of which little grows before the ears.
    pub(crate) fn faded(self, d: V3) -> f32 {
        let (azimuth, elevation) = angles(d);
        match self {
            Self::Short { .. } => ss(-42.0, 2.0, elevation),
            Self::Tied { .. } => 1.0 - 0.9 * ss(-20.0, -44.0, elevation) * ss(92.0, 78.0, azimuth.abs()),
            _ => 1.0,
        }
    }
}

impl LongCut {
    /// Where it is parted, in degrees from the front.
    pub(super) fn parting(&self) -> f32 {
        56.0 * self.part
    }

    /// How far from there the hairline comes down: from a parting at the side it has a longer way to the other temple, and
    /// would be level over half of the forehead.
    fn arch(&self) -> f32 {
        40.0 + 26.0 * ss(0.1, 0.4, self.part.abs())
    }
}

/// A place where hair grows: its direction, and degrees above the hairline.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    pub(crate) d: V3,
    pub(crate) above: f32,
}

/// Roots spread evenly over the scalp, thinning out over `ragged` degrees at its edge.
pub(crate) fn roots(style: Hair, count: usize, ragged: f32, dice: &mut Dice) -> Vec<Root> {
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let d = [dice.normal(), dice.normal(), dice.normal()];
        if length(d) < 0.1 {
            continue;
        }
        let d = norm(d);
        let above = style.above(d);
        let wander = (crate::rig::ground::v3::noise(crate::rig::ground::v3::mul(d, 9.0)) - 0.5) * ragged * 1.5;
        if above > wander + dice.normal().abs() * ragged {
            out.push(Root { d, above });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::skull::direction;

    const SHORT: Hair = Hair::Short { top: 0.3, side: 0.1, sweep: 1.0, recede: 0.0 };

    #[test]
    fn beside_a_steep_hairline_nothing_is_far_above_it() {
        let line = |azimuth: f32| SHORT.line(SHORT.forward(azimuth));
        let temple = direction(38.0, line(35.0));
        let higher = line(35.0) - line(38.0);
        assert!((0.3 * higher..0.6 * higher).contains(&SHORT.above(temple)), "{} {higher}", SHORT.above(temple));
    }

    #[test]
    fn short_hair_is_whole_on_top_and_gone_below_the_ear() {
        let left = [40.0, -10.0, -25.0, -45.0].map(|elevation| SHORT.faded(direction(70.0, elevation)));
        assert!(left[0] == 1.0 && left[1] > left[2] && left[2] > left[3] && left[3] == 0.0, "{left:?}");
    }
}
