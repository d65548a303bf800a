//! How a film of a made presenter compares with a true film of the same person and speech, picture by picture.
//!
//! Both show the face in the same size. Only simulated people have a true film.

mod apart;
mod blinking;
mod dubbed;
mod seams;

pub use apart::Apart;
pub use blinking::{Blinking, blinking};
pub use dubbed::dubbed;
pub use seams::{Seams, seams};

use std::path::Path;

use compere_codec::Sandbox;
use compere_media::Marks;

use crate::bank::patch::{Patch, mouth};
use crate::bank::{RATE, moment};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::lips::{Lips, soundings};
use crate::maths::{correlation, percentile, smooth};
use crate::track::networks;
use crate::track::points::LIP_POINTS;
use crate::track::pose::{Canon, EYES, LipShape, MouthPoints, Posed, SIZE, canonical};
use crate::track::{Mesh, Networks, Tracker};

/// Lips count as closed below this part of the eyes' distance.
const SHUT: f64 = 0.02;
/// Heads are turned alike when the tip of the nose is not further apart against the eyes, in canonical pixels.
const ALIKE: f32 = 2.0;
/// Pictures by which the films may be apart.
const REACH: usize = 6;

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Likeness {
    pub pictures: usize,
    pub opening: Track,
    /// How far the lips open, as a part of how far they do in the true film: from the 5th to the 95th percentile.
    pub range: f64,
    pub width: Track,
    /// m, b and p in which the lips come together, and all.
    pub closures: (usize, usize),
    /// The same in the true film.
    pub true_closures: (usize, usize),
    /// Milliseconds by which the made film's lips come later.
    pub lag: f64,
    /// Root mean square second difference in canonical pixels (the eyes are 180 apart): made, true.
    pub lip_jitter: [f64; 2],
    pub chin_jitter: [f64; 2],
    /// Nods in both films: their correlation.
    pub nods: f64,
    /// How much the head moves from picture to picture, as a multiple of the true film's.
    pub stir: f64,
    /// Decibels between the mouths, in the same light.
    pub psnr: f64,
    /// The same where the head is turned as in the true film, and in which part of the pictures it is. A mouth that is seen from
    /// another side differs however true it is.
    pub psnr_alike: f64,
    pub alike: f64,
    /// The same of all pictures with one cause of the difference gone.
    pub apart: Apart,
}

/// A measure through both films.
#[derive(Clone, Copy, Debug)]
pub struct Track {
    pub correlation: f64,
    /// Root mean square difference, as a part of the eyes' distance.
    pub rmse: f64,
}

/// A film as it is compared.
struct Seen {
    posed: Posed,
    patches: Vec<Patch>,
}

/// Compares two films; `marks` are those of the speech, in film time. `strip` becomes a JPEG of some mouths: true, made, and
/// how they differ.
pub fn compare(
    sandbox: &Sandbox,
    faces: &Path,
    made: &Path,
    truth: &Path,
    marks: &Marks,
    strip: Option<&Path>,
) -> Result<Likeness, OwnError> {
    let networks = networks(faces)?;
    let (true_footage, true_meshes) = tracked(sandbox, &networks, truth, "the true film")?;
    let (made_footage, made_meshes) = tracked(sandbox, &networks, made, "the made film")?;
    let canon = canonical(true_meshes.iter());
    let (made, truth) = (seen(&made_footage, &made_meshes, &canon)?, seen(&true_footage, &true_meshes, &canon)?);
    if let Some(strip) = strip {
        let picture = apart::strip([&truth, &made].map(|seen| &seen.patches[..]))?;
        #[expect(clippy::disallowed_methods, reason = "a picture for whoever measures, which nothing reads")]
        std::fs::write(strip, picture).map_err(OwnError::machine)?;
    }
    Ok(likeness(&made, &truth, marks))
}

/// A film, and the face in each of its pictures.
fn tracked(sandbox: &Sandbox, networks: &Networks, path: &Path, name: &str) -> Result<(Footage, Vec<Mesh>), OwnError> {
    let footage = Footage::open(sandbox, path, name)?;
    let (mut tracker, mut meshes) = (Tracker::new(networks), Vec::new());
    footage.play((footage.width, footage.height), &mut |frame| {
        let mesh = tracker.next(frame).map_err(OwnError::machine)?;
        meshes.push(mesh.ok_or_else(|| OwnError::Footage(format!("{name} shows no face")))?);
        Ok(())
    })?;
    Ok((footage, meshes))
}

fn seen(footage: &Footage, meshes: &[Mesh], canon: &Canon) -> Result<Seen, OwnError> {
    let posed = Posed::of(meshes, canon);
    let mut patches = Vec::with_capacity(meshes.len());
    footage.play((footage.width, footage.height), &mut |frame| {
        if let Some(pose) = posed.poses.get(patches.len()) {
            patches.push(Patch::of(frame, pose));
        }
        Ok(())
    })?;
    Ok(Seen { posed, patches })
}

fn likeness(made: &Seen, truth: &Seen, marks: &Marks) -> Likeness {
    let count = made.posed.lips.len().min(truth.posed.lips.len());
    let measure = |seen: &Seen, n: usize| -> Vec<f64> {
        seen.posed.lips[..count].iter().map(|lips: &LipShape| f64::from(lips[n]) / EYES).collect()
    };
    let both = |n: usize| {
        let (a, b) = (measure(made, n), measure(truth, n));
        let square: f64 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
        Track { correlation: correlation(&a, &b), rmse: (square / count.max(1) as f64).sqrt() }
    };
    let (opening, width) = (both(0), both(2));
    let spread = |seen: &Seen| {
        let opened: Vec<f32> = seen.posed.lips[..count].iter().map(|lips| lips[0]).collect();
        f64::from(percentile(&opened, 0.95) - percentile(&opened, 0.05))
    };
    let [made_nods, true_nods] = [made, truth].map(|seen| nods(&seen.posed.turns[..count]));
    let jitter = |points: std::ops::Range<usize>| [made, truth].map(|seen| jitter(&seen.posed.mouths, points.clone()));
    let decibels: Vec<f64> = made.patches.iter().zip(&truth.patches).map(|(a, b)| psnr(a, b)).collect();
    let [all, alike] = [f32::MAX, ALIKE].map(|most| {
        let turned = made.posed.turns.iter().zip(&truth.posed.turns).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]);
        let fits = turned.map(|[x, y]| x * x + y * y <= most * most);
        decibels.iter().zip(fits).filter(|(_, fits)| *fits).map(|(decibels, _)| *decibels).collect::<Vec<f64>>()
    });
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
    let sides = [made, truth].map(|seen| apart::Side { patches: &seen.patches[..count], mouths: &seen.posed.mouths });
    Likeness {
        pictures: count,
        opening,
        range: spread(made) / spread(truth).max(1e-6),
        width,
        closures: closures(&measure(made, 0), marks),
        true_closures: closures(&measure(truth, 0), marks),
        lag: lag(&measure(truth, 0), &measure(made, 0)),
        lip_jitter: jitter(0..LIP_POINTS),
        chin_jitter: jitter(LIP_POINTS..crate::track::points::MOUTH_POINTS),
        nods: correlation(&made_nods, &true_nods),
        stir: stir(&made.posed) / stir(&truth.posed).max(1e-9),
        psnr: mean(&all),
        psnr_alike: mean(&alike),
        alike: alike.len() as f64 / all.len().max(1) as f64,
        apart: apart::mean(&sides),
    }
}

/// How far the head is bent, against where it is held for a second.
fn nods(turns: &[[f32; 2]]) -> Vec<f64> {
    let bent: Vec<[f64; 1]> = turns.iter().map(|turn| [f64::from(turn[1])]).collect();
    let held = smooth(&bent, RATE / 2.0);
    bent.iter().zip(&held).map(|(bent, held)| bent[0] - held[0]).collect()
}

/// By how many canonical pixels the bridge of the nose moves from picture to picture, root mean square, and the tip against it.
fn stir(posed: &Posed) -> f64 {
    let middle = [SIZE[0] as f64 / 2.0, SIZE[1] as f64 * 0.2];
    let at = |n: usize| {
        let ([x, y], scale) = (posed.poses[n].inverse().apply(middle), posed.poses[0].scale());
        let [yaw, pitch] = posed.turns[n].map(f64::from);
        [x * scale, y * scale, yaw, pitch]
    };
    let square = |n: usize| at(n).iter().zip(at(n - 1)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let count = posed.poses.len();
    ((1..count).map(square).sum::<f64>() / count.max(2) as f64).sqrt()
}

/// Milliseconds by which the second is late, to a tenth of a picture.
fn lag(truth: &[f64], made: &[f64]) -> f64 {
    if truth.len() < 3 * REACH {
        return 0.0;
    }
    let core = REACH..truth.len() - REACH;
    let at = |tenths: i32| {
        let shifted = core.clone().map(|n| {
            let place = n as f64 + f64::from(tenths) / 10.0;
            let low = place.floor() as usize;
            let part = place - low as f64;
            made[low] * (1.0 - part) + made[(low + 1).min(made.len() - 1)] * part
        });
        correlation(&truth[core.clone()], &shifted.collect::<Vec<_>>())
    };
    let most = REACH as i32 * 10 - 1;
    let best = (-most..=most).max_by(|&a, &b| at(a).total_cmp(&at(b))).unwrap_or(0);
    f64::from(best) / 10.0 * 1000.0 / RATE
}

fn closures(opening: &[f64], marks: &Marks) -> (usize, usize) {
    let (mut hit, mut all) = (0, 0);
    for sound in soundings(marks).iter().filter(|sound| sound.lips == Lips::Closed) {
        let near = |n: &usize| {
            let at = moment(*n as u64);
            at > sound.start - 1.0 / RATE && at < sound.end + 1.0 / RATE
        };
        let least = (0..opening.len()).filter(near).map(|n| opening[n]).fold(f64::MAX, f64::min);
        if least < f64::MAX {
            all += 1;
            hit += usize::from(least < SHUT);
        }
    }
    (hit, all)
}

fn jitter(mouths: &[MouthPoints], points: std::ops::Range<usize>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for three in mouths.windows(3) {
        for point in points.clone() {
            let bend =
                |axis: usize| f64::from(three[0][point][axis] - 2.0 * three[1][point][axis] + three[2][point][axis]);
            sum += bend(0) * bend(0) + bend(1) * bend(1);
            count += 1;
        }
    }
    (sum / count.max(1) as f64).sqrt()
}

fn psnr(made: &Patch, truth: &Patch) -> f64 {
    apart::decibels(&gained(&apart::floats(made), &apart::floats(truth)))
}

/// The places of the mouth.
fn mouth_box() -> impl Iterator<Item = usize> {
    mouth()
}

/// The difference when the made mouth is as bright in the mean as the true one.
fn gained(made: &[f32], truth: &[f32]) -> Vec<f32> {
    let sum = |of: &[f32]| mouth().map(|n| f64::from(of[n])).sum::<f64>();
    let gain = (sum(truth) / sum(made).max(1.0)) as f32;
    made.iter().zip(truth).map(|(made, truth)| made * gain - truth).collect()
}
