//! From a person and an outfit to a puppet: the plates here, the face that moves, how plates follow the head, and
//! what is done to pictures afterwards in a file each.

mod contact;
mod face;
mod fields;
mod floor;
mod glance;
mod locks;
mod nape;
mod retouch;

use crate::rig::body::skull::Skull;
use crate::rig::ground::camera::Camera;
use std::sync::Arc;

use crate::AvatarError;
use crate::act::{self, Ch};
use crate::entry::Stand;
use crate::puppet::{Features as _, Plate, Puppet};
use crate::rig::body::lashes::lashes;
use crate::rig::body::parts::{Mesh, PARTED, Piece, Stuff};
use crate::rig::body::sculpt::{Body, sculpt};
use crate::rig::body::skin::{eyes, mouth, skin};
use crate::rig::cloth::garment::Garment;
use crate::rig::cloth::sew;
use crate::rig::face::Shared;
use crate::rig::ground::care::Care;
use crate::rig::ground::data::Library;
use crate::rig::ground::v3::{V3, add, mul, ss};
use crate::rig::hair::beard::Beard;
use crate::rig::hair::brows::Brows;
use crate::rig::hair::grow;
use crate::rig::hair::headgear;
use crate::rig::light::badge::Badge;
use crate::rig::light::folds::{corner, lower_lip, tip, wing};
use crate::rig::light::shade::Shader;
use crate::rig::light::spectacles::Spectacles;
use crate::rig::limbs;
use crate::rig::people::person::{Glasses, Hair, Outfit, Person};
use crate::rig::raster::render::{Hit, Item, render};
use contact::Soft;
use fields::Grid;
pub(super) use glance::glance;
use nape::{Shows, inset};
use retouch::{carved, closed, darkened, darned, inner, lined, patched};

/// Skin above this share of the head belongs to the head's plate; it fades in from the first to the second.
const FADE: [f32; 2] = [0.50, 0.78];

/// How far a head may turn, in units of its outline, before the body shows what of a jaw it has.
const INSET: f32 = 0.18;

/// Half of how wide a lock is, and the side of the largest bit of hair that may not hang in the air.
const LOCK: f32 = 0.07;
const CRUMB: f32 = 0.06;
/// Holes of as many pixels as a square of that side are filled.
const HOLE: f32 = 0.16;
/// Half of how wide a thread across a lining is at most.
const THREAD: f32 = 0.012;

pub(super) fn puppet(
    library: &Library,
    person: &Person,
    outfit: &Outfit,
    badge: Option<&Badge>,
    stand: &Stand,
    care: Care,
) -> Result<Puppet, AvatarError> {
    let mut built = built(library, person, outfit, stand, care)?;
    // Lids are lit while they are down: open, they hide in their own fold.
    let (meshes, body) = (&mut built.meshes, &built.body);
    let neutral = (meshes[0].points.clone(), meshes[0].normals.clone());
    let asleep = meshes[0].deformed(|at| if body.expressions[at].channel == Ch::Blink { 0.8 } else { 0.0 });
    meshes[0].normals = crate::rig::ground::mesh::normals(&asleep, &meshes[0].triangles);
    meshes[0].points = asleep;
    crate::rig::light::studio::bake(meshes, &built.garment, care);
    let asleep = std::mem::replace(&mut meshes[0].points, neutral.0);
    meshes[0].normals = neutral.1;
    Ok(lit(&mut built, person, outfit, badge, stand.unit, |Parts { body, balls, meshes, shader }| {
        Figure { body, person, garment: shader.garment, meshes, shader, balls, lit: &asleep, care }.puppet(stand)
    }))
}

/// Everything of a figure, before light falls on it.
struct Built {
    body: Body,
    garment: Garment,
    skull: Skull,
    brows: Brows,
    beard: Option<Beard>,
    balls: Vec<(Mesh, V3, f32)>,
    /// Skin first.
    meshes: Vec<Mesh>,
}

fn built(library: &Library, person: &Person, outfit: &Outfit, stand: &Stand, care: Care) -> Result<Built, AvatarError> {
    let body = sculpt(library, person)?;
    let garment = Garment::new(&body, person, outfit);
    let low = person.stance.before(body.neck, stand.top - stand.rect.height() as f32 / stand.unit);
    let mut skin = skin(library, &body);
    let balls = eyes(library, &body);
    let skull = Skull::new(&body, &skin);
    // Hair that hangs over ears lies on them as a scarf does.
    if matches!(person.hair, Hair::Scarf | Hair::Long(_)) {
        crate::rig::hair::scarf::press_ears(&skull, &mut skin);
    }
    let brows = Brows::new(&body, &person.look, person.hair);
    let beard = (person.look.beard > 0.0).then(Beard::new);
    let mut meshes = vec![skin];
    meshes.extend(balls.iter().map(|ball| ball.0.clone()));
    meshes.extend(mouth(library, &body));
    // Heads and clothes know nothing of each other.
    #[expect(clippy::disallowed_methods, reason = "baking; what comes out is put together in order")]
    let (head, clothes) = std::thread::scope(|scope| {
        let clothes = scope.spawn(|| sew(library, &body, person, &garment, low));
        let mut head = vec![lashes(&body, person, &meshes[0], &balls)];
        head.extend(grow(person.hair, &skull, &body, care));
        head.extend(headgear::worn(person, &skull, &body, &meshes[0]));
        (head, clothes.join().expect("nobody panics over clothes"))
    });
    meshes.extend(head);
    meshes.extend(clothes);
    person.stance.take(&body, &mut meshes);
    Ok(Built { body, garment, skull, brows, beard, balls, meshes })
}

/// A figure in its light, and whoever shades it.
struct Parts<'a> {
    body: &'a Body,
    balls: &'a [(Mesh, V3, f32)],
    meshes: &'a [Mesh],
    shader: &'a Shader<'a>,
}

/// The rims that somebody wears.
fn spectacles(person: &Person, balls: &[(Mesh, V3, f32)], meshes: &[Mesh]) -> Option<Spectacles> {
    let Glasses::Framed { wide, high, round, .. } = person.look.glasses else { return None };
    let frame = meshes.iter().find(|mesh| mesh.stuff == Stuff::Frame)?;
    Some(Spectacles::new([0, 1].map(|at| balls[at].1), [wide, high, round], frame))
}

/// How deep the crease of an upper lid is.
fn crease(person: &Person) -> f32 {
    let asian = person.ancestry.iter().filter(|(of, _)| *of == "asian").map(|(_, share)| share);
    // Lids of the old have folds of their own.
    (1.0 - 0.6 * asian.sum::<f32>()) * ss(66.0, 54.0, person.age)
}

/// What is made of a figure in its light.
fn lit<T>(
    built: &mut Built,
    person: &Person,
    outfit: &Outfit,
    badge: Option<&Badge>,
    unit: f32,
    make: impl FnOnce(Parts<'_>) -> T,
) -> T {
    let Built { body, garment, skull, brows, beard, balls, meshes } = built;
    let nose = tip(&meshes[0]);
    let shader = &Shader {
        look: &person.look,
        hair: person.hair,
        outfit,
        badge,
        garment,
        skull,
        brows,
        spectacles: spectacles(person, balls, meshes),
        beard: beard.as_ref(),
        balls: [0, 1].map(|k| (balls[k].1, balls[k].2)),
        corner: corner(&meshes[0]),
        nose,
        wing: wing(&meshes[0], nose),
        lower: lower_lip(&meshes[0], corner(&meshes[0])),
        inner: [0, 1].map(|k| body.lids[k].inner()),
        lids: &body.lids,
        crease: crease(person),
        unit,
    };
    for mesh in meshes.iter_mut().filter(|mesh| mesh.stuff == Stuff::Hair) {
        mesh.colors = shader.strands(mesh);
    }
    make(Parts { body, balls, meshes, shader })
}

struct Figure<'a> {
    body: &'a Body,
    person: &'a Person,
    garment: &'a Garment,
    meshes: &'a [Mesh],
    shader: &'a Shader<'a>,
    balls: &'a [(Mesh, V3, f32)],
    /// Skin as it lay in the light.
    lit: &'a [V3],
    care: Care,
}

impl Figure<'_> {
    fn of(&self, chosen: impl Fn(Stuff) -> bool) -> impl Iterator<Item = &Mesh> {
        self.meshes.iter().filter(move |m| chosen(m.stuff))
    }

    fn puppet(&self, stand: &Stand) -> Puppet {
        let size = [stand.rect.width(), stand.rect.height()];
        // Small pictures are baked a little larger, as far as a frame's time allows.
        let scale: i32 = if stand.unit < 120.0 { 320 } else { 256 };
        let times = scale as f32 / 256.0;
        let plate = size.map(|v| (v as f32 * times).ceil() as u32);
        let camera = Camera { unit: stand.unit * times, middle: stand.middle * times, top: stand.top };
        let arm = |mesh: &Mesh, t: [u32; 3], w: V3| (0..3).map(|k| mesh.arm(t[k] as usize) * w[k]).sum::<f32>();
        let cut = |mesh: &Mesh, t: [u32; 3], w: V3| match mesh.stuff {
            Stuff::Cloth(layer) => {
                let arm = arm(mesh, t, w);
                moves(layer, arm) || self.garment.gone(layer, between(&mesh.sewn, t, w), arm)
            }
            _ => false,
        };
        let headless = |mesh: &Mesh, t: [u32; 3], w: V3| {
            let head = (0..3).map(|k| mesh.head[t[k] as usize] * w[k]).sum::<f32>();
            let arm = arm(mesh, t, w);
            head > 0.985 || arm > PARTED || self.garment.covers(between(&mesh.sewn, t, w), arm)
        };
        let worn: Vec<(&Mesh, Vec<f32>)> =
            self.of(|s| matches!(s, Stuff::Cloth(_))).map(|mesh| (mesh, self.margins(mesh))).collect();
        let cloth = |shown: bool| {
            let cut: &crate::rig::raster::render::Drop<'_> = &cut;
            worn.iter().map(move |(mesh, margins)| Item { mesh, shown, drop: Some(cut), margins })
        };
        let bare = |mesh, shown| Item { mesh, shown, drop: None, margins: &[] };
        let hair: Vec<Item<'_>> = self.of(|s| matches!(s, Stuff::Hair | Stuff::Scarf)).map(|m| bare(m, true)).collect();
        let back = render(&hair, &camera, plate, self.care.samples(2), self.shader);
        let mut torso = vec![Item { mesh: &self.meshes[0], shown: true, drop: Some(&headless), margins: &[] }];
        torso.extend(cloth(true));
        let mut torso = render(&torso, &camera, plate, self.care.samples(3), self.shader);
        let near = |units: f32| ((units * camera.unit) as usize).max(1);
        // A shirt's collar stands off as far as a lapel, but it is thin.
        let [strength, most] = if self.garment.is_jacket() { [5.0, 0.30] } else { [2.5, 0.15] };
        // Mesh 0 is skin.
        let lining = |hit: &Hit| {
            hit.mesh > 0 && {
                let mesh = worn[usize::from(hit.mesh) - 1].0;
                matches!(mesh.stuff, Stuff::Cloth(layer) if layer_moves(layer)) && Self::faces_away(&camera, mesh, hit)
            }
        };
        darned(&mut torso, near(THREAD) + 1, lining);
        carved(&mut torso, near(0.06), strength, [most, 0.0], |hit| hit.mesh != 0 && !lining(hit));
        let mut shown = vec![bare(&self.meshes[0], false)];
        shown.extend(cloth(false));
        shown.extend(self.of(Stuff::is_headgear).map(|mesh| bare(mesh, true)));
        let mut over = render(&shown, &camera, plate, self.care.samples(4), self.shader);
        let is_hair = |hit: &Hit| shown[usize::from(hit.mesh)].mesh.stuff == Stuff::Hair;
        locks::shaded(&mut over, near(LOCK), locks::dark(self.person.hair), is_hair);
        locks::swept(&mut over.picture, near(CRUMB) * near(CRUMB));
        if let Some(rims) = &self.shader.spectacles {
            rims.reflect(&mut over.picture, &camera);
        }
        contact::under_cloth(&mut torso, Soft::new(contact::CLOTH, &camera));
        // Rims stand off a face, and behind a lens it would be dirt.
        let shades = contact::only(&over, |hit| shown[usize::from(hit.mesh)].mesh.stuff != Stuff::Frame);
        let (face, mut head) = self.face(&camera, plate, [&over.picture, &shades], &torso.hits);
        let face = Shared(Arc::new(face));
        face.paint(0, &act::rest(), &mut head);
        let (picture, hits) = (&mut torso.picture, &torso.hits);
        contact::under(picture, &head, Soft::new(contact::JAW, &camera), |at| {
            hits[at].is_some_and(|hit| hit.mesh == 0)
        });
        lined(&mut torso.picture, &head, |at| torso.hits[at].is_some_and(|hit| self.is_inside(&camera, hit)));
        let shows = |at: usize| torso.hits[at].map_or(Shows::Cloth, |hit| self.shown(&camera, hit));
        inset(&mut torso.picture, &head, near(INSET), shows);
        patched(&mut torso.picture, &[&head, &back.picture], near(HOLE) * near(HOLE));
        if let Some(shoes) = self.of(|s| s == Stuff::Cloth(Piece::Shoes)).next() {
            floor::shade(&mut torso.picture, &camera, shoes);
        }
        let limbs = limbs::cut(&limbs::Figure {
            body: self.body,
            person: self.person,
            garment: self.garment,
            meshes: self.meshes,
            shader: self.shader,
            camera,
            plate,
            torso: &torso,
            shown: std::iter::once(&self.meshes[0]).chain(worn.iter().map(|(mesh, _)| *mesh)).collect(),
        });
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
                picture: darkened(closed(
                    inner(back.picture, near(self.person.hair.hides()).max(3)),
                    [&torso.picture, &head],
                )),
            }),
            body: Plate { field: self.torso_field(&grid, &torso, stand.top, pivot), picture: torso.picture },
            head: Plate { field: self.head_field(&grid, &over, &camera, plate, pivot), picture: head },
            limbs: Some(Box::new(limbs)),
            features: Box::new(face),
        }
    }
}

impl Figure<'_> {
    /// How far inside its garment each point of a mesh lies.
    fn margins(&self, mesh: &Mesh) -> Vec<f32> {
        let Stuff::Cloth(layer) = mesh.stuff else { return Vec::new() };
        let points = mesh.sewn.iter().zip(mesh.cloth());
        let parted = |arm: f32| if layer_moves(layer) && arm > 0.0 { 0.3 * (PARTED - arm) } else { f32::MAX };
        points.map(|(&p, traits)| self.garment.margin(layer, p, traits.arm).min(parted(traits.arm))).collect()
    }

    /// Whether a hit of the body's plate, whose first mesh is skin, is on the inside of the skin.
    fn is_inside(&self, camera: &Camera, hit: Hit) -> bool {
        if hit.mesh != 0 {
            return false;
        }
        Self::faces_away(camera, &self.meshes[0], &hit)
    }

    /// What a hit of the body's plate shows. Where it looks into the hollow skin the head's colours are.
    fn shown(&self, camera: &Camera, hit: Hit) -> Shows {
        let (skin, w) = (&self.meshes[0], hit.weights());
        let Some(t) = skin.triangles.get(hit.triangle as usize).filter(|_| hit.mesh == 0) else { return Shows::Cloth };
        let head = (0..3).map(|k| skin.head[t[k] as usize] * w[k]).sum::<f32>();
        if head > FADE[1] || Self::faces_away(camera, skin, &hit) { Shows::Head } else { Shows::Neck }
    }

    fn faces_away(camera: &Camera, mesh: &Mesh, hit: &Hit) -> bool {
        let [a, b, c] = mesh.triangles[hit.triangle as usize].map(|v| camera.project(mesh.points[v as usize]));
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    }
}

/// Whether a layer has sleeves, which are no part of a plate.
fn layer_moves(layer: Piece) -> bool {
    matches!(layer, Piece::Top | Piece::Jacket)
}

fn moves(layer: Piece, arm: f32) -> bool {
    layer_moves(layer) && arm > PARTED
}

fn between(points: &[V3], t: [u32; 3], w: V3) -> V3 {
    let [a, b, c] = t.map(|v| points[v as usize]);
    add(add(mul(a, w[0]), mul(b, w[1])), mul(c, w[2]))
}
