//! A new secret for links, where the old one may be known to others.

use compere_house::home::Home;
use compere_house::links::Links;
use compere_house::settings::Settings;

use crate::Refusal;

/// Makes every link that was handed out void: downloads, and media for whoever has no project with them. Links in
/// projects are signed anew where they lead to what the project's account owns. Refused while a service runs, which
/// would go on with the old secret. Answers how many projects, revisions and exports were changed.
pub async fn renew_links(home: &Home, settings: &Settings) -> Result<u64, Refusal> {
    let store = settings.open_store(&home.data).await.map_err(Refusal::Inside)?;
    let _hold = store.hold("compere links renew").await?;
    let links = |secret: &str| Links::new(secret, settings.base_url(), settings.link_days);
    let secret = compere_store::hex(&compere_store::random_bytes::<32>());
    let old = store.setting_or("link_secret", &secret).await?;
    let (old, new) = (links(&old), links(&secret));
    let changed = store.renew_links(&secret, |text, owned| new.renewed(&old, text, |id| owned.contains(id))).await?;
    store.close().await;
    Ok(changed)
}
