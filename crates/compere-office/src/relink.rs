//! The secret of links, and a new one where the old may be known to others.

use compere_house::home::Home;
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_store::{Store, hex, random_bytes};

use crate::Refusal;

/// What signs links, as the settings want them. Made at the first start, and kept with the records.
pub async fn links(store: &Store, settings: &Settings) -> Result<Links, Refusal> {
    Ok(of(settings, &store.setting_or("link_secret", &fresh()).await?))
}

fn fresh() -> String {
    hex(&random_bytes::<32>())
}

fn of(settings: &Settings, secret: &str) -> Links {
    Links::new(secret, settings.base_url(), settings.link_days)
}

/// Makes every link that was handed out void: downloads, and media for whoever has no project with them. Links in
/// projects are signed anew where they lead to what the project's account owns. Refused while a service runs, which
/// would go on with the old secret. Answers how many projects, revisions and exports were changed.
pub async fn renew_links(home: &Home, settings: &Settings) -> Result<u64, Refusal> {
    let store = settings.open_store(&home.data).await.map_err(Refusal::Inside)?;
    let _hold = store.hold("compere links renew").await?;
    let (old, secret) = (links(&store, settings).await?, fresh());
    let new = of(settings, &secret);
    let changed = store.renew_links(&secret, |text, owned| new.renewed(&old, text, |id| owned.contains(id))).await?;
    store.close().await;
    Ok(changed)
}
