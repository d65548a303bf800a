//! Writes pictures and figures of a presenter, for the eye of whoever changes one.
//!
//! `look ASSETS PRESENTER OUTFIT WIDTH HEIGHT MODE OUT.ppm`, MODE being a name of the contact sheet, `sheet`, or `time`.
//! `BACK=00b140` lays it on a colour of your choice.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for makers, not part of the product")]

use std::path::Path;
use std::time::Instant;

use compere_avatar::{Cast, Framing, NoCache, Role, Want, preview};
use compere_media::{Layer, Marks, PhonemeMark, Pixmap, Rect, Rgb, SampleSpan, Stress, WordMark};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let cast = Cast::open(Path::new(&args[1]));
    let presenter = cast.get(&args[2]).unwrap();
    let framing = if args[6].starts_with("head") { Framing::Head } else { Framing::Body };
    let want =
        Want { outfit: args[3].clone(), width: args[4].parse().unwrap(), height: args[5].parse().unwrap(), framing };
    let mode = args[6].trim_start_matches("head:");
    let begun = Instant::now();
    if mode == "sheet" {
        let sheet = preview(&*presenter, &want, 6, &NoCache).unwrap();
        write(&sheet, &args[7]);
        return;
    }
    let pack = presenter.bake(&want, &NoCache).unwrap();
    println!("bake {:.2} s", begun.elapsed().as_secs_f64());
    if mode == "time" {
        time(&*pack);
        return;
    }
    let mut picture = Pixmap::new(want.width, want.height);
    let back = std::env::var("BACK").ok().and_then(|hex| u32::from_str_radix(&hex, 16).ok()).unwrap_or(0x00d6_dde6);
    let [_, r, g, b] = back.to_be_bytes();
    picture.fill(Rgb::opaque(r, g, b).premultiplied());
    let still = pack.sheet().into_iter().find(|s| s.0 == mode).unwrap().1;
    picture.draw(&still, pack.rect().x0, pack.rect().y0);
    write(&picture, &args[7]);
}

fn time(pack: &dyn compere_avatar::Pack) {
    let frames = 600;
    let rect = pack.rect();
    let mut moving = pack.perform(Role { marks: chatter(20), sound: None, frames, seed: 7 });
    let mut layer = Layer::new(Rect::of_size(rect.width(), rect.height()));
    moving.advance(0, &mut layer).unwrap();
    let mut times = Vec::new();
    let mut area = 0;
    for frame in 1..frames {
        let begun = cpu();
        area += moving.advance(frame, &mut layer).unwrap().area();
        times.push(cpu() - begun);
    }
    times.sort_by(f64::total_cmp);
    let share = area as f64 / (rect.area() * (frames - 1)) as f64;
    let (median, most) = (times[times.len() / 2], times[times.len() * 95 / 100]);
    println!(
        "{}x{}: median {median:.2} ms, 95 % {most:.2} ms, damage {:.1} %",
        rect.width(),
        rect.height(),
        share * 100.0
    );
}

/// Milliseconds this thread has run, where the system says so.
fn cpu() -> f64 {
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
