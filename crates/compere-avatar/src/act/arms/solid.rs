//! What bodies in space do otherwise: pictures of them end at the belt, so hands that act do so higher and nearer to the
//! body, and chests have depth.

use super::{COUNT, DESK, HEART, POINT, RAISE, RELAXED, Reach};

/// Fingers beside each other: the data's stand apart.
const CLOSED: f32 = -2.0;

/// Elbows a little bent, hands before the thighs: arms that hang straight are a doll's.
pub(super) const RELAX: Reach =
    Reach { wrist: [1.0, 0.02, -0.930, 0.20], swivel: 0.25, fingers: [-0.10, -0.95, 0.25], ..RELAXED };
/// A hand on the hip, its elbow out.
pub(super) const AKIMBO: Reach = Reach {
    wrist: [1.0, 0.05, -0.53, 0.02],
    swivel: 0.58,
    fingers: [-0.70, -0.60, 0.20],
    palm: [-0.60, -0.10, -0.75],
    curl: [0.40, 0.15, 0.20, 0.25, 0.30],
    spread: -1.5,
};
/// Hands that meet do so a little lower than elbows are, at the waist: before the chest, forearms are tubes that rise from a
/// picture's corners, and whoever has them there braces himself; level ones end in blunt elbows. They go on where their
/// forearms point: others would be bent at their wrists, which stand out of the sleeves then. This one is the lower, shows its
/// back, and keeps its fingers under the other.
pub(super) const MEET: Reach = Reach {
    wrist: [0.0, 0.116, -0.490, 0.44],
    swivel: 0.37,
    fingers: [-0.89, -0.20, 0.32],
    palm: [-0.62, -0.36, -0.66],
    curl: [0.20, 0.62, 0.66, 0.68, 0.70],
    spread: -1.3,
};
/// The hand that lies on its back: four fingers side by side that end there, and a thumb behind the index. Bent more, they
/// would be stumps; beyond the other hand, or apart, a rake.
pub(super) const COVER: Reach = Reach {
    wrist: [0.0, 0.152, -0.480, 0.55],
    fingers: [-0.93, -0.12, 0.18],
    palm: [-0.30, -0.38, -0.80],
    curl: [-1.0, 0.18, 0.20, 0.22, 0.22],
    spread: -2.3,
    ..MEET
};
/// Hands that meet, before the chest: forearms rise to there.
pub(super) fn raised(reach: Reach) -> Reach {
    let Reach { wrist: [share, out, up, forward], fingers: [x, y, z], .. } = reach;
    Reach { wrist: [share, out, up + 0.245, forward - 0.01], fingers: super::unit([x, y + 0.42, z - 0.07]), ..reach }
}
/// Hands that meet lower, forearms sloping down to them: sleeves fall from shoulder to cuff. No lower than hips, or half
/// figures end at the wrists and whole ones hide behind their hands. A hand across the other one's back.
pub(super) const GRIP: Reach = Reach {
    wrist: [0.0, 0.150, -0.565, 0.53],
    swivel: 0.34,
    fingers: [-0.890, -0.420, 0.172],
    palm: [-0.330, -0.258, -0.908],
    curl: [-1.0, 0.16, 0.18, 0.20, 0.20],
    ..COVER
};
/// The one that lies under it, its knuckles under the other's. With fingers that hang out below it would be a bundle.
pub(super) const HELD: Reach = Reach {
    wrist: [0.0, 0.108, -0.600, 0.43],
    swivel: 0.34,
    fingers: [-0.810, -0.515, 0.280],
    palm: [-0.591, -0.224, -0.775],
    ..MEET
};
/// Either of two whose fingertips touch: palms are turned so that they do so pair by pair. How far apart the wrists are
/// hangs on the hands.
pub(super) const STEEPLE: Reach = Reach {
    wrist: [0.0, 0.175, -0.28, 0.45],
    swivel: 0.45,
    fingers: [-0.50, 0.78, 0.38],
    palm: [-0.85, -0.40, -0.35],
    curl: [0.10, 0.14, 0.08, 0.10, 0.12],
    spread: -1.4,
};
/// Across the chest to the other arm, before its forearm.
/// Each hand lies on the other arm with its fingers beside each other, and ends on that: fingers that stand apart or over
/// it touch nothing.
pub(super) const OVER: Reach = Reach {
    wrist: [0.0, 0.175, -0.265, 0.79],
    swivel: 0.65,
    fingers: [-0.90, 0.30, -0.26],
    palm: [-0.42, -0.05, -0.90],
    curl: [0.20, 0.14, 0.16, 0.19, 0.22],
    spread: -2.45,
};
pub(super) const UNDER: Reach = Reach {
    wrist: [0.0, -0.125, -0.265, 0.20],
    swivel: 0.60,
    fingers: [-0.90, 0.18, -0.30],
    palm: [-0.48, -0.05, -0.87],
    curl: [0.20, 0.16, 0.17, 0.19, 0.22],
    spread: -2.45,
};
pub(super) const TABLE: Reach = Reach { wrist: [0.0, 0.20, -0.40, 0.50], spread: CLOSED, ..DESK };
/// How far a wrist is from the middle where both hands hold a tablet, in lengths of the arm.
pub(crate) const HELD_APART: f32 = 0.305;
/// Around the edge of a tablet, fingers flat on its back, the thumb behind.
pub(super) const HOLD: Reach = Reach {
    wrist: [0.0, HELD_APART, -0.315, 0.46],
    swivel: 0.14,
    fingers: [-0.98, 0.14, 0.0],
    palm: [-0.10, 0.05, -0.97],
    curl: [0.30, 0.04, 0.05, 0.06, 0.08],
    spread: -1.9,
};
/// Around the other edge, a little lower, as the tablet leans.
pub(super) const STEADY: Reach = Reach {
    wrist: [0.0, HELD_APART, -0.345, 0.46],
    fingers: [-0.98, 0.08, 0.02],
    curl: [0.30, 0.04, 0.05, 0.06, 0.09],
    ..HOLD
};
/// Palms that look at each other before the ribs, as around what is spoken of: farther out, pictures cut them, and shown
/// to the lens, they would be bent back at their wrists.
pub(super) const PALMS: Reach = Reach {
    wrist: [0.72, 0.02, -0.28, 0.42],
    swivel: 0.45,
    fingers: [0.03, 0.83, 0.45],
    palm: [-0.82, 0.28, 0.42],
    curl: [0.14, 0.13, 0.17, 0.21, 0.27],
    spread: -0.6,
};
pub(super) const UP: Reach = Reach { wrist: [1.0, 0.06, -0.14, 0.36], spread: -0.4, ..RAISE };
pub(super) const BREAST: Reach = Reach { wrist: [0.0, 0.165, -0.24, 0.26], spread: -1.4, ..HEART };
pub(super) const SHOW: Reach = Reach { wrist: [1.0, 0.06, -0.24, 0.40], spread: -1.0, ..POINT };
pub(super) const NUMBER: Reach = Reach { wrist: [1.0, 0.07, -0.16, 0.38], ..COUNT };
