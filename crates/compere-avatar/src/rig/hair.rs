//! Who wears which style.

use super::groom::Drape;
use super::parts::{Mesh, Stuff};
use super::person::Hair;
use super::sculpt::Body;
use super::skull::Skull;
use crate::maths::Dice;

pub(super) fn grow(style: Hair, skull: &Skull, body: &Body) -> Vec<Mesh> {
    let drape = Drape::new(body);
    let mut dice = Dice::new(7, 3);
    let strands = match style {
        Hair::Long(cut) => super::styles::long(style, cut, skull, &drape, &mut dice),
        Hair::Short { top, side, sweep, .. } => super::styles::short(style, [top, side, sweep], skull, &mut dice),
        Hair::Curls { size } => super::styles::curls(style, size, skull, &mut dice),
        Hair::Tied { knot, high, part } => super::styles::tied(style, [knot, high, part], skull, &mut dice),
        Hair::Bald | Hair::Scarf => return Vec::new(),
    };
    vec![strands.mesh(Stuff::Hair)]
}
