//! Lashes: they follow the lids whatever those do.

use super::blink::smooth;
use super::parts::{Mesh, Stuff};
use super::sculpt::Body;
use super::strands::Strands;
use crate::act::Ch;
use crate::maths::Dice;
use crate::rig::ground::data::Deltas;
use crate::rig::ground::v3::{V3, add, dot, length, mix, mul, norm, pow, ss, sub};
use crate::rig::people::person::Person;

/// Points of one lash.
const LASH: usize = 6;

/// How far lashes sink while the lid shuts, as a share of how high they stand over their roots.
const SINK: f32 = 1.45;
/// Points of the edge are taken for one place of it within this.
const WITHIN: f32 = 0.028;
/// How far out of the ball the edge of a lid is, in radii: irises bulge.
const RISES: f32 = 1.02;
/// Where lashes come to lie before the edge of a lid that is shut.
const BEFORE: V3 = [0.0, 0.004, 0.014];

/// Lashes grow where the upper lid comes out of the ball, and are bound to the skin under their roots, which run into one
/// dark line; they are longer towards the temple. The data's own strips of lashes lie beside lids that were let down, raised or
/// turned: what grew from those stood before the white.
pub(crate) fn lashes(body: &Body, person: &Person, skin: &Mesh, eyes: &[(Mesh, V3, f32)]) -> Mesh {
    let mut dice = Dice::new(11, 5);
    let widths = (0..LASH).map(|k| 1.0 - pow(k as f32 / 5.0, 1.2) * 0.93).collect();
    let (mut strands, mut lines) = (Strands { widths, ..Strands::default() }, Strands::default());
    for ((_, centre, radius), outward) in eyes.iter().zip([1.0, -1.0]) {
        // Of the upper lids: single hairs under an eye look like specks.
        let lid = Lid { edge: rim(skin, *centre, *radius), centre: *centre, outward };
        if lid.edge.len() > 1 {
            lid.grow(person.look.lash_length, [&mut strands, &mut lines], &mut dice);
        }
    }
    strands.even = lines.curves.len();
    strands.curves.extend(lines.curves);
    strands.each.extend(lines.each);
    let middle = |curve: &Vec<V3>| curve[0];
    let roots: Vec<V3> = strands.curves.iter().map(middle).collect();
    let mut mesh = strands.mesh(Stuff::Lash);
    bind(&mut mesh, &roots, skin);
    shut(&mut mesh, &roots, body);
    mesh
}

/// The edge of the upper lid of an eye, from one corner to the other: where skin comes out of the ball.
fn rim(skin: &Mesh, centre: V3, radius: f32) -> Vec<V3> {
    let out = |v: u32| length(sub(skin.points[v as usize], centre)) / (RISES * radius) - 1.0;
    let of_lid = |v: u32| skin.skin()[v as usize].lid > 0.25 && skin.points[v as usize][2] > centre[2];
    let sides = skin.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let crossing = |[a, b]: [u32; 2]| {
        let (from, to) = (out(a), out(b));
        let crosses = from < 0.0 && to >= 0.0 && of_lid(a) && of_lid(b);
        crosses.then(|| mix(skin.points[a as usize], skin.points[b as usize], from / (from - to)))
    };
    let ring: Vec<V3> = sides.filter_map(crossing).collect();
    let upper = |p: &&V3| {
        let near = ring.iter().filter(|q| (q[0] - p[0]).abs() < WITHIN);
        let (low, high) = near.fold((f32::MAX, f32::MIN), |(low, high), q| (low.min(q[1]), high.max(q[1])));
        p[1] >= 0.5 * (low + high)
    };
    let mut edge: Vec<V3> = ring.iter().filter(upper).copied().collect();
    edge.sort_by(|a, b| a[0].total_cmp(&b[0]));
    edge
}

/// The edge of one lid.
struct Lid {
    edge: Vec<V3>,
    centre: V3,
    outward: f32,
}

impl Lid {
    /// A dark line that swells towards the temple, and fine hairs out of it that sweep outwards, the longer the farther out:
    /// thick ones in groups are a comb.
    fn grow(&self, long: f32, [strands, lines]: [&mut Strands; 2], dice: &mut Dice) {
        let (low, high) = (self.edge[0][0] + 0.006, self.edge[self.edge.len() - 1][0] - 0.006);
        // Men's lashes are there, and not noticed.
        let bold = if long > 0.04 { 1.0 } else { 0.45 };
        let groups = 150;
        for group in 0..groups {
            let at = (group as f32 + 0.5) / groups as f32;
            // 0 at the nose, 1 at the temple.
            let out = if self.outward > 0.0 { at } else { 1.0 - at };
            let x = low + (high - low) * at + dice.between(-0.3, 0.3) * (high - low) / groups as f32;
            let root = smooth(&self.edge, x, WITHIN);
            let away = norm(sub(root, self.centre));
            // At the very corner they would stand before the white as a grid.
            if !(0.30..0.93).contains(&out) {
                continue;
            }
            let size = (0.25 + 0.75 * ss(0.25, 0.82, out)) * (1.0 - 0.40 * ss(0.80, 0.95, out));
            let length = 0.58 * long * size * dice.between(0.70, 1.08);
            let sweep = (0.10 + 0.66 * ss(0.25, 1.0, out)) * self.outward;
            // Four lean together.
            let cluster = ((group / 4 * 4) as f32 + 2.0) / groups as f32;
            let together = 0.5 * (cluster - at) * (high - low) / length;
            let curve = (0..LASH).map(|k| {
                let t = k as f32 / (LASH - 1) as f32;
                let side = away[0] * 0.3 * t + sweep * t + together * t * t;
                let up = away[1] * 0.15 * t + 0.62 * t * (0.20 + 0.80 * t);
                add(root, mul([side, up, away[2] * 0.8 * t], length))
            });
            strands.curves.push(curve.collect());
            strands.each.push([0.0018 * bold, dice.unit(), 0.0]);
        }
        self.line(low, high, bold, lines);
    }

    /// The dark line of the roots: short pieces that overlap, each following its own piece of the lid.
    fn line(&self, low: f32, high: f32, bold: f32, strands: &mut Strands) {
        let pieces = 44;
        let step = (high - low) / pieces as f32;
        for piece in 0..pieces {
            let t = (piece as f32 + 0.5) / pieces as f32;
            let out = if self.outward > 0.0 { t } else { 1.0 - t };
            let at = low + (high - low) * t;
            // None grow where tears gather, and at the very end lids go over into each other.
            if !(0.24..0.96).contains(&out) {
                continue;
            }
            // Towards the temple it tapers, but lashes still stand on it.
            let last = 0.35 * bold * bold;
            let ends = ss(0.22, 0.46, out) * (last + (1.0 - last) * ss(0.99, 0.80 + 0.08 * bold, out));
            let wide = (0.0033 + 0.0052 * out * out) * (0.4 + 0.6 * bold) * ends;
            // Bound where it begins.
            let curve = (0..LASH).map(|k| {
                let x = at + (k as f32 / (LASH - 1) as f32 - 0.1) * step * 1.6;
                let mut p = smooth(&self.edge, x.clamp(low, high), WITHIN);
                p[2] += 0.006;
                p[1] += 0.002;
                p
            });
            strands.curves.push(curve.collect());
            strands.each.push([wide, 0.5, 0.0]);
        }
    }
}

/// Lets every lash follow the skin around its root.
fn bind(mesh: &mut Mesh, roots: &[V3], skin: &Mesh) {
    let near: Vec<[(usize, f32); 3]> = roots.iter().map(|&root| nearest_three(skin, root)).collect();
    for (expression, deltas) in &skin.moves {
        let mut full = vec![[0.0; 3]; skin.points.len()];
        for &(v, d) in deltas {
            full[v as usize] = d;
        }
        let mut moves = Deltas::new();
        for (at, near) in near.iter().enumerate() {
            let d = near.iter().fold([0.0; 3], |sum, &(v, w)| add(sum, mul(full[v], w)));
            if d.iter().any(|c| c.abs() > 1e-4) {
                moves.extend(points(at).map(|v| (v, d)));
            }
        }
        if !moves.is_empty() {
            mesh.moves.push((*expression, moves));
        }
    }
}

/// They go with the edge itself when the lid shuts, which points of the skin near them do less exactly; and hang then.
fn shut(mesh: &mut Mesh, roots: &[V3], body: &Body) {
    let Some(blink) = body.expressions.iter().position(|expression| expression.channel == Ch::Blink) else { return };
    mesh.moves.retain(|(expression, _)| *expression != blink);
    let mut moves = Deltas::new();
    for (at, &root) in roots.iter().enumerate() {
        let Some(lids) = body.lids.get(usize::from(root[0] < 0.0)) else { return };
        let d = add(lids.shuts(root), BEFORE);
        let hung = |v: u32| add(d, [0.0, -SINK * (mesh.points[v as usize][1] - root[1]).max(0.0), 0.0]);
        moves.extend(points(at).map(|v| (v, hung(v))));
    }
    mesh.moves.push((blink, moves));
}

/// The points of one of them.
fn points(at: usize) -> std::ops::Range<u32> {
    let each = 2 * LASH as u32;
    at as u32 * each..(at as u32 + 1) * each
}

fn nearest_three(skin: &Mesh, p: V3) -> [(usize, f32); 3] {
    let mut best = [(0, f32::MAX); 3];
    for (v, q) in skin.points.iter().enumerate() {
        let d = sub(*q, p);
        let d = dot(d, d);
        if d < best[2].1 {
            best[2] = (v, d);
            best.sort_by(|a, b| a.1.total_cmp(&b.1));
        }
    }
    let weights = best.map(|b| 1.0 / (b.1.sqrt() + 1e-4));
    let total: f32 = weights.iter().sum();
    std::array::from_fn(|k| (best[k].0, weights[k] / total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::body::skin::{eyes, skin};
    use crate::rig::ground::data::Library;
    use crate::rig::people::CAST;

    #[test]
    fn lashes_grow_out_of_the_lid_and_not_before_the_white() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        for alias in ["amara", "layla", "mei", "david"] {
            let member = CAST.iter().find(|member| member.alias == alias).expect("one of the cast");
            let body = sculpt(&library, &member.person).expect("a body");
            let (face, balls) = (skin(&library, &body), eyes(&library, &body));
            let lid: Vec<V3> =
                face.points.iter().zip(face.skin()).filter(|(_, it)| it.lid > 0.25).map(|(p, _)| *p).collect();
            let all = lashes(&body, &member.person, &face, &balls);
            assert!(all.points.len() > 200 * 2 * LASH, "{alias}: {} points", all.points.len());
            for (at, root) in all.points.iter().step_by(2 * LASH).enumerate() {
                let off = lid.iter().map(|p| length(sub(*p, *root))).fold(f32::MAX, f32::min);
                assert!(off < 0.018, "{alias}: lash {at} grows {off} off the lid");
            }
        }
    }
}
