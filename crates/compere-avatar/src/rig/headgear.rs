//! What is worn on the head: scarves and glasses. It goes with the head as hair does.

use super::hair::{Skull, direction};
use super::parts::{Mesh, Stuff};
use super::person::{Glasses, Hair, Person};
use super::sculpt::{Body, EYE_Y};
use super::v3::{V3, add, cos, interp, mix, mul, noise, norm, sin, ss, sub};

pub(super) fn worn(person: &Person, skull: &Skull, body: &Body, skin: &Mesh) -> Vec<Mesh> {
    let mut out = Vec::new();
    if person.hair == Hair::Scarf {
        out.push(scarf(skull));
    }
    if let Glasses::Framed { wide, high, round, .. } = person.look.glasses {
        out.push(glasses(body, skin, [wide, high, round]));
    }
    out
}

/// A sheet of `rows` by `columns` points; `closed` joins the last column to the first.
fn sheet(stuff: Stuff, rows: usize, columns: usize, closed: bool, point: impl Fn(usize, usize) -> V3) -> Mesh {
    let points: Vec<V3> = (0..rows * columns).map(|at| point(at / columns, at % columns)).collect();
    let mut triangles = Vec::new();
    let last = if closed { columns } else { columns - 1 };
    for row in 0..rows - 1 {
        for column in 0..last {
            let next = (column + 1) % columns;
            let [a, b] = [row, row + 1].map(|row| (row * columns + column) as u32);
            let [c, d] = [row, row + 1].map(|row| (row * columns + next) as u32);
            triangles.extend([[a, b, c], [c, b, d]]);
        }
    }
    let traits = points.iter().map(|p| [p[0], p[1], p[2], 0.0, 0.0, 0.0, 0.0, 0.0]).collect();
    Mesh::new(stuff, points, triangles, traits)
}

/// From the face's edge round the back of the head, and down over throat and shoulders.
fn scarf(skull: &Skull) -> Mesh {
    const ROWS: usize = 70;
    const COLUMNS: usize = 160;
    // Half the width of the opening for the face, by height; the forehead shows up to here.
    const FACE: [(f32, f32); 9] = [
        (-1.13, 0.0),
        (-1.06, 0.25),
        (-0.95, 0.38),
        (-0.72, 0.50),
        (-0.40, 0.585),
        (0.0, 0.61),
        (0.35, 0.56),
        (0.55, 0.42),
        (0.66, 0.0),
    ];
    // How far cloth stands from the axis of the neck below the head.
    const DRAPE: [(f32, f32); 6] = [(6.2, 0.84), (5.75, 0.74), (5.45, 0.67), (5.15, 0.68), (4.8, 0.78), (4.2, 0.86)];
    let axis = [0.0, 0.05];
    let hood = |azimuth: f32, y: f32| -> V3 {
        // Above, the skull with cloth on it; below, a fall of folds.
        let turn = azimuth.to_radians();
        let (sx, cz) = (sin(turn), cos(turn));
        let low = {
            let r = interp(y, &DRAPE);
            let chest = ss(5.7, 5.0, y) * ss(-0.2, 0.8, cz);
            let fold = 0.022 * sin(azimuth * 0.16 + y * 5.2 + 2.5 * noise([azimuth * 0.02, y * 1.3, 4.0]))
                + 0.035 * sin(y * 8.5 - 2.2 * sx.abs() + 3.0 * noise([azimuth * 0.012, y, 1.0])) * ss(5.9, 5.2, y);
            let r = r + fold * ss(6.0, 5.3, y);
            [axis[0] + sx * r, y, axis[1] + cz * r * 0.92 + 0.12 * chest + 0.10 * ss(5.2, 5.6, y) * ss(0.0, 0.8, cz)]
        };
        if y < 5.6 {
            return low;
        }
        // The direction in which the skull is left at this height.
        // Below the jaw there is none: cloth falls straight there.
        let most = interp(y, &[(5.6, 0.70), (6.0, 0.76), (6.4, 0.84), (6.8, 0.95), (7.2, 1.20)]);
        let mut far = 0.8;
        for _ in 0..8 {
            let d = norm([sx * far, y - skull.centre[1], cz * far]);
            let r = skull.radius(d) + 0.10 + 0.05 * ss(0.2, -0.6, cz);
            let next = (r * r - (y - skull.centre[1]) * (y - skull.centre[1])).max(1e-4).sqrt();
            far = (0.5 * (far + next)).min(most);
        }
        let high = [sx * far, y, skull.centre[2] + cz * far];
        let crease = 0.012 * sin(y * 16.0 + azimuth * 0.03) * ss(40.0, 90.0, azimuth.abs());
        let high = add(high, [sx * crease, 0.0, cz * crease]);
        mix(low, high, ss(5.6, 6.5, y))
    };
    let top = {
        let up = direction(0.0, 89.0);
        skull.centre[1] + skull.radius(up) + 0.10
    };
    // Columns run round the head from one edge of the opening to the other, rows from the crown down.
    let point = |row: usize, column: usize| {
        let t = row as f32 / (ROWS - 1) as f32;
        let y = top - 0.002 - (top - 4.25) * libm::powf(t, 1.15);
        let open = interp(y - EYE_Y, &FACE).max(0.0);
        // The azimuth of the opening's edge.
        let from = if open > 0.0 { libm::atan2f(open, 0.92).to_degrees() } else { 0.0 };
        // Where there is no opening the last column stands beside the first.
        let s = column as f32 / if from > 0.0 { COLUMNS - 1 } else { COLUMNS } as f32;
        let azimuth = from + (360.0 - 2.0 * from) * s;
        let mut p = hood(if azimuth > 180.0 { azimuth - 360.0 } else { azimuth }, y);
        // The edge hugs the face: over the forehead, along the cheeks, under the chin.
        let edge = ss(34.0, 0.0, (azimuth - from).min(360.0 - from - azimuth)) * ss(5.2, 5.5, y);
        if edge > 0.0 {
            let d = norm(sub([if azimuth > 180.0 { -open } else { open }, y, 1.0], skull.centre));
            let onto = add(skull.centre, mul(d, skull.radius(d) + 0.035));
            p = mix(p, onto, edge * 0.9);
        }
        p
    };
    let mut mesh = sheet(Stuff::Scarf, ROWS, COLUMNS, true, point);
    // Two seams of the opening's edge meet in front only where there is no opening.
    let open = |p: &V3| p[2] > 0.5 && p[0].abs() < interp(p[1] - EYE_Y, &FACE) - 0.03;
    let points = mesh.points.clone();
    mesh.triangles.retain(|t| {
        let middle = mul(t.iter().fold([0.0; 3], |sum, &v| add(sum, points[v as usize])), 1.0 / 3.0);
        !open(&middle)
    });
    mesh
}

/// Two rims, a bridge and temples, each a tube.
fn glasses(body: &Body, skin: &Mesh, [wide, high, round]: [f32; 3]) -> Mesh {
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
            let up = norm(super::v3::cross(along, [0.05, 0.1, 1.0]));
            let out = super::v3::cross(along, up);
            for k in 0..AROUND {
                let a = k as f32 / AROUND as f32 * std::f32::consts::TAU;
                points.push(add(path[at], add(mul(up, thick * cos(a)), mul(out, thick * 0.8 * sin(a)))));
            }
        }
        let steps = if closed { n } else { n - 1 };
        for at in 0..steps {
            for k in 0..AROUND {
                let next = (k + 1) % AROUND;
                let [a, b] = [at, (at + 1) % n].map(|at| base + (at * AROUND + k) as u32);
                let [c, d] = [at, (at + 1) % n].map(|at| base + (at * AROUND + next) as u32);
                triangles.extend([[a, b, c], [c, b, d]]);
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
                let square = libm::powf(libm::powf(c.abs(), 4.0) + libm::powf(s.abs(), 4.0), -0.25);
                let r = square * (1.0 - round) + round;
                let (x, y) = (eye[0] + side * 0.012 + 0.235 * wide * c * r, EYE_Y - 0.035 + 0.185 * high * s * r);
                [x, y, z(x.abs())]
            })
            .collect();
        tube(&rim, 0.0165, true);
        let outer = eye[0] + side * (0.235 * wide + 0.005);
        let corner = [outer, EYE_Y + 0.06, z(outer.abs()) - 0.01];
        let temple: Vec<V3> = (0..14)
            .map(|at| {
                let t = at as f32 / 13.0;
                let x = corner[0] + side * (0.74 - corner[0].abs()).max(0.02) * ss(0.0, 0.35, t);
                [x, corner[1] - 0.03 * t, corner[2] - (corner[2] - 0.10) * t]
            })
            .collect();
        tube(&temple, 0.014, false);
        ends.push([eye[0] - side * 0.215 * wide, EYE_Y + 0.035, z(0.12)]);
    }
    let over: Vec<V3> = (0..10)
        .map(|at| {
            let t = at as f32 / 9.0;
            add(mix(ends[1], ends[0], t), [0.0, 0.035 * sin(t * std::f32::consts::PI), 0.015])
        })
        .collect();
    tube(&over, 0.0135, false);
    let traits = points.iter().map(|p: &V3| [p[0], p[1], p[2], 0.0, 0.0, 0.0, 0.0, 0.0]).collect();
    Mesh::new(Stuff::Frame, points, triangles, traits)
}
