//! What a lit point looks like to the camera. Linear light in, tone-mapped linear out.

use super::brows::Brows;
use super::cloth::{self, Garment};
use super::hair::{Skull, angles};
use super::light::{FILL, KEY, RIM};
use super::parts::{Mesh, Stuff};
use super::person::{Hair, Look, Outfit};
use super::render::Camera;
use super::sculpt::EYE_Y;
use super::v3::{V3, add, cross, dot, exp, fbm, interp, mix, mul, mulv, noise, norm, pow, powi, sin, ss, sub, turn};

pub(super) struct Shader<'a> {
    pub(super) look: &'a Look,
    pub(super) hair: Hair,
    pub(super) outfit: &'a Outfit,
    pub(super) garment: &'a Garment,
    pub(super) skull: &'a Skull,
    pub(super) brows: &'a Brows,
}

/// A point between three vertices.
struct Spot<'a> {
    mesh: &'a Mesh,
    t: [usize; 3],
    w: V3,
}

impl Spot<'_> {
    fn vector(&self, of: &[V3]) -> V3 {
        add(add(mul(of[self.t[0]], self.w[0]), mul(of[self.t[1]], self.w[1])), mul(of[self.t[2]], self.w[2]))
    }

    fn scalar(&self, of: &[f32]) -> f32 {
        of[self.t[0]] * self.w[0] + of[self.t[1]] * self.w[1] + of[self.t[2]] * self.w[2]
    }

    fn trait_at(&self, k: usize) -> f32 {
        (0..3).map(|i| self.mesh.traits[self.t[i]][k] * self.w[i]).sum()
    }

    fn traits3(&self, k: usize) -> V3 {
        [self.trait_at(k), self.trait_at(k + 1), self.trait_at(k + 2)]
    }

    fn point(&self) -> V3 {
        self.vector(&self.mesh.points)
    }

    fn normal(&self) -> V3 {
        norm(self.vector(&self.mesh.normals))
    }

    fn light(&self) -> V3 {
        self.vector(&self.mesh.light)
    }
}

/// Filmic: soft shoulder, a little contrast.
pub(super) fn tone(c: V3) -> V3 {
    c.map(|x| {
        let x = x.max(0.0);
        (x * (1.506 * x + 0.03) / (x * (1.458 * x + 0.59) + 0.14)).min(1.0)
    })
}

/// One lobe of light reflected from a rough surface.
fn gloss(n: V3, v: V3, l: V3, rough: f32, f0: f32) -> f32 {
    let h = norm(add(v, l));
    let (nh, nl, nv) = (dot(n, h).max(0.0), dot(n, l).max(0.0), dot(n, v).max(0.05));
    let a2 = powi(rough, 4);
    let d = a2 / (std::f32::consts::PI * powi(nh * nh * (a2 - 1.0) + 1.0, 2));
    let k = (rough + 1.0) * (rough + 1.0) / 8.0;
    let g = 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    let f = f0 + (1.0 - f0) * powi(1.0 - dot(h, v).max(0.0), 5);
    d * g * f * nl
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
            Stuff::Hair => self.strand(&spot),
            Stuff::Cloth(layer) => self.cloth(&spot, layer),
        })
    }

    fn skin_color(&self, r: V3, lips: f32, lid: f32, ear: f32, inside: f32) -> V3 {
        let look = self.look;
        let big = fbm(mul(r, 2.3), 3) - 0.45;
        let mid = fbm(mul(r, 9.0), 3) - 0.45;
        let fine = noise(mul(r, 60.0)) - 0.5;
        let mut a = mulv(look.skin, [1.0 + 0.04 * big, 1.0 + 0.09 * big, 1.0 + 0.09 * big]);
        a = mul(a, 1.0 + 0.05 * mid + 0.03 * fine);
        let front = ss(0.3, 1.0, r[2]);
        let spot = |x: f32, y: f32, size: f32| {
            let (dx, dy) = (r[0].abs() - x, r[1] - y);
            exp(-(dx * dx + dy * dy) / (size * size)) * front
        };
        let red = 0.70 * spot(0.42, EYE_Y - 0.42, 0.24) + 0.5 * spot(0.0, EYE_Y - 0.42, 0.16);
        let red = red + 0.3 * spot(0.0, EYE_Y - 1.05, 0.2) + 0.15 * spot(0.2, EYE_Y + 0.6, 0.4) + 0.6 * ear;
        a = mulv(a, mix([1.0; 3], [1.03, 0.82, 0.82], red.min(1.0) * 0.72));
        a = mulv(a, mix([1.0; 3], [0.93, 0.88, 0.90], spot(0.27, EYE_Y - 0.17, 0.10) * 0.4));
        let shadow = mix([0.95, 0.86, 0.84], [0.72, 0.56, 0.52], look.makeup);
        a = mulv(a, mix([1.0; 3], shadow, lid));
        if look.stubble > 0.0 {
            let beard =
                ss(EYE_Y - 0.60, EYE_Y - 0.85, r[1]) * ss(EYE_Y - 1.36, EYE_Y - 1.16, r[1]) * ss(0.10, 0.55, r[2]);
            let dots = noise(mul(r, 120.0));
            let dark = beard * look.stubble * (0.45 + 0.55 * ss(0.35, 0.7, dots)) * (1.0 - lips);
            a = mix(a, mulv(a, mix([0.62, 0.62, 0.66], mul(look.hair, 4.0), 0.3)), dark);
        }
        let freckle = ss(0.78, 0.92, noise(mul(r, 26.0))) * look.freckles * front;
        a = mulv(a, mix([1.0; 3], [0.84, 0.70, 0.62], freckle));
        let grain = noise([r[0] * 60.0, r[1] * 8.0, 3.0]);
        a = mix(a, mul(look.lips, 0.88 + 0.24 * grain), lips * 0.85);
        let (soft, sharp) = self.brows.at(r);
        a = mix(a, look.brow, (soft * 0.50).max(sharp * 0.95) * front);
        a = mix(a, mul(look.hair, 0.7), self.scalp(r) * (1.0 - ear) * 0.92);
        mix(a, [0.34, 0.10, 0.09], inside * 0.95)
    }

    /// How much hair grows from here: a shadow of roots under the strands.
    fn scalp(&self, r: V3) -> f32 {
        let (azimuth, elevation) = angles(norm(sub(r, self.skull.centre)));
        let line = interp(azimuth.abs(), &super::hair::LINE);
        let recede = if let Hair::Short { recede, .. } = self.hair { recede } else { 0.0 };
        let temple = exp(-powi((azimuth.abs() - 38.0) / 16.0, 2));
        let above = elevation - line - recede * (0.35 + temple) * 12.0;
        let ragged = (noise(mul(r, 34.0)) - 0.5) * 7.0;
        let soft = if matches!(self.hair, Hair::Short { .. }) { 0.85 } else { 1.0 };
        ss(-1.0, 11.0, above + ragged) * soft * ss(EYE_Y - 1.05, EYE_Y - 0.6, r[1])
    }

    fn skin(&self, spot: &Spot<'_>) -> V3 {
        let (n, r, p) = (spot.normal(), spot.traits3(0), spot.point());
        let lips = ss(0.25, 0.75, spot.trait_at(3));
        let (lid, ear) = (spot.trait_at(4), spot.trait_at(5));
        let inside = ss(0.3, 0.7, spot.trait_at(6));
        let v = norm(sub(Camera::eye(), p));
        let bump = |q: V3| {
            let pores = 0.6 * noise(mul(q, 95.0)) + 0.4 * noise(mul(q, 190.0));
            pores + lips * 1.1 * noise([q[0] * 70.0, q[1] * 9.0, q[2] * 9.0])
        };
        let step = 0.0035;
        let here = bump(r);
        let slope: V3 = std::array::from_fn(|k| {
            let mut q = r;
            q[k] += step;
            bump(q) - here
        });
        let b = norm(sub(n, mul(slope, 0.13)));
        let a = self.skin_color(r, lips, lid, ear, inside);
        let (light, key, open) = (spot.light(), spot.scalar(&spot.mesh.key), spot.scalar(&spot.mesh.open));
        let light = mul(light, 1.0 - 0.62 * inside);
        let light = add(light, mul([0.10, 0.05, 0.045], inside));
        let l = norm(KEY);
        let relief = (1.0 + 0.9 * (dot(b, l) - dot(n, l)) * key).max(0.0);
        let mut c = mul(mulv(a, light), relief * 0.95);
        let front = ss(0.3, 1.0, r[2]);
        let zone = |y: f32, size: f32| exp(-(r[0] * r[0] + (r[1] - y) * (r[1] - y)) / (size * size)) * front;
        let oily = (zone(EYE_Y - 0.3, 0.25) + 0.6 * zone(EYE_Y + 0.5, 0.4)).min(1.0);
        let rough = 0.48 - 0.07 * oily - 0.15 * lips;
        let shine = gloss(b, v, l, rough, 0.028) * key * 2.4
            + gloss(b, v, norm(FILL), 0.5, 0.028) * 0.55 * open
            + gloss(b, v, norm(RIM), 0.45, 0.03) * 0.9 * open
            + gloss(b, v, l, 0.28, 0.028) * key * 0.35 * (0.3 + oily + 1.7 * lips);
        let strength = (0.30 + 0.9 * self.look.skin[1]).min(0.62) * (1.0 - 0.8 * inside) * (1.0 - self.scalp(r));
        c = add(c, mul([1.0, 0.97, 0.93], shine * strength));
        let edge = powi(1.0 - dot(n, v).max(0.0), 4);
        add(c, mul(mulv(light, [1.0, 0.75, 0.65]), 0.08 * edge * self.look.skin[0]))
    }

    /// `gaze` turns what is seen on the ball, not the ball. Reflections may be left to the caller.
    fn eye(&self, spot: &Spot<'_>, gaze: [f32; 2], reflect: bool) -> V3 {
        let d = turn(norm(spot.traits3(0)), -gaze[0], gaze[1], 0.0);
        let color = self.iris(d, spot.trait_at(7));
        let open = spot.scalar(&spot.mesh.open);
        let radius = spot.trait_at(6);
        let y = (spot.point()[1] - spot.trait_at(4)) / radius;
        let c = mulv(color, eye_light(y));
        let n = spot.normal();
        let v = norm(sub(Camera::eye(), spot.point()));
        if reflect { add(c, mul([1.0, 0.98, 0.96], catchlight(n, v) * (0.35 + 0.65 * open))) } else { c }
    }

    /// The eyeball's own colour in a direction from its centre.
    pub(super) fn iris(&self, d: V3, hand: f32) -> V3 {
        let look = self.look;
        let angle = libm::acosf(d[2].clamp(-1.0, 1.0));
        let around = libm::atan2f(d[1], d[0]);
        let t = angle / 0.53;
        let veins = fbm([around * 6.0, angle * 14.0, hand * 7.0], 3);
        let mut a = mulv([0.84, 0.82, 0.81], mix([1.0; 3], [0.96, 0.80, 0.77], ss(0.9, 1.5, angle) * (0.5 + veins)));
        let (c, s) = (libm::cosf(around), libm::sinf(around));
        let fibre =
            noise([c * 11.0 + hand * 9.0, s * 11.0, t * 1.6]) * 0.6 + noise([c * 24.0, s * 24.0, t * 2.0]) * 0.4;
        let mut iris = mul(look.iris, 0.62 + 0.95 * fibre);
        iris = mix(iris, mulv(look.iris, [1.8, 1.45, 0.9]), ss(0.66, 0.40, t) * 0.5);
        iris = mul(iris, 1.0 + 0.9 * ss(0.1, -0.7, s) * ss(1.0, 0.6, t));
        iris = mul(iris, 1.0 - 0.72 * ss(0.80, 1.0, t));
        iris = mix(iris, [0.005; 3], ss(0.38, 0.34, t));
        a = mix(a, iris, ss(1.05, 0.95, t));
        a
    }

    fn strand(&self, spot: &Spot<'_>) -> V3 {
        let look = self.look;
        let tangent = norm(spot.vector(&spot.mesh.normals));
        let (along, chance) = (spot.trait_at(3), spot.trait_at(4));
        let v = norm(sub(Camera::eye(), spot.point()));
        let a = mix(look.hair, look.sheen, chance * chance * 0.9 + 0.1 * along);
        let (light, key) = (spot.light(), spot.scalar(&spot.mesh.key));
        let l = norm(KEY);
        let lobe = |ld: V3, shift: f32, power: f32| {
            let t = dot(tangent, norm(add(v, ld))) + shift;
            pow((1.0 - t * t).max(0.0).sqrt(), power)
        };
        let t = dot(tangent, l);
        let diffuse = (1.0 - t * t).max(0.0).sqrt();
        let root = 0.62 + 0.38 * ss(0.0, 0.25, along);
        let mut c = mul(mulv(a, light), root * (0.40 + 0.70 * diffuse));
        let jitter = (chance - 0.5) * 0.16;
        let gleam = match self.hair {
            Hair::Afro { .. } => 0.25,
            Hair::Short { .. } => 0.55,
            Hair::Long { .. } => 0.8,
        };
        c = add(c, mulv(mul(light, 0.13 * gleam), mul([1.0, 0.96, 0.9], lobe(l, 0.06 + jitter, 80.0) * key.max(0.15))));
        c = add(c, mulv(mulv(a, light), mul([1.5, 1.35, 1.2], lobe(l, -0.09 + jitter, 20.0) * 0.9 * gleam)));
        add(c, mul(mulv(a, light), lobe(norm(RIM), jitter, 14.0) * 0.5))
    }

    fn cloth(&self, spot: &Spot<'_>, layer: u8) -> V3 {
        let (r, p, mut n) = (spot.traits3(0), spot.point(), spot.normal());
        let v = norm(sub(Camera::eye(), p));
        if dot(n, v) < 0.0 && layer >= cloth::BAND {
            n = mul(n, -1.0);
        }
        let light = spot.light();
        // The stand at the throat turns its lit side to the neck; cloth this thin lets light through.
        let light = if layer == cloth::SHIRT_BAND { light.map(|l| l.max(0.62)) } else { light };
        let sewn = layer >= cloth::BAND;
        let across = spot.trait_at(4);
        let along = spot.trait_at(3);
        let knitted = matches!(self.outfit.cut, super::person::Cut::Knit);
        let base = match layer {
            cloth::JACKET | cloth::LAPEL => self.outfit.color,
            cloth::TIE => self.outfit.tie,
            _ if matches!(self.outfit.cut, super::person::Cut::Blazer { .. }) => self.outfit.under,
            _ => self.outfit.color,
        };
        let mut a = mul(base, 0.96 + 0.10 * (fbm(mul(r, 2.6), 3) - 0.4));
        let mut height = 0.0;
        if knitted && layer == cloth::TOP {
            // Columns of stitches.
            let column = r[0].abs() * 34.0 + r[2] * 6.0;
            height += 0.5 * sin(column * std::f32::consts::TAU)
                + 0.25 * sin(r[1] * 190.0 + 2.0 * sin(column * std::f32::consts::PI));
        }
        if sewn && spot.trait_at(6) > 0.5 {
            height += 0.9 * sin(along * 144.0 * std::f32::consts::PI);
        }
        if matches!(layer, cloth::JACKET | cloth::LAPEL) {
            a = mul(a, 1.0 + 0.015 * sin((r[0] + r[1] * 0.7) * 150.0) + 0.07 * (noise(mul(r, 150.0)) - 0.5));
        } else if layer == cloth::TIE {
            let stripe = ss(0.55, 0.62, 0.5 + 0.5 * sin((along * 16.0 + across * 1.1) * 3.6));
            a = mix(a, mul(add(a, [0.05; 3]), 1.7), stripe * 0.6);
        } else if !knitted {
            a = mul(a, 1.0 + 0.05 * (noise(mul(r, 160.0)) - 0.5));
        }
        let mut relief = 1.0 + 0.10 * height * if knitted { 1.0 } else { 0.6 };
        if !sewn {
            // Folds too fine for the mesh turn the light a little more.
            let step = 0.03;
            let here = cloth::folds(p, self.garment);
            let slope: V3 = std::array::from_fn(|k| {
                let mut q = p;
                q[k] += step;
                (cloth::folds(q, self.garment) - here) / step
            });
            let bent = norm(sub(n, mul(slope, 0.9)));
            let turned = dot(bent, norm(KEY)) - dot(n, norm(KEY)) + 0.5 * (dot(bent, norm(FILL)) - dot(n, norm(FILL)));
            relief *= (1.0 + 0.9 * turned).clamp(0.55, 1.45);
        }
        let mut c = mul(mulv(a, light), relief.max(0.5));
        if !sewn {
            c = mul(c, self.seams(layer, p));
        }
        if layer == cloth::SHIRT_BAND {
            // Top-stitching along the leaf's edge, and the fold's own shade.
            c = mul(c, 1.0 - 0.10 * ss(0.90, 0.92, across) * ss(0.96, 0.94, across));
            c = mul(c, 0.86 + 0.14 * ss(0.30, 0.46, across));
        }
        let sheen = powi(1.0 - dot(n, v).abs(), 3);
        let soft = if knitted { 0.5 } else { 0.28 };
        c = add(c, mul(mulv(light, add(a, [0.03; 3])), sheen * soft));
        if layer == cloth::TIE {
            c = add(c, mul(light, gloss(n, v, norm(KEY), 0.45, 0.04) * 0.35));
        }
        c
    }

    /// Edges, seams and the shade of one layer on the next.
    fn seams(&self, layer: u8, p: V3) -> f32 {
        let g = self.garment;
        let inside = g.inside(layer, p);
        let mut shade = 1.0;
        match layer {
            cloth::LAPEL => {
                shade *= 1.0 - 0.35 * ss(0.035, 0.0, inside);
                shade *= 1.06;
            }
            cloth::JACKET => {
                shade *= 1.0 - 0.25 * ss(0.03, 0.0, inside);
                // The lapel casts a soft line beside itself.
                let beside = g.inside(cloth::LAPEL, add(p, [-0.025 * p[0].signum(), 0.03, 0.0]));
                shade *= 1.0 - 0.26 * ss(-0.05, 0.0, beside);
                let shoulder = (p[0].abs() - 1.50 * g.broad).abs();
                shade *= 1.0 - 0.16 * ss(0.022, 0.0, shoulder) * ss(3.9, 4.3, p[1]);
            }
            _ => {
                let shoulder = (p[0].abs() - 1.42 * g.broad - (p[1] - 4.6) * 0.12).abs();
                shade *= 1.0 - 0.14 * ss(0.022, 0.0, shoulder) * ss(3.8, 4.1, p[1]);
                if matches!(self.outfit.cut, super::person::Cut::Blazer { .. }) {
                    // Under the jacket's edge it is darker; evaluated here because vertices are too coarse for it.
                    let edge = g.inside(cloth::JACKET, p);
                    shade *= 1.0 - 0.5 * ss(-0.22, 0.02, edge);
                } else {
                    // Hems are stitched twice.
                    for line in [0.06, 0.10] {
                        shade *= 1.0 - 0.12 * ss(0.012, 0.0, (inside - line).abs());
                    }
                }
                if g.has_collar() && p[0].abs() < 0.5 {
                    let placket = (p[0].abs() - 0.11).abs();
                    shade *= 1.0 - 0.12 * ss(0.016, 0.0, placket);
                }
            }
        }
        shade
    }
}

/// Light on the ball: the lids shade it above, a little below. Even, so that eyes stay bright on every skin.
pub(crate) fn eye_light(y: f32) -> V3 {
    let shade = 1.0 - 0.50 * ss(0.15, 0.62, y) - 0.16 * ss(-0.25, -0.65, y);
    mul([0.98, 0.97, 0.97], 1.02 * shade)
}

/// The window in the eye.
pub(crate) fn catchlight(n: V3, v: V3) -> f32 {
    let mirror = sub(mul(n, 2.0 * dot(n, v)), v);
    let pane = |towards: V3, wide: f32, high: f32| {
        let towards = norm(towards);
        let x = norm(cross([0.0, 1.0, 0.0], towards));
        let y = cross(towards, x);
        if dot(mirror, towards) < 0.0 {
            return 0.0;
        }
        let (a, b) = (dot(mirror, x).abs(), dot(mirror, y).abs());
        ss(wide + 0.05, wide - 0.03, a) * ss(high + 0.05, high - 0.03, b)
    };
    pane([0.40, 0.46, 0.79], 0.17, 0.17) * 1.25 + pane([-0.7, 0.22, 0.66], 0.10, 0.18) * 0.2
}

/// Teeth from their normal, rest position and (lowest, highest, row); `jaw` lets light in.
pub(crate) fn teeth(n: V3, r: V3, row: V3, jaw: f32) -> V3 {
    let f = (r[1] - row[0]) / (row[1] - row[0]).max(0.01);
    let upper = row[2] > 0.0;
    let g = if upper { f } else { 1.0 - f };
    let x = r[0].abs();
    let mut gap = 0.0_f32;
    for edge in [0.0, 0.083, 0.148, 0.215, 0.27] {
        let wide = 0.004 + 0.008 * ss(0.45, 0.0, g);
        gap = gap.max(1.0 - ss(0.0, wide, (x - edge).abs()));
    }
    let mut a = mul([0.88, 0.85, 0.79], 1.0 - 0.28 * gap * ss(0.75, 0.5, g));
    let gum = ss(0.64, 0.72, g + 0.05 * libm::cosf(x * 75.0));
    a = mix(a, [0.52, 0.22, 0.21], gum);
    let depth = 0.25 + 0.75 * ss(0.80, 1.26, r[2]);
    let facing = 0.5 + 0.5 * dot(n, norm([0.2, 0.25, 0.95])).max(0.0);
    let light = depth * facing * (0.62 + 0.36 * jaw.min(1.0)) * if upper { 1.12 } else { 0.85 };
    let v = [0.0, 0.0, 1.0];
    let shine = gloss(n, v, norm([0.3, 0.5, 0.8]), 0.28, 0.04) * 0.3 * depth * (1.0 - gap);
    add(mul(mulv(a, [0.98, 0.96, 0.95]), light), [shine; 3])
}

pub(crate) fn tongue(n: V3, r: V3, jaw: f32) -> V3 {
    let a = mul([0.60, 0.24, 0.23], 0.9 + 0.2 * noise(mul(r, 60.0)));
    let depth = 0.2 + 0.8 * ss(0.55, 1.22, r[2]);
    let facing = 0.25 + 0.75 * dot(n, norm([0.15, 0.55, 0.8])).max(0.0);
    let middle = 1.0 - 0.25 * exp(-(r[0] * r[0]) / 0.0008);
    let light = mul([0.88, 0.80, 0.77], depth * facing * middle * (0.40 + 0.55 * jaw.min(1.0)));
    let shine = gloss(n, [0.0, 0.0, 1.0], norm([0.3, 0.6, 0.7]), 0.34, 0.04) * 0.15 * depth;
    add(mulv(a, light), [shine; 3])
}
