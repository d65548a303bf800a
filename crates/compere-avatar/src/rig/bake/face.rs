//! The face of a figure, flattened onto the plate: skin with its two sheets, eyeballs, mouth and lashes.

use crate::rig::ground::camera::Camera;
use crate::rig::light::teeth::{catchlight, eye_light};
use crate::rig::raster::deep::Canvas;
use compere_media::{Pixmap, Rect};

use super::contact::{self, Soft};
use super::retouch::bleed;
use super::{FADE, Figure, between};
use crate::act::Ch;
use crate::maths::smooth;
use crate::puppet::TILE;
use crate::rig::body::mimic::Expression;
use crate::rig::body::parts::{Mesh, SkinTraits, Stuff};
use crate::rig::face::coarse::coarser;
use crate::rig::face::{EyePixel, Eyeball, FaceRig, IRIS, Inner, Lashes, Page, Skin, lit};
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::mesh::normals;
use crate::rig::ground::v3::{V3, add, dot, length, mul, norm, ss, sub, turn};
use crate::rig::light::folds::Folds;
use crate::rig::light::relief::Relief;
use crate::rig::light::smile::Smile;
use crate::rig::raster::canvas::{around, depth, scan, twice_area};
use crate::rig::raster::flat::{Flat, PLACE, Place, Pushes, place};
use crate::rig::raster::render::{Hit, Shade as _, encode, fill, trace};

impl Figure<'_> {
    /// The face as it moves, and the whole head as it rests; what is worn over it, and what of that shades it.
    pub(super) fn face(
        &self,
        camera: &Camera,
        plate: [u32; 2],
        [over, shades]: [&Pixmap; 2],
        torso: &[Option<Hit>],
    ) -> (FaceRig, Pixmap) {
        let size = plate.map(|side| side as i32);
        let (whole, sheets, smiling) = self.skin(camera, plate, shades);
        let collars = self.collars(camera, plate, torso);
        let moves = whole.flat.moving();
        let moving = |at: usize| whole.flat.triangles[at].iter().any(|&v| moves[v as usize]);
        let resting = whole.flat.rest();
        let corners = |at: usize| whole.flat.triangles[at].map(|v| resting[v as usize]);
        let mut still = Canvas::new(size);
        // Under a collar nothing of the neck is painted with the head: it would lie on top.
        for (cell, &collar) in still.depth.iter_mut().zip(&collars) {
            if collar {
                *cell = f32::MIN;
            }
        }
        let all = 0..whole.flat.triangles.len();
        all.clone().filter(|&at| !moving(at)).for_each(|at| whole.draw(&mut still, &sheets, corners(at), at));
        let mut head = still.clone();
        all.filter(|&at| moving(at)).for_each(|at| whole.draw(&mut head, &sheets, corners(at), at));
        let mut head = head.softened();
        head.draw(over, 0, 0);
        let rect = reach(&whole.flat).intersect(Rect::of_size(plate[0], plate[1])).aligned(TILE);
        let mut skin = whole.only(moving);
        let (sheets, smiling) = skin.cut(&sheets, &smiling);
        skin.flat = skin.flat.seen_from(rect.x0, rect.y0);
        let lash = self.of(|s| s == Stuff::Lash).next().expect("every face has lashes");
        let local = |mesh: &Mesh| self.flat(camera, mesh, |_, _, _| None).seen_from(rect.x0, rect.y0);
        // Openings of men end farther out beside the same balls.
        let apart = 0.028 + 0.024 * self.person.male;
        let rig = FaceRig {
            rect,
            skin,
            sheets,
            smiling,
            still_depth: window(rect, plate, |at| still.depth[at], f32::MAX),
            still: pixmap(rect, window(rect, plate, |at| still.color[at], [0; 4])),
            hair: pixmap(rect, window(rect, plate, |at| over.data()[at], [0; 4])),
            eyes: self
                .balls
                .iter()
                .zip([1.0, -1.0])
                .map(|(ball, hand)| self.eyeball(camera, rect, ball, hand, apart))
                .collect(),
            inner: self.of(|s| matches!(s, Stuff::Teeth | Stuff::Tongue)).map(|m| inside_mouth(m, local(m))).collect(),
            apart,
            lashes: Lashes { flat: local(lash), color: self.shader.look.lash.map(|c| (encode(c) * 255.0) as u8) },
        };
        (rig, head)
    }

    /// The skin of the head with its two sheets, and the first one as it smiles; something `shades` it.
    fn skin(&self, camera: &Camera, plate: [u32; 2], shades: &Pixmap) -> (Skin, [Pixmap; 2], Pixmap) {
        let skin = &self.meshes[0];
        let expressions = &self.body.expressions;
        let unfolded = skin.deformed(|at| {
            let (channel, sign) = (expressions[at].channel, expressions[at].sign);
            if sign < 0.0 {
                return 0.0;
            }
            match channel {
                Ch::Blink => 1.0,
                Ch::Jaw => 0.42,
                Ch::LowerDown => 0.45,
                Ch::UpperUp => 0.45,
                _ => 0.0,
            }
        });
        let (mut first, seen_first, at_first) = self.page(camera, plate, skin.points.clone());
        let (second, seen_second, at_second) = self.page(camera, plate, unfolded);
        contact::under(&mut first, shades, Soft::new(contact::HAIR, camera), |_| true);
        let page = |t: &[u32; 3]| {
            let all = |seen: &[bool]| t.iter().all(|&v| seen[v as usize]);
            if all(&seen_first) {
                Page::Neutral
            } else if all(&seen_second) {
                Page::Unfolded
            } else {
                Page::Vertices
            }
        };
        let lights = Relief::new(skin, self.lit);
        let folds = Folds::new(skin, self.body.eyes[0]);
        let smiling = self.smiling(camera, plate, &first);
        let mut base = self.flat(camera, skin, |channel, points, weight| {
            let lit = |(relief, traits): (f32, &SkinTraits)| {
                let relief = match channel {
                    Ch::Blink => relief * self.folds_open(traits.rest),
                    Ch::Cheek => relief * (1.0 - self.at_ends(traits.rest)),
                    _ => relief,
                };
                Folds::calm(channel, relief, traits) + folds.of(channel, traits.rest)
            };
            Some(lights.change(points, weight).into_iter().zip(skin.skin()).map(lit).collect())
        });
        for ((place, light), traits) in base.base.iter_mut().zip(lights.of(&skin.points)).zip(skin.skin()) {
            place[3] = 256.0 + (light - 256.0) * self.folds_open(traits.rest);
        }
        // A pixel's centre lies half a pixel in.
        let at =
            |all: &[[f32; 2]]| all.iter().map(|p| [(p[0] - 0.5) * 256.0, (p[1] - 0.5) * 256.0]).collect::<Vec<_>>();
        let pages: Vec<Page> = skin.triangles.iter().map(page).collect();
        let alpha: Vec<f32> = skin.head.iter().map(|&head| smooth(FADE[0], FADE[1], head)).collect();
        let all = Skin {
            flat: base.pruned(),
            solid: skin.triangles.iter().map(|t| t.iter().all(|&v| alpha[v as usize] >= 1.0)).collect(),
            at: [at(&at_first), at(&at_second)],
            colors: self.vertex_colors(skin, &pages),
            alpha,
            pages,
        };
        let of_head = |at: usize| skin.triangles[at].iter().any(|&v| skin.head[v as usize] > FADE[0] * 0.6);
        let of_head: Vec<bool> = (0..skin.triangles.len()).map(of_head).collect();
        // Whole quads stay together.
        let quad = |at: usize| of_head[at / 8 * 8..(at / 8 * 8 + 8).min(of_head.len())].contains(&true);
        (coarser(&all.only(quad)), [first, second], smiling)
    }

    /// The skin in the light of a smile: finer than its points are.
    fn smiling(&self, camera: &Camera, plate: [u32; 2], neutral: &Pixmap) -> Pixmap {
        let skin = &self.meshes[0];
        let moved = skin.deformed(|at| match self.body.expressions[at].channel {
            Ch::Smile => 0.8,
            Ch::Cheek => 0.65,
            _ => 0.0,
        });
        let smile = Smile::new(skin, &moved, self.shader.wing, self.body.eyes[0], self.shader.look.lines);
        let mut out = neutral.clone();
        for (pixel, hit) in out.data_mut().iter_mut().zip(trace(skin, camera, plate)) {
            let Some(hit) = hit else { continue };
            let (t, w) = (skin.triangles[hit.triangle as usize], hit.weights());
            let (p, n) = (between(&moved, t, w), norm(between(&skin.normals, t, w)));
            let light = smile.of(p, n);
            if light != 256 {
                *pixel = if light < 256 { lit(*pixel, light) } else { brighter(*pixel, light) };
            }
        }
        out
    }

    /// How much what shuts an eye changes the light of a point: of an upper lid all that its normals say, but at the ends of
    /// the opening they turn within one row of points, and below it nothing that is seen folds.
    fn folds_open(&self, rest: V3) -> f32 {
        1.0 - self.at_ends(rest).max(ss(EYE_Y - 0.10, EYE_Y - 0.20, rest[1]))
    }

    /// How near a point is to where lids meet.
    fn at_ends(&self, rest: V3) -> f32 {
        let [inner, outer] = self.shader.ends(rest);
        (1.5 * inner).max(outer).min(1.0)
    }

    /// Where cloth lies in front of the neck.
    fn collars(&self, camera: &Camera, plate: [u32; 2], torso: &[Option<Hit>]) -> Vec<bool> {
        let skin = &self.meshes[0];
        let traced = trace(skin, camera, plate);
        let covered = |(skin_hit, torso_hit): (&Option<Hit>, &Option<Hit>)| {
            let (Some(under), Some(over)) = (skin_hit, torso_hit) else { return false };
            let t = skin.triangles[under.triangle as usize];
            let head: f32 = (0..3).map(|k| skin.head[t[k] as usize] * under.weights()[k]).sum();
            over.mesh != 0 && over.depth < under.depth && smooth(FADE[0], FADE[1], head) < 1.0
        };
        traced.iter().zip(torso).map(covered).collect()
    }

    /// A mesh on the plate. `light` says how a channel's pose changes the light of vertices, for a weight of the pose.
    fn flat(&self, camera: &Camera, mesh: &Mesh, light: impl Fn(Ch, &[V3], f32) -> Option<Vec<f32>>) -> Flat {
        let base: Vec<Place> = mesh.points.iter().map(|&p| place(camera.project(p))).collect();
        let expressions = &self.body.expressions;
        let pushes = mesh.moves.iter().map(|(at, deltas)| {
            let Expression { channel, sign, .. } = expressions[*at];
            let deltas = softened(deltas);
            let mut by = vec![[0.0; 4]; base.len()];
            for &(v, d) in &deltas {
                let v = v as usize;
                let there = place(camera.project(add(mesh.points[v], d)));
                by[v] = std::array::from_fn(|k| there[k] - base[v][k]);
            }
            // Lids come all the way down; the rest stays about half way.
            let weight = if channel == Ch::Blink { 1.0 } else { 0.5 };
            let mut posed = mesh.points.clone();
            deltas.iter().for_each(|&(v, d)| posed[v as usize] = add(posed[v as usize], mul(d, weight)));
            if let Some(changes) = light(channel, &posed, weight) {
                by.iter_mut().zip(changes).for_each(|(by, change)| by[3] = change);
            }
            let by = (0..).zip(by).filter(|(_, by)| by.iter().any(|c| *c != 0.0)).collect();
            Pushes { channel: channel as usize, sign, by }
        });
        Flat { pushes: pushes.filter(|p| !p.by.is_empty()).collect(), base, triangles: mesh.triangles.clone() }
    }

    /// A picture of the skin in some pose, shaded as in the neutral one; which vertices it shows; where they are.
    fn page(&self, camera: &Camera, plate: [u32; 2], points: Vec<V3>) -> (Pixmap, Vec<bool>, Vec<[f32; 2]>) {
        let neutral = &self.meshes[0];
        let projected: Vec<V3> = points.iter().map(|&p| camera.project(p)).collect();
        let normals = normals(&points, &neutral.triangles);
        // Shading asks the mesh for its neutral self: only the place on the picture comes from the pose.
        let mut posed = neutral.clone();
        posed.points = points;
        let shot = trace(&posed, camera, plate);
        let mut picture = Pixmap::new(plate[0], plate[1]);
        fill(&mut picture, &shot, neutral, self.shader);
        bleed(&mut picture, 6);
        let depth = |x: i32, y: i32| {
            let inside = x >= 0 && y >= 0 && x < plate[0] as i32 && y < plate[1] as i32;
            if inside { shot[(y * plate[0] as i32 + x) as usize].map_or(f32::MIN, |h: Hit| h.depth) } else { f32::MIN }
        };
        let seen = projected.iter().zip(&normals).zip(&posed.points).map(|((q, n), p)| {
            let (x, y) = (q[0] as i32, q[1] as i32);
            let far = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).map(|(dx, dy)| depth(x + dx, y + dy));
            let far = far.fold(f32::MIN, f32::max);
            q[2] < far + 0.012 && dot(*n, norm(sub(Camera::eye(), *p))) > 0.05
        });
        let seen = seen.collect();
        (picture, seen, projected.iter().map(|q| [q[0], q[1]]).collect())
    }

    fn vertex_colors(&self, skin: &Mesh, pages: &[Page]) -> Vec<[u8; 3]> {
        let mut colors = vec![[0; 3]; skin.points.len()];
        for (t, _) in skin.triangles.iter().zip(pages).filter(|(_, page)| **page == Page::Vertices) {
            for k in 0..3 {
                let mut w = [0.0; 3];
                w[k] = 1.0;
                colors[t[k] as usize] = self.shader.shade(skin, *t, w).map(|c| (encode(c) * 255.0) as u8);
            }
        }
        colors
    }

    fn eyeball(
        &self,
        camera: &Camera,
        canvas: Rect,
        (mesh, centre, radius): &(Mesh, V3, f32),
        hand: f32,
        apart: f32,
    ) -> Eyeball {
        let mut iris = Vec::with_capacity(IRIS * IRIS);
        for y in 0..IRIS {
            for x in 0..IRIS {
                let dx = x as f32 / (IRIS - 1) as f32 * 2.0 - 1.0;
                let dy = 1.0 - y as f32 / (IRIS - 1) as f32 * 2.0;
                let z = (1.0 - dx * dx - dy * dy).max(0.0).sqrt();
                iris.push(self.shader.iris(norm([dx, dy, z]), hand));
            }
        }
        let flat = Flat { base: mesh.points.iter().map(|&p| place(camera.project(p))).collect(), ..Flat::default() };
        let spots = flat.seen_from(canvas.x0, canvas.y0).rest();
        let rect = spots.iter().fold(Rect::default(), |all, &spot| all.union(around([spot; 3])));
        let rect = rect.intersect(Rect::of_size(canvas.width(), canvas.height()));
        let none = EyePixel { depth: f32::MAX, normal: [0.0; 3], light: [0.0; 3], glint: [0.0; 3] };
        let mut pixels = vec![none; rect.area() as usize];
        for t in &mesh.triangles {
            let mut t = t.map(|v| v as usize);
            if twice_area(t.map(|v| spots[v])) < 0 {
                t.swap(1, 2);
            }
            let corners = t.map(|v| spots[v]);
            scan::<4>(corners, [rect.x1, rect.y1], |x, y, w| {
                let Some(cell) = (y as i32 - rect.y0).checked_mul(rect.width() as i32).filter(|_| x as i32 >= rect.x0)
                else {
                    return;
                };
                let pixel = &mut pixels[(cell + x as i32 - rect.x0) as usize];
                let z = depth(corners, w);
                if z < pixel.depth {
                    let p = between(&mesh.points, t.map(|v| v as u32), w);
                    let normal = norm(sub(p, *centre));
                    let view = norm(sub(Camera::eye(), p));
                    // At the same place of both irises, which do not stand in the middle of the balls.
                    let shown = turn(normal, -hand * apart, 0.0, 0.0);
                    *pixel = EyePixel {
                        depth: z,
                        normal,
                        light: eye_light((p[1] - centre[1]) / radius, normal),
                        glint: mul([1.0, 0.98, 0.96], catchlight(shown, view)),
                    };
                }
            });
        }
        Eyeball { rect, pixels, iris }
    }
}

/// A colour in more light, 256 being as it was: that of a cheek which the key shines on has the lamp's tone, and no glow.
fn brighter(color: [u8; 4], light: i32) -> [u8; 4] {
    let scaled = |c: u8| ((i32::from(c) * light) >> 8).min(i32::from(color[3])) as u8;
    [scaled(color[0]), scaled(color[1]), scaled(color[2]), color[3]]
}

/// Around all that moves, on the plate.
fn reach(flat: &Flat) -> Rect {
    let mut out = Rect::default();
    let mut see = |p: Place| {
        let (x, y) = ((p[0] / PLACE) as i32, (p[1] / PLACE) as i32);
        out = out.union(Rect::new(x - 8, y - 8, x + 8, y + 8));
    };
    for &(v, by) in flat.pushes.iter().flat_map(|p| &p.by) {
        let base = flat.base[v as usize];
        see(base);
        see(std::array::from_fn(|k| base[k] + by[k]));
    }
    out
}

/// What `of` says of each pixel of `rect`, and `none` beyond the plate.
fn window<T: Copy>(rect: Rect, plate: [u32; 2], of: impl Fn(usize) -> T, none: T) -> Vec<T> {
    let places = (rect.y0..rect.y1).flat_map(|y| (rect.x0..rect.x1).map(move |x| (x, y)));
    let inside = |(x, y): (i32, i32)| x >= 0 && y >= 0 && x < plate[0] as i32 && y < plate[1] as i32;
    places.map(|(x, y)| if inside((x, y)) { of((y * plate[0] as i32 + x) as usize) } else { none }).collect()
}

fn pixmap(rect: Rect, pixels: Vec<[u8; 4]>) -> Pixmap {
    Pixmap::from_premultiplied(rect.width(), rect.height(), pixels)
}

fn inside_mouth(mesh: &Mesh, flat: Flat) -> Inner {
    Inner {
        normals: normals(&mesh.points, &mesh.triangles),
        rest: mesh.mouth().iter().map(|traits| traits.rest).collect(),
        row: mesh.mouth()[0].row,
        flat,
    }
}

/// Drops what is too small to see and lets the rest begin gently.
fn softened(deltas: &[(u32, V3)]) -> Vec<(u32, V3)> {
    let soft = |&(v, d): &(u32, V3)| (v, mul(d, smooth(0.004, 0.014, length(d))));
    deltas.iter().map(soft).filter(|(_, d)| d.iter().any(|c| *c != 0.0)).collect()
}
