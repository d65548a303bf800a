//! Parts of a person as meshes, and what is known of each of their points.

use crate::rig::ground::data::Deltas;
use crate::rig::ground::mesh::{normals, relax};
use crate::rig::ground::v3::{V3, add, mul, norm, sub};

/// How a part is shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuff {
    Skin,
    Eye,
    Teeth,
    Tongue,
    Lash,
    Hair,
    /// Cloth over the hair.
    Scarf,
    /// Glasses.
    Frame,
    Cloth(Piece),
}

/// A piece of clothing: layers from the skin outwards, then what is sewn on, then what is worn below the waist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Top,
    Jacket,
    Lapel,
    /// Bands, collars, ties: cut only by a jacket over them.
    Band,
    ShirtBand,
    Tie,
    Trousers,
    Shoes,
}

impl Piece {
    pub(crate) fn is_sewn_on(self) -> bool {
        matches!(self, Self::Band | Self::ShirtBand | Self::Tie)
    }
}

impl Stuff {
    /// What lies over the head and goes with it.
    pub(crate) fn is_headgear(self) -> bool {
        matches!(self, Self::Hair | Self::Scarf | Self::Frame)
    }

    pub(crate) fn is_strand(self) -> bool {
        matches!(self, Self::Lash | Self::Hair)
    }
}

/// What is known of every point of a mesh, by what it is of.
#[derive(Clone)]
pub(crate) enum Traits {
    Skin(Vec<SkinTraits>),
    Eye(Vec<EyeTraits>),
    Mouth(Vec<MouthTraits>),
    Strands(Vec<StrandTraits>),
    Cloth(Vec<ClothTraits>),
    /// Nothing but the points themselves.
    Plain,
}

/// Where a point of skin lies at rest, and how much it is of what has a look of its own.
#[derive(Clone, Copy)]
pub(crate) struct SkinTraits {
    pub(crate) rest: V3,
    pub(crate) lips: f32,
    pub(crate) lid: f32,
    pub(crate) ear: f32,
    pub(crate) inside: f32,
    pub(crate) arm: f32,
}

/// A point of an eyeball.
#[derive(Clone, Copy)]
pub(crate) struct EyeTraits {
    pub(crate) direction: V3,
    pub(crate) height: f32,
    pub(crate) radius: f32,
    /// 1 at the picture's right, -1 at its left.
    pub(crate) side: f32,
}

/// A point of teeth or tongue, with the lowest and the highest of its row; the upper row is 1, the lower -1.
#[derive(Clone, Copy)]
pub(crate) struct MouthTraits {
    pub(crate) rest: V3,
    pub(crate) row: V3,
}

/// A point of a strand.
#[derive(Clone, Copy)]
pub(crate) struct StrandTraits {
    /// 0 at the root, 1 at the tip.
    pub(crate) along: f32,
    /// Of the strand: what it differs from others by.
    pub(crate) chance: f32,
    /// How many points back the same point of the guide is, which the light is worked out for.
    pub(crate) guide: usize,
    /// Which way the lock faces that it lies on, the longer the more open it is; nothing where it lies on none.
    pub(crate) faces: V3,
}

/// A point of clothing.
#[derive(Clone, Copy)]
pub(crate) struct ClothTraits {
    pub(crate) rest: V3,
    /// Of what is sewn on: places along and across.
    pub(crate) along: f32,
    pub(crate) across: f32,
    pub(crate) ribbed: f32,
    /// How much it is of a sleeve; -1 on the stand of a collar.
    pub(crate) arm: f32,
}

impl ClothTraits {
    pub(crate) fn of_layer(rest: V3, arm: f32) -> Self {
        Self { rest, along: 0.0, across: 0.0, ribbed: 0.0, arm }
    }

    pub(crate) fn of_band(rest: V3, along: f32, across: f32) -> Self {
        Self { rest, along, across, ribbed: 0.0, arm: 0.0 }
    }
}

#[derive(Clone)]
pub(crate) struct Mesh {
    pub(crate) stuff: Stuff,
    pub(crate) points: Vec<V3>,
    /// Where the points were before the body was turned: clothes are cut there.
    pub(crate) sewn: Vec<V3>,
    /// Surface normals; for strands the tangents.
    pub(crate) normals: Vec<V3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) traits: Traits,
    pub(crate) head: Vec<f32>,
    /// Of skin: how much each point goes with each bone of each finger.
    pub(crate) grip: Vec<[f32; 15]>,
    /// Moves by expression: index into the body's expressions, then vertices.
    pub(crate) moves: Vec<(usize, Deltas)>,
    /// Filled by the light: irradiance, key light reaching, openness.
    pub(crate) light: Vec<V3>,
    pub(crate) key: Vec<f32>,
    pub(crate) open: Vec<f32>,
    /// Of strands: what the camera sees, point by point; they are too fine to shade otherwise.
    pub(crate) colors: Vec<V3>,
}

/// What is of an arm by more than this is no part of the body's plate.
pub(crate) const PARTED: f32 = 0.32;

impl Mesh {
    pub(crate) fn new(stuff: Stuff, points: Vec<V3>, triangles: Vec<[u32; 3]>, traits: Traits) -> Self {
        let normals = normals(&points, &triangles);
        Self::facing(stuff, points, normals, triangles, traits)
    }

    /// Of one whose directions are known already.
    pub(crate) fn facing(
        stuff: Stuff,
        points: Vec<V3>,
        normals: Vec<V3>,
        triangles: Vec<[u32; 3]>,
        traits: Traits,
    ) -> Self {
        let n = points.len();
        Self {
            stuff,
            normals,
            triangles,
            traits,
            head: vec![1.0; n],
            grip: Vec::new(),
            moves: Vec::new(),
            light: vec![[0.0; 3]; n],
            key: vec![0.0; n],
            open: vec![1.0; n],
            colors: Vec::new(),
            sewn: points.clone(),
            points,
        }
    }

    pub(crate) fn skin(&self) -> &[SkinTraits] {
        if let Traits::Skin(all) = &self.traits { all } else { &[] }
    }

    pub(crate) fn eye(&self) -> &[EyeTraits] {
        if let Traits::Eye(all) = &self.traits { all } else { &[] }
    }

    pub(crate) fn mouth(&self) -> &[MouthTraits] {
        if let Traits::Mouth(all) = &self.traits { all } else { &[] }
    }

    pub(crate) fn strands(&self) -> &[StrandTraits] {
        if let Traits::Strands(all) = &self.traits { all } else { &[] }
    }

    pub(crate) fn cloth(&self) -> &[ClothTraits] {
        if let Traits::Cloth(all) = &self.traits { all } else { &[] }
    }

    /// How much a point is of an arm, of skin as of sleeves.
    pub(crate) fn arm(&self, at: usize) -> f32 {
        match &self.traits {
            Traits::Skin(all) => all[at].arm,
            Traits::Cloth(all) => all[at].arm,
            _ => 0.0,
        }
    }

    /// Strands that were moved point elsewhere.
    pub(crate) fn tangents_from_strands(&mut self) {
        let Traits::Strands(traits) = &self.traits else { return };
        let last = self.points.len().saturating_sub(2);
        for at in (0..=last).step_by(2) {
            let along = traits[at].along;
            let next = at + 2 <= last && traits[at + 2].along > along;
            let before = at >= 2 && traits[at - 2].along < along;
            let (from, to) = (if before { at - 2 } else { at }, if next { at + 2 } else { at });
            if from != to {
                let tangent = norm(sub(self.points[to], self.points[from]));
                self.normals[at] = tangent;
                self.normals[at + 1] = tangent;
            }
        }
    }

    /// With expressions at these weights.
    pub(crate) fn deformed(&self, weight: impl Fn(usize) -> f32) -> Vec<V3> {
        let mut points = self.points.clone();
        for (expression, deltas) in &self.moves {
            let w = weight(*expression);
            if w != 0.0 {
                for &(v, d) in deltas {
                    points[v as usize] = add(points[v as usize], mul(d, w));
                }
            }
        }
        points
    }
}

/// Smoothed; clothes lie so.
pub(crate) fn relaxed(points: &[V3], triangles: &[[u32; 3]], times: u32) -> Vec<V3> {
    let mut out = points.to_vec();
    relax(&mut out, triangles, times, 0.6);
    out
}
