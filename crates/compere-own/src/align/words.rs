//! Whether a row of words was spoken, or others in their place.
//!
//! What a sound costs against its text says little by itself: a stranger's voice costs as much as a stranger's words. The
//! same words in other orders are what it is held against: they are as long, said by the same voice in the same room, and
//! nobody spoke them.

use compere_media::{SAMPLE_RATE, SampleSpan};

use super::cepstra::{Cepstra, ROWS, Row};
use super::{AUDIBLE, Aligned, Reference, path, squeezed};
use crate::maths::Dice;

/// How many other orders are tried: enough to know how much their costs differ by chance.
const ORDERS: usize = 24;

/// By how much the last `count` words cost less where the recording has them than they cost there in other orders, in deviations
/// of those: much where they are spoken, about nothing where others are. None where there are no such words.
pub(crate) fn ordered(samples: &[f32], aligned: &Aligned, references: &[Reference], count: usize) -> Option<f32> {
    let spans: Vec<SampleSpan> = aligned.marks.words.iter().map(|word| word.span).collect();
    let first = spans.len().checked_sub(count).filter(|first| *first > 0 && count > 1)?;
    let start = row(u64::midpoint(spans[first - 1].end, spans[first].start));
    let recording = Cepstra::of(samples);
    let part = |reference: &Reference| {
        let audible = recording.span().min(reference.cepstra.span()) > AUDIBLE;
        let heard = heard(&recording, start..recording.rows.len(), audible);
        part(&words(reference, count, audible)?, &heard)
    };
    let parts: Vec<f32> = references.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| parts.iter().sum::<f32>() / parts.len() as f32)
}

fn row(sample: u64) -> usize {
    (sample as f64 / f64::from(SAMPLE_RATE) * ROWS) as usize
}

/// Some rows of a sound; without its long pauses, where they can be told.
fn heard(sound: &Cepstra, rows: std::ops::Range<usize>, audible: bool) -> Vec<Row> {
    squeezed(sound, audible).into_iter().filter(|at| rows.contains(at)).map(|at| sound.rows[at]).collect()
}

/// How much less some words cost in their order than in others, in deviations of those.
fn part(words: &[Vec<Row>], heard: &[Row]) -> Option<f32> {
    let cost = |order: &[usize]| {
        let rows: Vec<Row> = order.iter().flat_map(|&n| words[n].iter().copied()).collect();
        path::path(&rows, heard).cost
    };
    if words.iter().any(Vec::is_empty) {
        return None;
    }
    // Whoever stops before the words said none of them.
    if heard.is_empty() {
        return Some(0.0);
    }
    let own = cost(&(0..words.len()).collect::<Vec<_>>());
    let others: Vec<f32> = orders(words.len()).iter().map(|order| cost(order)).collect();
    let mean = others.iter().sum::<f32>() / others.len() as f32;
    let square = others.iter().map(|cost| (cost - mean) * (cost - mean)).sum::<f32>() / others.len() as f32;
    (square > 0.0).then(|| (mean - own) / square.sqrt())
}

/// Orders in which nothing is in its place, the same ones every time.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut dice = Dice(count as u64);
    let mut orders = Vec::with_capacity(ORDERS);
    while orders.len() < ORDERS {
        let mut order: Vec<usize> = (0..count).collect();
        // What is swapped with one before it only goes round through all places, so that nothing stays in its own.
        for last in (1..count).rev() {
            order.swap(last, (dice.next() % last as u64) as usize);
        }
        orders.push(order);
    }
    orders
}

/// The last words as a voice says them, each with the pause behind it.
fn words(reference: &Reference, count: usize, audible: bool) -> Option<Vec<Vec<Row>>> {
    let marks = &reference.marks.words;
    let first = marks.len().checked_sub(count)?;
    let mut edges: Vec<usize> = marks[first..].iter().map(|word| row(word.span.start)).collect();
    edges.push(reference.cepstra.rows.len());
    Some(edges.windows(2).map(|edge| heard(&reference.cepstra, edge[0]..edge[1], audible)).collect())
}
