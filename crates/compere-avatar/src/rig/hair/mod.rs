//! Who wears which style.

pub(crate) mod beard;
pub(crate) mod brows;
pub(crate) mod combed;
pub(crate) mod groom;
pub(crate) mod headgear;
pub(crate) mod locks;
pub(crate) mod long;
pub(crate) mod mane;
pub(crate) mod outline;
pub(crate) mod roots;
pub(crate) mod scarf;
pub(crate) mod short;
pub(crate) mod styles;
pub(crate) mod tresses;

use self::groom::Drape;
use crate::maths::Dice;
use crate::rig::body::parts::{Mesh, Stuff};
use crate::rig::body::sculpt::Body;
use crate::rig::body::skull::Skull;
use crate::rig::ground::care::Care;
use crate::rig::people::person::Hair;

/// Of hair that is only glanced at every fourth strand, and wider.
pub(crate) fn grow(style: Hair, skull: &Skull, body: &Body, care: Care) -> Vec<Mesh> {
    let drape = Drape::new(body);
    let mut dice = Dice::new(7, 3);
    let mut strands = match style {
        Hair::Long(cut) => long::long(style, cut, skull, &drape, &mut dice),
        Hair::Short { top, side, sweep, .. } => short::short(style, [top, side, sweep], skull, &mut dice),
        Hair::Curls { size, loose: true } => styles::ringlets(style, size, skull, &mut dice),
        Hair::Curls { size, .. } => styles::curls(style, size, skull, &mut dice),
        Hair::Tied { knot, high, part } => styles::tied(style, [knot, high, part], skull, &mut dice),
        Hair::Bald | Hair::Scarf => return Vec::new(),
    };
    if care == Care::Glance {
        strands = strands.thinned(4);
    }
    strands.over(skull);
    vec![strands.mesh(Stuff::Hair)]
}
