//! `compere import`

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use compere_compose::draw::Fonts;
use compere_import::{
    Deck, Fetch, Ground, ImportError, ImportErrorKind, Layout, Numbers, Presenter, Progress, Quiet, Scribe, Side, Want,
    Wish, deck_to_project,
};
use compere_scene::Catalogue;
use serde_json::{Value, json};

use super::watch::Bar;
use super::{Failure, answer, say};
use compere_house::catalogue::House;
use compere_house::home::{Home, font_dirs, sandbox};
use compere_house::settings::Settings;
use compere_house::writer::LanguageModel;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  compere import deck.pptx                     writes deck.json and the pictures in deck-slides/
  compere import deck.pdf -o lesson.json --name \"Lesson 1\"
  compere import deck.pptx --editable          texts and pictures become clips
  compere import deck.pptx --layout corner --side left --slides 1-5,8
  compere render deck.json -o film.mp4         makes the film of it

A PDF, PPT, PPTX or ODP becomes a scene for each slide. Speaker notes are spoken by the presenter,
who stands where nothing of the slide is hidden.")]
pub(crate) struct Import {
    /// A PDF, PPT, PPTX or ODP
    file: PathBuf,
    /// Where the project goes; its pictures go into a folder beside it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Name of the project instead of the document's title
    #[arg(long)]
    name: Option<String>,
    /// Who speaks the notes, instead of the first of the cast
    #[arg(long, value_name = "ID")]
    presenter: Option<String>,
    /// What the presenter wears
    #[arg(long, value_name = "ID")]
    outfit: Option<String>,
    /// Another voice than the presenter's own
    #[arg(long, value_name = "ID")]
    voice: Option<String>,
    /// How the presenter shares the picture with the slides: auto, beside, corner, circle or voice
    #[arg(long, value_name = "LAYOUT", default_value = "auto")]
    layout: Layout,
    /// Where the presenter is: right or left
    #[arg(long, value_name = "SIDE", default_value = "right")]
    side: Side,
    /// What becomes of slides without notes: listen, draft (their own words are spoken), written (a
    /// language model writes what is spoken), empty (nobody is seen) or skip
    #[arg(long, value_name = "HOW", default_value = "listen")]
    quiet: Quiet,
    /// What is behind slides that do not fill the picture: a colour, or the link of a picture
    #[arg(long, value_name = "COLOUR|LINK")]
    background: Option<Ground>,
    /// Slides to take, as the document counts: 1-5,8,12-
    #[arg(long, value_name = "NUMBERS")]
    slides: Option<Numbers>,
    /// Show hidden slides
    #[arg(long)]
    hidden: bool,
    /// Leave the notes out
    #[arg(long)]
    no_notes: bool,
    /// Leave out of the notes what is meant for the speaker, such as (10 min)
    #[arg(long)]
    no_cues: bool,
    /// Make clips of the texts and pictures of a PPTX, where they then look as the slide does
    #[arg(long)]
    editable: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Import {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let presenter = self.presenter(home)?;
        let output = self.output.clone().unwrap_or_else(|| PathBuf::from(file_stem(&self.file)).with_extension("json"));
        let folder = format!("{}-slides", file_stem(&output));
        let pictures = output.with_file_name(&folder);
        let deck = self.read(home, &pictures)?;
        // Titles are often those of a template, file names hardly ever.
        let name = self.name.clone().or_else(|| deck.title.clone()).unwrap_or_else(|| file_stem(&self.file));
        let link = |path: &Path| site_path(&folder, path);
        let project = deck_to_project(&deck, &link, Some(&name), &presenter);
        let written = std::fs::write(&output, format!("{project:#}\n"));
        written.map_err(|error| Failure::failed(format!("{}: {error}", output.display())))?;
        self.report(&deck, &name, &output, &pictures);
        Ok(())
    }

    fn read(&self, home: &Home, pictures: &Path) -> Result<Deck, Failure> {
        let sandbox = sandbox().map_err(Failure::failed)?;
        let mut want = Want::new(compere_speech::language_of);
        want.wish = Wish {
            layout: self.layout,
            side: self.side,
            quiet: self.quiet,
            background: self.background.clone().unwrap_or_default(),
            slides: self.slides.clone().unwrap_or_default(),
            hidden: self.hidden,
            notes: !self.no_notes,
            cues: !self.no_cues,
            editable: self.editable,
        };
        if self.quiet == Quiet::Written {
            want.scribe = Some(scribe(home)?);
        }
        if self.editable {
            want.editable = Some(Arc::new(Fonts::open(&font_dirs()).map_err(Failure::failed)?));
        }
        let fetcher = crate::worker::studio::fetcher(home).map_err(Failure::failed)?;
        want.fetch = Some(Fetch(Arc::new(move |link: &str| fetcher.fetch(link).map_err(|error| error.to_string()))));
        let bar = RefCell::new(Bar::new(self.json));
        let deck = compere_import::import(&self.file, &want, pictures, &sandbox, &|progress: Progress| {
            let message = match progress {
                Progress::Looking => "looking at the document".to_owned(),
                Progress::Converting => "LibreOffice is at work".to_owned(),
                Progress::Writing { done, of } => format!("words for slide {done} of {of} without notes"),
                Progress::Drawing { done, of } => format!("slide {done} of {of}"),
                Progress::Stepping { done, of } => format!("step {done} of {of}"),
                Progress::TakingApart { done, of } => format!("texts and pictures of slide {done} of {of}"),
            };
            if bar.borrow().show(progress.percent(), message) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        bar.borrow().done();
        deck.map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &ImportError) -> Failure {
        use ImportErrorKind::{Cancelled, TooLarge, Unreadable, WrongType};
        let what = format!("{}: {error}", self.file.display());
        match error.kind {
            Cancelled => Failure::Cancelled,
            WrongType | Unreadable | TooLarge => Failure::BadInput(what),
            ImportErrorKind::Unavailable | ImportErrorKind::Internal => Failure::Failed(what),
        }
    }

    fn presenter(&self, home: &Home) -> Result<Presenter, Failure> {
        let cast = compere_avatar::Cast::open(&home.assets);
        let house = House::of(&cast, &compere_speech::Voices::open(&home.assets, 1));
        let first = house.avatars().first().cloned().unwrap_or_default();
        let cloth = first.outfits.first().map(|outfit| outfit.id.clone()).unwrap_or_default();
        let plain = Presenter { model: first.id, cloth, voice: None };
        let named = [("presenter", &self.presenter), ("outfit", &self.outfit), ("voice", &self.voice)];
        let fields = named.into_iter().filter_map(|(key, id)| Some((key.to_owned(), id.clone()?))).collect();
        let (presenter, wrong) = Presenter::chosen(plain, &fields, &house);
        match wrong.first() {
            None => Ok(presenter),
            Some((field, message)) => {
                let list = if *field == "voice" { "compere voices" } else { "compere avatar list" };
                Err(Failure::BadInput(format!("--{field}: {message}; see {list}")))
            }
        }
    }

    fn report(&self, deck: &Deck, name: &str, output: &Path, pictures: &Path) {
        if self.json {
            let warnings: Vec<Value> =
                deck.warnings.iter().map(|w| json!({"slide": w.slide, "message": w.message})).collect();
            let report = json!({
                "project": output, "pictures": pictures, "name": name, "kind": deck.kind.name(),
                "orientation": deck.orientation.as_str(), "slides": deck.slides.len(), "warnings": warnings,
            });
            answer(&report.to_string());
            return;
        }
        deck.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
        let spoken = deck.slides.iter().filter(|slide| !slide.notes.is_empty()).count();
        answer(&format!("{}: {} scenes, {spoken} with notes", output.display(), deck.slides.len()));
    }
}

/// The language model of the settings.
fn scribe(home: &Home) -> Result<Scribe, Failure> {
    let settings = Settings::load(&home.data.join("compere.toml")).map_err(Failure::BadInput)?;
    let none = "--quiet written needs a language model: `[writer]` with `url` and `model` in compere.toml";
    let model = LanguageModel::of(&settings.writer).ok_or_else(|| Failure::BadInput(none.to_owned()))?;
    Ok(Scribe(Arc::new(move |instructions: &str, request: &str| model.answer(instructions, request))))
}

fn file_stem(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.trim_start_matches('.');
    if stem.is_empty() { "slides".to_owned() } else { stem.to_owned() }
}

/// The path of a picture as scenes name it: from the folder that the project lies in.
fn site_path(folder: &str, picture: &Path) -> String {
    let file = picture.file_name().unwrap_or_default().to_string_lossy();
    let mut path = String::from("/");
    for char in folder.chars().chain(std::iter::once('/')).chain(file.chars()) {
        match char {
            '%' | '?' | '#' | '\\' => path.push_str(&format!("%{:02X}", u32::from(char))),
            char => path.push(char),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_paths_that_are_found_again() {
        assert_eq!(site_path("a b%-slides", Path::new("/tmp/x/slide-001.png")), "/a b%25-slides/slide-001.png");
        assert_eq!(file_stem(Path::new("/x/.deck.pptx")), "deck");
    }
}
