//! The face that deforms: a textured mesh, two eyeballs, teeth, tongue and lashes, without any light of its own.
//!
//! Skin takes its colour from pictures of itself, shaded once: one in the neutral pose, exact where it shows, and one
//! with lids closed and lips parted for what the neutral pose hides. What neither shows has a colour per vertex.
//! Creases are lit by how much a deformed normal turns from its baked one.

use compere_media::{Pixmap, Rect};

use super::edges::soften;
use super::inner::{catchlight, eye_light, teeth, tongue};
use super::render::{Camera, encode, scan};
use super::shade::tone;
use super::v3::{V3, add, dot, mul, norm, sub, turn};
use crate::act::{Ch, Face};
use crate::keep::{Keep, keep};
use crate::maths::smooth;
use crate::puppet::Features;

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
    /// Triangles without any transparency.
    pub(super) solid: Vec<bool>,
    /// Vertices in the pose in which the light was worked out.
    pub(super) lit: Vec<V3>,
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
    /// Pages of colour, cut to the head; `at` counts from their corners.
    pub(super) pages: [Pixmap; 2],
    pub(super) eyes: Vec<Eyeball>,
    pub(super) inner: Vec<Inner>,
    pub(super) lashes: Lashes,
    /// Hair in front of the face.
    pub(super) over: Pixmap,
    /// How far to the left and right of a feature's rows there is such hair.
    pub(super) near: [Near; 2],
}

/// What can be seen in a feature's rectangle: skin that never moves, painted once, and what is painted every time.
#[derive(Clone, Default)]
pub(super) struct Near {
    /// Skin triangles that some channel moves.
    pub(super) moving: Vec<u32>,
    /// Vertices of those.
    pub(super) vertices: Vec<u32>,
    /// The still skin: depth and colour per pixel.
    still: Vec<(f32, [u8; 4])>,
    eyes: bool,
    inner: bool,
    lashes: bool,
    /// For each row, the pixels with hair in front.
    pub(super) hair: Vec<(u32, u32)>,
    /// Whether a channel moves any of the vertices: a smile lifts the cheek below an eye.
    channels: Vec<bool>,
}

keep!(Moves { channel, sign, deltas });
keep!(Soft { points, triangles, moves });
keep!(Skin { soft, pages, at, colors, alpha, solid, lit });
keep!(Eyeball { points, triangles, centre, radius, iris });
keep!(Inner { soft, rest, row });
keep!(Lashes { soft, color });
keep!(FaceRig { camera, rects, skin, pages, eyes, inner, lashes, over, near });
keep!(Near { moving, vertices, still, eyes, inner, lashes, hair, channels });

impl Keep for Page {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u8).put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let number = u8::take(bytes)?;
        [Self::Neutral, Self::Unfolded, Self::Vertices].into_iter().find(|page| *page as u8 == number)
    }
}

/// Samples of one repaint.
pub(super) struct Canvas {
    pub(super) rect: Rect,
    pub(super) width: usize,
    pub(super) depth: Vec<f32>,
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
pub(super) struct Posed {
    skin: Vec<V3>,
    /// Factor on the baked colour, per vertex, in 1/256.
    relief: Vec<i32>,
    eyes: Vec<Vec<V3>>,
    inner: Vec<(Vec<V3>, Vec<V3>)>,
    pub(super) lashes: Vec<V3>,
}

impl FaceRig {
    /// Prepares a feature: which of `candidates` move, and a picture of those that do not.
    pub(super) fn prepare(&self, rect: Rect, candidates: &[u32]) -> Near {
        let mut moves = vec![false; self.skin.soft.points.len()];
        for (v, _) in self.skin.soft.moves.iter().flat_map(|m| &m.deltas) {
            moves[*v as usize] = true;
        }
        let is_moving = |at: &u32| self.skin.soft.triangles[*at as usize].iter().any(|&v| moves[v as usize]);
        let (moving, still): (Vec<u32>, Vec<u32>) = candidates.iter().partition(|at| is_moving(at));
        let mut vertices: Vec<u32> = moving.iter().flat_map(|&at| self.skin.soft.triangles[at as usize]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let near = Near { vertices: self.all_vertices(&still), moving: still, ..Near::default() };
        let posed = self.pose(&near, &Face::default());
        let mut canvas = Canvas::new(rect);
        self.draw_skin(&mut canvas, &near, &posed);
        let pixel = |at: usize| match canvas.hit[at] {
            u32::MAX => (f32::MAX, [0; 4]),
            hit => (canvas.depth[at], self.skin_pixel(hit as usize, canvas.weights[at], &posed.relief)),
        };
        let still = (0..canvas.depth.len()).map(pixel).collect();
        let touches = |points: &[V3]| {
            points.iter().any(|&p| {
                let q = self.camera.project(p);
                rect.grown(4).contains(Rect::new(q[0] as i32, q[1] as i32, q[0] as i32 + 1, q[1] as i32 + 1))
            })
        };
        let mut channels = vec![false; Ch::COUNT];
        for moves in &self.skin.soft.moves {
            channels[moves.channel] |= moves.deltas.iter().any(|(v, _)| vertices.binary_search(v).is_ok());
        }
        Near {
            moving,
            vertices,
            channels,
            still,
            eyes: self.eyes.iter().any(|e| touches(&e.points)),
            inner: self.inner.iter().any(|i| touches(&i.soft.points)),
            lashes: touches(&self.lashes.soft.points),
            hair: (rect.y0..rect.y1).map(|y| self.hair_in_row(rect, y)).collect(),
        }
    }

    fn all_vertices(&self, triangles: &[u32]) -> Vec<u32> {
        let mut out: Vec<u32> = triangles.iter().flat_map(|&at| self.skin.soft.triangles[at as usize]).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Everything of the head inside `rect`, hair laid over it.
    pub(super) fn picture(&self, rect: Rect, near: &Near, face: &Face) -> Pixmap {
        let posed = self.pose(near, face);
        let mut canvas = Canvas::new(rect);
        for (depth, still) in canvas.depth.iter_mut().zip(&near.still) {
            *depth = still.0;
        }
        self.draw_skin(&mut canvas, near, &posed);
        for (which, eye) in self.eyes.iter().enumerate().filter(|_| near.eyes) {
            for (at, t) in eye.triangles.iter().enumerate() {
                canvas.draw(1 + which as u32, at as u32, t.map(|v| posed.eyes[which][v as usize]), 0.0);
            }
        }
        for (which, inner) in self.inner.iter().enumerate().filter(|_| near.inner) {
            for (at, t) in inner.soft.triangles.iter().enumerate() {
                canvas.draw(3 + which as u32, at as u32, t.map(|v| posed.inner[which].0[v as usize]), 0.0);
            }
        }
        let mut picture = self.develop(&canvas, near, &posed, face);
        soften(&mut picture, |at| match canvas.hit[at] {
            u32::MAX if near.still.get(at).is_none_or(|still| still.1[3] == 0) => u8::MAX,
            u32::MAX => 0,
            hit => (hit >> 24) as u8,
        });
        if near.lashes {
            self.draw_lashes(&canvas, &posed, &mut picture);
        }
        self.lay_hair(&canvas, near, &mut picture);
        picture
    }

    /// The faces of skin that look at the camera.
    fn draw_skin(&self, canvas: &mut Canvas, near: &Near, posed: &Posed) {
        for &at in &near.moving {
            let [a, b, c] = self.skin.soft.triangles[at as usize].map(|v| posed.skin[v as usize]);
            // The picture's y points down, so front faces run the other way round.
            if (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0.0 {
                canvas.draw(0, at, [a, b, c], 0.0);
            }
        }
    }

    fn pose(&self, near: &Near, face: &Face) -> Posed {
        let points = self.skin.soft.posed(face);
        let relief = self.relief(near, &points);
        let project = |points: &[V3]| points.iter().map(|&p| self.camera.project(p)).collect::<Vec<_>>();
        let mut skin = vec![[0.0; 3]; points.len()];
        for &v in &near.vertices {
            skin[v as usize] = self.camera.project(points[v as usize]);
        }
        let inner = self.inner.iter().filter(|_| near.inner).map(|inner| {
            let points = inner.soft.posed(face);
            let normals = super::mesh::normals(&points, &inner.soft.triangles);
            (project(&points), normals)
        });
        Posed {
            relief,
            skin,
            eyes: self.eyes.iter().filter(|_| near.eyes).map(|eye| project(&eye.points)).collect(),
            inner: inner.collect(),
            lashes: if near.lashes { project(&self.lashes.soft.posed(face)) } else { Vec::new() },
        }
    }

    /// Sums of the normals around each vertex.
    fn swell(&self, near: &Near, points: &[V3]) -> Vec<V3> {
        let mut out = vec![[0.0; 3]; points.len()];
        for &at in &near.moving {
            let t = self.skin.soft.triangles[at as usize];
            let [a, b, c] = t.map(|v| points[v as usize]);
            let n = super::v3::cross(sub(b, a), sub(c, a));
            for v in t {
                out[v as usize] = add(out[v as usize], n);
            }
        }
        out
    }

    fn relief(&self, near: &Near, points: &[V3]) -> Vec<i32> {
        let (was, now) = (self.swell(near, &self.skin.lit), self.swell(near, points));
        let lights = [(norm(super::light::KEY), 0.60), (norm(super::light::FILL), 0.22), ([0.0, 1.0, 0.0], 0.10)];
        let lit = |n: V3| {
            let n = norm(n);
            0.42 + lights.iter().map(|(l, w)| w * (dot(n, *l) * 0.8 + 0.2).max(0.0)).sum::<f32>()
        };
        let mut out = vec![256; points.len()];
        for &v in &near.vertices {
            let (was, now) = (was[v as usize], now[v as usize]);
            if was != now {
                // The page is encoded for display: take the root, roughly.
                let ratio = (lit(now) / lit(was)).clamp(0.6, 1.35);
                out[v as usize] = ((1.0 + (ratio - 1.0) * 0.55) * 256.0) as i32;
            }
        }
        out
    }

    fn develop(&self, canvas: &Canvas, near: &Near, posed: &Posed, face: &Face) -> Pixmap {
        let film = FILM.get_or_init(Film::new);
        let lips = face.get(Ch::LowerDown) * 0.3 + face.get(Ch::UpperUp) * 0.3;
        let jaw = (face.get(Ch::Jaw) * 1.6 + lips).min(1.0);
        let gaze = [face.get(Ch::LookX) * 0.55, -face.get(Ch::LookY) * 0.45];
        let mut out = Pixmap::new(canvas.rect.width(), canvas.rect.height());
        for row in 0..canvas.rect.height() {
            let first = row as usize * canvas.width;
            for (x, pixel) in out.row_mut(row).iter_mut().enumerate() {
                let at = first + x;
                let hit = canvas.hit[at];
                if hit == u32::MAX {
                    *pixel = near.still.get(at).map_or([0; 4], |s| s.1);
                    continue;
                }
                let (part, triangle) = (hit >> 24, (hit & 0x00ff_ffff) as usize);
                let w = canvas.weights[at];
                *pixel = match part {
                    0 => self.skin_pixel(triangle, w, &posed.relief),
                    1 | 2 => self.eye_pixel(&self.eyes[part as usize - 1], triangle, whole(w), gaze, film),
                    _ => self.inner_pixel(part as usize - 3, triangle, whole(w), posed, jaw, film),
                };
            }
        }
        out
    }

    #[inline]
    fn skin_pixel(&self, triangle: usize, [u, v]: [f32; 2], relief: &[i32]) -> [u8; 4] {
        let t = self.skin.soft.triangles[triangle].map(|v| v as usize);
        let w = [u, v, 1.0 - u - v];
        let page = self.skin.pages[triangle];
        let color = if page == Page::Vertices {
            let c = |k: usize| (0..3).map(|i| f32::from(self.skin.colors[t[i]][k]) * w[i]).sum::<f32>() as u8;
            [c(0), c(1), c(2), 255]
        } else {
            let [a, b, c] = t.map(|v| self.skin.at[page as usize][v]);
            let x = a[0] * w[0] + b[0] * w[1] + c[0] * w[2];
            let y = a[1] * w[0] + b[1] * w[1] + c[1] * w[2];
            crate::puppet::bilinear(&self.pages[page as usize], (x * 256.0) as i32, (y * 256.0) as i32)
        };
        let [la, lb, lc] = t.map(|v| relief[v]);
        let color = if la == 256 && lb == 256 && lc == 256 {
            color
        } else {
            let lit = (la as f32 * w[0] + lb as f32 * w[1] + lc as f32 * w[2]) as i32;
            let scaled = |c: u8| ((i32::from(c) * lit) >> 8).clamp(0, 255) as u8;
            [scaled(color[0]), scaled(color[1]), scaled(color[2]), 255]
        };
        if self.skin.solid[triangle] {
            return color;
        }
        let [a, b, c] = t.map(|v| self.skin.alpha[v]);
        let alpha = ((a * w[0] + b * w[1] + c * w[2]) * 256.0).clamp(0.0, 256.0) as i32;
        color.map(|c| ((i32::from(c) * alpha) >> 8) as u8)
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

fn whole([u, v]: [f32; 2]) -> V3 {
    [u, v, 1.0 - u - v]
}

static FILM: std::sync::OnceLock<Film> = std::sync::OnceLock::new();

impl Features for FaceRig {
    fn keep(&self, out: &mut Vec<u8>) {
        self.put(out);
    }

    fn rects(&self) -> Vec<Rect> {
        self.rects.to_vec()
    }

    fn differs(&self, which: usize, a: &Face, b: &Face) -> bool {
        let own = if which == 0 { a.mouth() != b.mouth() } else { a.eyes() != b.eyes() };
        let weights = a.weights().zip(b.weights()).zip(&self.near[which].channels);
        own || weights.into_iter().any(|((a, b), stirs)| *stirs && a != b)
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
