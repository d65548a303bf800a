//! From a person and an outfit to a puppet.

use compere_media::{Pixmap, Rect};

use super::brows::Brows;
use super::cloth::{Garment, sew};
use super::data::Library;
use super::face::{Eyeball, FaceRig, IRIS, Inner, Lashes, Moves, Page, Skin, Soft, softened};
use super::hair::{Skull, grow};
use super::parts::{Mesh, Stuff, eyes, lashes, mouth, skin};
use super::person::{Outfit, Person};
use super::render::{Camera, Hit, Item, Shot, encode, render};
use super::sculpt::{Body, sculpt};
use super::shade::Shader;
use super::v3::{V3, add, dot, mul, norm, sub};
use crate::AvatarError;
use crate::act::{self, Ch};
use crate::cast::Stand;
use crate::maths::smooth;
use crate::puppet::{Field, Influence, Plate, Puppet};

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
        let scale: i32 = if stand.unit < 200.0 { 384 } else { 256 };
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
        let face = self.face(&camera, plate, over.picture.clone(), &torso.hits);
        let everything: Vec<u32> = (0..face.skin.soft.triangles.len() as u32).collect();
        let canvas = Rect::of_size(plate[0], plate[1]);
        let head = face.picture(canvas, &face.prepare(canvas, &everything), &act::rest());
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

    fn face(&self, camera: &Camera, plate: [u32; 2], over: Pixmap, torso: &[Option<Hit>]) -> FaceRig {
        let skin = &self.meshes[0];
        let keep: Vec<[u32; 3]> = skin
            .triangles
            .iter()
            .copied()
            .filter(|t| t.iter().any(|&v| skin.head[v as usize] > FADE[0] * 0.6))
            .collect();
        let soft = Soft { points: skin.points.clone(), triangles: keep, moves: self.moves(skin) };
        let (soft, kept) = compact(soft);
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
        let pages = soft.triangles.iter().map(|t| {
            let all = |seen: &[bool]| t.iter().all(|&v| seen[kept[v as usize] as usize]);
            if all(&seen_first) {
                Page::Neutral
            } else if all(&seen_second) {
                Page::Unfolded
            } else {
                Page::Vertices
            }
        });
        let pages: Vec<Page> = pages.collect();
        let pick = |all: &[[f32; 2]]| kept.iter().map(|&v| all[v as usize]).collect::<Vec<_>>();
        // Under a collar nothing of the neck is painted with the head: it would lie on top.
        let covered = |p: V3| {
            let q = camera.project(p);
            let inside = q[0] >= 0.0 && q[1] >= 0.0 && q[0] < plate[0] as f32 && q[1] < plate[1] as f32;
            let hit = if inside { torso[q[1] as usize * plate[0] as usize + q[0] as usize] } else { None };
            hit.is_some_and(|hit| hit.mesh != 0 && hit.depth < q[2] - 0.01)
        };
        let alpha: Vec<f32> = kept
            .iter()
            .map(|&v| {
                let head = smooth(FADE[0], FADE[1], skin.head[v as usize]);
                if head < 1.0 && covered(skin.points[v as usize]) { 0.0 } else { head }
            })
            .collect();
        let colors = self.vertex_colors(skin, &kept, &soft, &pages);
        let bounds = soft.points.iter().fold(Rect::default(), |all, &p| {
            let q = camera.project(p);
            all.union(Rect::new(q[0] as i32 - 8, q[1] as i32 - 8, q[0] as i32 + 8, q[1] as i32 + 8))
        });
        let page_rect = bounds.grown(8).intersect(Rect::of_size(plate[0], plate[1]));
        let rects =
            [0, 1].map(|which| self.feature_rect(camera, &soft, which).intersect(Rect::of_size(plate[0], plate[1])));
        let reach = (camera.unit * 0.22) as i32;
        let near = rects.map(|rect| -> Vec<u32> {
            let rect = rect.grown(reach);
            let inside = |t: &[u32; 3]| {
                let corners = t.map(|v| camera.project(soft.points[v as usize]));
                let low = |k: usize| corners.iter().map(|c| c[k]).fold(f32::MAX, f32::min) as i32;
                let high = |k: usize| corners.iter().map(|c| c[k]).fold(f32::MIN, f32::max) as i32 + 1;
                !Rect::new(low(0), low(1), high(0), high(1)).intersect(rect).is_empty()
            };
            (0..soft.triangles.len() as u32).filter(|&at| inside(&soft.triangles[at as usize])).collect()
        });
        let lash = self.of(|s| s == Stuff::Lash).next().expect("every face has lashes");
        let corner = [page_rect.x0 as f32 + 0.5, page_rect.y0 as f32 + 0.5];
        let place = |all: &[[f32; 2]]| pick(all).into_iter().map(|p| [p[0] - corner[0], p[1] - corner[1]]).collect();
        let solid = soft.triangles.iter().map(|t| t.iter().all(|&v| alpha[v as usize] >= 1.0));
        let solid = solid.collect();
        let lit = kept.iter().map(|&v| self.lit[v as usize]).collect();
        let mut face = FaceRig {
            camera: *camera,
            rects,
            skin: Skin { at: [place(&at_first), place(&at_second)], soft, pages, colors, alpha, solid, lit },
            pages: [first.cropped(page_rect), second.cropped(page_rect)],
            eyes: self.balls.iter().zip([1.0, -1.0]).map(|(ball, hand)| self.eyeball(ball, hand)).collect(),
            inner: self.of(|s| matches!(s, Stuff::Teeth | Stuff::Tongue)).map(|m| self.inner(m)).collect(),
            lashes: Lashes {
                soft: Soft { points: lash.points.clone(), triangles: lash.triangles.clone(), moves: self.moves(lash) },
                color: self.shader.look.lash.map(|c| (encode(c) * 255.0) as u8),
            },
            over,
            near: Default::default(),
        };
        let prepared = [0, 1].map(|which| face.prepare(rects[which], &near[which]));
        face.near = prepared;
        face
    }

    fn moves(&self, mesh: &Mesh) -> Vec<Moves> {
        let expressions = &self.body.expressions;
        let moves = mesh.moves.iter().map(|(at, deltas)| Moves {
            channel: expressions[*at].channel as usize,
            sign: expressions[*at].sign,
            deltas: softened(deltas),
        });
        moves.filter(|m| !m.deltas.is_empty()).collect()
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

    fn vertex_colors(&self, skin: &Mesh, kept: &[u32], soft: &Soft, pages: &[Page]) -> Vec<[u8; 3]> {
        let mut colors = vec![[0; 3]; kept.len()];
        for (t, page) in soft.triangles.iter().zip(pages) {
            if *page != Page::Vertices {
                continue;
            }
            let full = t.map(|v| kept[v as usize]);
            for k in 0..3 {
                let mut w = [0.0; 3];
                w[k] = 1.0;
                colors[t[k] as usize] = self.shader.shade(skin, full, w).map(|c| (encode(c) * 255.0) as u8);
            }
        }
        colors
    }

    /// Where the mouth's or the eyes' channels move skin, on the plate.
    fn feature_rect(&self, camera: &Camera, soft: &Soft, which: usize) -> Rect {
        let mut out = Rect::default();
        for moves in &soft.moves {
            if (moves.channel < Ch::MOUTH) != (which == 0) {
                continue;
            }
            for &(v, d) in &moves.deltas {
                let p = soft.points[v as usize];
                for p in [p, add(p, d)] {
                    let q = camera.project(p);
                    out = out.union(Rect::new(q[0] as i32 - 2, q[1] as i32 - 2, q[0] as i32 + 3, q[1] as i32 + 3));
                }
            }
        }
        // Lashes stick out of the skin they follow.
        if which == 1 { out.grown((camera.unit * 0.06) as i32) } else { out }
    }

    fn eyeball(&self, (mesh, centre, radius): &(Mesh, V3, f32), hand: f32) -> Eyeball {
        let mut iris = Vec::with_capacity(IRIS * IRIS);
        for y in 0..IRIS {
            for x in 0..IRIS {
                let dx = x as f32 / (IRIS - 1) as f32 * 2.0 - 1.0;
                let dy = 1.0 - y as f32 / (IRIS - 1) as f32 * 2.0;
                let z = (1.0 - dx * dx - dy * dy).max(0.0).sqrt();
                iris.push(self.shader.iris(norm([dx, dy, z]), hand));
            }
        }
        Eyeball {
            points: mesh.points.clone(),
            triangles: mesh.triangles.clone(),
            centre: *centre,
            radius: *radius,
            iris,
        }
    }

    fn inner(&self, mesh: &Mesh) -> Inner {
        let first = mesh.traits[0];
        Inner {
            soft: Soft { points: mesh.points.clone(), triangles: mesh.triangles.clone(), moves: self.moves(mesh) },
            rest: mesh.traits.iter().map(|t| [t[0], t[1], t[2]]).collect(),
            row: [first[3], first[4], first[5]],
        }
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

/// Hair goes with the head; where it lies on the shoulders it stays.
fn hair_influence(p: V3, pivot: V3) -> Influence {
    Influence { head: 0.12 + 0.88 * smooth(4.5, 5.9, p[1]), depth: p[2] - pivot[2], breath: 0.0 }
}

fn between(points: &[V3], t: [u32; 3], w: V3) -> V3 {
    let [a, b, c] = t.map(|v| points[v as usize]);
    add(add(mul(a, w[0]), mul(b, w[1])), mul(c, w[2]))
}

/// Only the vertices that triangles use; and which they were.
fn compact(mut soft: Soft) -> (Soft, Vec<u32>) {
    let mut place = vec![u32::MAX; soft.points.len()];
    let mut kept = Vec::new();
    for v in soft.triangles.iter_mut().flatten() {
        let slot = &mut place[*v as usize];
        if *slot == u32::MAX {
            *slot = kept.len() as u32;
            kept.push(*v);
        }
        *v = *slot;
    }
    soft.points = kept.iter().map(|&v| soft.points[v as usize]).collect();
    for moves in &mut soft.moves {
        moves.deltas.retain_mut(|(v, _)| {
            *v = place[*v as usize];
            *v != u32::MAX
        });
    }
    (soft, kept)
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
