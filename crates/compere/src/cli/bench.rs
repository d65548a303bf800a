//! `compere bench`

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{Failure, answer, say};
use crate::bench::{self, Machine, Row};
use crate::worker::studio::LocalStudio;
use compere_house::home::Home;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  compere bench                 everything, in a few minutes
  compere bench pictures        frames per second of drawing and encoding, and a ratio to ffmpeg
  compere bench size            bytes of seven kinds of film, and a ratio to libx264 at equal quality
  compere bench film --json     memory and the price of an edit, as JSON
  compere bench warm            how soon a warm service shows and makes films that are new, edited or known
  compere bench import          seconds that a PDF of 100 pages and a PPTX of 30 slides take to import
  compere bench preview         seconds until somebody who edits sees a text changed, or another presenter
  compere bench avatar          seconds to bake a presenter, milliseconds a frame of it takes
  compere bench speech          seconds that a second of speech takes, by voice
  compere bench own --presenter sofia   a presenter of simulated footage against its true film, in some minutes
  compere bench api             how soon a service answers 200 clients while it makes films, for a minute

Figures are medians of several runs; ratios are taken within one run and hold on a busy machine.")]
pub(crate) struct Bench {
    #[arg(value_enum, default_value = "all")]
    what: What,
    /// Runs of each measurement
    #[arg(long, default_value_t = 5, value_name = "N")]
    runs: usize,
    /// Whom `avatar` measures, one's own too; a lit and a drawn presenter unless someone is named
    #[arg(long)]
    presenter: Option<String>,
    /// How long `api` lasts
    #[arg(long, default_value_t = 60, value_name = "N")]
    seconds: u64,
    /// Clients of `api`; each asks about once a second
    #[arg(long, default_value_t = 200, value_name = "N")]
    clients: usize,
    /// Whom `size` is compared with: presets of libx264
    #[arg(long, default_value = "veryfast", value_delimiter = ',', value_name = "PRESET")]
    presets: Vec<String>,
    /// Of `size`, only the kinds whose name contains this
    #[arg(long, value_name = "WORDS")]
    kind: Option<String>,
    /// Where `own` keeps its footage and films between runs, and `size` what was drawn: a kept film is not drawn anew
    #[arg(long, value_name = "DIR")]
    keep: Option<std::path::PathBuf>,
    /// Fail when a figure misses its target
    #[arg(long)]
    strict: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    All,
    /// Drawing and encoding
    Pictures,
    /// How large films are
    Size,
    /// Whole films
    Film,
    /// Films by a service that is warm
    Warm,
    /// Frames for somebody who edits
    Preview,
    /// Baking and performing a presenter
    Avatar,
    /// Speaking
    Speech,
    /// Slides
    Import,
    /// The service under many clients
    Api,
    /// A presenter of simulated footage against its true film; only when it is named
    Own,
}

impl Bench {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let machine = Machine::now();
        say(&machine.to_string());
        let mut show = |row: &Row| {
            if !self.json {
                answer(&row.to_string());
            }
        };
        let mut rows = Vec::new();
        let asked = |what: What| self.what == What::All || self.what == what;
        if asked(What::Pictures) {
            let studio = LocalStudio::open(home, Some(1), true).map_err(Failure::failed)?;
            let shop = compere_render::Studio::workshop(&studio);
            let figures = bench::pictures(&shop.fonts, &shop.sandbox, self.runs, &mut show);
            rows.extend(figures.map_err(Failure::failed)?);
        }
        if asked(What::Size) {
            let studio = |scene: &std::path::Path| Ok(LocalStudio::open(home, None, true)?.beside(scene));
            let wanted =
                bench::Sizes { presets: &self.presets, only: self.kind.as_deref(), keep: self.keep.as_deref() };
            let figures = bench::sizes(&studio, &wanted, &mut show);
            rows.extend(figures.map_err(Failure::failed)?);
        }
        if asked(What::Preview) {
            let exe = std::env::current_exe().map_err(Failure::failed)?;
            rows.extend(bench::previews(&exe, &home.assets, self.runs, &mut show).map_err(Failure::failed)?);
        }
        if asked(What::Avatar) {
            let studio = LocalStudio::open(home, None, false).map_err(Failure::failed)?.with_own_presenters(home);
            let cast = &compere_render::Studio::workshop(&studio).cast;
            rows.extend(
                bench::avatars(cast, self.presenter.as_deref(), self.runs, &mut show).map_err(Failure::failed)?,
            );
        }
        if asked(What::Speech) {
            rows.extend(bench::voices(&home.assets, self.runs, &mut show).map_err(Failure::failed)?);
        }
        if asked(What::Import) {
            let exe = std::env::current_exe().map_err(Failure::failed)?;
            rows.extend(bench::imports(&exe, &home.assets, self.runs, &mut show).map_err(Failure::failed)?);
        }
        if asked(What::Film) {
            let exe = std::env::current_exe().map_err(Failure::failed)?;
            rows.extend(bench::film(&exe, &home.assets, self.runs, &mut show).map_err(Failure::failed)?);
        }
        if asked(What::Warm) {
            let exe = std::env::current_exe().map_err(Failure::failed)?;
            rows.extend(bench::warm(&exe, &home.assets, self.runs, &mut show).map_err(Failure::failed)?);
        }
        if asked(What::Api) {
            let exe = std::env::current_exe().map_err(Failure::failed)?;
            let load = bench::Load { clients: self.clients, seconds: self.seconds };
            rows.extend(bench::api(&exe, &home.assets, &load, &mut show).map_err(Failure::failed)?);
        }
        if self.what == What::Own {
            let person = self.presenter.as_deref().unwrap_or("david");
            rows.extend(bench::own(home, person, self.keep.as_deref(), &mut show).map_err(Failure::failed)?);
        }
        if self.json {
            let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
            let machine = json!({"processor": machine.processor, "cores": machine.cores, "load": machine.load});
            answer(&json!({"machine": machine, "runs": self.runs, "figures": rows}).to_string());
        }
        match bench::missed(&rows) {
            Some(missed) if self.strict => Err(Failure::failed(format!("below the targets: {missed}"))),
            _ => Ok(()),
        }
    }
}
