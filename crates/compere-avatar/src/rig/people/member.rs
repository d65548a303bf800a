//! What a member of the cast is, and what many share: shapes, and the colour of nothing.

use super::person::{Color, Person};

pub(crate) struct Member {
    pub(crate) id: &'static str,
    pub(crate) alias: &'static str,
    pub(crate) name: &'static str,
    /// Height of the middle of the face, and of the face from brows to chin, as networks that find faces see them:
    /// compere-own's `track::placed` says how far off these are.
    pub(crate) face: [f32; 2],
    pub(crate) voices: &'static [(&'static str, &'static str)],
    pub(crate) person: Person,
}

/// The colour of what an outfit does not have: nothing under a knit, no tie at an open collar.
pub(crate) const NONE: Color = [0.8; 3];

/// What women of the cast share: from the data's averages to the features of a film's characters.
pub(crate) const WOMAN: &[(&str, f32)] = &[
    ("head/head-fat-decr", 0.3),
    ("eyes/#-eye-height2-incr", 0.5),
    ("eyes/#-eye-corner2-up", 0.2),
    ("eyes/#-eye-bag-decr", 0.7),
    ("ears/#-ear-shape-round", 0.6),
    ("mouth/mouth-cupidsbow-incr", 0.8),
    ("mouth/mouth-angles-up", 0.22),
    ("nose/nose-hump-decr", 0.2),
    ("chin/chin-jaw-drop-decr", 0.2),
    ("eyebrows/eyebrows-trans-up", 0.2),
    ("neck/neck-scale-horiz-decr", 0.35),
    ("neck/neck-scale-vert-decr", 0.65),
    ("torso/measure-shoulder-dist-decr", 0.8),
    ("torso/torso-scale-horiz-decr", 0.5),
    ("torso/torso-scale-vert-decr", 0.4),
    ("torso/measure-bust-circ-decr", 1.0),
    ("torso/measure-waist-circ-decr", 0.3),
    ("torso/measure-hips-circ-decr", 0.6),
    ("ears/#-ear-scale-decr", 0.25),
];

/// What men of the cast share.
pub(crate) const MAN: &[(&str, f32)] = &[
    ("eyes/#-eye-bag-decr", 0.7),
    ("ears/#-ear-shape-round", 0.6),
    ("chin/chin-width-incr", 0.2),
    ("chin/chin-jaw-drop-incr", 0.1),
    ("mouth/mouth-angles-up", 0.22),
    ("mouth/mouth-cupidsbow-incr", 0.5),
    ("mouth/mouth-upperlip-volume-incr", 0.30),
    ("mouth/mouth-lowerlip-volume-incr", 0.35),
    ("mouth/mouth-scale-horiz-decr", 0.20),
    ("nose/nose-scale-horiz-decr", 0.2),
    ("head/head-fat-decr", 0.15),
    ("neck/neck-scale-vert-decr", 0.05),
    ("torso/measure-shoulder-dist-decr", 0.6),
    ("torso/torso-scale-horiz-decr", 0.6),
    ("torso/torso-scale-vert-decr", 0.4),
    ("torso/measure-waist-circ-decr", 0.3),
];
