//! Fewer triangles where skin moves evenly.
//!
//! Subdivision makes eight triangles of every quad. Where a quad moves as its corners say, two do, and most of a face
//! is like that; around lips and lids the eight stay, and on scalps, which are painted once. Between a coarse quad and a fine one lies a sliver, which is
//! a triangle of its own.

use super::Skin;
use crate::rig::raster::flat::Place;

/// How far a vertex may be from where its corners would put it, at full weight: x and y in 1/16 pixel, and light.
const SLACK: [f32; 2] = [10.0, 40.0];

/// A quad by its vertices: corners, middles of the edges that follow them, middle of the face.
struct Block {
    corners: [u32; 4],
    edges: [u32; 4],
    middle: u32,
}

impl Block {
    /// Out of the eight triangles that subdivision makes, if that is what they are.
    fn new(t: &[[u32; 3]]) -> Option<Self> {
        let t: [[u32; 3]; 8] = t.try_into().ok()?;
        let block = Self {
            corners: [0, 1, 2, 3].map(|k| t[2 * k][0]),
            edges: [0, 1, 2, 3].map(|k| t[2 * k][1]),
            middle: t[0][2],
        };
        let (c, e, m) = (block.corners, block.edges, block.middle);
        let whole = (0..4).all(|k| t[2 * k] == [c[k], e[k], m] && t[2 * k + 1] == [c[k], m, e[(k + 3) % 4]]);
        whole.then_some(block)
    }

    /// Whether the vertices between the corners are pushed as the corners are.
    fn is_even(&self, push: impl Fn(u32) -> Place) -> bool {
        let near = |of: u32, mean: Place| {
            let apart: Place = std::array::from_fn(|k| (push(of)[k] - mean[k]).abs());
            apart[0] <= SLACK[0] && apart[1] <= SLACK[0] && apart[3] <= SLACK[1]
        };
        let c = self.corners.map(&push);
        let mean = |a: Place, b: Place| -> Place { std::array::from_fn(|k| (a[k] + b[k]) * 0.5) };
        (0..4).all(|k| near(self.edges[k], mean(c[k], c[(k + 1) % 4])))
            && near(self.middle, mean(mean(c[0], c[1]), mean(c[2], c[3])))
    }
}

/// The same skin with two triangles for every quad that can do with them.
pub(crate) fn coarser(skin: &Skin) -> Skin {
    let n = skin.flat.base.len();
    let blocks: Vec<Option<Block>> = skin.flat.triangles.chunks(8).map(Block::new).collect();
    let mut even: Vec<bool> = blocks.iter().map(Option::is_some).collect();
    let moves = skin.flat.moving();
    for (at, even) in even.iter_mut().enumerate().filter(|(_, even)| **even) {
        let span = at * 8..at * 8 + 8;
        // What never moves is painted once, and its outline stays round.
        *even = skin.flat.triangles[span.clone()].iter().flatten().any(|&v| moves[v as usize]);
        *even &= skin.pages[span.clone()].iter().all(|page| *page == skin.pages[span.start]);
        *even &= skin.solid[span.clone()].iter().all(|solid| *solid == skin.solid[span.start]);
    }
    for pushes in &skin.flat.pushes {
        let mut full = vec![[0.0; 4]; n];
        pushes.by.iter().for_each(|&(v, by)| full[v as usize] = by);
        for (block, even) in blocks.iter().zip(&mut even) {
            *even = *even && block.as_ref().is_some_and(|block| block.is_even(|v| full[v as usize]));
        }
    }
    let mut coarse_sides = vec![0_u8; n];
    for (block, _) in blocks.iter().zip(&even).filter(|(_, even)| **even) {
        block.iter().flat_map(|block| block.edges).for_each(|edge| coarse_sides[edge as usize] += 1);
    }
    let mut out = Skin { flat: skin.flat.clone(), pages: Vec::new(), solid: Vec::new(), ..skin.clone() };
    out.flat.triangles.clear();
    let mut add = |t: [u32; 3], like: usize| {
        out.flat.triangles.push(t);
        out.pages.push(skin.pages[like]);
        out.solid.push(skin.solid[like]);
    };
    for (at, (block, even)) in blocks.iter().zip(&even).enumerate() {
        let first = at * 8;
        let Some(Block { corners: c, edges, .. }) = block.as_ref().filter(|_| *even) else {
            let fine = skin.flat.triangles.iter().enumerate().skip(first).take(8);
            fine.for_each(|(like, t)| add(*t, like));
            continue;
        };
        add([c[0], c[1], c[2]], first);
        add([c[0], c[2], c[3]], first);
        for k in (0..4).filter(|&k| coarse_sides[edges[k] as usize] == 1) {
            add([c[(k + 1) % 4], c[k], edges[k]], first);
        }
    }
    out
}
