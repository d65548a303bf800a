//! Arms and hands: what a posture is, independent of who has it.
//!
//! Positions are shares of the person's own shoulders and arms, so that one table serves every build; both arms are
//! described as if they were mirrored, x growing outwards from the middle of the body, y up, z towards the viewer.

mod solid;

pub(crate) use solid::HELD_APART;

use compere_media::Gesture;

use crate::maths::lerp;

/// Values of an arm, in order: place of the wrist, swivel of the elbow, direction of the fingers, of the palm, curl of
/// thumb to little finger, spread.
const VALUES: usize = 17;
const STEPS: f32 = 2048.0;

/// One arm with its hand. Whole numbers, so that equal poses compare equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arm([i16; VALUES]);

/// An arm as it is written down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// The wrist: shares of the half shoulder and of the arm outwards from the middle, of the arm up and forward from the
    /// shoulder.
    pub(crate) wrist: [f32; 4],
    /// Radians by which the elbow leaves the body.
    pub(crate) swivel: f32,
    /// Where the fingers point.
    pub(crate) fingers: [f32; 3],
    /// Where the palm looks.
    pub(crate) palm: [f32; 3],
    /// Thumb to little finger; 0 is straight, 1 a fist.
    pub(crate) curl: [f32; 5],
    pub(crate) spread: f32,
}

impl Arm {
    pub(crate) fn new(reach: &Reach) -> Self {
        let Reach { wrist, swivel, fingers, palm, curl, spread } = reach;
        let mut values = wrist.iter().chain([swivel]).chain(fingers).chain(palm).chain(curl).chain([spread]);
        Self(std::array::from_fn(|_| {
            let value = values.next().copied().unwrap_or(0.0);
            (value.clamp(-4.0, 4.0) * STEPS).round() as i16
        }))
    }

    pub(crate) fn reach(&self) -> Reach {
        let v: [f32; VALUES] = self.0.map(|value| f32::from(value) / STEPS);
        Reach {
            wrist: [v[0], v[1], v[2], v[3]],
            swivel: v[4],
            fingers: [v[5], v[6], v[7]],
            palm: [v[8], v[9], v[10]],
            curl: [v[11], v[12], v[13], v[14], v[15]],
            spread: v[16],
        }
    }
}

/// Both arms: the one at the picture's left, the one at its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arms {
    pub(crate) sides: [Arm; 2],
    /// Whether the left one carries a tablet.
    pub(crate) tablet: bool,
}

impl Default for Arms {
    fn default() -> Self {
        let arm = Arm::new(&RELAXED);
        Self { sides: [arm, arm], tablet: false }
    }
}

/// How arms are when nobody asks for anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Idle {
    /// Beside the thighs.
    #[default]
    Beside,
    /// Hands in each other before the body, the one at the picture's right over the other; or the other over that.
    Together,
    Crossed,
    /// Arms across the chest.
    Folded,
    /// One hand on the hip: the one that does not gesture.
    Hip,
    /// Before the body, only fingertips together.
    Steepled,
    /// Before the body, lower, one hand across the other's back.
    Wrist,
    /// Around a tablet. Where a script wants what nobody does with one, as [`Idle::Together`].
    Tablet,
}

/// Whether arms go around a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Build {
    #[default]
    Flat,
    /// The arm that lies over the other when both are folded: of the side that is turned away, since its elbow is seen.
    Solid { over: usize },
}

impl Build {
    pub(super) fn is_solid(self) -> bool {
        matches!(self, Self::Solid { .. })
    }
}

/// Between two arms. The fingers turn by way of the viewer, as a wrist does.
pub(super) fn between(a: &Reach, b: &Reach, t: f32) -> Reach {
    let arc = 4.0 * t * (1.0 - t);
    let three = |a: [f32; 3], b: [f32; 3], bow: f32| -> [f32; 3] {
        let mut out: [f32; 3] = std::array::from_fn(|k| lerp(a[k], b[k], t));
        let apart = 1.0 - (0..3).map(|k| a[k] * b[k]).sum::<f32>().clamp(-1.0, 1.0);
        out[2] += bow * arc * apart;
        unit(out)
    };
    let mut wrist: [f32; 4] = std::array::from_fn(|k| lerp(a.wrist[k], b.wrist[k], t));
    // A hand swings forward and a little outward on its way.
    let way = (0..4).map(|k| (a.wrist[k] - b.wrist[k]) * (a.wrist[k] - b.wrist[k])).sum::<f32>();
    let way = way.sqrt().min(1.0);
    wrist[1] += 0.07 * arc * way;
    wrist[3] += 0.14 * arc * way;
    Reach {
        wrist,
        swivel: lerp(a.swivel, b.swivel, t),
        fingers: three(a.fingers, b.fingers, 0.3),
        palm: three(a.palm, b.palm, 0.1),
        curl: std::array::from_fn(|k| lerp(a.curl[k], b.curl[k], t) + 0.10 * arc * way),
        spread: lerp(a.spread, b.spread, t),
    }
}

pub(crate) fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt().max(1e-4);
    v.map(|c| c / length)
}

pub(super) const RELAXED: Reach = Reach {
    wrist: [1.0, 0.10, -0.965, 0.10],
    swivel: 0.35,
    fingers: [-0.10, -0.97, 0.12],
    palm: [-0.80, 0.05, -0.55],
    curl: [0.30, 0.24, 0.32, 0.38, 0.42],
    spread: 0.05,
};

const TOGETHER: Reach = Reach {
    wrist: [0.0, 0.150, -0.515, 0.30],
    swivel: 0.10,
    fingers: [-0.86, -0.30, 0.25],
    palm: [-0.10, -0.25, -0.95],
    curl: [0.35, 0.30, 0.36, 0.40, 0.45],
    spread: 0.05,
};

/// The arm in front, its hand on the other one.
const FOLDED: Reach = Reach {
    wrist: [0.0, -0.190, -0.385, 0.26],
    swivel: 0.22,
    fingers: [-0.80, 0.60, -0.05],
    palm: [-0.10, -0.05, -1.0],
    curl: [0.30, 0.20, 0.22, 0.24, 0.28],
    spread: 0.06,
};

/// The arm behind it, its hand under the other one.
const TUCKED: Reach = Reach {
    wrist: [0.0, -0.235, -0.430, 0.16],
    swivel: 0.20,
    fingers: [-0.30, 0.95, -0.05],
    palm: [-0.10, -0.05, -1.0],
    curl: [0.30, 0.45, 0.50, 0.55, 0.60],
    spread: 0.0,
};

const DESK: Reach = Reach {
    wrist: [0.0, 0.20, -0.56, 0.50],
    swivel: 0.30,
    fingers: [-0.88, -0.12, 0.38],
    palm: [0.0, -0.80, -0.55],
    curl: [0.30, 0.22, 0.25, 0.28, 0.32],
    spread: 0.05,
};

/// Holds a tablet from below.
const HOLDING: Reach = Reach {
    wrist: [0.0, 0.170, -0.545, 0.42],
    swivel: 0.15,
    fingers: [-0.93, 0.30, 0.10],
    palm: [-0.10, 0.22, -0.97],
    curl: [0.30, 0.14, 0.16, 0.20, 0.24],
    spread: 0.08,
};

/// Writes on it.
const TOUCHING: Reach = Reach {
    wrist: [0.0, 0.200, -0.42, 0.30],
    swivel: 0.25,
    fingers: [-0.80, 0.35, 0.30],
    palm: [-0.15, -0.30, 0.94],
    curl: [0.45, 0.12, 0.55, 0.66, 0.75],
    spread: 0.0,
};

const OPEN: Reach = Reach {
    wrist: [1.0, 0.16, -0.54, 0.40],
    swivel: 0.35,
    fingers: [0.78, 0.50, 0.22],
    palm: [-0.40, 0.42, 0.80],
    curl: [0.05, 0.10, 0.14, 0.18, 0.22],
    spread: 0.35,
};

const RAISE: Reach = Reach {
    wrist: [1.0, 0.12, -0.20, 0.34],
    swivel: 0.45,
    fingers: [0.16, 0.97, 0.10],
    palm: [-0.22, -0.05, 0.97],
    curl: [0.05, 0.08, 0.08, 0.12, 0.16],
    spread: 0.45,
};

const HEART: Reach = Reach {
    wrist: [0.0, 0.165, -0.32, 0.26],
    swivel: 0.75,
    fingers: [-0.90, 0.34, 0.05],
    palm: [-0.05, 0.05, -1.0],
    curl: [0.15, 0.10, 0.12, 0.14, 0.18],
    spread: 0.12,
};

const POINT: Reach = Reach {
    wrist: [1.0, 0.50, -0.33, 0.36],
    swivel: 0.35,
    fingers: [0.90, 0.38, 0.20],
    palm: [-0.30, 0.55, 0.78],
    curl: [0.05, 0.02, 0.10, 0.16, 0.22],
    spread: 0.18,
};

const COUNT: Reach = Reach {
    wrist: [1.0, 0.13, -0.22, 0.36],
    swivel: 0.42,
    fingers: [0.06, 0.99, 0.06],
    palm: [-0.15, -0.05, 0.98],
    curl: [1.0, 0.0, 1.0, 1.0, 1.0],
    spread: 0.25,
};

/// Instead of a hand, for gestures that may take both.
pub(super) const BOTH: usize = 2;

/// A tablet carried at the side.
pub(super) fn carrying() -> Reach {
    Reach {
        wrist: [1.0, 0.12, -0.90, 0.18],
        fingers: [-0.25, -0.90, 0.30],
        curl: [0.4, 0.55, 0.55, 0.58, 0.6],
        ..RELAXED
    }
}

/// Whether a hand lies in the other one, or an arm on the other.
pub(super) fn is_met(reach: &Reach) -> bool {
    touches(reach) || [solid::OVER, solid::UNDER].contains(reach)
}

/// Whether it is one of two hands that touch, at whatever height.
pub(super) fn touches(reach: &Reach) -> bool {
    let alike = |met: &Reach| met.curl == reach.curl;
    [solid::MEET, solid::COVER, solid::STEEPLE, solid::GRIP, solid::HELD, solid::HOLD, solid::STEADY].iter().any(alike)
}

/// Both arms at rest; `hand` is the one that would act.
pub(super) fn idle(idle: Idle, hand: usize, build: Build) -> [Reach; 2] {
    let of = |gesture| arms(gesture, hand, build).map(|arm| arm.unwrap_or(RELAXED));
    match idle {
        Idle::Beside => of(Gesture::Relaxed),
        Idle::Folded => of(Gesture::Folded),
        Idle::Hip => {
            let mut both = of(Gesture::Relaxed);
            if build.is_solid() {
                both[1 - hand.min(1)] = solid::AKIMBO;
            }
            both
        }
        Idle::Together => together(build),
        Idle::Crossed => {
            let [under, over] = together(build);
            [over, under]
        }
        Idle::Tablet => of(Gesture::Tablet),
        Idle::Steepled if build.is_solid() => [solid::STEEPLE; 2],
        Idle::Steepled => together(build),
        Idle::Wrist => match build {
            Build::Flat => together(build),
            Build::Solid { over } => std::array::from_fn(|side| if side == over { solid::GRIP } else { solid::HELD }),
        },
    }
}

/// Hands in each other, the one at the picture's right over the other.
fn together(build: Build) -> [Reach; 2] {
    if build.is_solid() {
        return [solid::MEET, solid::COVER];
    }
    let mut over = TOGETHER;
    over.wrist[2] += 0.035;
    over.wrist[3] += 0.05;
    [TOGETHER, over]
}

/// How both arms stand in a gesture, of a body in space or a flat one, when `hand` (0 or 1) is the one that does what one hand does. `None` leaves an arm
/// as it is.
pub(super) fn arms(gesture: Gesture, hand: usize, build: Build) -> [Option<Reach>; 2] {
    let is_solid = build.is_solid();
    let of = |flat: Reach, solid: Reach| if is_solid { solid } else { flat };
    let one = |reach: Reach| std::array::from_fn(|side| (side == hand).then_some(reach));
    let count = |fingers: usize| {
        let mut reach = of(COUNT, solid::NUMBER);
        // Index, middle, and then the thumb's side stays shut: ring.
        reach.curl[1..=fingers].fill(0.02);
        reach.spread = if fingers == 1 { 0.0 } else { 0.5 };
        one(reach)
    };
    match gesture {
        Gesture::Relaxed => [Some(of(RELAXED, solid::RELAX)); 2],
        // Whoever asks for it wants to see it, in pictures that end at the belt as well.
        Gesture::Together => together(build).map(|reach| Some(if is_solid { solid::raised(reach) } else { reach })),
        Gesture::Folded => match build {
            Build::Flat => [Some(TUCKED), Some(FOLDED)],
            Build::Solid { over } => {
                std::array::from_fn(|side| Some(if side == over { solid::OVER } else { solid::UNDER }))
            }
        },
        Gesture::Desk => {
            let desk = of(DESK, solid::TABLE);
            let mut over = desk;
            over.wrist[2] += 0.03;
            over.wrist[3] += if is_solid { 0.07 } else { 0.0 };
            std::array::from_fn(|side| Some(if side == 1 { over } else { desk }))
        }
        Gesture::Tablet => [Some(of(HOLDING, solid::HOLD)), Some(of(TOUCHING, solid::STEADY))],
        Gesture::Open => std::array::from_fn(|side| (hand == BOTH || side == hand).then_some(of(OPEN, solid::PALMS))),
        Gesture::Raise => one(of(RAISE, solid::UP)),
        Gesture::Heart => one(of(HEART, solid::BREAST)),
        Gesture::PointLeft => [Some(of(POINT, solid::SHOW)), None],
        Gesture::PointRight => [None, Some(of(POINT, solid::SHOW))],
        Gesture::One => count(1),
        Gesture::Two => count(2),
        Gesture::Three => count(3),
    }
}
