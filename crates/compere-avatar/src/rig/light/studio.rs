//! Light, worked out once per person and outfit.
//!
//! The studio is a smooth dome: a warm key, a cool fill, two rims and a soft surrounding. For each of its directions
//! a depth map of the whole figure says who sees it; the sum is the irradiance at each vertex. On skin it is diffused
//! over the surface, red farther than blue, which is what makes skin look like skin.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::dome::Dome;
use crate::rig::body::parts::{Mesh, PARTED, Stuff, Traits};
use crate::rig::cloth::garment::Garment;
use crate::rig::ground::care::Care;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::mesh::relax;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, exp, mix, mul, norm, sin, ss};

pub(crate) const KEY: V3 = [-0.62, 0.60, 0.56];
pub(crate) const FILL: V3 = [0.75, 0.10, 0.65];
pub(crate) const RIM: V3 = [0.74, 0.40, -0.58];
const BACK: V3 = [-0.80, 0.35, -0.60];

/// Cells of a depth map to a side: the key throws the shadows one sees, which take finer ones.
const MAP: usize = 480;
const KEY_MAP: usize = 1100;
/// Lamps are summed in this many groups, whatever the number of threads.
const GROUPS: usize = 8;

/// One direction light comes from.
#[derive(Clone, Copy)]
struct Lamp {
    d: V3,
    /// What it adds on a surface that faces it.
    light: V3,
    is_key: bool,
    is_sky: bool,
}

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
    put(KEY, 36, 0.34, [1.0, 0.925, 0.83], 2.15, true);
    put(FILL, 12, 0.55, [0.94, 0.96, 1.0], 0.24, false);
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

/// What all groups gave so far, one after another whoever was first: sums do not depend on threads, and hardly any is kept.
struct Total {
    sum: Sum,
    /// How many are in it.
    groups: usize,
    /// Those whose turn has not come.
    early: BTreeMap<usize, Sum>,
}

impl Total {
    fn new(meshes: &[Mesh]) -> Self {
        Self { sum: Sum::new(meshes), groups: 0, early: BTreeMap::new() }
    }

    fn take(&mut self, group: usize, sum: Sum) {
        self.early.insert(group, sum);
        while let Some(sum) = self.early.remove(&self.groups) {
            self.sum.add(&sum);
            self.groups += 1;
        }
    }
}

/// Fills light, key and openness of every mesh.
pub(crate) fn bake(meshes: &mut [Mesh], garment: &Garment, care: Care) {
    let total = Mutex::new(Total::new(meshes));
    let next = std::sync::atomic::AtomicUsize::new(0);
    let shared = &*meshes;
    let lamps = &studio(care);
    let solids = &shared.iter().map(|mesh| Solid::new(mesh, garment)).collect::<Vec<_>>();
    #[expect(clippy::disallowed_methods, reason = "baking, on as many threads as `threads` says")]
    std::thread::scope(|scope| {
        for _ in 0..crate::rig::raster::render::threads() {
            scope.spawn(|| {
                loop {
                    let group = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if group >= GROUPS {
                        return;
                    }
                    let mut sum = Sum::new(shared);
                    for lamp in lamps.iter().skip(group).step_by(GROUPS) {
                        gather(shared, solids, lamp, &mut sum);
                    }
                    total.lock().expect("no thread panics while it holds the sums").take(group, sum);
                }
            });
        }
    });
    let mut total = total.into_inner().expect("all threads have ended").sum;
    let keys = lamps.iter().filter(|lamp| lamp.is_key).count() as f32;
    let skies = lamps.iter().filter(|lamp| lamp.is_sky).count() as f32;
    for (at, mesh) in meshes.iter_mut().enumerate() {
        mesh.light = std::mem::take(&mut total.light[at]);
        mesh.key = total.key[at].iter().map(|k| k / keys).collect();
        mesh.open = total.open[at].iter().map(|o| (o / skies * 1.9).min(1.0)).collect();
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

/// Triangles that throw shadows, and points that are lit: of clothes only what is not cut away.
struct Solid {
    triangles: Vec<[u32; 3]>,
    lit: Vec<u32>,
    /// Hair covers what lies behind these.
    splats: Vec<V3>,
}

impl Solid {
    fn new(mesh: &Mesh, garment: &Garment) -> Self {
        let all = 0..mesh.points.len() as u32;
        let Stuff::Cloth(layer) = mesh.stuff else {
            if !mesh.stuff.is_strand() {
                // Skin under cloth is not drawn; where an elbow folds it would stand out of the sleeve and shade it.
                let under = |v: u32| garment.covers(mesh.sewn[v as usize], mesh.arm(v as usize));
                // Arms move: their shadows are thrown when it is known where they are.
                let bare = |t: &&[u32; 3]| {
                    mesh.stuff != Stuff::Skin || !t.iter().all(|&v| under(v) || mesh.arm(v as usize) > PARTED)
                };
                let triangles = mesh.triangles.iter().filter(bare).copied().collect();
                return Self { triangles, lit: all.collect(), splats: Vec::new() };
            }
            // Along a strand light changes slowly: one side of every other point of the guides is enough.
            let guides = |v: &u32| mesh.strands()[*v as usize].guide == 0;
            let lit = all.step_by(4).filter(guides).collect();
            let splats = if mesh.stuff == Stuff::Hair { splats(mesh) } else { Vec::new() };
            return Self { triangles: Vec::new(), lit, splats };
        };
        let gone: Vec<bool> =
            mesh.sewn.iter().zip(mesh.cloth()).map(|(&p, traits)| garment.gone(layer, p, traits.arm)).collect();
        let held = |t: &[u32; 3]| t.iter().filter(|&&v| !gone[v as usize]).count();
        let mut lit: Vec<u32> = mesh.triangles.iter().filter(|t| held(t) > 0).flatten().copied().collect();
        lit.sort_unstable();
        lit.dedup();
        let still = |t: &[u32; 3]| t.iter().any(|&v| mesh.arm(v as usize) <= PARTED);
        let triangles = mesh.triangles.iter().filter(|t| held(t) > 1 && still(t)).copied().collect();
        Self { triangles, lit, splats: Vec::new() }
    }
}

/// Guides stand for the hair around them.
fn splats(mesh: &Mesh) -> Vec<V3> {
    let mut out = Vec::new();
    let traits = mesh.strands();
    for v in (0..mesh.points.len() - 2).step_by(2).filter(|&v| traits[v].guide == 0) {
        let follows = traits[v + 2].along > traits[v].along;
        out.push(mesh.points[v]);
        if follows {
            out.push(mul(add(mesh.points[v], mesh.points[v + 2]), 0.5));
        }
    }
    out
}

fn gather(meshes: &[Mesh], solids: &[Solid], lamp: &Lamp, sum: &mut Sum) {
    let d = lamp.d;
    let up = if d[1].abs() > 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = norm(cross(up, d));
    let y = cross(d, x);
    let side = if lamp.is_key { KEY_MAP } else { MAP };
    let scale = side as f32 / 8.2;
    let project = |p: V3| {
        let q = [p[0], p[1] - 4.9, p[2] - 0.4];
        [dot(q, x) * scale + side as f32 * 0.5, dot(q, y) * scale + side as f32 * 0.5, dot(q, d)]
    };
    let mut depth = vec![-1e9_f32; side * side];
    for (mesh, solid) in meshes.iter().zip(solids) {
        if mesh.stuff == Stuff::Lash {
            continue;
        }
        if mesh.stuff == Stuff::Hair {
            splat(&solid.splats, project, &mut depth, side);
            continue;
        }
        let projected: Vec<V3> = mesh.points.iter().map(|&p| project(p)).collect();
        for t in &solid.triangles {
            let [a, b, c] = t.map(|v| projected[v as usize]);
            crate::rig::raster::render::scan([a, b, c], [0, 0, side as i32, side as i32], |px, py, w| {
                let z = w[0] * a[2] + w[1] * b[2] + w[2] * c[2];
                let cell = &mut depth[py * side + px];
                *cell = cell.max(z);
            });
        }
    }
    let (radiance, key, sky) = (lamp.light, lamp.is_key, lamp.is_sky);
    for (at, (mesh, solid)) in meshes.iter().zip(solids).enumerate() {
        let strand = mesh.stuff.is_strand();
        let bias = if mesh.stuff == Stuff::Eye || lamp.is_key { 0.02 } else { 0.035 };
        let off = if lamp.is_key { 0.018 } else { 0.03 };
        for v in solid.lit.iter().map(|&v| v as usize) {
            let facing = if strand { strand_faces(mesh, v, d) } else { dot(mesh.normals[v], d) };
            if facing <= 0.0 {
                continue;
            }
            let p = if strand { mesh.points[v] } else { add(mesh.points[v], mul(mesh.normals[v], off)) };
            let seen = visible(&depth, side, project(p), strand, bias);
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

/// How much of a lamp a strand takes: alike from everywhere, but where it lies on a lock more from where that faces.
fn strand_faces(mesh: &Mesh, v: usize, d: V3) -> f32 {
    let faces = mesh.strands()[v].faces;
    if faces == [0.0; 3] {
        return 0.55;
    }
    0.20 + 0.72 * dot(norm(faces), d).max(0.0)
}

/// Each covers a cell and its neighbours.
fn splat(splats: &[V3], project: impl Fn(V3) -> V3, depth: &mut [f32], side: usize) {
    for &p in splats {
        let q = project(p);
        let (x, y) = (crate::rig::ground::v3::floor(q[0] - 0.5), crate::rig::ground::v3::floor(q[1] - 0.5));
        if x < 0 || y < 0 || x + 1 >= side as i32 || y + 1 >= side as i32 {
            continue;
        }
        let at = y as usize * side + x as usize;
        // As large as the guides' distance, however fine the map.
        let wide = side.div_ceil(MAP);
        let square = (0..=wide).flat_map(|dy| (0..=wide).map(move |dx| at + dy * side + dx));
        for cell in square.filter(|&cell| cell < side * side) {
            depth[cell] = depth[cell].max(q[2]);
        }
    }
}

/// How much of a point the light sees: bilinear over the four nearest cells; strands let light through.
fn visible(depth: &[f32], side: usize, q: V3, strand: bool, bias: f32) -> f32 {
    let (fx, fy) = (q[0] - 0.5, q[1] - 0.5);
    let (x0, y0) = (crate::rig::ground::v3::floor(fx) as f32, crate::rig::ground::v3::floor(fy) as f32);
    let mut seen = 0.0;
    for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let (x, y) = (x0 + dx, y0 + dy);
        let w = (1.0 - (fx - x).abs()) * (1.0 - (fy - y).abs());
        if x < 0.0 || y < 0.0 || x >= side as f32 || y >= side as f32 {
            seen += w;
            continue;
        }
        let behind = depth[y as usize * side + x as usize] - q[2];
        seen += w * if strand {
            if behind <= 0.02 {
                1.0
            } else if behind > 1.0 {
                0.0
            } else {
                exp(-(behind - 0.02) * 5.0)
            }
        } else if behind < bias {
            1.0
        } else {
            0.0
        };
    }
    seen
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
    for (channel, times) in [(0, 11), (1, 4), (2, 2)] {
        let mut values: Vec<[f32; 1]> = mesh.light.iter().map(|l| [l[channel]]).collect();
        relax(&mut values, &mesh.triangles, times, 0.55);
        for (light, value) in mesh.light.iter_mut().zip(values) {
            light[channel] = value[0];
        }
    }
    if mesh.stuff == Stuff::Skin {
        soften_bridge(mesh);
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
