//! What the commands on records share: opening the store of a data folder, whether or not a service runs on it.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use compere_office::{Member, Refusal, Register};
use compere_store::Civil;

use super::Failure;
use crate::serve::lock::Lock;
use compere_house::home::Home;
use compere_house::settings::Settings;

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
        let mut settings = Settings::load(&file).map_err(Failure::BadInput)?;
        // A service that runs may have been told another address than the settings say.
        settings.public_url = settings.public_url.or_else(|| Lock::address(&home.data));
        Ok(settings)
    }

    /// Does something with those who are known to the installation.
    pub(crate) fn with<F>(&self, home: &Home, work: impl FnOnce(Arc<Register>) -> F) -> Result<(), Failure>
    where
        F: Future<Output = Result<(), Failure>>,
    {
        let settings = self.settings(home)?;
        runtime()?.block_on(async {
            let register = Arc::new(Register::open(home, &settings).await.map_err(Failure::Failed)?);
            let done = work(Arc::clone(&register)).await;
            register.close().await;
            done
        })
    }
}

pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::failed)
}

/// What was asked for is the asker's business; that it could not be done is ours.
impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Inside(why) | Refusal::Away(why) => Self::Failed(why),
            other => Self::BadInput(other.to_string()),
        }
    }
}

/// The account of an e-mail address; where there is only one, it need not be named.
pub(crate) async fn account_of(register: &Register, email: Option<&str>) -> Result<Member, Failure> {
    let found = match email {
        Some(email) => register.account_by_email(email).await?,
        None => {
            let mut all = register.accounts().await?;
            if all.len() == 1 { all.pop() } else { None }
        }
    };
    found.map(Member::of).ok_or_else(|| match email {
        Some(email) => Failure::BadInput(format!("there is no account {email}; `compere account list` shows them")),
        None => Failure::BadInput("say whose: --account E-MAIL; `compere account list` shows them".to_owned()),
    })
}

/// `2026-11-21 09:30`, in UTC.
pub(crate) fn when(millis: i64) -> String {
    let civil = Civil::of(millis);
    format!("{} {}", civil.date(), civil.time())
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
