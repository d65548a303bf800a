//! From frames and damage to a segment: which method codes which frame.

use compere_media::{Damage, Frame, Rect};

use super::ffi::{Plane, X264};
use super::footage::{Footage, NEARLY_ALL};
use super::layout::{Grid, Layout, WORTHWHILE};
use super::pace::Pace;
use super::picture::{Picture, SkipRuns};
use super::settings::REFERENCES;
use super::slice::{Numbers, Syntax};
use super::splice::Splice;
use super::{EncodeError, FrameEntry, KEY_INTERVAL, ParameterSets, Segment, Settings};

/// What is known beforehand of the frames of a stretch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What may change in the frames after its first.
    pub reach: Damage,
    /// In most of them footage changes nearly all of the picture.
    pub footage: bool,
}

impl From<Damage> for Plan {
    fn from(reach: Damage) -> Self {
        Self { reach, footage: false }
    }
}

/// Encodes the frames of one segment, in order.
///
/// Four ways of coding a frame, the cheapest that is right: nothing changed, one run of skipped macroblocks, made
/// without x264; changes inside a small planned area, [`Splice`]; nearly everything changes in all of a stretch,
/// [`Footage`]; else the whole picture, of which x264 is told what stands still.
#[derive(Debug)]
pub struct Encoder {
    settings: Settings,
    grid: Grid,
    syntax: Syntax,
    syntax_of_footage: Syntax,
    parameter_sets: ParameterSets,
    whole: X264,
    /// Up to which share of the picture regions are cut out of it.
    worthwhile: f64,
    pace: Pace,
    /// The way the stretch since the last key frame is cut, if it is.
    splice: Option<Splice>,
    /// Codes the stretch since the last key frame, if it is one of footage.
    footage: Option<Footage>,
    /// What was announced of the next stretch.
    plan: Option<Plan>,
    /// The present stretch as it was: the guess for the next one when nobody announces it.
    seen: Seen,
    numbers: Numbers,
    runs: SkipRuns,
    frames: Vec<FrameEntry>,
    data: Vec<u8>,
}

/// The share of a picture that may have changed for there to be time to search hard in it. It is a picture's own share:
/// what moves through all of a scene, a little at a time, is calm.
const CALM: f64 = 0.6;

/// What became of a stretch.
#[derive(Debug, Default)]
struct Seen {
    reach: Damage,
    frames: u32,
    /// Those in which nearly everything changed.
    restless: u32,
}

impl Seen {
    /// Films of a rate below ours change with every second frame, or more seldom.
    fn plan(self) -> Plan {
        Plan { reach: self.reach, footage: 4 * self.restless > self.frames }
    }
}

impl Encoder {
    pub fn new(settings: &Settings) -> Result<Self, EncodeError> {
        let config = settings.whole()?;
        let mut whole = X264::open(config)?;
        let pixels = u64::from(settings.width) * u64::from(settings.height);
        let (own, pps) = whole.headers()?;
        let (sps, pps_of_footage) = Footage::headers(settings)?;
        let syntax = Syntax::of(&sps, &pps, 1)?;
        if syntax != Syntax::of(&own, &pps, 1)? {
            return Err(EncodeError::Library("it numbers pictures otherwise where it keeps several".to_owned()));
        }
        Ok(Self {
            settings: *settings,
            grid: Grid::of(settings.width, settings.height),
            syntax,
            syntax_of_footage: Syntax::of(&sps, &pps_of_footage, REFERENCES)?,
            parameter_sets: ParameterSets { sps, pps: vec![pps, pps_of_footage] },
            whole,
            worthwhile: WORTHWHILE,
            pace: Pace::new(config.qp_i, config.qp_p, pixels),
            splice: None,
            footage: None,
            plan: None,
            seen: Seen::default(),
            numbers: Numbers::default(),
            runs: SkipRuns::default(),
            frames: Vec::new(),
            data: Vec::new(),
        })
    }

    /// Announces what comes of the frames after the next one, up to the next plan. The next frame becomes a key frame.
    ///
    /// The tighter the area, the cheaper the frames. A frame that changes more than was announced is coded right
    /// all the same, as a key frame from which on the whole picture is coded; and so is footage that is none, at the
    /// price of coarser colours. A plan ends after [`KEY_INTERVAL`] frames. Then, as in a stretch without a plan that
    /// follows another, what changed last time is taken for the plan; the first stretch is coded whole.
    pub fn plan(&mut self, upcoming: Plan) {
        self.plan = Some(upcoming);
    }

    /// Adds the next frame. Outside `damage` it equals the frame pushed before; the first frame is new everywhere,
    /// whatever `damage` says.
    pub fn push(&mut self, frame: &Frame, damage: &Damage) -> Result<(), EncodeError> {
        self.check(frame)?;
        let first = self.frames.is_empty();
        let damage = if first { Damage::rect(frame.bounds()) } else { damage.clipped(frame.bounds()) };
        let broken = self.splice.as_ref().is_some_and(|splice| !splice.covers(&damage));
        let key = first || self.plan.is_some() || self.numbers.since_key + 1 >= KEY_INTERVAL || broken;
        if key {
            self.start_stretch(broken, first)?;
        } else {
            self.numbers.since_key += 1;
            self.see(&damage);
        }
        let start = self.data.len();
        self.encode(frame, &damage, key)?;
        self.frames.push(FrameEntry { bytes: (self.data.len() - start) as u32, key });
        Ok(())
    }

    /// Regions of up to this share of the picture are cut out of it, which is worth it with small ones only.
    #[cfg(test)]
    pub(super) fn splicing(mut self, worthwhile: f64) -> Self {
        self.worthwhile = worthwhile;
        self
    }

    /// What was encoded so far, from frame `first` on: all that [`Encoder::finish`] gives begins with it.
    pub fn so_far(&self, first: usize) -> Segment {
        let frames = self.frames.get(first..).unwrap_or_default().to_vec();
        let bytes: usize = frames.iter().map(|frame| frame.bytes as usize).sum();
        let data = self.data[self.data.len() - bytes..].to_vec();
        Segment { parameter_sets: self.parameter_sets.clone(), frames, data }
    }

    pub fn finish(self) -> Result<Segment, EncodeError> {
        if self.frames.is_empty() {
            return Err(EncodeError::Empty);
        }
        Ok(Segment { parameter_sets: self.parameter_sets, frames: self.frames, data: self.data })
    }

    fn see(&mut self, damage: &Damage) {
        self.seen.reach.extend(damage);
        self.seen.frames += 1;
        self.seen.restless += u32::from(self.changes(damage, NEARLY_ALL));
    }

    /// Whether damage takes at least this share of the picture.
    fn changes(&self, damage: &Damage, share: f64) -> bool {
        damage.area() as f64 >= share * f64::from(self.settings.width) * f64::from(self.settings.height)
    }

    /// Numbers the key frame that comes and decides how its stretch is coded.
    fn start_stretch(&mut self, broken: bool, first: bool) -> Result<(), EncodeError> {
        // The first key frame of a segment is 0 and the others are 1 and 2 in turn, so that two neighbours differ
        // across joins as well.
        let idr_pic_id = match self.numbers.idr_pic_id {
            _ if first => 0,
            1 => 2,
            _ => 1,
        };
        self.numbers = Numbers { since_key: 0, idr_pic_id };
        let seen = std::mem::take(&mut self.seen);
        let upcoming = match self.plan.take() {
            Some(plan) => Some(plan),
            None if broken || first => None,
            None => Some(seen.plan()),
        };
        let (slices, worthwhile) = (self.settings.max_slices(), self.worthwhile);
        let (old, footage) = (self.splice.take(), self.footage.take());
        match upcoming {
            Some(Plan { footage: true, .. }) => {
                self.footage = Some(footage.map_or_else(|| Footage::open(&self.settings), Ok)?);
            }
            Some(Plan { reach, .. }) => {
                let layout = Layout::of(&reach, self.grid, slices, worthwhile);
                self.splice = layout.map(|layout| Splice::new(self.settings, layout, old)).transpose()?;
            }
            None => {}
        }
        Ok(())
    }

    fn encode(&mut self, frame: &Frame, damage: &Damage, key: bool) -> Result<(), EncodeError> {
        let mut picture = Picture {
            grid: self.grid,
            syntax: self.syntax,
            numbers: self.numbers,
            runs: &mut self.runs,
            out: &mut self.data,
            next: 0,
        };
        let changed = if key { &Damage::rect(frame.bounds()) } else { damage };
        match (&mut self.splice, &mut self.footage) {
            (Some(splice), _) if key => splice.key(frame, damage, &mut picture)?,
            (_, footage) if changed.is_empty() => {
                footage.iter_mut().for_each(Footage::pass);
                picture.finish();
            }
            (Some(splice), _) => splice.predicted(frame, damage, &mut picture)?,
            (None, Some(footage)) => {
                picture.syntax = self.syntax_of_footage;
                picture.whole(footage.encode(frame, changed, key)?);
            }
            (None, None) => {
                mark_constant(self.whole.mb_info(), 16 * self.grid.columns, changed);
                // Key frames are few, and what stands still shows them for seconds.
                let calm = key || damage.area() as f64 <= CALM * self.grid.pixels().area() as f64;
                self.whole.search(self.settings.search(calm))?;
                let bytes = self.whole.encode(planes(frame), key, self.pace.qp(self.numbers.since_key))?;
                if !key {
                    self.pace.spent(bytes.len());
                }
                picture.whole(bytes);
            }
        }
        Ok(())
    }

    fn check(&self, frame: &Frame) -> Result<(), EncodeError> {
        let Settings { width, height, .. } = self.settings;
        if (frame.width(), frame.height()) == (width, height) {
            return Ok(());
        }
        Err(EncodeError::WrongSize { width, height, got_width: frame.width(), got_height: frame.height() })
    }
}

/// Tells x264 which macroblocks of a picture of this coded width no damage touches.
pub(super) fn mark_constant(flags: &mut [u8], coded_width: u32, damage: &Damage) {
    let columns = coded_width as usize / 16;
    let all = Rect::new(0, 0, coded_width as i32, 16 * (flags.len() / columns) as i32);
    flags.fill(X264::CONSTANT);
    for rect in damage.aligned(16).clipped(all).rects() {
        for row in rect.y0 / 16..rect.y1 / 16 {
            let start = row as usize * columns;
            flags[start + rect.x0 as usize / 16..start + rect.x1 as usize / 16].fill(0);
        }
    }
}

fn planes(frame: &Frame) -> [Plane<'_>; 3] {
    let stride = frame.width() as usize;
    [
        Plane { bytes: frame.y(), stride },
        Plane { bytes: frame.u(), stride: stride / 2 },
        Plane { bytes: frame.v(), stride: stride / 2 },
    ]
}
