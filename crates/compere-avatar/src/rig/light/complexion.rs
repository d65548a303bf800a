//! Skin: its colours, freckles, lips, beard and lines, and the light that enters it.

use super::gloss::{gloss, warmed};
use super::shade::{Shader, Spot};
use super::studio::{FILL, KEY, RIM};
use crate::rig::body::skull::{angles, direction};
use crate::rig::ground::camera::Camera;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, atan2, dot, exp, fbm, length, mix, mul, mulv, noise, norm, pow, powi, ss, sub};
use crate::rig::hair::combed::Comb;
use crate::rig::people::person::Hair;

impl Shader<'_> {
    fn skin_color(&self, r: V3, lips: f32, lid: f32, ear: f32, inside: f32) -> V3 {
        let look = self.look;
        let big = fbm(mul(r, 2.3), 3) - 0.45;
        let mid = fbm(mul(r, 9.0), 3) - 0.45;
        let fine = noise(mul(r, 60.0)) - 0.5;
        let mut a = mulv(look.skin, [1.0 + 0.04 * big, 1.0 + 0.09 * big, 1.0 + 0.09 * big]);
        a = mul(a, 1.0 + 0.07 * mid + 0.08 * fine);
        // Blood shows through in patches.
        let blood = fbm(mul(add(r, [3.0, 1.0, 7.0]), 5.5), 2) - 0.40;
        a = mulv(a, [1.0 + 0.03 * blood, 1.0 - 0.13 * blood, 1.0 - 0.11 * blood]);
        let front = ss(0.3, 1.0, r[2]);
        let spot = |x: f32, y: f32, size: f32| {
            let (dx, dy) = (r[0].abs() - x, r[1] - y);
            exp(-(dx * dx + dy * dy) / (size * size)) * front
        };
        let red = 0.70 * spot(0.42, EYE_Y - 0.42, 0.24) + 0.5 * spot(0.0, EYE_Y - 0.42, 0.16);
        let red = red + 0.3 * spot(0.0, EYE_Y - 1.05, 0.2) + 0.15 * spot(0.2, EYE_Y + 0.6, 0.4) + 0.6 * ear;
        a = mulv(a, mix([1.0; 3], [1.05, 0.79, 0.79], red.min(1.0) * (0.48 + 0.80 * look.makeup)));
        // Lids bulge over a valley that the key leaves dark from one corner to the other: it is covered, as for a camera.
        let (tx, ty) = ((r[0].abs() - 0.29) / 0.20, (r[1] - EYE_Y + 0.165) / 0.055);
        a = mul(a, 1.0 + 0.17 * exp(-tx * tx - ty * ty) * front);
        a = mul(a, 1.0 + 0.08 * self.below_lid(r));
        let shadow = mix([0.99, 0.90, 0.885], [0.83, 0.67, 0.63], look.makeup);
        a = mulv(a, mix([1.0; 3], shadow, lid));
        let (line, up) = self.crease(r);
        a = mulv(a, mix([1.0; 3], [0.70, 0.57, 0.54], 0.55 * self.crease * (line + 0.45 * up)));
        let (flesh, border) = self.caruncle(r);
        a = mix(a, mulv(a, [0.956, 0.824, 0.835]), flesh);
        a = mul(a, 1.0 - 0.24 * border);
        if look.stubble > 0.0 {
            let beard =
                ss(EYE_Y - 0.60, EYE_Y - 0.85, r[1]) * ss(EYE_Y - 1.36, EYE_Y - 1.16, r[1]) * ss(0.10, 0.55, r[2]);
            let dots = 0.5 * noise(mul(r, 150.0)) + 0.5 * noise(mul(r, 310.0));
            let dark = beard * look.stubble * (0.62 + 0.38 * ss(0.35, 0.65, dots)) * (1.0 - lips);
            a = mix(a, mulv(a, mix([0.62, 0.62, 0.66], mul(look.hair, 4.0), 0.3)), dark);
        }
        let sunny = (spot(0.36, EYE_Y - 0.36, 0.26) + spot(0.0, EYE_Y - 0.30, 0.14)).min(1.0);
        let freckle = ss(0.74, 0.90, noise(mul(r, 47.0))) * look.freckles * sunny;
        a = mulv(a, mix([1.0; 3], [0.84, 0.70, 0.62], freckle));
        let grain = noise([r[0] * 60.0, r[1] * 8.0, 3.0]);
        a = mix(a, mul(look.lips, 0.88 + 0.24 * grain), lips * (0.63 + 0.78 * look.makeup).min(0.88));
        let (soft, sharp) = self.browed(r, lid);
        // No two hairs are of one tone, and they stand over the shade that they throw together.
        // Skin shows between them: what covers it is a sticker.
        let tone = 0.75 + 0.85 * noise([r[0] * 36.0, r[1] * 120.0, 5.0]);
        a = mix(a, look.brow, soft * 0.42 * front);
        a = mix(a, mul(look.brow, tone), sharp * 0.87 * front);
        if look.beard > 0.0 {
            let (cover, tone) = self.beard(r);
            let cover = cover * (1.0 - ss(0.36, 0.84, lips)) * (1.0 - ear);
            // What greys on the head greys there.
            let grey = ss(0.65, 0.9, look.sheen[2] / look.sheen[0].max(1e-3)) * ss(0.06, 0.12, look.sheen[1]);
            // By factors: mixed with skin dark hair is grey, and has an edge where it begins to be dense.
            a = between(
                a,
                mulv(mix(look.brow, look.sheen, tone), mix([1.22, 0.86, 0.68], [1.0; 3], grey)),
                0.90 * cover,
            );
        }
        a = self.rooted(a, self.scalp(r) * (1.0 - ear));
        mix(a, [0.34, 0.10, 0.09], inside * 0.95)
    }

    /// The shade under a brow's hairs, and the hairs. None on a lid, which would draw them down where it shuts.
    fn browed(&self, r: V3, lid: f32) -> (f32, f32) {
        let bare = 1.0 - ss(0.10, 0.45, lid);
        let (soft, sharp) = self.brows.at(r);
        (soft * bare, sharp * bare)
    }

    /// How much this is the rim of a lid, the corner at the nose where tears gather, and near the ball at all.
    fn rim(&self, r: V3) -> (f32, f32, f32) {
        let (ball, radius) = self.balls[usize::from(r[0] < 0.0)];
        let q = mul(sub(r, ball), 1.0 / radius);
        let inward = -q[0] * r[0].signum() - 1.02;
        let corner = exp(-powi(inward / 0.24, 2) - powi((q[1] + 0.10) / 0.24, 2)) * ss(1.6, 1.3, length(q));
        // Of the upper lid it looks down.
        (ss(1.10, 1.02, length(q)) * ss(0.30, 0.05, q[1]), corner, ss(1.75, 1.25, length(q)))
    }

    /// How much of a lower lip is red: the data's is a boat, whose sides go straight to the corners. A lip's border leaves them
    /// nearly level, and is softer and goes farther in where a beard begins.
    fn reddened(&self, r: V3) -> f32 {
        let beard = self.look.beard.min(1.0);
        let out = (r[0].abs() / self.corner[0]).min(1.0);
        let most = (1.0 - 0.08 * beard) * self.lower * ss(1.12 - 0.03 * beard, 0.62 - 0.39 * beard, out) + 0.012;
        let soft = (0.125 + 0.125 * beard) * self.lower;
        ss(most + soft, most - soft, self.corner[1] - r[1])
    }

    /// How much this is of the flesh where lids meet at the nose, and of its border. The data's openings end there in an
    /// upright edge, as if cut: it goes on from that towards the nose, and a little down.
    fn caruncle(&self, r: V3) -> (f32, f32) {
        const LONG: f32 = 0.215;
        const HIGH: f32 = 0.125;
        let side = usize::from(r[0] < 0.0);
        let (at, radius) = (self.inner[side], self.balls[side].1);
        // From a little inside the opening.
        let inward = ((at[0].abs() - r[0].abs()) / radius + 0.20) / LONG;
        let over = (r[1] - at[1]) / radius + 0.06 + 0.35 * inward * LONG;
        if !(-0.8..1.3).contains(&inward) || (r[2] - at[2]).abs() > radius {
            return (0.0, 0.0);
        }
        let half = HIGH * (1.0 - inward.max(0.0)).max(0.0).sqrt();
        let flesh = ss(half + 0.05, half - 0.05, over.abs()) * ss(1.0, 0.75, inward) * ss(-0.8, -0.3, inward);
        let off = (over.abs() - half) / 0.045;
        (flesh, exp(-off * off) * ss(1.25, 0.9, inward) * ss(-0.6, -0.1, inward))
    }

    /// How much this is of the corner of an eye at the nose and of the skin beside it, and of its end at the temple.
    pub(crate) fn ends(&self, r: V3) -> [f32; 2] {
        let (ball, radius) = self.balls[usize::from(r[0] < 0.0)];
        let q = mul(sub(r, ball), 1.0 / radius);
        let out = q[0] * r[0].signum();
        let round = |x: f32, y: f32, wide: f32, high: f32| {
            let (dx, dy) = ((out - x) / wide, (q[1] - y) / high);
            exp(-dx * dx - dy * dy) * ss(0.3, 1.0, r[2])
        };
        [round(-0.97, -0.30, 0.34, 0.50), round(1.18, 0.0, 0.24, 0.22)]
    }

    /// The crease over an upper lid, which folds there when it opens: its line, and the shade that goes up from it.
    fn crease(&self, r: V3) -> (f32, f32) {
        let (ball, radius) = self.balls[usize::from(r[0] < 0.0)];
        let q = sub(r, ball);
        if q[1].abs().max(q[2].abs()) > 1.6 * radius {
            return (0.0, 0.0);
        }
        let [along, over] = self.lids[usize::from(r[0] < 0.0)].over(r);
        let high = 0.05 + 0.235 * ss(-0.05, 0.45, along) - 0.15 * ss(0.65, 1.2, along);
        let off = over / radius - high;
        let ends = ss(-0.02, 0.25, along) * ss(1.14, 0.80, along);
        let line = exp(-powi(off / 0.042, 2));
        (line * ends, if off > 0.0 { ends * exp(-off / 0.10) } else { 0.0 })
    }

    /// How much this is of the valley that runs along under the lower lid.
    fn below_lid(&self, r: V3) -> f32 {
        let (ball, radius) = self.balls[usize::from(r[0] < 0.0)];
        let q = mul(sub(r, ball), 1.0 / radius);
        let (dx, dy) = (q[0] / 1.20, (length([q[0], q[1], 0.0]) - 0.86) / 0.26);
        exp(-dx * dx - dy * dy) * ss(-0.08, -0.36, q[1]) * ss(0.3, 1.0, r[2])
    }

    /// How much this is of the groove around a wing of the nose, sharp at the wing and soft on the cheek.
    fn beside_wing(&self, r: V3) -> f32 {
        let y = r[1] - self.wing.at[1];
        let round = self.wing.at[0] - 4.5 * (y - 0.012) * (y - 0.012);
        let off = r[0].abs() - round;
        let wide = if off > 0.0 { 0.027 } else { 0.015 };
        exp(-(off * off) / (wide * wide))
            * ss(-0.085, -0.02, y)
            * ss(0.105, 0.03, y)
            * ss(-0.12, -0.05, r[2] - self.wing.at[2])
    }

    /// How much this is of an opening of the nose, as the camera sees them: two, whichever side the lamp is on.
    fn nostril(&self, r: V3) -> f32 {
        // Where the data has its own: beside that each would be two.
        let (dx, dy) = (r[0].abs() - 0.555 * self.wing.at[0], r[1] - self.wing.opens);
        let (dx, dy) = (dx / (0.22 * self.wing.at[0]), (dy + 0.25 * dx) / 0.018);
        exp(-powi(dx * dx + dy * dy, 2)) * ss(-0.40, -0.28, r[2] - self.nose[2])
    }

    /// How much of the lamp is seen in the ball of a nose and, fainter, along its bridge: of so few points neither is round.
    fn tip(&self, r: V3) -> f32 {
        let (x, y) = (r[0] + 0.018, r[1] - self.nose[1]);
        let ball = exp(-powi(x / 0.054, 2) - powi((y - 0.022) / 0.043, 2));
        let bridge = exp(-powi(x / 0.036, 2)) * ss(0.07, 0.16, y) * ss(0.42, 0.22, y);
        (0.28 * ball + 0.08 * bridge) * ss(0.7, 1.0, r[2])
    }

    /// How near a corner of the mouth this is.
    fn mouth_end(&self, r: V3) -> f32 {
        let (dx, dy) = ((r[0].abs() - self.corner[0] + 0.012) / 0.048, (r[1] - self.corner[1]) / 0.036);
        exp(-dx * dx - dy * dy) * ss(0.3, 1.0, r[2])
    }

    /// The colour of skin that is no face's.
    pub(crate) fn bare(&self, rest: V3) -> V3 {
        self.skin_color(rest, 0.0, 0.0, 0.0, 0.0)
    }

    /// How much this is of the nose, down to where its wings end.
    fn on_nose(&self, r: V3) -> f32 {
        ss(-0.085, -0.050, r[1] - self.nose[1]) * ss(0.025, -0.015, r[0].abs() - self.wing.at[0])
    }

    /// A short beard: how much it covers, and how light its hairs are.
    fn beard(&self, r: V3) -> (f32, f32) {
        self.beard.map_or((0.0, 0.0), |beard| {
            let seen = beard.at(r);
            (seen.cover * self.look.beard.min(1.0) * (1.0 - self.on_nose(r)), seen.tone)
        })
    }

    /// The colour of the cloth that lies next to the neck.
    fn collar(&self) -> V3 {
        if matches!(self.hair, Hair::Scarf) {
            return self.outfit.tie;
        }
        if self.garment.is_jacket() { self.outfit.under } else { self.outfit.color }
    }

    /// How dark lines of age are here or, below nothing, how light what bulges under them: of the forehead, the corners of
    /// the eyes, and the lids below them. Soft folds, as one sees them across a table: scratches look like paper.
    fn lines(&self, r: V3) -> f32 {
        let (x, y) = (r[0].abs(), r[1] - EYE_Y);
        let wander = 0.05 * (noise([r[0] * 4.0, r[1] * 3.0, 2.0]) - 0.5);
        // Light comes from above: the lower bank of a fold catches it.
        let fold = |over: f32, wide: f32| {
            let bank = (over + 1.9 * wide) / (1.2 * wide);
            exp(-(over * over) / (wide * wide)) - 0.45 * exp(-bank * bank)
        };
        let mut deep = 0.0_f32;
        for (height, reach, share) in [(0.46, 0.30, 0.34), (0.57, 0.40, 0.42), (0.68, 0.28, 0.24)] {
            let arch = height + 0.05 * ss(0.0, 0.4, x) - 0.10 * ss(0.25, 0.55, x);
            deep += share * fold(y - arch - wander, 0.025) * ss(reach + 0.14, reach - 0.20, x);
        }
        let (dx, dy) = (x - 0.46, y - 0.0);
        let far = (dx * dx + dy * dy).sqrt();
        let angle = atan2(dy, dx);
        for turn in [-0.62, -0.15, 0.32] {
            let fan = fold((angle - turn) * far + wander * 0.4, 0.018);
            deep += 0.6 * fan * ss(0.05, 0.10, far) * ss(0.25, 0.13, far) * ss(0.0, 0.05, dx);
        }
        // None is as deep all along.
        deep *= 0.40 + 0.60 * ss(0.2, 0.6, noise([r[0] * 7.0, r[1] * 5.0, 9.0]));
        // A looser lid has an edge of its own.
        let below = -0.165 - 0.05 * ss(0.10, 0.28, x) + 0.08 * ss(0.34, 0.46, x);
        deep += 0.6 * fold(y - below - wander * 0.4, 0.026) * ss(0.12, 0.24, x) * ss(0.46, 0.34, x);
        deep * ss(0.3, 0.7, r[2])
    }

    fn above_hairline(&self, r: V3) -> f32 {
        self.hair.above(norm(sub(r, self.skull.centre)))
    }

    /// How much light hair lets through to the skin that it lies on: what is white is bright inside as well.
    fn through_hair(&self, r: V3) -> f32 {
        let white = ss(0.10, 0.35, self.look.hair[1]);
        if white > 0.0 { 0.60 * white * ss(-9.0, -1.0, self.above_hairline(r)) } else { 0.0 }
    }

    /// By how many degrees the edge of what grows wanders: as dots, or where hair is combed back from it as the strands run.
    fn roots_seen(&self, r: V3) -> f32 {
        let Hair::Tied { high, .. } = self.hair else { return (noise(mul(r, 90.0)) - 0.5) * 1.6 };
        let (far, way) = Comb::tied(self.hair, direction(180.0, high)).place(norm(sub(r, self.skull.centre)));
        let fine = noise([way * 140.0, far * 8.0, 0.7]) + 0.7 * noise([way * 55.0, far * 5.0, 5.1]);
        (fine - 0.85) * 0.8
    }

    /// Skin that so much hair grows from. By factors: halfway between skin and hair is dark, not orange.
    pub(crate) fn rooted(&self, skin: V3, grown: f32) -> V3 {
        let look = self.look;
        if grown <= 0.0 {
            return skin;
        }
        // Under white hair skin shows, not a shadow.
        let share: f32 = match self.hair {
            Hair::Long(_) => 0.35,
            Hair::Tied { .. } => 0.70,
            Hair::Short { .. } => 0.55,
            _ => 0.0,
        };
        let roots = mix(look.hair, look.sheen, share.max(ss(0.10, 0.25, look.hair[1])));
        between(skin, mul(roots, 0.7), 0.92 * grown)
    }

    /// How much hair grows from here: a shadow of roots under the strands.
    pub(crate) fn scalp(&self, r: V3) -> f32 {
        let above = self.above_hairline(r);
        let ragged = self.roots_seen(r);
        let (first, last, soft) = if matches!(self.hair, Hair::Short { .. }) {
            (-4.0, 10.0, 0.62)
        } else if matches!(self.hair, Hair::Tied { .. }) {
            (-3.0, 8.0, 0.7)
        } else if matches!(self.hair, Hair::Long(_)) {
            (-4.0, 6.5, 0.74)
        } else {
            (-5.5, 4.5, if matches!(self.hair, Hair::Curls { .. }) { 0.72 } else { 1.0 })
        };
        let fading = if matches!(self.hair, Hair::Tied { .. }) { 0.95 } else { 0.20 };
        // Hair that hangs over a forehead stands off it: a soft shade of contact.
        let contact = if matches!(self.hair, Hair::Long(_)) { 0.20 * ss(-9.0, 0.0, above) } else { 0.0 };
        let d = norm(sub(r, self.skull.centre));
        // What is cut short ends before the ear with its last hairs: a shade that goes on is a smear.
        let burn = if matches!(self.hair, Hair::Short { .. }) { ss(-48.0, -28.0, angles(d).1 + ragged) } else { 1.0 };
        (ss(first, last, above + ragged) * soft * burn).max(contact)
            * (1.0 - fading * (1.0 - self.hair.faded(d)))
            * ss(EYE_Y - 1.05, EYE_Y - 0.6, r[1])
    }

    /// Light where an arm comes out of its sleeve: dim, not black.
    const IN_SLEEVE: V3 = [0.24, 0.22, 0.21];

    pub(crate) fn skin(&self, spot: &Spot<'_>) -> V3 {
        let known = spot.mesh.skin();
        let arm = spot.number(known, |t| t.arm);
        let sleeve = self.garment.sleeve(spot.vector(&spot.mesh.sewn), arm);
        if self.garment.has_cuffs() && arm > 0.5 && sleeve > -0.09 {
            // The shirt's cuff looks out of the jacket's sleeve.
            let light = spot.light().map(|l| l.max(0.34));
            return mul(mulv(self.outfit.under, light), 1.0 - 0.3 * ss(-0.07, -0.09, sleeve));
        }
        let (n, r, p) = (spot.normal(), spot.place(known, |t| t.rest), spot.point());
        // A border of lips is a change of tone, not an edge.
        let lips = ss(0.20, 0.92, spot.number(known, |t| t.lips)) * self.reddened(r);
        let (lid, ear) = (spot.number(known, |t| t.lid), spot.number(known, |t| t.ear));
        // Lips close to a thin line, which ends before their corners do.
        let ends = self.mouth_end(r);
        let inside = ss(0.40, 0.82, spot.number(known, |t| t.inside)) * (1.0 - 0.6 * ends);
        let v = norm(sub(Camera::eye(), p));
        let bump = |q: V3| {
            let pores = 0.6 * noise(mul(q, 95.0)) + 0.4 * noise(mul(q, 190.0));
            let grown = 0.4 * self.beard(q).0 + 1.3 * self.browed(q, lid).1;
            pores + grown + lips * 1.1 * noise([q[0] * 70.0, q[1] * 9.0, q[2] * 9.0])
        };
        let step = 0.0035;
        let here = bump(r);
        let slope: V3 = std::array::from_fn(|k| {
            let mut q = r;
            q[k] += step;
            bump(q) - here
        });
        let b = norm(sub(n, mul(slope, 0.17)));
        let mut a = self.skin_color(r, lips, lid, ear, inside);
        if matches!(self.hair, Hair::Scarf) && arm < 0.5 {
            // Between a scarf and what is worn under it no skin shows.
            a = mix(a, self.collar(), ss(EYE_Y - 1.30, EYE_Y - 1.40, r[1]));
        }
        if self.look.lines > 0.0 {
            let deep = self.lines(r) * self.look.lines;
            a = mulv(a, [0.245, 0.36, 0.405].map(|taken| 1.0 - taken * deep.clamp(-0.4, 0.9)));
        }
        let (light, key, open) = (spot.light(), spot.scalar(&spot.mesh.key), spot.scalar(&spot.mesh.open));
        let hidden = self.spectacles.as_ref().map_or(0.0, |rims| rims.hide(p)) * key;
        let (light, key) = (mulv(light, mix([1.0; 3], [0.62, 0.55, 0.52], hidden)), key * (1.0 - 0.8 * hidden));
        // What is scattered warms shadows; it must not glow in them.
        let light = [light[0].min(1.17 * light[1] + 0.006), light[1], light[2].max(0.80 * light[1])];
        // What folds away is never black: skin around it gives it some light. Rims of lids are pink and moist.
        let (rim, corner, socket) = self.rim(r);
        let floor = 0.10
            + 0.17 * ear
            + (0.50 * rim).max(0.40 * corner).max(0.20 * socket)
            + 0.30 * self.scalp(r)
            + self.through_hair(r)
            + 0.24 * lips
            + 0.30 * inside;
        let light = light.map(|l| l.max(floor));
        // Thin skin around an eye is rosy in its creases: what is scattered there would make them orange.
        let rosy: V3 = [light[0].min(1.06 * light[1]), light[1], light[2].max(0.95 * light[1])];
        let light = mix(light, rosy, socket);
        // A crease under the eye is soft: lids are thin.
        let (dx, dy) = (r[0].abs() - 0.24, r[1] - EYE_Y + 0.24);
        let dry = exp(-(dx * dx / 0.050 + dy * dy / 0.022)) * ss(0.3, 1.0, r[2]);
        let light: V3 = std::array::from_fn(|k| light[k].max([0.84, 0.785, 0.755][k] * dry));
        // And right below the lid a smile would draw it together to a black line.
        let below = self.below_lid(r);
        let light: V3 = std::array::from_fn(|k| light[k].max([0.79, 0.73, 0.70][k] * below));
        // Where lips end skin folds in a row of points: a black hook, were it left to them.
        let light: V3 = std::array::from_fn(|k| light[k].max([0.44, 0.355, 0.325][k] * ends));
        // Nor does any shadow fill the corner between the eye and the nose: it would be a bruise.
        let (dx, dy) = (r[0].abs() - 0.15, r[1] - EYE_Y - 0.02);
        let socket = exp(-(dx * dx / 0.016 + dy * dy / 0.030)) * ss(0.3, 1.0, r[2]);
        let light: V3 = std::array::from_fn(|k| light[k].max([0.78, 0.725, 0.695][k] * socket));
        // Beside the bridge of the nose it is a soft half-shade down to the cheek, no stripe.
        let (dx, dy) = (r[0].abs() - 0.085, r[1] - EYE_Y + 0.03);
        let beside = exp(-(dx * dx / 0.016 + dy * dy / 0.110)) * ss(0.5, 1.0, r[2]);
        let light: V3 = std::array::from_fn(|k| light[k].max([0.86, 0.785, 0.745][k] * beside));
        // Where lids meet there skin is thin and even: what their folds scatter would be an orange notch.
        let [inner, outer] = self.ends(r);
        let even: V3 = [light[0].clamp(1.02 * light[1], 1.07 * light[1]), 0.99 * light[1], 0.96 * light[1]];
        let light = mix(light, even, inner.max(0.85 * outer));
        let light: V3 = std::array::from_fn(|k| light[k].max([0.80, 0.74, 0.71][k] * inner.max(0.55 * outer)));
        // Under the nose it is not black.
        let (dx, dy) = (r[0], r[1] - EYE_Y + 0.50);
        let under = exp(-(dx * dx / 0.030 + dy * dy / 0.006)) * ss(0.9, 1.2, r[2]);
        let light: V3 = std::array::from_fn(|k| light[k].max([0.40, 0.33, 0.30][k] * under));
        // Nor is what the nose throws its shadow on: its two openings are what is dark there.
        let (dx, dy) = (r[0] / 0.26, (r[1] - self.nose[1] + 0.10) / 0.14);
        let base = exp(-dx * dx - dy * dy) * ss(0.8, 1.1, r[2]) * ss(-0.25, 0.25, open);
        let light: V3 = std::array::from_fn(|k| light[k].max([0.66, 0.56, 0.52][k] * base));
        // Where its wings meet the cheeks it is darker on either side, or it has one side only.
        let light = mulv(light, mix([1.0; 3], [0.80, 0.72, 0.69], self.wing.deep.max(0.80) * self.beside_wing(r)));
        let light = mulv(light, mix([1.0; 3], [0.44, 0.34, 0.31], self.nostril(r)));
        a = mix(a, mix(mul(self.look.skin, 0.9), [0.60, 0.27, 0.24], 0.6), 0.38 * rim);
        // What is worn throws some of its light up, under the chin.
        let low = ss(EYE_Y - 1.10, EYE_Y - 1.55, r[1]) * (0.75 - 0.55 * n[1]).max(0.0) * ss(-0.2, 0.5, n[2]);
        let light = add(light, mul(add(mul(self.collar(), 0.24), [0.105, 0.062, 0.045]), low));
        // The throat is not as dark as hair beside it would leave it: it would be another person's.
        let throat = 1.12 * ss(EYE_Y - 1.02, EYE_Y - 1.42, r[1]) * ss(-0.3, 0.3, n[2]);
        let light: V3 = std::array::from_fn(|k| light[k].max([0.80, 0.72, 0.68][k] * throat));
        // What reaches a neck between hair and chin has been on skin: it would be grey by the cool walls alone.
        let neck = ss(EYE_Y - 1.00, EYE_Y - 1.35, r[1]) * (1.0 - ss(0.15, 0.6, key));
        let light = mulv(light, mix([1.0; 3], [1.12, 1.08, 0.99], neck));
        // So has what reaches a cheek that hair, ears and brow keep the key from.
        let face = ss(0.55, 0.10, key) * ss(EYE_Y - 1.35, EYE_Y - 1.05, r[1]);
        let light = mulv(light, mix([1.0; 3], [1.06, 0.99, 0.945], face));
        let light = mulv(mul(light, 1.0 - 0.45 * inside), rounded(n, lips * (1.0 - 1.7 * self.look.makeup).max(0.3)));
        let light = if arm > 0.5 { std::array::from_fn(|k| light[k].max(Self::IN_SLEEVE[k])) } else { light };
        // Behind its edge a lip is moist and red before it gets dark.
        // Towards the corners the cheek behind is near.
        let edge = 0.10 + 0.12 * ss(1.22, 1.46, r[2]) + 0.17 * ss(0.09, 0.19, r[0].abs());
        let light = add(light, mul([edge, 0.5 * edge, 0.46 * edge], inside));
        let l = norm(KEY);
        let relief = (1.0 + 0.9 * (dot(b, l) - dot(n, l)) * key).max(0.0);
        // Nor do these folds hide what little they would of the room.
        let shut = (1.0 - open) * (1.0 - 0.8 * dry.max(beside).max(socket));
        let mut c = mul(mulv(a, warmed(light)), relief * (1.0 - 0.26 * shut));
        let front = ss(0.3, 1.0, r[2]);
        let zone = |y: f32, size: f32| exp(-(r[0] * r[0] + (r[1] - y) * (r[1] - y)) / (size * size)) * front;
        let oily = (zone(EYE_Y - 0.3, 0.25) + 0.3 * zone(EYE_Y + 0.5, 0.4)).min(1.0);
        let rough = 0.48 - 0.07 * oily - 0.15 * lips * (0.2 + 2.0 * self.look.makeup).min(1.0);
        // The rim's lamp stands behind: it would draw a bright line down the side of the nose.
        let seen_from_behind = ss(0.24, 0.42, length([r[0], 0.0, (1.15 - r[2]).max(0.0)]));
        let shine = gloss(b, v, l, rough, 0.028) * key * 2.4
            + gloss(b, v, norm(FILL), 0.5, 0.028) * 0.55 * open
            + gloss(b, v, norm(RIM), 0.45, 0.03) * 0.9 * open * seen_from_behind
            + gloss(b, v, l, 0.28, 0.028) * key * 0.35 * (0.3 + oily + 4.0 * self.look.makeup * lips)
            + gloss(b, v, norm([-0.20, 0.60, 0.77]), 0.36, 0.03) * (0.40 + 1.2 * self.look.makeup) * lips * open
            + gloss(b, v, norm([-0.28, 0.52, 0.80]), 0.40, 0.028) * (0.9 + 0.5 * oily) * (1.0 - lips) * open;
        let shine = shine + self.tip(r) * key * open;
        // Under the eyes skin is thin and dry: what folds there would gleam like tears.
        let shine = shine * (1.0 - 0.95 * dry.sqrt()) * (0.70 + 0.60 * noise(mul(r, 70.0)));
        // From brow to nose runs a ridge too sharp for skin: its gleam would be a wire.
        let (dx, dy) = (r[0], r[1] - EYE_Y - 0.12);
        let ridge = exp(-(dx * dx / 0.06 + dy * dy / 0.035)) * front;
        let shine = shine * (1.0 - 0.7 * ridge);
        // Hairs of a brow have no gleam of skin.
        let shine = shine * (1.0 - 0.8 * self.browed(r, lid).1 * front) * (1.0 - 0.9 * self.beard(r).0);
        let strength = (0.44 + 0.7 * self.look.skin[1]).min(0.66) * (1.0 - 0.8 * inside) * (1.0 - self.scalp(r));
        c = add(c, mul([1.0, 0.97, 0.93], shine * strength));
        let edge = powi(1.0 - dot(n, v).max(0.0), 4);
        add(c, mul(mulv(light, [1.0, 0.75, 0.65]), 0.08 * edge * self.look.skin[0]))
    }
}

/// What is left of the light on lips, on painted ones more, which have a tone of their own: of so few points the upper one
/// hardly looks down, nor the lower one up, and both would be of one tone.
fn rounded(n: V3, lips: f32) -> V3 {
    let shade = mix([1.0; 3], [0.90, 0.78, 0.775], lips * ss(0.25, -0.35, n[1]));
    mul(shade, 1.0 + 0.16 * lips * ss(0.10, 0.60, n[1]))
}

/// A colour so far from one to the other by factors, as layers that both filter light have it.
fn between(from: V3, to: V3, share: f32) -> V3 {
    std::array::from_fn(|k| pow(from[k], 1.0 - share) * pow(to[k], share))
}
