//! `compere serve`

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use super::{Failure, answer};
use crate::serve;
use compere_house::home::Home;
use compere_house::settings::Settings;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  compere serve
  compere serve --listen 0.0.0.0:7300
  COMPERE_LISTEN=0.0.0.0:80 COMPERE_PUBLIC_URL=https://video.example.com compere serve")]
pub(crate) struct Serve {
    /// Settings file; default: compere.toml in the data folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where to listen, such as 0.0.0.0:7300; default: as the settings say
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<std::net::SocketAddr>,
    #[command(flatten)]
    records: Records,
    /// With an engine, what this node takes up itself, of `exports` and `render`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "exports,render")]
    queues: Vec<String>,
}

/// Where records and files are, and who says which machine makes what.
#[derive(Debug, Args)]
pub(super) struct Records {
    /// `temporal://HOST:PORT/NAMESPACE`; default: as the settings say, or this machine alone
    #[arg(long, value_name = "ADDRESS")]
    engine: Option<String>,
    /// `sqlite:PATH` or `postgres://…`; default: as the settings say. A password is safer in COMPERE_DATABASE
    #[arg(long, value_name = "ADDRESS")]
    database: Option<String>,
    /// A folder, or `s3://BUCKET`; default: as the settings say
    #[arg(long, value_name = "PLACE")]
    objects: Option<String>,
}

impl Records {
    /// The settings, with what was said here.
    pub(super) fn settings(&self, home: &Home, config: Option<&std::path::Path>) -> Result<Settings, Failure> {
        let file = config.map_or_else(|| home.data.join("compere.toml"), PathBuf::from);
        let mut settings = Settings::load(&file).map_err(Failure::BadInput)?;
        for (said, setting) in [
            (&self.engine, &mut settings.engine),
            (&self.database, &mut settings.database),
            (&self.objects, &mut settings.objects),
        ] {
            if let Some(said) = said {
                *setting = Some(said.clone());
            }
        }
        Ok(settings)
    }
}

/// What the system's allocator has to be told before a program starts: large buffers go back to the system when they are
/// free, whatever was large before, and threads share two arenas.
const FRUGAL: [(&str, &str); 3] =
    [("MALLOC_MMAP_THRESHOLD_", "262144"), ("MALLOC_TRIM_THRESHOLD_", "1048576"), ("MALLOC_ARENA_MAX", "2")];

/// Becomes the same program once more, with an allocator that gives memory back: two dozen decks of 11 MB at once left the
/// service at four times of what it has otherwise. Workers, who draw films, keep the quicker one: they inherit nothing.
pub(super) fn become_frugal() {
    if std::env::var_os(FRUGAL[0].0).is_some() {
        return;
    }
    // When it cannot, the service merely stays large.
    let Ok(program) = std::env::current_exe() else { return };
    let _error = Command::new(program).args(std::env::args_os().skip(1)).envs(FRUGAL).exec();
}

pub(super) fn begin_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("COMPERE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
    // A log that nobody reads any more is no reason to stop answering: what it would say of itself has nowhere to go.
    let log = tracing_subscriber::fmt().log_internal_errors(false).with_env_filter(filter);
    log.with_ansi(colours).with_writer(std::io::stderr).init();
}

impl Serve {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        become_frugal();
        let mut settings = self.records.settings(home, self.config.as_deref())?;
        settings.listen = self.listen.unwrap_or(settings.listen);
        begin_log();
        let runtime = tokio::runtime::Runtime::new().map_err(Failure::failed)?;
        let film = settings.welcome;
        let ready = |address: &str, first| greet(address, first, film);
        let served = runtime.block_on(serve::serve(home.clone(), settings, &self.queues, ready, welcome));
        // A receiver that hangs must not hold the end up.
        runtime.shutdown_background();
        served.map_err(Failure::Failed)
    }
}

fn greet(address: &str, first: Option<compere_office::First>, film: bool) {
    answer(&format!("Compere is at {address}"));
    if let Some(first) = first {
        answer(&format!(
            "\nThis is shown once:\n  sign in      {}\n  password     {}\n  appId        {}\n  userKey      {}\n",
            first.email, first.password, first.app_id, first.user_key
        ));
        if film {
            answer("Making the welcome film…");
        }
    }
}

fn welcome(film: Result<String, String>) {
    match film {
        Ok(link) => answer(&format!("The welcome film is ready: {link}")),
        Err(reason) => answer(&format!("The welcome film could not be made: {reason}\n`compere doctor` may know why.")),
    }
}
