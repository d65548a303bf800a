//! A presenter out of one portrait.
//!
//! The points of the face say where lids, lips, brows and chin are and how far each place stands out. The portrait is bent
//! by that: the head turns by a few degrees, lids close, lips open. Between them there are teeth and a tongue that no portrait
//! shows, in its light. It is an animated photograph, and looks like one from near.

mod fields;
mod gates;
mod inside;
mod maps;
mod paint;
mod shape;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use compere_avatar::{Acted, Pack, Role, acted, acted_sheet};
use compere_codec::Sandbox;
use compere_codec::image::{Want, decode};
use compere_media::{Broken, Damage, Frame, Layer, Moving, Pixmap, Rect};
use serde::{Deserialize, Serialize};

use crate::build::{Bench, Face, Finding, Level, Refused};
use crate::error::OwnError;
use crate::jpeg::{planes_from_jpeg, planes_to_jpeg};
use crate::matte::{self, Background, Cut, CutOut, Matte};
use crate::still::look;
use crate::synth::{fill, grey};
use crate::track::points::{EYE_OUTER, MESH};
use crate::track::pose::Similarity;
use crate::track::{Mesh, Networks, Tracker, networks, sample, segmenter};
use paint::Portrait;
use shape::Shape;

/// The longer side that is kept.
const LARGEST: u32 = 2048;
const QUALITY: u8 = 96;
/// Looks at the same picture after which the points stay where they are.
const LOOKS: usize = 4;

/// A portrait with its face, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Photo {
    pub(crate) width: u32,
    pub(crate) height: u32,
    mesh: Vec<[f32; 3]>,
}

impl Photo {
    /// Whether it can be what was written.
    pub(crate) fn is_whole(&self) -> bool {
        let even = self.width.is_multiple_of(2) && self.height.is_multiple_of(2);
        let sized = (2..=LARGEST).contains(&self.width) && (2..=LARGEST).contains(&self.height);
        even && sized && self.mesh.len() == MESH && self.mesh.iter().flatten().all(|number| number.is_finite())
    }
}

/// A portrait that can be used.
pub(crate) struct Taken {
    pub(crate) photo: Photo,
    /// All planes, as a grey JPEG.
    pub(crate) picture: Vec<u8>,
    pub(crate) face: Face,
    /// Pixels between the outer corners of the eyes.
    pub(crate) eyes: f64,
    /// Of somebody who is cut out, and what of the photo is the person.
    pub(crate) cut: Option<CutOut>,
    pub(crate) findings: Vec<Finding>,
}

/// Looks at a photo, and says what is wrong with it.
pub(crate) fn taken(path: &Path, background: Background, bench: &Bench<'_>) -> Result<Taken, Refused> {
    let pixmap = read(path, bench.sandbox)?;
    let frame = flat(&pixmap)?;
    let (mesh, mut findings) = looked_at(&frame, &networks(bench.faces)?)?;
    let mut cut = None;
    if background != Background::Keep && !mesh.is_empty() {
        let told;
        (cut, told) = cut_out(&pixmap, &frame, background, bench)?;
        findings.extend(told);
    }
    if findings.iter().any(|finding| finding.level == Level::Refused) {
        return Err(Refused::Footage(findings));
    }
    let (width, height) = (frame.width(), frame.height());
    let picture = planes_to_jpeg(&grey(&frame, frame.bounds()), width as usize, height as usize * 3 / 2, QUALITY)?;
    let (face, eyes) = (face(&mesh), eyes(&mesh));
    Ok(Taken { photo: Photo { width, height, mesh }, picture, face, eyes, cut, findings })
}

/// The matte of a photo, where there is to be one, and what is said of it. A photo that is transparent around somebody was cut
/// out already.
fn cut_out(
    pixmap: &Pixmap,
    frame: &Frame,
    background: Background,
    bench: &Bench<'_>,
) -> Result<(Option<CutOut>, Vec<Finding>), OwnError> {
    let (bounds, size) = (frame.bounds(), (frame.width(), frame.height()));
    let own: Vec<u8> = pixmap.cropped(bounds).data().iter().map(|pixel| pixel[3]).collect();
    if own.iter().filter(|alpha| **alpha == 0).count() * 20 > own.len() {
        let seen = Cut::around(&own, frame.width() as usize);
        return Ok((Some((Matte::of_whole(&own, size)?, seen)), Vec::new()));
    }
    let (cut, trust) = matte::of_picture(frame, &segmenter(bench.faces)?)?;
    let (is_cut, findings) = background.decided(&trust);
    Ok((is_cut.then_some(cut), findings))
}

fn read(path: &Path, sandbox: &Sandbox) -> Result<Pixmap, OwnError> {
    let wrong = |error| OwnError::Footage(format!("{}: {error}", gates::ABOUT));
    decode(sandbox, path, Want { max_width: LARGEST, max_height: LARGEST }).map_err(wrong)
}

/// Of even sides, and without anything behind it.
fn flat(pixmap: &Pixmap) -> Result<Frame, OwnError> {
    let even = Rect::of_size(pixmap.width() / 2 * 2, pixmap.height() / 2 * 2);
    if even.is_empty() {
        return Err(OwnError::Footage(format!("{}: it has no pixels", gates::ABOUT)));
    }
    let mut frame = Frame::new(even.width(), even.height());
    frame.fill(compere_media::Rgb { r: 205, g: 208, b: 212, a: 255 });
    Layer::from_pixmap(&pixmap.cropped(even), 0, 0).lay_on(&mut frame, even, 255);
    Ok(frame)
}

fn looked_at(frame: &Frame, networks: &Networks) -> Result<(Mesh, Vec<Finding>), OwnError> {
    let faces = networks.detect(frame).map_err(OwnError::machine)?;
    let nobody = || {
        let advice = "take a photo of one person from the front, with the whole face in it";
        Finding::refused(gates::ABOUT, "no face is found in it".to_owned(), advice)
    };
    if faces.is_empty() {
        return Ok((Mesh::new(), vec![nobody()]));
    }
    let mut tracker = Tracker::new(networks);
    let mut mesh = None;
    for _ in 0..LOOKS {
        mesh = tracker.next(frame).map_err(OwnError::machine)?;
    }
    let Some(mesh) = mesh else { return Ok((Mesh::new(), vec![nobody()])) };
    let mut findings = gates::of_photo(frame, &mesh);
    if faces.get(1).is_some_and(|other| other.is_as_large_as(&faces[0])) {
        let what = "a second face is in it".to_owned();
        findings.push(Finding::refused(gates::ABOUT, what, "take a photo of one person alone"));
    }
    Ok((mesh, findings))
}

fn eyes(mesh: &Mesh) -> f64 {
    let [a, b] = EYE_OUTER.map(|eye| mesh[eye].map(f64::from));
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

/// From the brows to the chin.
fn face(mesh: &Mesh) -> Face {
    let at = |point: usize| [f64::from(mesh[point][0]), f64::from(mesh[point][1])];
    let ([a, b], chin) = ([at(105), at(334)], at(152));
    let brows = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let (dx, dy) = (chin[0] - brows[0], chin[1] - brows[1]);
    Face { x: (brows[0] + chin[0]) / 2.0, y: (brows[1] + chin[1]) / 2.0, height: (dx * dx + dy * dy).sqrt() }
}

/// All of a portrait in one size, then a part of that.
fn scaled(photo: &Frame, (width, height): (u32, u32), part: Rect) -> Frame {
    let mut out = Frame::new(part.width(), part.height());
    let planes = |frame: &Frame| [frame.y().to_vec(), frame.u().to_vec(), frame.v().to_vec()];
    let from = planes(photo);
    let (y, u, v) = out.planes_mut();
    for (n, to) in [y, u, v].into_iter().enumerate() {
        let step = if n == 0 { 1 } else { 2 };
        let (wide, high) = (photo.width() / step, photo.height() / step);
        let by = [f64::from(wide) / f64::from(width / step), f64::from(high) / f64::from(height / step)];
        // Large pixels are means of several looks.
        let looks = by.map(|by| by.ceil().clamp(1.0, 8.0) as usize);
        let across = (part.width() / step) as usize;
        let corner = [(part.x0 / step as i32) as usize, (part.y0 / step as i32) as usize];
        for (at, out) in to.iter_mut().enumerate() {
            let [x, y] = [corner[0] + at % across, corner[1] + at / across];
            let mut sum = 0.0;
            for look in 0..looks[0] * looks[1] {
                let inner = |n: usize, of: usize| (n as f64 + 0.5) / of as f64;
                let px = (x as f64 + inner(look % looks[0], looks[0])) * by[0] - 0.5;
                let py = (y as f64 + inner(look / looks[0], looks[1])) * by[1] - 0.5;
                sum += sample(&from[n], wide as usize, high as usize, px as f32, py as f32);
            }
            *out = (sum / (looks[0] * looks[1]) as f32 + 0.5) as u8;
        }
    }
    out
}

/// A presenter of a photo in one size.
pub(crate) struct PhotoPack {
    portrait: Arc<Portrait>,
    rect: Rect,
    id: String,
}

impl PhotoPack {
    /// `picture` is what was kept of `photo`; all of it is `size` large, and `part` of that lies at `rect`.
    pub(crate) fn new(
        id: &str,
        (photo, picture, matte): (&Photo, &[u8], Option<&Matte>),
        size: (u32, u32),
        part: Rect,
        rect: Rect,
    ) -> Result<Self, OwnError> {
        let mut frame = Frame::new(photo.width, photo.height);
        let planes = planes_from_jpeg(picture, photo.width as usize, photo.height as usize * 3 / 2)?;
        let whole = frame.bounds();
        fill(&mut frame, &planes, whole);
        let mut still = scaled(&frame, size, part);
        let alpha = matte.map(|matte| matte.alpha(0, size, part)).transpose()?;
        if let (Some(alpha), Some(matte)) = (&alpha, matte) {
            matte.clean(&mut still, alpha);
        }
        let shape = Shape::of(&photo.mesh);
        let by = [f64::from(size.0) / f64::from(photo.width), f64::from(size.1) / f64::from(photo.height)];
        // Both scales are the same but for rounding.
        let (scale, placed) = (by[0], shape.placed);
        let placed = Similarity {
            cos: placed.cos * scale,
            sin: placed.sin * scale,
            x: placed.x * by[0] - f64::from(part.x0),
            y: placed.y * by[1] - f64::from(part.y0),
        };
        Ok(Self { portrait: Arc::new(Portrait::new(still, alpha, shape, placed)), rect, id: id.to_owned() })
    }
}

impl Pack for PhotoPack {
    fn rect(&self) -> Rect {
        self.rect
    }

    fn perform(&self, role: Role) -> Box<dyn Moving> {
        let (frame, alpha) = (self.portrait.still.clone(), self.portrait.alpha.clone());
        let acted = acted(&role, &self.id);
        Box::new(Performance { portrait: Arc::clone(&self.portrait), acted, frame, alpha, shown: None })
    }

    fn looks(&self, role: &Role) -> Vec<f32> {
        acted(role, &self.id).iter().map(look).collect()
    }

    fn gestures(&self) -> Vec<(&'static str, Pixmap)> {
        Vec::new()
    }

    fn sheet(&self) -> Vec<(&'static str, Pixmap)> {
        let picture = |(name, acted): (&'static str, Acted)| {
            let (mut frame, mut alpha) = (self.portrait.still.clone(), self.portrait.alpha.clone());
            self.portrait.paint(&acted, &mut frame, alpha.as_mut());
            (name, matte::pixmap(&frame, alpha.as_deref()))
        };
        acted_sheet().into_iter().map(picture).collect()
    }
}

struct Performance {
    portrait: Arc<Portrait>,
    acted: Vec<Acted>,
    frame: Frame,
    alpha: Option<Vec<u8>>,
    shown: Option<Acted>,
}

impl Moving for Performance {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let acted = self.acted[(frame as usize).min(self.acted.len() - 1)];
        if self.shown == Some(acted) {
            return Ok(Damage::none());
        }
        self.portrait.paint(&acted, &mut self.frame, self.alpha.as_mut());
        matte::put(layer, &self.frame, self.alpha.as_deref());
        let changed = if self.shown.is_none() { self.frame.bounds() } else { self.portrait.moving };
        self.shown = Some(acted);
        Ok(Damage::rect(changed))
    }
}
