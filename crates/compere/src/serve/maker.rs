//! `compere worker`: a node that makes films for services elsewhere and answers nobody.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;

use compere_house::assets::AddressRules;
use compere_house::home::Home;
use compere_house::settings::Settings;
use compere_jobs::Parts;
use tokio::sync::watch;

use super::herald::Announcer;
use super::lock::Lock;
use super::nodes::Part;
use super::{asked_to_stop, hello, shut};
use crate::crew::{LocalCrew, Postman, Supply};

/// Memory of the machine that a film takes at most, as measured at 4k; see docs/operations.md.
const FILM: u64 = 1_500_000_000;
/// Cores that one film uses well: a third would wait for the other two.
const CORES: usize = 2;

/// How many films at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slots {
    Auto,
    Fixed(NonZeroUsize),
}

impl FromStr for Slots {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        text.parse().map(Self::Fixed).map_err(|_| "it is a number above 0, or `auto`".to_owned())
    }
}

impl Slots {
    /// On a machine with so many cores and so much memory.
    fn of(self, cores: usize, memory: Option<u64>) -> usize {
        match self {
            Self::Fixed(slots) => slots.get(),
            Self::Auto => {
                let fit = memory.map_or(usize::MAX, |bytes| (bytes / FILM) as usize);
                (cores / CORES).min(fit).max(1)
            }
        }
    }
}

/// Makes films until asked to stop. Then it lets go of what it has: others go on with it, from the pieces that are kept.
pub async fn work(
    home: Home,
    settings: Settings,
    queues: &[String],
    slots: Slots,
    ready: impl FnOnce(usize),
) -> Result<(), String> {
    let part = Part::of(&settings, queues, false)?;
    let settings = sized(settings, slots);
    shut(&home, &settings)?;
    let _lock = Lock::take(&home.data)?;
    let (stop, mut stopping) = watch::channel(false);
    let asked = asked_to_stop()?;
    tokio::spawn(async move {
        asked.await;
        tracing::info!("stopping");
        stop.send_replace(true);
    });
    let (store, objects) = (settings.open_store(&home.data).await?, settings.open_objects(&home.data)?);
    let hold = part.hold(&store).await?;
    let rules = Arc::new(AddressRules::allowing(&settings.allow).map_err(|error| format!("allow: {error}"))?);
    let links = compere_office::links(&store, &settings).await.map_err(|refusal| refusal.to_string())?;
    let supply = Supply::of_node(&home, &settings, links.clone(), objects.clone());
    let crew = LocalCrew::new(&home, settings.workers, hello(&home, &settings), supply)?;
    let crew = Arc::new(crew.together(store.clone()));
    crew.lend_hands();
    let parts = Parts {
        store: store.clone(),
        objects,
        crew,
        herald: Arc::new(Announcer { links, store }),
        sender: Arc::new(Postman::new(rules)),
        settings: part.settings(),
    };
    let engine = part.start(parts).await?;
    ready(settings.workers);
    let ended = tokio::select! {
        _ = stopping.wait_for(|stop| *stop) => Ok(()),
        () = hold.lost() => Err("a service that believes to be alone has taken the database over".to_owned()),
        () = engine.ended() => Err("the engine tells us nothing any more".to_owned()),
    };
    engine.stop().await;
    ended
}

/// With as many films at once as fit, and the machine's cores dealt out among them.
fn sized(settings: Settings, slots: Slots) -> Settings {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = slots.of(cores, memory());
    let worker_threads = settings.worker_threads.or(Some(cores.div_ceil(workers)));
    Settings { workers, worker_threads, ..settings }
}

/// Bytes of this machine, or of the part of it that we were given.
fn memory() -> Option<u64> {
    let given = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes: u64 =
        told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().split(' ').next()?.parse().ok()?;
    Some(given.unwrap_or(u64::MAX).min(kilobytes * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn films_at_once_fit_into_cores_and_memory() {
        let auto = |cores, gigabytes: u64| Slots::Auto.of(cores, Some(gigabytes * 1_000_000_000));
        assert_eq!((auto(2, 24), auto(16, 64), auto(16, 8), auto(1, 1)), (1, 8, 5, 1));
        assert_eq!("3".parse::<Slots>().map(|slots| slots.of(64, None)), Ok(3));
        assert!("0".parse::<Slots>().is_err() && "many".parse::<Slots>().is_err());
    }
}
