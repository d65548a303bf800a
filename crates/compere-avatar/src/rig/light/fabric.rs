//! Cloth: weave, stitches, seams, buttons, and the shade of one layer on the next.

use super::badge::Badge;
use super::gloss::gloss;
use super::shade::{Shader, Spot};
use super::studio::{FILL, KEY};
use crate::rig::body::parts::Piece;
use crate::rig::cloth::creases;
use crate::rig::cloth::garment::{armhole, folds, valley};
use crate::rig::cloth::sewing::KNOT;
use crate::rig::ground::camera::Camera;
use crate::rig::ground::v3::{V3, add, dot, fbm, mix, mul, mulv, noise, norm, powi, sin, ss, sub};
use crate::rig::people::person::{Cut, Glasses};

/// Walls give some light to what the key does not reach: shadows keep their colour.
pub(crate) fn among_walls(light: V3) -> V3 {
    light.map(|l| (l * l + 0.046).sqrt())
}

/// What an arm that hangs beside leaves of the light on the ribs: arms move, so none of them is in what is baked.
/// Those in short sleeves leave more.
pub(crate) fn flank(p: V3, n: V3, arm: f32, lining: bool, bare: bool) -> f32 {
    let side = if lining { 1.0 } else { ss(0.25, 1.0, n[0].abs()) };
    let dark = if bare { 0.30 } else { 0.48 };
    1.0 - dark * side * ss(0.75, 0.40, arm) * ss(4.35, 3.75, p[1]) * ss(1.2, 2.6, p[1])
}

impl Shader<'_> {
    pub(crate) fn cloth(&self, spot: &Spot<'_>, layer: Piece) -> V3 {
        let known = spot.mesh.cloth();
        let (r, p, mut n) = (spot.place(known, |t| t.rest), spot.vector(&spot.mesh.sewn), spot.normal());
        let v = norm(sub(Camera::eye(), spot.point()));
        let lining = dot(n, v) < 0.0;
        if lining {
            n = mul(n, -1.0);
        }
        let light = spot.light();
        // The inside of a collar is dim, not black.
        let light = if lining { light.map(|l| l.max(0.26)) } else { light };
        // The stand at the throat turns its lit side to the neck; cloth this thin lets light through.
        let light = match layer {
            Piece::ShirtBand => light.map(|l| l.max(0.52)),
            // Under leaves and tie a white shirt gets what they throw back.
            Piece::Top if self.garment.has_cuffs() => light.map(|l| l.max(0.66)),
            _ => light,
        };
        // A lapel's roll turns to the shirt, which throws light at it: it is no line.
        let light = if layer == Piece::Lapel {
            let roll = 0.55 * ss(0.05, 0.0, spot.number(known, |t| t.across)) * ss(0.20, 0.60, p[2]);
            light.map(|l| l.max(roll))
        } else {
            light
        };
        // What a jacket's front turns to the shirt is one thin line: dark, it would be dots.
        let light = if lining && matches!(layer, Piece::Lapel | Piece::Jacket) {
            let turned = 0.60 * ss(0.15, 0.35, p[2]);
            light.map(|l| l.max(turned))
        } else {
            light
        };
        let light = among_walls(light);
        // A notch is cut so wide that the room looks into it; points of meshes lie too far apart to know.
        let notched = if layer == Piece::Jacket { ss(0.10, 0.03, self.garment.notch(p)) } else { 0.0 };
        let light = light.map(|l| l.max(0.86 * notched));
        // The key is aimed at the face.
        let light = mul(light, 0.74 + 0.26 * ss(3.0, 5.3, p[1]));
        let sewn = layer.is_sewn_on();
        let across = spot.number(known, |t| t.across);
        let along = spot.number(known, |t| t.along);
        let knitted = matches!(self.outfit.cut, Cut::Knit);
        let mut a = self.dye(layer, r);
        let mut height = 0.0;
        if knitted && layer == Piece::Top {
            // Columns of stitches.
            let column = r[0].abs() * 34.0 + r[2] * 6.0;
            height += 0.5 * sin(column * std::f32::consts::TAU)
                + 0.25 * sin(r[1] * 190.0 + 2.0 * sin(column * std::f32::consts::PI));
        }
        if sewn && spot.number(known, |t| t.ribbed) > 0.5 {
            height += 0.9 * sin(along * 144.0 * std::f32::consts::PI);
        }
        if matches!(layer, Piece::Jacket | Piece::Lapel) {
            a = mul(a, 1.0 + self.wool(r));
        } else if layer == Piece::Tie {
            // Round the knot the cloth is wound the other way, and under it lies a crease.
            let slant = if along < KNOT { -2.2 } else { 1.1 };
            let stripe = ss(0.55, 0.62, 0.5 + 0.5 * sin((along * 16.0 + across * slant) * 3.6));
            a = mix(a, mul(add(a, [0.05; 3]), 1.7), stripe * 0.6);
            let under = along - KNOT;
            let crease = ss(0.022, 0.0, under) * ss(-0.006, 0.0, under);
            let dimple = ss(0.30, 0.05, across.abs()) * ss(0.12, 0.02, under) * ss(-0.006, 0.0, under);
            a = mul(a, (1.0 - 0.55 * crease) * (1.0 - 0.30 * dimple));
        } else if !knitted {
            let fine = noise(mul(r, self.cells(160.0))) + noise(mul(r, self.cells(50.0))) - 1.0;
            a = mul(a, 1.0 + 0.06 * fine);
        }
        // Print and pins lie on the cloth, whose folds go through them.
        let bears = match layer {
            Piece::Jacket => true,
            Piece::Lapel => self.badge.is_some_and(Badge::is_pin),
            Piece::Top => !self.garment.is_jacket(),
            _ => false,
        };
        if bears
            && !lining
            && let Some((own, cover)) = self.badge.and_then(|badge| badge.at(self.garment, p))
        {
            a = add(mul(a, 1.0 - cover), own);
        }
        let mut relief = 1.0 + 0.10 * height * if knitted { 1.0 } else { 0.6 };
        if !sewn && layer != Piece::Lapel {
            // Folds too fine for the mesh turn the light a little more.
            let step = 0.03;
            let here = folds(p, self.garment);
            let slope: V3 = std::array::from_fn(|k| {
                let mut q = p;
                q[k] += step;
                (folds(q, self.garment) - here) / step
            });
            let bent = norm(sub(n, mul(slope, 0.9)));
            let turned = dot(bent, norm(KEY)) - dot(n, norm(KEY)) + 0.5 * (dot(bent, norm(FILL)) - dot(n, norm(FILL)));
            relief *= (1.0 + 0.9 * turned).clamp(0.55, 1.45);
        }
        let mut c = mul(mulv(a, light), relief.max(0.5));
        if !sewn {
            c = mul(c, self.seams(layer, p, spot.number(known, |t| t.arm), across));
        }
        if matches!(layer, Piece::Top | Piece::Jacket) {
            c = mul(c, flank(p, n, spot.number(known, |t| t.arm), lining, self.garment.is_bare()));
        }
        if layer == Piece::ShirtBand {
            // Stitched along its edges, where the cloth is pressed thin; the stand lies in the leaf's shade.
            let leaf = ss(0.39, 0.41, across);
            c = mul(c, 1.0 - leaf * (0.13 * ss(0.011, 0.003, (along - 0.052).abs()) - 0.04 * ss(0.05, 0.02, along)));
            c = mul(c, 1.0 - 0.20 * ss(0.985, 1.0, across));
            c = mul(c, 0.82 + 0.18 * ss(0.06, 0.20, across));
            // A jacket lies on it, and shades it along the edge.
            c = mul(c, 1.0 - 0.38 * ss(-0.09, 0.03, self.garment.under_jacket(p)));
        }
        let sheen = powi(1.0 - dot(n, v).abs(), 3);
        let soft = if knitted { 0.6 } else { 0.42 };
        c = add(c, mul(mulv(light, add(a, [0.03; 3])), sheen * soft));
        if layer == Piece::Shoes {
            c = add(c, mul(light, gloss(n, v, norm(KEY), 0.35, 0.05) * 0.8));
        }
        if layer == Piece::Tie {
            c = add(c, mul(light, gloss(n, v, norm(KEY), 0.45, 0.04) * 0.35));
        }
        c
    }

    /// How many cells of noise a unit may have, no finer than a pixel or two: they would make waves with the pixels.
    fn cells(&self, most: f32) -> f32 {
        most.min(self.unit / 2.5)
    }

    /// Wool: twill where pixels are fine enough to show it, and threads that were dyed a little apart.
    fn wool(&self, r: V3) -> f32 {
        let twill = sin((r[0] + r[1] * 0.7) * 150.0 + 7.0 * noise(mul(r, 14.0)));
        let seen = ss(360.0, 700.0, self.unit);
        let fine = noise(mul(r, self.cells(150.0))) - 0.5;
        let coarse = noise(mul(r, self.cells(60.0))) - 0.5;
        0.009 * seen * twill + 0.05 * fine + 0.03 * coarse
    }

    /// The colour of a layer, nowhere quite the same.
    fn dye(&self, layer: Piece, r: V3) -> V3 {
        let base = match layer {
            Piece::Jacket | Piece::Lapel => self.outfit.color,
            Piece::Tie => self.outfit.tie,
            Piece::Trousers => self.outfit.trousers(),
            Piece::Shoes => self.outfit.shoes(),
            _ if matches!(self.outfit.cut, Cut::Blazer { .. }) => self.outfit.under,
            _ => self.outfit.color,
        };
        mul(base, 0.96 + 0.04 * (fbm(mul(r, 2.6), 3) - 0.4))
    }

    /// The colour of a sleeve with its hem, before light falls on it. Its points lie too far apart for finer seams.
    pub(crate) fn dyed(&self, layer: Piece, rest: V3, p: V3, arm: f32) -> V3 {
        mul(self.dye(layer, rest), self.hem(p, arm) * valley(p, self.garment))
    }

    /// Sleeves are hemmed.
    fn hem(&self, p: V3, arm: f32) -> f32 {
        let cuff = self.garment.sleeve(p, arm);
        1.0 - 0.25 * ss(0.03, 0.0, cuff) - 0.08 * ss(0.012, 0.0, (cuff - 0.12).abs())
    }

    pub(crate) fn scarf(&self, spot: &Spot<'_>) -> V3 {
        let (p, n) = (spot.point(), spot.normal());
        let v = norm(sub(Camera::eye(), p));
        let n = if dot(n, v) < 0.0 { mul(n, -1.0) } else { n };
        // Where it turns under at the face it is dim, not black.
        let light = spot.light().map(|l| l.max(0.22));
        // How open it lies between its folds.
        let open = spot.number(spot.mesh.cloth(), |t| t.along);
        let a = mul(self.outfit.tie, open * (0.94 + 0.12 * noise(mul(p, 130.0))));
        let sheen = powi(1.0 - dot(n, v).abs(), 3);
        let mut c = mulv(a, light);
        c = add(c, mul(mulv(light, add(a, [0.03; 3])), sheen * 0.35));
        add(c, mul(light, gloss(n, v, norm(KEY), 0.55, 0.035) * 0.20))
    }

    /// Acetate: dark, with clear highlights.
    pub(crate) fn frame(&self, spot: &Spot<'_>) -> V3 {
        let Glasses::Framed { color, .. } = self.look.glasses else { return [0.0; 3] };
        let (p, n) = (spot.point(), spot.normal());
        let v = norm(sub(Camera::eye(), p));
        // Rims as thin as these would lie in their own shadow.
        let light = spot.light().map(|l| l.max(0.55));
        let shine = gloss(n, v, norm(KEY), 0.30, 0.05) * 1.3 + gloss(n, v, norm(FILL), 0.4, 0.05) * 0.25;
        // What faces up shows the ceiling, what faces down nothing: a wire without that has no thickness.
        let ceiling = (0.02 * ss(-0.1, 0.9, n[1]) + 0.11 * ss(0.50, 0.90, n[1]) + 0.008 * ss(0.3, 1.0, n[2]))
            * ss(0.6, 1.0, p[2]);
        let round = 0.55 + 0.65 * ss(-0.8, 0.6, n[1]);
        add(mul(mulv(color, light), round), mul([1.0, 0.97, 0.94], (shine + ceiling * light[1]).min(0.9)))
    }

    /// Edges, seams and the shade of one layer on the next.
    fn seams(&self, layer: Piece, p: V3, arm: f32, across: f32) -> f32 {
        let g = self.garment;
        let inside = g.inside(layer, p);
        let mut shade = self.hem(p, arm);
        match layer {
            Piece::Lapel => {
                // The notch is cut, and the edge pressed.
                shade *= 1.0 - 0.30 * ss(0.012, 0.0, inside);
                shade *= 1.0 - 0.26 * ss(0.016, 0.004, g.gorge(p));
                shade *= 1.0 + 0.06 * ss(0.95, 0.99, across) - 0.25 * ss(0.992, 1.0, across);
            }
            Piece::Jacket => {
                shade *= creases::chest(p, g.broad, &g.worn());
                let open = 1.0 - 0.85 * ss(0.03, -0.01, g.notch(p));
                shade *= 1.0 - 0.30 * open * ss(0.018, 0.0, inside);
                // The lapel casts a soft shadow beside itself, away from the light.
                let beside = |far: f32| g.lapel(add(p, [-0.6 * far, far, 0.0]));
                shade *= 1.0 - open * (0.26 * ss(-0.02, 0.01, beside(0.05)) + 0.16 * ss(-0.10, 0.02, beside(0.02)));
                shade *= self.seam(armhole(p, g), p);
                shade *= self.welt(p);
                shade *= self.buttons(p, 0.058, &[0.10, 0.85]);
            }
            Piece::Trousers => {
                // Pressed: a crease down the front of each leg.
                let crease = ss(0.03, 0.0, (p[0].abs() - 0.62 - 0.05 * p[1].abs() * 0.12).abs()) * ss(0.0, 0.3, p[2]);
                shade *= 1.0 + 0.05 * crease;
                shade *= 1.0 - 0.25 * ss(0.05, 0.0, inside);
            }
            Piece::Shoes => shade *= 1.0 - 0.5 * ss(-8.48, -8.56, p[1]),
            _ => {
                shade *= self.seam(armhole(p, g), p);
                if !g.is_jacket() {
                    shade *= creases::chest(p, g.broad, &g.worn());
                }
                if matches!(self.outfit.cut, Cut::Blazer { .. }) {
                    // Under the jacket's edge it is darker; evaluated here because vertices are too coarse for it.
                    let edge = g.inside(Piece::Jacket, p);
                    shade *= 1.0 - 0.36 * ss(-0.22, 0.02, edge);
                } else {
                    // Hems are stitched twice.
                    for line in [0.07, 0.10] {
                        shade *= 1.0 - 0.10 * ss(0.010, 0.0, (g.bare(p, arm) + line).abs());
                    }
                }
                if g.has_collar() && p[0].abs() < 0.5 {
                    let placket = (p[0].abs() - 0.11).abs();
                    shade *= 1.0 - 0.12 * ss(0.016, 0.0, placket);
                    shade *= self.buttons(p, 0.030, &[-1.55, -1.15, -0.75, -0.35]);
                }
            }
        }
        shade
    }

    /// A sewn line at 0: the cloth dips, and swells beside it.
    fn seam(&self, at: f32, p: V3) -> f32 {
        let here = ss(3.95, 4.25, p[1]) * ss(-0.5, 0.0, p[2]);
        let pucker = 0.5 + 0.5 * sin(p[1] * 38.0 + 4.0 * noise(mul(p, 6.0)));
        1.0 - here * (0.24 * ss(0.018, 0.0, at.abs()) + 0.07 * pucker * ss(0.10, 0.0, at) * ss(-0.01, 0.0, at))
            + here * 0.07 * ss(-0.06, -0.018, at) * ss(0.0, -0.018, at)
    }

    /// The breast pocket's welt, on the heart's side.
    fn welt(&self, p: V3) -> f32 {
        let u = self.garment.broad;
        let x = p[0] / u - (0.62 * self.garment.shoulder / u).min(0.92);
        if p[2] < 0.1 || x.abs() > 0.3 {
            return 1.0;
        }
        let y = p[1] - (self.garment.breast() + 0.10 * x);
        let off = (x.abs() - 0.165).max(y.abs() - 0.042);
        let below = ss(0.07, 0.0, off) * ss(-0.004, 0.004, off) * ss(0.02, -0.03, y);
        1.0 - 0.26 * ss(0.011, 0.0, off.abs()) + 0.05 * ss(0.0, -0.012, off) - 0.12 * below
    }

    /// Buttons on the front, `below` the point where a jacket closes.
    fn buttons(&self, p: V3, size: f32, below: &[f32]) -> f32 {
        if p[2] < 0.2 || p[0].abs() > 0.3 {
            return 1.0;
        }
        let mut shade = 1.0;
        for down in below {
            let (x, y) = (p[0], p[1] - (self.garment.button() - down));
            let far = (x * x + y * y).sqrt() / size;
            if far > 1.6 {
                continue;
            }
            // Its shadow falls away from the light.
            let (sx, sy) = (x - 0.25 * size, y + 0.3 * size);
            shade *= 1.0 - 0.35 * ss(1.35, 0.8, (sx * sx + sy * sy).sqrt() / size);
            let rim = ss(0.95, 0.80, far) * ss(0.55, 0.72, far);
            let holes = ss(0.16, 0.08, (x.abs() / size - 0.2).abs()) * ss(0.16, 0.08, (y.abs() / size - 0.2).abs());
            // Of horn: darker than the cloth, with a rim that is lit from above.
            let face = 0.56 + 0.50 * rim * (0.4 + 0.6 * (y - x) / size).max(0.0) - 0.22 * holes;
            let inside = ss(1.0, 0.9, far);
            shade = shade * (1.0 - inside) + face * inside;
        }
        shade
    }
}
