//! What a lit point looks like to the camera. Linear light in, tone-mapped linear out.

use super::badge::Badge;
use super::folds::Wing;
use super::gloss::{skin_tone, tone, warmed};
use super::spectacles::Spectacles;
use super::studio::{KEY, RIM};
use super::teeth::{teeth, tongue};
use crate::rig::body::blink::Lids;
use crate::rig::body::parts::{Mesh, StrandTraits, Stuff};
use crate::rig::body::skull::{Skull, angles};
use crate::rig::cloth::garment::Garment;
use crate::rig::ground::camera::Camera;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, dot, length, mix, mul, mulv, noise, norm, pow, ss, sub};
use crate::rig::hair::beard::Beard;
use crate::rig::hair::brows::Brows;
use crate::rig::people::person::{Hair, Look, Outfit};
use crate::rig::raster::render::{Shade, threads};

pub(crate) struct Shader<'a> {
    pub(crate) look: &'a Look,
    pub(crate) hair: Hair,
    pub(crate) outfit: &'a Outfit,
    pub(crate) badge: Option<&'a Badge>,
    pub(crate) garment: &'a Garment,
    pub(crate) skull: &'a Skull,
    pub(crate) brows: &'a Brows,
    pub(crate) spectacles: Option<Spectacles>,
    /// Of those who wear one.
    pub(crate) beard: Option<&'a Beard>,
    /// Middle and radius of the eyeballs.
    pub(crate) balls: [(V3, f32); 2],
    /// The corner of the mouth at the picture's right, as it was modelled.
    pub(crate) corner: V3,
    /// The tip of the nose, likewise.
    pub(crate) nose: V3,
    /// Where its wing meets the cheek, at the picture's right.
    pub(crate) wing: Wing,
    /// Where lids meet at the nose, of both eyes.
    pub(crate) inner: [V3; 2],
    pub(crate) lids: &'a [Lids],
    /// How deep the crease of an upper lid is.
    pub(crate) crease: f32,
    /// How far the red of the lower lip reaches below the corners, in its middle.
    pub(crate) lower: f32,
    /// Pixels of a model unit.
    pub(crate) unit: f32,
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
        let StrandTraits { along, chance, faces, .. } = mesh.strands()[at];
        let v = norm(sub(Camera::eye(), mesh.points[at]));
        // Between locks it is dark, and towards the roots: light comes that deep only where they part.
        let roots = if matches!(self.hair, Hair::Tied { .. } | Hair::Short { .. }) { 0.92 } else { 0.68 };
        let deep = if faces == [0.0; 3] {
            0.74 + 0.26 * ss(0.05, 0.55, chance)
        } else {
            0.46 + 0.54 * ss(0.1, 0.9, length(faces))
        };
        let deep = deep * (roots + (1.0 - roots) * ss(0.0, 0.30, along));
        // White hair is bright inside as well.
        let white = ss(0.10, 0.35, look.hair[1]);
        let deep = deep + (1.0 - deep) * 0.22 * white;
        let p = mesh.points[at];
        let deep = deep * (1.0 - white * self.turned_away(p));
        let deep = deep * (1.0 - 0.55 * self.behind_neck(p));
        let a = mul(mix(look.hair, look.sheen, 0.30 + 0.30 * chance + 0.20 * along), deep);
        // A parting shows the scalp between the roots.
        let scalp =
            if matches!(self.hair, Hair::Long(_)) { ss(0.014 + 0.032 * chance * chance, 0.002, along) } else { 0.0 };
        let a = mix(a, mul(look.skin, 0.33), (0.05 + 0.17 * chance) * scalp);
        // However deep it lies, neighbours pass some light on.
        // Ends that lie on a chest are no darker than what they hang from, or they are dipped brushes.
        let ends = if matches!(self.hair, Hair::Long(_)) { ss(0.70, 0.95, along) * ss(0.2, 0.5, p[2]) } else { 0.0 };
        let least = (0.42 + 0.58 * self.beside_parting(p)).max(0.66 * ends);
        let (light, key) = (mesh.light[at].map(|l| l.max(least)), mesh.key[at]);
        let l = norm(KEY);
        let lobe = |ld: V3, shift: f32, power: f32| {
            let t = dot(tangent, norm(add(v, ld))) + shift;
            pow((1.0 - t * t).max(0.0).sqrt(), power)
        };
        let t = dot(tangent, l);
        let diffuse = (1.0 - t * t).max(0.0).sqrt();
        let root = 0.90 + 0.10 * ss(0.0, 0.22, along);
        let mut c = mul(mulv(a, light), root * (0.50 + 0.60 * diffuse));
        let jitter = (chance - 0.5) * 0.08;
        // Light glides over the side of a lock that faces it.
        let on = |d: V3| {
            if faces == [0.0; 3] { 1.0 } else { 0.15 + 0.95 * ss(-0.15, 0.75, dot(norm(faces), norm(add(v, d)))) }
        };
        let (gleam, through) = match self.hair {
            Hair::Curls { .. } => (0.32, 0.43),
            Hair::Short { .. } => (0.72, 1.10),
            Hair::Long(_) => (1.04, 1.25),
            Hair::Tied { .. } => (1.04, 1.40),
            Hair::Bald | Hair::Scarf => (0.0, 0.0),
        };
        // Beside a parting one side would gleam and the other not.
        let begun = if matches!(self.hair, Hair::Long(_)) { ss(0.01, 0.17, along) } else { self.combed_smooth(p) };
        let (gleam, through) = (gleam * begun, through * begun);
        // Off the surface: white. Through the strand: its own colour, shifted towards the tip.
        let glint = mul([1.0, 0.96, 0.9], on(l) * lobe(l, 0.07 + jitter, 110.0) * (0.1 + 0.9 * key));
        c = add(c, mulv(mul(light, 0.031 * gleam), glint));
        c = add(c, mulv(mulv(a, light), mul([1.5, 1.32, 1.15], on(l) * lobe(l, -0.10 + jitter, 22.0) * through)));
        let ring = self.ring(p, chance) * (0.30 + 0.70 * key);
        c = add(c, mulv(mul(light, ring), add(mul(look.sheen, 0.65), [0.020, 0.0185, 0.017])));
        let c = add(c, mul(mulv(add(a, [0.01; 3]), light), lobe(norm(RIM), jitter, 14.0) * 0.55));
        let thin = self.thin(p, chance);
        if thin <= 0.0 {
            return c;
        }
        mix(c, mulv(self.rooted(look.skin, self.scalp(p)), warmed(light.map(|l| l.max(0.58)))), thin)
    }

    /// How much skin is seen between hairs, along a hairline and where hair that is tied goes over into skin before the ears:
    /// strands are solid, and without it they end there in a step. Hair that is cut short has its own grain, which it would
    /// take away.
    fn thin(&self, p: V3, chance: f32) -> f32 {
        if !matches!(self.hair, Hair::Tied { .. }) {
            return 0.0;
        }
        let d = norm(sub(p, self.skull.centre));
        let around = angles(d).0.abs();
        let before = ss(86.0, 74.0, around);
        // Not all of them from the same place on, or it would be a blur.
        let far = 8.0 + 9.0 * (chance - 0.6);
        let edge = ss(far, 0.0, self.hair.above(d)) * before;
        (0.92 * edge).max(0.85 * (1.0 - self.hair.faded(d)) * before)
    }

    /// How much short hair gleams: less at the temples and where the parting begins, where hairs go to all sides and each
    /// would be a spark of its own.
    fn combed_smooth(&self, p: V3) -> f32 {
        if !matches!(self.hair, Hair::Short { .. }) {
            return 1.0;
        }
        let d = norm(sub(p, self.skull.centre));
        1.0 - 0.85 * ss(20.0, 6.0, self.hair.above(d)) * ss(20.0, 34.0, angles(d).0.abs())
    }

    /// How much darker a place of white hair is at the sides of the head and at its roots, which give it its form: it is as
    /// bright as what light falls on it, and a pale cap without.
    fn turned_away(&self, p: V3) -> f32 {
        let d = norm(sub(p, self.skull.centre));
        let roots = if matches!(self.hair, Hair::Short { .. }) { ss(12.0, 2.0, self.hair.above(d)) } else { 0.0 };
        (0.26 * ss(0.50, 0.0, d[2])).max(0.22 * roots)
    }

    /// A soft band of light round the crown, ragged as strands are.
    fn ring(&self, p: V3, chance: f32) -> f32 {
        if !matches!(self.hair, Hair::Long(_) | Hair::Tied { .. }) {
            return 0.0;
        }
        let d = norm(sub(p, self.skull.centre));
        let high = dot(d, [-0.10, 0.98, 0.14]) + 0.08 * (chance - 0.5) + 0.09 * (noise(mul(d, 7.0)) - 0.5);
        ss(0.17, 0.0, (high - 0.70).abs()) * ss(-0.35, 0.25, d[2])
    }

    /// How much a place of long hair is of what hangs behind the neck: dark and quiet, or it is boards beside a face.
    fn behind_neck(&self, p: V3) -> f32 {
        if !matches!(self.hair, Hair::Long(_)) || p[2] > 0.45 || p[1] > EYE_Y - 0.55 {
            return 0.0;
        }
        ss(0.95, 0.55, p[0].abs()) * ss(0.45, 0.0, p[2]) * ss(EYE_Y - 0.55, EYE_Y - 1.0, p[1])
    }

    /// How much a place of long hair is of what lies over the forehead: what the parting keeps the key from would be another
    /// colour than what lies on its other side.
    fn beside_parting(&self, p: V3) -> f32 {
        let q = sub(p, self.skull.centre);
        if matches!(self.hair, Hair::Long(_)) { ss(0.45, 0.85, q[1]) * ss(-0.3, 0.3, q[2]) } else { 0.0 }
    }
}
