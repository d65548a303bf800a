//! What a lit point looks like to the camera. Linear light in, tone-mapped linear out.

use super::brows::Brows;
use super::camera::Camera;
use super::cloth::Garment;
use super::gloss::tone;
use super::light::{KEY, RIM};
use super::parts::{Mesh, Stuff};
use super::person::{Hair, Look, Outfit};
use super::skull::Skull;
use super::teeth::{teeth, tongue};
use super::v3::{V3, add, dot, mix, mul, mulv, norm, pow, ss, sub};

pub(super) struct Shader<'a> {
    pub(super) look: &'a Look,
    pub(super) hair: Hair,
    pub(super) outfit: &'a Outfit,
    pub(super) garment: &'a Garment,
    pub(super) skull: &'a Skull,
    pub(super) brows: &'a Brows,
}

/// A point between three vertices.
pub(super) struct Spot<'a> {
    pub(super) mesh: &'a Mesh,
    t: [usize; 3],
    w: V3,
}

impl Spot<'_> {
    pub(super) fn vector(&self, of: &[V3]) -> V3 {
        add(add(mul(of[self.t[0]], self.w[0]), mul(of[self.t[1]], self.w[1])), mul(of[self.t[2]], self.w[2]))
    }

    pub(super) fn scalar(&self, of: &[f32]) -> f32 {
        of[self.t[0]] * self.w[0] + of[self.t[1]] * self.w[1] + of[self.t[2]] * self.w[2]
    }

    pub(super) fn trait_at(&self, k: usize) -> f32 {
        (0..3).map(|i| self.mesh.traits[self.t[i]][k] * self.w[i]).sum()
    }

    pub(super) fn traits3(&self, k: usize) -> V3 {
        [self.trait_at(k), self.trait_at(k + 1), self.trait_at(k + 2)]
    }

    pub(super) fn point(&self) -> V3 {
        self.vector(&self.mesh.points)
    }

    pub(super) fn normal(&self) -> V3 {
        norm(self.vector(&self.mesh.normals))
    }

    pub(super) fn light(&self) -> V3 {
        self.vector(&self.mesh.light)
    }
}

impl Shader<'_> {
    pub(super) fn shade(&self, mesh: &Mesh, triangle: [u32; 3], w: V3) -> V3 {
        let spot = Spot { mesh, t: triangle.map(|v| v as usize), w };
        tone(match mesh.stuff {
            Stuff::Skin => self.skin(&spot),
            Stuff::Eye => self.eye(&spot, [0.0, 0.0], true),
            Stuff::Teeth => teeth(spot.normal(), spot.traits3(0), spot.traits3(3), 0.3),
            Stuff::Tongue => tongue(spot.normal(), spot.traits3(0), 0.4),
            Stuff::Lash => mulv(self.look.lash, mul(spot.light(), 0.8)),
            Stuff::Hair => return spot.vector(&mesh.colors),
            Stuff::Cloth(layer) => self.cloth(&spot, layer),
            Stuff::Scarf => self.scarf(&spot),
            Stuff::Frame => self.frame(&spot),
        })
    }

    /// What the camera sees of strands, for every point of theirs.
    pub(super) fn strands(&self, mesh: &Mesh) -> Vec<V3> {
        let mut colors = vec![[0.0; 3]; mesh.points.len()];
        let share = (mesh.points.len() / 2).div_ceil(super::render::threads()).max(1) * 2;
        #[expect(clippy::disallowed_methods, reason = "baking, on as many threads as `threads` says")]
        std::thread::scope(|scope| {
            for (part, colors) in colors.chunks_mut(share).enumerate() {
                scope.spawn(move || {
                    // Both sides of a ribbon look alike.
                    for (pair, colors) in colors.chunks_mut(2).enumerate() {
                        colors.fill(tone(self.strand(mesh, part * share + pair * 2)));
                    }
                });
            }
        });
        colors
    }

    fn strand(&self, mesh: &Mesh, at: usize) -> V3 {
        let look = self.look;
        let tangent = mesh.normals[at];
        let (along, chance) = (mesh.traits[at][3], mesh.traits[at][4]);
        let v = norm(sub(Camera::eye(), mesh.points[at]));
        let a = mix(look.hair, look.sheen, 0.12 + 0.62 * chance + 0.18 * along);
        let (light, key) = (mesh.light[at], mesh.key[at]);
        let l = norm(KEY);
        let lobe = |ld: V3, shift: f32, power: f32| {
            let t = dot(tangent, norm(add(v, ld))) + shift;
            pow((1.0 - t * t).max(0.0).sqrt(), power)
        };
        let t = dot(tangent, l);
        let diffuse = (1.0 - t * t).max(0.0).sqrt();
        let root = 0.90 + 0.10 * ss(0.0, 0.22, along);
        let mut c = mul(mulv(a, light), root * (0.50 + 0.60 * diffuse));
        let jitter = (chance - 0.5) * 0.10;
        let gleam = match self.hair {
            Hair::Curls { .. } => 0.35,
            Hair::Short { .. } => 0.6,
            Hair::Long(_) | Hair::Tied { .. } => 0.9,
            Hair::Bald | Hair::Scarf => 0.0,
        };
        // Off the surface: white. Through the strand: its own colour, shifted towards the tip.
        let glint = mul([1.0, 0.96, 0.9], lobe(l, 0.07 + jitter, 110.0) * (0.1 + 0.9 * key));
        c = add(c, mulv(mul(light, 0.055 * gleam), glint));
        c = add(c, mulv(mulv(a, light), mul([1.5, 1.32, 1.15], lobe(l, -0.10 + jitter, 22.0) * 0.9 * gleam)));
        add(c, mul(mulv(add(a, [0.01; 3]), light), lobe(norm(RIM), jitter, 14.0) * 0.55))
    }
}
