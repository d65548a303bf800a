//! From a folder of footage to a presenter: every take is aligned, tracked and judged; what stands becomes the bank.

mod free;
pub(crate) mod gates;
mod long;
mod pace;
mod stage;
mod take;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use compere_codec::Sandbox;
use compere_speech::{SpeechCache, Voices};

use free::Free;
pub(crate) use gates::Gate;
pub use gates::{Finding, Level};
use stage::Spoken;
pub(crate) use stage::Talk;
pub(crate) use take::{Studied, references};
pub use take::{comparable, comparable_to};

use serde::{Deserialize, Serialize};

use crate::bank::Keeping;
use crate::bank::{Bank, Builder, Cutting};
use crate::beside::side_by_side;
use crate::error::OwnError;
use crate::footage::Footage;
use crate::ground::Ground;
use crate::matte::{self, Background, Cut, Matte, Trust};
use crate::synth::Mask;
use crate::track::pose::{Canon, Posed, Similarity, canonical};
use crate::track::{networks, segmenter};

/// The longer side that faces are looked for at.
const TRACKED: u32 = 1280;
/// Pixels between the eyes that patches are cut from; more is thrown away.
const SHARP: f64 = 220.0;

/// One file of footage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clip {
    pub path: PathBuf,
    /// What the person knows it by.
    pub name: String,
    /// What is said in it.
    pub text: String,
}

/// All that a presenter is made of.
#[derive(Clone, Debug)]
pub struct Reel {
    pub spoken: Vec<Clip>,
    /// One film in which many lines are read, its text: what is filmed alone goes before what is found there.
    pub all: Option<Clip>,
    /// A silent take with relaxed lips, which films are made on.
    pub base: PathBuf,
    /// A take in which the person talks freely: films are made on it as well.
    pub free: Option<PathBuf>,
    /// BCP 47: what is spoken.
    pub language: String,
    /// What becomes of what is behind the person.
    pub background: Background,
    pub keeping: Keeping,
}

/// What building needs of the machine.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a cache is a trait without one")]
pub struct Bench<'a> {
    pub sandbox: &'a Sandbox,
    pub voices: &'a Voices,
    pub cache: &'a dyn SpeechCache,
    /// The face networks' folder.
    pub faces: &'a std::path::Path,
    pub threads: usize,
    /// Short footage is refused, as it should be; tests with a minute of it would take too long.
    pub strict: bool,
}

/// A presenter that is not stored yet.
pub(crate) struct Built {
    pub(crate) bank: Bank,
    pub(crate) patches: Vec<Vec<u8>>,
    /// In pixels of the base's file.
    pub(crate) base: Ground,
    /// What of it was spoken.
    pub(crate) talk: Option<Talk>,
    pub(crate) size: (u32, u32),
    /// Of somebody who is cut out, and what of the base is the person.
    pub(crate) cut: Option<(Matte, Cut)>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) seconds: f64,
    /// In pixels of the base's file.
    pub(crate) face: Face,
    /// Pixels between the outer corners of the eyes.
    pub(crate) eyes: f64,
}

/// A face in pixels of the footage: its middle between brows and chin, and the distance of those.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Face {
    pub x: f64,
    pub y: f64,
    pub height: f64,
}

/// How building gets on: what is being done, how many of how many.
pub type Watch<'a> = &'a (dyn Fn(&'static str, usize, usize) + Sync);

/// Looks at all footage and makes the bank. What refuses it is in the error, all of it at once.
pub(crate) fn build(reel: &Reel, bench: &Bench<'_>, watch: Watch<'_>) -> Result<Built, Refused> {
    let networks = networks(bench.faces)?;
    let mut findings = Vec::new();
    let base = Footage::open(bench.sandbox, &reel.base, "the base take")?;
    watch("speak", 0, 1);
    let shots = long::shots(reel, bench, &mut findings)?;
    // The base's mattes take longest, and begin first.
    let behind = (reel.background != Background::Keep).then_some(Job::Behind);
    let free = reel.free.as_ref().map(|path| Job::Free(path));
    let jobs: Vec<Job<'_>> =
        behind.into_iter().chain(free).chain([Job::Base]).chain((0..shots.len()).rev().map(Job::Shot)).collect();
    let done = AtomicUsize::new(0);
    let look = |job: &Job<'_>| {
        let looked = match job {
            Job::Shot(n) => Studied::of(&shots[*n], &networks, bench).map(Looked::Spoken),
            Job::Base => take::tracked(&base, None, &networks).map(Looked::Base),
            Job::Free(path) => Free::of(path, &networks, bench).map(Looked::Free),
            Job::Behind => segmenter(bench.faces)
                .and_then(|segmenter| matte::of_take(&base, &segmenter))
                .map(|(cut, trust)| Looked::Behind(cut, trust)),
        };
        watch("track", done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
        looked
    };
    let (mut takes, mut still, mut light, mut cut, mut free) = (Vec::new(), Vec::new(), Vec::new(), None, None);
    for (job, looked) in jobs.iter().zip(side_by_side(&jobs, bench.threads, look)).rev() {
        let n = if let Job::Shot(n) = job { *n } else { shots.len() };
        match looked {
            Ok(Looked::Spoken(take)) => takes.push((n, take)),
            Ok(Looked::Free(found)) => {
                findings.extend(gates::of_free(&found));
                free = Some(found);
            }
            Ok(Looked::Base(tracked)) => {
                findings.extend(gates::of_base(&base, &tracked));
                (still, light) = (tracked.meshes, tracked.light);
            }
            Ok(Looked::Behind(found, trust)) => {
                let (is_cut, told) = reel.background.decided(&trust);
                cut = found.filter(|_| is_cut);
                findings.extend(told);
            }
            // What of the base cannot be read is told by whoever looks for its face.
            Err(OwnError::Footage(_)) if matches!(job, Job::Behind) => {}
            Err(OwnError::Footage(what)) if matches!(job, Job::Free(_)) => {
                findings.push(Finding::refused(free::ABOUT, what, "record it again, or leave it out"));
            }
            // A take that cannot be read at all is refused like one that can.
            Err(OwnError::Footage(what)) => {
                let name = shots.get(n).map_or("the base take", |shot| &shot.clip.name);
                let refusal = Finding::refused(name, what, "record it again");
                let of_many = shots.get(n).is_some_and(|shot| shot.part.is_some());
                findings.push(if of_many { long::left_out(&refusal) } else { refusal });
            }
            Err(error) => return Err(error.into()),
        }
    }
    long::sift(&shots, &mut takes, &mut findings);
    if takes.is_empty() {
        findings.push(Finding::refused("the footage", "no take can be used".to_owned(), "see the takes"));
        return Err(Refused::Footage(findings));
    }
    let canon = canonical(takes.iter().flat_map(|(_, take)| &take.meshes));
    let posed: Vec<Posed> = takes.iter().map(|(_, take)| Posed::of(&take.meshes, &canon)).collect();
    let base_posed = if still.is_empty() { Posed::default() } else { Posed::of(&still, &canon) };
    let free_posed = free.as_ref().map(|free| Posed::of(&free.face.meshes, &canon));
    let shift = gates::of_person(&takes, &posed, &base_posed, free_posed.as_ref(), &mut findings);
    if bench.strict {
        let texts = takes.iter().map(|(n, _)| shots[*n].clip.text.as_str());
        findings.extend(gates::of_coverage(&takes, texts, &reel.language));
    }
    if findings.iter().any(Finding::refuses) {
        return Err(Refused::Footage(findings));
    }
    let eyes = gates::eyes(takes.iter().flat_map(|(_, take)| &take.meshes));
    let (bank, patches) = fill(&canon, &takes, &posed, shift, reel.keeping, bench.threads, watch)?;
    let seconds = takes.iter().map(|(_, take)| take.meshes.len() as f64 / crate::bank::RATE).sum();
    let scale = f64::from(base.size_within(TRACKED).0) / f64::from(base.width);
    let silence = stage::Silence { posed: &base_posed, light: &light, size: (base.width, base.height), scale };
    let lines = takes.iter().zip(&posed).map(|((_, take), posed)| Spoken::line(take, posed, shift));
    let freely = free.as_ref().zip(free_posed.as_ref()).map(|(free, posed)| Spoken::freely(free, posed, shift));
    let spoken: Vec<Spoken<'_>> = lines.chain(freely).collect();
    let (ground, talk) = stage::staged(&silence, &spoken, &mut cut, bench)?;
    let face = face(&canon, &ground.posed);
    let size = (base.width, base.height);
    Ok(Built { bank, patches, base: ground, talk, size, cut, findings, seconds, face, eyes })
}

/// Where the face is at the base's beginning.
fn face(canon: &Canon, base: &Posed) -> Face {
    const BROWS: [usize; 2] = [105, 334];
    const CHIN: usize = 152;
    let [right, left] = BROWS.map(|brow| canon[brow]);
    let (brows, chin) = ([(right[0] + left[0]) / 2.0, (right[1] + left[1]) / 2.0], canon[CHIN]);
    let middle = [(brows[0] + chin[0]) / 2.0, (brows[1] + chin[1]) / 2.0];
    let back = base.poses.first().map(Similarity::inverse);
    let [x, y] = back.map_or(middle, |back| back.apply(middle));
    let scale = back.map_or(1.0, |back| back.scale());
    let (dx, dy) = (chin[0] - brows[0], chin[1] - brows[1]);
    Face { x, y, height: (dx * dx + dy * dy).sqrt() * scale }
}

/// What is looked at, side by side.
enum Job<'a> {
    Shot(usize),
    Base,
    Free(&'a std::path::Path),
    /// What is behind the person of the base.
    Behind,
}

enum Looked {
    Spoken(Studied),
    Base(take::Tracked),
    Free(Free),
    /// What tells the person from the background.
    Behind(Option<(Matte, Cut)>, Trust),
}

/// Why there is no presenter.
#[derive(Clone, Debug)]
pub enum Refused {
    /// Some of the findings refuse it.
    Footage(Vec<Finding>),
    Error(OwnError),
}

impl From<OwnError> for Refused {
    fn from(error: OwnError) -> Self {
        Self::Error(error)
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Footage(findings) => {
                let mut refusals = findings.iter().filter(|finding| finding.refuses());
                let first = refusals.next().map(ToString::to_string).unwrap_or_default();
                write!(f, "{first}")?;
                refusals.try_for_each(|finding| write!(f, "\n{finding}"))
            }
            Self::Error(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// Cuts the patches of all takes, several takes at a time, and learns from them.
fn fill(
    canon: &Canon,
    takes: &[(usize, Studied)],
    posed: &[Posed],
    shift: i64,
    keeping: Keeping,
    threads: usize,
    watch: Watch<'_>,
) -> Result<(Bank, Vec<Vec<u8>>), OwnError> {
    let near = Mask::of(canon).near;
    let jobs: Vec<(&Studied, &Posed)> = takes.iter().map(|(_, take)| take).zip(posed).collect();
    let done = AtomicUsize::new(0);
    watch("cut", 0, takes.len());
    let cut = side_by_side(&jobs, threads, |(take, posed)| {
        let pictures = cuttings(take, posed, keeping, &near);
        watch("cut", done.fetch_add(1, Ordering::Relaxed) + 1, takes.len());
        pictures
    });
    let mut builder = Builder::new(canon.clone());
    let mut patches = Vec::new();
    for ((take, posed), pictures) in jobs.iter().zip(cut) {
        let pictures = pictures?;
        builder.take(posed, &take.shifted(shift), &pictures);
        patches.extend(pictures.into_iter().map(|picture| picture.jpeg));
    }
    watch("learn", 0, 1);
    Ok((builder.finish(), patches))
}

/// The pictures of one take.
fn cuttings(take: &Studied, posed: &Posed, keeping: Keeping, near: &[bool]) -> Result<Vec<Cutting>, OwnError> {
    let scale = SHARP / gates::eyes(take.meshes.iter());
    let most = (f64::from(take.size.0.max(take.size.1)) * scale.min(1.5)) as u32;
    let size = take.footage.size_within(most);
    let by = f64::from(size.0) / f64::from(take.size.0);
    let mut pictures = Vec::with_capacity(posed.poses.len());
    take.footage.play(size, &mut |frame| {
        if let Some(pose) = posed.poses.get(pictures.len()) {
            pictures.push(Cutting::of(frame, &pose.of_scaled(by), keeping, near)?);
        }
        Ok(())
    })?;
    Ok(pictures)
}
