//! What a lit point looks like to the camera. Linear light in, tone-mapped linear out.

use super::gloss::{skin_tone, tone};
use super::studio::{BAND, KEY, RIM};
use super::teeth::{teeth, tongue};
use crate::rig::body::parts::{Mesh, StrandTraits, Stuff};
use crate::rig::body::skull::Skull;
use crate::rig::cloth::garment::Garment;
use crate::rig::ground::camera::Camera;
use crate::rig::ground::v3::{V3, add, dot, mix, mul, mulv, norm, pow, ss, sub};
use crate::rig::hair::brows::Brows;
use crate::rig::people::person::{Hair, Look, Outfit};
use crate::rig::raster::render::{Shade, threads};

pub(crate) struct Shader<'a> {
    pub(crate) look: &'a Look,
    pub(crate) hair: Hair,
    pub(crate) outfit: &'a Outfit,
    pub(crate) garment: &'a Garment,
    pub(crate) skull: &'a Skull,
    pub(crate) brows: &'a Brows,
    /// Middle and radius of the eyeballs.
    pub(crate) balls: [(V3, f32); 2],
}

/// A point between three vertices.
pub(crate) struct Spot<'a> {
    pub(crate) mesh: &'a Mesh,
    t: [usize; 3],
    w: V3,
}

impl Spot<'_> {
    pub(crate) fn vector(&self, of: &[V3]) -> V3 {
        add(add(mul(of[self.t[0]], self.w[0]), mul(of[self.t[1]], self.w[1])), mul(of[self.t[2]], self.w[2]))
    }

    pub(crate) fn scalar(&self, of: &[f32]) -> f32 {
        of[self.t[0]] * self.w[0] + of[self.t[1]] * self.w[1] + of[self.t[2]] * self.w[2]
    }

    /// Of what is known of the three points.
    pub(crate) fn number<T>(&self, traits: &[T], of: impl Fn(&T) -> f32) -> f32 {
        of(&traits[self.t[0]]) * self.w[0] + of(&traits[self.t[1]]) * self.w[1] + of(&traits[self.t[2]]) * self.w[2]
    }

    pub(crate) fn place<T>(&self, traits: &[T], of: impl Fn(&T) -> V3) -> V3 {
        std::array::from_fn(|k| self.number(traits, |traits| of(traits)[k]))
    }

    pub(crate) fn point(&self) -> V3 {
        self.vector(&self.mesh.points)
    }

    pub(crate) fn normal(&self) -> V3 {
        norm(self.vector(&self.mesh.normals))
    }

    pub(crate) fn light(&self) -> V3 {
        self.vector(&self.mesh.light)
    }
}

impl Shade for Shader<'_> {
    fn shade(&self, mesh: &Mesh, triangle: [u32; 3], w: V3) -> V3 {
        let spot = Spot { mesh, t: triangle.map(|v| v as usize), w };
        tone(match mesh.stuff {
            Stuff::Skin => return skin_tone(self.skin(&spot)),
            Stuff::Eye => self.eye(&spot, [0.0, 0.0], true),
            Stuff::Teeth => {
                let known = mesh.mouth();
                teeth(spot.normal(), spot.place(known, |t| t.rest), spot.place(known, |t| t.row), 0.3)
            }
            Stuff::Tongue => tongue(spot.normal(), spot.place(mesh.mouth(), |t| t.rest), 0.4),
            Stuff::Lash => mulv(self.look.lash, mul(spot.light(), 0.8)),
            Stuff::Hair => return spot.vector(&mesh.colors),
            Stuff::Cloth(layer) => self.cloth(&spot, layer),
            Stuff::Scarf => self.scarf(&spot),
            Stuff::Frame => self.frame(&spot),
        })
    }
}

impl Shader<'_> {
    /// What the camera sees of strands, for every point of theirs.
    pub(crate) fn strands(&self, mesh: &Mesh) -> Vec<V3> {
        let mut colors = vec![[0.0; 3]; mesh.points.len()];
        let share = (mesh.points.len() / 2).div_ceil(threads()).max(1) * 2;
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
        let StrandTraits { along, chance, .. } = mesh.strands()[at];
        let v = norm(sub(Camera::eye(), mesh.points[at]));
        // Between locks it is dark, and towards the roots: light comes that deep only where they part.
        let deep = (0.70 + 0.30 * ss(0.05, 0.55, chance)) * (0.72 + 0.28 * ss(0.0, 0.30, along));
        // White hair passes light on: its locks are one mass, or they look like feathers.
        let white = ss(0.18, 0.55, look.hair[1]);
        let deep = deep + (1.0 - deep) * 0.62 * white;
        let a = mul(mix(look.hair, look.sheen, 0.20 + 0.50 * chance + 0.20 * along), deep);
        // However deep it lies, neighbours pass some light on.
        let (light, key) = (mesh.light[at].map(|l| l.max(0.15)), mesh.key[at]);
        let l = norm(KEY);
        let lobe = |ld: V3, shift: f32, power: f32| {
            let t = dot(tangent, norm(add(v, ld))) + shift;
            pow((1.0 - t * t).max(0.0).sqrt(), power)
        };
        // The soft box is broad: both sides of a parting see it.
        let soft = norm([0.06 * KEY[0], KEY[1], KEY[2]]);
        let t = dot(tangent, soft);
        // Light wanders from strand to strand: a head of hair is lit as the round body it is, more than strand by strand.
        // By strands alone the two sides of a parting would have two colours.
        let round = sub(mesh.points[at], self.skull.centre);
        let round = norm([round[0], round[1].max(-0.1), round[2]]);
        let own = 0.40 * (1.0 - 0.6 * white);
        let diffuse = own * (1.0 - t * t).max(0.0).sqrt() + (1.0 - own) * (0.42 + 0.58 * dot(round, l)).max(0.0);
        let root = 0.90 + 0.10 * ss(0.0, 0.22, along);
        let mut c = mul(mulv(a, light), root * (0.52 + 0.62 * diffuse));
        let jitter = (chance - 0.5) * 0.16;
        let gleam = match self.hair {
            Hair::Curls { .. } => 0.35,
            Hair::Short { .. } => 0.8,
            Hair::Long(_) | Hair::Tied { .. } => 0.9,
            Hair::Bald | Hair::Scarf => 0.0,
        };
        // Off the surface: white. Through the strand: its own colour, shifted towards the tip.
        let glint = mul([1.0, 0.96, 0.9], lobe(soft, 0.07 + jitter, 150.0) * (0.1 + 0.9 * key));
        c = add(c, mulv(mul(light, 0.036 * gleam), glint));
        c = add(c, mulv(mulv(a, light), mul([1.5, 1.32, 1.15], lobe(soft, -0.10 + jitter, 26.0) * 0.65 * gleam)));
        // The band round the head: the ceiling's soft box, seen along the whole crown, broken from lock to lock.
        let above = norm(BAND);
        let band = lobe(above, 0.02 + 1.3 * jitter, 34.0) * (0.15 + 0.85 * mesh.open[at]) * dot(round, above).max(0.0);
        // White hair is bright enough without, and black hair turns grey where there is too much of it.
        let tint = add(mul(a, 1.5 * (1.0 - a[1]).max(0.2)), mul([1.0, 0.97, 0.93], 0.003));
        c = add(
            c,
            mul(mulv(tint, light.map(|x| x.max(0.30))), band * gleam * (0.55 + 0.5 * chance) * (1.0 - 0.7 * white)),
        );
        // Light from behind shines through the outer strands.
        add(c, mul(mulv(add(a, [0.005; 3]), light), lobe(norm(RIM), jitter, 12.0) * 0.75))
    }
}
