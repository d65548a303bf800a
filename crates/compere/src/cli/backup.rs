//! `compere backup` and `compere restore`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::records::{Installation, runtime};
use super::{Failure, answer};
use compere_house::home::Home;

#[derive(Debug, Args)]
#[command(
    after_help = "Works while the service runs. Records are taken first, then files: a file that a record names is
in the backup, unless it was deleted meanwhile."
)]
pub(crate) struct Backup {
    #[command(flatten)]
    installation: Installation,
    /// Where the backup goes; must not exist yet
    folder: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The installation must be empty: give a new data folder with --data, or a new database and bucket in
the settings. A backup of SQLite can be restored into PostgreSQL and the other way round."
)]
pub(crate) struct Restore {
    #[command(flatten)]
    installation: Installation,
    /// A folder that `compere backup` made
    folder: PathBuf,
}

const FORM: u64 = 1;

impl Backup {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        if self.folder.exists() {
            return Err(Failure::BadInput(format!("{} exists already", self.folder.display())));
        }
        // Whoever sees the folder under its name sees a whole backup.
        let beside = self.folder.with_extension("part");
        std::fs::remove_dir_all(&beside).or_else(absent_is_fine).map_err(Failure::failed)?;
        let settings = self.installation.settings(home)?;
        let (records, files) = runtime()?.block_on(compere_office::back_up(home, &settings, &beside))?;
        let about = json!({"form": FORM, "version": env!("CARGO_PKG_VERSION"), "records": records, "files": files});
        std::fs::write(beside.join("backup.json"), about.to_string()).map_err(Failure::failed)?;
        std::fs::rename(&beside, &self.folder).map_err(Failure::failed)?;
        answer(&format!("{}: {records} records, {files} files", self.folder.display()));
        Ok(())
    }
}

impl Restore {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let about = std::fs::read(self.folder.join("backup.json"))
            .map_err(|error| Failure::BadInput(format!("{} is not a backup: {error}", self.folder.display())))?;
        let about: Value = serde_json::from_slice(&about).map_err(Failure::failed)?;
        if about["form"] != FORM {
            return Err(Failure::BadInput(format!(
                "the backup is of form {}, this program reads {FORM}",
                about["form"]
            )));
        }
        let settings = self.installation.settings(home)?;
        let (records, files) = runtime()?.block_on(compere_office::restore(home, &settings, &self.folder))?;
        answer(&format!("restored {records} records, {files} files"));
        Ok(())
    }
}

fn absent_is_fine(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
