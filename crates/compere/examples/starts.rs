//! Draws what new films can begin as, for `scripts/portraits.sh`: `starts ASSETS FOLDER`.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]

use std::path::Path;
use std::process::ExitCode;

use compere::worker::studio::LocalStudio;
use compere_codec::image::{self, Want};
use compere_house::home::Home;
use compere_render::{Glance, Stills, Unwatched};
use compere_scene::{Limits, Resolution};

/// What is decoded is decoded by children, which are this program again: without the first lines each would draw everything
/// anew, and have children of its own.
fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    if let Some(code) = compere_codec::helper_main(std::env::args_os().skip(1)) {
        return Ok(code);
    }
    draw()?;
    Ok(ExitCode::SUCCESS)
}

fn draw() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (assets, folder) = (arguments.next().ok_or("which assets?")?, arguments.next().ok_or("which folder?")?);
    let data = tempfile::tempdir()?;
    let home = Home { assets: assets.into(), data: data.path().to_owned() };
    let studio = LocalStudio::open(&home, None, true)?;
    let info = compere_avatar::Cast::open(&home.assets).list().first().cloned().ok_or("nobody presents")?;
    let outfit = &info.outfits.first().ok_or("who wears nothing")?.id;
    for (name, _, _, text) in compere::web::STARTS {
        let mut body = match text {
            "" => compere_office::blank_film(&info.id, outfit, name == "upright"),
            text => serde_json::from_str(text)?,
        };
        // What is heard is not seen, and may lie elsewhere.
        body.as_object_mut().ok_or("no film")?.remove("backgroundAudio");
        let resolved = compere_scene::resolve(&body, &Limits::default(), studio.catalogue());
        let mut film = resolved.map_err(|problems| format!("{name}: {problems:?}"))?.film;
        film.resolution = Resolution::P480;
        let still = Stills::default().still(&film, Glance::default(), &studio, &Unwatched)?;
        let most = Want { max_width: 480, max_height: 480 };
        let picture = image::shrunk(image::frame_to_pixmap(&still.frame), most);
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), image::pixmap_to_png(&picture)?)?;
    }
    Ok(())
}
