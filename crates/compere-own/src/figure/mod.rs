//! A presenter out of a model file: GLB or VRM with ARKit's, Oculus' or VRM's expressions.
//!
//! The file is kept as it came and read by our own binary in the sandbox ([`helper_main`]), which hands on what is drawn:
//! one mesh as it stands, arms lowered, with the expressions as ways of its vertices, and its pictures as they lie in the
//! file, which the codec's own children decode. `glb` reads, `licence` judges, `acts` knows the names, `bones` and
//! `shape` stand it up as a `mesh`, `flat` is what goes through the pipe; `light` bakes, `texture`, `raster` and `paint` draw.
//!
//! The glTF is read by serde_json and two hundred lines: what is wanted is a tenth of the format, with a limit on every
//! count, and the crate `gltf` would bring its own decoders of pictures and leave the extensions of VRM to us all the same.

mod acts;
mod bones;
mod flat;
mod glb;
mod licence;
mod light;
mod mesh;
mod paint;
mod raster;

mod shape;
mod texture;

#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use compere_avatar::{Acted, Pack, Role, acted, acted_sheet};
use compere_codec::Sandbox;
use compere_codec::image::{Want, decode};
use compere_codec::sandbox::{Errand, Limits};
use compere_media::{Broken, Damage, Layer, Moving, Pixmap, Rect};

use crate::build::Face;
use crate::error::OwnError;
use crate::scratch::Scratch;
use crate::still::look;
use flat::Flat;
use paint::{Easel, Painter, View};
use texture::Texture;

/// The hidden command that reads a model in the sandbox.
const READ: &str = "read-model";
const LARGEST: u64 = 128 << 20;
/// Pictures are no larger than a face in a film.
const PICTURE: u32 = 2048;
/// What is seen of a model: head and chest, this wide and high for a face, whose middle is so far down.
const SEEN: [f32; 3] = [3.6, 3.2, 1.32];
const SIDE: u32 = 1024;

/// Runs the hidden command when `args` (without the program's name) ask for it.
pub fn helper_main(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter();
    if args.next()?.to_str()? != READ {
        return None;
    }
    let answer = args.next().ok_or_else(|| "no file is named".to_owned()).and_then(|path| {
        let file = std::fs::read(path).map_err(|error| error.to_string())?;
        flat::of_file(&file)
    });
    let bytes = answer.map_or_else(|what| flat::refusal(&what), |flat| flat.to_bytes());
    let written = std::io::stdout().lock().write_all(&bytes);
    Some(if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A model that can be used.
pub(crate) struct Figure {
    flat: Flat,
    pictures: Vec<Pixmap>,
}

/// Reads a model, or says why it cannot be shown.
pub(crate) fn figure(path: &Path, sandbox: &Sandbox) -> Result<Figure, OwnError> {
    let wrong = |what: &dyn std::fmt::Display| OwnError::Footage(format!("the model: {what}"));
    if std::fs::metadata(path).map_err(|error| wrong(&error))?.len() > LARGEST {
        return Err(wrong(&"it is larger than 128 MB"));
    }
    let limits = Limits { cpu: 60, ..Limits::PICTURE };
    let errand = Errand::helper(READ, limits).input(path);
    let answer = sandbox.run(&errand).map_err(|error| wrong(&error))?.stdout;
    let flat = Flat::from_bytes(&answer).map_err(|what| wrong(&what))?;
    let scratch = Scratch::new()?;
    let pictures = flat.images.iter().map(|bytes| {
        decode(sandbox, &scratch.holding(bytes)?, Want { max_width: PICTURE, max_height: PICTURE })
            .map_err(|error| wrong(&error))
    });
    let pictures = pictures.collect::<Result<_, _>>()?;
    Ok(Figure { flat, pictures })
}

impl Figure {
    /// From the brows to the chin, told from eyes and mouth.
    fn face(&self) -> f32 {
        2.1 * (self.flat.shape.eyes[1] - self.flat.shape.mouth[1])
    }

    /// What the file says of itself.
    pub(crate) fn licence(&self) -> &str {
        &self.flat.licence
    }

    /// The size of the whole picture, and where the face is in it.
    pub(crate) fn placed() -> ((u32, u32), Face) {
        let height = f64::from(SIDE) / f64::from(SEEN[0]);
        let tall = (height * f64::from(SEEN[1]) / 2.0).round() as u32 * 2;
        ((SIDE, tall), Face { x: f64::from(SIDE) / 2.0, y: height * f64::from(SEEN[2]), height })
    }

    /// Lights it, and paints what stands still.
    fn painter(self, scaled: (u32, u32), part: Rect) -> Painter {
        let ((width, _), placed) = Self::placed();
        let (scale, face) = (scaled.0 as f32 / width as f32, self.face());
        let (eyes, mouth) = (self.flat.shape.eyes, self.flat.shape.mouth);
        let view = View {
            middle: [eyes[0], mouth[1] + 0.4 * (eyes[1] - mouth[1]), mouth[2]],
            face,
            at: [placed.x as f32 * scale - part.x0 as f32, placed.y as f32 * scale - part.y0 as f32],
            height: placed.height as f32 * scale,
        };
        let textures = self.pictures.iter().map(Texture::of).collect();
        Painter::new(self.flat.shape, textures, view, (part.width() as usize, part.height() as usize))
    }
}

/// A presenter of a model in one size.
pub(crate) struct FigurePack {
    painter: Arc<Painter>,
    rect: Rect,
    id: String,
}

impl FigurePack {
    pub(crate) fn new(id: &str, figure: Figure, scaled: (u32, u32), part: Rect, rect: Rect) -> Self {
        Self { painter: Arc::new(figure.painter(scaled, part)), rect, id: id.to_owned() }
    }
}

impl Pack for FigurePack {
    fn rect(&self) -> Rect {
        self.rect
    }

    fn perform(&self, role: Role) -> Box<dyn Moving> {
        Box::new(Performance::new(&self.painter, acted(&role, &self.id)))
    }

    fn looks(&self, role: &Role) -> Vec<f32> {
        acted(role, &self.id).iter().map(look).collect()
    }

    fn gestures(&self) -> Vec<(&'static str, Pixmap)> {
        Vec::new()
    }

    fn sheet(&self) -> Vec<(&'static str, Pixmap)> {
        let picture = |(name, acted): (&'static str, Acted)| {
            let mut performance = Performance::new(&self.painter, vec![acted]);
            performance.show(&acted);
            (name, performance.picture)
        };
        acted_sheet().into_iter().map(picture).collect()
    }
}

struct Performance {
    painter: Arc<Painter>,
    acted: Vec<Acted>,
    easel: Easel,
    picture: Pixmap,
    /// What was painted last, and where it moved.
    shown: Option<(Acted, Rect)>,
}

impl Performance {
    fn new(painter: &Arc<Painter>, acted: Vec<Acted>) -> Self {
        let easel = painter.easel();
        let picture = Pixmap::new(easel.canvas.wide as u32, easel.canvas.high as u32);
        Self { painter: Arc::clone(painter), acted, easel, picture, shown: None }
    }

    /// Paints, and says what is another now.
    fn show(&mut self, acted: &Acted) -> Rect {
        let whole = self.picture.bounds();
        let before = self.shown.map_or(whole, |(_, moved)| moved);
        let (stale, now) = self.painter.paint(acted, &mut self.easel, before);
        for y in stale.y0..stale.y1 {
            let across = stale.x0 as usize..stale.x1 as usize;
            let row = y as usize * self.easel.canvas.wide;
            let cells = &self.easel.canvas.cells[row + across.start..row + across.end];
            let pixels = &mut self.picture.row_mut(y as u32)[across];
            pixels.iter_mut().zip(cells).for_each(|(pixel, cell)| *pixel = cell.pixel());
        }
        self.shown = Some((*acted, now));
        stale
    }
}

impl Moving for Performance {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let acted = self.acted.get(frame as usize).or(self.acted.last()).copied().unwrap_or_default();
        if self.shown.is_some_and(|(shown, _)| shown == acted) {
            return Ok(Damage::none());
        }
        let changed = self.show(&acted);
        layer.put(&self.picture, 0, 0, changed);
        Ok(Damage::rect(changed))
    }
}
