//! What one presenter does and another does not: how the head is held, where the eyes wander, how lively both are.
//!
//! Small on purpose. Nobody notices a tilt of a degree; everybody notices six people who hold themselves alike.

use super::Head;
use super::arms::{Build, Idle};
use crate::maths::Dice;

/// How much somebody moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    /// One to three gestures a minute.
    #[default]
    Calm,
    /// Four to ten.
    Lively,
    /// As few as the calm, and smaller; hands meet in front of the body.
    Formal,
}

/// Follows from a presenter's id and manner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Habits {
    /// Yaw, pitch and roll of the head at rest, in radians.
    pub(super) home: [f32; 3],
    /// Bursts of the head against the usual.
    pub(super) lively: f32,
    /// Share of the stressed words that are nodded to, and that the brows are raised at.
    pub(super) nods: f32,
    pub(super) brows: f32,
    /// Seconds from blink to blink, at least and at most.
    pub(super) blinks: [f32; 2],
    /// The side the eyes go to when they leave the camera: -1 to 1.
    pub(super) aside: f32,
    pub(super) manner: Manner,
    /// The arm that gestures: 0 at the picture's left.
    pub(super) hand: usize,
    /// How the arms are at rest.
    pub(super) rest: Idle,
    pub(super) build: Build,
    /// How far to the picture's right hands that meet are held, as a share of the arm.
    pub(super) shift: f32,
}

impl Default for Habits {
    /// Those of nobody.
    fn default() -> Self {
        Self {
            home: [0.0; 3],
            lively: 1.0,
            nods: 0.5,
            brows: 0.4,
            blinks: [2.9, 5.0],
            aside: 0.0,
            manner: Manner::Calm,
            hand: 0,
            rest: Idle::Beside,
            build: Build::Flat,
            shift: 0.0,
        }
    }
}

impl Habits {
    pub(crate) fn of(id: &str) -> Self {
        // FNV-1a.
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let mut dice = Dice::new(id.bytes().fold(0xcbf2_9ce4_8422_2325, fold), 7);
        let mut either = |low: f32, high: f32| {
            let size = dice.between(low, high);
            if dice.unit() < 0.5 { -size } else { size }
        };
        let home = [either(0.012, 0.040), either(0.0, 0.010), either(0.010, 0.030)];
        let aside = either(0.3, 1.0);
        let quick = dice.between(-0.3, 0.3);
        Self {
            home,
            lively: dice.between(0.85, 1.25),
            nods: dice.between(0.42, 0.62),
            brows: dice.between(0.30, 0.50),
            blinks: [2.9 + quick, 5.0 + quick],
            aside,
            hand: usize::from(dice.unit() < 0.3),
            ..Self::default()
        }
    }

    pub(crate) fn with_manner(mut self, manner: Manner) -> Self {
        let (lively, rest) = match manner {
            Manner::Calm => (0.88, Idle::Beside),
            Manner::Lively => (1.12, Idle::Beside),
            Manner::Formal => (0.78, Idle::Together),
        };
        self.lively *= lively;
        (self.manner, self.rest) = (manner, rest);
        self
    }

    /// Of a body in space, whose arms rest so, and whose chest is turned by that to the picture's right. A head on it may
    /// be held farther off the upright than a drawn one.
    pub(crate) fn solid(self, rest: Idle, turned: f32) -> Self {
        let build = Build::Solid { over: usize::from(turned < 0.0) };
        // Before the middle of a chest that is turned, hands would be beside the body for the lens.
        Self { rest, build, shift: -0.004 * turned, home: self.home.map(|angle| angle * 1.6), ..self }
    }

    /// How far outwards a hand is held for what the chest is turned by.
    pub(super) fn shift(&self, side: usize) -> f32 {
        if side == 0 { -self.shift } else { self.shift }
    }

    /// The head at rest.
    pub(super) fn head(&self) -> Head {
        let [yaw, pitch, roll] = self.home;
        Head::new(yaw, pitch, roll, yaw * 0.18, -pitch * 0.12, 0.0)
    }
}
