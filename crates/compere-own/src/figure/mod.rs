//! A presenter out of a model file: GLB or VRM with ARKit's, Oculus' or VRM's expressions.
//!
//! The file is kept as it came and read by our own binary in the sandbox ([`helper_main`]), which hands on what is drawn:
//! one mesh as it stands, arms lowered, with the expressions as ways of its vertices, and its pictures as they lie in the
//! file, which the codec's own children decode. `glb` reads, `licence` judges, `acts` knows the names, `shape` stands it
//! up, `flat` is what goes through the pipe, `paint` draws.
//!
//! The glTF is read by serde_json and two hundred lines: what is wanted is a tenth of the format, with a limit on every
//! count, and the crate `gltf` would bring its own decoders of pictures and leave the extensions of VRM to us all the same.

mod acts;
mod flat;
mod glb;
mod licence;
mod paint;
mod shape;

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
use flat::Flat;
use paint::Painter;

/// The hidden command that reads a model in the sandbox.
const READ: &str = "read-model";
const LARGEST: u64 = 128 << 20;
/// Pictures are no larger than a face in a film.
const PICTURE: u32 = 2048;
/// What is seen of a model: head and chest, this wide and high for a face, whose middle is so far down.
const SEEN: [f32; 3] = [4.6, 4.4, 1.25];
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
    let limits = Limits { wall: 60, cpu: 60, ..Limits::PICTURE };
    let errand = Errand::helper(READ, limits).input(path);
    let answer = sandbox.run(&errand).map_err(|error| wrong(&error))?.stdout;
    let flat = Flat::from_bytes(&answer).map_err(|what| wrong(&what))?;
    let scratch = Scratch::new()?;
    let pictures = flat.images.iter().map(|bytes| {
        let path = scratch.0.join("picture");
        std::fs::write(&path, bytes).map_err(OwnError::machine)?;
        decode(sandbox, &path, Want { max_width: PICTURE, max_height: PICTURE }).map_err(|error| wrong(&error))
    });
    let pictures = pictures.collect::<Result<_, _>>()?;
    Ok(Figure { flat, pictures })
}

/// A folder for pictures on their way to the codec's children, gone with this.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new() -> Result<Self, OwnError> {
        static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let n = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("compere-model-{}-{n}", std::process::id()));
        std::fs::create_dir(&folder).map_err(OwnError::machine)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
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

    fn painter(&self, scaled: (u32, u32), part: Rect) -> Painter<'_> {
        let ((width, _), face) = Self::placed();
        let scale = scaled.0 as f32 / width as f32;
        let (eyes, mouth) = (self.flat.shape.eyes, self.flat.shape.mouth);
        let middle = [eyes[0], mouth[1] + 0.4 * (eyes[1] - mouth[1]), mouth[2]];
        let at = [face.x as f32 * scale - part.x0 as f32, face.y as f32 * scale - part.y0 as f32];
        let view = paint::View { middle, face: self.face(), at, height: face.height as f32 * scale };
        Painter { shape: &self.flat.shape, pictures: &self.pictures, view, size: paint::sized(part) }
    }
}

/// A presenter of a model in one size.
pub(crate) struct FigurePack {
    figure: Arc<Figure>,
    scaled: (u32, u32),
    part: Rect,
    rect: Rect,
    id: String,
}

impl FigurePack {
    pub(crate) fn new(id: &str, figure: Figure, scaled: (u32, u32), part: Rect, rect: Rect) -> Self {
        Self { figure: Arc::new(figure), scaled, part, rect, id: id.to_owned() }
    }
}

impl Pack for FigurePack {
    fn rect(&self) -> Rect {
        self.rect
    }

    fn perform(&self, role: Role) -> Box<dyn Moving> {
        let acted = acted(&role, &self.id);
        Box::new(Performance {
            figure: Arc::clone(&self.figure),
            scaled: self.scaled,
            part: self.part,
            acted,
            shown: None,
        })
    }

    fn gestures(&self) -> Vec<(&'static str, Pixmap)> {
        Vec::new()
    }

    fn sheet(&self) -> Vec<(&'static str, Pixmap)> {
        let painter = self.figure.painter(self.scaled, self.part);
        acted_sheet().into_iter().map(|(name, acted)| (name, painter.paint(&acted))).collect()
    }
}

struct Performance {
    figure: Arc<Figure>,
    scaled: (u32, u32),
    part: Rect,
    acted: Vec<Acted>,
    shown: Option<Acted>,
}

impl Moving for Performance {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let acted = self.acted.get(frame as usize).or(self.acted.last()).copied().unwrap_or_default();
        if self.shown == Some(acted) {
            return Ok(Damage::none());
        }
        let picture = self.figure.painter(self.scaled, self.part).paint(&acted);
        layer.put(&picture, 0, 0, picture.bounds());
        self.shown = Some(acted);
        Ok(Damage::rect(picture.bounds()))
    }
}
