//! Which picture of a performance a still is made of.

use compere_avatar::{Acted, Channel};

/// How well it suits: open eyes that look at the viewer, lips at rest.
pub(crate) fn look(acted: &Acted) -> f32 {
    let lips = acted.get(Channel::Jaw) + acted.get(Channel::Pucker) + acted.get(Channel::Funnel);
    1.0 - 2.0 * acted.get(Channel::Blink) - 1.2 * lips - 0.5 * acted.get(Channel::LookX).abs()
}
