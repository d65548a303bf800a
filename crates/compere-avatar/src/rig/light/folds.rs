//! Light of a smile that no relief of so few points has: the soft fold from the nose to the mouth, and the cheek above it.

use crate::act::Ch;
use crate::rig::body::parts::{Mesh, SkinTraits};
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, exp, ss};

/// How much darker the fold and how much lighter the cheek is at full weight, where 256 is the light as it was.
const FOLD: f32 = 13.0;
const CHEEK: f32 = 12.0;

/// Half of how wide the fold is, softly.
const WIDE: f32 = 0.036;

/// Where a face smiles.
pub(crate) struct Folds {
    /// The corner of the mouth at the picture's right.
    corner: V3,
}

/// The corner of the mouth at the picture's right, as it was modelled.
pub(crate) fn corner(skin: &Mesh) -> V3 {
    let lips = skin.skin().iter().filter(|traits| traits.lips > 0.5).map(|traits| traits.rest);
    lips.fold([0.2, 6.25, 1.3], |best, p| if p[0] > best[0] { p } else { best })
}

/// The foremost point of the nose, likewise.
pub(crate) fn tip(skin: &Mesh) -> V3 {
    let middle = skin.skin().iter().map(|traits| traits.rest);
    let middle = middle.filter(|p| p[0].abs() < 0.08 && (EYE_Y - 0.75..EYE_Y - 0.15).contains(&p[1]));
    middle.fold([0.0, EYE_Y - 0.42, 0.0], |best, p| if p[2] > best[2] { p } else { best })
}

impl Folds {
    pub(crate) fn new(skin: &Mesh) -> Self {
        Self { corner: corner(skin) }
    }

    /// How much of what relief says of a channel is shown: the data's cheeks bulge in patches, which would gleam.
    pub(crate) fn calm(channel: Ch, traits: &SkinTraits) -> f32 {
        match channel {
            Ch::Smile | Ch::Cheek | Ch::Dimple | Ch::Stretch => 0.45 + 0.55 * ss(0.05, 0.4, traits.lips),
            // What lids press together under an eye is soft; in full it would be a cut.
            Ch::Squint => 0.35,
            _ => 1.0,
        }
    }

    /// How a channel at full weight changes the light of a point of the skin at rest.
    pub(crate) fn of(&self, channel: Ch, p: V3) -> f32 {
        let strength = match channel {
            Ch::Smile => 1.0,
            Ch::Cheek => 0.35,
            _ => return 0.0,
        };
        let (x, y) = (p[0].abs() - self.corner[0], p[1] - self.corner[1]);
        // From beside the wing of the nose, around the corner of the mouth.
        let bow = 0.062 - 0.42 * (y - 0.02).max(0.0) - 0.9 * (y - 0.02).min(0.0) * (y - 0.02).min(0.0);
        let off = x - bow;
        let ends = ss(0.27, 0.13, y) * ss(-0.16, -0.03, y);
        let fold = exp(-(off * off) / (WIDE * WIDE)) * ends;
        let above = ss(0.02, 0.09, off) * ss(0.34, 0.16, off) * ss(0.36, 0.22, y) * ss(-0.02, 0.10, y);
        strength * (CHEEK * above - FOLD * fold) * ss(self.corner[2] - 0.45, self.corner[2] - 0.2, p[2])
    }
}
