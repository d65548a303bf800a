//! Pages of a PDF, drawn by poppler side by side and written one at a time.
//!
//! Each worker holds one page, whatever the document's length: poppler draws the next while the last is written. It draws
//! by way of cairo where it can, and what does not come of it, or not soon, or not whole, by its own painter.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use compere_codec::MediaErrorKind;
use compere_codec::sandbox::{Limits as ErrandLimits, Running, Sandbox};

use super::cairo;
use super::pdf::poppler;
use super::work::{BUSY, LOOK, Stopped, Work};
use crate::page::Page;
use crate::picture::{self, Picture, fitted};
use crate::{ImportError, Ink, Progress};

/// A page as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) picture: PathBuf,
    pub(crate) thumbnail: PathBuf,
    pub(crate) edge: [u8; 3],
    pub(crate) ink: Ink,
}

/// Pages of one size that follow each other.
#[derive(Clone, Debug, PartialEq)]
struct Range {
    first: usize,
    pages: Vec<(usize, Page)>,
    size: (u32, u32),
    unpinned: bool,
    patient: bool,
    group: usize,
}

/// Pages that a child draws before the next child begins: enough to make its start cheap, few enough to keep all busy.
fn ranges(pages: &[Page], canvas: (u32, u32), threads: usize) -> Vec<Range> {
    let most = pages.len().div_ceil(threads.max(1) * 4).clamp(1, 12);
    let mut ranges: Vec<Range> = Vec::new();
    for (index, &page) in pages.iter().enumerate() {
        let size = fitted(page.size, canvas);
        match ranges.last_mut() {
            Some(range)
                if range.group == page.group
                    && (page.group > 0 || range.pages.len() < most)
                    && range.size == size
                    && range.unpinned == page.unpinned
                    && range.patient == page.patient
                    && range.first + range.pages.len() == page.at =>
            {
                range.pages.push((index, page));
            }
            _ => {
                let Page { at: first, unpinned, patient, group, .. } = page;
                ranges.push(Range { first, pages: vec![(index, page)], size, unpinned, patient, group });
            }
        }
    }
    ranges
}

/// Where the pictures go and what they are called.
pub(crate) struct Target<'a> {
    pub(crate) folder: &'a Path,
    /// At which the pages are drawn: twice the canvas.
    pub(crate) canvas: (u32, u32),
    /// `slide` for `slide-001.png`.
    pub(crate) stem: &'a str,
    /// Takes the pictures instead of files.
    pub(crate) taker: Option<&'a Taker<'a>>,
    /// What is told meanwhile.
    pub(crate) progress: fn(usize, usize) -> Progress,
}

pub(crate) type Taker<'a> = dyn Fn(&Picture, &Page) -> Result<(), ImportError> + Sync + 'a;

/// Who draws.
#[derive(Clone, Copy, PartialEq)]
enum Painter {
    /// The quicker one.
    Cairo,
    /// The one that knows a page without what is pinned to it, draws some things that the other does not, and says what is
    /// wrong with others.
    Own,
}

impl Painter {
    /// Seconds by the clock in which the next of several pages has to come. Cairo's are counted by the processor, page by page.
    fn patience(self) -> u64 {
        match self {
            Self::Cairo => QUICK * BUSY,
            Self::Own => QUICK,
        }
    }
}

struct Crew<'a> {
    cairo: bool,
    sandbox: &'a Sandbox,
    file: &'a Path,
    target: &'a Target<'a>,
    ranges: &'a [Range],
    page_cpu: u64,
    next: AtomicUsize,
    stop: AtomicBool,
    failure: Mutex<Option<ImportError>>,
}

/// Draws pages of a file; the answer is in their order.
pub(crate) fn draw(
    work: &Work<'_>,
    file: &Path,
    pages: &[Page],
    target: &Target<'_>,
) -> Result<Vec<Drawn>, ImportError> {
    let threads = work.limits.threads.clamp(1, pages.len().max(1));
    let ranges = ranges(pages, target.canvas, threads);
    let (next, stop, failure) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
    let page_cpu = work.limits.page_cpu;
    let cairo = cairo::is_there();
    let crew = Crew { cairo, sandbox: work.sandbox, file, target, ranges: &ranges, page_cpu, next, stop, failure };
    let mut drawn: Vec<Option<Drawn>> = vec![None; pages.len()];
    let watched = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (crew, sender) = (&crew, sender.clone());
            scope.spawn(move || crew.work(&sender));
        }
        drop(sender);
        let mut done = 0;
        loop {
            match receiver.recv_timeout(Duration::from_millis(LOOK.into())) {
                Ok((index, page)) => {
                    drawn[index] = Some(page);
                    done += 1;
                }
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if let Err(error) = work.tell((target.progress)(done, pages.len())) {
                crew.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    });
    watched?;
    if let Some(error) = crew.failure.into_inner().ok().flatten() {
        return Err(error);
    }
    drawn.into_iter().collect::<Option<_>>().ok_or_else(|| ImportError::unreadable("A page could not be drawn."))
}

/// What came out of a child.
enum Next {
    Picture(Picture),
    /// Its sides are exchanged: some popplers scale a page with a rotation before they turn it.
    Turned,
    Nothing,
}

/// Seconds, of a processor where they can be counted, after which a page is drawn by a child of its own, which may use no more
/// of a processor than one page may.
const QUICK: u64 = 4;

/// What poppler may use for so many pages, of which each may take so many seconds of a processor.
fn limits(pages: usize, each: u64) -> ErrandLimits {
    let pages = pages.max(1) as u64;
    let (wall, cpu) = (each * BUSY * pages, each * pages);
    ErrandLimits { wall, cpu, stall: each * BUSY, memory: 3 << 30, output: u64::MAX, processes: 64 }
}

impl Crew<'_> {
    fn work(&self, sender: &Sender<(usize, Drawn)>) {
        // One page's pixels, used again for the next.
        let mut spare = Vec::new();
        while let Some(range) = self.ranges.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            if let Err(error) = self.draw_range(range, &mut spare, sender) {
                self.stop.store(true, Ordering::Relaxed);
                if let Ok(mut failure) = self.failure.lock() {
                    failure.get_or_insert(error);
                }
                return;
            }
        }
    }

    fn draw_range(
        &self,
        range: &Range,
        spare: &mut Vec<[u8; 3]>,
        sender: &Sender<(usize, Drawn)>,
    ) -> Result<(), ImportError> {
        let painter = if self.cairo && !range.unpinned && !range.patient { Painter::Cairo } else { Painter::Own };
        let mut rest = range.pages.as_slice();
        while let Some(&(_, first)) = rest.first() {
            let mut running = Some(self.start(painter, first, rest.len(), range.size)?);
            while let (Some(child), [(index, page), after @ ..]) = (&mut running, rest) {
                rest = after;
                let found = self.next_picture(painter, child, range.size, painter.patience(), spare);
                let picture = match found {
                    Ok(Next::Picture(picture)) => picture,
                    Err(Stopped::Import(error)) => return Err(error),
                    // It takes long, or something is wrong with it: what, a child of its own will say, which has the processor
                    // for itself.
                    _ => {
                        running = None;
                        self.alone(*page, range.size, spare)?
                    }
                };
                let (drawn, picture) = self.write(picture, *page)?;
                *spare = picture.rgb;
                if sender.send((*index, drawn)).is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// A child that draws `count` pages from `first` on, at a size in pixels.
    fn start(&self, painter: Painter, first: Page, count: usize, size: (u32, u32)) -> Result<Running, ImportError> {
        let (from, to) = (first.at + 1, first.at + count);
        let limits = limits(count, self.page_cpu);
        let started = match painter {
            Painter::Cairo => {
                cairo::start(self.sandbox, self.file, (from, to), size, (limits, QUICK), self.target.folder)
            }
            Painter::Own => {
                let errand = poppler("pdftoppm", limits).words("-q -cropbox -f").arg(from.to_string());
                let errand = errand.arg("-l").arg(to.to_string()).arg("-scale-to-x").arg(size.0.to_string());
                let errand = errand.arg("-scale-to-y").arg(size.1.to_string());
                let errand = if first.unpinned { errand.arg("-hide-annotations") } else { errand };
                self.sandbox.start(&errand.input(self.file))
            }
        };
        started.map_err(|error| ImportError::of_child("The document", &error))
    }

    /// A page drawn by a child of its own, which is waited for longer.
    fn alone(&self, page: Page, size: (u32, u32), spare: &mut Vec<[u8; 3]>) -> Result<Picture, ImportError> {
        let subject = format!("Page {}", page.at + 1);
        let mut running = self.start(Painter::Own, page, 1, size)?;
        match self.patiently(&mut running, size, spare).map_err(|stopped| too_heavy(stopped, &subject))? {
            Next::Picture(picture) => return Ok(picture),
            Next::Turned => {
                running = self.start(Painter::Own, page, 1, (size.1, size.0))?;
                if let Next::Picture(picture) =
                    self.patiently(&mut running, size, spare).map_err(|stopped| too_heavy(stopped, &subject))?
                {
                    return Ok(picture);
                }
            }
            // Nothing came; its exit says why.
            Next::Nothing => {
                running.finish().map_err(|error| too_heavy(error.into(), &subject))?;
            }
        }
        Err(ImportError::unreadable(format!("{subject} could not be drawn; it is damaged.")))
    }

    fn patiently(&self, running: &mut Running, size: (u32, u32), spare: &mut Vec<[u8; 3]>) -> Result<Next, Stopped> {
        self.next_picture(Painter::Own, running, size, limits(1, self.page_cpu).stall, spare)
    }

    /// The next page, in the memory that `spare` held.
    fn next_picture(
        &self,
        painter: Painter,
        running: &mut Running,
        size: (u32, u32),
        patience: u64,
        spare: &mut Vec<[u8; 3]>,
    ) -> Result<Next, Stopped> {
        let mut waited = 0;
        while !running.is_ready(LOOK)? {
            waited += LOOK;
            if self.stop.load(Ordering::Relaxed) {
                return Err(ImportError::cancelled().into());
            }
            if u64::from(waited) > patience * 1000 {
                let what = format!("takes more than {patience} seconds to draw");
                return Err(compere_codec::MediaError::new(MediaErrorKind::TooSlow, what).into());
            }
        }
        match painter {
            Painter::Cairo if !cairo::next(running, size, spare)? => return Ok(Next::Nothing),
            Painter::Cairo => (),
            Painter::Own => {
                // Three numbers and a P6, each ended by a single space or line break.
                let header = |(width, height): (u32, u32)| format!("P6\n{width} {height}\n255\n").into_bytes();
                let (wanted, other) = (header(size), header((size.1, size.0)));
                let mut found = vec![0; wanted.len()];
                if running.fill(&mut found)? < found.len() {
                    return Ok(Next::Nothing);
                }
                if found != wanted {
                    return Ok(if found == other { Next::Turned } else { Next::Nothing });
                }
                spare.resize(size.0 as usize * size.1 as usize, [0; 3]);
                let bytes = spare.as_flattened_mut();
                if running.fill(bytes)? < bytes.len() {
                    return Ok(Next::Nothing);
                }
            }
        }
        Ok(Next::Picture(Picture { width: size.0, height: size.1, rgb: std::mem::take(spare) }))
    }

    /// Hands the picture back for its memory.
    fn write(&self, picture: Picture, page: Page) -> Result<(Drawn, Picture), ImportError> {
        let drawn = (picture.width, picture.height);
        let origin = page.origin(drawn, self.target.canvas, 2);
        let mounted = picture::mount(picture, self.target.canvas, origin, page.rest);
        if let Some(taker) = self.target.taker {
            taker(&mounted.picture, &page)?;
            let none = PathBuf::new();
            let drawn = Drawn { picture: none.clone(), thumbnail: none, edge: mounted.edge, ink: Ink::default() };
            return Ok((drawn, mounted.picture));
        }
        let (form, bytes) = picture::encode(&mounted.picture)?;
        let name = |stem: &str, ending: &str| self.target.folder.join(format!("{stem}-{:03}.{ending}", page.number));
        let drawn = Drawn {
            picture: name(self.target.stem, form.ending()),
            thumbnail: name(&format!("{}-small", self.target.stem), "jpg"),
            edge: mounted.edge,
            ink: Ink::of(&mounted.picture),
        };
        picture::write(&drawn.picture, &bytes)?;
        picture::write(&drawn.thumbnail, &picture::thumbnail(&mounted.picture)?)?;
        Ok((drawn, mounted.picture))
    }
}

/// Why a page was not drawn, and what to do where it is too much.
fn too_heavy(stopped: Stopped, subject: &str) -> ImportError {
    let slow = matches!(&stopped, Stopped::Child(error) if error.kind == MediaErrorKind::TooSlow);
    let mut error = stopped.about(subject);
    if slow {
        error.sentence.push_str(" Leave it out, or put a picture of it in its place.");
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_neighbours_of_one_size() {
        let page = |at, size, group| Page {
            at,
            size,
            number: at + 1,
            unpinned: false,
            patient: false,
            aside: None,
            rest: None,
            group,
        };
        let (wide, tall) = (|at| page(at, (1600.0, 900.0), 0), |at| page(at, (600.0, 900.0), 0));
        let pages = [wide(0), wide(1), tall(2), wide(3), wide(5)];
        let found: Vec<_> = ranges(&pages, (3840, 2160), 1).iter().map(|r| (r.first, r.pages.len(), r.size)).collect();
        let size = (3840, 2160);
        assert_eq!(found, [(0, 2, size), (2, 1, (1440, 2160)), (3, 1, size), (5, 1, size)]);
        let many: Vec<Page> = (0..100).map(wide).collect();
        assert!(ranges(&many, (3840, 2160), 2).len() >= 8);
        let groups: Vec<Page> = (0..40).map(|at| page(at, (1600.0, 900.0), 1 + at / 20)).collect();
        let lengths: Vec<usize> = ranges(&groups, size, 2).iter().map(|range| range.pages.len()).collect();
        assert_eq!(lengths, [20, 20], "the pages of a group stay together");
    }
}
