//! From a person and an outfit to a puppet: the plates here, the face that moves, how plates follow the head, and
//! what is done to pictures afterwards in a file each.

mod face;
mod fields;
mod retouch;

use std::sync::Arc;

use super::brows::Brows;
use super::cloth::{Garment, sew};
use super::data::Library;
use super::face::Shared;
use super::hair::{Skull, grow};
use super::parts::{Mesh, Stuff, eyes, lashes, mouth, skin};
use super::person::{Outfit, Person};
use super::render::{Camera, Hit, Item, render};
use super::sculpt::{Body, sculpt};
use super::shade::Shader;
use super::v3::{V3, add, mul};
use crate::AvatarError;
use crate::act::{self, Ch};
use crate::cast::Stand;
use crate::puppet::{Features as _, Plate, Puppet};
use fields::Grid;
use retouch::{closed, darkened, inner, lined};

/// Skin above this share of the head belongs to the head's plate; it fades in from the first to the second.
const FADE: [f32; 2] = [0.50, 0.78];

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
        let mut torso = render(&torso, &camera, plate, fine, self.shader);
        let blocking = |mesh, drop| Item { mesh, shown: false, drop };
        let mut over = vec![blocking(&self.meshes[0], None)];
        over.extend(self.of(|s| matches!(s, Stuff::Cloth(_))).map(|mesh| blocking(mesh, Some(&cut))));
        over.extend(self.of(|s| s == Stuff::Hair).map(shown));
        let over = render(&over, &camera, plate, fine, self.shader);
        let (face, mut head) = self.face(&camera, plate, &over.picture, &torso.hits);
        let face = Shared(Arc::new(face));
        face.paint(0, &act::rest(), &mut head);
        lined(&mut torso.picture, &head, |at| torso.hits[at].is_some_and(|hit| self.is_inside(&camera, hit)));
        let pivot = add(self.body.neck, [0.0, 0.25, 0.15]);
        let on_plate = camera.project(pivot);
        let grid = Grid { size, step: times, unit: stand.unit };
        Puppet {
            rect: stand.rect,
            scale,
            unit: stand.unit,
            pivot: [on_plate[0] / times, on_plate[1] / times],
            back: Some(Plate {
                field: self.hair_field(&grid, &hair, &back, pivot),
                picture: darkened(closed(inner(back.picture, 3), [&torso.picture, &head])),
            }),
            body: Plate { field: self.torso_field(&grid, &torso, pivot), picture: torso.picture },
            head: Plate { field: self.head_field(&grid, &over, &camera, plate, pivot), picture: head },
            features: Box::new(face),
        }
    }
}

impl Figure<'_> {
    /// Whether a hit of the body's plate, whose first mesh is skin, is on the inside of the skin.
    fn is_inside(&self, camera: &Camera, hit: Hit) -> bool {
        if hit.mesh != 0 {
            return false;
        }
        let skin = &self.meshes[0];
        let corners = skin.triangles[hit.triangle as usize].map(|v| camera.project(skin.points[v as usize]));
        let [a, b, c] = corners;
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    }
}

fn between(points: &[V3], t: [u32; 3], w: V3) -> V3 {
    let [a, b, c] = t.map(|v| points[v as usize]);
    add(add(mul(a, w[0]), mul(b, w[1])), mul(c, w[2]))
}
