//! `compere avatar design`

use std::path::PathBuf;

use clap::Args;
use compere_avatar::{Cast, Design, NoCache, SLIDERS, paint_portrait, sitters};
use compere_codec::Sandbox;
use compere_codec::image::pixmap_to_png;
use compere_house::home::Home;
use serde_json::Value;

use super::own::now;
use super::{Failure, answer};

/// Of the picture, in pixels.
const PICTURE: [u32; 2] = [768, 960];

#[derive(Debug, Args)]
pub(crate) struct Make {
    /// A design, as JSON
    #[arg(required_unless_present_any = ["from", "random", "fields"], conflicts_with_all = ["from", "random"])]
    file: Option<PathBuf>,
    /// Begin with a member of the cast, spelled out: `nora`
    #[arg(long, value_name = "ALIAS", conflicts_with = "random")]
    from: Option<String>,
    /// Begin with somebody whom one might meet; the same number is the same person
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "0")]
    random: Option<u64>,
    /// Write the design here; without --picture and --add it is printed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a portrait here, as PNG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// What it wears in the portrait; its first outfit by default
    #[arg(long, value_name = "OUTFIT", default_value = "")]
    outfit: String,
    /// Keep it: scenes name it by the id that is printed. A design of the same name takes its place
    #[arg(long)]
    add: bool,
    /// List what may stand in a design
    #[arg(long)]
    fields: bool,
}

impl Make {
    pub(crate) fn run(&self, home: &Home, cast: &Cast, sandbox: &Sandbox) -> Result<(), Failure> {
        if self.fields {
            fields();
            return Ok(());
        }
        let design = self.design()?;
        let logo = compere_own::logo_of(&design, sandbox).map_err(|error| Failure::BadInput(error.to_string()))?;
        if let Some(file) = &self.picture {
            let presenter = cast.designer().presenter("design", &design, logo.as_ref());
            let picture = paint_portrait(presenter.as_ref(), &self.outfit, PICTURE, &NoCache);
            let picture = picture.map_err(|error| Failure::BadInput(error.to_string()))?;
            write(file, &pixmap_to_png(&picture).map_err(Failure::failed)?)?;
        }
        let text = serde_json::to_string_pretty(&design).map_err(Failure::failed)?;
        if let Some(file) = &self.output {
            write(file, format!("{text}\n").as_bytes())?;
        } else if self.picture.is_none() && !self.add {
            answer(&text);
        }
        if self.add {
            let store = compere_own::Store::new(&home.data);
            let now = now().as_secs();
            let desk = compere_own::Desk { store: &store, sandbox, account: None, now };
            let kept = desk.keep_named(&design).map_err(|error| Failure::BadInput(error.to_string()))?;
            answer(&format!("{} presents as {}", kept.name, kept.id));
        }
        Ok(())
    }

    fn design(&self) -> Result<Design, Failure> {
        if let Some(seed) = self.random {
            return Ok(Design::by_chance(seed));
        }
        if let Some(alias) = &self.from {
            return Design::of(alias).ok_or_else(|| {
                let known: Vec<&str> = sitters().map(|(alias, ..)| alias).collect();
                Failure::BadInput(format!("--from: there is no `{alias}`; there are {}", known.join(", ")))
            });
        }
        let file = self.file.as_deref().unwrap_or_else(|| std::path::Path::new("design.json"));
        let named = |what: String| Failure::BadInput(format!("{}: {what}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| named(error.to_string()))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| named(error.to_string()))?;
        Design::read(&value).map_err(|slips| {
            let told: Vec<String> = slips
                .iter()
                .map(|slip| {
                    if slip.path.is_empty() { slip.message.clone() } else { format!("{}: {}", slip.path, slip.message) }
                })
                .collect();
            named(told.join("\n  "))
        })
    }
}

fn write(file: &std::path::Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(file, bytes).map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
    answer(&format!("{} written", file.display()));
    Ok(())
}

fn fields() {
    answer("name, faces {alias: share}, voices {language: voice}");
    for (alias, name, male) in sitters() {
        answer(&format!("  faces.{alias:<12} {name}, {}", if male { "male" } else { "female" }));
    }
    for slider in SLIDERS {
        answer(&format!("{:<18} {} to {}   {}", slider.path, slider.low, slider.high, slider.title));
    }
    for (path, known) in Design::WORDS {
        answer(&format!("{path:<18} {}", known().join(", ")));
    }
    answer("skin.color, skin.lips, eyes.color, hair.color, glasses.color, outfits[].color, .under, .accent: `#1e6b7a`");
    answer("logo.picture: `data:image/png;base64,…`");
}
