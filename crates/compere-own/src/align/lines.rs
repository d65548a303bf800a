//! Where each of many known lines is in one long recording.
//!
//! Pauses cut the recording into pieces; a line is some pieces in a row. How well a line fits there is the price of the
//! warping, with the best of our voices. The order of the lines is evidence as well: the way through all of them at once that
//! gains most is taken, past what was misread, said twice or left out.

use compere_media::SAMPLE_RATE;

use super::cepstra::{Cepstra, ROWS, Row};
use super::{Reference, path, runs, squeezed};
use crate::beside::side_by_side;
use crate::maths::percentile;

/// Rows that are compared as one: lines are found coarsely and aligned finely afterwards.
const THIN: usize = 4;
/// Seconds of silence between two lines, or between the words of one.
const PAUSE: f64 = 0.22;
/// Pieces that one line has at most.
const PIECES: usize = 7;
/// How much slower or faster than the line's voices a reader is at most.
const PACE: [f64; 2] = [0.55, 1.9];
/// How much dearer a place is where the reader would hurry or drag.
const HURRY: f32 = 0.2;
/// A line is found where it costs less than this part of what wrong places do.
const FOUND: f32 = 0.88;
/// With fewer lines than these not every other place is a wrong one; then one is found where it costs less than this part
/// of the least that it costs backwards. Of four readers: at most 0.82 where it is said, at least 0.87 where it is not.
const FEW: usize = 6;
const ALONE: f32 = 0.845;
/// Seconds around a line that go with it, if there is silence.
const AROUND: f64 = 0.35;
/// Decibels above the quietest that are no silence, as a part of what lies between quiet and loud, and at least.
const SOUNDS: (f32, f32) = (0.25, 6.0);

/// Where a line is, in samples of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Looks for all lines, in their order. Each was spoken by some voices.
pub(crate) fn lines(samples: &[f32], lines: &[&[Reference]], threads: usize) -> Vec<Option<Found>> {
    let recording = Cepstra::of(samples);
    let pieces = pieces(&recording.levels);
    let voices: Vec<Vec<Vec<Row>>> =
        lines.iter().map(|line| line.iter().map(|one| heard(&one.cepstra)).collect()).collect();
    let fits = fits(&recording, &pieces, &voices, threads);
    let enough = if lines.len() < FEW {
        // Of few lines most places may be right: what a wrong one costs is told by the lines read backwards.
        let backwards = |voice: &Vec<Row>| voice.iter().rev().copied().collect();
        let decoys: Vec<Vec<Vec<Row>>> = voices.iter().map(|line| line.iter().map(backwards).collect()).collect();
        let decoys = self::fits(&recording, &pieces, &decoys, threads);
        let least = |line: usize| decoys.iter().filter(|fit| fit.line == line).map(|fit| fit.cost).reduce(f32::min);
        (0..lines.len()).map(|line| ALONE * least(line).unwrap_or(0.0)).collect()
    } else {
        vec![FOUND * percentile(&fits.iter().map(|fit| fit.cost).collect::<Vec<_>>(), 0.5); lines.len()]
    };
    let mut found = vec![None; lines.len()];
    for fit in best(&fits, pieces.len(), &enough) {
        found[fit.line] = Some(span(fit, &pieces, samples.len()));
    }
    found
}

/// What of a sound is compared: without its long pauses, coarsely.
fn heard(cepstra: &Cepstra) -> Vec<Row> {
    let rows: Vec<Row> =
        squeezed(cepstra, cepstra.span() > super::AUDIBLE).iter().map(|&at| cepstra.rows[at]).collect();
    path::thinned(&rows, THIN)
}

/// Stretches of sound between pauses, in rows.
fn pieces(levels: &[f32]) -> Vec<(usize, usize)> {
    let (floor, top) = (percentile(levels, 0.05), percentile(levels, 0.95));
    let limit = floor + (SOUNDS.0 * (top - floor)).max(SOUNDS.1);
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    for (first, end) in runs(levels.len(), |at| levels[at] >= limit) {
        match pieces.last_mut() {
            Some(piece) if ((first - piece.1) as f64) < PAUSE * ROWS => piece.1 = end,
            _ => pieces.push((first, end)),
        }
    }
    // A click is no piece.
    pieces.retain(|(first, end)| (end - first) as f64 > 0.06 * ROWS);
    pieces
}

/// A line in a place, and what it costs there.
#[derive(Clone, Copy, Debug)]
struct Fit {
    line: usize,
    /// Its pieces.
    first: usize,
    end: usize,
    cost: f32,
    /// Of the line.
    rows: usize,
}

/// Every line in every place that is about as long as it.
fn fits(recording: &Cepstra, pieces: &[(usize, usize)], voices: &[Vec<Vec<Row>>], threads: usize) -> Vec<Fit> {
    let heard: Vec<Vec<Row>> =
        pieces.iter().map(|&(first, end)| path::thinned(&recording.rows[first..end], THIN)).collect();
    let from = |&first: &usize| {
        let (mut fits, mut rows) = (Vec::new(), Vec::<Row>::new());
        for (end, piece) in heard.iter().enumerate().skip(first).take(PIECES) {
            rows.extend_from_slice(piece);
            for (line, voices) in voices.iter().enumerate() {
                let cost = voices.iter().map(|voice| price(voice, &rows)).fold(f32::MAX, f32::min);
                if cost < f32::MAX {
                    let rows = voices.iter().map(Vec::len).max().unwrap_or(0);
                    fits.push(Fit { line, first, end: end + 1, cost, rows });
                }
            }
        }
        fits
    };
    let firsts: Vec<usize> = (0..pieces.len()).collect();
    side_by_side(&firsts, threads, from).concat()
}

/// What a voice's line costs in a place, per row of the line: a place is not better for being longer.
fn price(voice: &[Row], rows: &[Row]) -> f32 {
    let pace = rows.len() as f64 / voice.len().max(1) as f64;
    if !(PACE[0]..PACE[1]).contains(&pace) {
        return f32::MAX;
    }
    let off = compere_media::math::log(pace) as f32;
    let per_row = (voice.len() + rows.len()) as f32 / voice.len() as f32;
    path::path(voice, rows).cost * per_row * (1.0 + HURRY * off * off)
}

/// The way through lines and pieces that gains most: a line that costs less than `enough` of it gains, for as long as it is.
fn best<'a>(fits: &'a [Fit], pieces: usize, enough: &[f32]) -> Vec<&'a Fit> {
    let lines = enough.len();
    // What is gained with so many lines and pieces behind one, and by which line's place.
    let width = pieces + 1;
    let mut gains = vec![(0.0f32, None::<usize>); (lines + 1) * width];
    let mut of_line: Vec<Vec<usize>> = vec![Vec::new(); lines];
    fits.iter().enumerate().for_each(|(n, fit)| of_line[fit.line].push(n));
    for line in 0..lines {
        let mut row: Vec<(f32, Option<usize>)> = (0..width).map(|at| (gains[line * width + at].0, None)).collect();
        for &n in &of_line[line] {
            let fit = &fits[n];
            let gain = gains[line * width + fit.first].0 + (enough[line] - fit.cost) * fit.rows as f32;
            if gain > row[fit.end].0 {
                row[fit.end] = (gain, Some(n));
            }
        }
        for at in 1..width {
            // What was gained with fewer pieces stays gained.
            if row[at - 1].0 > row[at].0 {
                row[at] = (row[at - 1].0, None);
                gains[(line + 1) * width + at] = (row[at].0, Some(usize::MAX));
            } else {
                gains[(line + 1) * width + at] = row[at];
            }
        }
        gains[(line + 1) * width] = row[0];
    }
    let (mut line, mut at, mut way) = (lines, pieces, Vec::new());
    while line > 0 {
        match gains[line * width + at].1 {
            Some(usize::MAX) => at -= 1,
            Some(n) => {
                way.push(&fits[n]);
                (line, at) = (line - 1, fits[n].first);
            }
            None => line -= 1,
        }
    }
    way.reverse();
    way
}

/// A place with the silence around it, in samples.
fn span(fit: &Fit, pieces: &[(usize, usize)], len: usize) -> Found {
    let sample = |row: f64| (row.max(0.0) / ROWS * f64::from(SAMPLE_RATE)) as usize;
    let (first, end) = (pieces[fit.first].0 as f64, pieces[fit.end - 1].1 as f64);
    // To the middle of the silence at most: the rest is the neighbour's.
    let before = fit.first.checked_sub(1).map_or(first, |n| (first - pieces[n].1 as f64) / 2.0);
    let behind = pieces.get(fit.end).map_or(f64::MAX, |next| (next.0 as f64 - end) / 2.0);
    let around = AROUND * ROWS;
    Found { start: sample(first - before.min(around)), end: sample(end + behind.min(around)).min(len) }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use compere_speech::{NoCache, Script, Utterance, Voices, speak};

    use super::*;
    use crate::tongue::Tongue;

    fn spoken(voices: &Voices, id: &str, text: &str, speed: f64) -> Utterance {
        let mut script = Script::plain(text);
        script.speed = speed;
        let voice = voices.get(id).expect("a voice");
        speak(&script, &*voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2).expect("it speaks").utterance
    }

    fn voices() -> Voices {
        Voices::open(&crate::testing::assets(), 2)
    }

    /// A recording of some texts with pauses between, and where each is.
    fn recording(voices: &Voices, reader: &str, speed: f64, texts: &[&str]) -> (Vec<f32>, Vec<Found>) {
        let (mut samples, mut places) = (Vec::new(), Vec::new());
        for (n, text) in texts.iter().enumerate() {
            samples.resize(samples.len() + [52_000, 30_000, 90_000][n % 3], 0.0);
            let start = samples.len();
            samples.extend_from_slice(spoken(voices, reader, text, speed).sound.samples());
            places.push(Found { start, end: samples.len() });
        }
        samples.resize(samples.len() + 60_000, 0.0);
        // A room is never silent.
        let mut dice = crate::maths::Dice(3);
        samples.iter_mut().for_each(|sample| *sample += 0.0006 * dice.normal() as f32);
        (samples, places)
    }

    #[test]
    fn lines_are_found_past_what_is_missing_misread_or_none_of_them() {
        let voices = voices();
        let prompts: Vec<&str> = Tongue::english().lines().take(9).collect();
        let said = [
            "So, I begin now, is the light on?",
            prompts[1],
            "We will show you five fresh, no, once more.",
            prompts[2],
            prompts[3],
            prompts[5],
            prompts[7],
            "That was the last one, wasn't it?",
        ];
        let (samples, places) = recording(&voices, "espeak-en-us-female", 0.85, &said);
        let ids = ["espeak-en-us", "espeak-en-gb"];
        let spoken: Vec<Vec<Reference>> =
            prompts.iter().map(|text| ids.map(|id| Reference::new(&spoken(&voices, id, text, 1.0))).into()).collect();
        let spoken: Vec<&[Reference]> = spoken.iter().map(Vec::as_slice).collect();
        let found = lines(&samples, &spoken, 2);
        let truth = [None, Some(1), Some(3), Some(4), None, Some(5), None, Some(6), None];
        for (n, (found, truth)) in found.iter().zip(truth).enumerate() {
            let place = truth.map(|said: usize| places[said]);
            println!("line {}: {found:?}, truly {place:?}", n + 1);
            assert_eq!(found.is_some(), place.is_some(), "line {}", n + 1);
            let (Some(found), Some(place)) = (found, place) else { continue };
            // With some silence, and nothing of its neighbours.
            let early = place.start as i64 - found.start as i64;
            let late = found.end as i64 - place.end as i64;
            assert!((-4_800..24_000).contains(&early) && (-4_800..24_000).contains(&late), "line {}", n + 1);
        }
        assert!(lines(&vec![0.0; 96_000], &spoken, 2).iter().all(Option::is_none));
    }

    #[test]
    fn one_line_alone_is_found_and_another_is_not() {
        let voices = voices();
        let prompts: Vec<&str> = Tongue::english().lines().take(6).collect();
        let ids = ["espeak-en-us", "espeak-en-gb"];
        let reference = |text: &&str| ids.map(|id| Reference::new(&spoken(&voices, id, text, 1.0)));
        for said in 0..prompts.len() {
            let (samples, places) = recording(&voices, "espeak-en-us-female", 0.9, &[prompts[said]]);
            for (asked, text) in prompts.iter().enumerate() {
                let found = lines(&samples, &[&reference(text)], 2)[0];
                println!("said {said}, asked {asked}: {found:?}");
                assert_eq!(found.is_some(), said == asked, "said {said}, asked {asked}");
                let Some(found) = found else { continue };
                assert!(found.start < places[0].start + 4_800 && found.end + 4_800 > places[0].end, "{places:?}");
            }
        }
        // Nor in a film of others, whoever reads them.
        for reader in ["espeak-en-us-female", "am_fenrir"] {
            let said = [prompts[0], prompts[1], prompts[3]];
            let (samples, _) = recording(&voices, reader, 1.0, &said);
            for text in Tongue::english().lines().take(9) {
                let found = lines(&samples, &[&reference(&text)], 2)[0];
                assert_eq!(found.is_some(), said.contains(&text), "{reader}: {text}");
            }
        }
    }
}
