//! What every request handler can reach.

use std::sync::Arc;

use compere_avatar::Cast;
use compere_jobs::Engine;
use compere_speech::Voices;
use compere_store::{Objects, Store};

use crate::assets::AddressRules;
use crate::catalogue::House;
use crate::crew::Desk;
use crate::home::Home;
use crate::serve::links::Links;
use crate::settings::Settings;

/// The running service. Handlers get it as `State<Arc<App>>`.
#[derive(Debug)]
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
    /// Turns true when the service stops: streams end then.
    pub stopping: tokio::sync::watch::Receiver<bool>,
}
