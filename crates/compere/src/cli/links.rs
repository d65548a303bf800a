//! `compere links`

use clap::{Args, Subcommand};

use super::records::{Installation, runtime};
use super::{Failure, answer};
use compere_house::home::Home;

#[derive(Debug, Subcommand)]
pub(crate) enum Links {
    /// Make all links that were handed out void, when others may be able to forge them
    Renew(Renew),
}

#[derive(Debug, Args)]
#[command(
    after_help = "The service has to be stopped. Films, files and projects stay; who needs a link asks for a new one."
)]
pub(crate) struct Renew {
    #[command(flatten)]
    installation: Installation,
}

impl Links {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let Self::Renew(renew) = self;
        let settings = renew.installation.settings(home)?;
        let changed = runtime()?.block_on(compere_office::renew_links(home, &settings))?;
        answer(&format!(
            "Links have a new secret. Every link that was handed out is void; {changed} stored texts have new ones."
        ));
        Ok(())
    }
}
