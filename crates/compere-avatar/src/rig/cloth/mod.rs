//! Clothes: the data's body stocking, relaxed, let out and cut by implicit lines, with bands sewn on.

mod collar;
pub(crate) mod creases;
mod cuffs;
mod drape;
pub(crate) mod garment;
pub(crate) mod lapel;
mod legs;
pub(crate) mod seams;
pub(crate) mod sewing;

use crate::rig::body::parts::{ClothTraits, Mesh, Piece, Stuff, Traits, relaxed};
use crate::rig::body::sculpt::Body;
use crate::rig::body::skin::surface;
use crate::rig::ground::data::Library;
use crate::rig::ground::mesh::{normals, relax};
use crate::rig::ground::v3::{V3, add, dot, exp, length, mix, mul, norm, ss, sub};
use crate::rig::people::person::{Cut, Person};
use drape::Fall;
use garment::{Garment, folds};

/// Raised hands are in the picture long before hips are: sleeves are always whole.
const SLEEVES: f32 = -0.3;

/// From where on, as a share of half the width over the shoulders, a short-sleeved top is drawn in.
const ROUND: f32 = 0.90;

/// Clothes, as far down as `low`.
pub(crate) fn sew(library: &Library, body: &Body, person: &Person, garment: &Garment, low: f32) -> Vec<Mesh> {
    let base = surface(library, body, &["helper-tights"], 2, (low - 0.6).min(SLEEVES));
    let points = base.blend.vectors(&body.posed);
    let rest = base.blend.vectors(&body.rest);
    let triangles = &base.triangles;
    let arms = base.blend.scalars(&body.arms);
    let traits: Vec<_> = rest.iter().zip(arms).map(|(&rest, arm)| ClothTraits::of_layer(rest, arm)).collect();
    let layer = |which: Piece, times: u32, out: f32, fold: f32| {
        let mut shape = relaxed(&points, triangles, times);
        if let Some(fall) = falls(garment, which, person.male) {
            drape::hang(&mut shape, triangles, &traits, &fall);
            let armpit = drape::armpit(&shape, &traits);
            let even = relaxed(&shape, triangles, 40);
            for ((p, even), traits) in shape.iter_mut().zip(even).zip(&traits) {
                *p = mix(*p, even, drape::near_armpit(*p, armpit) * ss(1.0, 0.6, traits.arm));
            }
        }
        let n = normals(&shape, triangles);
        for (at, p) in shape.iter_mut().enumerate() {
            let folds = folds(*p, garment) * fold;
            // At the waist trousers lie under what is worn over them.
            let waist = 0.15 * ss(-2.2, 0.3, p[1]);
            let out = if which == Piece::Trousers { out - waist } else { out };
            let pad = if which == Piece::Top { 0.0 } else { pad(*p, garment) };
            *p = add(*p, add(mul(n[at], out + folds), [p[0].signum() * 0.03 * pad, 0.085 * pad, 0.0]));
        }
        relax(&mut shape, triangles, 1, 0.35);
        if which == Piece::Trousers {
            legs::fall(&mut shape, &traits);
        }
        if garment.is_bare() && which == Piece::Top {
            // Thin cloth has no pads: it lies on shoulders as round as they are, or they are a doll's.
            let point = (ROUND + 0.03 * person.male) * body.shoulder;
            for (p, traits) in shape.iter_mut().zip(&traits) {
                let over = (p[0].abs() - point).max(0.0) * ss(0.05, 0.45, traits.arm);
                p[0] -= p[0].signum() * 0.6 * over * over / (over + 0.05) * ss(3.2, 4.2, p[1]);
            }
        }
        for (at, p) in shape.iter_mut().enumerate().filter(|(at, _)| traits[*at].arm > 0.6) {
            let limb = body.limbs[usize::from(points[at][0] < 0.0)];
            *p = tapered(*p, limb);
            if garment.is_bare() {
                let even = slimmed(*p, limb, body.shoulder, traits[at].arm);
                *p = mix(*p, even, 0.30);
            }
            if which == Piece::Jacket || garment.cut == Cut::Shirt || garment.cut == Cut::Knit {
                *p = slimmed(*p, limb, body.shoulder, traits[at].arm);
            }
            // A sleeve falls from the shoulder's point: beyond it it would be puffed.
            let side = p[0].signum();
            let over = (p[0] * side - body.shoulder).max(0.0) * ss(0.55, 0.80, traits[at].arm);
            // Bit by bit, or the point would be a corner.
            p[0] -= side * 0.75 * over * over / (over + 0.05) * ss(3.2, 4.2, p[1]);
        }
        if which == Piece::Jacket || garment.cut == Cut::Shirt || garment.cut == Cut::Knit {
            cuffs::lengthen(&mut shape, triangles, &traits, garment);
        }
        let mut mesh = Mesh::new(Stuff::Cloth(which), shape, triangles.clone(), Traits::Cloth(traits.clone()));
        if which == Piece::Shoes {
            // Where they are cut is told by how they were sewn.
            legs::stand(&mut mesh.points, &traits);
        }
        mesh
    };
    let mut out = Vec::new();
    match garment.cut {
        Cut::Blazer { tie, shirt } => {
            let top = layer(Piece::Top, 4, 0.035, 0.5);
            let broad = 0.075 + 0.03 * person.male;
            let jacket = layer(Piece::Jacket, 20, broad, 1.0);
            out.extend(lapel::lapels(garment, &jacket));
            out.push(jacket);
            if shirt {
                out.extend(collar::shirt_collar(garment, &top, &collar::Neck::new(library, body)));
                if tie {
                    out.extend(sewing::tie(garment, &top));
                }
            } else {
                out.extend(sewing::neckband(garment, &top, 0.10, 0.024, 0.0));
            }
            out.push(top);
        }
        Cut::Shirt => {
            let top = layer(Piece::Top, 8, 0.060, 1.15);
            out.extend(collar::shirt_collar(garment, &top, &collar::Neck::new(library, body)));
            out.push(top);
        }
        Cut::Knit => {
            let top = layer(Piece::Top, 15, 0.085, 1.0);
            out.extend(sewing::neckband(garment, &top, 0.19, 0.055, 1.0));
            out.push(top);
        }
        Cut::Tee => {
            let top = layer(Piece::Top, 9, 0.055, 0.9);
            out.extend(sewing::neckband(garment, &top, 0.11, 0.022, 1.0));
            out.push(top);
        }
    }
    if low < 1.5 {
        out.push(layer(Piece::Trousers, 14, 0.17, 1.0));
        out.push(layer(Piece::Shoes, 14, 0.09, 0.0));
    }
    for mesh in &mut out {
        mesh.head = vec![0.0; mesh.points.len()];
    }
    out
}

/// How what is worn outermost falls; not what a jacket covers, nor what clings. Jackets are cut to a waist, women's more,
/// and what is drawn over a head hardly.
fn falls(garment: &Garment, which: Piece, male: f32) -> Option<Fall> {
    let (slope, tailored) = match (which, garment.cut) {
        (Piece::Jacket, _) => (0.08, 1.0),
        (Piece::Top, Cut::Shirt) => (0.12, 0.6),
        (Piece::Top, Cut::Knit | Cut::Tee) => (0.42, 0.4),
        _ => return None,
    };
    Some(Fall { slope, waist: tailored * (0.14 - 0.07 * male) })
}

/// A sleeve narrows towards the wrist, which has to fit into it however it turns.
fn tapered(p: V3, [elbow, wrist, _]: [V3; 3]) -> V3 {
    let (way, long) = (norm(sub(wrist, elbow)), length(sub(wrist, elbow)));
    let along = dot(sub(p, elbow), way);
    mix(p, add(elbow, mul(way, along)), 0.21 * ss(0.25, 0.85, along / long))
}

/// Upper arms are slim, and forearms in their sleeves go on so.
fn slimmed(p: V3, [elbow, wrist, _]: [V3; 3], half: f32, arm: f32) -> V3 {
    let shoulder = [elbow[0].signum() * half * 0.80, 4.75, elbow[2]];
    let onto = |from: V3, to: V3| {
        let way = norm(sub(to, from));
        let along = dot(sub(p, from), way);
        (add(from, mul(way, along)), along / length(sub(to, from)))
    };
    let (upper, along) = onto(shoulder, elbow);
    let (lower, _) = onto(elbow, wrist);
    let share = 0.36 * ss(-0.12, 0.42, along) * ss(0.55, 0.95, arm);
    mix(p, mix(upper, lower, ss(0.85, 1.15, along)), share)
}

/// A jacket's shoulder is built up a little.
fn pad(p: V3, garment: &Garment) -> f32 {
    let d = [(p[0].abs() - garment.shoulder * 0.90) / 0.34, (p[1] - 5.08) / 0.30, (p[2] - 0.05) / 0.6];
    exp(-dot(d, d))
}
