//! Acting: what the face and the head do at every frame of a scene.
//!
//! A [`Track`] is a pure function of the role, worked out up front. It knows nothing about meshes or pixels; its
//! channels are the ARKit expressions that matter for speech, left and right driven together.

mod acted;
mod arms;
mod gestures;
mod habits;
mod life;
mod lips;
mod visemes;

#[cfg(test)]
mod tests;

use crate::Role;
pub use acted::{Acted, acted, acted_sheet};
pub(crate) use arms::{Arm, Arms, HELD_APART, Idle, Reach, unit};
pub(crate) use habits::{Habits, Manner};

/// One thing a face can do. The mouth's come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Ch {
    Jaw,
    Funnel,
    Pucker,
    Press,
    RollLower,
    RollUpper,
    Smile,
    Stretch,
    UpperUp,
    LowerDown,
    Tongue,
    Dimple,
    Cheek,
    Blink,
    Squint,
    Wide,
    LookX,
    LookY,
    BrowInner,
    BrowOuter,
    BrowDown,
}

impl Ch {
    pub(crate) const COUNT: usize = 21;
    /// Channels before this one shape the mouth.
    pub(crate) const MOUTH: usize = 13;
}

/// Weights in 1/256, whole so that equal faces compare equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Face([i16; Ch::COUNT]);

impl Face {
    pub(crate) fn get(&self, channel: Ch) -> f32 {
        f32::from(self.0[channel as usize]) / 256.0
    }

    pub(crate) fn set(&mut self, channel: Ch, weight: f32) {
        self.0[channel as usize] = (weight.clamp(-1.0, 1.0) * 256.0).round() as i16;
    }

    pub(crate) fn with(mut self, weights: &[(Ch, f32)]) -> Self {
        for &(channel, weight) in weights {
            self.set(channel, weight);
        }
        self
    }

    pub(crate) fn mouth(&self) -> &[i16] {
        &self.0[..Ch::MOUTH]
    }

    pub(crate) fn eyes(&self) -> &[i16] {
        &self.0[Ch::MOUTH..]
    }

    pub(crate) fn weights(&self) -> impl Iterator<Item = f32> + '_ {
        self.0.iter().map(|&w| f32::from(w) / 256.0)
    }

    /// How far the lips are apart, 0 to about 1. What the lip-sync tests measure.
    pub(crate) fn openness(&self) -> f32 {
        let lips = self.get(Ch::Jaw) + 0.25 * (self.get(Ch::LowerDown) + self.get(Ch::UpperUp));
        (lips - 0.6 * self.get(Ch::Press)).max(0.0)
    }
}

/// Angles in 1/4096 radian, distances in 1/1024 model unit, breath in 1/1024 model unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head([i16; 6]);

impl Head {
    pub(crate) fn new(yaw: f32, pitch: f32, roll: f32, x: f32, y: f32, breath: f32) -> Self {
        let angle = |v: f32| (v.clamp(-0.2, 0.2) * 4096.0).round() as i16;
        let way = |v: f32| (v.clamp(-1.0, 1.0) * 1024.0).round() as i16;
        Self([angle(yaw), angle(pitch), angle(roll), way(x), way(y), way(breath)])
    }

    pub(crate) fn yaw(&self) -> f32 {
        f32::from(self.0[0]) / 4096.0
    }

    /// Positive looks down.
    pub(crate) fn pitch(&self) -> f32 {
        f32::from(self.0[1]) / 4096.0
    }

    pub(crate) fn roll(&self) -> f32 {
        f32::from(self.0[2]) / 4096.0
    }

    pub(crate) fn x(&self) -> f32 {
        f32::from(self.0[3]) / 1024.0
    }

    pub(crate) fn y(&self) -> f32 {
        f32::from(self.0[4]) / 1024.0
    }

    pub(crate) fn breath(&self) -> f32 {
        f32::from(self.0[5]) / 1024.0
    }

    /// Breathing in steps of about `step` model units.
    pub(crate) fn with_breath_in_steps(mut self, step: f32) -> Self {
        let step = ((step * 1024.0) as i16).max(1);
        self.0[5] = (self.0[5] + step / 2) / step * step;
        self
    }
}

/// Where the weight rests and how high the shoulders are: to the picture's right, up on the left, up on the right, in
/// 1/1024 model unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Body([i16; 3]);

impl Body {
    pub(crate) fn new(sway: f32, shoulders: [f32; 2]) -> Self {
        Self([sway, shoulders[0], shoulders[1]].map(|v| (v.clamp(-1.0, 1.0) * 1024.0).round() as i16))
    }

    pub(crate) fn sway(&self) -> f32 {
        f32::from(self.0[0]) / 1024.0
    }

    pub(crate) fn shoulders(&self) -> [f32; 2] {
        [1, 2].map(|k| f32::from(self.0[k]) / 1024.0)
    }

    /// In steps of about `step` model units: less is not seen.
    pub(crate) fn in_steps(mut self, step: f32) -> Self {
        let step = ((step * 1024.0) as i16).max(1);
        self.0 = self.0.map(|v| (v + step / 2).div_euclid(step) * step);
        self
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pose {
    pub(crate) face: Face,
    pub(crate) head: Head,
    pub(crate) body: Body,
    pub(crate) arms: Arms,
}

impl Pose {
    /// How good a still it makes, 1 at best: what spoils one is a shut eye before an open mouth, and that before a glance
    /// aside, a turned head and a hand in the air.
    fn looks(&self, idle: &Arms) -> f32 {
        let face = &self.face;
        let squint = (face.get(Ch::Squint) - face.get(Ch::Smile)).max(0.0);
        let lips = face.openness() + face.get(Ch::Pucker).max(0.0) + face.get(Ch::Funnel).max(0.0);
        let aside = face.get(Ch::LookX).abs() + face.get(Ch::LookY).abs();
        let busy = if self.arms == *idle { 0.0 } else { 0.1 };
        let turned = (self.head.yaw().abs() + self.head.pitch().abs()) * 0.8;
        let smile = 0.3 * (1.0 - face.get(Ch::Smile).clamp(0.0, 1.0));
        1.0 - 2.0 * (face.get(Ch::Blink) + squint) - 1.2 * lips - 0.5 * aside - turned - busy - smile
    }
}

/// A pose per frame.
#[derive(Clone, Debug)]
pub(crate) struct Track(Vec<Pose>);

impl Track {
    pub(crate) fn new(role: &Role, habits: &Habits) -> Self {
        let frames = role.frames.max(1) as usize;
        let speech = lips::Speech::new(&role.marks);
        let mouths = lips::mouths(&speech, role.sound.as_deref(), frames);
        let life = life::Life::new(&speech, role, frames, habits);
        let poses = mouths.into_iter().enumerate().map(|(frame, mouth)| life.pose(frame, mouth));
        Self(poses.collect())
    }

    pub(crate) fn still(pose: Pose) -> Self {
        Self(vec![pose])
    }

    pub(crate) fn pose(&self, frame: u64) -> Pose {
        let at = (frame as usize).min(self.0.len() - 1);
        self.0[at]
    }

    /// How well somebody of these habits looks at each frame, 1 at best.
    pub(crate) fn looks(&self, habits: &Habits) -> Vec<f32> {
        let idle = at_rest(habits);
        self.0.iter().map(|pose| pose.looks(&idle)).collect()
    }

    #[cfg(test)]
    pub(crate) fn poses(&self) -> &[Pose] {
        &self.0
    }
}

/// The friendly face at rest.
pub(crate) fn rest() -> Face {
    Face::default().with(&visemes::REST)
}

/// The arms of somebody who does nothing with them.
fn at_rest(habits: &Habits) -> Arms {
    gestures::Gestures::still(None, habits)
}

/// The faces a contact sheet shows, by name: with the head as this presenter holds it, and turned. Gestures follow, as
/// the script names them.
pub(crate) fn sheet(habits: &Habits) -> Vec<(&'static str, Pose)> {
    let (arms, body) = (at_rest(habits), Body::default());
    let held = |face: Face, head: Head| Pose { face: into_lens(face, head), head, body, arms };
    let home = |face: Face| held(face, habits.head());
    let mut out = vec![("neutral", home(rest()))];
    for (name, viseme) in visemes::NAMED {
        let mut face = rest();
        lips::wear(&mut face, &viseme.weights());
        out.push((name, home(face)));
    }
    out.push(("blink", home(rest().with(&[(Ch::Blink, 1.0)]))));
    out.push(("smile", home(smiling())));
    let brows = rest().with(&[(Ch::BrowInner, 0.7), (Ch::BrowOuter, 0.6), (Ch::Wide, 0.25), (Ch::Jaw, 0.12)]);
    out.push(("brows", home(brows)));
    out.push(("look", Pose { face: rest().with(&[(Ch::LookX, 0.5)]), ..home(rest()) }));
    out.push(("left", held(rest(), Head::new(0.12, 0.0, 0.02, 0.03, 0.0, 0.0))));
    out.push(("right", held(rest(), Head::new(-0.12, 0.0, -0.02, -0.03, 0.0, 0.0))));
    out.push(("nod", held(rest(), Head::new(0.0, 0.09, 0.0, 0.0, -0.02, 0.0))));
    out
}

/// Eyes of a head that is held so look into the lens, as [`life`] has them.
fn into_lens(mut face: Face, head: Head) -> Face {
    let [x, y] = life::into_lens(head.yaw(), head.pitch());
    face.set(Ch::LookX, x);
    face.set(Ch::LookY, y);
    face
}

/// The face of a portrait.
pub(crate) fn smiling() -> Face {
    Face::default().with(&visemes::SMILE)
}

/// Every gesture in full, by the name that scripts know it by.
pub(crate) fn gestures(habits: &Habits) -> Vec<(&'static str, Pose)> {
    let still = |gesture| {
        let arms = gestures::Gestures::still(Some(gesture), habits);
        Pose { face: into_lens(rest(), habits.head()), head: habits.head(), body: Body::default(), arms }
    };
    compere_media::Gesture::ALL.iter().map(|&(name, gesture)| (name, still(gesture))).collect()
}
