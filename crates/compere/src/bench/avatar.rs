//! Presenters: what baking one takes, what a frame of it takes, and how much of it moves.
//!
//! A frame is measured in processor time of its thread: on a machine that does other things too, the clock on the wall
//! measures those.

use std::sync::Arc;
use std::time::Instant;

use compere_avatar::{Cast, Framing, NoCache, Pack, PresenterInfo, Role, Style, Want};
use compere_media::{Layer, Marks, PhonemeMark, Rect, SampleSpan, Stress, WordMark};
use rustix::time::ClockId;

use super::machine::worked;
use super::{Row, median};

/// Ten seconds.
const FRAMES: u64 = 300;

/// A presenter of 600x900 canvas units at every resolution: the one that is named, or one lit and one drawn.
pub fn avatars(
    cast: &Cast,
    presenter: Option<&str>,
    runs: usize,
    say: &mut dyn FnMut(&Row),
) -> Result<Vec<Row>, String> {
    let names = match presenter {
        Some(name) => vec![name.to_owned()],
        None => one_of_each(cast.list()),
    };
    let mut rows = Vec::new();
    for name in names {
        for (size, width, height) in [("480", 266, 400), ("720", 400, 600), ("1080", 600, 900), ("4k", 1200, 1800)] {
            let want = Want { outfit: String::new(), width, height, framing: Framing::Body };
            let label = format!("{name} at {size} ({width}x{height})");
            for row in presenter_at(cast, &name, &want, &label, runs)? {
                say(&row);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// The first lit presenter and the first drawn one.
fn one_of_each(cast: &[PresenterInfo]) -> Vec<String> {
    let first = |style: Style| cast.iter().find(|info| info.style == style);
    let drawn = first(Style::Illustrated).or(first(Style::Figure));
    let name = |info: &PresenterInfo| info.aliases.first().unwrap_or(&info.id).clone();
    first(Style::Rig).into_iter().chain(drawn).map(name).collect()
}

pub(super) fn presenter_at(cast: &Cast, name: &str, want: &Want, label: &str, runs: usize) -> Result<Vec<Row>, String> {
    let member = cast.get(name).ok_or_else(|| format!("there is no presenter `{name}`"))?;
    let (started, before) = (Instant::now(), worked(ClockId::ProcessCPUTime));
    let pack = member.bake(want, &NoCache).map_err(|error| error.to_string())?;
    let (baked, busy) = (started.elapsed().as_secs_f64(), worked(ClockId::ProcessCPUTime) - before);
    let mut played = Played::default();
    for _ in 0..runs {
        played.perform(&pack)?;
    }
    let per_frame = Row::new(format!("{label}: perform a frame"), median(played.times.clone()), "ms");
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    Ok(vec![
        Row::new(format!("{label}: bake"), baked, "s").target("<= 20"),
        Row::new(format!("{label}: bake, of processors"), busy, "s"),
        if want.height == 900 { per_frame.target("<= 5") } else { per_frame },
        Row::new(format!("{label}: perform a frame, mean"), mean(&played.times), "ms"),
        Row::new(format!("{label}: first frame"), median(played.firsts), "ms"),
        Row::new(format!("{label}: damage, of the layer"), median(played.shares.clone()), "%"),
        Row::new(format!("{label}: damage, mean"), mean(&played.shares), "%"),
    ])
}

/// Milliseconds of frames and hundredths of the layer that each damaged.
#[derive(Default)]
struct Played {
    firsts: Vec<f64>,
    times: Vec<f64>,
    shares: Vec<f64>,
}

impl Played {
    /// Plays ten seconds of speech.
    fn perform(&mut self, pack: &Arc<dyn Pack>) -> Result<(), String> {
        let rect = Rect::of_size(pack.rect().width(), pack.rect().height());
        let mut layer = Layer::new(rect);
        let mut started = worked(ClockId::ThreadCPUTime);
        let mut acting = pack.perform(Role { marks: marks(), frames: FRAMES, seed: 7, ..Role::default() });
        for frame in 0..FRAMES {
            let damage = acting.advance(frame, &mut layer).map_err(|error| error.to_string())?;
            let done = worked(ClockId::ThreadCPUTime);
            let times = if frame == 0 { &mut self.firsts } else { &mut self.times };
            times.push((done - started) * 1000.0);
            if frame > 0 {
                self.shares.push(damage.area() as f64 / rect.area() as f64 * 100.0);
            }
            started = done;
        }
        Ok(())
    }
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
