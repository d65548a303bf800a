//! The bank: every speaking picture as a steadied patch of the lower face, and what is known of it.

pub(crate) mod patch;

use compere_media::{Frame, Marks};

use crate::error::OwnError;
use crate::linear::{Matrix, dot, principal};
use crate::lips::{Asking, CONTEXT, Lips, lips_at, soundings};
use crate::model::{LOOK, Lesson, Model};
use crate::track::pose::{Canon, LipShape, MouthPoints, Posed, Similarity};
pub use patch::Keeping;
use patch::{LOOK_PIXELS, Patch};

/// Pictures that the directions of a person's look are found from.
const SAMPLE: usize = 1500;
/// Frames a second of every take.
pub(crate) const RATE: f64 = 30.0;

/// What is known of all pictures of a person.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bank {
    pub(crate) canon: Canon,
    pub(crate) lips: Vec<LipShape>,
    pub(crate) contexts: Matrix,
    pub(crate) turns: Vec<[f32; 2]>,
    /// Brightness of the cheeks, of 255.
    pub(crate) light: Vec<f32>,
    pub(crate) asked: Vec<Lips>,
    pub(crate) takes: Vec<u32>,
    pub(crate) indices: Vec<u32>,
    pub(crate) mouths: Vec<MouthPoints>,
    pub(crate) looks: Matrix,
    pub(crate) model: Option<Model>,
}

/// A bank while it is filled.
pub(crate) struct Builder {
    bank: Bank,
    small: Vec<[f32; LOOK_PIXELS]>,
    takes: u32,
}

/// The moment that a picture shows.
pub(crate) fn moment(frame: u64) -> f64 {
    (frame as f64 + 0.5) / RATE
}

impl Builder {
    pub(crate) fn new(canon: Canon) -> Self {
        let contexts = Matrix { columns: CONTEXT, numbers: Vec::new() };
        Self { bank: Bank { canon, contexts, ..Bank::default() }, small: Vec::new(), takes: 0 }
    }

    /// A take with its marks and its pictures, in their order.
    pub(crate) fn take(&mut self, posed: &Posed, marks: &Marks, pictures: &[Cutting]) {
        let soundings = soundings(marks);
        let asking = Asking::of(&soundings);
        let mouths = steadied(&posed.mouths, 0.5);
        let bank = &mut self.bank;
        for (n, picture) in pictures.iter().enumerate() {
            let seconds = moment(n as u64);
            bank.lips.push(posed.lips[n]);
            bank.turns.push(posed.turns[n]);
            bank.mouths.push(mouths[n]);
            bank.contexts.numbers.extend_from_slice(&asking.around(seconds));
            bank.asked.push(lips_at(&soundings, seconds));
            bank.takes.push(self.takes);
            bank.indices.push(n as u32);
            bank.light.push(picture.cheeks);
            self.small.push(picture.look);
        }
        self.takes += 1;
    }

    /// What the pictures have in common is learned last.
    pub(crate) fn finish(self) -> Bank {
        let Self { mut bank, small, .. } = self;
        bank.looks = looks(&small, &bank.light);
        bank.learn();
        bank
    }
}

impl Bank {
    /// What the person does when something is asked, from all pictures.
    pub(crate) fn learn(&mut self) {
        let contexts = self.contexts.numbers.as_chunks::<CONTEXT>().0.iter();
        let lessons: Vec<Lesson<'_>> = contexts
            .enumerate()
            .map(|(n, context)| Lesson {
                context,
                turn: self.turns[n],
                lips: self.lips[n],
                look: self.looks.row(n),
                mouth: &self.mouths[n],
            })
            .collect();
        self.model = Some(Model::learn(&lessons));
    }
}

/// A picture of a take as the bank keeps it, and what is learned from it.
pub(crate) struct Cutting {
    pub(crate) jpeg: Vec<u8>,
    cheeks: f32,
    look: [f32; LOOK_PIXELS],
}

impl Cutting {
    /// Out of a picture whose pixels `pose` leads into the canonical face.
    pub(crate) fn of(frame: &Frame, pose: &Similarity, keeping: Keeping, near: &[bool]) -> Result<Self, OwnError> {
        let patch = Patch::of(frame, pose);
        Ok(Self { jpeg: patch.to_jpeg(keeping, near)?, cheeks: patch.cheeks(), look: patch.look() })
    }
}

/// Points steadied over time.
pub(crate) fn steadied(mouths: &[MouthPoints], sigma: f64) -> Vec<MouthPoints> {
    let mut out = mouths.to_vec();
    for point in 0..mouths.first().map_or(0, |mouth| mouth.len()) {
        let path: Vec<[f64; 2]> = mouths.iter().map(|mouth| mouth[point].map(f64::from)).collect();
        for (out, smooth) in out.iter_mut().zip(crate::maths::smooth(&path, sigma)) {
            out[point] = smooth.map(|value| value as f32);
        }
    }
    out
}

/// Each mouth in a few numbers: along the directions in which this person's mouths differ most, freed of the light.
fn looks(small: &[[f32; LOOK_PIXELS]], light: &[f32]) -> Matrix {
    let mean_light = light.iter().sum::<f32>() / light.len().max(1) as f32;
    let mut rows = Matrix::zero(small.len(), LOOK_PIXELS);
    for (n, pixels) in small.iter().enumerate() {
        let gain = mean_light / light[n].max(1.0);
        rows.row_mut(n).iter_mut().zip(pixels).for_each(|(to, pixel)| *to = pixel * gain);
    }
    let mut mean = vec![0.0f32; LOOK_PIXELS];
    for n in 0..small.len() {
        mean.iter_mut().zip(rows.row(n)).for_each(|(mean, pixel)| *mean += pixel / small.len() as f32);
    }
    for n in 0..small.len() {
        rows.row_mut(n).iter_mut().zip(&mean).for_each(|(pixel, mean)| *pixel -= mean);
    }
    let step = small.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<f32> = (0..small.len()).step_by(step).flat_map(|n| rows.row(n).to_vec()).collect();
    let basis = principal(&Matrix { columns: LOOK_PIXELS, numbers: sample }, LOOK);
    let mut looks = Matrix::zero(small.len(), LOOK);
    for n in 0..small.len() {
        for (k, look) in looks.row_mut(n).iter_mut().enumerate() {
            *look = dot(rows.row(n), basis.row(k));
        }
    }
    let square: f64 = looks.numbers.iter().map(|&value| f64::from(value) * f64::from(value)).sum();
    let scale = (square / small.len().max(1) as f64).sqrt().max(1e-6) as f32;
    looks.numbers.iter_mut().for_each(|value| *value /= scale);
    looks
}
