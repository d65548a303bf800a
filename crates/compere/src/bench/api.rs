//! The service under load: how soon it answers many clients while it makes films.
//!
//! The clients are as real ones are: each has a connection that it keeps, an account it shares with a few others, and
//! a pause of half a second to one and a half between an answer and its next question. Most questions are about
//! progress; a few in a hundred create or edit. The limits of the plan `api` hold, as they would for customers.

pub(super) mod client;
mod stand;

use std::path::Path;
use std::time::{Duration, Instant};

use client::{Deed, Told};
use stand::Stand;

use super::Row;
use super::machine::memory_now;

/// How much is asked of the service.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    pub clients: usize,
    pub seconds: u64,
}

/// Until voices are open and the pages that every process touches once are touched: memory counts from then.
const WARM: Duration = Duration::from_secs(5);

/// Asks a service by `exe`, this program.
pub fn api(exe: &Path, assets: &Path, load: &Load, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    // One thread: the clients should not take the processors from whom they measure.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let mut stand = runtime.block_on(Stand::open(exe, assets, load.clients.max(1)))?;
    let seen = runtime.block_on(besiege(&stand, load))?;
    let films = runtime.block_on(stand.films())?;
    stand.close()?;
    let rows = report(load, &seen, films);
    rows.iter().for_each(say);
    Ok(rows)
}

/// What a siege showed.
struct Seen {
    told: Vec<Told>,
    took: f64,
    /// Bytes, from when the service was warm.
    memory: Vec<f64>,
    /// Seconds of processor time of the service itself.
    processor: f64,
}

async fn besiege(stand: &Stand, load: &Load) -> Result<Seen, String> {
    let (started, before) = (Instant::now(), stand.processor());
    let end = started + Duration::from_secs(load.seconds.max(10));
    let clients: Vec<_> = stand
        .keys()
        .enumerate()
        .map(|(at, key)| tokio::spawn(client::live(stand.address(), key.clone(), at as u64, end)))
        .collect();
    let mut memory = Vec::new();
    while Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(500)).await;
        if started.elapsed() > WARM {
            memory.extend(memory_now(stand.pid()).map(|bytes| bytes as f64));
        }
    }
    let mut told = Vec::new();
    for client in clients {
        told.extend(client.await.map_err(|error| error.to_string())??);
    }
    if memory.len() < 3 {
        return Err("the service died under the load".to_owned());
    }
    Ok(Seen { told, took: started.elapsed().as_secs_f64(), memory, processor: stand.processor() - before })
}

fn report(load: &Load, seen: &Seen, films: stand::Films) -> Vec<Row> {
    let times = |deed: fn(Deed) -> bool| -> Vec<f64> {
        let mut times: Vec<f64> = seen.told.iter().filter(|told| deed(told.deed)).map(|told| told.millis).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let (reads, writes) = (times(|deed| deed == Deed::Read), times(|deed| deed == Deed::Write));
    let limited = seen.told.iter().filter(|told| told.status == 429).count() as f64;
    let wrong = seen.told.iter().filter(|told| told.status != 429 && told.status != 200).count() as f64;
    let count = seen.told.len() as f64;
    let (first, middle, last) =
        (seen.memory[0], seen.memory[seen.memory.len() / 2], seen.memory[seen.memory.len() - 1]);
    vec![
        Row::new(format!("requests of {} clients", load.clients), count, ""),
        Row::new("requests answered", count / seen.took, "/s"),
        Row::new("reads, half of them within", at(&reads, 0.5), "ms"),
        Row::new("reads, 99 of 100 within", at(&reads, 0.99), "ms").target("< 50 on 2 cores"),
        Row::new("writes, half of them within", at(&writes, 0.5), "ms"),
        Row::new("writes, 99 of 100 within", at(&writes, 0.99), "ms"),
        Row::new("answers that sent a client away for a while (429)", limited, ""),
        Row::new("other errors", wrong, "").target("<= 0"),
        Row::new("processor time of the service for a request", seen.processor * 1e3 / count, "ms"),
        Row::new("memory of the service, warm", first / 1e6, "MB"),
        Row::new("memory of the service, half-way", middle / 1e6, "MB"),
        Row::new("memory of the service, at the end", last / 1e6, "MB"),
        Row::new("end against half-way", last / middle, "").target("< 1.05"),
        Row::new("films made meanwhile", films.made as f64, ""),
        Row::new("films at work at the end", films.at_work as f64, "").target("1"),
    ]
}

/// The figure below which such a share of them lies.
fn at(sorted: &[f64], share: f64) -> f64 {
    let place = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_from_below() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((at(&hundred, 0.5), at(&hundred, 0.99), at(&[7.0], 0.99)), (50.0, 99.0, 7.0));
        assert!(at(&[], 0.5).is_nan());
    }
}
