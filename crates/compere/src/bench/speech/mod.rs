//! Voices: how long a second of speech takes, on one core and on two, cold, warm and from the cache, and what it needs.

mod measure;

use std::path::Path;
use std::process::{Command, Stdio};

use compere_speech::{VoiceKind, Voices};

use super::machine::peak_of;
use super::{Row, median};
use measure::PAGE;

/// One voice of each kind that is installed.
pub fn voices(assets: &Path, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let mut add = |row: Row| {
        say(&row);
        rows.push(row);
    };
    for id in at_hand(assets) {
        for threads in [1, 2] {
            let label = |what: &str| format!("{id}, {threads} thread(s): {what}");
            let (mut cold, mut warm, mut worked, mut cached) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            let mut opened = Vec::new();
            for _ in 0..runs.max(1) {
                let measured = measure::measure(assets, &id, threads).map_err(|error| error.to_string())?;
                let Some(measured) = measured else { break };
                opened.push(measured.opened.as_secs_f64());
                cold.push(measured.cold.as_secs_f64() / measured.speech);
                warm.push(measured.real_time_factor());
                worked.extend(measured.worked.map(|worked| worked.as_secs_f64() / measured.speech));
                cached.push(measured.cached.as_secs_f64() / measured.speech);
            }
            if cold.is_empty() {
                continue;
            }
            let row = Row::new(label("opened"), median(opened), "s");
            add(if id == "af_heart" { row.target("<= 0.3") } else { row });
            add(Row::new(label("time per second of speech, cold"), median(cold), "s"));
            let row = Row::new(label("warm"), median(warm), "s");
            add(if id == "af_heart" && threads == 2 { row.target("<= 0.10") } else { row });
            if !worked.is_empty() {
                add(Row::new(label("processor time, warm"), median(worked), "s"));
            }
            add(Row::new(label("from the cache"), median(cached) * 1000.0, "ms"));
        }
        add(Row::new(format!("{id}: peak memory of `compere say`"), memory(assets, &id)? / 1e6, "MB"));
    }
    Ok(rows)
}

fn at_hand(assets: &Path) -> Vec<String> {
    let list = Voices::open(assets, 1).list();
    let usual = ["tone", "espeak-en-us", "af_heart"].into_iter();
    let usual = usual.filter(|id| list.iter().any(|info| info.id == *id && info.missing.is_none())).map(str::to_owned);
    let piper = list.iter().find(|info| info.kind == VoiceKind::Piper && info.missing.is_none());
    usual.chain(piper.map(|info| info.id.clone())).collect()
}

/// Bytes that a process of its own needs at most to say the page.
fn memory(assets: &Path, id: &str) -> Result<f64, String> {
    let exe = std::env::current_exe().map_err(|error| error.to_string())?;
    let sound = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    let mut command = Command::new(exe);
    command.args(["say", PAGE, "--voice", id, "--output"]).arg(sound.path()).env("COMPERE_ASSETS", assets);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    peak_of(child).map(|bytes| bytes as f64)
}
