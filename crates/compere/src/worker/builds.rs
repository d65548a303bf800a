//! A presenter of footage, made for the service.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use compere_house::home::Home;
use compere_own::{Bench, Made, Making, Store};
use compere_render::Studio;

use super::mouth::Mouth;
use super::protocol::FromWorker;
use crate::worker::studio::LocalStudio;

/// Numbers that change faster than this are not told.
const PACE: Duration = Duration::from_millis(200);

/// Makes it and keeps it, or says why not.
pub(super) fn build(making: &Making, studio: &LocalStudio, home: &Home, mouth: &Mouth) -> Made {
    let shop = studio.workshop();
    let faces = home.assets.join("faces");
    let bench = Bench {
        sandbox: &shop.sandbox,
        voices: &shop.voices,
        cache: &shop.cache,
        faces: &faces,
        threads: shop.threads,
        strict: true,
    };
    let said = Mutex::new(Instant::now());
    let watch = |percent: f64| {
        if let Ok(mut said) = said.lock()
            && said.elapsed() >= PACE
        {
            *said = Instant::now();
            mouth.tell(&FromWorker::Building(percent));
        }
    };
    making.carry_out(&Store::new(&home.data), &bench, &watch)
}
