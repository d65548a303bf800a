//! `compere assets`

use clap::Subcommand;
use serde_json::json;

use super::{Failure, answer, say};
use compere_house::backdrops;
use compere_house::home::Home;

#[derive(Debug, Subcommand)]
pub(crate) enum Assets {
    /// List the backgrounds that scenes can link to
    List {
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Paint all backgrounds now instead of when they are first used
    Make,
}

impl Assets {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let all = backdrops::all();
        match self {
            Self::List { json: true } => answer(&json!(all).to_string()),
            Self::List { json: false } => all.iter().for_each(|path| answer(path)),
            Self::Make => {
                for path in all {
                    say(&path);
                    backdrops::find(&home.assets, &path).map_err(Failure::failed)?;
                }
            }
        }
        Ok(())
    }
}
