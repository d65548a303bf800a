//! Light of a face that smiles which no relief of so few points has, below its eyes; and where its mouth and nose are. Cheeks
//! and the folds beside them are finer: see [`super::smile`].

use crate::act::Ch;
use crate::rig::body::parts::{Mesh, SkinTraits};
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, exp, ss};

/// How much lighter the roll is that a cheek pushes up below an eye, and how much darker the hollow under it, at full weight,
/// where 256 is the light as it was.
const ROLL: f32 = 6.0;
const HOLLOW: f32 = 6.0;

/// Where a face smiles.
pub(crate) struct Folds {
    /// The corner of the mouth at the picture's right.
    corner: V3,
    /// The middle of the eye, likewise.
    eye: V3,
}

/// The corner of the mouth at the picture's right, as it was modelled.
pub(crate) fn corner(skin: &Mesh) -> V3 {
    let lips = skin.skin().iter().filter(|traits| traits.lips > 0.5).map(|traits| traits.rest);
    lips.fold([0.0, 6.25, 1.3], |best, p| if p[0] > best[0] { p } else { best })
}

/// How far below the corner of the mouth the red of the lower lip ends, in its middle.
pub(crate) fn lower_lip(skin: &Mesh, corner: V3) -> f32 {
    let middle = skin.skin().iter().filter(|traits| traits.rest[0].abs() < 0.25 * corner[0]);
    let red = middle
        .filter(|traits| traits.lips > 0.5 && traits.rest[2] > corner[2])
        .map(|traits| corner[1] - traits.rest[1]);
    red.fold(0.05, f32::max)
}

/// The foremost point of the nose, likewise.
pub(crate) fn tip(skin: &Mesh) -> V3 {
    let middle = skin.skin().iter().map(|traits| traits.rest);
    let middle = middle.filter(|p| p[0].abs() < 0.08 && (EYE_Y - 0.75..EYE_Y - 0.15).contains(&p[1]));
    middle.fold([0.0, EYE_Y - 0.42, 0.0], |best, p| if p[2] > best[2] { p } else { best })
}

/// Where a wing of a nose meets the cheek, at the picture's right, and how deep a groove is between them.
#[derive(Clone, Copy)]
pub(crate) struct Wing {
    pub(crate) at: V3,
    pub(crate) deep: f32,
    /// How high the openings are: below the edge from which the nose looks down, whose points lie close together.
    pub(crate) opens: f32,
}

/// Of the nose whose tip is known: where its side ends to fall back. Narrow noses go over into the cheek without a groove.
pub(crate) fn wing(skin: &Mesh, nose: V3) -> Wing {
    const STEP: f32 = 0.0125;
    // Above the openings, whose insides are among the points.
    let level = skin.skin().iter().filter(|traits| traits.inside < 0.3).map(|traits| traits.rest);
    let level: Vec<V3> = level.filter(|p| (0.0..0.055).contains(&(p[1] - nose[1])) && p[2] > nose[2] - 0.5).collect();
    let depth = |at: usize| {
        let near = level.iter().filter(|p| (p[0] - at as f32 * STEP).abs() < STEP);
        let (sum, count) = near.fold((0.0, 1e-6), |(sum, count), p| (sum + nose[2] - p[2], count + 1.0));
        sum / count
    };
    let bend = |at: usize| 2.0 * depth(at) - depth(at - 2) - depth(at + 2);
    let sharpest = (7..16).map(bend).fold(0.0, f32::max);
    let at = (7..16).rev().find(|&at| bend(at) >= 0.6 * sharpest).unwrap_or(11);
    Wing {
        at: [at as f32 * STEP, nose[1], nose[2] - depth(at)],
        deep: ss(0.012, 0.040, sharpest) * ss(0.12, 0.10, sharpest),
        opens: underside(skin, nose, at as f32 * STEP) - 0.014,
    }
}

/// The height of most points around the openings of a nose that is so wide.
fn underside(skin: &Mesh, nose: V3, wide: f32) -> f32 {
    let all = skin.skin().iter().filter(|traits| traits.inside < 0.3).map(|traits| traits.rest);
    let near = all.filter(|p| {
        (0.45..0.70).contains(&(p[0] / wide)) && (-0.13..0.0).contains(&(p[1] - nose[1])) && p[2] > nose[2] - 0.4
    });
    let mut heights: Vec<f32> = near.map(|p| p[1]).collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(nose[1] - 0.06)
}

impl Folds {
    /// `lines` is how much of the lines of years the face has.
    pub(crate) fn new(skin: &Mesh, eye: V3) -> Self {
        Self { eye, corner: corner(skin) }
    }

    /// What is shown of how relief says that a channel changes the light: the data's cheeks bulge in patches, which would
    /// gleam, and in full the corners of an upper lip that is drawn out would be dark hooks.
    pub(crate) fn calm(channel: Ch, relief: f32, traits: &SkinTraits) -> f32 {
        relief
            * match channel {
                Ch::Smile | Ch::Cheek | Ch::Dimple | Ch::Stretch => {
                    let [skin, lip] = if relief > 0.0 { [0.06, 1.0] } else { [0.15, 0.5] };
                    skin + (lip - skin) * ss(0.05, 0.4, traits.lips)
                }
                // What lids press together under an eye is soft; in full it would be a cut.
                Ch::Squint => 0.35,
                _ => 1.0,
            }
    }

    /// How a channel at full weight changes the light of a point of the skin at rest.
    pub(crate) fn of(&self, channel: Ch, p: V3) -> f32 {
        if channel == Ch::Cheek { self.under_eye(p) * self.front(p) } else { 0.0 }
    }

    fn front(&self, p: V3) -> f32 {
        ss(self.corner[2] - 0.45, self.corner[2] - 0.2, p[2])
    }

    /// What a cheek that rises folds under an eye: a soft roll along the lid, and a soft hollow between it and the cheek.
    fn under_eye(&self, p: V3) -> f32 {
        let (x, y) = (p[0].abs() - self.eye[0] - 0.015, p[1] - self.eye[1]);
        let bow = 0.9 * x * x;
        let along = exp(-(x * x) / (0.13 * 0.13));
        let bank = |at: f32, wide: f32| {
            let off = (y - at - bow) / wide;
            exp(-off * off)
        };
        along * (ROLL * bank(-0.150, 0.030) - HOLLOW * bank(-0.225, 0.034))
    }
}
