//! `compere migrate`

use clap::Args;

use super::records::{Installation, runtime};
use super::{Failure, answer};
use compere_house::home::Home;
use compere_house::settings::Settings;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  compere migrate --to postgres://compere:…@db.internal/compere --to-objects s3://films
  compere --data /srv/one migrate --to sqlite:/srv/two/compere.db --to-objects /srv/two/objects

Stop the service first: nothing is read of what others are changing. The target has to be empty. A copy that was cut off
goes on when the same command is given again. What is copied stays where it was.")]
pub(crate) struct Migrate {
    #[command(flatten)]
    installation: Installation,
    /// The database that is to have the records: postgres://… or sqlite:FILE
    #[arg(long, env = "COMPERE_TO", hide_env_values = true, value_name = "DATABASE")]
    to: String,
    /// What is to have the files: s3://BUCKET, with AWS_… variables, or a folder
    #[arg(long, env = "COMPERE_TO_OBJECTS", value_name = "PLACE")]
    to_objects: String,
}

impl Migrate {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let settings = self.installation.settings(home)?;
        let there = |place: &str| place.starts_with("postgres") || place.starts_with("sqlite:");
        if !there(&self.to) {
            return Err(Failure::BadInput("--to is neither postgres://… nor sqlite:FILE".to_owned()));
        }
        let to =
            Settings { database: Some(self.to.clone()), objects: Some(self.to_objects.clone()), ..settings.clone() };
        let copied = runtime()?.block_on(compere_office::migrate(home, &settings, &to))?;
        let before = if copied.there > 0 { format!(", {} of them there before", copied.there) } else { String::new() };
        answer(&format!(
            "{} records and {} files ({} bytes{before}) are the same there",
            copied.records, copied.files, copied.bytes
        ));
        Ok(())
    }
}
