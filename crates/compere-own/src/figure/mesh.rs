//! What a model is once it stands: vertices, triangles, materials, and what moves them.

use compere_avatar::{Acted, Channel as Ch};

pub(super) type V3 = [f32; 3];

#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub(super) at: V3,
    pub(super) normal: V3,
    pub(super) uv: [f32; 2],
    /// How far it goes with the head.
    pub(super) head: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Alpha {
    Opaque,
    Cut(f32),
    Blend,
}

#[derive(Clone, Debug)]
pub(super) struct Material {
    pub(super) colour: [f32; 4],
    pub(super) image: Option<usize>,
    pub(super) alpha: Alpha,
    pub(super) is_double: bool,
    /// How much of it is as bright as its picture says, whatever the light is.
    pub(super) flat: f32,
    /// From dull to wet.
    pub(super) gloss: f32,
}

/// What moves an expression: a channel of our acting, or its way back where that goes both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    pub(super) ch: Ch,
    pub(super) is_back: bool,
}

impl Cue {
    pub(super) const fn on(ch: Ch) -> Self {
        Self { ch, is_back: false }
    }

    pub(super) fn weight(self, acted: &Acted) -> f32 {
        let value = acted.get(self.ch);
        match self.ch {
            Ch::LookX | Ch::LookY if self.is_back => (-value).clamp(0.0, 1.0),
            Ch::LookX | Ch::LookY => value.clamp(0.0, 1.0),
            _ => value.clamp(-0.3, 1.0),
        }
    }
}

/// Where an expression moves which vertices.
pub(super) type Moves = Vec<(u32, V3)>;

#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub(super) vertices: Vec<Vertex>,
    /// Corners and material.
    pub(super) triangles: Vec<([u32; 3], usize)>,
    pub(super) materials: Vec<Material>,
    pub(super) acts: Vec<(Cue, Moves)>,
    /// About which the head turns.
    pub(super) neck: V3,
    /// Between the eyes, and the middle of the mouth.
    pub(super) eyes: V3,
    pub(super) mouth: V3,
}

impl Shape {
    /// Moves places by all expressions, each as far as `weight` says.
    pub(super) fn bend(&self, places: &mut [V3], weight: impl Fn(Cue) -> f32) {
        for (cue, moves) in &self.acts {
            let weight = weight(*cue);
            if weight != 0.0 {
                for (n, by) in moves {
                    (0..3).for_each(|k| places[*n as usize][k] += weight * by[k]);
                }
            }
        }
    }
}
