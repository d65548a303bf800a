//! Acts some seconds of presenters, with speech and every gesture, and prints a hash of all they show: for whoever makes
//! acting faster and wants to know that it is the same acting.
//!
//! `acted ASSETS KEPT WIDTH HEIGHT FRAMES PRESENTER/OUTFIT…`. Packs are kept in the folder KEPT, so that the next run acts
//! those of this one. With `PLAIN=1` it goes without the faster paths of newer processors, which must change nothing.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for makers, not part of the product")]

use std::path::{Path, PathBuf};

use compere_avatar::{Cast, Framing, Pack, PackCache, Role, Want};
use compere_media::{Cue, CueMark, Frame, Layer, Marks, PhonemeMark, Rect, Rgb, SampleSpan, Stress, WordMark};

const RATE: u64 = 48_000;

struct Kept(PathBuf);

impl Kept {
    fn place(&self, key: &str) -> PathBuf {
        self.0.join(&blake3::hash(key.as_bytes()).to_hex()[..32])
    }
}

impl PackCache for Kept {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        std::fs::read(self.place(key)).ok()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        std::fs::write(self.place(key), bytes).unwrap();
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (cast, kept) = (Cast::open(Path::new(&args[1])), Kept(PathBuf::from(&args[2])));
    let [width, height, frames] = [3, 4, 5].map(|at| args[at].parse::<u32>().unwrap());
    std::fs::create_dir_all(&kept.0).unwrap();
    if std::env::var_os("PLAIN").is_some() {
        compere_media::kernel::use_scalar_only();
    }
    for wanted in &args[6..] {
        let (presenter, outfit) = wanted.split_once('/').unwrap();
        let want = Want { outfit: outfit.to_owned(), width, height, framing: Framing::Body };
        let pack = cast.get(presenter).unwrap().bake(&want, &kept).unwrap();
        act(wanted, &*pack, u64::from(frames));
    }
}

fn act(name: &str, pack: &dyn Pack, frames: u64) {
    let rect = pack.rect();
    let seconds = frames.div_ceil(30).max(3);
    let cues = cues(seconds);
    let mut moving = pack.perform(Role { marks: chatter(seconds), cues, frames, seed: 7, ..Role::default() });
    let mut layer = Layer::new(Rect::of_size(rect.width(), rect.height()));
    let mut hash = blake3::Hasher::new();
    let (mut times, mut area) = (Vec::new(), 0);
    for frame in 0..frames {
        let begun = cpu();
        let damage = moving.advance(frame, &mut layer).unwrap();
        times.push(cpu() - begun);
        for rect in damage.rects() {
            area += rect.area();
            hash.update(format!("{frame} {rect:?}").as_bytes());
            seen(&layer, *rect, &mut hash);
        }
    }
    seen(&layer, layer.rect(), &mut hash);
    times.remove(0);
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{} {name} {}x{} area {area} mean {:.2} median {:.2} 75% {:.2} 95% {:.2} most {:.2} ms",
        &hash.finalize().to_hex()[..16],
        rect.width(),
        rect.height(),
        times.iter().sum::<f64>() / times.len() as f64,
        at(50),
        at(75),
        at(95),
        at(100)
    );
}

/// What a part of a layer looks like on black and on white: that says its colours and how much one sees through it.
fn seen(layer: &Layer, part: Rect, hash: &mut blake3::Hasher) {
    let part = part.aligned(2).intersect(layer.rect());
    for ground in [0, 255] {
        let mut frame = Frame::new(layer.width(), layer.height());
        frame.fill(Rgb::opaque(ground, ground, ground));
        layer.lay_on(&mut frame, part, 255);
        for (plane, step) in [(frame.y(), 1), (frame.u(), 2), (frame.v(), 2)] {
            let wide = layer.width() as usize / step;
            for row in part.y0 as usize / step..part.y1 as usize / step {
                let start = row * wide;
                hash.update(&plane[start + part.x0 as usize / step..start + part.x1 as usize / step]);
            }
        }
    }
}

/// Milliseconds this thread has run, where the system says so.
fn cpu() -> f64 {
    // Otherwise it was counted at the last tick, some milliseconds ago.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

/// Every cue in turn, one each five quarters of a second, in the latter half; before it, what somebody does unasked.
fn cues(seconds: u64) -> Vec<CueMark> {
    let all = Cue::all();
    let from = seconds * RATE / 2;
    (0..seconds * 2 / 5)
        .map(|n| CueMark { at: from + n * RATE * 5 / 4, cue: all[n as usize * 5 % all.len()].1 })
        .collect()
}

/// Speech of made-up words.
fn chatter(seconds: u64) -> Marks {
    let sounds =
        ["m", "aɪ", "n", "eɪ", "m", "ɪ", "z", "ə", "b", "oʊ", "t", "uː", "f", "ɔ", "r", "θ", "ɪ", "ŋ", "k", "s"];
    let mut marks = Marks::default();
    let mut at = RATE / 4;
    let mut next = 0;
    while at + RATE < seconds * RATE {
        let start = at;
        for _ in 0..4 {
            let vowel = sounds[next % sounds.len()].starts_with(['a', 'e', 'ɪ', 'ə', 'o', 'u', 'ɔ']);
            let stress = if vowel && next % 3 == 0 { Stress::Primary } else { Stress::None };
            let span = SampleSpan { start: at, end: at + if vowel { 5_300 } else { 3_400 } };
            at = span.end;
            marks.phonemes.push(PhonemeMark { span, ipa: sounds[next % sounds.len()].into(), stress });
            next += 1;
        }
        marks.words.push(WordMark { span: SampleSpan { start, end: at }, text: "word".into() });
        at += if marks.words.len() % 6 == 0 { RATE / 2 } else { 0 };
    }
    marks
}
