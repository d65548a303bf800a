//! Painting a face: what moved since the last face, in squares of the plate, and nothing else.

use crate::rig::light::gloss::tone;
use crate::rig::light::teeth::{teeth, tongue};
use crate::rig::raster::deep::{Canvas, INNER, NOTHING, SKIN};
use std::ops::Range;
use std::sync::Arc;

use compere_media::{Pixmap, Rect};

use super::cheeks::Cheeks;
use super::hollow::Hollow;
use super::lids::Lids;
use super::seam::Seam;
use super::{EyePixel, Eyeball, FaceRig, IRIS, Inner, Page, Shared};
use crate::act::{Ch, Face};
use crate::keep::Keep;
use crate::puppet::{Artist, Features, TILE, Tiles, lay};
use crate::rig::ground::camera::LENS;
use crate::rig::ground::v3::{V3, add, mul, mulv, norm, turn};
use crate::rig::raster::canvas::{around, depth, scan, twice_area};
use crate::rig::raster::edges::{is_step, softened};
use crate::rig::raster::flat::{Flat, Place, Spot};
use crate::rig::raster::render::encode;

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

/// So many triangles of lashes, some ten hairs, are looked at or left together: most faces leave the eyes as they were.
const BUNCH: usize = 100;

/// A mesh as it is shown and as it shall be.
#[derive(Default)]
struct Motion {
    shown: Vec<Spot>,
    next: Vec<Spot>,
    /// Which vertices are elsewhere, or lit otherwise.
    moved: Vec<bool>,
}

impl Motion {
    /// Poses the mesh and marks the tiles in which a triangle changes; `before` is the face that is shown.
    fn pose(&mut self, flat: &Flat, before: Option<&Face>, face: &Face, places: &mut Vec<Place>, changed: &mut Tiles) {
        if before.is_some_and(|before| !flat.differs(before, face)) {
            // What is shown shall be, and what was before that is of no use.
            self.settle();
            self.moved.fill(false);
            return;
        }
        flat.pose(face, places, &mut self.next);
        if self.shown.len() != self.next.len() {
            return;
        }
        self.moved.clear();
        self.moved.extend(self.shown.iter().zip(&self.next).map(|(was, now)| was != now));
        for t in &flat.triangles {
            let [a, b, c] = t.map(|v| v as usize);
            if self.moved[a] | self.moved[b] | self.moved[c] {
                let was = around([self.shown[a], self.shown[b], self.shown[c]]);
                changed.mark(was.union(around([self.next[a], self.next[b], self.next[c]])));
            }
        }
    }

    fn settle(&mut self) {
        std::mem::swap(&mut self.shown, &mut self.next);
    }
}

/// Paints one performance's face. What is painted beyond the tiles that change is what was there already: the same
/// triangles at the same depth.
pub(crate) struct FacePainter {
    rig: Arc<FaceRig>,
    canvas: Canvas,
    cheeks: Cheeks,
    skin: Motion,
    lashes: Motion,
    inner: Vec<Motion>,
    places: Vec<Place>,
    shown: Option<Face>,
    /// Triangles of the skin that a picture of it shows, and those that none does: insides of lips, lids and nostrils.
    outer: Vec<u32>,
    folded: Vec<u32>,
    /// Around every [`BUNCH`] triangles of the lashes.
    bunches: Vec<Rect>,
    /// What changes with this face, in tiles of the canvas.
    changed: Tiles,
    /// Lashes over each pixel: sixteen samples.
    cover: Vec<u16>,
    /// The farthest depth in each tile that changes; in front of everything elsewhere.
    farthest: Vec<f32>,
    /// The eyeballs as the gaze shows them, worked out where and when they are seen.
    balls: Vec<Vec<[u8; 4]>>,
    film: Arc<Film>,
    /// Around teeth and tongue.
    mouth: Rect,
    hollow: Hollow,
    seam: Seam,
    lids: Lids,
    /// What is seen of the eyes, and whether it is painted anew.
    openings: Vec<(Rect, bool)>,
    busy: Busy,
}

impl FacePainter {
    pub(crate) fn new(rig: Arc<FaceRig>) -> Self {
        let (width, height) = (rig.rect.width(), rig.rect.height());
        let triangles = 0..rig.skin.pages.len() as u32;
        let (folded, outer) = triangles.partition(|&at| rig.skin.pages[at as usize] == Page::Vertices);
        Self {
            outer,
            folded,
            cheeks: Cheeks::new(&rig),
            canvas: Canvas::new([width as i32, height as i32]),
            skin: Motion::default(),
            lashes: Motion::default(),
            bunches: Vec::new(),
            inner: rig.inner.iter().map(|_| Motion::default()).collect(),
            places: Vec::new(),
            shown: None,
            changed: Tiles::new(width, height),
            cover: vec![0; (width * height) as usize],
            farthest: Vec::new(),
            balls: rig.eyes.iter().map(|eye| vec![[0; 4]; eye.pixels.len()]).collect(),
            film: Arc::new(Film::new()),
            mouth: Rect::default(),
            hollow: Hollow::new(rig.inner.first().map_or(&[], |teeth| &teeth.flat.base)),
            seam: Seam::new(rig.inner.first().map_or(&[], |teeth| &teeth.flat.base)),
            lids: Lids::default(),
            openings: vec![(Rect::default(), true); rig.eyes.len()],
            busy: Busy::default(),
            rig,
        }
    }

    /// Finds out what looks different.
    fn compare(&mut self, face: &Face) {
        self.changed.clear();
        let before = self.shown.as_ref();
        self.skin.pose(&self.rig.skin.flat, before, face, &mut self.places, &mut self.changed);
        self.lashes.pose(&self.rig.lashes.flat, before, face, &mut self.places, &mut self.changed);
        if self.lashes.moved.contains(&true) || self.bunches.is_empty() {
            let spots = &self.lashes.next;
            let around = |bunch: &[[u32; 3]]| bounds(bunch.iter().flatten().map(|&v| spots[v as usize]));
            self.bunches = self.rig.lashes.flat.triangles.chunks(BUNCH).map(around).collect();
        }
        for (inner, motion) in self.rig.inner.iter().zip(&mut self.inner) {
            motion.pose(&inner.flat, before, face, &mut self.places, &mut self.changed);
        }
        // Shade in a mouth reaches from lip to lip.
        self.mouth = self.inner.iter().fold(Rect::default(), |all, it| all.union(bounds(it.next.iter().copied())));
        let Some(shown) = self.shown else {
            self.changed.mark(Rect::new(0, 0, self.canvas.size[0], self.canvas.size[1]));
            return;
        };
        for t in self.cheeks.changed(&shown, face).iter().map(|&at| self.rig.skin.flat.triangles[at as usize]) {
            self.changed.mark(around(t.map(|v| self.skin.next[v as usize])));
        }
        if gaze(&shown) != gaze(face) {
            self.rig.eyes.iter().for_each(|eye| self.changed.mark(eye.rect));
            self.balls.iter_mut().for_each(|ball| ball.fill([0; 4]));
        }
        // What lids shade is shaded once, and whole.
        for (seen, anew) in &mut self.openings {
            *anew = seen.is_empty() || self.changed.any(seen.grown(1));
            if *anew && !seen.is_empty() {
                self.changed.mark(*seen);
            }
        }
        if opening(&shown) != opening(face) || self.changed.any(self.mouth) {
            self.changed.mark(self.mouth);
        }
    }

    /// Shades what lies behind lids and lips: only what was painted just now, as shade does not go away by itself.
    fn shade_hollows(&mut self) {
        for (which, (eye, (seen, anew))) in self.rig.eyes.iter().zip(&mut self.openings).enumerate() {
            if *anew {
                *seen = Lids::opening(&self.canvas, which, eye.rect);
                self.lids.shade(&mut self.canvas, which, eye, *seen);
            }
        }
        if self.changed.any(self.mouth) {
            self.hollow.shade(&mut self.canvas, self.mouth);
        }
    }

    fn reset(&mut self) {
        let width = self.canvas.size[0] as usize;
        for rect in self.changed.runs() {
            for y in rect.y0..rect.y1 {
                let row = y as usize * width;
                let span = row + rect.x0 as usize..row + rect.x1 as usize;
                self.canvas.depth[span.clone()].copy_from_slice(&self.rig.still_depth[span.clone()]);
                let still = &self.rig.still.row(y as u32)[rect.x0 as usize..rect.x1 as usize];
                self.canvas.color[span.clone()].copy_from_slice(still);
                for (part, still) in self.canvas.part[span.clone()].iter_mut().zip(still) {
                    *part = if still[3] == 0 { NOTHING } else { SKIN };
                }
                self.cover[span].fill(0);
            }
        }
    }

    fn draw_skin(&mut self) {
        let skin = &self.rig.skin;
        for at in self.outer.iter().map(|&at| at as usize) {
            let corners = skin.flat.triangles[at].map(|v| self.skin.next[v as usize]);
            if twice_area(corners) < 0 && self.changed.any(around(corners)) {
                skin.draw(&mut self.canvas, &self.cheeks.sheets, corners, at);
            }
        }
    }

    /// A third of a face's triangles, and hardly a pixel of them is seen while the mouth is shut.
    fn draw_folds(&mut self) {
        let skin = &self.rig.skin;
        for at in self.folded.iter().map(|&at| at as usize) {
            let corners = skin.flat.triangles[at].map(|v| self.skin.next[v as usize]);
            if twice_area(corners) < 0 && self.is_open(corners) {
                skin.draw(&mut self.canvas, &self.cheeks.sheets, corners, at);
            }
        }
    }

    /// Notes how far one can see in the tiles that change.
    fn measure(&mut self) {
        let [width, height] = self.canvas.size;
        let columns = (width + TILE - 1) / TILE;
        self.farthest.clear();
        self.farthest.resize((columns * ((height + TILE - 1) / TILE)) as usize, f32::MIN);
        for rect in self.changed.rects() {
            let mut farthest = [f32::MIN; TILE as usize];
            for y in rect.y0..rect.y1 {
                let row = (y * width + rect.x0) as usize;
                for (far, &depth) in farthest.iter_mut().zip(&self.canvas.depth[row..row + rect.width() as usize]) {
                    *far = if depth > *far { depth } else { *far };
                }
            }
            self.farthest[(rect.y0 / TILE * columns + rect.x0 / TILE) as usize] =
                farthest.into_iter().fold(f32::MIN, f32::max);
        }
    }

    /// Whether something in the tiles that change is farther away than a triangle, where it may be.
    fn is_open(&self, corners: [Spot; 3]) -> bool {
        let depth = (corners[0][2].min(corners[1][2]).min(corners[2][2]) - 1) as f32;
        let around = around(corners);
        let columns = (self.canvas.size[0] + TILE - 1) / TILE;
        let rows = (self.canvas.size[1] + TILE - 1) / TILE;
        let tile = |v: i32, most: i32| v.div_euclid(TILE).clamp(0, most - 1);
        (tile(around.y0, rows)..=tile(around.y1, rows)).any(|ty| {
            let row = ty * columns;
            (tile(around.x0, columns)..=tile(around.x1, columns)).any(|tx| self.farthest[(row + tx) as usize] > depth)
        })
    }

    fn draw_eye(&mut self, which: usize, eye: &Eyeball, face: &Face, film: &Film) {
        let [yaw, pitch] = gaze(face);
        // Large irises between lids that slant look inwards when they look ahead.
        let apart = if which == 0 { self.rig.apart } else { -self.rig.apart };
        let axes =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| turn(axis, -yaw - apart, -pitch, 0.0));
        let width = self.canvas.size[0] as usize;
        for rect in self.changed.runs() {
            let rect = rect.intersect(eye.rect);
            for y in rect.y0..rect.y1 {
                let row = (y - eye.rect.y0) as usize * eye.rect.width() as usize;
                for x in rect.x0..rect.x1 {
                    let at = row + (x - eye.rect.x0) as usize;
                    let pixel = &eye.pixels[at];
                    let cell = y as usize * width + x as usize;
                    if pixel.depth < self.canvas.depth[cell] {
                        self.canvas.depth[cell] = pixel.depth;
                        self.canvas.part[cell] = 1 + which as u8;
                        let seen = &mut self.balls[which][at];
                        if seen[3] == 0 {
                            *seen = eye_color(eye, pixel, axes, film);
                        }
                        self.canvas.color[cell] = *seen;
                    }
                }
            }
        }
    }

    fn draw_inner(&mut self, which: usize, jaw: f32, film: &Film) {
        let rig = self.rig.clone();
        let inner = &rig.inner[which];
        let spots = &self.inner[which].next;
        let width = self.canvas.size[0] as usize;
        for t in &inner.flat.triangles {
            let mut t = t.map(|v| v as usize);
            if twice_area(t.map(|v| spots[v])) < 0 {
                t.swap(1, 2);
            }
            let corners = t.map(|v| spots[v]);
            // Most of a mouth lies behind cheeks and lips.
            if !self.is_open(corners) {
                continue;
            }
            let (cells, colors, parts) = (&mut self.canvas.depth, &mut self.canvas.color, &mut self.canvas.part);
            scan::<4>(corners, self.canvas.size, |x, y, w| {
                let cell = y * width + x;
                let z = depth(corners, w);
                if z < cells[cell] {
                    cells[cell] = z;
                    parts[cell] = INNER + which as u8;
                    colors[cell] = inner_color(inner, t, w, jaw, film);
                }
            });
        }
    }

    /// Lashes are finer than a pixel: they cover parts of it, counted on four by four samples.
    fn draw_lashes(&mut self) {
        const FINE: i32 = 4;
        /// A lash may lie a little under the skin it grows from.
        const CLEARANCE: f32 = 0.05 * crate::rig::raster::flat::DEPTH;
        let width = self.canvas.size[0] as usize;
        let fine = self.canvas.size.map(|side| side * FINE);
        let (cells, cover) = (&self.canvas.depth, &mut self.cover);
        let bunches = self.rig.lashes.flat.triangles.chunks(BUNCH).zip(&self.bunches);
        for t in bunches.filter(|(_, around)| self.changed.any(**around)).flat_map(|(bunch, _)| bunch) {
            let mut corners = t.map(|v| self.lashes.next[v as usize]);
            if twice_area(corners) < 0 {
                corners.swap(1, 2);
            }
            if !self.changed.any(around(corners)) {
                continue;
            }
            scan::<2>(corners, fine, |x, y, w| {
                let cell = y / FINE as usize * width + x / FINE as usize;
                if depth(corners, w) < cells[cell] + CLEARANCE {
                    cover[cell] |= 1 << (y % FINE as usize * FINE as usize + x % FINE as usize);
                }
            });
        }
    }

    /// A pixel with soft edges, lashes over it and hair over those.
    #[inline]
    fn finished(&self, x: usize, y: usize) -> [u8; 4] {
        let at = y * self.canvas.size[0] as usize + x;
        let soft = self.seam.soft(&self.canvas, x, y);
        let mut color = soft.unwrap_or_else(|| softened(&self.canvas, x, y));
        if self.cover[at] != 0 {
            let alpha = self.cover[at].count_ones() * 240 / 16;
            let c = self.rig.lashes.color.map(|c| (u32::from(c) * alpha / 255) as u8);
            color = lay(color, [c[0], c[1], c[2], alpha as u8]);
        }
        let hair = self.rig.hair.data()[at];
        if hair[3] == 0 { color } else { lay(color, hair) }
    }

    /// Edges reach one pixel beyond what changed.
    fn hand_over(&mut self, plate: &mut Pixmap, changed: &mut Tiles) {
        let corner = self.rig.rect;
        let limit = plate.bounds().intersect(corner).shifted(-corner.x0, -corner.y0);
        let mut busy = std::mem::take(&mut self.busy);
        for run in self.changed.runs() {
            changed.mark(run.shifted(corner.x0, corner.y0));
            let (rect, inside) = (run.grown(1).intersect(limit), run.intersect(limit));
            if rect.is_empty() {
                continue;
            }
            for y in rect.y0..rect.y1 {
                let span = rect.x0 as usize..rect.x1 as usize;
                busy.look(self, y as usize, span.clone());
                let start = y as usize * self.canvas.size[0] as usize;
                let colors = &self.canvas.color[start + span.start..start + span.end];
                let row = plate.row_mut((y + corner.y0) as u32);
                let out = &mut row[(rect.x0 + corner.x0) as usize..(rect.x1 + corner.x0) as usize];
                let color = |k: usize| {
                    if busy.here[k] == 0 { colors[k] } else { self.finished(span.start + k, y as usize) }
                };
                let mut edge = |pixel: &mut [u8; 4], k: usize| {
                    let color = color(k);
                    if *pixel != color {
                        *pixel = color;
                        let x = rect.x0 + k as i32;
                        changed.mark(Rect::new(x, y, x + 1, y + 1).shifted(corner.x0, corner.y0));
                    }
                };
                if y < inside.y0 || y >= inside.y1 {
                    out.iter_mut().enumerate().for_each(|(k, pixel)| edge(pixel, k));
                    continue;
                }
                let (from, to) = ((inside.x0 - rect.x0) as usize, (inside.x1 - rect.x0) as usize);
                (0..from).chain(to..out.len()).for_each(|k| edge(&mut out[k], k));
                out[from..to].copy_from_slice(&colors[from..to]);
                for k in (from..to).filter(|&k| busy.here[k] != 0) {
                    out[k] = color(k);
                }
            }
        }
        self.busy = busy;
    }
}

/// Which pixels of a row have an edge, lashes or hair: 0 for those that are their colour and no more.
#[derive(Default)]
struct Busy {
    here: Vec<u8>,
    /// Whether there is an edge between a pixel and the next one.
    apart: Vec<u8>,
}

impl Busy {
    fn look(&mut self, of: &FacePainter, y: usize, span: Range<usize>) {
        let [width, height] = of.canvas.size.map(|side| side as usize);
        let row = |y: usize| y * width + span.start..y * width + span.end;
        let (own, above, below) = (row(y), row(y.saturating_sub(1)), row((y + 1).min(height - 1)));
        let (part, depth) = (&of.canvas.part, &of.canvas.depth);
        let covered = of.cover[own.clone()].iter().zip(&of.rig.hair.data()[own.clone()]);
        self.here.clear();
        self.here.extend(covered.map(|(&cover, &hair)| u8::from(cover != 0) | hair[3]));
        for other in [above, below] {
            edges(&mut self.here, [&part[own.clone()], &part[other.clone()]], [&depth[own.clone()], &depth[other]]);
        }
        // To the pixels at both sides, where there are any.
        let (left, right) = (own.start - usize::from(span.start > 0), own.end - usize::from(span.end == width));
        self.apart.clear();
        self.apart.resize(right - left, 0);
        let (first, second) = (left..right, left + 1..right + 1);
        let parts = [&part[first.clone()], &part[second.clone()]];
        edges(&mut self.apart, parts, [&depth[first], &depth[second]]);
        let skipped = own.start - left;
        self.here.iter_mut().zip(&self.apart[skipped..]).for_each(|(here, apart)| *here |= apart);
        self.here[1 - skipped..].iter_mut().zip(&self.apart).for_each(|(here, apart)| *here |= apart);
        of.seam.mark(&of.canvas, y, span, &mut self.here);
    }
}

/// Marks where pixels and their neighbours are not of one part, or far behind each other.
fn edges(marks: &mut [u8], parts: [&[u8]; 2], depths: [&[f32]; 2]) {
    let pairs = marks.iter_mut().zip(parts[0].iter().zip(parts[1]));
    pairs.for_each(|(mark, (a, b))| *mark |= a ^ b);
    let pairs = marks.iter_mut().zip(depths[0].iter().zip(depths[1]));
    pairs.for_each(|(mark, (a, b))| *mark |= u8::from(is_step(*a, *b)));
}

impl Artist for FacePainter {
    fn paint(&mut self, face: &Face, plate: &mut Pixmap, changed: &mut Tiles) {
        if self.shown.as_ref() == Some(face) {
            return;
        }
        self.compare(face);
        if !self.changed.is_empty() {
            let (rig, film) = (self.rig.clone(), self.film.clone());
            self.cheeks.smile(&rig, face);
            self.reset();
            self.draw_skin();
            rig.eyes.iter().enumerate().for_each(|(which, eye)| self.draw_eye(which, eye, face, &film));
            self.measure();
            self.draw_folds();
            (0..rig.inner.len()).for_each(|which| self.draw_inner(which, opening(face), &film));
            self.shade_hollows();
            self.draw_lashes();
            self.hand_over(plate, changed);
        }
        self.skin.settle();
        self.lashes.settle();
        self.inner.iter_mut().for_each(Motion::settle);
        self.shown = Some(*face);
    }
}

/// Light between the teeth.
fn opening(face: &Face) -> f32 {
    let lips = face.get(Ch::LowerDown) * 0.3 + face.get(Ch::UpperUp) * 0.3;
    (face.get(Ch::Jaw) * 1.6 + lips).min(1.0)
}

fn gaze(face: &Face) -> [f32; 2] {
    [face.get(Ch::LookX) * 0.55, LENS - face.get(Ch::LookY) * 0.45]
}

fn bounds(spots: impl Iterator<Item = Spot>) -> Rect {
    spots.fold(Rect::default(), |all, spot| all.union(around([spot; 3])))
}

fn eye_color(eye: &Eyeball, pixel: &EyePixel, [ax, ay, az]: [V3; 3], film: &Film) -> [u8; 4] {
    let n = pixel.normal;
    let d = add(add(mul(ax, n[0]), mul(ay, n[1])), mul(az, n[2]));
    let coordinate = |v: f32| ((v * 0.5 + 0.5) * (IRIS - 1) as f32).clamp(0.0, (IRIS - 1) as f32 - 0.001);
    let (x, y) = (coordinate(d[0]), coordinate(-d[1]));
    let (ix, iy) = (x as usize, y as usize);
    let (fx, fy) = (x - ix as f32, y - iy as f32);
    let at = |dx: usize, dy: usize| eye.iris[(iy + dy) * IRIS + ix + dx];
    let top = crate::rig::ground::v3::mix(at(0, 0), at(1, 0), fx);
    let color = crate::rig::ground::v3::mix(top, crate::rig::ground::v3::mix(at(0, 1), at(1, 1), fx), fy);
    film.bytes(add(mulv(color, pixel.light), pixel.glint))
}

fn inner_color(inner: &Inner, t: [usize; 3], w: V3, jaw: f32, film: &Film) -> [u8; 4] {
    let mean = |of: &[V3]| add(add(mul(of[t[0]], w[0]), mul(of[t[1]], w[1])), mul(of[t[2]], w[2]));
    let (n, r) = (norm(mean(&inner.normals)), mean(&inner.rest));
    film.bytes(if inner.row[2] == 0.0 { tongue(n, r, jaw) } else { teeth(n, r, inner.row, jaw) })
}

impl Features for Shared {
    fn keep(&self, out: &mut Vec<u8>) {
        self.put(out);
    }

    fn rects(&self) -> Vec<Rect> {
        vec![self.0.rect]
    }

    fn differs(&self, _which: usize, a: &Face, b: &Face) -> bool {
        a != b
    }

    fn paint(&self, _which: usize, face: &Face, plate: &mut Pixmap) {
        let mut all = Tiles::new(plate.width(), plate.height());
        FacePainter::new(self.0.clone()).paint(face, plate, &mut all);
    }

    fn artist(&self) -> Option<Box<dyn Artist>> {
        Some(Box::new(FacePainter::new(self.0.clone())))
    }
}
