//! What the commands on records share: opening the store of a data folder, whether or not a service runs on it.

use std::path::PathBuf;

use clap::Args;
use compere_store::{Account, Objects, Store, StoreError};

use super::Failure;
use crate::home::Home;
use crate::serve;
use crate::settings::Settings;

/// Which installation is meant.
#[derive(Debug, Args)]
pub(crate) struct Installation {
    /// Settings file; default: compere.toml in the data folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Installation {
    pub(crate) fn settings(&self, home: &Home) -> Result<Settings, Failure> {
        let file = self.config.clone().unwrap_or_else(|| home.data.join("compere.toml"));
        Settings::load(&file).map_err(Failure::BadInput)
    }

    /// Runs `work` on the installation's records.
    pub(crate) fn with<F>(&self, home: &Home, work: impl FnOnce(Store, Objects) -> F) -> Result<(), Failure>
    where
        F: Future<Output = Result<(), Failure>>,
    {
        let settings = self.settings(home)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::failed)?;
        runtime.block_on(async {
            let (store, objects) = serve::open(home, &settings).await.map_err(Failure::Failed)?;
            let done = work(store.clone(), objects).await;
            store.close().await;
            done
        })
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::failed(error)
    }
}

/// The account with this e-mail; the only one when none is named.
pub(crate) async fn account_of(store: &Store, email: Option<&str>) -> Result<Account, Failure> {
    let found = match email {
        Some(email) => store.account_by_email(email).await?,
        None => {
            let mut all = store.accounts().await?;
            if all.len() == 1 { all.pop() } else { None }
        }
    };
    found.ok_or_else(|| match email {
        Some(email) => Failure::BadInput(format!("there is no account {email}; `compere account list` shows them")),
        None => Failure::BadInput("say whose: --account E-MAIL; `compere account list` shows them".to_owned()),
    })
}

/// `2026-11-21 09:30`, in UTC.
pub(crate) fn when(millis: i64) -> String {
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000) / 60_000);
    // Civil date from days, counted in eras of 400 years that begin in March.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let yearday = day - (365 * year + year / 4 - year / 100);
    let month = (5 * yearday + 2) / 153;
    let date = yearday - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (era * 400 + year, month + 3) } else { (era * 400 + year + 1, month - 9) };
    format!("{year:04}-{month:02}-{date:02} {:02}:{:02}", rest / 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::when;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(when(0), "1970-01-01 00:00");
        assert_eq!(when(1_709_164_800_000 + 34_200_000), "2024-02-29 09:30");
        assert_eq!(when(1_767_225_599_999), "2025-12-31 23:59");
    }
}
