//! Lashes: they follow the lids whatever those do.

use super::almond::{Ball, Opening, along};
use super::parts::{Mesh, Stuff};
use super::sculpt::Body;
use super::strands::Strands;
use crate::act::Ch;
use crate::maths::Dice;
use crate::rig::ground::data::Deltas;
use crate::rig::ground::v3::{V3, add, dot, mul, norm, pow, ss, sub};
use crate::rig::people::person::Person;

/// Points of one lash.
const LASH: usize = 6;

/// How far lashes sink while the lid shuts, as a share of how high they stand over their roots.
const SINK: f32 = 1.45;
/// Where lashes come to lie before the edge of a lid that is shut.
const BEFORE: V3 = [0.0, 0.004, 0.014];

/// Lashes grow from the edge of upper lids as the camera sees it, and are bound to the skin under their roots. The data's
/// own strips end inside eyes of this size: a line along them lies on the white. Single hairs under an eye look like specks.
pub(crate) fn lashes(body: &Body, person: &Person, skin: &Mesh, eyes: &[(Mesh, V3, f32)]) -> Mesh {
    let mut dice = Dice::new(11, 5);
    let mut strands =
        Strands { curves: Vec::new(), widths: Vec::new(), each: Vec::new(), guide: Vec::new(), faces: Vec::new() };
    strands.widths = (0..LASH).map(|k| 1.0 - pow(k as f32 / 5.0, 1.2) * 0.93).collect();
    for (_, centre, radius) in eyes {
        let (centre, radius) = (*centre, *radius);
        let ball = Ball { centre, radius };
        let Some(opening) = Opening::of(skin, ball) else { continue };
        Lid { ball, opening }.grow(person.look.lash_length, &mut strands, &mut dice);
    }
    let middle = |curve: &Vec<V3>| curve[0];
    let roots: Vec<V3> = strands.curves.iter().map(middle).collect();
    let mut mesh = strands.mesh(Stuff::Lash);
    bind(&mut mesh, &roots, skin);
    shut(&mut mesh, &roots, body);
    mesh
}

/// One lid.
struct Lid {
    ball: Ball,
    opening: Opening,
}

impl Lid {
    /// The edge of the upper one, from 0 at the nose to 1 at the temple.
    fn edge(&self, out: f32) -> V3 {
        let [inner, outer] = self.opening.ends();
        self.ball.global(along(&self.opening.upper, inner + (outer - inner) * out))
    }

    /// One dark mass, as an animator draws it: a line that swells towards the temple, and out of its outer half lashes that
    /// sweep outwards so close to each other that they are its end, not a comb on a lid.
    fn grow(&self, long: f32, strands: &mut Strands, dice: &mut Dice) {
        // Men's lashes are there, and not noticed.
        let bold = if long > 0.04 { 1.0 } else { 0.45 };
        let outward = self.ball.centre[0].signum();
        let count = 104;
        for at in 0..count {
            // 0 at the nose, 1 at the temple.
            let out = (at as f32 + dice.between(0.2, 0.8)) / count as f32;
            if !(0.40..0.985).contains(&out) {
                continue;
            }
            let root = self.edge(out);
            let away = norm(sub(root, self.ball.centre));
            let length = 0.50 * long * (0.10 + 0.90 * ss(0.50, 0.95, out)) * dice.between(0.94, 1.06);
            let sweep = (0.25 + 0.75 * ss(0.35, 1.0, out)) * outward;
            let curve = (0..LASH).map(|k| {
                let t = k as f32 / (LASH - 1) as f32;
                let side = away[0] * 0.3 * t + sweep * t;
                let up = away[1] * 0.15 * t + 0.55 * t * (0.20 + 0.80 * t);
                add(root, mul([side, up, away[2] * 0.8 * t], length))
            });
            strands.curves.push(curve.collect());
            strands.each.push([0.0028 * bold, dice.unit(), 0.0]);
        }
        self.line(bold, strands);
    }

    /// The dark line of the roots: short pieces that overlap, each following its own piece of the lid.
    fn line(&self, bold: f32, strands: &mut Strands) {
        let pieces = 52;
        for piece in 0..pieces {
            let out = (piece as f32 + 0.5) / pieces as f32;
            // Nothing where tears gather; towards the temple it tapers, but lashes still stand on it.
            let ends = ss(0.03, 0.45, out) * (0.35 + 0.65 * ss(1.0, 0.88, out));
            if ends <= 0.0 {
                continue;
            }
            let wide = (0.0044 + 0.0048 * out * out) * (0.4 + 0.6 * bold) * ends;
            // Bound where it begins.
            let curve = (0..LASH).map(|k| {
                let along = (k as f32 / (LASH - 1) as f32 - 0.1) * 1.6 / pieces as f32;
                add(self.edge((out + along).min(1.0)), [0.0, 0.002, 0.006])
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
