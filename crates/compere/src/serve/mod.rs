//! `compere serve`: the whole service in one process, with workers as its children.

pub mod app;
pub mod first;
pub mod herald;
pub mod housekeeping;
pub mod links;
pub mod listen;
pub mod lock;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use compere_avatar::Cast;
use compere_jobs::{Engine, EngineSettings, Parts};
use compere_speech::Voices;
use compere_store::{Objects, Store, SystemClock};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::api::gate::Gate;
use crate::assets::AddressRules;
use crate::catalogue::House;
use crate::crew::{Desk, LocalCrew, Postman};
use crate::home::Home;
use crate::settings::Settings;
use crate::worker::protocol::Hello;
use app::App;
use herald::Announcer;
use links::Links;
use lock::Lock;

/// Opens everything, serves until asked to stop, and leaves nothing half done.
pub async fn serve(
    home: Home,
    settings: Settings,
    ready: impl FnOnce(&str, Option<first::First>),
    told: fn(Result<String, String>),
) -> Result<(), String> {
    let mut lock = Lock::take(&home.data)?;
    let (stop, stopping) = watch::channel(false);
    // From here on a signal is a wish, not an end: whoever asks during the start is heard as well.
    let asked = asked_to_stop()?;
    tokio::spawn(async move {
        asked.await;
        tracing::info!("stopping");
        stop.send_replace(true);
    });
    let (store, objects) = open(&home, &settings).await?;
    let rules = Arc::new(AddressRules::allowing(&settings.allow).map_err(|error| format!("allow: {error}"))?);
    let listener = TcpListener::bind(settings.listen).await.map_err(|error| format!("{}: {error}", settings.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    // A port of 0 was a wish for any: links name the one we got.
    let settings = Settings { listen: address, ..settings };
    let secret = compere_store::hex(&compere_store::random_bytes::<32>());
    let secret = store.setting_or("link_secret", &secret).await.map_err(|error| error.to_string())?;
    let links = Links::new(&secret, settings.base_url(), settings.link_days);
    let hello = Hello {
        assets: home.assets.clone(),
        data: home.data.clone(),
        settings: settings.clone(),
        base_url: settings.base_url(),
        link_secret: secret.clone(),
        films: false,
    };
    let desk = Desk::open(hello.clone())?;
    let engine = Engine::start(Parts {
        store: store.clone(),
        objects: objects.clone(),
        crew: Arc::new(LocalCrew::new(&home, &settings, hello)?),
        herald: Arc::new(Announcer { links: links.clone(), store: store.clone() }),
        sender: Arc::new(Postman::new(Arc::clone(&rules))),
        settings: EngineSettings::default(),
    })
    .await
    .map_err(|error| error.to_string())?;
    let first = first::first_run(&store).await?;
    let (cast, voices) = (Cast::open(&home.assets), Voices::open(&home.assets, 1));
    let house = House::of(&cast, &voices).renamed(settings.aliases.clone(), settings.fallback_model.clone());
    store.forget_unanswered().await.map_err(|error| error.to_string())?;
    tokio::spawn(housekeeping::keep_house(store.clone(), objects.clone(), settings.keep_exports, stopping.clone()));
    let (gate, numbers) = (Gate::default(), numbers()?);
    tokio::spawn(count_up(numbers.clone()));
    let app = Arc::new(App {
        home,
        settings,
        store,
        objects,
        engine,
        desk,
        links,
        cast,
        voices,
        house,
        rules,
        gate,
        numbers,
        stopping,
    });
    crate::api::health::watch_exports(&app);
    lock.tell(&app.settings.base_url());
    let account = first.as_ref().map(|first| first.account.clone());
    ready(&app.settings.base_url(), first);
    if let Some(account) = account.filter(|_| app.settings.welcome) {
        let app = Arc::clone(&app);
        tokio::spawn(async move { told(first::welcome(&app.store, &app.engine, &app.links, &account).await) });
    }
    listen::serve(listener, router(&app), app.stopping.clone()).await;
    app.engine.stop().await;
    app.store.close().await;
    Ok(())
}

pub async fn open(home: &Home, settings: &Settings) -> Result<(Store, Objects), String> {
    let url = settings.database_url(&home.data);
    let store = Store::open(&url, settings.all_plans(), Arc::new(SystemClock)).await;
    let store = store.map_err(|error| format!("the database {url}: {error}"))?;
    Ok((store, objects(home, settings)?))
}

pub fn objects(home: &Home, settings: &Settings) -> Result<Objects, String> {
    let objects = match settings.objects_at(&home.data) {
        Ok(dir) => Objects::folder(&dir),
        Err(url) => Objects::s3(&url),
    };
    objects.map_err(|error| format!("the object store: {error}"))
}

pub fn router(app: &Arc<App>) -> Router {
    let routes = Router::new().merge(crate::api::router()).merge(crate::web::router(app));
    crate::api::around(routes.with_state(Arc::clone(app)), app)
}

/// Numbers for Prometheus, of the whole process. A second service in it, as tests have, shares them.
fn numbers() -> Result<PrometheusHandle, String> {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    if let Some(handle) = HANDLE.get() {
        return Ok(handle.clone());
    }
    let seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
    let builder = PrometheusBuilder::new().set_buckets(&seconds).map_err(|error| error.to_string())?;
    let handle = builder.install_recorder().map_err(|error| error.to_string())?;
    Ok(HANDLE.get_or_init(|| handle).clone())
}

/// What was measured is kept one by one until it is counted; where nobody asks for the numbers, nobody else does.
async fn count_up(numbers: PrometheusHandle) {
    loop {
        tokio::time::sleep(Duration::from_secs(5)).await;
        numbers.run_upkeep();
    }
}

fn asked_to_stop() -> Result<impl Future<Output = ()>, String> {
    let mut terminated = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let mut interrupted = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}
