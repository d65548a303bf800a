//! From a person and an outfit to a puppet.

use std::sync::Arc;

use compere_media::{Pixmap, Rect};

use super::brows::Brows;
use super::canvas::{around, depth, scan, twice_area};
use super::cloth::{Garment, sew};
use super::data::Library;
use super::face::{Canvas, EyePixel, Eyeball, FaceRig, IRIS, Inner, Lashes, Page, Shared, Skin};
use super::flat::{Flat, PLACE, Place, Pushes, place};
use super::hair::{Skull, grow};
use super::inner::{catchlight, eye_light};
use super::parts::{Mesh, Stuff, eyes, lashes, mouth, skin};
use super::person::{Outfit, Person};
use super::relief::Relief;
use super::render::{Camera, Hit, Item, Shot, encode, render};
use super::sculpt::{Body, Expression, sculpt};
use super::shade::Shader;
use super::v3::{V3, add, dot, mul, norm, sub};
use crate::AvatarError;
use crate::act::{self, Ch};
use crate::cast::Stand;
use crate::maths::smooth;
use crate::puppet::{Features as _, Field, Influence, Plate, Puppet, TILE};

/// Skin above this share of the head belongs to the head's plate; it fades in from the first to the second.
const FADE: [f32; 2] = [0.36, 0.66];

pub(super) fn puppet(
    library: &Library,
    person: &Person,
    outfit: &Outfit,
    stand: &Stand,
) -> Result<Puppet, AvatarError> {
    let body = sculpt(library, person)?;
    let garment = Garment::new(&body, person, outfit);
    let skin = skin(library, &body);
    let balls = eyes(library, &body);
    let skull = Skull::new(&body, &skin);
    let brows = Brows::new(&body, &person.look, &skin);
    let mut meshes = vec![skin];
    meshes.extend(balls.iter().map(|ball| ball.0.clone()));
    meshes.extend(mouth(library, &body));
    let lash = lashes(library, &body, person, &meshes[0], &balls);
    meshes.push(lash);
    meshes.extend(grow(person.hair, &skull, &body));
    meshes.extend(sew(library, &body, person, &garment));
    // Lids are lit while they are down: open, they hide in their own fold.
    let neutral = (meshes[0].points.clone(), meshes[0].normals.clone());
    let asleep = meshes[0].deformed(|at| if body.expressions[at].channel == Ch::Blink { 0.8 } else { 0.0 });
    meshes[0].normals = super::mesh::normals(&asleep, &meshes[0].triangles);
    meshes[0].points = asleep;
    super::light::bake(&mut meshes, &garment);
    let lit = std::mem::replace(&mut meshes[0].points, neutral.0);
    meshes[0].normals = neutral.1;
    let shader =
        Shader { look: &person.look, hair: person.hair, outfit, garment: &garment, skull: &skull, brows: &brows };
    let figure = Figure { body: &body, garment: &garment, meshes: &meshes, shader: &shader, balls: &balls, lit: &lit };
    Ok(figure.puppet(stand))
}

struct Figure<'a> {
    body: &'a Body,
    garment: &'a Garment,
    meshes: &'a [Mesh],
    shader: &'a Shader<'a>,
    balls: &'a [(Mesh, V3, f32)],
    /// Skin as it lay in the light.
    lit: &'a [V3],
}

impl Figure<'_> {
    fn of(&self, chosen: impl Fn(Stuff) -> bool) -> impl Iterator<Item = &Mesh> {
        self.meshes.iter().filter(move |m| chosen(m.stuff))
    }

    fn puppet(&self, stand: &Stand) -> Puppet {
        let size = [stand.rect.width(), stand.rect.height()];
        let scale: i32 = if stand.unit < 200.0 { 320 } else { 256 };
        let times = scale as f32 / 256.0;
        let plate = size.map(|v| (v as f32 * times).ceil() as u32);
        let camera = Camera { unit: stand.unit * times, width: size[0] as f32 * times, top: stand.top };
        let fine = 2;
        let arm = |mesh: &Mesh, t: [u32; 3], w: V3| (0..3).map(|k| mesh.traits[t[k] as usize][7] * w[k]).sum::<f32>();
        let cut = |mesh: &Mesh, t: [u32; 3], w: V3| match mesh.stuff {
            Stuff::Cloth(layer) => self.garment.gone(layer, between(&mesh.points, t, w), arm(mesh, t, w)),
            _ => false,
        };
        let headless = |mesh: &Mesh, t: [u32; 3], w: V3| {
            let head = (0..3).map(|k| mesh.head[t[k] as usize] * w[k]).sum::<f32>();
            head > 0.985 || self.garment.covers(between(&mesh.points, t, w), arm(mesh, t, w))
        };
        let shown = |mesh| Item { mesh, shown: true, drop: None };
        let hair: Vec<Item<'_>> = self.of(|s| s == Stuff::Hair).map(shown).collect();
        let back = render(&hair, &camera, plate, fine, self.shader);
        let mut torso = vec![Item { mesh: &self.meshes[0], shown: true, drop: Some(&headless) }];
        torso.extend(self.of(|s| matches!(s, Stuff::Cloth(_))).map(|mesh| Item {
            mesh,
            shown: true,
            drop: Some(&cut),
        }));
        let torso = render(&torso, &camera, plate, fine, self.shader);
        let blocking = |mesh, drop| Item { mesh, shown: false, drop };
        let mut over = vec![blocking(&self.meshes[0], None)];
        over.extend(self.of(|s| matches!(s, Stuff::Cloth(_))).map(|mesh| blocking(mesh, Some(&cut))));
        over.extend(self.of(|s| s == Stuff::Hair).map(shown));
        let over = render(&over, &camera, plate, fine, self.shader);
        let (face, mut head) = self.face(&camera, plate, &over.picture, &torso.hits);
        let face = Shared(Arc::new(face));
        face.paint(0, &act::rest(), &mut head);
        let pivot = add(self.body.neck, [0.0, 0.25, 0.15]);
        let on_plate = camera.project(pivot);
        let step = times;
        Puppet {
            rect: stand.rect,
            scale,
            unit: stand.unit,
            pivot: [on_plate[0] / times, on_plate[1] / times],
            back: Some(Plate {
                field: self.hair_field(size, step, &hair, &back, pivot),
                picture: darkened(inner(back.picture, 3)),
            }),
            body: Plate { field: self.torso_field(size, step, &torso, pivot), picture: torso.picture },
            head: Plate { field: self.head_field(size, step, &over, &camera, plate, pivot), picture: head },
            features: Box::new(face),
        }
    }

    /// The face as it moves, and the whole head as it rests.
    fn face(&self, camera: &Camera, plate: [u32; 2], over: &Pixmap, torso: &[Option<Hit>]) -> (FaceRig, Pixmap) {
        let size = plate.map(|side| side as i32);
        let (whole, sheets) = self.skin(camera, plate, torso);
        let moves = whole.flat.moving();
        let moving = |at: usize| whole.flat.triangles[at].iter().any(|&v| moves[v as usize]);
        let resting = whole.flat.rest();
        let corners = |at: usize| whole.flat.triangles[at].map(|v| resting[v as usize]);
        let mut still = Canvas::new(size);
        let all = 0..whole.flat.triangles.len();
        all.clone().filter(|&at| !moving(at)).for_each(|at| whole.draw(&mut still, &sheets, corners(at), at));
        let mut head = still.clone();
        all.filter(|&at| moving(at)).for_each(|at| whole.draw(&mut head, &sheets, corners(at), at));
        let mut head = head.softened();
        head.draw(over, 0, 0);
        let rect = reach(&whole.flat).intersect(Rect::of_size(plate[0], plate[1])).aligned(TILE);
        let mut skin = whole.only(moving);
        let sheets = skin.cut(&sheets);
        skin.flat = skin.flat.seen_from(rect.x0, rect.y0);
        let lash = self.of(|s| s == Stuff::Lash).next().expect("every face has lashes");
        let local = |mesh: &Mesh| self.flat(camera, mesh, |_, _| None).seen_from(rect.x0, rect.y0);
        let rig = FaceRig {
            rect,
            skin,
            sheets,
            still_depth: window(rect, plate, |at| still.depth[at], f32::MAX),
            still: pixmap(rect, window(rect, plate, |at| still.color[at], [0; 4])),
            hair: pixmap(rect, window(rect, plate, |at| over.data()[at], [0; 4])),
            eyes: self
                .balls
                .iter()
                .zip([1.0, -1.0])
                .map(|(ball, hand)| self.eyeball(camera, rect, ball, hand))
                .collect(),
            inner: self.of(|s| matches!(s, Stuff::Teeth | Stuff::Tongue)).map(|m| inside_mouth(m, local(m))).collect(),
            lashes: Lashes { flat: local(lash), color: self.shader.look.lash.map(|c| (encode(c) * 255.0) as u8) },
        };
        (rig, head)
    }

    /// The skin of the head with its two sheets.
    fn skin(&self, camera: &Camera, plate: [u32; 2], torso: &[Option<Hit>]) -> (Skin, [Pixmap; 2]) {
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
        let (first, seen_first, at_first) = self.page(camera, plate, skin.points.clone());
        let (second, seen_second, at_second) = self.page(camera, plate, unfolded);
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
        let flat = self.flat(camera, skin, |points, weight| Some(lights.change(points, weight)));
        let mut base = flat;
        for (place, light) in base.base.iter_mut().zip(lights.of(&skin.points)) {
            place[3] = light;
        }
        // A pixel's centre lies half a pixel in.
        let at =
            |all: &[[f32; 2]]| all.iter().map(|p| [(p[0] - 0.5) * 256.0, (p[1] - 0.5) * 256.0]).collect::<Vec<_>>();
        let pages: Vec<Page> = skin.triangles.iter().map(page).collect();
        // Under a collar nothing of the neck is painted with the head: it would lie on top.
        let covered = |p: V3| {
            let q = camera.project(p);
            let inside = q[0] >= 0.0 && q[1] >= 0.0 && q[0] < plate[0] as f32 && q[1] < plate[1] as f32;
            let hit = if inside { torso[q[1] as usize * plate[0] as usize + q[0] as usize] } else { None };
            hit.is_some_and(|hit| hit.mesh != 0 && hit.depth < q[2] - 0.01)
        };
        let alpha = skin.head.iter().zip(&skin.points).map(|(&head, &p)| {
            let head = smooth(FADE[0], FADE[1], head);
            if head < 1.0 && covered(p) { 0.0 } else { head }
        });
        let alpha: Vec<f32> = alpha.collect();
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
        (super::coarse::coarser(&all.only(quad)), [first, second])
    }

    /// A mesh on the plate. `light` says how a pose changes the light of vertices, for a weight of the pose.
    fn flat(&self, camera: &Camera, mesh: &Mesh, light: impl Fn(&[V3], f32) -> Option<Vec<f32>>) -> Flat {
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
            if let Some(changes) = light(&posed, weight) {
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
        let normals = super::mesh::normals(&points, &neutral.triangles);
        // Shading asks the mesh for its neutral self: only the place on the picture comes from the pose.
        let mut posed = neutral.clone();
        posed.points = points;
        let shot = super::render::trace(&posed, camera, plate);
        let mut picture = Pixmap::new(plate[0], plate[1]);
        super::render::fill(&mut picture, &shot, neutral, self.shader);
        bleed(&mut picture, 6);
        let depth = |x: i32, y: i32| {
            let inside = x >= 0 && y >= 0 && x < plate[0] as i32 && y < plate[1] as i32;
            if inside { shot[(y * plate[0] as i32 + x) as usize].map_or(f32::MIN, |h: Hit| h.depth) } else { f32::MIN }
        };
        let seen = projected.iter().zip(&normals).zip(&posed.points).map(|((q, n), p)| {
            let (x, y) = (q[0] as i32, q[1] as i32);
            let far = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).map(|(dx, dy)| depth(x + dx, y + dy));
            let far = far.fold(f32::MIN, f32::max);
            q[2] < far + 0.012 && dot(*n, norm(sub(Camera::eye(), *p))) > 0.12
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

    fn eyeball(&self, camera: &Camera, canvas: Rect, (mesh, centre, radius): &(Mesh, V3, f32), hand: f32) -> Eyeball {
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
                    *pixel = EyePixel {
                        depth: z,
                        normal,
                        light: eye_light((p[1] - centre[1]) / radius),
                        glint: mul([1.0, 0.98, 0.96], catchlight(normal, view)),
                    };
                }
            });
        }
        Eyeball { rect, pixels, iris }
    }

    fn torso_field(&self, size: [u32; 2], step: f32, shot: &Shot, pivot: V3) -> Field {
        let skin = &self.meshes[0];
        gathered(size, step, &shot.hits, |hit| {
            // Mesh 0 of the shot is skin, the rest is cloth.
            let cloth: Vec<&Mesh> = self.of(|s| matches!(s, Stuff::Cloth(_))).collect();
            let mesh = if hit.mesh == 0 { skin } else { cloth[hit.mesh as usize - 1] };
            let t = mesh.triangles[hit.triangle as usize];
            let p = between(&mesh.points, t, hit.weights());
            let head = (0..3).map(|k| mesh.head[t[k] as usize] * hit.weights()[k]).sum();
            let breath = smooth(2.4, 4.5, p[1]) * (1.0 - smooth(5.0, 5.7, p[1]));
            Influence { head, depth: p[2] - pivot[2], breath }
        })
    }

    fn hair_field(&self, size: [u32; 2], step: f32, items: &[Item<'_>], shot: &Shot, pivot: V3) -> Field {
        gathered(size, step, &shot.hits, |hit| {
            let mesh = items[hit.mesh as usize].mesh;
            hair_influence(between(&mesh.points, mesh.triangles[hit.triangle as usize], hit.weights()), pivot)
        })
    }

    fn head_field(&self, size: [u32; 2], step: f32, over: &Shot, camera: &Camera, plate: [u32; 2], pivot: V3) -> Field {
        let skin = &self.meshes[0];
        let traced = super::render::trace(skin, camera, plate);
        let cloth = self.of(|s| matches!(s, Stuff::Cloth(_))).count() as u16;
        let hair: Vec<&Mesh> = self.of(|s| s == Stuff::Hair).collect();
        // Hair where it shows, else skin of the head.
        let hits: Vec<Option<Hit>> = over
            .hits
            .iter()
            .zip(&traced)
            .map(|(over, skin)| over.map(|h| Hit { mesh: h.mesh - cloth, ..h }).or(skin.map(|h| Hit { mesh: 0, ..h })))
            .collect();
        gathered(size, step, &hits, |hit| {
            let mesh = if hit.mesh == 0 { skin } else { hair[hit.mesh as usize - 1] };
            let t = mesh.triangles[hit.triangle as usize];
            let p = between(&mesh.points, t, hit.weights());
            if hit.mesh == 0 {
                let head = (0..3).map(|k| mesh.head[t[k] as usize] * hit.weights()[k]).sum();
                Influence { head, depth: p[2] - pivot[2], breath: 0.0 }
            } else {
                hair_influence(p, pivot)
            }
        })
    }
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
    let first = mesh.traits[0];
    Inner {
        normals: super::mesh::normals(&mesh.points, &mesh.triangles),
        rest: mesh.traits.iter().map(|t| [t[0], t[1], t[2]]).collect(),
        row: [first[3], first[4], first[5]],
        flat,
    }
}

/// Drops what is too small to see and lets the rest begin gently.
fn softened(deltas: &[(u32, V3)]) -> Vec<(u32, V3)> {
    let soft = |&(v, d): &(u32, V3)| (v, mul(d, smooth(0.004, 0.014, super::v3::length(d))));
    deltas.iter().map(soft).filter(|(_, d)| d.iter().any(|c| *c != 0.0)).collect()
}

/// Hair goes with the head; where it lies on the shoulders it stays.
fn hair_influence(p: V3, pivot: V3) -> Influence {
    Influence { head: 0.12 + 0.88 * smooth(4.5, 5.9, p[1]), depth: p[2] - pivot[2], breath: 0.0 }
}

fn between(points: &[V3], t: [u32; 3], w: V3) -> V3 {
    let [a, b, c] = t.map(|v| points[v as usize]);
    add(add(mul(a, w[0]), mul(b, w[1])), mul(c, w[2]))
}

/// A field from what each pixel shows: means around every node, spread into the empty places and smoothed.
fn gathered(size: [u32; 2], step: f32, hits: &[Option<Hit>], influence: impl Fn(&Hit) -> Influence) -> Field {
    const NODE: u32 = 8;
    let (columns, rows) = (size[0].div_ceil(NODE) as usize + 1, size[1].div_ceil(NODE) as usize + 1);
    let wide = (size[0] as f32 * step).ceil() as i32;
    let high = hits.len() as i32 / wide;
    let mut nodes: Vec<Option<Influence>> = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let (cx, cy) = ((column as f32 * 8.0 * step) as i32, (row as f32 * 8.0 * step) as i32);
            let reach = (6.0 * step) as i32;
            let (mut sum, mut count) = (Influence::default(), 0.0);
            for y in ((cy - reach).max(0)..(cy + reach + 1).min(high)).step_by(2) {
                for x in ((cx - reach).max(0)..(cx + reach + 1).min(wide)).step_by(2) {
                    if let Some(hit) = &hits[(y * wide + x) as usize] {
                        let i = influence(hit);
                        sum.head += i.head;
                        sum.depth += i.depth;
                        sum.breath += i.breath;
                        count += 1.0;
                    }
                }
            }
            let mean = |v: f32| v / count;
            nodes.push((count > 0.0).then(|| Influence {
                head: mean(sum.head),
                depth: mean(sum.depth),
                breath: mean(sum.breath),
            }));
        }
    }
    let filled = spread(nodes, columns, rows);
    Field::from_nodes(columns, rows, filled)
}

fn spread(mut nodes: Vec<Option<Influence>>, columns: usize, rows: usize) -> Vec<Influence> {
    let around = |nodes: &[Option<Influence>], at: usize| {
        let (x, y) = ((at % columns) as i32, (at / columns) as i32);
        let (mut sum, mut count) = (Influence::default(), 0.0);
        for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (nx, ny) = (x + dx, y + dy);
            if nx < 0 || ny < 0 || nx >= columns as i32 || ny >= rows as i32 {
                continue;
            }
            if let Some(i) = nodes[ny as usize * columns + nx as usize] {
                sum.head += i.head;
                sum.depth += i.depth;
                sum.breath += i.breath;
                count += 1.0;
            }
        }
        (count > 0.0).then(|| Influence {
            head: sum.head / count,
            depth: sum.depth / count,
            breath: sum.breath / count,
        })
    };
    // Far enough that no warp reaches an empty place.
    for _ in 0..10 {
        let old = nodes.clone();
        for at in 0..nodes.len() {
            if old[at].is_none() {
                nodes[at] = around(&old, at);
            }
        }
    }
    for _ in 0..2 {
        let old = nodes.clone();
        for at in 0..nodes.len() {
            if old[at].is_some() {
                nodes[at] = around(&old, at);
            }
        }
    }
    nodes.into_iter().map(Option::unwrap_or_default).collect()
}

/// Colours run over their edges, so that reading between pixels never meets emptiness.
fn bleed(picture: &mut Pixmap, times: u32) {
    let (width, height) = (picture.width() as i32, picture.height() as i32);
    for _ in 0..times {
        let old = picture.clone();
        for y in 0..height {
            for x in 0..width {
                if old.pixel(x as u32, y as u32)[3] != 0 {
                    continue;
                }
                let near = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().find_map(|(dx, dy)| {
                    let (nx, ny) = (x + dx, y + dy);
                    let inside = nx >= 0 && ny >= 0 && nx < width && ny < height;
                    inside.then(|| old.pixel(nx as u32, ny as u32)).filter(|p| p[3] != 0)
                });
                if let Some(color) = near {
                    picture.row_mut(y as u32)[x as usize] = color;
                }
            }
        }
    }
}

/// Without its outermost pixels, which the head's plate shows already: seen twice, soft edges would be hard and dark.
fn inner(mut picture: Pixmap, reach: usize) -> Pixmap {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let solid: Vec<bool> = picture.data().iter().map(|p| p[3] == 255).collect();
    let along = |from: &[bool], length: usize, step: usize, at: usize| {
        let place = at / step % length;
        let (low, high) = (place.saturating_sub(reach), (place + reach).min(length - 1));
        (low..=high).all(|k| from[at - place * step + k * step])
    };
    let rows: Vec<bool> = (0..solid.len()).map(|at| along(&solid, width, 1, at)).collect();
    for (at, pixel) in picture.data_mut().iter_mut().enumerate() {
        if !along(&rows, height, width, at) {
            *pixel = [0; 4];
        }
    }
    picture
}

/// Hair behind the neck lies in shadow.
fn darkened(mut picture: Pixmap) -> Pixmap {
    for p in picture.data_mut() {
        for c in &mut p[..3] {
            *c = (u32::from(*c) * 150 / 256) as u8;
        }
    }
    picture
}
