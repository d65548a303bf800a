//! One picture of somebody who is being designed, as soon as a slider is let go: all of the figure drawn at once, by few
//! lamps and with every fourth strand. Nothing of it can move.

use compere_media::Pixmap;

use super::{Parts, between, built, lit};
use crate::AvatarError;
use crate::act::Face;
use crate::entry::Stand;
use crate::rig::body::parts::{Mesh, Stuff};
use crate::rig::ground::camera::Camera;
use crate::rig::ground::care::Care;
use crate::rig::ground::data::Library;
use crate::rig::ground::v3::V3;
use crate::rig::light::badge::Badge;
use crate::rig::people::person::{Outfit, Person};
use crate::rig::raster::render::{Item, render};

/// As large as the stand is.
pub(in crate::rig) fn glance(
    library: &Library,
    person: &Person,
    outfit: &Outfit,
    badge: Option<&Badge>,
    stand: &Stand,
    face: &Face,
) -> Result<Pixmap, AvatarError> {
    let mut built = built(library, person, outfit, stand, Care::Glance)?;
    let expressions = &built.body.expressions;
    let weight = |at: usize| (face.get(expressions[at].channel) * expressions[at].sign).max(0.0);
    for mesh in built.meshes.iter_mut().filter(|mesh| !mesh.moves.is_empty()) {
        mesh.points = mesh.deformed(weight);
        if mesh.stuff == Stuff::Skin {
            mesh.normals = crate::rig::ground::mesh::normals(&mesh.points, &mesh.triangles);
        }
    }
    crate::rig::light::studio::bake(&mut built.meshes, &built.garment, Care::Glance);
    Ok(lit(&mut built, person, outfit, badge, stand.unit, |Parts { meshes, shader, .. }| {
        let garment = shader.garment;
        let arm = |mesh: &Mesh, t: [u32; 3], w: V3| (0..3).map(|k| mesh.arm(t[k] as usize) * w[k]).sum::<f32>();
        let cut = |mesh: &Mesh, t: [u32; 3], w: V3| match mesh.stuff {
            Stuff::Cloth(layer) => garment.gone(layer, between(&mesh.sewn, t, w), arm(mesh, t, w)),
            Stuff::Skin => garment.covers(between(&mesh.sewn, t, w), arm(mesh, t, w)),
            _ => false,
        };
        let drops = |mesh: &Mesh| matches!(mesh.stuff, Stuff::Cloth(_) | Stuff::Skin);
        // Skin first: it hides the strands under it.
        let item = |mesh| Item { mesh, shown: true, drop: drops(mesh).then_some(&cut as _), margins: &[] };
        let items: Vec<Item<'_>> = meshes.iter().map(item).collect();
        let size = [stand.rect.width(), stand.rect.height()];
        let camera = Camera { unit: stand.unit, middle: stand.middle, top: stand.top };
        render(&items, &camera, size, 2, shader).picture
    }))
}
