//! Free talk: a take of which nobody knows the text. Films are made on it for its heads, and no mouth is taken from it.

use std::ops::Range;
use std::path::Path;

use compere_media::Marks;

use super::take::{Tracked, tracked};
use super::{Bench, TRACKED};
use crate::align::hearable;
use crate::bank::RATE;
use crate::error::OwnError;
use crate::footage::Footage;
use crate::heard::heard;
use crate::maths::percentile;
use crate::recorded::loudness_over_floor;
use crate::track::Networks;

/// What it is called.
pub(crate) const ABOUT: &str = "the free talk";
/// A shorter stretch of speech holds no sentence, in pictures.
pub(super) const LEAST: usize = 45;
/// Pictures at either end over which ways to the silent take are looked for.
pub(super) const ENDS: usize = 15;
/// Seconds without a syllable that are a pause, in whose middle heads may come and go.
const PAUSE: f64 = 0.3;

/// Such a take with everything that is measured of it.
#[derive(Debug)]
pub(crate) struct Free {
    pub(crate) footage: Footage,
    /// In which the face was tracked.
    pub(crate) size: (u32, u32),
    pub(crate) face: Tracked,
    /// Its syllables, with the stress that is heard of them.
    pub(crate) marks: Marks,
    /// Decibels between speech and the room.
    pub(crate) loudness_over_floor: f32,
}

impl Free {
    pub(crate) fn of(path: &Path, networks: &Networks, bench: &Bench<'_>) -> Result<Self, OwnError> {
        let footage = Footage::open(bench.sandbox, path, ABOUT)?;
        let sound = footage.sound(ABOUT)?;
        hearable(&sound).map_err(OwnError::footage)?;
        let face = tracked(&footage, None, networks)?;
        let (size, marks) = (footage.size_within(TRACKED), heard(&sound));
        Ok(Self { footage, size, face, marks, loudness_over_floor: loudness_over_floor(&sound) })
    }

    /// Seconds in which something is said.
    pub(crate) fn seconds(&self) -> f64 {
        self.phrases().iter().map(|phrase| phrase.len() as f64 / RATE).sum()
    }

    /// From where to where something is said without a pause, in pictures.
    fn phrases(&self) -> Vec<Range<usize>> {
        let picture = |sample: u64| (sample as f64 / f64::from(compere_media::SAMPLE_RATE) * RATE) as usize;
        let mut phrases: Vec<Range<usize>> = Vec::new();
        for mark in &self.marks.phonemes {
            let (start, end) = (picture(mark.span.start), picture(mark.span.end).min(self.face.meshes.len()));
            match phrases.last_mut() {
                Some(last) if start < last.end + (PAUSE * RATE) as usize => last.end = last.end.max(end),
                _ => phrases.push(start..end),
            }
        }
        phrases.retain(|phrase| !phrase.is_empty());
        phrases
    }

    /// Stretches of it, from pause to pause, of `most` pictures at most together: the longest ones that can be entered and left, for
    /// which `cost` answers, and in which the face is never lost.
    pub(super) fn stretches(&self, most: usize, cost: &dyn Fn(&Range<usize>) -> Option<f32>) -> Vec<Range<usize>> {
        let phrases = self.phrases();
        let all = self.face.meshes.len();
        let mut cuts: Vec<usize> = phrases.windows(2).map(|two| usize::midpoint(two[0].end, two[1].start)).collect();
        if let (Some(first), Some(last)) = (phrases.first(), phrases.last()) {
            cuts.insert(0, first.start.saturating_sub(ENDS));
            cuts.push((last.end + ENDS).min(all));
        }
        let mut found = Vec::new();
        longest(&cuts, most, &self.face.lost, cost, &mut found);
        found
    }
}

/// The longest stretch between two of the cuts, then what fits before and behind it. Answers how many pictures are left.
fn longest(
    cuts: &[usize],
    most: usize,
    lost: &[usize],
    cost: &dyn Fn(&Range<usize>) -> Option<f32>,
    found: &mut Vec<Range<usize>>,
) -> usize {
    let mut best: Option<(usize, f32, [usize; 2])> = None;
    for (a, &start) in cuts.iter().enumerate() {
        for (b, &end) in cuts.iter().enumerate().skip(a + 1) {
            let (stretch, len) = (start..end, end.saturating_sub(start));
            if len < LEAST || len > most || lost.iter().any(|lost| stretch.contains(lost)) {
                continue;
            }
            let is_better =
                |cost: &f32| best.is_none_or(|(most, least, _)| len > most || (len == most && *cost < least));
            if let Some(cost) = cost(&stretch).filter(is_better) {
                best = Some((len, cost, [a, b]));
            }
        }
    }
    let Some((len, _, [a, b])) = best else { return most };
    found.push(cuts[a]..cuts[b]);
    let left = longest(&cuts[..=a], most - len, lost, cost, found);
    longest(&cuts[b..], left, lost, cost, found)
}

/// How far lips open in it, as a part of the eyes' distance.
pub(super) fn opened(free: &Free, eyes: f64) -> f64 {
    let opened: Vec<f32> = free.face.meshes.iter().map(|mesh| mesh[14][1] - mesh[13][1]).collect();
    f64::from(percentile(&opened, 0.95)) / eyes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_stretches_that_can_be_entered_are_taken() {
        let cuts = [0, 100, 200, 260, 400, 700];
        let taken = |most: usize, lost: &[usize], bad: &[usize]| {
            let mut found = Vec::new();
            let cost = |stretch: &Range<usize>| {
                let is_bad = bad.contains(&stretch.start) || bad.contains(&stretch.end);
                (!is_bad).then_some(1.0)
            };
            let left = longest(&cuts, most, lost, &cost, &mut found);
            assert_eq!(left, most - found.iter().map(Range::len).sum::<usize>());
            found
        };
        assert_eq!(taken(900, &[], &[]), vec![0..700]);
        assert_eq!(
            taken(650, &[], &[]),
            vec![100..700],
            "as long as may be, and nothing of what is left is long enough"
        );
        assert_eq!(taken(900, &[], &[700]), vec![0..400], "nobody leaves where no way leads back");
        assert_eq!(taken(900, &[230], &[]), vec![260..700, 0..200], "a lost face parts it");
        assert_eq!(taken(40, &[], &[]), Vec::<Range<usize>>::new());
    }
}
