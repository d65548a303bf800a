//! Parts of a film that somebody else makes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use compere_scene::Film;

use crate::act::Act;
use crate::presenters::Presenters;
use crate::progress::Meter;
use crate::shoot::{Floor, Terms};
use crate::together::{Company, Next, PAUSE, Part};
use crate::{RenderError, Studio, Watcher, footage, label};

/// Makes parts of a film, as its leader would, and leaves them in the cache, until there are none that nobody has. What is
/// needed on the way goes into `dir`.
pub fn assist(
    film: &Film,
    studio: &dyn Studio,
    watcher: &dyn Watcher,
    company: &dyn Company,
    dir: &Path,
    unlabelled: bool,
) -> Result<(), RenderError> {
    let (shop, meter) = (studio.workshop(), Meter::new(watcher));
    let mut film = film.clone();
    if !unlabelled {
        label::show(&mut film, &shop.cast);
    }
    let footage = footage::fetch(&mut film, studio, None, &meter, &mut BTreeSet::new())?;
    let presenters = Presenters::of(&film, shop, Some(company));
    let terms =
        Terms { meter: &meter, longest: None, projector: None, company: Some(company), presenters: &presenters };
    let floor = Floor::helping(&film, shop, &footage, terms);
    prepare(&floor, company, dir)?;
    // What others spoke lies in the cache; only who has all of it knows which pictures go with it.
    floor.speak(dir)?;
    std::thread::scope(|scope| {
        for _ in 0..floor.artists() {
            scope.spawn(|| draw(&floor, company));
        }
    });
    floor.end()
}

/// Makes what pictures need: presenters and speech.
fn prepare(floor: &Floor<'_>, company: &dyn Company, dir: &Path) -> Result<(), RenderError> {
    while let Next::Part(part) = company.next(false) {
        match part {
            Part::Baked { presenter } => floor.presenters().bake_one(company, presenter),
            Part::Speech { scene, run } => {
                if let Some(scene) = floor.film.scenes.get(scene as usize) {
                    if floor.runs(scene) > 1 {
                        floor.speak_run(scene, run as usize, 0)?;
                    } else {
                        floor.speak_scene(scene, dir, 0, &mut Vec::new())?;
                    }
                    company.made(part);
                }
            }
            Part::Pictures { .. } => {}
        }
    }
    Ok(())
}

fn draw(floor: &Floor<'_>, company: &dyn Company) {
    let mut last: Option<Arc<Act>> = None;
    while floor.tick(0).is_ok() {
        match company.next(true) {
            Next::Part(part) => {
                // One that is not there is none of this film; it is free again when its time is over.
                let Some(take) = floor.take_out(part) else { continue };
                if let Some(last) =
                    last.replace(Arc::clone(&take.act)).filter(|last| last.number() != take.act.number())
                {
                    last.strike();
                }
                let drawn = floor.guard(&take, || floor.draw(&take));
                floor.put_down();
                if drawn.is_some() {
                    company.made(part);
                }
            }
            Next::Later => std::thread::sleep(PAUSE),
            Next::Over => return,
        }
    }
}
