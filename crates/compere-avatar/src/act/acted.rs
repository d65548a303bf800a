//! The same acting for presenters that are drawn elsewhere.

use super::{Ch, Face, Habits, Head, Pose, Track, rest, sheet};
use crate::Role;

/// What a face and a head do in one picture, told from a face that does nothing: a photo is its own rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acted {
    face: Face,
    head: Head,
}

impl Acted {
    pub fn get(&self, channel: Ch) -> f32 {
        self.face.get(channel)
    }

    /// In radians, positive to the picture's right.
    pub fn yaw(&self) -> f32 {
        self.head.yaw()
    }

    /// In radians, positive looks down.
    pub fn pitch(&self) -> f32 {
        self.head.pitch()
    }

    pub fn roll(&self) -> f32 {
        self.head.roll()
    }

    /// In model units.
    pub fn shift(&self) -> [f32; 2] {
        [self.head.x(), self.head.y()]
    }

    /// In model units.
    pub fn breath(&self) -> f32 {
        self.head.breath()
    }
}

/// Lit presenters smile at rest; whoever is drawn elsewhere has a rest of its own.
fn from_rest(pose: &Pose, home: Head) -> Acted {
    let (rest, mut face) = (rest(), pose.face);
    for (to, from) in face.0.iter_mut().zip(rest.0) {
        *to -= from;
    }
    let mut head = pose.head;
    for (to, from) in head.0.iter_mut().zip(home.0) {
        *to -= from;
    }
    Acted { face, head }
}

/// A role, picture by picture, by the habits that follow from a presenter's id.
pub fn acted(role: &Role, id: &str) -> Vec<Acted> {
    let habits = Habits::of(id);
    let track = Track::new(role, &habits);
    track.0.iter().map(|pose| from_rest(pose, habits.head())).collect()
}

/// What a contact sheet shows, by name.
pub fn acted_sheet() -> Vec<(&'static str, Acted)> {
    let habits = Habits::default();
    sheet(&habits).iter().map(|(name, pose)| (*name, from_rest(pose, habits.head()))).collect()
}
