//! What the command line can ask for.
//!
//! Exit codes: 0 done, 1 it failed, 2 the command was not understood, 3 the file given is not right, 130 cancelled.
//! With `--json`, standard output carries one JSON document and nothing else; progress goes to standard error.

mod account;
mod assets;
mod avatar;
mod backup;
mod bench;
mod design;
mod doctor;
mod import;
mod key;
mod links;
mod migrate;
mod own;
mod records;
mod render;
mod say;
mod serve;
mod watch;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use compere_house::home::Home;

pub(crate) use crate::tell::{answer, say};

/// Films with a presenter, from JSON.
#[derive(Debug, Parser)]
#[command(name = "compere", version, arg_required_else_help = true, propagate_version = true)]
#[command(after_help = "Examples:\n  compere render examples/welcome.json -o welcome.mp4\n  compere doctor")]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
struct Common {
    /// Folder of voices, presenters and backgrounds
    #[arg(long, global = true, env = "COMPERE_ASSETS", value_name = "DIR")]
    assets: Option<PathBuf>,
    /// Folder of projects, films and the cache
    #[arg(long, global = true, env = "COMPERE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service
    Serve(serve::Serve),
    /// Issue, list and revoke key pairs
    #[command(subcommand)]
    Key(key::Key),
    /// Manage accounts
    #[command(subcommand)]
    Account(account::AccountCommand),
    /// Manage the links that are handed out
    #[command(subcommand)]
    Links(links::Links),
    /// Copy all records and files into a folder, while the service runs
    Backup(backup::Backup),
    /// Fill an empty installation from a backup
    Restore(backup::Restore),
    /// Copy all records and files into another database and another store
    Migrate(migrate::Migrate),
    /// Make a film of a scene file
    Render(render::Render),
    /// Make a project of a PDF, PPT, PPTX or ODP
    Import(import::Import),
    /// Speak a text into a WAV file
    Say(say::Say),
    /// List the voices
    Voices(say::ListVoices),
    /// See the presenters
    #[command(subcommand)]
    Avatar(avatar::Avatar),
    /// Measure this machine
    Bench(bench::Bench),
    /// Look whether this machine has everything a film needs
    Doctor(doctor::Doctor),
    /// Make films for services on other machines
    Worker(worker::Worker),
    /// Make the pictures that come with the product
    #[command(subcommand)]
    Assets(assets::Assets),
}

impl Command {
    /// What it writes is nobody else's. Films that are made for whoever calls are as their umask says.
    fn keeps_records(&self) -> bool {
        matches!(
            self,
            Self::Serve(_)
                | Self::Key(_)
                | Self::Account(_)
                | Self::Links(_)
                | Self::Backup(_)
                | Self::Restore(_)
                | Self::Migrate(_)
                | Self::Worker(_)
                | Self::Avatar(avatar::Avatar::Add(_) | avatar::Avatar::Approve(_) | avatar::Avatar::Remove(_))
        )
    }
}

/// How a command ended, when it did not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It could not be done.
    Failed(String),
    /// The file given is not right; the sentence says where.
    BadInput(String),
    Cancelled,
}

impl Failure {
    pub(crate) fn failed(what: impl std::fmt::Display) -> Self {
        Self::Failed(what.to_string())
    }

    fn tell(&self) {
        match self {
            Self::Failed(what) | Self::BadInput(what) => say(&format!("error: {what}")),
            Self::Cancelled => say("cancelled; nothing was left behind"),
        }
    }

    fn code(&self) -> ExitCode {
        match self {
            Self::Failed(_) => ExitCode::from(1),
            Self::BadInput(_) => ExitCode::from(3),
            Self::Cancelled => ExitCode::from(130),
        }
    }
}

pub fn run() -> ExitCode {
    // Inside the sandbox we are a decoder and nothing else.
    let hidden = || std::env::args_os().skip(1);
    if let Some(code) = compere_codec::helper_main(hidden())
        .or_else(|| compere_import::helper_main(hidden()))
        .or_else(|| compere_own::helper_main(hidden()))
    {
        return code;
    }
    // Slower, and the same films to the byte: for whoever doubts that.
    if std::env::var_os("COMPERE_KERNELS").is_some_and(|paths| paths == "scalar") {
        compere_media::kernel::use_scalar_only();
    }
    let cli = Cli::parse();
    let home = Home::find(cli.common.assets, cli.common.data);
    if cli.command.keeps_records() {
        compere_house::privacy::make_private();
    }
    let result = match cli.command {
        Command::Serve(command) => command.run(&home),
        Command::Key(command) => command.run(&home),
        Command::Account(command) => command.run(&home),
        Command::Links(command) => command.run(&home),
        Command::Backup(command) => command.run(&home),
        Command::Restore(command) => command.run(&home),
        Command::Migrate(command) => command.run(&home),
        Command::Render(command) => command.run(&home),
        Command::Import(command) => command.run(&home),
        Command::Say(command) => command.run(&home),
        Command::Voices(command) => {
            command.run(&home);
            Ok(())
        }
        Command::Avatar(command) => command.run(&home),
        Command::Bench(command) => command.run(&home),
        Command::Doctor(command) => return command.run(&home),
        Command::Worker(command) => return command.run(&home),
        Command::Assets(command) => command.run(&home),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = failure.code();
            failure.tell();
            code
        }
    }
}
