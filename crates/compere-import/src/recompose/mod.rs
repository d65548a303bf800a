//! Slides taken apart: texts and pictures as clips over the slide without them, where that looks as the slide did.
//!
//! Nothing is believed. Both pages are there as LibreOffice drew them, with and without; each clip is drawn and laid over
//! the second, and what does not resemble the first becomes part of the picture again. In the end the scene is drawn by
//! the code that draws films and compared once more.

mod canvas;
mod cells;
mod letters;
mod place;
mod upright;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use compere_codec::Sandbox;
use compere_codec::image::{self, Want as Wanted};
use compere_compose::draw::{self, Fonts};
use compere_compose::{Compositor, Props, Stage};
use compere_media::{Pixmap, Rect, math};
use compere_scene::{AvatarEntry, Catalogue, ClipKind, Limits, Place, Source, VoiceEntry};
use serde_json::json;

use canvas::SPOT;
use cells::Cells;
use letters::Page as Ground;
use place::{Block, Map, Row, around, bounds};
use upright::Upright;

use crate::ImportError;
use crate::deck::{Clip, ClipWhat, TextClip, canvas};
use crate::inside::bare::{BareSlide, Paragraph, Piece, What};
use crate::page::{Page, Word};
use crate::picture::{self, Picture};
use crate::project::clip_of;
use compere_media::Orientation;

/// What is known of a slide before it is taken apart.
pub(crate) struct Sheet {
    pub(crate) bare: BareSlide,
    pub(crate) words: Vec<Word>,
    /// As it was drawn whole.
    pub(crate) whole: PathBuf,
}

/// A slide, taken apart or not.
#[derive(Debug)]
pub(crate) struct Apart {
    /// The new picture; nothing when the slide stays as it was.
    pub(crate) picture: Option<PathBuf>,
    pub(crate) clips: Vec<Clip>,
    /// Where the clips lie, in canvas units.
    pub(crate) covered: Vec<Covered>,
    /// What stayed part of the picture, and how often.
    pub(crate) left_in: BTreeMap<String, usize>,
}

/// A part of a slide that a clip covers from a step on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Covered {
    pub(crate) rect: Rect,
    /// 0 for what is there from the start.
    pub(crate) from: u8,
}

pub(crate) struct Recomposer<'a> {
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) fonts: &'a Fonts,
    pub(crate) orientation: Orientation,
    /// Where pictures go, and where those of the deck lie.
    pub(crate) folder: &'a Path,
    pub(crate) parts: &'a Path,
    /// By the number of the slide.
    pub(crate) sheets: BTreeMap<usize, Sheet>,
    /// Families that the drawn deck holds, for those that Compere does not have.
    pub(crate) families: Vec<String>,
    pub(crate) done: Mutex<BTreeMap<usize, Apart>>,
}

/// Mean difference of a patch, and of a whole slide, above which a recomposed slide is another slide.
const PATCH: f32 = 24.0;
const WHOLE: f32 = 1.5;
/// Spots along a side of a patch.
const PATCH_SIDE: usize = 6;

impl Recomposer<'_> {
    /// Takes one slide apart; `bare` is the slide without its pieces, twice the canvas.
    pub(crate) fn take(&self, bare: &Picture, page: &Page) -> Result<(), ImportError> {
        let Some(sheet) = self.sheets.get(&page.number) else { return Ok(()) };
        let mut left_in = sheet.bare.left_in.clone();
        let apart = match self.apart(sheet, bare, page) {
            Ok(apart) => apart,
            Err(why) => {
                *left_in.entry(why).or_default() += 1;
                Apart { picture: None, clips: vec![], covered: vec![], left_in }
            }
        };
        self.done.lock().unwrap_or_else(PoisonError::into_inner).insert(page.number, apart);
        Ok(())
    }

    fn apart(&self, sheet: &Sheet, bare: &Picture, page: &Page) -> Result<Apart, String> {
        let whole = self.decoded(&sheet.whole)?;
        let whole = Picture::of_pixmap(&whole);
        if (whole.width, whole.height) != (bare.width, bare.height) {
            return Err("its picture has another size".to_owned());
        }
        let map = Map::of(page, canvas(self.orientation));
        let mut desk = Desk {
            all: self,
            sheet,
            map,
            cells: cells::found(&sheet.bare.pieces, &sheet.words, map),
            small: whole.halved(),
            whole,
            page: page.number,
            failed: BTreeMap::new(),
            loaded: BTreeMap::new(),
            grains: vec![],
            covered: vec![],
        };
        let (ground, clips) = desk.proven(bare)?;
        let mut left_in = sheet.bare.left_in.clone();
        for why in desk.failed.values() {
            *left_in.entry((*why).to_owned()).or_default() += 1;
        }
        if clips.is_empty() {
            return Ok(Apart { picture: None, clips, covered: vec![], left_in });
        }
        let (form, bytes) = picture::encode(&ground).map_err(|error| error.sentence)?;
        let path = self.folder.join(format!("bare-{:03}.{}", page.number, form.ending()));
        picture::write(&path, &bytes).map_err(|error| error.sentence)?;
        Ok(Apart { picture: Some(path), clips, covered: desk.covered, left_in })
    }

    fn decoded(&self, path: &Path) -> Result<Pixmap, String> {
        image::decode(self.sandbox, path, Wanted { max_width: 8000, max_height: 8000 }).map_err(|error| error.what)
    }

    /// Draws the scene as a film would and holds it against the slide.
    fn prove(&self, ground: &Picture, clips: &[Clip], whole: &Picture, grains: &[Grain]) -> Result<(), Flaw> {
        let broken = |what: String| Flaw { what, patch: None };
        let ours = self.frame(ground, clips).map_err(broken)?;
        let theirs = self.frame(whole, &[]).map_err(broken)?;
        let (width, height) = self.proof_size();
        let picture = |rgb: Vec<[u8; 3]>| Picture { width, height, rgb };
        let (mut ours, mut theirs) = (picture(ours), picture(theirs));
        for Grain { rect, side } in grains {
            let half = Rect::new(rect.x0 / 2, rect.y0 / 2, rect.x1 / 2, rect.y1 / 2);
            [&mut ours, &mut theirs].into_iter().for_each(|picture| picture.coarsen(half, side / 2));
        }
        // Spots rather than pixels: no two programs enlarge a small picture in the same way.
        let spots = ours.apart(&theirs, ours.bounds(), &|_, _| true);
        let across = (width as usize).div_ceil(SPOT);
        let mut patches = BTreeMap::<(usize, usize), f32>::new();
        for (at, apart) in spots.iter().enumerate() {
            *patches.entry((at % across / PATCH_SIDE, at / across / PATCH_SIDE)).or_default() += apart;
        }
        let most = patches.iter().max_by(|one, other| one.1.total_cmp(other.1)).map(|(at, apart)| (*at, *apart));
        let (at, apart) = most.unwrap_or_default();
        let worst = apart / (PATCH_SIDE * PATCH_SIDE) as f32;
        let mean = spots.iter().sum::<f32>() / spots.len().max(1) as f32;
        if worst > PATCH || mean > WHOLE {
            // A pixel of the proof is two canvas units.
            let side = (PATCH_SIDE * SPOT * 2) as i32;
            let (x, y) = (at.0 as i32 * side, at.1 as i32 * side);
            let patch = (worst > PATCH).then(|| Rect::new(x, y, x + side, y + side));
            let what = format!(
                "the scene made of them would differ from the slide (by {worst:.0} of 255 at its worst place, {mean:.1} on average)"
            );
            return Err(Flaw { what, patch });
        }
        Ok(())
    }

    fn proof_size(&self) -> (u32, u32) {
        let (width, height) = canvas(self.orientation);
        (width / 2, height / 2)
    }

    fn frame(&self, ground: &Picture, clips: &[Clip]) -> Result<Vec<[u8; 3]>, String> {
        const GROUND: &str = "/ground.png";
        let link = |path: &Path| format!("/{}", path.file_name().unwrap_or_default().to_string_lossy());
        let mut pictures = BTreeMap::from([(Source(GROUND.to_owned()), Arc::new(ground.to_pixmap()))]);
        for clip in clips {
            if let ClipWhat::Picture(path) = &clip.what {
                pictures.insert(Source(link(path)), Arc::new(self.decoded(path)?));
            }
        }
        // All at once, as the slide is at its end.
        let at_once = |clip: &Clip| Clip { from: None, ..clip.clone() };
        let clips: Vec<_> = clips.iter().enumerate().map(|(at, clip)| clip_of(at, &at_once(clip), &link)).collect();
        let body = json!({
            "name": "proof", "orientation": self.orientation.as_str(),
            "scenes": [{ "sceneIdx": 0, "clips": clips, "background": {
                "id": "background", "type": "background", "source_type": "image", "source_url": GROUND,
                "source_color": "rgb(255,255,255)",
            } }],
        });
        let resolved = compere_scene::resolve(&body, &Limits::default(), &Nobody);
        let resolved = resolved.map_err(|problems| problems.first().map(ToString::to_string).unwrap_or_default())?;
        let scene = resolved.film.scenes.first().ok_or("there is no scene")?;
        debug_assert!(scene.clips.iter().all(|clip| matches!(clip.kind, ClipKind::Text(_) | ClipKind::Image(_))));
        let props = Props {
            fonts: self.fonts,
            pictures: &pictures,
            canvas: canvas(self.orientation),
            output: self.proof_size(),
            frames: 1,
        };
        let (stage, _) = Stage::set(scene, props);
        let mut compositor = Compositor::new(Arc::new(stage), BTreeMap::new());
        let (frame, _) = compositor.advance(0).map_err(|lost| lost.to_string())?;
        Ok(frame.to_rgb())
    }

    /// The font that the deck names, if Compere has it, else those that LibreOffice took.
    fn families(&self, wanted: &str) -> Vec<String> {
        let normal =
            |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
        let own = self.fonts.families();
        let installed = |name: &str| own.iter().find(|known| normal(known) == normal(name)).cloned();
        if let Some(family) = installed(wanted) {
            return vec![family];
        }
        let mut found: Vec<String> = self.families.iter().filter_map(|family| installed(family)).collect();
        // The one of the same widths first.
        let twin = crate::twin::same_widths(wanted);
        found.sort_by_key(|family| Some(family.as_str()) != twin);
        found.dedup();
        if found.is_empty() { vec!["Noto Sans".to_owned()] } else { found }
    }
}

/// One slide at work.
struct Desk<'a> {
    all: &'a Recomposer<'a>,
    sheet: &'a Sheet,
    map: Map,
    cells: Cells,
    whole: Picture,
    /// A pixel for a canvas unit.
    small: Picture,
    page: usize,
    /// Pieces that stay part of the picture, and why.
    failed: BTreeMap<usize, &'static str>,
    loaded: BTreeMap<usize, (PathBuf, Arc<Pixmap>)>,
    /// Those among the clips.
    grains: Vec<Grain>,
    covered: Vec<Covered>,
}

/// A small picture shown large, in canvas units. Poppler shows its pixels as squares, films show them smooth: only squares
/// of a few of them are compared.
#[derive(Clone, Copy)]
struct Grain {
    rect: Rect,
    side: usize,
}

impl Grain {
    /// From how many canvas units for a pixel on.
    const COARSE: f64 = 1.5;
    /// Pixels along a side of what is compared: noise from pixel to pixel is gone from their mean.
    const SIDE: f64 = 8.0;

    fn of(place: &Place, pixmap: &Pixmap) -> Option<Self> {
        let across = place.width / f64::from(pixmap.width().max(1));
        let unit = across.max(place.height / f64::from(pixmap.height().max(1)));
        let side = (unit * Self::SIDE).ceil().min(200.0) as usize;
        (unit > Self::COARSE).then(|| Self { rect: around(bounds(place), 2.0), side: side.max(2 * SPOT) })
    }
}

/// Why a recomposed slide is another slide.
struct Flaw {
    what: String,
    /// Where it differs most, in canvas units, when that is what is wrong.
    patch: Option<Rect>,
}

/// By how much the colour of a spot of a picture may differ, in the middle of all its spots.
const SHADE: f32 = 10.0;
const HIDDEN: &str = "texts and pictures that others lie over";

impl Desk<'_> {
    /// The slide taken apart as far as it then looks as it did: what lies where it differs most stays in the picture, again
    /// and again.
    fn proven(&mut self, bare: &Picture) -> Result<(Picture, Vec<Clip>), String> {
        const ROUNDS: usize = 6;
        for _ in 0..ROUNDS {
            let (ground, clips) = self.settle(bare)?;
            let Err(flaw) =
                (if clips.is_empty() { Ok(()) } else { self.all.prove(&ground, &clips, &self.whole, &self.grains) })
            else {
                return Ok((ground, clips));
            };
            let Some(patch) = flaw.patch else { return Err(flaw.what) };
            let pieces = self.sheet.bare.pieces.iter().enumerate().filter(|(at, _)| !self.failed.contains_key(at));
            let there = |(at, _): (usize, &Piece)| (!self.region(at).intersect(patch).is_empty()).then_some(at);
            let found: Vec<usize> = pieces.filter_map(there).collect();
            if found.is_empty() {
                return Err(flaw.what);
            }
            self.failed.extend(found.into_iter().map(|at| (at, "what would look otherwise as a clip")));
            self.spread();
        }
        Err("too much of it would look otherwise".to_owned())
    }

    /// The slide without what became clips, twice the canvas, and the clips.
    fn settle(&mut self, bare: &Picture) -> Result<(Picture, Vec<Clip>), String> {
        loop {
            let mut ground = Picture { width: bare.width, height: bare.height, rgb: bare.rgb.clone() };
            for &piece in self.failed.keys() {
                self.patch(&mut ground, self.region(piece));
            }
            let known = self.failed.len();
            let clips = self.lay(&mut ground)?;
            if self.failed.len() == known {
                return Ok((ground, clips));
            }
            self.spread();
        }
    }

    /// What lies on or under something that stays in the picture stays there too.
    fn spread(&mut self) {
        let regions: Vec<Rect> = (0..self.sheet.bare.pieces.len()).map(|at| self.region(at)).collect();
        let mut failed: BTreeSet<usize> = self.failed.keys().copied().collect();
        loop {
            let touched = (0..regions.len()).find(|at| {
                !failed.contains(at) && failed.iter().any(|known| !regions[*at].intersect(regions[*known]).is_empty())
            });
            let Some(at) = touched else { return };
            failed.insert(at);
            self.failed.insert(at, HIDDEN);
        }
    }

    fn patch(&self, ground: &mut Picture, units: Rect) {
        let twice = Rect::new(units.x0 * 2, units.y0 * 2, units.x1 * 2, units.y1 * 2);
        ground.patch(&self.whole, twice);
    }

    /// All that a piece may cover, in canvas units.
    fn region(&self, at: usize) -> Rect {
        let piece = &self.sheet.bare.pieces[at];
        let [left, top, width, height] = self.map.area(&piece.area);
        match &piece.what {
            What::Text(_) if piece.table.is_some() => self.region_of_cell(at, piece),
            What::Text(_) if piece.angle != 0.0 => {
                let upright = self.upright(piece);
                let own = around(bounds(&self.turned(piece)), 2.0);
                let rows = self.rows(at).into_iter().flatten();
                rows.fold(own, |all, word| {
                    all.union(upright.bounds(around([word.x.0, word.y.0, word.x.1, word.y.1], 4.0)))
                })
            }
            What::Picture { .. } => around(bounds(&self.turned(piece)), 2.0),
            What::Cutout { margin } => around(bounds(&self.turned(piece)), 2.0 + margin * self.map.wide()),
            What::Text(_) => {
                let own = around([left, top, left + width, top + height], 2.0);
                let rows = self.rows(at).into_iter().flatten();
                rows.fold(own, |all, word| all.union(around([word.x.0, word.y.0, word.x.1, word.y.1], 4.0)))
            }
        }
    }

    /// A cell's words. Where not all of its table's were found, they may be anywhere below the table's upper edge.
    fn region_of_cell(&self, at: usize, piece: &Piece) -> Rect {
        let words = self.cells.get(&at).and_then(Option::as_ref).map(|rows| rows.iter().flatten());
        if let Some(words) = words {
            let each = words.map(|word| around([word.x.0, word.y.0, word.x.1, word.y.1], 1.0));
            return each.reduce(Rect::union).unwrap_or_default();
        }
        let [left, top, width, _] = self.map.area(piece.table.as_ref().unwrap_or(&piece.area));
        around([left, top, left + width, f64::from(self.small.height)], 2.0)
    }

    /// The words of a piece, line by line, as they are seen upright.
    fn rows(&self, at: usize) -> Vec<Vec<Row>> {
        let piece = &self.sheet.bare.pieces[at];
        let What::Text(paragraphs) = &piece.what else { return vec![] };
        if piece.table.is_some() {
            return self.cells.get(&at).cloned().flatten().unwrap_or_default();
        }
        let slack = paragraphs.first().map_or(0.0, |paragraph| paragraph.style.size * self.map.scale * 0.3);
        let (words, area) = (self.sheet.words.iter().map(|word| self.map.word(word)), self.map.area(&piece.area));
        if piece.angle == 0.0 {
            return place::rows(words, area, slack);
        }
        let upright = self.upright(piece);
        place::rows(words.map(|word| upright.word(&word)), upright.area(area[2], area[3]), slack)
    }

    /// The window in which a turned text stands upright.
    fn upright(&self, piece: &Piece) -> Upright {
        let What::Text(paragraphs) = &piece.what else { return Upright::around([0.0; 4], 0.0, 0.0) };
        let size = paragraphs.iter().map(|paragraph| paragraph.style.size).fold(0.0, f64::max) * self.map.scale;
        Upright::around(self.map.area(&piece.area), piece.angle, (2.0 * size).clamp(20.0, 400.0))
    }

    /// Where a piece lies, turned about its corner as scenes have it rather than about its middle.
    fn turned(&self, piece: &Piece) -> Place {
        let [left, top, width, height] = self.map.area(&piece.area);
        let (sin, cos) = math::sin_cos(piece.angle.to_radians());
        let (x, y) = (left + width / 2.0, top + height / 2.0);
        Place {
            left: x - width / 2.0 * cos + height / 2.0 * sin,
            top: y - width / 2.0 * sin - height / 2.0 * cos,
            width,
            height,
            angle: piece.angle.rem_euclid(360.0),
        }
    }

    fn lay(&mut self, ground: &mut Picture) -> Result<Vec<Clip>, String> {
        let mut small = ground.halved();
        let mut clips = Vec::new();
        self.grains.clear();
        self.covered.clear();
        let sheet = self.sheet;
        for (at, piece) in sheet.bare.pieces.iter().enumerate() {
            if self.failed.contains_key(&at) {
                continue;
            }
            let laid = match &piece.what {
                What::Text(paragraphs) => match self.blocks(at, paragraphs) {
                    Err(why) => Err(why),
                    Ok(blocks) if piece.angle == 0.0 => self.text(piece, &blocks, ground, &mut small),
                    Ok(blocks) => self.turned_text(piece, &blocks, &mut small),
                },
                What::Cutout { .. } => self.cutout(at, ground, &mut small)?.map(|clip| vec![clip]),
                What::Picture { file, crop } => {
                    let (path, pixmap) = self.loaded(at, file, *crop)?;
                    let grain = Grain::of(&self.turned(piece), &pixmap);
                    let clip = self.picture(piece, path, &pixmap, grain, &mut small);
                    self.grains.extend(grain.filter(|_| clip.is_ok()));
                    clip.map(|clip| vec![clip])
                }
            };
            match laid {
                Ok(mut laid) => {
                    if !matches!(piece.what, What::Text(_)) {
                        self.covered.push(Covered { rect: self.region(at), from: piece.from });
                        laid.iter_mut().for_each(|clip| clip.from = step(piece.from));
                    }
                    clips.extend(laid);
                }
                Err(why) => {
                    self.failed.insert(at, why);
                }
            }
        }
        Ok(clips)
    }

    fn blocks<'b>(&self, at: usize, paragraphs: &'b [Paragraph]) -> Result<Vec<Block<'b>>, &'static str> {
        if self.cells.get(&at).is_some_and(Option::is_none) {
            return Err("tables whose words were not found again");
        }
        place::found(paragraphs, self.rows(at)).ok_or("texts whose lines were not found again")
    }

    fn text(
        &mut self,
        piece: &Piece,
        blocks: &[Block<'_>],
        ground: &mut Picture,
        small: &mut Picture,
    ) -> Result<Vec<Clip>, &'static str> {
        let (mut clips, mut covered) = (Vec::new(), Vec::new());
        for block in blocks {
            let paragraph = block.paragraphs[0];
            if paragraph.bullet {
                // The bullet stays in the picture.
                let (row, area) = (&block.rows[0], self.map.area(&piece.area));
                let rect = around([area[0].min(row.x.0 - 4.0), row.y.0, row.x.0 - 2.5, row.y.1], 0.0);
                self.patch(ground, rect);
                small.patch(&self.small, rect);
            }
            let family = |wanted: &str| self.all.families(wanted).swap_remove(0);
            let (fonts, whole, scale) = (self.all.fonts, &self.small, self.map.scale);
            let page = Ground { fonts, ground: small, whole, scale, family: &family };
            let (left, right) = (self.map.across(paragraph.column.0), self.map.across(paragraph.column.1));
            let laid = page.lay(block, (left, right), &self.all.families(&paragraph.style.family))?;
            small.draw(&laid.drawn);
            covered.push(Covered { rect: around(block.bounds(), 4.0), from: from_of(piece, paragraph) });
            clips.push(text_clip(piece, paragraph, &laid.place, laid.clip()));
        }
        self.covered.extend(covered);
        Ok(clips)
    }

    /// Laid where it is seen upright, and turned then.
    fn turned_text(
        &mut self,
        piece: &Piece,
        blocks: &[Block<'_>],
        small: &mut Picture,
    ) -> Result<Vec<Clip>, &'static str> {
        let upright = self.upright(piece);
        let (whole, mut ground) = (upright.picture(&self.small), upright.picture(small));
        let across = |fraction: f64| {
            let area = self.map.area(&piece.area);
            upright.area(area[2], area[3])[0] + (fraction - piece.area.left) / piece.area.width * area[2]
        };
        let (mut clips, mut covered) = (Vec::new(), Vec::new());
        for block in blocks {
            let paragraph = block.paragraphs[0];
            if paragraph.bullet {
                return Err("turned lists");
            }
            let family = |wanted: &str| self.all.families(wanted).swap_remove(0);
            let (fonts, scale) = (self.all.fonts, self.map.scale);
            let page = Ground { fonts, ground: &ground, whole: &whole, scale, family: &family };
            let column = (across(paragraph.column.0), across(paragraph.column.1));
            let laid = page.lay(block, column, &self.all.families(&paragraph.style.family))?;
            let place = upright.place(&laid.place);
            let (drawn, _) = draw::text(fonts, &laid.text, &place, 1.0, small.bounds());
            small.draw(&drawn.ok_or("texts beyond the edge")?);
            ground.draw(&laid.drawn);
            let rect = upright.bounds(around(block.bounds(), 4.0));
            covered.push(Covered { rect, from: from_of(piece, paragraph) });
            clips.push(text_clip(piece, paragraph, &place, laid.clip()));
        }
        self.covered.extend(covered);
        Ok(clips)
    }

    fn picture(
        &self,
        piece: &Piece,
        path: PathBuf,
        pixmap: &Pixmap,
        grain: Option<Grain>,
        small: &mut Picture,
    ) -> Result<Clip, &'static str> {
        let place = self.turned(piece);
        let window = small.bounds();
        let drawn = draw::image(pixmap, &place, 1.0, window).ok_or("pictures beyond the edge")?;
        small.draw(&drawn);
        let opaque = |x: i32, y: i32| drawn.pixmap.pixel((x - drawn.x) as u32, (y - drawn.y) as u32)[3] > 200;
        let rect = drawn.rect().intersect(window);
        let mut apart = match grain {
            None => small.apart(&self.small, rect, &opaque),
            Some(Grain { side, .. }) => {
                let (mut ours, mut theirs) = (small.clone(), self.small.clone());
                ours.coarsen(rect, side);
                theirs.coarsen(rect, side);
                ours.apart(&theirs, rect, &opaque)
            }
        };
        apart.sort_by(f32::total_cmp);
        // Others may lie over a part of it.
        if apart.get(apart.len() / 2).is_some_and(|middle| *middle > SHADE) {
            return Err("pictures that the slide shows otherwise");
        }
        let Place { left, top, width, height, angle } = place;
        let (name, what) = (piece.name.clone(), ClipWhat::Picture(path));
        Ok(Clip { name, left, top, width, height, angle, from: None, until: None, what })
    }

    /// A picture with all that is drawn around it and over its file, cut out of the whole slide: what differs from the slide
    /// without it, and what that surrounds. The outer error is one of the machine.
    fn cutout(&self, at: usize, ground: &Picture, small: &mut Picture) -> Result<Result<Clip, &'static str>, String> {
        let pieces = &self.sheet.bare.pieces;
        let region = self.region(at).intersect(small.bounds());
        let others = (0..pieces.len()).filter(|other| *other != at && !self.failed.contains_key(other));
        if others.map(|other| self.region(other)).any(|other| !other.intersect(region).is_empty()) {
            return Ok(Err("pictures with borders or effects that others lie over"));
        }
        let twice = Rect::new(region.x0 * 2, region.y0 * 2, region.x1 * 2, region.y1 * 2);
        let Some((rect, pixmap)) = self.whole.cut_out(ground, twice.intersect(ground.bounds())) else {
            return Ok(Err("pictures that are hardly seen"));
        };
        let path = self.all.folder.join(format!("image-{:03}-{:02}.png", self.page, at + 1));
        let bytes = image::pixmap_to_png(&pixmap).map_err(|error| error.what)?;
        std::fs::write(&path, bytes).map_err(|error| format!("a picture could not be written: {error}"))?;
        small.patch(&self.small, region);
        let [left, top, right, bottom] = [rect.x0, rect.y0, rect.x1, rect.y1].map(|side| f64::from(side) / 2.0);
        let (name, what) = (pieces[at].name.clone(), ClipWhat::Picture(path));
        let (width, height) = (right - left, bottom - top);
        Ok(Ok(Clip { name, left, top, width, height, angle: 0.0, from: None, until: None, what }))
    }

    /// A picture of the deck as a file that scenes can link to.
    fn loaded(&mut self, at: usize, file: &str, crop: Option<[f64; 4]>) -> Result<(PathBuf, Arc<Pixmap>), String> {
        if let Some(known) = self.loaded.get(&at) {
            return Ok(known.clone());
        }
        let source = self.all.parts.join(file);
        let pixmap = self.all.decoded(&source)?;
        let name = |ending: &str| self.all.folder.join(format!("image-{:03}-{:02}.{ending}", self.page, at + 1));
        let writing = |error: std::io::Error| format!("a picture could not be written: {error}");
        let (path, pixmap) = match crop {
            None => {
                let head = std::fs::read(&source).map_err(writing)?;
                let path = name(if head.starts_with(b"\x89PNG") { "png" } else { "jpg" });
                std::fs::write(&path, head).map_err(writing)?;
                (path, pixmap)
            }
            Some([left, top, right, bottom]) => {
                let (width, height) = (f64::from(pixmap.width()), f64::from(pixmap.height()));
                let cut = |length: f64, share: f64| (length * share).round() as i32;
                let rect = Rect::new(
                    cut(width, left),
                    cut(height, top),
                    cut(width, 1.0 - right).max(cut(width, left) + 1),
                    cut(height, 1.0 - bottom).max(cut(height, top) + 1),
                );
                let cut = pixmap.cropped(rect.intersect(pixmap.bounds()));
                let path = name("png");
                let bytes = image::pixmap_to_png(&cut).map_err(|error| error.what)?;
                std::fs::write(&path, bytes).map_err(writing)?;
                (path, cut)
            }
        };
        let loaded = (path, Arc::new(pixmap));
        self.loaded.insert(at, loaded.clone());
        Ok(loaded)
    }
}

/// The step with which a paragraph comes, or all that it is part of.
fn from_of(piece: &Piece, paragraph: &Paragraph) -> u8 {
    piece.from.max(paragraph.from)
}

fn text_clip(piece: &Piece, paragraph: &Paragraph, place: &Place, text: TextClip) -> Clip {
    let Place { left, top, width, height, angle } = *place;
    let (name, from, until) = (piece.name.clone(), step(from_of(piece, paragraph)), None);
    Clip { name, left, top, width, height, angle, from, until, what: ClipWhat::Text(text) }
}

/// As clips have it.
fn step(from: u8) -> Option<u8> {
    (from > 0).then_some(from)
}

/// Proofs need nobody to speak.
struct Nobody;

impl Catalogue for Nobody {
    fn avatars(&self) -> &[AvatarEntry] {
        &[]
    }

    fn voices(&self) -> &[VoiceEntry] {
        &[]
    }
}
