//! Voices: how long a second of speech takes, on one core and on two, cold, warm and from the cache.

use std::path::Path;

use compere_speech::{Voices, bench};

use super::machine::peak_memory;
use super::{Row, median};

/// One voice of each kind that comes with the product.
pub fn voices(assets: &Path, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let mut add = |row: Row| {
        say(&row);
        rows.push(row);
    };
    for id in ["tone", "espeak-en-us", "af_heart"] {
        for threads in [1, 2] {
            let label = |what: &str| format!("{id}, {threads} thread(s): {what}");
            let (mut cold, mut warm, mut cached) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..runs {
                // Opened anew, so that the first words wait for the weights.
                let voice = Voices::open(assets, threads).get(id).map_err(|error| error.to_string())?;
                let measured = bench::measure(voice.as_ref(), threads).map_err(|error| error.to_string())?;
                cold.push(measured.cold.as_secs_f64() / measured.speech);
                warm.push(measured.real_time_factor());
                cached.push(measured.cached.as_secs_f64() / measured.speech);
            }
            add(Row::new(label("work per second of speech, cold"), median(cold), "s"));
            let row = Row::new(label("warm"), median(warm), "s");
            add(if id == "af_heart" && threads == 2 { row.target("<= 0.22") } else { row });
            add(Row::new(label("cached"), median(cached), "s"));
        }
        if let Some(bytes) = peak_memory(std::process::id()) {
            add(Row::new(format!("peak memory up to {id}"), bytes as f64 / 1e6, "MB"));
        }
    }
    Ok(rows)
}
