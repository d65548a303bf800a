//! `compere backup` and `compere restore`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::records::Installation;
use super::{Failure, answer};
use crate::home::Home;

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
        self.installation.with(home, async |store, objects| {
            let records = store.dump(&beside.join("records")).await?;
            let files = objects.copy_to(&beside.join("objects")).await?;
            let about = json!({"form": FORM, "version": env!("CARGO_PKG_VERSION"), "records": records, "files": files});
            std::fs::write(beside.join("backup.json"), about.to_string()).map_err(Failure::failed)?;
            std::fs::rename(&beside, &self.folder).map_err(Failure::failed)?;
            answer(&format!("{}: {records} records, {files} files", self.folder.display()));
            Ok(())
        })
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
        self.installation.with(home, async |store, objects| {
            // Files first: they are found by nobody until the records name them.
            let files = put_all(&objects, &self.folder.join("objects")).await?;
            let records = store.restore(&self.folder.join("records")).await?;
            answer(&format!("restored {records} records, {files} files"));
            Ok(())
        })
    }
}

async fn put_all(objects: &compere_store::Objects, from: &Path) -> Result<u64, Failure> {
    let (mut count, mut folders) = (0, vec![from.to_owned()]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.map_err(Failure::failed)?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(from).map_err(Failure::failed)?.to_string_lossy().into_owned();
            objects.put_back(&name, &path).await?;
            count += 1;
        }
    }
    Ok(count)
}

fn absent_is_fine(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
