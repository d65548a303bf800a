//! The face that deforms: a textured mesh, two eyeballs, teeth, tongue and lashes, without any light of its own.
//!
//! Skin takes its colour from pictures of itself, shaded once: one in the neutral pose, exact where it shows, and one
//! with lids closed and lips parted for what the neutral pose hides. What neither shows has a colour per vertex.
//! Creases are lit by how much a deformed normal turns from its baked one.

use compere_media::{Pixmap, Rect};

use super::render::{Camera, encode, scan};
use super::shade::{catchlight, eye_light, teeth, tongue, tone};
use super::v3::{V3, add, dot, mul, norm, sub, turn};
use crate::act::{Ch, Face};
use crate::maths::smooth;
use crate::puppet::{Features, lay};

/// Where a skin triangle takes its colour from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    Neutral = 0,
    Unfolded = 1,
    Vertices = 2,
}

/// Moves of one channel in one direction.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) channel: usize,
    pub(super) sign: f32,
    pub(super) deltas: Vec<(u32, V3)>,
}

/// A deforming mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Soft {
    pub(super) points: Vec<V3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) moves: Vec<Moves>,
}

impl Soft {
    fn posed(&self, face: &Face) -> Vec<V3> {
        let weights: Vec<f32> = face.weights().collect();
        let mut points = self.points.clone();
        for moves in &self.moves {
            let w = (weights[moves.channel] * moves.sign).max(0.0);
            if w > 0.0 {
                for &(v, d) in &moves.deltas {
                    points[v as usize] = add(points[v as usize], mul(d, w));
                }
            }
        }
        points
    }
}

pub(super) struct Skin {
    pub(super) soft: Soft,
    pub(super) pages: Vec<Page>,
    /// Plate positions in the two pages.
    pub(super) at: [Vec<[f32; 2]>; 2],
    pub(super) colors: Vec<[u8; 3]>,
    pub(super) alpha: Vec<f32>,
}

pub(super) struct Eyeball {
    pub(super) points: Vec<V3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) centre: V3,
    pub(super) radius: f32,
    /// Linear colour by direction, `IRIS` squared, x to the right and y down.
    pub(super) iris: Vec<V3>,
}

pub(super) const IRIS: usize = 192;

pub(super) struct Inner {
    pub(super) soft: Soft,
    pub(super) rest: Vec<V3>,
    /// Lowest, highest, row; row 0 is the tongue.
    pub(super) row: V3,
}

pub(super) struct Lashes {
    pub(super) soft: Soft,
    pub(super) color: [u8; 3],
}

pub(super) struct FaceRig {
    pub(super) camera: Camera,
    pub(super) rects: [Rect; 2],
    pub(super) skin: Skin,
    /// Pages of colour, cut to `page_rect` of the plate.
    pub(super) pages: [Pixmap; 2],
    pub(super) page_rect: Rect,
    pub(super) eyes: Vec<Eyeball>,
    pub(super) inner: Vec<Inner>,
    pub(super) lashes: Lashes,
    /// Hair in front of the face.
    pub(super) over: Pixmap,
    /// Which skin triangles can reach a feature.
    pub(super) near: [Vec<u32>; 2],
}

/// Samples of one repaint.
struct Canvas {
    rect: Rect,
    width: usize,
    depth: Vec<f32>,
    /// Part in the upper byte, triangle below; `u32::MAX` is nothing.
    hit: Vec<u32>,
    weights: Vec<[f32; 2]>,
}

impl Canvas {
    fn new(rect: Rect) -> Self {
        let (width, n) = (rect.width() as usize, rect.area() as usize);
        Self { rect, width, depth: vec![f32::MAX; n], hit: vec![u32::MAX; n], weights: vec![[0.0; 2]; n] }
    }

    fn draw(&mut self, part: u32, at: u32, corners: [V3; 3], nearer: f32) {
        let (dx, dy) = (self.rect.x0 as f32, self.rect.y0 as f32);
        let [a, b, c] = corners.map(|p| [p[0] - dx, p[1] - dy, p[2]]);
        let limit = [0, 0, self.rect.width() as i32, self.rect.height() as i32];
        let (width, depth, hit, weights) = (self.width, &mut self.depth, &mut self.hit, &mut self.weights);
        scan([a, b, c], limit, |x, y, w| {
            let z = w[0] * a[2] + w[1] * b[2] + w[2] * c[2] - nearer;
            let cell = y * width + x;
            if z < depth[cell] {
                depth[cell] = z;
                hit[cell] = part << 24 | at;
                weights[cell] = [w[0], w[1]];
            }
        });
    }
}

/// Light to display bytes.
struct Film(Vec<u8>);

impl Film {
    const STEPS: f32 = 1024.0;

    fn new() -> Self {
        let byte = |i: usize| {
            let x = i as f32 / Self::STEPS;
            (encode(tone([x * x * 4.0; 3])[0]) * 255.0).round() as u8
        };
        Self((0..=Self::STEPS as usize).map(byte).collect())
    }

    fn byte(&self, light: f32) -> u8 {
        self.0[((light.max(0.0) * 0.25).sqrt().min(1.0) * Self::STEPS) as usize]
    }

    fn bytes(&self, c: V3) -> [u8; 4] {
        [self.byte(c[0]), self.byte(c[1]), self.byte(c[2]), 255]
    }
}

/// One feature's meshes, posed and projected.
struct Posed {
    skin: Vec<V3>,
    /// Factor on the baked colour, per vertex, in 1/256.
    relief: Vec<i32>,
    eyes: Vec<Vec<V3>>,
    inner: Vec<(Vec<V3>, Vec<V3>)>,
    lashes: Vec<V3>,
}

impl FaceRig {
    /// Everything of the head inside `rect`, hair laid over it.
    pub(super) fn picture(&self, rect: Rect, near: &[u32], face: &Face) -> Pixmap {
        let posed = self.pose(near, face);
        let mut canvas = Canvas::new(rect);
        for &at in near {
            let corners = self.skin.soft.triangles[at as usize].map(|v| posed.skin[v as usize]);
            canvas.draw(0, at, corners, 0.0);
        }
        for (which, eye) in self.eyes.iter().enumerate() {
            for (at, t) in eye.triangles.iter().enumerate() {
                canvas.draw(1 + which as u32, at as u32, t.map(|v| posed.eyes[which][v as usize]), 0.0);
            }
        }
        for (which, inner) in self.inner.iter().enumerate() {
            for (at, t) in inner.soft.triangles.iter().enumerate() {
                canvas.draw(3 + which as u32, at as u32, t.map(|v| posed.inner[which].0[v as usize]), 0.0);
            }
        }
        for (at, t) in self.lashes.soft.triangles.iter().enumerate() {
            canvas.draw(9, at as u32, t.map(|v| posed.lashes[v as usize]), 0.012);
        }
        self.develop(&canvas, &posed, face)
    }

    fn pose(&self, near: &[u32], face: &Face) -> Posed {
        let points = self.skin.soft.posed(face);
        let relief = self.relief(near, &points);
        let project = |points: &[V3]| points.iter().map(|&p| self.camera.project(p)).collect::<Vec<_>>();
        let inner = self.inner.iter().map(|inner| {
            let points = inner.soft.posed(face);
            let normals = super::mesh::normals(&points, &inner.soft.triangles);
            (project(&points), normals)
        });
        Posed {
            relief,
            skin: project(&points),
            eyes: self.eyes.iter().map(|eye| project(&eye.points)).collect(),
            inner: inner.collect(),
            lashes: project(&self.lashes.soft.posed(face)),
        }
    }

    fn relief(&self, near: &[u32], points: &[V3]) -> Vec<i32> {
        let sum = |points: &[V3]| {
            let mut out = vec![[0.0; 3]; points.len()];
            for &at in near {
                let t = self.skin.soft.triangles[at as usize];
                let [a, b, c] = t.map(|v| points[v as usize]);
                let n = super::v3::cross(sub(b, a), sub(c, a));
                for v in t {
                    out[v as usize] = add(out[v as usize], n);
                }
            }
            out
        };
        let (was, now) = (sum(&self.skin.soft.points), sum(points));
        let lights = [(norm(super::light::KEY), 0.60), (norm(super::light::FILL), 0.22), ([0.0, 1.0, 0.0], 0.10)];
        let lit = |n: V3| {
            let n = norm(n);
            0.42 + lights.iter().map(|(l, w)| w * (dot(n, *l) * 0.8 + 0.2).max(0.0)).sum::<f32>()
        };
        let factor = |(was, now): (&V3, &V3)| {
            if was == now {
                return 256;
            }
            // The page is encoded for display: take the root, roughly.
            let ratio = (lit(*now) / lit(*was)).clamp(0.45, 1.5);
            ((1.0 + (ratio - 1.0) * 0.55) * 256.0) as i32
        };
        was.iter().zip(&now).map(factor).collect()
    }

    fn develop(&self, canvas: &Canvas, posed: &Posed, face: &Face) -> Pixmap {
        let film = FILM.get_or_init(Film::new);
        let jaw = (face.get(Ch::Jaw) * 1.6 + face.get(Ch::LowerDown) * 0.3).min(1.0);
        let gaze = [face.get(Ch::LookX) * 0.55, -face.get(Ch::LookY) * 0.45];
        let mut out = Pixmap::new(canvas.rect.width(), canvas.rect.height());
        let over_at = canvas.rect;
        for (at, pixel) in out.data_mut().iter_mut().enumerate() {
            let hit = canvas.hit[at];
            if hit != u32::MAX {
                let (part, triangle) = (hit >> 24, (hit & 0x00ff_ffff) as usize);
                let [u, v] = canvas.weights[at];
                let w = [u, v, 1.0 - u - v];
                *pixel = match part {
                    0 => self.skin_pixel(triangle, w, &posed.relief),
                    1 | 2 => self.eye_pixel(&self.eyes[part as usize - 1], triangle, w, gaze, film),
                    9 => opaque(self.lashes.color),
                    _ => self.inner_pixel(part as usize - 3, triangle, w, posed, jaw, film),
                };
            }
            let (x, y) = (over_at.x0 + (at % canvas.width) as i32, over_at.y0 + (at / canvas.width) as i32);
            if x >= 0 && y >= 0 && x < self.over.width() as i32 && y < self.over.height() as i32 {
                *pixel = lay(*pixel, self.over.pixel(x as u32, y as u32));
            }
        }
        out
    }

    fn skin_pixel(&self, triangle: usize, w: V3, relief: &[i32]) -> [u8; 4] {
        let t = self.skin.soft.triangles[triangle].map(|v| v as usize);
        let mean = |of: &[f32]| of[t[0]] * w[0] + of[t[1]] * w[1] + of[t[2]] * w[2];
        let page = self.skin.pages[triangle];
        let color = if page == Page::Vertices {
            let c = |k: usize| (0..3).map(|i| f32::from(self.skin.colors[t[i]][k]) * w[i]).sum::<f32>() as u8;
            [c(0), c(1), c(2), 255]
        } else {
            let at = &self.skin.at[page as usize];
            let x = at[t[0]][0] * w[0] + at[t[1]][0] * w[1] + at[t[2]][0] * w[2];
            let y = at[t[0]][1] * w[0] + at[t[1]][1] * w[1] + at[t[2]][1] * w[2];
            let (x, y) = (x - self.page_rect.x0 as f32 - 0.5, y - self.page_rect.y0 as f32 - 0.5);
            crate::puppet::bilinear(&self.pages[page as usize], (x * 256.0) as i32, (y * 256.0) as i32)
        };
        let lit = (0..3).map(|i| relief[t[i]] as f32 * w[i]).sum::<f32>() as i32;
        let alpha = (mean(&self.skin.alpha) * 256.0) as i32;
        let scaled = |c: u8| (((i32::from(c) * lit) >> 8).min(255) * alpha >> 8) as u8;
        [scaled(color[0]), scaled(color[1]), scaled(color[2]), (255 * alpha >> 8) as u8]
    }

    fn eye_pixel(&self, eye: &Eyeball, triangle: usize, w: V3, gaze: [f32; 2], film: &Film) -> [u8; 4] {
        let t = eye.triangles[triangle].map(|v| eye.points[v as usize]);
        let p = add(add(mul(t[0], w[0]), mul(t[1], w[1])), mul(t[2], w[2]));
        let n = norm(sub(p, eye.centre));
        let d = turn(n, -gaze[0], -gaze[1], 0.0);
        let coordinate = |v: f32| ((v * 0.5 + 0.5) * (IRIS - 1) as f32).clamp(0.0, (IRIS - 1) as f32 - 0.001);
        let (x, y) = (coordinate(d[0]), coordinate(-d[1]));
        let (ix, iy) = (x as usize, y as usize);
        let (fx, fy) = (x - ix as f32, y - iy as f32);
        let at = |dx: usize, dy: usize| eye.iris[(iy + dy) * IRIS + ix + dx];
        let top = super::v3::mix(at(0, 0), at(1, 0), fx);
        let color = super::v3::mix(top, super::v3::mix(at(0, 1), at(1, 1), fx), fy);
        let view = norm(sub(Camera::eye(), p));
        let lit = super::v3::mulv(color, eye_light((p[1] - eye.centre[1]) / eye.radius));
        film.bytes(add(lit, mul([1.0, 0.98, 0.96], catchlight(n, view))))
    }

    fn inner_pixel(&self, which: usize, triangle: usize, w: V3, posed: &Posed, jaw: f32, film: &Film) -> [u8; 4] {
        let inner = &self.inner[which];
        let t = inner.soft.triangles[triangle].map(|v| v as usize);
        let mean = |of: &[V3]| add(add(mul(of[t[0]], w[0]), mul(of[t[1]], w[1])), mul(of[t[2]], w[2]));
        let (n, r) = (norm(mean(&posed.inner[which].1)), mean(&inner.rest));
        film.bytes(if inner.row[2] == 0.0 { tongue(n, r, jaw) } else { teeth(n, r, inner.row, jaw) })
    }
}

static FILM: std::sync::OnceLock<Film> = std::sync::OnceLock::new();

fn opaque(c: [u8; 3]) -> [u8; 4] {
    [c[0], c[1], c[2], 255]
}

impl Features for FaceRig {
    fn rects(&self) -> Vec<Rect> {
        self.rects.to_vec()
    }

    fn differs(&self, which: usize, a: &Face, b: &Face) -> bool {
        if which == 0 { a.mouth() != b.mouth() } else { a.eyes() != b.eyes() }
    }

    fn paint(&self, which: usize, face: &Face, plate: &mut Pixmap) {
        let rect = self.rects[which].intersect(plate.bounds());
        let picture = self.picture(rect, &self.near[which], face);
        for y in 0..rect.height() {
            let from = rect.x0 as usize;
            let to = &mut plate.row_mut(rect.y0 as u32 + y)[from..from + rect.width() as usize];
            to.copy_from_slice(picture.row(y));
        }
    }
}

/// Drops what is too small to see and lets the rest begin gently.
pub(super) fn softened(deltas: &[(u32, V3)]) -> Vec<(u32, V3)> {
    let soft = |&(v, d): &(u32, V3)| (v, mul(d, smooth(0.002, 0.008, super::v3::length(d))));
    deltas.iter().map(soft).filter(|(_, d)| d.iter().any(|c| *c != 0.0)).collect()
}
