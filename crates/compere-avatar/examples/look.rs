//! Writes pictures and figures of a presenter, for the eye of whoever changes one.
//!
//! `look ASSETS PRESENTER OUTFIT WIDTH HEIGHT MODE OUT.ppm`, MODE being names of the contact sheet with commas between
//! them (side by side), `sheet`, `time` (what frames take, and those that change much apart from those that change little) or
//! `bytes` (a mark of every frame, to see whether another build paints the same). `KEPT=FOLDER` keeps what was baked; `TIMES=5` plays a scene so often, and
//! tells the least that each frame took. `head:` before it shows head and shoulders; `FACE=350,380,420` puts the face
//! at 350, 380 and makes it 420 pixels high. `BACK=00b140` lays it on a colour of your choice, `GROUND=FILE.ppm` on a
//! picture of the size of one cell.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for makers, not part of the product")]

use std::path::Path;
use std::time::Instant;

use compere_avatar::{Cast, FaceBox, Framing, NoCache, Pack, PackCache, Role, Want, preview};
use compere_media::{
    Cue, CueMark, Damage, Frame, Gesture, Layer, Marks, PhonemeMark, Pixmap, Rect, Rgb, SampleSpan, Stress, WordMark,
};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let cast = Cast::open(Path::new(&args[1]));
    let presenter = cast.get(&args[2]).unwrap();
    let framing = match std::env::var("FACE") {
        Ok(face) => {
            let at: Vec<i32> = face.split(',').map(|n| n.parse().unwrap()).collect();
            Framing::Placed(FaceBox { x: at[0], y: at[1], height: at[2] as u32 })
        }
        Err(_) if args[6].starts_with("head") => Framing::Head,
        Err(_) => Framing::Body,
    };
    let want =
        Want { outfit: args[3].clone(), width: args[4].parse().unwrap(), height: args[5].parse().unwrap(), framing };
    let mode = args[6].trim_start_matches("head:");
    let begun = Instant::now();
    if mode == "sheet" {
        let sheet = preview(&*presenter, &want, 6, &NoCache).unwrap();
        write(&sheet, &args[7]);
        return;
    }
    let pack = presenter.bake(&want, &Folder(std::env::var("KEPT").ok())).unwrap();
    println!("bake {:.2} s", begun.elapsed().as_secs_f64());
    match mode {
        "time" => return time(&*pack),
        "bytes" => return bytes(&*pack),
        _ => {}
    }
    let back = std::env::var("BACK").ok().and_then(|hex| u32::from_str_radix(&hex, 16).ok()).unwrap_or(0x00d6_dde6);
    let [_, r, g, b] = back.to_be_bytes();
    // Several names with commas between them stand side by side; `gestures` are all of those.
    let stills: Vec<_> = pack.sheet().into_iter().chain(pack.gestures()).collect();
    let names: Vec<&str> = if mode == "gestures" {
        pack.gestures().iter().map(|still| still.0).collect()
    } else {
        mode.split(',').collect()
    };
    let columns = names.len().min(5) as u32;
    let rows = (names.len() as u32).div_ceil(columns);
    let mut picture = Pixmap::new(want.width * columns, want.height * rows);
    picture.fill(Rgb::opaque(r, g, b).premultiplied());
    for (at, name) in (0..).zip(&names) {
        let still = &stills.iter().find(|still| still.0 == *name).unwrap().1;
        let mut cell = ground(want.width, want.height);
        cell.draw(still, pack.rect().x0, pack.rect().y0);
        picture.draw(&cell, (at % columns * want.width) as i32, (at / columns * want.height) as i32);
    }
    write(&picture, &args[7]);
}

/// What `GROUND` names, cut to the size; nothing where it names none.
fn ground(width: u32, height: u32) -> Pixmap {
    let mut cell = Pixmap::new(width, height);
    let Ok(file) = std::env::var("GROUND") else { return cell };
    let bytes = std::fs::read(file).unwrap();
    let data = &bytes[bytes.len() - (width * height * 3) as usize..];
    for (pixel, rgb) in cell.data_mut().iter_mut().zip(data.chunks_exact(3)) {
        *pixel = [rgb[0], rgb[1], rgb[2], 255];
    }
    cell
}

/// A folder of packs, or none.
struct Folder(Option<String>);

impl Folder {
    fn file(&self, key: &str) -> Option<std::path::PathBuf> {
        let name = key.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        self.0.as_ref().map(|folder| Path::new(folder).join(name))
    }
}

impl PackCache for Folder {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        std::fs::read(self.file(key)?).ok()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        if let Some(file) = self.file(key) {
            std::fs::write(file, bytes).unwrap();
        }
    }
}

/// Of a scene of twenty seconds.
const FRAMES: u64 = 600;

/// Plays a scene, and says of every frame but the first what changed and how many milliseconds it took.
fn play(pack: &dyn Pack, cues: Vec<CueMark>, mut seen: impl FnMut(&Layer, &Damage, f64)) {
    let rect = pack.rect();
    let mut moving = pack.perform(Role { marks: chatter(20), cues, frames: FRAMES, seed: 7, ..Role::default() });
    let mut layer = Layer::new(Rect::of_size(rect.width(), rect.height()));
    moving.advance(0, &mut layer).unwrap();
    for frame in 1..FRAMES {
        let begun = cpu();
        let damage = moving.advance(frame, &mut layer).unwrap();
        let took = cpu() - begun;
        seen(&layer, &damage, took);
    }
}

fn time(pack: &dyn Pack) {
    let rect = pack.rect();
    // How long a frame took, and how much of the picture changed.
    let mut frames: Vec<[f64; 2]> = vec![[f64::MAX, 0.0]; FRAMES as usize - 1];
    let times = std::env::var("TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for _ in 0..times {
        let mut at = frames.iter_mut();
        play(pack, Vec::new(), |_, damage, took| {
            let frame = at.next().unwrap();
            *frame = [frame[0].min(took), damage.area() as f64 / rect.area() as f64];
        });
    }
    let mean = |frames: &[[f64; 2]], k: usize| frames.iter().map(|frame| frame[k]).sum::<f64>() / frames.len() as f64;
    frames.sort_by(|a, b| a[0].total_cmp(&b[0]));
    println!(
        "{}x{}: mean {:.2} ms, median {:.2} ms, 95 % {:.2} ms, damage {:.1} %",
        rect.width(),
        rect.height(),
        mean(&frames, 0),
        frames[frames.len() / 2][0],
        frames[frames.len() * 95 / 100][0],
        mean(&frames, 1) * 100.0
    );
    for tenth in 0..10 {
        let of = &frames[frames.len() * tenth / 10..frames.len() * (tenth + 1) / 10];
        println!("tenth {tenth}: {:.2} ms, damage {:.1} %", mean(of, 0), mean(of, 1) * 100.0);
    }
}

/// Marks of frames on a ground that both dark and light show on: of somebody who gestures at will, and of one who is told
/// to, one gesture after the other.
fn bytes(pack: &dyn Pack) {
    let (mut at, mut all) = (0, EMPTY);
    let mut mark = |layer: &Layer, damage: &Damage, _: f64| {
        let mut frame = Frame::new(layer.width(), layer.height());
        frame.fill(Rgb::opaque(90, 160, 60));
        layer.lay_on(&mut frame, layer.rect(), 255);
        let of_frame = [frame.y(), frame.u(), frame.v()].iter().fold(EMPTY, |mark, plane| mixed(mark, plane));
        let of_damage = mixed(EMPTY, format!("{:?}", damage.rects()).as_bytes());
        at += 1;
        all = mixed(all, &[of_frame, of_damage].map(u64::to_le_bytes).concat());
        println!("{at} {of_frame:016x} {of_damage:016x}");
    };
    play(pack, Vec::new(), &mut mark);
    let told = Gesture::ALL.iter().zip(1..).map(|(&(_, gesture), turn)| {
        let cue = Cue::Gesture(gesture);
        CueMark { at: turn * 66_000, cue }
    });
    play(pack, told.collect(), &mut mark);
    println!("all {all:016x}");
}

/// The mark of nothing.
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// A mark of what was marked and more.
fn mixed(mark: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(mark, |mark, byte| (mark ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Milliseconds this thread has run, where the system says so.
fn cpu() -> f64 {
    // Otherwise it was counted at the last tick, some milliseconds ago.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

/// Speech of made-up words.
fn chatter(seconds: u64) -> Marks {
    let sounds =
        ["m", "aɪ", "n", "eɪ", "m", "ɪ", "z", "ə", "b", "oʊ", "t", "uː", "f", "ɔ", "r", "θ", "ɪ", "ŋ", "k", "s"];
    let mut marks = Marks::default();
    let mut at = 12_000;
    let mut next = 0;
    while at < seconds * 48_000 - 60_000 {
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
        at += if marks.words.len() % 6 == 0 { 24_000 } else { 0 };
    }
    marks
}

fn write(picture: &Pixmap, path: &str) {
    let mut out = format!("P6\n{} {}\n255\n", picture.width(), picture.height()).into_bytes();
    for p in picture.data() {
        out.extend_from_slice(&p[..3]);
    }
    std::fs::write(path, out).unwrap();
}
