//! What is known of the pictures that films are made on: a silent take, and stretches of takes in which the person speaks.

use crate::accents::{ACCENT, Accents};
use crate::bank::moment;
use crate::linear::Matrix;
use crate::track::pose::{EYES, Posed, SIZE};
use compere_media::Marks;

/// Numbers that two pictures of a head are compared by.
pub(crate) const BEARING: usize = 12;
/// What a pixel of the turn, of the lids and of the brows counts beside one by which the head is elsewhere.
const OF_TURN: f32 = 0.8;
const OF_LIDS: [f32; 2] = [0.7, 0.6];
/// What a pixel a picture of movement counts.
const OF_SPEED: f32 = 2.5;
/// Pictures over which movement is told.
const SPEED: usize = 3;

#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    /// The pictures of the silent take, and of each stretch behind it.
    pub(crate) posed: Posed,
    /// Where the silent take ends, and each stretch.
    pub(crate) ends: Vec<usize>,
    /// What is said at each picture.
    pub(crate) accents: Matrix,
}

/// Where a head is, which way it is turned, how lids and brows are, and where it goes.
pub(crate) type Bearing = [f32; BEARING];

impl Ground {
    /// A silent take alone.
    pub(crate) fn silent(posed: Posed) -> Self {
        let count = posed.poses.len();
        Self { posed, ends: vec![count], accents: Matrix::zero(count, ACCENT) }
    }

    /// A stretch of a take behind what is there: `posed` of all of the take, of which `pictures` are meant.
    pub(crate) fn add(&mut self, posed: &Posed, pictures: std::ops::Range<usize>, marks: &Marks) {
        let accents = Accents::of(marks);
        for n in pictures.clone() {
            self.accents.numbers.extend(accents.around(moment(n as u64)));
        }
        self.posed.join(&posed.part(pictures));
        self.ends.push(self.posed.poses.len());
    }

    pub(crate) fn is_whole(&self) -> bool {
        let count = self.posed.poses.len();
        let even = self.accents.rows() == count && self.accents.columns == ACCENT && self.posed.lids.len() == count;
        let ends = self.ends.is_sorted_by(|a, b| a < b) && self.ends.first() > Some(&0);
        even && ends && self.ends.last() == Some(&count)
    }

    /// From where to where each goes; the first is the silent take.
    pub(crate) fn stretches(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }
}

/// How a head is held in each picture of a take, in pixels of an upright face of which `scale` are one of the pictures.
pub(crate) fn bearings(posed: &Posed, scale: f64) -> Vec<Bearing> {
    let held: Vec<[f32; 8]> = (0..posed.poses.len()).map(|n| held(posed, n, scale)).collect();
    let last = held.len().saturating_sub(1);
    (0..held.len())
        .map(|n| {
            let (before, after) = (held[n.saturating_sub(SPEED)], held[(n + SPEED).min(last)]);
            let pictures = ((n + SPEED).min(last) - n.saturating_sub(SPEED)).max(1) as f32;
            std::array::from_fn(|k| {
                let moved = |k: usize| OF_SPEED * (after[k] - before[k]) / pictures;
                // Of the movement, where both eyes and the nose go.
                if k < 8 { held[n][k] } else { [moved(0), moved(1), moved(4), moved(5)][k - 8] }
            })
        })
        .collect()
}

/// Both eyes in pixels of an upright face, the turn, lids and brows.
fn held(posed: &Posed, n: usize, scale: f64) -> [f32; 8] {
    let back = posed.poses[n].inverse();
    let (middle, line) = (SIZE[0] as f64 / 2.0, SIZE[1] as f64 * 0.2);
    let eye = |x: f64| back.apply([x, line]).map(|at| (at * scale) as f32);
    let ([ax, ay], [bx, by]) = (eye(middle - EYES / 2.0), eye(middle + EYES / 2.0));
    let ([yaw, pitch], [lids, brows]) = (posed.turns[n], posed.lids[n]);
    [ax, ay, bx, by, OF_TURN * yaw, OF_TURN * pitch, OF_LIDS[0] * lids, OF_LIDS[1] * brows]
}
