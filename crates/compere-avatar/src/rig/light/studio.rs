//! Light, worked out once per person and outfit.
//!
//! The studio is a smooth dome: a warm key, a cool fill, two rims and a soft surrounding. For each of its directions
//! a depth map of the whole figure says who sees it; the sum is the irradiance at each vertex. On skin it is diffused
//! over the surface, red farther than blue, which is what makes skin look like skin.

use std::sync::Mutex;

use super::dome::Dome;
use super::folds::tip;
use super::shadows::{Lamp, Solid, Sum, Total, gather};
use crate::rig::body::parts::{Mesh, Stuff, Traits};
use crate::rig::cloth::garment::Garment;
use crate::rig::ground::care::Care;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::mesh::relax;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, exp, mix, mul, norm, sin, ss};

pub(crate) const KEY: V3 = [-0.55, 0.58, 0.60];
pub(crate) const FILL: V3 = [0.50, 0.12, 0.86];
pub(crate) const RIM: V3 = [0.74, 0.40, -0.58];
const BACK: V3 = [-0.80, 0.35, -0.60];

/// Lamps are summed in this many groups, whatever the number of threads.
const GROUPS: usize = 8;

/// The studio: a big soft box for a key, a wide fill, two rims, and walls.
fn studio(care: Care) -> Vec<Lamp> {
    let mut lamps = Vec::new();
    let mut put = |axis: V3, count: usize, wide: f32, color: V3, strength: f32, is_key: bool| {
        let (axis, count) = (norm(axis), care.lamps(count));
        let x = norm(cross([0.0, 1.0, 0.0], axis));
        let y = cross(axis, x);
        for at in 0..count {
            // A sunflower's seeds: even over the disc.
            let r = ((at as f32 + 0.5) / count as f32).sqrt() * wide;
            let phi = at as f32 * 2.399_963;
            let d = norm(add(axis, add(mul(x, r * cos(phi)), mul(y, r * sin(phi)))));
            lamps.push(Lamp { d, light: mul(color, strength / count as f32), is_key, is_sky: false });
        }
    };
    put(KEY, 36, 0.46, [1.0, 0.925, 0.83], 2.15, true);
    put(FILL, 12, 0.75, [0.96, 0.97, 1.0], 0.34, false);
    put(RIM, 9, 0.22, [1.0, 0.95, 0.88], 2.40, false);
    put(BACK, 8, 0.22, [0.86, 0.93, 1.0], 1.80, false);
    // Walls and ceiling; the floor gives back a little of the key.
    let walls = care.lamps(WALLS);
    for at in 0..walls {
        let z = 1.0 - 2.0 * (at as f32 + 0.5) / walls as f32;
        let r = (1.0 - z * z).sqrt();
        let phi = at as f32 * 2.399_963;
        let d = [r * cos(phi), z, r * sin(phi)];
        let up = 0.5 + 0.5 * d[1];
        let color = add(mul([0.225, 0.230, 0.248], up), mul([0.20, 0.163, 0.138], 1.0 - up));
        let front = 0.75 + 0.40 * d[2].max(0.0);
        lamps.push(Lamp { d, light: mul(color, front * 4.0 / walls as f32), is_key: false, is_sky: d[1] > -0.2 });
    }
    lamps
}

const WALLS: usize = 64;

/// The same light by where a surface looks, with nothing in its way.
pub(crate) fn dome() -> Dome {
    let lamps = studio(Care::Full);
    let received = |n: V3| {
        let each = lamps.iter().filter(|lamp| !lamp.is_key);
        each.fold([0.0; 3], |sum, lamp| add(sum, mul(lamp.light, dot(n, lamp.d).max(0.0))))
    };
    let key = lamps.iter().filter(|lamp| lamp.is_key).fold([0.0; 3], |sum, lamp| add(sum, lamp.light));
    Dome::new(received, key, KEY)
}

/// Fills light, key and openness of every mesh.
pub(crate) fn bake(meshes: &mut [Mesh], garment: &Garment, care: Care) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let shared = &*meshes;
    let lamps = &studio(care);
    let solids = &shared.iter().map(|mesh| Solid::new(mesh, garment)).collect::<Vec<_>>();
    let total = Mutex::new(Total::new(solids));
    #[expect(clippy::disallowed_methods, reason = "baking, on as many threads as `threads` says")]
    std::thread::scope(|scope| {
        for _ in 0..crate::rig::raster::render::threads() {
            scope.spawn(|| {
                loop {
                    let group = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if group >= GROUPS {
                        return;
                    }
                    let mut sum = Sum::new(solids);
                    for lamp in lamps.iter().skip(group).step_by(GROUPS) {
                        gather(shared, solids, lamp, &mut sum);
                    }
                    total.lock().expect("no thread panics while it holds the sums").take(group, sum);
                }
            });
        }
    });
    let total = total.into_inner().expect("all threads have ended").sum;
    let keys = lamps.iter().filter(|lamp| lamp.is_key).count() as f32;
    let skies = lamps.iter().filter(|lamp| lamp.is_sky).count() as f32;
    for ((mesh, solid), got) in meshes.iter_mut().zip(solids).zip(total.0) {
        let points = mesh.points.len();
        mesh.light = spread(&solid.lit, got.light, points);
        mesh.key = spread(&solid.lit, got.key.iter().map(|k| k / keys).collect(), points);
        mesh.open = spread(&solid.lit, got.open.iter().map(|o| (o / skies * 1.9).min(1.0)).collect(), points);
        match mesh.stuff {
            Stuff::Skin | Stuff::Tongue => diffuse(mesh),
            Stuff::Hair => {
                even(mesh);
                fill_strands(mesh);
            }
            Stuff::Lash => fill_strands(mesh),
            Stuff::Cloth(_) => {
                relax(&mut mesh.light, &mesh.triangles, 2, 0.5);
            }
            // Its rim is a fold in one row of points: lit one by one they would be teeth.
            Stuff::Scarf => {
                relax(&mut mesh.light, &mesh.triangles, 5, 0.6);
            }
            _ => {}
        }
    }
}

/// What lit points got, where they are among all.
fn spread<T: Clone + Default>(lit: &[u32], got: Vec<T>, points: usize) -> Vec<T> {
    if lit.len() == points {
        return got;
    }
    let mut all = vec![T::default(); points];
    for (&v, got) in lit.iter().zip(got) {
        all[v as usize] = got;
    }
    all
}

/// Strands beside each other are lit nearly alike: what one alone hides from the light is told by its own share only.
fn even(mesh: &mut Mesh) {
    const CELL: f32 = 0.20;
    const SIDE: usize = 48;
    /// How much of a strand's light is its neighbourhood's.
    const SHARED: f32 = 0.60;
    let Traits::Strands(traits) = &mesh.traits else { return };
    let place = |p: V3| [p[0] / CELL + 24.0, (p[1] - 2.4) / CELL, p[2] / CELL + 24.0].map(|v| v.clamp(0.5, 46.5));
    let corners = |p: V3| {
        let q = place(p);
        (0..8_usize).map(move |k| {
            let side = [k & 1, k >> 1 & 1, k >> 2];
            let (mut at, mut weight) = (0, 1.0);
            for axis in [2, 1, 0] {
                let low = q[axis] as usize;
                let share = q[axis] - low as f32;
                at = at * SIDE + low + side[axis];
                weight *= if side[axis] == 1 { share } else { 1.0 - share };
            }
            (at, weight)
        })
    };
    let lit: Vec<usize> = (0..mesh.points.len()).step_by(4).filter(|&v| traits[v].guide == 0).collect();
    let mut cells = vec![[0.0_f32; 5]; SIDE * SIDE * SIDE];
    for &v in &lit {
        let [r, g, b] = mesh.light[v];
        for (at, weight) in corners(mesh.points[v]) {
            let own = [r, g, b, mesh.key[v], 1.0];
            cells[at].iter_mut().zip(own).for_each(|(cell, own)| *cell += own * weight);
        }
    }
    for v in lit {
        let mut sum = [0.0_f32; 5];
        for (at, weight) in corners(mesh.points[v]) {
            sum.iter_mut().zip(cells[at]).for_each(|(sum, cell)| *sum += cell * weight);
        }
        let near = |k: usize, own: f32| own + (sum[k] / sum[4] - own) * SHARED;
        mesh.light[v] = std::array::from_fn(|k| near(k, mesh.light[v][k]));
        mesh.key[v] = near(3, mesh.key[v]);
    }
}

/// Gives the points of a strand that were left out what their neighbours got, and children what their guides got.
fn fill_strands(mesh: &mut Mesh) {
    let Traits::Strands(traits) = &mesh.traits else { return };
    for v in 0..mesh.points.len() {
        let back = traits[v].guide;
        if back > 0 {
            mesh.light[v] = mesh.light[v - back];
            mesh.key[v] = mesh.key[v - back];
            mesh.open[v] = mesh.open[v - back];
            continue;
        }
        let from = v - v % 4;
        let next = if from + 4 < mesh.points.len() && v % 4 >= 2 && traits[from + 4].along > traits[from].along {
            from + 4
        } else {
            from
        };
        mesh.light[v] = mul(add(mesh.light[from], mesh.light[next]), 0.5);
        mesh.key[v] = (mesh.key[from] + mesh.key[next]) * 0.5;
        mesh.open[v] = (mesh.open[from] + mesh.open[next]) * 0.5;
    }
}

/// Light that enters skin comes out a little farther on.
fn diffuse(mesh: &mut Mesh) {
    for (channel, times) in [(0, 18), (1, 5), (2, 2)] {
        let mut values: Vec<[f32; 1]> = mesh.light.iter().map(|l| [l[channel]]).collect();
        relax(&mut values, &mesh.triangles, times, 0.55);
        for (light, value) in mesh.light.iter_mut().zip(values) {
            light[channel] = value[0];
        }
    }
    if mesh.stuff == Stuff::Skin {
        soften_bridge(mesh);
        soften_sockets(mesh);
    }
    let mut key: Vec<[f32; 1]> = mesh.key.iter().map(|&k| [k]).collect();
    relax(&mut key, &mesh.triangles, 2, 0.5);
    mesh.key = key.into_iter().map(|k| k[0]).collect();
}

/// From the brow down the side of the nose a face turns within two rows of points, a hard fold if each has its own light.
fn soften_bridge(mesh: &mut Mesh) {
    let beside = |p: V3| {
        let q = [(p[0].abs() - 0.085) / 0.15, (p[1] - EYE_Y) / 0.40];
        ss(1.0, 0.35, (q[0] * q[0] + q[1] * q[1]).sqrt()) * ss(0.6, 0.9, p[2])
    };
    let share: Vec<f32> = mesh.skin().iter().map(|traits| beside(traits.rest) * (1.0 - traits.lid)).collect();
    let near = |t: &&[u32; 3]| t.iter().any(|&v| share[v as usize] > 0.0);
    let triangles: Vec<[u32; 3]> = mesh.triangles.iter().filter(near).copied().collect();
    let mut even = mesh.light.clone();
    relax(&mut even, &triangles, 14, 0.6);
    for ((light, even), share) in mesh.light.iter_mut().zip(even).zip(share) {
        *light = mix(*light, even, 0.9 * share);
    }
}

/// Around an eye skin is thin and folds in single rows of points: what light, key and openness each of these has makes
/// stripes beside the nose and bags with edges. What is there shares what all of it has, and of the nose's bridge a little;
/// so does what lies under the nose, whose shadow has nicks in it where its openings are.
fn soften_sockets(mesh: &mut Mesh) {
    let round = |p: V3, at: [f32; 2], size: [f32; 2]| {
        let q = [(p[0].abs() - at[0]) / size[0], (p[1] - EYE_Y - at[1]) / size[1]];
        exp(-(q[0] * q[0] + q[1] * q[1]))
    };
    let nose = tip(mesh)[1];
    let around = |p: V3| {
        let under = 1.2 * round(p, [0.27, -0.23], [0.20, 0.14]);
        let corner = 1.3 * round(p, [0.13, -0.06], [0.09, 0.16]);
        let bridge = 0.35 * round(p, [0.0, -0.20], [0.13, 0.24]);
        let base = 0.9 * round(p, [0.05, nose - 0.11 - EYE_Y], [0.13, 0.07]);
        (under + corner).max(bridge).max(base).min(1.0) * ss(0.6, 0.9, p[2])
    };
    let share: Vec<f32> = mesh.skin().iter().map(|traits| around(traits.rest) * (1.0 - traits.lid)).collect();
    let near = |t: &&[u32; 3]| t.iter().any(|&v| share[v as usize] > 0.02);
    let triangles: Vec<[u32; 3]> = mesh.triangles.iter().filter(near).copied().collect();
    let got = mesh.light.iter().zip(&mesh.key).zip(&mesh.open);
    let mut even: Vec<[f32; 5]> = got.map(|((&[r, g, b], &key), &open)| [r, g, b, key, open]).collect();
    relax(&mut even, &triangles, 40, 0.6);
    for (v, ([r, g, b, key, open], share)) in even.into_iter().zip(share).enumerate() {
        mesh.light[v] = mix(mesh.light[v], [r, g, b], share);
        mesh.key[v] += (key - mesh.key[v]) * share;
        mesh.open[v] += (open - mesh.open[v]) * share;
    }
}
