//! Presenters: what baking one takes, what a frame of it takes, and how much of it moves.

use std::sync::Arc;
use std::time::Instant;

use compere_avatar::{Cast, Framing, NoCache, Pack, Role, Want};
use compere_media::{Layer, Marks, PhonemeMark, Rect, SampleSpan, Stress, WordMark};

use super::{Row, median};

/// Ten seconds.
const FRAMES: u64 = 300;

/// A presenter of 600x900 canvas units at every resolution.
pub fn avatars(cast: &Cast, presenter: &str, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let member = cast.get(presenter).ok_or_else(|| format!("there is no presenter `{presenter}`"))?;
    let mut rows = Vec::new();
    for (name, width, height) in [("480", 266, 400), ("720", 400, 600), ("1080", 600, 900), ("4k", 1200, 1800)] {
        let want = Want { outfit: String::new(), width, height, framing: Framing::Body };
        let started = Instant::now();
        let pack = member.bake(&want, &NoCache).map_err(|error| error.to_string())?;
        let baked = started.elapsed().as_secs_f64();
        let (mut times, mut share) = (Vec::new(), 0.0);
        for _ in 0..runs {
            share = perform(&pack, &mut times)?;
        }
        let label = |what: &str| format!("{presenter} at {name} ({width}x{height}): {what}");
        let mut add = |row: Row| {
            say(&row);
            rows.push(row);
        };
        add(Row::new(label("bake"), baked, "s").target("<= 20"));
        let row = Row::new(label("perform a frame"), median(times), "ms");
        add(if name == "1080" { row.target("<= 5") } else { row });
        add(Row::new(label("damage, of the layer"), share * 100.0, "%"));
    }
    Ok(rows)
}

/// Plays ten seconds of speech; adds the milliseconds of each frame and answers the mean share of damaged pixels.
fn perform(pack: &Arc<dyn Pack>, times: &mut Vec<f64>) -> Result<f64, String> {
    let rect = Rect::of_size(pack.rect().width(), pack.rect().height());
    let mut layer = Layer::new(rect);
    let mut acting = pack.perform(Role { marks: marks(), sound: None, frames: FRAMES, seed: 7 });
    let mut damaged = 0;
    for frame in 0..FRAMES {
        let started = Instant::now();
        let damage = acting.advance(frame, &mut layer).map_err(|error| error.to_string())?;
        if frame > 0 {
            times.push(started.elapsed().as_secs_f64() * 1000.0);
            damaged += damage.area();
        }
    }
    Ok(damaged as f64 / ((FRAMES - 1) * rect.area()) as f64)
}

/// Words of four sounds with a pause now and then.
fn marks() -> Marks {
    let mut marks = Marks::default();
    let mut at = 9600;
    for (n, sounds) in [["m", "ɛ", "n", "i"], ["w", "ɜ", "d", "z"], ["f", "ɔ", "ɹ", "m"], ["θ", "ɪ", "ŋ", "k"]]
        .iter()
        .cycle()
        .take(24)
        .enumerate()
    {
        let start = at;
        for (m, ipa) in sounds.iter().enumerate() {
            let span = SampleSpan { start: at, end: at + 3840 };
            let stress = if m == 1 { Stress::Primary } else { Stress::None };
            marks.phonemes.push(PhonemeMark { span, ipa: (*ipa).to_owned(), stress });
            at += 3840;
        }
        marks.words.push(WordMark { span: SampleSpan { start, end: at }, text: "word".into() });
        at += if n % 6 == 5 { 19_200 } else { 1200 };
    }
    marks
}
