//! Subdivision, normals and smoothing.

use std::collections::HashMap;

use super::v3::{V3, add, cross, mul, norm, sub};

/// For each new vertex, the old ones it is the mean of.
#[derive(Clone, Debug)]
pub(crate) struct Blend(pub(crate) Vec<Vec<(u32, f32)>>);

impl Blend {
    fn identity(n: usize) -> Self {
        Self((0..n as u32).map(|v| vec![(v, 1.0)]).collect())
    }

    pub(crate) fn vectors(&self, from: &[V3]) -> Vec<V3> {
        self.0.iter().map(|row| row.iter().fold([0.0; 3], |sum, &(v, w)| add(sum, mul(from[v as usize], w)))).collect()
    }

    pub(crate) fn scalars(&self, from: &[f32]) -> Vec<f32> {
        self.0.iter().map(|row| row.iter().map(|&(v, w)| from[v as usize] * w).sum()).collect()
    }

    pub(crate) fn arrays<const N: usize>(&self, from: &[[f32; N]]) -> Vec<[f32; N]> {
        let blend = |row: &Vec<(u32, f32)>| {
            let mut out = [0.0; N];
            for &(v, w) in row {
                for (out, from) in out.iter_mut().zip(from[v as usize]) {
                    *out += from * w;
                }
            }
            out
        };
        self.0.iter().map(blend).collect()
    }

    /// `self` after `before`.
    fn after(&self, before: &Self) -> Self {
        let compose = |row: &Vec<(u32, f32)>| {
            let mut sum: Vec<(u32, f32)> = Vec::new();
            for &(middle, w) in row {
                sum.extend(before.0[middle as usize].iter().map(|&(v, x)| (v, x * w)));
            }
            sum.sort_by_key(|e| e.0);
            let mut out: Vec<(u32, f32)> = Vec::with_capacity(sum.len());
            for (v, w) in sum {
                match out.last_mut() {
                    Some(last) if last.0 == v => last.1 += w,
                    _ => out.push((v, w)),
                }
            }
            out
        };
        Self(self.0.iter().map(compose).collect())
    }
}

/// A subdivided surface: how its vertices come from the old ones, and its triangles.
pub(crate) struct Surface {
    pub(crate) blend: Blend,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// `levels` steps of Catmull-Clark over quads that index `n` vertices. Unused vertices are dropped.
pub(crate) fn subdivide(n: usize, quads: &[[u32; 4]], levels: u32) -> Surface {
    let mut blend = Blend::identity(n);
    let mut quads = quads.to_vec();
    for _ in 0..levels {
        let (step, finer) = catmull_clark(blend.0.len(), &quads);
        blend = step.after(&blend);
        quads = finer;
    }
    let mut place = vec![u32::MAX; blend.0.len()];
    let mut kept = Vec::new();
    for corner in quads.iter_mut().flatten() {
        let slot = &mut place[*corner as usize];
        if *slot == u32::MAX {
            *slot = kept.len() as u32;
            kept.push(std::mem::take(&mut blend.0[*corner as usize]));
        }
        *corner = *slot;
    }
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    Surface { blend: Blend(kept), triangles }
}

fn catmull_clark(n: usize, quads: &[[u32; 4]]) -> (Blend, Vec<[u32; 4]>) {
    let mut edge_at: HashMap<(u32, u32), usize> = HashMap::new();
    let mut edges: Vec<((u32, u32), Vec<u32>)> = Vec::new();
    let mut around: Vec<(Vec<u32>, Vec<u32>)> = vec![Default::default(); n];
    let mut edges_of: Vec<[usize; 4]> = Vec::with_capacity(quads.len());
    for (face, quad) in quads.iter().enumerate() {
        let mut mine = [0; 4];
        for k in 0..4 {
            let (a, b) = (quad[k], quad[(k + 1) % 4]);
            let key = (a.min(b), a.max(b));
            let at = *edge_at.entry(key).or_insert_with(|| {
                edges.push((key, Vec::new()));
                around[key.0 as usize].1.push(edges.len() as u32 - 1);
                around[key.1 as usize].1.push(edges.len() as u32 - 1);
                edges.len() - 1
            });
            edges[at].1.push(face as u32);
            mine[k] = at;
            around[a as usize].0.push(face as u32);
        }
        edges_of.push(mine);
    }
    let mut rows: Vec<Vec<(u32, f32)>> = Vec::with_capacity(n + edges.len() + quads.len());
    for (vertex, around) in around.iter().enumerate().take(n) {
        rows.push(vertex_row(vertex as u32, around, &edges, quads));
    }
    for (ends, faces) in &edges {
        let mut row = if faces.len() == 2 { Vec::new() } else { vec![(ends.0, 0.5), (ends.1, 0.5)] };
        if faces.len() == 2 {
            row.extend([(ends.0, 0.25), (ends.1, 0.25)]);
            for &face in faces {
                row.extend(quads[face as usize].map(|c| (c, 0.0625)));
            }
        }
        rows.push(row);
    }
    rows.extend(quads.iter().map(|q| q.map(|c| (c, 0.25)).to_vec()));
    let (edge0, face0) = (n as u32, (n + edges.len()) as u32);
    let mut finer = Vec::with_capacity(quads.len() * 4);
    for (face, quad) in quads.iter().enumerate() {
        for k in 0..4 {
            let (next, last) = (edges_of[face][k] as u32, edges_of[face][(k + 3) % 4] as u32);
            finer.push([quad[k], edge0 + next, face0 + face as u32, edge0 + last]);
        }
    }
    (Blend(rows), finer)
}

fn vertex_row(
    vertex: u32,
    around: &(Vec<u32>, Vec<u32>),
    edges: &[((u32, u32), Vec<u32>)],
    quads: &[[u32; 4]],
) -> Vec<(u32, f32)> {
    let (faces, touching) = around;
    if faces.is_empty() {
        return vec![(vertex, 1.0)];
    }
    let border: Vec<_> = touching.iter().filter(|&&e| edges[e as usize].1.len() != 2).collect();
    if !border.is_empty() {
        let mut row = vec![(vertex, 0.5)];
        let share = 0.5 / border.len() as f32;
        for &&edge in &border {
            let (a, b) = edges[edge as usize].0;
            row.extend([(a, share * 0.5), (b, share * 0.5)]);
        }
        return row;
    }
    let n = faces.len() as f32;
    let mut row = vec![(vertex, (n - 3.0) / n)];
    for &face in faces {
        row.extend(quads[face as usize].map(|c| (c, 0.25 / (n * n))));
    }
    let share = 2.0 / n / touching.len() as f32;
    for &edge in touching {
        let (a, b) = edges[edge as usize].0;
        row.extend([(a, share * 0.5), (b, share * 0.5)]);
    }
    row
}

pub(crate) fn normals(positions: &[V3], triangles: &[[u32; 3]]) -> Vec<V3> {
    let mut out = vec![[0.0; 3]; positions.len()];
    for t in triangles {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        let n = cross(sub(b, a), sub(c, a));
        for &v in t {
            out[v as usize] = add(out[v as usize], n);
        }
    }
    for n in &mut out {
        *n = norm(*n);
    }
    out
}

/// Moves every value towards the mean of its neighbours, `times` times by `share`.
pub(crate) fn relax<const N: usize>(values: &mut [[f32; N]], triangles: &[[u32; 3]], times: u32, share: f32) {
    let mut count = vec![0.0_f32; values.len()];
    for t in triangles {
        for k in 0..3 {
            count[t[k] as usize] += 1.0;
            count[t[(k + 1) % 3] as usize] += 1.0;
        }
    }
    let mut sum = vec![[0.0_f32; N]; values.len()];
    for _ in 0..times {
        sum.fill([0.0; N]);
        for t in triangles {
            for k in 0..3 {
                let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
                for i in 0..N {
                    sum[a][i] += values[b][i];
                    sum[b][i] += values[a][i];
                }
            }
        }
        for ((value, sum), &count) in values.iter_mut().zip(&sum).zip(&count) {
            if count > 0.0 {
                for i in 0..N {
                    value[i] = value[i] * (1.0 - share) + sum[i] / count * share;
                }
            }
        }
    }
}
