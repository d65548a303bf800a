//! What workers may have of the service's own media, link by link.
//!
//! A worker knows neither what signs our links nor what opens the object store. Whoever gives it work looks at the links
//! in it and adds, for each whose signature is right, where it lies: the file, or a link of the store's own that is good
//! for that object and some hours. In the same way it fetches what other machines made, and keeps what ours make.

use std::collections::BTreeSet;
use std::time::Duration;

use compere_house::home::Home;
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_store::Objects;
use serde_json::Value;

use super::child::Mouth;
use super::depot::{Depot, Receipt};
use crate::worker::protocol::{Lies, Pass, ToWorker};

/// Longer than any film takes.
const VALID: Duration = Duration::from_secs(12 * 3600);

#[derive(Clone, Debug)]
pub struct Supply {
    links: Links,
    objects: Objects,
    depot: Option<Depot>,
}

impl Supply {
    pub fn new(links: Links, objects: Objects) -> Self {
        Self { links, objects, depot: None }
    }

    /// As the settings say: on one machine of many, what the others made can be had too.
    pub fn of_node(home: &Home, settings: &Settings, links: Links, objects: Objects) -> Self {
        let supply = Self::new(links, objects.clone());
        if settings.shares() { supply.with(Depot::open(home, objects)) } else { supply }
    }

    #[must_use]
    pub fn with(self, depot: Depot) -> Self {
        Self { depot: Some(depot), ..self }
    }

    /// Whether workers may ask for what others made.
    pub(super) fn shares(&self) -> bool {
        self.depot.is_some()
    }

    /// Fetches what a worker wants, if others made it, and tells the worker.
    pub(super) fn fetch(&self, id: u64, shelf: String, key: String, mouth: &Mouth) {
        let (depot, mouth) = (self.depot.clone(), mouth.clone());
        tokio::spawn(async move {
            let found = match depot {
                Some(depot) => depot.fetch(&shelf, &key).await,
                None => false,
            };
            // A worker that is dead wants nothing.
            let _ = mouth.tell(&ToWorker::Fetched { id, found }).await;
        });
    }

    /// Sends what a worker made to where others find it, some time.
    pub(super) fn keep(&self, shelf: &str, key: &str) -> Option<Receipt> {
        self.depot.as_ref().map(|depot| depot.keep(shelf, key))
    }

    /// What machines have in common that make the same bytes with this program; none where nothing is shared.
    pub(super) fn alike(&self, program: &str) -> Option<String> {
        self.depot.as_ref().map(|depot| depot.alike(program))
    }

    /// Where films are kept.
    pub(super) fn objects(&self) -> Objects {
        self.objects.clone()
    }

    /// For all links of ours anywhere in a document.
    pub(super) async fn of(&self, body: &Value) -> Result<Vec<Pass>, String> {
        let (mut paths, mut todo) = (BTreeSet::new(), vec![body]);
        while let Some(value) = todo.pop() {
            match value {
                Value::String(text) => paths.extend(self.links.own(text)),
                Value::Array(list) => todo.extend(list),
                Value::Object(map) => todo.extend(map.values()),
                _ => {}
            }
        }
        self.of_paths(paths.into_iter()).await
    }

    /// For one link.
    pub(super) async fn of_link(&self, link: &str) -> Result<Vec<Pass>, String> {
        self.of_paths(self.links.own(link).into_iter()).await
    }

    async fn of_paths(&self, paths: impl Iterator<Item = &str>) -> Result<Vec<Pass>, String> {
        let mut passes = Vec::new();
        for path in paths {
            let Some(key) = self.links.leads_to(path) else { continue };
            let lies = match self.objects.local(&key) {
                Some(file) => Some(Lies::Here(file)),
                None => self.objects.presigned(&key, VALID).await.map_err(|error| error.to_string())?.map(Lies::There),
            };
            passes.extend(lies.map(|lies| Pass { path: path.to_owned(), lies }));
        }
        Ok(passes)
    }
}
