//! A headscarf: one sheet from the edge of the face over the head, under the chin and into the neckline of what is worn.
//!
//! Its columns run round the face, its rows from the face outwards. Every column follows its own way: over the crown
//! and down the nape, past the ear, or from the chin to the throat.

use crate::maths::lerp;
use crate::rig::body::parts::{ClothTraits, Mesh, Stuff, Traits};
use crate::rig::body::sculpt::Body;
use crate::rig::body::skull::{Skull, angles, direction};
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{
    V3, acos, add, atan2, cos, dot, floor, interp, length, mix, mul, noise, norm, pow, sin, ss, sub,
};

/// Rows of the rim, on the head up to its farthest place, from there to the neck, and down into the neckline.
const RIM: usize = 9;
const HEAD: usize = 38;
const NAPE: usize = 22;
const FALL: usize = 40;
const ROWS: usize = RIM + HEAD + NAPE + FALL;
const COLUMNS: usize = 200;
/// How often the rim is evened out.
const EVEN: usize = 24;
/// How far cloth lies over the head, and the cap under it that looks out at the forehead.
const OVER_HEAD: f32 = 0.060;
const CAP: f32 = 0.022;
/// From fold to fold.
const FOLD: f32 = 0.24;

pub(crate) fn scarf(skull: &Skull, body: &Body, skin: &Mesh) -> Mesh {
    let cloth = Cloth { skull, face: Hull::new(skull, skin), chin: chin(skin), axis: body.neck[2] + 0.06 };
    let mut points: Vec<V3> = Vec::with_capacity(ROWS * COLUMNS);
    let columns: Vec<Vec<V3>> = cloth.rim().into_iter().enumerate().map(|(at, edge)| cloth.column(at, edge)).collect();
    for row in 0..ROWS {
        points.extend(columns.iter().map(|column| column[row]));
    }
    for _ in 0..16 {
        cloth.smooth(&mut points);
    }
    let shade = cloth.fold(&mut points);
    // How open a point lies stands where bands have their place along.
    let known = points.iter().zip(shade).map(|(&p, shade)| ClothTraits::of_band(p, shade, 0.0)).collect();
    let mut triangles = Vec::new();
    for row in 0..ROWS - 1 {
        for column in 0..COLUMNS {
            let next = (column + 1) % COLUMNS;
            let [a, b] = [row, row + 1].map(|row| (row * COLUMNS + column) as u32);
            let [c, d] = [row, row + 1].map(|row| (row * COLUMNS + next) as u32);
            triangles.extend([[a, b, c], [c, b, d]]);
        }
    }
    Mesh::new(Stuff::Scarf, points, triangles, Traits::Cloth(known))
}

/// What sticks out of the head is pressed to it.
pub(crate) fn press_ears(skull: &Skull, skin: &mut Mesh) {
    let ears: Vec<f32> = skin.skin().iter().map(|traits| traits.ear).collect();
    for (p, ear) in skin.points.iter_mut().zip(ears) {
        let off = sub(*p, skull.centre);
        let d = norm(off);
        let least = skull.radius(d) * 0.97;
        if length(off) > least {
            *p = mix(*p, add(skull.centre, mul(d, least)), ss(0.02, 0.2, ear));
        }
    }
    skin.normals = crate::rig::ground::mesh::normals(&skin.points, &skin.triangles);
    skin.sewn.clone_from(&skin.points);
}

/// How far skin reaches in every direction from the middle of the head: the skull's own table evens out chin and jaw.
struct Hull(Vec<f32>);

impl Hull {
    const AROUND: usize = 120;
    const UP: usize = 61;
    /// The cosine of how far around a direction skin counts.
    const NEAR: f32 = 0.9962;

    fn new(skull: &Skull, skin: &Mesh) -> Self {
        // Of the head, without ears and the inside of the mouth.
        let counts = |v: usize| {
            let traits = &skin.skin()[v];
            skin.head[v] > 0.6 && skin.points[v][1] > EYE_Y - 1.5 && traits.ear < 0.02 && traits.inside < 0.05
        };
        let all = (0..skin.points.len()).filter(|&v| counts(v));
        let spots: Vec<(V3, f32)> =
            all.map(|v| sub(skin.points[v], skull.centre)).map(|off| (norm(off), length(off))).collect();
        let farthest = |at: usize| {
            let (azimuth, elevation) = (at % Self::AROUND * 3, at / Self::AROUND * 3);
            let d = direction(azimuth as f32 - 180.0, elevation as f32 - 90.0);
            let near = spots.iter().filter(|spot| dot(spot.0, d) > Self::NEAR);
            near.map(|spot| spot.1).fold(0.0, f32::max).max(skull.radius(d))
        };
        Self((0..Self::AROUND * Self::UP).map(farthest).collect())
    }

    fn radius(&self, d: V3) -> f32 {
        let (azimuth, elevation) = angles(d);
        let x = (azimuth + 180.0) / 3.0;
        let y = ((elevation + 90.0) / 3.0).clamp(0.0, Self::UP as f32 - 1.001);
        let (ix, iy) = (x as usize, y as usize);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let at = |dx: usize, dy: usize| self.0[(iy + dy) * Self::AROUND + (ix + dx) % Self::AROUND];
        (at(0, 0) * (1.0 - fx) + at(1, 0) * fx) * (1.0 - fy) + (at(0, 1) * (1.0 - fx) + at(1, 1) * fx) * fy
    }
}

/// The lowest point of the chin as seen from below in front.
fn chin(skin: &Mesh) -> V3 {
    let near = skin.points.iter().filter(|p| p[0].abs() < 0.08 && (EYE_Y - 1.6..EYE_Y - 0.8).contains(&p[1]));
    let low = |p: &V3| p[2] - 0.6 * p[1];
    near.copied().max_by(|a, b| low(a).total_cmp(&low(b))).unwrap_or([0.0, EYE_Y - 1.15, 1.15])
}

struct Cloth<'a> {
    skull: &'a Skull,
    face: Hull,
    chin: V3,
    /// Depth of the neck's axis.
    axis: f32,
}

impl Cloth<'_> {
    /// Where the face ends, by columns, in one even line: what is known of skin is known in steps, which would show as
    /// teeth.
    fn rim(&self) -> Vec<V3> {
        let mut line: Vec<V3> = (0..COLUMNS).map(turned).map(|(side, up)| self.edge(side, up)).collect();
        for _ in 0..EVEN {
            let near = |at: usize| add(line[(at + COLUMNS - 1) % COLUMNS], line[(at + 1) % COLUMNS]);
            line = (0..COLUMNS).map(|at| mix(line[at], mul(near(at), 0.5), 0.5)).collect();
        }
        line
    }

    /// One way from the face to the hem; the first starts at the picture's right of the face, the next ones go up.
    fn column(&self, at: usize, edge: V3) -> Vec<V3> {
        let (side, up) = turned(at);
        // How far round the body it ends: 0 in front, 180 behind.
        let round = atan2(up, side.abs()).to_degrees() + 90.0;
        let hand = if side < 0.0 { -1.0 } else { 1.0 };
        let start = norm(sub(edge, self.skull.centre));
        let neck = self.ring(round, hand, 0);
        let farthest = direction(
            hand * round.clamp(1.0, 179.0),
            interp(up, &[(-1.0, -62.0), (-0.4, -38.0), (0.2, 2.0), (1.0, 36.0)]),
        );
        let down = norm(sub(neck, self.skull.centre));
        let mut out = self.rim_of(edge, start, farthest, cap(up));
        for at in 0..HEAD {
            let t = (at + 1) as f32 / HEAD as f32;
            let begun = (cap(up) + 0.012) / acos(dot(start, farthest).clamp(-0.9999, 0.9999)).max(0.05);
            out.push(self.on_head(slerp(start, farthest, lerp(begun.min(0.8), 1.0, t)), t * 0.5));
        }
        let last = out[out.len() - 1];
        for at in 0..NAPE {
            let t = (at + 1) as f32 / NAPE as f32;
            let d = slerp(farthest, down, t);
            let far = self.face.radius(d) + OVER_HEAD;
            let straight = length(sub(mix(last, neck, t), self.skull.centre));
            out.push(add(self.skull.centre, mul(d, far * (1.0 - t) + straight * t)));
        }
        for at in 0..FALL {
            let t = (at + 1) as f32 / FALL as f32 * 2.0;
            let rings = [0, 1, 2].map(|which| self.ring(round, hand, which));
            // A curve through all three rings.
            let p = if t < 1.0 { mix(rings[0], rings[1], t) } else { mix(rings[1], rings[2], t - 1.0) };
            out.push(p);
        }
        out
    }

    /// Out of the face, along the cap, and up to the fold in which the sheet over it begins.
    fn rim_of(&self, edge: V3, start: V3, farthest: V3, cap: f32) -> Vec<V3> {
        let from = length(sub(edge, self.skull.centre));
        let whole = acos(dot(start, farthest).clamp(-0.9999, 0.9999)).max(0.05);
        let place = |along: f32, over: f32| {
            let d = slerp(start, farthest, along / whole);
            let ground = lerp(from, self.face.radius(d), ss(0.0, 0.10, along));
            add(self.skull.centre, mul(d, ground + over))
        };
        let steps = [
            (0.0, -0.30),
            (0.0, 0.4 * CAP),
            (0.006, CAP),
            (0.5 * cap, CAP),
            (cap, CAP),
            (cap + 0.004, 0.5 * CAP),
            (cap - 0.004, 0.65 * OVER_HEAD),
            (cap, 0.92 * OVER_HEAD),
            (cap + 0.008, OVER_HEAD),
        ];
        // Without a cap it turns up in an even wall: a fold as fine as its points would have teeth.
        let folded = ss(0.0, 0.04, cap);
        let step = |(at, (along, over)): (usize, (f32, f32))| {
            let up = at as f32 / (RIM - 1) as f32;
            let even = if at == 0 { over } else { OVER_HEAD * ss(-0.1, 1.0, up) };
            place(lerp(0.010 * up * up, along, folded), lerp(even, over, folded))
        };
        steps.into_iter().enumerate().map(step).collect()
    }

    /// On the skin, where the face ends.
    fn edge(&self, side: f32, up: f32) -> V3 {
        let middle = EYE_Y - 0.12;
        let (high, low) = (EYE_Y + 0.62 - middle, middle - self.chin[1] + 0.09);
        let y = middle + up * if up > 0.0 { high } else { low };
        // Narrower at the jaw than at the temples, and fuller than an oval.
        let wide = lerp(0.540, 0.645, ss(-0.75, 0.2, up));
        let full = pow(side.abs(), lerp(0.80, 0.90, ss(-0.3, 0.3, up))) * side.signum();
        let x = full * wide;
        let mut z = 0.9;
        for _ in 0..12 {
            let off = [x, y - self.skull.centre[1], z];
            let r = self.face.radius(norm(off));
            z = 0.5 * (z + (r * r - off[0] * off[0] - off[1] * off[1]).max(0.02).sqrt());
        }
        [x, y, self.skull.centre[2] + z]
    }

    fn on_head(&self, d: V3, back: f32) -> V3 {
        // Hair put up under the cloth fills the back of the head.
        let full = 0.10 * ss(0.1, -0.7, d[2]) * ss(-0.9, -0.2, d[1]) + 0.02 * back;
        // And rounds the crown, which would be an egg's.
        let round = 0.046 * ss(-0.05, 0.75, d[0].abs()) * ss(-0.15, 0.45, d[1]) * ss(0.0, 0.25, back);
        let full = full + round;
        add(self.skull.centre, mul(d, self.face.radius(d) + OVER_HEAD + full))
    }

    /// Around the neck, over the collar bones, and inside the neckline.
    fn ring(&self, round: f32, hand: f32, which: usize) -> V3 {
        let chin = self.chin[1];
        // In front it is wider than what it goes into, which stands off it; at the sides it lies in the collar.
        let (wide, side, front, back) =
            [(0.60, 0.60, 0.78, 0.61), (0.62, 0.49, 0.57, 0.50), (0.66, 0.44, 0.40, 0.36)][which];
        let wide = lerp(wide, side, ss(35.0, 80.0, round));
        let y = match which {
            0 => interp(round, &[(0.0, chin - 0.20), (60.0, chin - 0.06), (100.0, 5.74), (180.0, 5.90)]),
            1 => interp(round, &[(0.0, 5.02), (70.0, 5.14), (110.0, 5.26), (180.0, 5.38)]),
            _ => 4.45,
        };
        let turn = round.to_radians();
        let deep = if round < 90.0 { front } else { back };
        [hand * sin(turn) * wide, y, self.axis + cos(turn) * deep]
    }

    /// Every point between its neighbours, the rim where it was, and nothing inside the body.
    fn smooth(&self, points: &mut [V3]) {
        let old = points.to_vec();
        for row in RIM..ROWS {
            for column in 0..COLUMNS {
                let at = |row: usize, column: usize| old[row.min(ROWS - 1) * COLUMNS + column % COLUMNS];
                let sides = add(at(row, column + COLUMNS - 1), at(row, column + 1));
                let ends = add(at(row - 1, column), at(row + 1, column));
                let hem = row == ROWS - 1;
                let mean = if hem { mul(sides, 0.5) } else { mul(add(sides, ends), 0.25) };
                points[row * COLUMNS + column] = self.outside(mix(at(row, column), mean, 0.6));
            }
        }
    }

    fn outside(&self, p: V3) -> V3 {
        let off = sub(p, self.skull.centre);
        let d = norm(off);
        if p[1] > self.chin[1] - 0.05 {
            let least = self.face.radius(d) + OVER_HEAD * 0.75;
            return if length(off) < least { add(self.skull.centre, mul(d, least)) } else { p };
        }
        p
    }

    /// Lays the sheet in folds, and tells how much light is left on each point.
    fn fold(&self, points: &mut [V3]) -> Vec<f32> {
        let mut shades = vec![1.0; points.len()];
        for column in 0..COLUMNS {
            let (side, up) = turned(column);
            let mut gone = 0.0;
            let mut before = points[(RIM - 1) * COLUMNS + column];
            for (row, shade) in RIM_SHADES.iter().enumerate() {
                shades[row * COLUMNS + column] = lerp(shade[0], shade[1], ss(0.0, 0.04, cap(up)));
            }
            for row in RIM..ROWS {
                let at = row * COLUMNS + column;
                let p = points[at];
                gone += length(sub(p, before));
                before = p;
                let down = (row as f32 - (RIM + HEAD + NAPE) as f32) / FALL as f32;
                let Fold { high, shade } = folded(p, [side, up], gone, down);
                let out = norm(sub(p, [0.0, p[1].min(self.skull.centre[1]), self.axis]));
                points[at] = add(p, mul(out, high));
                shades[at] = shade;
            }
        }
        shades
    }
}

/// What is left of the light from row to row of the rim: where it lies on the chin, and where the cap looks out, which
/// lies in the shade of the sheet over it.
const RIM_SHADES: [[f32; 2]; RIM] = [
    [0.45, 1.0],
    [0.50, 1.0],
    [0.54, 1.0],
    [0.58, 0.88],
    [0.64, 0.62],
    [0.70, 0.50],
    [0.80, 0.70],
    [0.94, 0.95],
    [1.0, 1.0],
];

/// How far folds raise a point of the sheet, and what is left of its light.
struct Fold {
    high: f32,
    shade: f32,
}

/// Folds run round the throat and up beside the face, where they come together; the sheet is drawn to one side. `gone` is how
/// far a point is from the face, `down` how far below the neck.
fn folded(p: V3, [side, up]: [f32; 2], gone: f32, down: f32) -> Fold {
    let wander = 1.1 * noise([side * 1.5 + 3.0, up * 1.5, 0.4]) + 0.55 * side + 0.3 * noise(mul(p, 1.3));
    let x = gone / FOLD + wander;
    let which = floor(x) as f32;
    let place = 2.0 * (x - which) - 1.0;
    let chance = noise([0.37 + 7.13 * which, 1.2 * side, 0.7]);
    // Round on its back, with a sharp valley to the next.
    let round = 1.0 - place * place * place.abs();
    // What goes into a collar lies close.
    let front = ss(-0.55, -0.95, up);
    let close = ss(lerp(0.1, 0.42, front), lerp(-0.3, 0.05, front), down);
    // Where it lies over the ears a fold would be a second ear.
    let strong = ss(0.10, -0.50, up) * ss(0.02, 0.16, gone) * close * lerp(0.35, 1.0, chance);
    // From the temples it is drawn back.
    let back = 0.026 * sin(atan2(up, side) * 9.0 + 3.0 * noise(mul(p, 1.7))) * ss(0.9, 0.1, up.abs());
    let back = back * ss(0.15, -0.25, down) * ss(0.10, 0.3, gone);
    Fold { high: 0.095 * strong * round + back, shade: 1.0 - 0.55 * strong * ss(0.40, 1.0, place.abs()) }
}

/// How much of the cap looks out, by how high at the face.
fn cap(up: f32) -> f32 {
    0.075 * ss(-0.05, 0.55, up)
}

/// Which way from the middle of the face a column starts.
fn turned(column: usize) -> (f32, f32) {
    let angle = (360.0 * column as f32 / COLUMNS as f32).to_radians();
    (cos(angle), sin(angle))
}

/// From one direction to another along the shortest way.
fn slerp(from: V3, to: V3, t: f32) -> V3 {
    let angle = acos(dot(from, to).clamp(-0.9999, 0.9999));
    let whole = sin(angle);
    if whole < 1e-3 {
        return norm(mix(from, to, t));
    }
    norm(add(mul(from, sin(angle * (1.0 - t)) / whole), mul(to, sin(angle * t) / whole)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::body::skin::skin;
    use crate::rig::ground::data::Library;
    use crate::rig::people::CAST;

    #[test]
    fn the_rim_has_no_teeth() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        let layla = CAST.iter().find(|member| member.alias == "layla").expect("one of the cast");
        let body = sculpt(&library, &layla.person).expect("a body");
        let skin = skin(&library, &body);
        let skull = Skull::new(&body, &skin);
        let cloth =
            Cloth { skull: &skull, face: Hull::new(&skull, &skin), chin: chin(&skin), axis: body.neck[2] + 0.06 };
        let rim = cloth.rim();
        // How far a place is from the middle between its neighbours.
        let off = |at: usize| {
            let ends = add(rim[(at + COLUMNS - 1) % COLUMNS], rim[(at + 1) % COLUMNS]);
            length(sub(rim[at], mul(ends, 0.5)))
        };
        let most = (0..COLUMNS).map(off).fold(0.0, f32::max);
        assert!(most < 0.0035, "{most}");
    }
}
