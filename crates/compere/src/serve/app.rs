//! What every request handler can reach.

use std::sync::Arc;

use compere_avatar::Cast;
use compere_jobs::Engine;
use compere_speech::Voices;
use compere_store::{Objects, Store};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::api::gate::Gate;
use crate::assets::AddressRules;
use crate::catalogue::House;
use crate::crew::Desk;
use crate::home::Home;
use crate::serve::links::Links;
use crate::settings::Settings;

/// The running service. Handlers get it as `State<Arc<App>>`.
pub struct App {
    pub home: Home,
    pub settings: Settings,
    pub store: Store,
    pub objects: Objects,
    pub engine: Engine,
    /// Answers what cannot wait for an export: still frames, speech, checks.
    pub desk: Desk,
    pub links: Links,
    pub cast: Cast,
    pub voices: Voices,
    /// Who can present and speak, as the scene language asks for it.
    pub house: House,
    pub rules: Arc<AddressRules>,
    /// How often whom is let in.
    pub gate: Gate,
    /// Writes down the numbers for Prometheus.
    pub numbers: PrometheusHandle,
    /// Turns true when the service stops: streams end then.
    pub stopping: tokio::sync::watch::Receiver<bool>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("home", &self.home).finish_non_exhaustive()
    }
}
