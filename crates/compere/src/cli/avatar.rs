//! `compere avatar`

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use compere_avatar::{Cast, Framing, PackCache, PresenterInfo, Role, Want, filmstrip, line_up};
use compere_codec::image::pixmap_to_png;
use compere_media::{Marks, PhonemeMark, Pixmap, SAMPLE_RATE, SampleSpan, Stress};
use compere_render::{Cache, PackShelf};
use serde_json::{Value, json};

use super::{Failure, answer, design, own};
use compere_house::home::Home;

/// One picture of a contact sheet or a filmstrip.
const CELL: (u32, u32) = (210, 210);
const COLUMNS: u32 = 7;

/// One picture of the cast.
const SMALL: [u32; 2] = [225, 300];

/// One picture of a gesture: wide enough for an arm that points.
const POSTURE: [u32; 2] = [400, 520];

/// Which frames a filmstrip shows, so many to a row.
const SECOND: Range<u64> = 6..42;
const ROW: u32 = 6;

#[derive(Debug, Subcommand)]
pub(crate) enum Avatar {
    /// Who can present
    List {
        /// Print the cast as JSON
        #[arg(long)]
        json: bool,
    },
    /// One presenter with outfits and voices
    Show {
        /// Id or alias
        presenter: String,
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// A contact sheet of a presenter in an outfit, or of the whole cast
    Preview(Preview),
    /// Design a presenter: sliders, colours and words in a small file
    Design(design::Make),
    /// Make a presenter of a person's footage or photo (beta, see docs/own-presenters.md)
    #[command(subcommand)]
    Add(own::Add),
    /// The lines that a person reads before the camera
    Prompts(own::Prompts),
    /// Write down what a person has to say before the camera to agree to a presenter
    Consent(own::Consent),
    /// Let a presenter of footage present that came in through the service: somebody saw consent and takes
    Approve(own::Approve),
    /// Take a presenter away that was made of footage, with everything that was kept of it
    Remove(own::Remove),
}

#[derive(Debug, Args)]
pub(crate) struct Preview {
    /// Id or alias, with an outfit or without: `nora`, `nora/blazer`
    #[arg(required_unless_present = "cast")]
    presenter: Option<String>,
    /// Where the picture goes
    #[arg(short, long, default_value = "preview.png", value_name = "FILE")]
    output: PathBuf,
    /// Every frame of a spoken second, instead of the single shapes
    #[arg(long)]
    talking: bool,
    /// Every gesture of the arms, instead of the single shapes
    #[arg(long, conflicts_with = "talking")]
    gestures: bool,
    /// Everyone in every outfit, instead of one presenter
    #[arg(long, conflicts_with_all = ["presenter", "talking", "gestures"])]
    cast: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Avatar {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let sandbox = compere_house::home::sandbox().map_err(Failure::failed)?;
        let cast = Cast::open(&home.assets);
        let own = compere_own::presenters(&compere_own::Store::new(&home.data), &sandbox, cast.designer());
        let cast = cast.with(own);
        match self {
            Self::Add(add) => return add.run(home, &sandbox),
            Self::Design(make) => return make.run(home, &cast, &sandbox),
            Self::Prompts(prompts) => return prompts.run(),
            Self::Consent(consent) => return consent.run(),
            Self::Approve(approve) => return approve.run(home),
            Self::Remove(remove) => return remove.run(home),
            Self::List { json } => list(&cast, *json),
            Self::Show { presenter, json } => show(&find(&cast, presenter)?, *json),
            Self::Preview(preview) => return preview.run(home, &cast),
        }
        Ok(())
    }
}

fn list(cast: &Cast, as_json: bool) {
    if as_json {
        answer(&Value::from(cast.list().iter().map(describe).collect::<Vec<_>>()).to_string());
        return;
    }
    for info in cast.list() {
        let names: Vec<&str> = info.outfits.iter().map(|outfit| first(&outfit.aliases, &outfit.id)).collect();
        let alias = first(&info.aliases, &info.id);
        answer(&format!(
            "{:<12} {alias:<10} {:<8} {:<12} {}",
            info.id,
            info.gender,
            info.style.name(),
            names.join(", ")
        ));
    }
}

fn show(info: &PresenterInfo, as_json: bool) {
    if as_json {
        answer(&describe(info).to_string());
        return;
    }
    answer(&format!("{} ({}), {}, {}", info.name, info.id, info.gender, info.style.name()));
    answer(&format!("also known as {}", info.aliases.join(", ")));
    for outfit in &info.outfits {
        answer(&format!("  {:<12} {:<10} {}", outfit.id, first(&outfit.aliases, ""), outfit.name));
    }
    for voice in &info.voices {
        answer(&format!("  speaks {} with {}", voice.language, voice.voice));
    }
    answer(&info.licence);
}

impl Preview {
    fn run(&self, home: &Home, cast: &Cast) -> Result<(), Failure> {
        let cache = Cache::open(&home.cache(), u64::MAX).map_err(Failure::failed)?;
        let exe = std::env::current_exe().map_err(Failure::failed)?;
        let engine = crate::worker::engine(&exe).map_err(Failure::failed)?;
        let shelf = PackShelf { cache: &cache, engine: &engine };
        let sheet = match &self.presenter {
            Some(presenter) => self.of(cast, presenter, &shelf)?,
            None => line_up(cast, SMALL, &shelf).map_err(Failure::failed)?,
        };
        let bytes = pixmap_to_png(&sheet).map_err(Failure::failed)?;
        let output = self.output.display();
        std::fs::write(&self.output, bytes).map_err(|error| Failure::failed(format!("{output}: {error}")))?;
        if self.json {
            answer(&json!({"picture": self.output, "width": sheet.width(), "height": sheet.height()}).to_string());
        } else {
            answer(&format!("{output}: {} x {}", sheet.width(), sheet.height()));
        }
        Ok(())
    }

    /// One presenter, in single shapes or talking.
    fn of(&self, cast: &Cast, presenter: &str, cache: &dyn PackCache) -> Result<Pixmap, Failure> {
        let (name, outfit) = presenter.split_once('/').unwrap_or((presenter, ""));
        let member = cast.get(name).ok_or_else(|| unknown(cast, name))?;
        let (width, height) = CELL;
        let want = Want { outfit: outfit.to_owned(), width, height, framing: Framing::Head };
        let sheet = if self.gestures {
            let [width, height] = POSTURE;
            let want = Want { width, height, framing: Framing::Body, ..want };
            compere_avatar::gestures(member.as_ref(), &want, 5, cache)
        } else if self.talking {
            filmstrip(member.as_ref(), &want, said(), SECOND, ROW, cache)
        } else {
            compere_avatar::preview(member.as_ref(), &want, COLUMNS, cache)
        };
        sheet.map_err(Failure::failed)
    }
}

/// "Five films, both fun": closures, lips on teeth, a tongue between them, open and round vowels.
fn said() -> Role {
    const SOUNDS: [(&str, u64, bool); 14] = [
        ("f", 90, true),
        ("aɪ", 150, true),
        ("v", 60, true),
        ("f", 80, false),
        ("ɪ", 70, true),
        ("l", 60, true),
        ("m", 70, false),
        ("z", 90, false),
        ("b", 60, false),
        ("oʊ", 130, true),
        ("θ", 90, true),
        ("f", 70, false),
        ("ʌ", 90, true),
        ("n", 90, true),
    ];
    let mut marks = Marks::default();
    let mut at = u64::from(SAMPLE_RATE) / 4;
    for (ipa, milliseconds, stressed) in SOUNDS {
        let span = SampleSpan { start: at, end: at + u64::from(SAMPLE_RATE) * milliseconds / 1000 };
        let stress = if stressed { Stress::Primary } else { Stress::None };
        at = span.end;
        marks.phonemes.push(PhonemeMark { span, ipa: ipa.to_owned(), stress });
    }
    Role { marks, frames: SECOND.end + 15, seed: 1, ..Role::default() }
}

fn find(cast: &Cast, name: &str) -> Result<PresenterInfo, Failure> {
    cast.get(name).map(|member| member.info().clone()).ok_or_else(|| unknown(cast, name))
}

fn unknown(cast: &Cast, name: &str) -> Failure {
    let known: Vec<&str> = cast.list().iter().map(|info| first(&info.aliases, &info.id)).collect();
    Failure::BadInput(format!("there is no presenter `{name}`; there is {}", known.join(", ")))
}

fn first<'a>(aliases: &'a [String], otherwise: &'a str) -> &'a str {
    aliases.first().map_or(otherwise, String::as_str)
}

fn describe(info: &PresenterInfo) -> Value {
    let outfit =
        |outfit: &compere_avatar::OutfitInfo| json!({"id": outfit.id, "aliases": outfit.aliases, "name": outfit.name});
    let voice = |voice: &compere_avatar::VoiceDefault| json!({"language": voice.language, "voice": voice.voice});
    json!({
        "id": info.id, "aliases": info.aliases, "name": info.name, "gender": info.gender, "style": info.style.name(),
        "outfits": info.outfits.iter().map(outfit).collect::<Vec<_>>(),
        "voices": info.voices.iter().map(voice).collect::<Vec<_>>(),
        "licence": info.licence,
    })
}
