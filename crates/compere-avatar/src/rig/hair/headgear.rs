//! What is worn on the head: scarves (see `scarf.rs`) and glasses. It goes with the head as hair does.

use crate::rig::body::parts::{Mesh, Stuff, Traits};
use crate::rig::body::sculpt::Body;
use crate::rig::body::skull::Skull;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, cos, mix, mul, norm, pow, sin, ss, sub};
use crate::rig::people::person::{Glasses, Hair, Person};

/// How far beside an eye the middle of its glass is.
pub(crate) const OUTWARD: f32 = 0.030;

pub(crate) fn worn(person: &Person, skull: &Skull, body: &Body, skin: &Mesh) -> Vec<Mesh> {
    let mut out = Vec::new();
    if person.hair == Hair::Scarf {
        out.push(super::scarf::scarf(skull, body, skin));
    }
    if let Glasses::Framed { wide, high, round, .. } = person.look.glasses {
        out.push(glasses(body, skin, [wide, high, round], matches!(person.hair, Hair::Long(_))));
    }
    out
}

/// Two rims, a bridge and temples, each a tube.
fn glasses(body: &Body, skin: &Mesh, [wide, high, round]: [f32; 3], hangs: bool) -> Mesh {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    let mut tube = |path: &[V3], thick: f32, closed: bool| {
        const AROUND: usize = 8;
        let base = points.len() as u32;
        let n = path.len();
        for at in 0..n {
            let (from, to) =
                if closed { ((at + n - 1) % n, (at + 1) % n) } else { (at.saturating_sub(1), (at + 1).min(n - 1)) };
            let along = norm(sub(path[to], path[from]));
            let up = norm(crate::rig::ground::v3::cross(along, [0.05, 0.1, 1.0]));
            let out = crate::rig::ground::v3::cross(along, up);
            for k in 0..AROUND {
                let a = k as f32 / AROUND as f32 * std::f32::consts::TAU;
                // Frames are stronger above than below.
                let thick = if closed { thick * (1.0 + 0.30 * (path[at][1] - EYE_Y + 0.055) / 0.185) } else { thick };
                points.push(add(path[at], add(mul(up, thick * cos(a)), mul(out, thick * 0.8 * sin(a)))));
            }
        }
        let steps = if closed { n } else { n - 1 };
        for at in 0..steps {
            for k in 0..AROUND {
                let next = (k + 1) % AROUND;
                let [a, b] = [at, (at + 1) % n].map(|at| base + (at * AROUND + k) as u32);
                let [c, d] = [at, (at + 1) % n].map(|at| base + (at * AROUND + next) as u32);
                triangles.extend([[a, c, b], [c, d, b]]);
            }
        }
    };
    // In front of the brows and the bridge of the nose.
    let front = |x: f32, y: f32| {
        let near = skin.points.iter().filter(|p| (p[0] - x).abs() < 0.10 && (p[1] - y).abs() < 0.10);
        near.map(|p| p[2]).fold(0.6, f32::max)
    };
    let mut ends = Vec::new();
    let bridge = front(0.0, EYE_Y + 0.05) + 0.03;
    for (eye, side) in body.eyes.iter().zip([1.0, -1.0]) {
        let z = |x: f32| bridge + 0.02 - 0.30 * (x / 0.55) * (x / 0.55) * 0.42;
        let rim: Vec<V3> = (0..64)
            .map(|at| {
                let a = at as f32 / 64.0 * std::f32::consts::TAU;
                let (c, s) = (cos(a), sin(a));
                // Between a circle and a box with round corners.
                let square = pow(pow(c.abs(), 4.0) + pow(s.abs(), 4.0), -0.25);
                let r = square * (1.0 - round) + round;
                let (x, y) = (eye[0] + side * OUTWARD + 0.235 * wide * c * r, EYE_Y - 0.055 + 0.185 * high * s * r);
                [x, y, z(x.abs())]
            })
            .collect();
        tube(&rim, 0.0175, true);
        let outer = eye[0] + side * (0.235 * wide + OUTWARD - 0.007);
        let corner = [outer, EYE_Y + 0.06, z(outer.abs()) - 0.01];
        // Out of the corner, along the head to where the ear begins, which hides its end.
        let [above, ear] = ear_root(skin, side);
        // Hair that hangs lies over it.
        let down = if hangs { -0.03 } else { above - corner[1] };
        let temple: Vec<V3> = (0..14)
            .map(|at| {
                let t = at as f32 / 13.0;
                let [y, z] = [corner[1] + down * t, corner[2] + (ear - corner[2]) * t];
                let beside = if hangs { corner[0].abs() + 0.015 } else { width(skin, y, z) + 0.012 };
                let out = (beside - corner[0].abs()) * ss(0.0, 0.28, t);
                [corner[0] + side * out, y, z]
            })
            .collect();
        tube(&temple, 0.0125, false);
        ends.push([eye[0] - side * (0.227 * wide - OUTWARD), EYE_Y + 0.035, z(0.12)]);
    }
    let over: Vec<V3> = (0..10)
        .map(|at| {
            let t = at as f32 / 9.0;
            add(mix(ends[1], ends[0], t), [0.0, 0.035 * sin(t * std::f32::consts::PI), 0.015])
        })
        .collect();
    tube(&over, 0.0135, false);
    Mesh::new(Stuff::Frame, points, triangles, Traits::Plain)
}

/// Half of how wide a head is there, without its ears: wider than that temples of glasses would stand beside it like nails.
fn width(skin: &Mesh, y: f32, z: f32) -> f32 {
    let all = skin.points.iter().zip(skin.skin());
    let near = all.filter(|(p, t)| t.ear < 0.02 && (p[1] - y).abs() < 0.08 && (p[2] - z).abs() < 0.08);
    near.map(|(p, _)| p[0].abs()).fold(0.4, f32::max)
}

/// How high up and how far back the ear of a side begins: temples of glasses end there.
fn ear_root(skin: &Mesh, side: f32) -> [f32; 2] {
    let all = skin.points.iter().zip(skin.skin());
    let ear = all.filter(|(p, traits)| p[0] * side > 0.0 && traits.ear > 0.5 && p[1] > EYE_Y - 0.30);
    let most = |most: Option<V3>, p: V3| Some(most.map_or(p, |m| [0.0, m[1].max(p[1]), m[2].max(p[2])]));
    ear.map(|(p, _)| *p).fold(None, most).map_or([EYE_Y, 0.10], |[_, y, z]| [y - 0.02, z])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::body::skin::skin;
    use crate::rig::ground::data::Library;
    use crate::rig::people::CAST;

    #[test]
    fn arms_of_glasses_stay_at_the_head() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        let person = &CAST.iter().find(|member| member.alias == "tom").expect("Tom").person;
        let Glasses::Framed { wide, high, round, .. } = person.look.glasses else { panic!("Tom wears glasses") };
        let body = sculpt(&library, person).expect("a body");
        let skin = skin(&library, &body);
        let frame = glasses(&body, &skin, [wide, high, round], false);
        let behind = frame.points.iter().filter(|p| (0.30..0.75).contains(&p[2]));
        let off = behind.map(|p| p[0].abs() - width(&skin, p[1], p[2])).fold(f32::MIN, f32::max);
        assert!((0.0..0.04).contains(&off), "{off} beside the head");
    }
}
