//! Light, worked out once per person and outfit.
//!
//! The studio is a smooth dome: a warm key, a cool fill, two rims and a soft surrounding. For each of its directions
//! a depth map of the whole figure says who sees it; the sum is the irradiance at each vertex. On skin it is diffused
//! over the surface, red farther than blue, which is what makes skin look like skin.

use std::sync::Mutex;

use super::cloth::{Garment, LAPEL};
use super::mesh::relax;
use super::parts::{Mesh, Stuff};
use super::v3::{V3, add, cos, cross, dot, exp, mul, norm, pow, powi, sin};

pub(super) const KEY: V3 = [-0.50, 0.42, 0.76];
pub(super) const FILL: V3 = [0.75, 0.15, 0.6];
pub(super) const RIM: V3 = [0.7, 0.45, -0.65];

const DIRECTIONS: usize = 112;
const MAP: usize = 440;
/// Directions are summed in this many groups, whatever the number of threads.
const GROUPS: usize = 8;

fn radiance(d: V3) -> V3 {
    let lobe = |axis: V3| dot(d, norm(axis)).max(0.0);
    let key = mul([1.0, 0.94, 0.87], pow(lobe(KEY), 8.0) * 4.9);
    let fill = mul([0.92, 0.95, 1.0], powi(lobe(FILL), 4) * 1.15);
    let rim = add(
        mul([1.0, 0.93, 0.84], powi(lobe(RIM), 8) * 3.2),
        mul([0.88, 0.94, 1.0], powi(lobe([-0.75, 0.35, -0.6]), 10) * 1.8),
    );
    let dome = mul([0.98, 0.97, 1.0], 0.28 + 0.22 * d[1] + 0.12 * d[2].max(0.0));
    add(add(key, fill), add(rim, dome))
}

fn direction(at: usize) -> V3 {
    let z = 1.0 - 2.0 * (at as f32 + 0.5) / DIRECTIONS as f32;
    let r = (1.0 - z * z).sqrt();
    let phi = at as f32 * 2.399_963;
    [r * cos(phi), z, r * sin(phi)]
}

#[derive(Clone)]
struct Sum {
    light: Vec<Vec<V3>>,
    key: Vec<Vec<f32>>,
    open: Vec<Vec<f32>>,
}

impl Sum {
    fn new(meshes: &[Mesh]) -> Self {
        let zeros = || meshes.iter().map(|m| vec![0.0; m.points.len()]).collect::<Vec<_>>();
        Self { light: meshes.iter().map(|m| vec![[0.0; 3]; m.points.len()]).collect(), key: zeros(), open: zeros() }
    }

    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.light.iter_mut().flatten().zip(other.light.iter().flatten()) {
            *mine = add(*mine, *theirs);
        }
        for (mine, theirs) in self.key.iter_mut().flatten().zip(other.key.iter().flatten()) {
            *mine += theirs;
        }
        for (mine, theirs) in self.open.iter_mut().flatten().zip(other.open.iter().flatten()) {
            *mine += theirs;
        }
    }
}

/// Fills light, key and openness of every mesh.
pub(super) fn bake(meshes: &mut [Mesh], garment: &Garment) {
    let groups: Mutex<Vec<Option<Sum>>> = Mutex::new(vec![None; GROUPS]);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let shared = &*meshes;
    std::thread::scope(|scope| {
        for _ in 0..super::render::threads() {
            scope.spawn(|| {
                loop {
                    let group = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if group >= GROUPS {
                        return;
                    }
                    let mut sum = Sum::new(shared);
                    for at in (group..DIRECTIONS).step_by(GROUPS) {
                        gather(shared, garment, direction(at), &mut sum);
                    }
                    groups.lock().expect("no thread panics while it holds the sums")[group] = Some(sum);
                }
            });
        }
    });
    let mut total = Sum::new(meshes);
    for sum in groups.into_inner().expect("all threads have ended").iter().flatten() {
        total.add(sum);
    }
    let keys = (0..DIRECTIONS).filter(|&at| is_key(direction(at))).count().max(1) as f32;
    let skies = (0..DIRECTIONS).filter(|&at| direction(at)[1] > -0.2).count() as f32;
    for (at, mesh) in meshes.iter_mut().enumerate() {
        mesh.light = std::mem::take(&mut total.light[at]);
        mesh.key = total.key[at].iter().map(|k| k / keys).collect();
        mesh.open = total.open[at].iter().map(|o| (o / skies * 1.9).min(1.0)).collect();
        match mesh.stuff {
            Stuff::Skin | Stuff::Tongue => diffuse(mesh),
            Stuff::Hair | Stuff::Lash => fill_strands(mesh),
            Stuff::Cloth(_) => {
                relax(&mut mesh.light, &mesh.triangles, 2, 0.5);
            }
            _ => {}
        }
    }
}

fn is_key(d: V3) -> bool {
    dot(d, norm(KEY)) > 0.93
}

fn gather(meshes: &[Mesh], garment: &Garment, d: V3, sum: &mut Sum) {
    let up = if d[1].abs() > 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = norm(cross(up, d));
    let y = cross(d, x);
    let scale = MAP as f32 / 8.2;
    let project = |p: V3| {
        let q = [p[0], p[1] - 4.9, p[2] - 0.4];
        [dot(q, x) * scale + MAP as f32 * 0.5, dot(q, y) * scale + MAP as f32 * 0.5, dot(q, d)]
    };
    let mut depth = vec![-1e9_f32; MAP * MAP];
    for mesh in meshes {
        if mesh.stuff == Stuff::Lash || mesh.stuff == Stuff::Cloth(LAPEL) {
            continue;
        }
        if mesh.stuff == Stuff::Hair {
            splat(mesh, project, &mut depth);
            continue;
        }
        let projected: Vec<V3> = mesh.points.iter().map(|&p| project(p)).collect();
        for t in &mesh.triangles {
            if let Stuff::Cloth(layer) = mesh.stuff {
                let [a, b, c] = t.map(|v| mesh.points[v as usize]);
                let arm = t.iter().map(|&v| mesh.traits[v as usize][7]).sum::<f32>() / 3.0;
                if garment.gone(layer, mul(add(add(a, b), c), 1.0 / 3.0), arm) {
                    continue;
                }
            }
            let [a, b, c] = t.map(|v| projected[v as usize]);
            super::render::scan([a, b, c], [0, 0, MAP as i32, MAP as i32], |px, py, w| {
                let z = w[0] * a[2] + w[1] * b[2] + w[2] * c[2];
                let cell = &mut depth[py * MAP + px];
                *cell = cell.max(z);
            });
        }
    }
    let (radiance, key, sky) = (mul(radiance(d), 4.0 / DIRECTIONS as f32), is_key(d), d[1] > -0.2);
    for (at, mesh) in meshes.iter().enumerate() {
        let strand = mesh.stuff.is_strand();
        let bias = if mesh.stuff == Stuff::Eye { 0.02 } else { 0.035 };
        // Along a strand light changes slowly: one side of every other point is enough.
        for v in (0..mesh.points.len()).step_by(if strand { 4 } else { 1 }) {
            if strand && mesh.traits[v][7] > 0.0 {
                continue;
            }
            let facing = if strand { 0.55 } else { dot(mesh.normals[v], d) };
            if facing <= 0.0 {
                continue;
            }
            let p = if strand { mesh.points[v] } else { add(mesh.points[v], mul(mesh.normals[v], 0.03)) };
            let seen = visible(&depth, project(p), strand, bias);
            sum.light[at][v] = add(sum.light[at][v], mul(radiance, seen * facing));
            if key {
                sum.key[at][v] += seen;
            }
            if sky {
                sum.open[at][v] += seen;
            }
        }
    }
}

/// Guides stand for the hair around them: each covers a cell and its neighbours.
fn splat(mesh: &Mesh, project: impl Fn(V3) -> V3, depth: &mut [f32]) {
    for v in (0..mesh.points.len() - 2).step_by(2) {
        if mesh.traits[v][7] > 0.0 {
            continue;
        }
        let follows = mesh.traits[v + 2][3] > mesh.traits[v][3];
        let middle = mul(add(mesh.points[v], mesh.points[if follows { v + 2 } else { v }]), 0.5);
        for p in [mesh.points[v], middle] {
            let q = project(p);
            let (x, y) = (super::render::floor(q[0] - 0.5), super::render::floor(q[1] - 0.5));
            if x < 0 || y < 0 || x + 1 >= MAP as i32 || y + 1 >= MAP as i32 {
                continue;
            }
            let at = y as usize * MAP + x as usize;
            for cell in [at, at + 1, at + MAP, at + MAP + 1] {
                depth[cell] = depth[cell].max(q[2]);
            }
        }
    }
}

/// How much of a point the light sees: bilinear over the four nearest cells; strands let light through.
fn visible(depth: &[f32], q: V3, strand: bool, bias: f32) -> f32 {
    let (fx, fy) = (q[0] - 0.5, q[1] - 0.5);
    let (x0, y0) = (super::render::floor(fx) as f32, super::render::floor(fy) as f32);
    let mut seen = 0.0;
    for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let (x, y) = (x0 + dx, y0 + dy);
        let w = (1.0 - (fx - x).abs()) * (1.0 - (fy - y).abs());
        if x < 0.0 || y < 0.0 || x >= MAP as f32 || y >= MAP as f32 {
            seen += w;
            continue;
        }
        let behind = depth[y as usize * MAP + x as usize] - q[2];
        seen += w * if strand {
            if behind <= 0.02 {
                1.0
            } else if behind > 1.0 {
                0.0
            } else {
                exp(-(behind - 0.02) * 6.5)
            }
        } else if behind < bias {
            1.0
        } else {
            0.0
        };
    }
    seen
}

/// Gives the points of a strand that were left out what their neighbours got, and children what their guides got.
fn fill_strands(mesh: &mut Mesh) {
    for v in 0..mesh.points.len() {
        let back = mesh.traits[v][7] as usize;
        if back > 0 {
            mesh.light[v] = mesh.light[v - back];
            mesh.key[v] = mesh.key[v - back];
            mesh.open[v] = mesh.open[v - back];
            continue;
        }
        let from = v - v % 4;
        let next = if from + 4 < mesh.points.len() && v % 4 >= 2 && mesh.traits[from + 4][3] > mesh.traits[from][3] {
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
    for (channel, times) in [(0, 26), (1, 12), (2, 8)] {
        let mut values: Vec<[f32; 1]> = mesh.light.iter().map(|l| [l[channel]]).collect();
        relax(&mut values, &mesh.triangles, times, 0.55);
        for (light, value) in mesh.light.iter_mut().zip(values) {
            light[channel] = value[0];
        }
    }
    let mut key: Vec<[f32; 1]> = mesh.key.iter().map(|&k| [k]).collect();
    relax(&mut key, &mesh.triangles, 4, 0.5);
    mesh.key = key.into_iter().map(|k| k[0]).collect();
}
