//! Whose arms these are.

use super::bones::Bones;
use crate::rig::body::parts::Mesh;
use crate::rig::body::sculpt::Body;
use crate::rig::cloth::garment::Garment;
use crate::rig::ground::camera::Camera;
use crate::rig::light::shade::Shader;
use crate::rig::people::person::Person;
use crate::rig::raster::render::Shot;

/// A figure in the light, and its body as it was painted.
pub(crate) struct Figure<'a> {
    pub(crate) body: &'a Body,
    pub(crate) person: &'a Person,
    pub(crate) garment: &'a Garment,
    pub(crate) meshes: &'a [Mesh],
    pub(crate) shader: &'a Shader<'a>,
    pub(crate) camera: Camera,
    /// Plate pixels.
    pub(crate) plate: [u32; 2],
    pub(crate) torso: &'a Shot,
    /// The meshes that hits of it count.
    pub(crate) shown: Vec<&'a Mesh>,
}

pub(super) fn bones(figure: &Figure<'_>, at: usize) -> Bones {
    let sign = if at == 0 { 1.0 } else { -1.0 };
    let body = figure.body;
    let shoulder = [sign * body.shoulder * 0.80, 4.75, body.limbs[at][0][2] * 0.5];
    let hang = 0.012 * (figure.person.stance.arms[at] - 7.0);
    Bones::new(sign, shoulder, hang, body.limbs[at], body.digits[at])
}
