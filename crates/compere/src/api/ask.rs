//! What the desk is asked on the way to an answer.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::error::ApiError;
use crate::serve::app::App;

/// Pictures of one request that are looked at; later ones count as unknown, which is a size too.
const MOST: usize = 100;
/// For all pictures of a request together.
const PATIENCE: Duration = Duration::from_secs(30);

/// The sizes of pictures that an older body links: its positions depend on them. What cannot be had is left out here
/// and said when the film is made.
pub async fn sizes(app: &App, body: &Value) -> HashMap<String, (u32, u32)> {
    let mut links: Vec<String> = Vec::new();
    for clip in body["scenes"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|scene| scene["clips"].as_array().into_iter().flatten())
    {
        if let Some(link) = clip["detail"]["url"].as_str().filter(|_| clip["type"] == "image")
            && !links.iter().any(|known| known == link)
        {
            links.push(link.to_owned());
        }
    }
    links.truncate(MOST);
    let ask = |link: String| async move {
        let size = tokio::time::timeout(PATIENCE, app.desk.size(&link)).await;
        Some((link, size.ok()?.ok()?))
    };
    join_all(links.into_iter().map(ask)).await.into_iter().flatten().collect()
}

/// What is wrong with linked files: found by fetching them.
pub async fn broken_links(app: &App, film: &Value) -> Result<Vec<Value>, ApiError> {
    let checked = app.desk.check(film.clone()).await?;
    let one = |flaw: &crate::crew::desk::Flaw| {
        let (_, code, name) = super::error::Kind::of_number(flaw.code).parts();
        json!({ "path": flaw.path, "msg": flaw.message, "code": code, "name": name })
    };
    Ok(checked.problems.iter().map(one).collect())
}

/// Where a presenter's picture is.
pub fn thumbnail(app: &App, model: &str, outfit: &str) -> String {
    let part = crate::serve::links::encoded;
    format!("{}/media/p/{}/{}.jpg", app.links.base(), part(model), part(outfit))
}
