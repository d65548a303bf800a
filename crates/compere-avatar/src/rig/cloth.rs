//! Clothes: the data's body stocking, relaxed, let out and cut by implicit lines, with bands sewn on.

use super::data::Library;
use super::mesh::{normals, relax};
use super::parts::{Mesh, Stuff, relaxed, surface};
use super::person::{Cut, Outfit, Person};
use super::sculpt::Body;
use super::v3::{V3, add, cos, cross, dot, exp, fbm, length, mix, mul, norm, sin, ss, sub};

/// Layers from the skin outwards.
pub(super) const TOP: u8 = 0;
pub(super) const JACKET: u8 = 1;
pub(super) const LAPEL: u8 = 2;
/// Bands, collars, ties: cut only by a jacket over them.
pub(super) const BAND: u8 = 3;
pub(super) const SHIRT_BAND: u8 = 4;
pub(super) const TIE: u8 = 5;

/// Below the waist.
pub(super) const TROUSERS: u8 = 6;
pub(super) const SHOES: u8 = 7;

/// Where jackets, shirts and trousers end below.
const JACKET_HEM: f32 = -0.10;
const TOP_HEM: f32 = -0.45;
const ANKLE: f32 = -8.02;

pub(super) struct Garment {
    pub(super) cut: Cut,
    pub(super) neck: V3,
    /// Broader people have broader lapels.
    pub(super) broad: f32,
    /// Half the width over the shoulders.
    pub(super) shoulder: f32,
    /// Where long sleeves end, and the way arms go there: at the picture's right first.
    cuffs: [[V3; 2]; 2],
}

impl Garment {
    pub(super) fn new(body: &Body, person: &Person, outfit: &Outfit) -> Self {
        let cuffs = body.limbs.map(|[elbow, wrist, _]| [mix(elbow, wrist, 0.93), norm(sub(wrist, elbow))]);
        Self { cut: outfit.cut, neck: body.neck, broad: 1.0 + 0.12 * person.male, shoulder: body.shoulder, cuffs }
    }

    /// The height of a neckline lying on the shoulders, `lift` above the joint.
    fn neckline(&self, lift: f32, z: f32, front: f32) -> f32 {
        self.neck[1] + (lift - 0.72 * (z - 0.05).clamp(-0.6, front)) * self.broad
    }

    /// Necklines are a matter of the neck, not of the shoulders: cloth beyond `from` is below them.
    fn slack(&self, p: V3, from: f32) -> f32 {
        2.8 * (p[0].abs() - from * self.broad).max(0.0)
    }

    /// How far inside the garment `p` lies; negative where there is no cloth.
    pub(super) fn inside(&self, layer: u8, p: V3) -> f32 {
        match layer {
            TOP => {
                // Between neck and collar it would stand up as a tube.
                let under = if self.has_cuffs() { 0.07 * ss(0.15, 0.35, p[0].abs()) } else { 0.0 };
                let neck = (self.below_neckline(p) - under + self.slack(p, 0.74)).min(self.open_collar(p));
                // What the jacket hides would only show through it.
                let hidden = if self.is_jacket() { 0.14 - self.inside(JACKET, p) } else { 1.0 };
                // It is worn in the trousers there.
                let hem = if self.is_jacket() { JACKET_HEM + 0.2 } else { TOP_HEM };
                neck.min(hidden).min(self.before_nape(p)).min(p[1] - hem)
            }
            TROUSERS => (0.35 - p[1]).min(p[1] - ANKLE),
            SHOES => ANKLE + 0.22 - p[1],
            JACKET => {
                let neck = self.collar_top(p, self.jacket_lift());
                let front = p[0].abs() - self.opening(p[1]) + 6.0 * (0.12 - p[2]).max(0.0);
                rounded(neck, front).min(p[1] - JACKET_HEM)
            }
            LAPEL => self.lapel(p),
            // A jacket lies over the leaves of the collar. They stand off the shirt: only where they look past the
            // opening from the front do they show.
            SHIRT_BAND if self.is_jacket() => 0.02 - self.inside(JACKET, p),
            BAND if self.is_jacket() => (0.005 - self.inside(JACKET, p)).min(self.before_nape(p)),
            _ => 1.0,
        }
    }

    /// How far below the top's neckline a point lies.
    fn below_neckline(&self, p: V3) -> f32 {
        let (wide, deep) = match self.cut {
            Cut::Blazer { shirt: true, .. } | Cut::Shirt => return self.neckline(0.26, p[2], 0.9) - p[1],
            Cut::Blazer { .. } => (0.60, 0.46),
            Cut::Knit => (0.60, 0.50),
            Cut::Tee => (0.62, 0.54),
        };
        // Round at the throat, open upwards; at the back a line.
        let u = self.broad;
        let down = (self.neck[1] + 0.20 * u - p[1]).max(0.0) / (deep * u);
        let across = p[0] / (wide * u);
        let front = ((across * across + down * down).sqrt() - 1.0) * 0.55 * u;
        let back = self.neckline(0.10, p[2], 0.9) - p[1] + self.slack(p, 0.58);
        let s = ss(-0.20, 0.20, p[2]);
        front * s + back * (1.0 - s)
    }

    /// A jacket's own collar hides a round neckline behind the neck: what showed of it there would be slivers.
    fn before_nape(&self, p: V3) -> f32 {
        if self.is_jacket() && !self.has_collar() { p[2] - 0.13 } else { 1.0 }
    }

    /// Beside the opening of a collar worn without a tie.
    fn open_collar(&self, p: V3) -> f32 {
        if !self.is_open() || p[2] < 0.1 {
            return 1.0;
        }
        p[0].abs() - 0.46 * (p[1] - (self.neck[1] - 0.66 * self.broad))
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.cut, Cut::Blazer { shirt: true, tie: false } | Cut::Shirt)
    }

    /// Whether skin here is under cloth for certain.
    pub(super) fn covers(&self, p: V3, arm: f32) -> bool {
        let bare = self.bare(p, arm) > -0.15 || arm > 1.5 || self.sleeve(p, arm) < 0.05;
        // Between a collar's points the throat shows.
        let least = if self.has_collar() && p[0].abs() < 0.36 { 1.1 } else { 0.16 };
        !bare && self.below_neckline(p) > least && (p[1] < self.neck[1] - 0.5 || p[0].abs() > 0.5)
    }

    /// Where the jacket closes.
    pub(super) fn button(&self) -> f32 {
        self.neck[1] - 2.25 * self.broad
    }

    fn is_jacket(&self) -> bool {
        matches!(self.cut, Cut::Blazer { .. })
    }

    /// How far under a jacket a point lies; below zero where there is none over it.
    pub(super) fn under_jacket(&self, p: V3) -> f32 {
        if self.is_jacket() { self.inside(JACKET, p) } else { -1.0 }
    }

    pub(super) fn has_cuffs(&self) -> bool {
        self.is_jacket() && self.has_collar()
    }

    pub(super) fn has_collar(&self) -> bool {
        matches!(self.cut, Cut::Blazer { shirt: true, .. } | Cut::Shirt)
    }

    /// How far below a short sleeve's end a point of an arm lies.
    pub(super) fn bare(&self, p: V3, arm: f32) -> f32 {
        if self.cut != Cut::Tee || arm < 0.5 {
            return -1.0;
        }
        // Square to the arm, which hangs a little outwards.
        3.66 + (p[0].abs() - self.shoulder) * 0.22 - p[1]
    }

    /// How far before the end of a long sleeve a point of an arm lies.
    pub(super) fn sleeve(&self, p: V3, arm: f32) -> f32 {
        let [cuff, along] = self.cuffs[usize::from(p[0] < 0.0)];
        if arm < 0.5 { 1.0 } else { dot(sub(cuff, p), along) }
    }

    /// How far inside the cloth `p` lies, negative where there is none.
    pub(super) fn margin(&self, layer: u8, p: V3, arm: f32) -> f32 {
        // The stand of a collar hides behind its leaves; of the jacket nothing shows through it.
        if layer == SHIRT_BAND && arm < -0.5 {
            return 1.0;
        }
        if matches!(layer, TROUSERS | SHOES) && arm > 0.3 {
            return -1.0;
        }
        let inside = self.inside(layer, p);
        match layer {
            // A sleeve in a sleeve would only show through it.
            TOP if self.is_jacket() && arm > 0.5 => -1.0,
            TOP => inside.min(-self.bare(p, arm)).min(self.sleeve(p, arm)),
            JACKET => inside.min(self.sleeve(p, arm)),
            _ => inside,
        }
    }

    /// Whether there is no cloth here.
    pub(super) fn gone(&self, layer: u8, p: V3, arm: f32) -> bool {
        self.margin(layer, p, arm) < 0.0
    }

    /// Height along the jacket's opening, 0 at the button, 1 at the neck.
    fn height(&self, y: f32) -> f32 {
        let low = self.neck[1] - 2.25 * self.broad;
        (y - low) / (2.35 * self.broad)
    }

    /// A shirt's collar looks out above the jacket's.
    fn jacket_lift(&self) -> f32 {
        if self.has_collar() { 0.04 } else { 0.10 }
    }

    /// How far below the upper edge of a jacket's collar: it climbs at the sides of the neck, but not far.
    fn collar_top(&self, p: V3, lift: f32) -> f32 {
        let line = self.neckline(lift, p[2], 0.02) - p[1] + self.slack(p, 0.56);
        line.min(self.neck[1] + 0.36 * self.broad - p[1] + self.slack(p, 0.9))
    }

    pub(super) fn opening(&self, y: f32) -> f32 {
        0.54 * libm::powf(self.height(y).max(0.0), 1.08) * self.broad - 0.004
    }

    fn lapel(&self, p: V3) -> f32 {
        let u = self.broad;
        let lift = self.jacket_lift() + 0.06;
        let top = self.collar_top(p, lift);
        // The collar runs round the back of the neck; in front it turns into the lapel without a step.
        let before = ss(-0.05, 0.30, p[2]);
        let ends = 0.66 * u - p[0].abs() + 0.25 * before;
        let behind = top.min(p[1] - self.neckline(lift, p[2], 0.02) + 0.27 * u).min(ends);
        if before <= 0.0 {
            return behind;
        }
        let t = self.height(p[1]);
        let notch = 0.66;
        let width =
            if t < notch { 0.03 + 0.47 * libm::powf(t.max(0.0) / notch, 0.9) } else { 0.36 - (t - notch) * 0.30 };
        // The notch: a thin wedge between lapel and collar.
        let x = p[0].abs() - self.opening(p[1]);
        let gap = if x > 0.17 * u { ((t - notch) - (x / u - 0.17) * 0.16).abs() * 2.35 * u - 0.018 } else { 1.0 };
        let lapel = rounded(top, x + 6.0 * (0.12 - p[2]).max(0.0)).min(width * u - x).min(t).min(gap);
        behind * (1.0 - before) + lapel * before
    }
}

/// The lesser of two distances, with the corner between them rounded off.
fn rounded(a: f32, b: f32) -> f32 {
    const REACH: f32 = 0.14;
    let near = (REACH - (a - b).abs()).max(0.0) / REACH;
    a.min(b) - near * near * REACH * 0.25
}

/// Clothes, as far down as `low`.
pub(super) fn sew(library: &Library, body: &Body, person: &Person, garment: &Garment, low: f32) -> Vec<Mesh> {
    let base = surface(library, body, &["helper-tights"], 2, (low - 0.6).min(0.7));
    let points = base.blend.vectors(&body.posed);
    let rest = base.blend.vectors(&body.rest);
    let triangles = &base.triangles;
    let arms = base.blend.scalars(&body.arms);
    let traits: Vec<_> = rest.iter().zip(arms).map(|(r, arm)| [r[0], r[1], r[2], 0.0, 0.0, 0.0, 0.0, arm]).collect();
    let layer = |which: u8, times: u32, out: f32, fold: f32| {
        let mut shape = relaxed(&points, triangles, times);
        let n = normals(&shape, triangles);
        for (at, p) in shape.iter_mut().enumerate() {
            let folds = folds(*p, garment) * fold;
            // Trousers fall straight from the thigh, whatever the calf does.
            // At the waist they lie under what is worn over them.
            let waist = 0.15 * ss(-2.2, 0.3, p[1]);
            let out = if which == TROUSERS { out - waist + 0.11 * ss(-2.0, -6.2, p[1]) } else { out };
            let pad = if which == TOP { 0.0 } else { pad(*p, garment) };
            *p = add(*p, add(mul(n[at], out + folds), [p[0].signum() * 0.01 * pad, 0.06 * pad, 0.0]));
        }
        relax(&mut shape, triangles, 1, 0.35);
        for (at, p) in shape.iter_mut().enumerate().filter(|(at, _)| traits[*at][7] > 0.6) {
            *p = tapered(*p, body.limbs[usize::from(points[at][0] < 0.0)]);
        }
        Mesh::new(Stuff::Cloth(which), shape, triangles.clone(), traits.clone())
    };
    let mut out = Vec::new();
    match garment.cut {
        Cut::Blazer { tie, shirt } => {
            let top = layer(TOP, 4, 0.035, 0.5);
            let broad = 0.075 + 0.03 * person.male;
            out.push(layer(JACKET, 20, broad, 1.0));
            out.push(layer(LAPEL, 20, broad + 0.035, 0.35));
            if shirt {
                out.extend(super::sewing::shirt_collar(garment, &top));
                if tie {
                    out.extend(super::sewing::tie(garment, &top));
                }
            } else {
                out.push(super::sewing::neckband(garment, &top, 0.13, 0.045, 0.0));
            }
            out.push(top);
        }
        Cut::Shirt => {
            let top = layer(TOP, 8, 0.060, 1.15);
            out.extend(super::sewing::shirt_collar(garment, &top));
            out.push(top);
        }
        Cut::Knit => {
            let top = layer(TOP, 15, 0.085, 1.0);
            out.push(super::sewing::neckband(garment, &top, 0.19, 0.055, 1.0));
            out.push(top);
        }
        Cut::Tee => {
            let top = layer(TOP, 9, 0.055, 0.9);
            out.push(super::sewing::neckband(garment, &top, 0.12, 0.035, 0.0));
            out.push(top);
        }
    }
    if low < 1.5 {
        out.push(layer(TROUSERS, 14, 0.17, 1.0));
        out.push(layer(SHOES, 14, 0.09, 0.0));
    }
    for mesh in &mut out {
        mesh.head = vec![0.0; mesh.points.len()];
    }
    out
}

/// A sleeve narrows towards the wrist.
fn tapered(p: V3, [elbow, wrist, _]: [V3; 3]) -> V3 {
    let (way, long) = (norm(sub(wrist, elbow)), length(sub(wrist, elbow)));
    let along = dot(sub(p, elbow), way);
    mix(p, add(elbow, mul(way, along)), 0.36 * ss(0.25, 0.85, along / long))
}

/// A jacket's shoulder is built up a little.
fn pad(p: V3, garment: &Garment) -> f32 {
    let d = [(p[0].abs() - garment.shoulder * 0.90) / 0.34, (p[1] - 5.08) / 0.30, (p[2] - 0.05) / 0.6];
    exp(-dot(d, d))
}

/// Where the sleeve is set in.
pub(super) fn armhole(p: V3, garment: &Garment) -> f32 {
    p[0].abs() - garment.shoulder * (0.90 - 0.13 * ss(4.95, 4.05, p[1]))
}

/// Soft folds: from the armpits, at the elbows, and hanging from the chest.
pub(super) fn folds(p: V3, garment: &Garment) -> f32 {
    let u = garment.broad;
    let x = p[0].abs();
    let (ax, ay) = (x - 1.22 * u, p[1] - 4.15);
    let far = (ax * ax + ay * ay).sqrt();
    let angle = libm::atan2f(ay, ax);
    let pit =
        sin(angle * 4.0 + 5.0 * fbm(mul(p, 1.4), 2)) * exp(-far / 0.60) * ss(0.05, 0.55, far) * ss(-0.2, 0.5, p[2]);
    let wobble = fbm([p[0] * 1.3, p[1] * 1.3, p[2] * 1.3], 2);
    let arm = ss(1.25 * u, 1.5 * u, x);
    let elbow = sin(p[1] * 9.0 + 12.0 * wobble + p[2] * 3.0) * exp(-(p[1] - 3.15) * (p[1] - 3.15) / 0.55) * arm;
    let hang = (fbm([p[0] * 2.6, p[1] * 0.75, p[2] * 2.6], 3) - 0.44) * ss(4.6, 3.4, p[1]) * 1.5;
    let soft = fbm([p[0] * 1.7 + 5.0, p[1] * 1.5, p[2] * 1.7], 2) - 0.37;
    // A closed jacket pulls at its button.
    let (bx, by) = (x, p[1] - garment.button());
    let off = (bx * bx + by * by).sqrt();
    let turn = libm::atan2f(by, bx);
    let drawn = sin(turn * 7.0 + 2.0 * wobble) * exp(-off / 0.5) * ss(0.12, 0.35, off) * ss(1.2, 0.7, turn.abs());
    let pull = if garment.is_jacket() { 0.020 * drawn * ss(0.1, 0.4, p[2]) } else { 0.0 };
    pull + 0.040 * pit + 0.028 * elbow + (0.070 * hang + 0.040 * soft) * (1.0 - arm * 0.75)
}

/// A tube with its own frame: `centre` line, outward and upward directions, profile of (out, up).
pub(super) fn sweep(which: u8, path: &[(V3, V3, V3)], profile: &[[f32; 2]], closed: bool) -> Mesh {
    let k = profile.len();
    let (mut points, mut traits, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (at, &(centre, out, up)) in path.iter().enumerate() {
        for (i, &[o, u]) in profile.iter().enumerate() {
            points.push(add(centre, add(mul(out, o), mul(up, u))));
            let along = at as f32 / path.len() as f32;
            let across = i as f32 / (k - 1) as f32;
            traits.push([centre[0], centre[1], centre[2], along, across, 1.0, 0.0, 0.0]);
        }
    }
    let steps = if closed { path.len() } else { path.len() - 1 };
    for at in 0..steps {
        let (a, b) = ((at * k) as u32, (((at + 1) % path.len()) * k) as u32);
        for i in 0..k as u32 - 1 {
            triangles.extend([[a + i, b + i, a + i + 1], [b + i, b + i + 1, a + i + 1]]);
        }
    }
    Mesh::new(Stuff::Cloth(which), points, triangles, traits)
}

/// Where a garment's edge runs round the neck, as points by angle from the front, smoothed.
pub(super) fn edge(garment: &Garment, mesh: &Mesh, count: usize) -> Vec<V3> {
    let axis = [garment.neck[0], garment.neck[2]];
    let mut bins: Vec<(V3, f32)> = vec![([0.0; 3], 0.0); count];
    let inside: Vec<f32> = mesh.points.iter().map(|&p| garment.below_neckline(p)).collect();
    for t in &mesh.triangles {
        for k in 0..3 {
            let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
            let (fa, fb) = (inside[a], inside[b]);
            if (fa < 0.0) == (fb < 0.0) {
                continue;
            }
            let s = fa / (fa - fb);
            let p = add(mul(mesh.points[a], 1.0 - s), mul(mesh.points[b], s));
            // The neck's edge only, not a sleeve's.
            if p[0].abs() > 1.05 * garment.broad || p[1] < garment.neck[1] - 1.4 {
                continue;
            }
            let angle = libm::atan2f(p[0] - axis[0], p[2] - axis[1]) / std::f32::consts::TAU + 0.5;
            let bin = &mut bins[((angle * count as f32) as usize).min(count - 1)];
            bin.0 = add(bin.0, p);
            bin.1 += 1.0;
        }
    }
    let known: Vec<(usize, V3)> =
        bins.iter().enumerate().filter(|(_, b)| b.1 > 0.0).map(|(at, b)| (at, mul(b.0, 1.0 / b.1))).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut line: Vec<V3> = (0..count)
        .map(|at| {
            let next = known.iter().position(|k| k.0 >= at).unwrap_or(0);
            let (b, a) = (known[next], known[(next + known.len() - 1) % known.len()]);
            let span = (b.0 + count - a.0) % count;
            let s = if span == 0 { 0.0 } else { ((at + count - a.0) % count) as f32 / span as f32 };
            add(mul(a.1, 1.0 - s), mul(b.1, s))
        })
        .collect();
    for _ in 0..12 {
        let old = line.clone();
        for at in 0..count {
            let (l, r) = (old[(at + count - 1) % count], old[(at + 1) % count]);
            line[at] = add(mul(old[at], 0.5), mul(add(l, r), 0.25));
        }
    }
    line
}

/// Directions at each point of a closed line: away from the neck's axis, and up along the neck.
pub(super) fn frames(garment: &Garment, line: &[V3]) -> Vec<(V3, V3, V3)> {
    let n = line.len();
    (0..n)
        .map(|at| {
            let along = norm(sub(line[(at + 1) % n], line[(at + n - 1) % n]));
            let away = [line[at][0] - garment.neck[0], 0.0, line[at][2] - garment.neck[2]];
            let up = norm(add([0.0, 1.0, 0.0], mul(norm(away), -0.55)));
            let up = norm(sub(up, mul(along, dot(up, along))));
            let out = norm(cross(along, up));
            let out = if dot(out, away) < 0.0 { mul(out, -1.0) } else { out };
            (line[at], out, up)
        })
        .collect()
}

pub(super) fn around(angle: f32) -> (f32, f32) {
    (sin(angle), cos(angle))
}
