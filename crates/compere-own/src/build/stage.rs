//! What films are made on: the silent take, and of the spoken ones those stretches that it can go over to and back from. Where somebody
//! talked freely, as much of that as there is goes before what was read.

use std::ops::Range;

use compere_codec::h264::{Encoder, Preset, Quality, Segment, Settings};
use compere_media::{Damage, Marks};

use super::Bench;
use super::free::{ENDS, Free, LEAST};
use super::take::{Studied, shifted};
use crate::beside::side_by_side;
use crate::error::OwnError;
use crate::footage::Footage;
use crate::ground::{Bearing, Ground, bearings};
use crate::linear::squared_distance;
use crate::maths::percentile;
use crate::matte::{self, Cut, CutOut, Matte};
use crate::track::pose::{Posed, Similarity};
use crate::track::segmenter;

/// Seconds of speech that films are made on. Each takes as much of the baked base as one of silence.
const MOST: f64 = 20.0;
/// The same where some of it was talked freely.
const MOST_WITH_FREE: f64 = 30.0;
/// No way over leads further, as the way through a base has it.
const LIMIT: f32 = 10.0;
/// By how much the light may differ from the silent take's, as a part of it.
const LIGHT: f32 = 0.08;
/// The longer side of the pictures that are kept.
const LARGEST: u32 = 1920;
/// Looks like the source.
const QUALITY: Quality = Quality { crf: 18.0, preset: Preset::Veryfast };

/// Stretches of takes as one film.
pub(crate) struct Talk {
    pub(crate) size: (u32, u32),
    pub(crate) film: Segment,
    /// Of somebody who is cut out, of each stretch.
    pub(crate) mattes: Vec<Matte>,
}

/// The silent take, as stretches are compared with it.
pub(super) struct Silence<'a> {
    pub(super) posed: &'a Posed,
    pub(super) light: &'a [f32],
    /// Of its file, and pixels that were tracked for one of those.
    pub(super) size: (u32, u32),
    pub(super) scale: f64,
}

/// A take in which somebody speaks.
pub(super) struct Spoken<'a> {
    footage: &'a Footage,
    posed: &'a Posed,
    light: &'a [f32],
    lost: &'a [usize],
    said: Said<'a>,
    marks: Marks,
}

/// What of it may be taken.
enum Said<'a> {
    /// All in these pictures, as it is one line.
    Line(Range<usize>),
    /// What lies between two pauses.
    Freely(&'a Free),
}

impl<'a> Spoken<'a> {
    pub(super) fn line(take: &'a Studied, posed: &'a Posed, shift: i64) -> Self {
        let said = Said::Line(take.speaking());
        let Studied { footage, light, lost, .. } = take;
        Self { footage, posed, light, lost, said, marks: take.shifted(shift) }
    }

    pub(super) fn freely(free: &'a Free, posed: &'a Posed, shift: i64) -> Self {
        let marks = shifted(&free.marks, shift);
        let (light, lost) = (&free.face.light, &free.face.lost);
        Self { footage: &free.footage, posed, light, lost, said: Said::Freely(free), marks }
    }

    fn part(&self, pictures: &Range<usize>) -> Footage {
        self.footage.clone().within(pictures.start as u64..pictures.end as u64)
    }
}

/// What becomes the base: what is known of it, and what of it was spoken.
pub(super) fn staged(
    silence: &Silence<'_>,
    takes: &[Spoken<'_>],
    cut: &mut Option<CutOut>,
    bench: &Bench<'_>,
) -> Result<(Ground, Option<Talk>), OwnError> {
    let mut chosen = chosen(silence, takes);
    let mut mattes = Vec::new();
    if let Some((_, seen)) = cut {
        mattes = mattes_of(&mut chosen, takes, seen, bench)?;
    }
    let scaled = |posed: &Posed| Posed {
        poses: posed.poses.iter().map(|pose| pose.of_scaled(1.0 / silence.scale)).collect(),
        ..posed.clone()
    };
    let mut ground = Ground::silent(scaled(silence.posed));
    for (n, pictures) in &chosen {
        ground.add(&scaled(takes[*n].posed), pictures.clone(), &takes[*n].marks);
    }
    let talk = chosen.first().map(|(first, _)| {
        let size = takes[*first].footage.size_within(LARGEST);
        Ok(Talk { size, film: filmed(&chosen, takes, size)?, mattes })
    });
    Ok((ground, talk.transpose()?))
}

type Chosen = Vec<(usize, Range<usize>)>;

/// Stretches that begin and end most like something of the silent take; what was talked freely comes first.
fn chosen(silence: &Silence<'_>, takes: &[Spoken<'_>]) -> Chosen {
    let Some(scale) = silence.posed.poses.first().map(Similarity::scale) else { return Vec::new() };
    let still = bearings(silence.posed, scale);
    let light = percentile(silence.light, 0.5);
    let mut left = (MOST * crate::bank::RATE) as usize;
    let mut chosen: Chosen = Vec::new();
    let mut found: Vec<(f32, usize, Range<usize>)> = Vec::new();
    for (n, take) in takes.iter().enumerate() {
        let off = (percentile(take.light, 0.5) - light).abs();
        if (take.footage.width, take.footage.height) != silence.size || off > LIGHT * light {
            continue;
        }
        let way = |pictures: &Range<usize>| way(&still, take.posed, pictures, scale);
        match &take.said {
            Said::Line(pictures) => {
                if pictures.len() >= LEAST && !take.lost.iter().any(|lost| pictures.contains(lost)) {
                    found.extend(way(pictures).map(|cost| (cost, n, pictures.clone())));
                }
            }
            Said::Freely(free) => {
                left = (MOST_WITH_FREE * crate::bank::RATE) as usize;
                let stretches = free.stretches(left, &way);
                left -= stretches.iter().map(Range::len).sum::<usize>();
                chosen.extend(stretches.into_iter().map(|pictures| (n, pictures)));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (_, n, pictures) in found {
        if pictures.len() <= left {
            left -= pictures.len();
            chosen.push((n, pictures));
        }
    }
    chosen
}

/// What it costs to come from the silent take to a stretch and back; nothing where no way leads.
fn way(still: &[Bearing], posed: &Posed, pictures: &Range<usize>, scale: f64) -> Option<f32> {
    let held = bearings(&posed.part(pictures.clone()), scale);
    let (first, last) = (nearest(still, &held[..ENDS]), nearest(still, &held[held.len() - ENDS..]));
    (first.max(last) < LIMIT * LIMIT).then_some(first + last)
}

fn nearest(still: &[Bearing], held: &[Bearing]) -> f32 {
    let all = held.iter().flat_map(|held| still.iter().map(move |still| squared_distance(held, still)));
    all.fold(f32::MAX, f32::min)
}

/// The mattes of chosen stretches. Where nobody is found the stretch is left out.
fn mattes_of(
    chosen: &mut Chosen,
    takes: &[Spoken<'_>],
    seen: &mut Cut,
    bench: &Bench<'_>,
) -> Result<Vec<Matte>, OwnError> {
    let cut = |(n, pictures): &(usize, Range<usize>)| {
        let segmenter = segmenter(bench.faces)?;
        matte::of_take(&takes[*n].part(pictures), &segmenter).map(|(found, _)| found)
    };
    let found = side_by_side(chosen, bench.threads, cut).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut is_there = found.iter().map(|found| found.as_ref().is_some_and(|(matte, _)| matte.pictures() > 0));
    chosen.retain(|_| is_there.next() == Some(true));
    let (mattes, cuts): (Vec<Matte>, Vec<Cut>) = found.into_iter().flatten().filter(|(m, _)| m.pictures() > 0).unzip();
    *seen = cuts.iter().fold(*seen, Cut::union);
    Ok(mattes)
}

/// Chosen stretches one after the other.
fn filmed(chosen: &Chosen, takes: &[Spoken<'_>], size: (u32, u32)) -> Result<Segment, OwnError> {
    let settings = Settings { width: size.0, height: size.1, quality: QUALITY, threads: 1 };
    let mut encoder = Encoder::new(&settings).map_err(OwnError::machine)?;
    for (n, pictures) in chosen {
        takes[*n]
            .part(pictures)
            .play(size, &mut |frame| encoder.push(frame, &Damage::rect(frame.bounds())).map_err(OwnError::machine))?;
    }
    encoder.finish().map_err(OwnError::machine)
}
