//! How soon somebody who edits sees what was changed: frames asked of a warm desk, as the editor asks.

use std::path::Path;
use std::time::Instant;

use compere_avatar::{Cast, PresenterInfo, Style};
use compere_house::desk::{Desk as _, View};
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_store::Objects;
use serde_json::{Value, json};

use super::{Row, median};
use crate::crew::{Desk, Supply};
use crate::worker::protocol::Hello;

/// Pixels across of a frame that is edited; see `editor-canvas.js`.
const WIDTH: u32 = 854;

/// Edits of a text and changes of the presenter, each never seen before, asked of a desk by `exe`, this program.
pub fn previews(exe: &Path, assets: &Path, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let cast = Cast::open(assets);
    let lit: Vec<&PresenterInfo> = cast.list().iter().filter(|info| info.style == Style::Rig).collect();
    let first = lit.first().ok_or("there is no lit presenter here")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let desk = desk(exe, assets, dir.path())?;
        let look = async |project: Value| {
            let started = Instant::now();
            let still = desk.still(project, View { soon: true, ..View::of_width(WIDTH).at(2.5) }).await;
            still.map(|_| started.elapsed().as_secs_f64()).map_err(|error| error.to_string())
        };
        // Fonts, the voice and the picture are met for the first time once; so is the first presenter.
        look(project("Before", first, 0)).await?;
        let mut edits = Vec::new();
        for turn in 0..runs.max(3) {
            edits.push(look(project(&format!("Title number {turn}"), first, 0)).await?);
        }
        let mut changes = Vec::new();
        for info in lit.iter().skip(1).take(runs.max(3)) {
            changes.push(look(project("Before", info, 0)).await?);
        }
        let last = lit.get(changes.len()).unwrap_or(first);
        let started = Instant::now();
        let view = View::of_width(WIDTH).at(2.5);
        desk.still(project("Before", last, 0), view).await.map_err(|error| error.to_string())?;
        let finished = started.elapsed().as_secs_f64();
        let mut outfits = Vec::new();
        for (turn, _) in first.outfits.iter().enumerate().skip(1) {
            outfits.push(look(project("Before", first, turn)).await?);
        }
        let worst = |figures: &[f64]| figures.iter().copied().fold(f64::NAN, f64::max);
        let rows = vec![
            Row::new("preview: a text is edited", median(edits.clone()), "s").target("<= 0.3"),
            Row::new("preview: a text is edited, slowest", worst(&edits), "s"),
            Row::new("preview: another presenter", median(changes.clone()), "s").target("<= 1.5"),
            Row::new("preview: another presenter, slowest", worst(&changes), "s"),
            Row::new("preview: the same presenter in full, from then on", finished, "s"),
            Row::new("preview: another outfit", median(outfits), "s").target("<= 1.5"),
        ];
        rows.iter().for_each(say);
        Ok(rows)
    })
}

fn desk(exe: &Path, assets: &Path, data: &Path) -> Result<Desk, String> {
    let base_url = "http://localhost".to_owned();
    let links = Links::new("bench", base_url.clone(), 7);
    let objects = Objects::folder(&data.join("objects")).map_err(|error| error.to_string())?;
    let (assets, data) = (assets.to_owned(), data.to_owned());
    let hello =
        Hello { assets, data, settings: Settings::default(), base_url, films: false, yields: false, shares: false };
    Ok(Desk::of_binary(exe.to_owned(), hello, Supply::new(links, objects)))
}

/// A picture behind, a title, and somebody lit who stands where the editor puts them.
fn project(title: &str, info: &PresenterInfo, outfit: usize) -> Value {
    let outfit = info.outfits.get(outfit).map_or("", |outfit| outfit.id.as_str());
    json!({ "orientation": "landscape", "scenes": [{
        "sceneIdx": 0,
        "scripts": [{ "org": "Good morning everybody, and welcome to the show.", "isTTS": false, "tts": null,
                      "modelId": info.id, "clothId": outfit }],
        "background": { "id": "background", "type": "background", "source_type": "image",
                        "source_url": "/images/background/studio-warm.png", "source_color": "rgb(240,240,235)" },
        "clips": [
            { "id": "title", "type": "textImage", "layer": 1, "left": 120, "top": 140, "width": 900, "height": 160,
              "text": title, "fill": "rgb(30,40,60)", "fontSize": 80 },
            { "id": "presenter", "type": "aiModel", "layer": 2, "left": 1160, "top": 120, "width": 640, "height": 960,
              "model": { "ai_name": info.id, "emotion": outfit } },
        ],
    }] })
}
