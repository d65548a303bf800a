//! One long film in which all lines are read, cut where each of them is.

use std::collections::BTreeSet;

use super::take::{Part, Shot, Studied, references};
use super::{Bench, Clip, Finding, Reel};
use crate::align::{hearable, lines};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::tongue::number_of;

const ABOUT: &str = "the long film";
const ALONE: &str = "read it alone, as a take of its own, if it is wanted";

/// What is filmed alone, and those lines of the long film that are not.
pub(crate) fn shots(reel: &Reel, bench: &Bench<'_>, findings: &mut Vec<Finding>) -> Result<Vec<Shot>, OwnError> {
    let alone = references(&reel.spoken, &reel.language, bench)?;
    let alone = reel.spoken.iter().cloned().zip(alone);
    let mut shots: Vec<Shot> = alone.map(|(clip, references)| Shot { clip, references, part: None }).collect();
    if let Some(film) = &reel.all {
        match parts(film, &reel.spoken, &reel.language, bench) {
            Ok((found, told)) => {
                shots.extend(found);
                findings.extend(told);
            }
            // A film that cannot be read is refused like a take.
            Err(OwnError::Footage(what)) => findings.push(Finding::refused(ABOUT, what, "record it again")),
            Err(error) => return Err(error),
        }
    }
    Ok(shots)
}

/// The lines that are found, but for those that were filmed alone, and what to say of the others.
fn parts(
    film: &Clip,
    alone: &[Clip],
    language: &str,
    bench: &Bench<'_>,
) -> Result<(Vec<Shot>, Option<Finding>), OwnError> {
    let footage = Footage::open(bench.sandbox, &film.path, ABOUT)?;
    let (sound, times) = (footage.sound(ABOUT)?, footage.times()?);
    hearable(&sound).map_err(OwnError::footage)?;
    let clips = clips(film);
    let spoken = references(&clips, language, bench)?;
    let found = lines(&sound, &spoken.iter().map(Vec::as_slice).collect::<Vec<_>>(), bench.threads);
    if found.iter().all(Option::is_none) {
        let what = "none of its lines was found in it".to_owned();
        let advice = "read them in their order, each exactly once, with a second of silence between two of them";
        return Ok((Vec::new(), Some(Finding::refused(ABOUT, what, advice))));
    }
    let alone: BTreeSet<&str> = alone.iter().map(|clip| clip.text.as_str()).collect();
    let (mut shots, mut lost) = (Vec::new(), Vec::new());
    for ((clip, references), found) in clips.into_iter().zip(spoken).zip(found) {
        match found {
            _ if alone.contains(clip.text.as_str()) => {}
            Some(found) => shots.push(Shot { clip, references, part: Some(Part::of(found, &sound, &times)) }),
            None => lost.push(clip.name),
        }
    }
    let what = |lost: &[String]| match lost {
        [one] => format!("line {one} was not found in it"),
        [most @ .., last] => format!("lines {} and {last} were not found in it", most.join(", ")),
        [] => String::new(),
    };
    let told = (!lost.is_empty()).then(|| Finding::warning(ABOUT, what(&lost), "read them alone if they are wanted"));
    Ok((shots, told))
}

/// A clip for each of its lines, called as if it was filmed alone.
fn clips(film: &Clip) -> Vec<Clip> {
    let texts = film.text.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate();
    let named = texts.map(|(n, text)| {
        let number = number_of(text).unwrap_or(n + 1);
        Clip { path: film.path.clone(), name: format!("{number:02}"), text: text.to_owned() }
    });
    named.collect()
}

/// Leaves out lines of a long film that are of no use: forty others stand beside them. Takes that were filmed alone are
/// refused, since somebody wanted them.
pub(crate) fn sift(shots: &[Shot], takes: &mut Vec<(usize, Studied)>, findings: &mut Vec<Finding>) {
    takes.retain(|(n, take)| {
        let told = super::gates::of_take(take);
        let refusal = told.iter().find(|finding| finding.refuses()).filter(|_| shots[*n].part.is_some());
        let Some(refusal) = refusal else {
            findings.extend(told);
            return true;
        };
        findings.push(left_out(refusal));
        false
    });
}

/// A refusal of one line of many.
pub(crate) fn left_out(refusal: &Finding) -> Finding {
    Finding::warning(&refusal.about, format!("this line of the long film is left out: {}", refusal.what), ALONE)
}
