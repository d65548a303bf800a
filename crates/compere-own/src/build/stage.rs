//! What films are made on: the silent take, and of the spoken ones those stretches that it can go over to and back from.

use std::ops::Range;

use compere_codec::h264::{Encoder, Preset, Quality, Segment, Settings};
use compere_media::Damage;

use super::Bench;
use super::take::Studied;
use crate::beside::side_by_side;
use crate::error::OwnError;
use crate::ground::{Bearing, Ground, bearings};
use crate::linear::squared_distance;
use crate::maths::percentile;
use crate::matte::{self, Cut, CutOut, Matte};
use crate::track::pose::{Posed, Similarity};
use crate::track::segmenter;

/// Seconds of speech that films are made on. Each takes as much of the baked base as one of silence.
const MOST: f64 = 20.0;
/// A shorter stretch holds no sentence, in pictures.
const LEAST: usize = 45;
/// Pictures at either end over which ways to the silent take are looked for.
const ENDS: usize = 15;
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

/// What becomes the base: what is known of it, and what of it was spoken.
pub(super) fn staged(
    silence: &Silence<'_>,
    takes: &[(usize, Studied)],
    posed: &[Posed],
    shift: i64,
    cut: &mut Option<CutOut>,
    bench: &Bench<'_>,
) -> Result<(Ground, Option<Talk>), OwnError> {
    let mut chosen = chosen(silence, takes, posed);
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
        ground.add(&scaled(&posed[*n]), pictures.clone(), &takes[*n].1.shifted(shift));
    }
    let talk = chosen.first().map(|(first, _)| {
        let size = takes[*first].1.footage.size_within(LARGEST);
        Ok(Talk { size, film: filmed(&chosen, takes, size)?, mattes })
    });
    Ok((ground, talk.transpose()?))
}

type Chosen = Vec<(usize, Range<usize>)>;

/// Stretches that begin and end most like something of the silent take.
fn chosen(silence: &Silence<'_>, takes: &[(usize, Studied)], posed: &[Posed]) -> Chosen {
    let Some(scale) = silence.posed.poses.first().map(Similarity::scale) else { return Vec::new() };
    let still = bearings(silence.posed, scale);
    let light = percentile(silence.light, 0.5);
    let mut found: Vec<(f32, usize, Range<usize>)> = Vec::new();
    for (n, (_, take)) in takes.iter().enumerate() {
        let pictures = take.speaking();
        let off = (percentile(&take.light, 0.5) - light).abs();
        let fits = (take.footage.width, take.footage.height) == silence.size && off <= LIGHT * light;
        if !fits || pictures.len() < LEAST || take.lost.iter().any(|lost| pictures.contains(lost)) {
            continue;
        }
        let held = bearings(&posed[n].part(pictures.clone()), scale);
        let (first, last) = (nearest(&still, &held[..ENDS]), nearest(&still, &held[held.len() - ENDS..]));
        if first.max(last) < LIMIT * LIMIT {
            found.push((first + last, n, pictures));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut left = (MOST * crate::bank::RATE) as usize;
    let mut chosen: Chosen = Vec::new();
    for (_, n, pictures) in found {
        if pictures.len() <= left {
            left -= pictures.len();
            chosen.push((n, pictures));
        }
    }
    chosen
}

fn nearest(still: &[Bearing], held: &[Bearing]) -> f32 {
    let all = held.iter().flat_map(|held| still.iter().map(move |still| squared_distance(held, still)));
    all.fold(f32::MAX, f32::min)
}

/// The mattes of chosen stretches. Where nobody is found the stretch is left out.
fn mattes_of(
    chosen: &mut Chosen,
    takes: &[(usize, Studied)],
    seen: &mut Cut,
    bench: &Bench<'_>,
) -> Result<Vec<Matte>, OwnError> {
    let cut = |(n, pictures): &(usize, Range<usize>)| {
        let segmenter = segmenter(bench.faces)?;
        matte::of_take(&part(&takes[*n].1, pictures), &segmenter).map(|(found, _)| found)
    };
    let found = side_by_side(chosen, bench.threads, cut).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut is_there = found.iter().map(|found| found.as_ref().is_some_and(|(matte, _)| matte.pictures() > 0));
    chosen.retain(|_| is_there.next() == Some(true));
    let (mattes, cuts): (Vec<Matte>, Vec<Cut>) = found.into_iter().flatten().filter(|(m, _)| m.pictures() > 0).unzip();
    *seen = cuts.iter().fold(*seen, Cut::union);
    Ok(mattes)
}

fn part(take: &Studied, pictures: &Range<usize>) -> crate::footage::Footage {
    take.footage.clone().within(pictures.start as u64..pictures.end as u64)
}

/// Chosen stretches one after the other.
fn filmed(chosen: &Chosen, takes: &[(usize, Studied)], size: (u32, u32)) -> Result<Segment, OwnError> {
    let settings = Settings { width: size.0, height: size.1, quality: QUALITY, threads: 1 };
    let mut encoder = Encoder::new(&settings).map_err(OwnError::machine)?;
    for (n, pictures) in chosen {
        part(&takes[*n].1, pictures)
            .play(size, &mut |frame| encoder.push(frame, &Damage::rect(frame.bounds())).map_err(OwnError::machine))?;
    }
    encoder.finish().map_err(OwnError::machine)
}
