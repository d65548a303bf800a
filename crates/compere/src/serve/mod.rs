//! `compere serve`: the whole service in one process, with workers as its children; or one node of many.

mod heads;
pub mod herald;
pub mod listen;
pub mod lock;
mod maker;
mod nodes;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use axum::{Extension, Router};
use compere_jobs::Parts;
use compere_office::{Bell, First, Office, Refusal};
use compere_store::Hold;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::crew::{Desk, LocalCrew, LocalWorkbench, Postman, Supply};
use crate::worker::protocol::Hello;
use compere_house::assets::AddressRules;
use compere_house::home::Home;
use compere_house::privacy;
use compere_house::settings::Settings;
use herald::Announcer;
use lock::Lock;
pub use maker::{Slots, work};
use nodes::Part;

/// Opens everything, serves until asked to stop, and leaves nothing half done.
pub async fn serve(
    home: Home,
    settings: Settings,
    queues: &[String],
    ready: impl FnOnce(&str, Option<First>),
    told: fn(Result<String, String>),
) -> Result<(), String> {
    let part = Part::of(&settings, queues, true)?;
    shut(&home, &settings)?;
    let mut lock = Lock::take(&home.data)?;
    let (stop, stopping) = watch::channel(false);
    // From here on a signal is a wish, not an end: whoever asks during the start is heard as well.
    let asked = asked_to_stop()?;
    tokio::spawn(async move {
        asked.await;
        tracing::info!("stopping");
        stop.send_replace(true);
    });
    let (store, objects) = (settings.open_store(&home.data).await?, settings.open_objects(&home.data)?);
    // Before anything is taken up again: what runs may be somebody else's.
    let mut hold = part.hold(&store).await?;
    let rules = Arc::new(AddressRules::allowing(&settings.allow).map_err(|error| format!("allow: {error}"))?);
    let listener = TcpListener::bind(settings.listen).await.map_err(|error| format!("{}: {error}", settings.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    // A port of 0 was a wish for any: links name the one we got.
    let settings = Settings { listen: address, ..settings };
    let links = compere_office::links(&store, &settings).await.map_err(|refusal| refusal.to_string())?;
    let hello = hello(&home, &settings);
    let supply = Supply::of_node(&home, &settings, links.clone(), objects.clone());
    let desk = Desk::open(hello.clone(), supply.clone())?;
    let back_office = Desk::open_behind(hello.clone(), supply.clone())?;
    let workbench = LocalWorkbench::new(hello.clone())?;
    let makers = if part.makes_films() { settings.workers.max(1) } else { 0 };
    let (alone, manner) = (part.is_alone(), part.settings());
    let crew = LocalCrew::new(&home, makers, hello, supply)?;
    let crew = Arc::new(if alone { crew } else { crew.together(store.clone()) });
    crew.lend_hands();
    let engine = part.start(Parts {
        store: store.clone(),
        objects: objects.clone(),
        crew,
        herald: Arc::new(Announcer { links: links.clone(), store: store.clone() }),
        sender: Arc::new(Postman::new(Arc::clone(&rules))),
        settings: manner,
    });
    let engine = Arc::new(engine.await?);
    let exe = std::env::current_exe().unwrap_or_default();
    let office = Office::open(compere_office::Parts {
        home,
        settings,
        store,
        objects,
        bell: Arc::clone(&engine) as Arc<dyn Bell>,
        desk: Arc::new(desk),
        back_office: Arc::new(back_office),
        workbench: Arc::new(workbench),
        links,
        rules,
        program: crate::worker::engine(&exe).unwrap_or_else(|_| env!("CARGO_PKG_VERSION").to_owned()),
        patience: compere_office::PATIENCE,
        stopping,
    });
    let first = take_up(&office, &mut hold, alone).await.map_err(|refusal| format!("{refusal:?}"))?;
    let keeper = Arc::clone(&office);
    tokio::spawn(async move { keeper.keep_house().await });
    if office.settings.bake_ahead && (alone || office.settings.shares()) {
        let baker = Arc::clone(&office);
        tokio::spawn(async move { if alone { baker.keep_baking().await } else { baker.keep_noting().await } });
    }
    if office.settings.bake_ahead && alone {
        let prompter = Arc::clone(&office);
        tokio::spawn(async move { prompter.keep_prompting().await });
    }
    let numbers = numbers()?;
    tokio::spawn(count_up(numbers.clone()));
    crate::api::health::watch_exports(&office);
    lock.tell(&office.settings.base_url());
    let account = first.as_ref().map(|first| first.account.clone());
    ready(&office.settings.base_url(), first);
    if let Some(account) = account.filter(|_| office.settings.welcome) {
        let office = Arc::clone(&office);
        tokio::spawn(async move { told(office.welcome(account).await) });
    }
    let ended = tokio::select! {
        () = listen::serve(listener, router(&office, numbers), office.stopping.clone(), office.settings.behind_proxy) => Ok(()),
        () = hold.lost() => Err("another service has taken the database over".to_owned()),
    };
    engine.stop().await;
    office.close().await;
    ended
}

/// Nobody else on this machine reads records or films, from the first byte on.
fn shut(home: &Home, settings: &Settings) -> Result<(), String> {
    privacy::make_private();
    let elsewhere = settings.objects_at(&home.data).ok().filter(|dir| !dir.starts_with(&home.data));
    for folder in std::iter::once(home.data.clone()).chain(elsewhere) {
        let told = privacy::shut(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if let Some(first) = told.repaired.first() {
            let (first, more) = (first.display(), told.repaired.len() - 1);
            let told =
                "others on this machine could read this until now, and more; see docs/security.md for what that means";
            tracing::warn!(%first, more, told);
        }
        for open in told.failed {
            tracing::warn!(open, "others on this machine can read this, and it cannot be shut");
        }
    }
    Ok(())
}

/// What every child is told first.
fn hello(home: &Home, settings: &Settings) -> Hello {
    Hello {
        assets: home.assets.clone(),
        data: home.data.clone(),
        settings: settings.for_workers(),
        base_url: settings.base_url(),
        films: false,
        yields: false,
        shares: false,
    }
}

/// Whatever a former service left, unless others serve beside us: then it is theirs.
async fn take_up(office: &Arc<Office>, hold: &mut Hold, alone: bool) -> Result<Option<First>, Refusal> {
    let first = if hold.is_first() { office.first_run().await? } else { None };
    if alone {
        office.take_up_presenters().await?;
    }
    hold.settle();
    Ok(first)
}

fn router(office: &Arc<Office>, numbers: PrometheusHandle) -> Router {
    let routes = Router::new().merge(crate::api::router()).merge(crate::web::router(office)).fallback(nowhere);
    let routes = routes.with_state(Arc::clone(office)).layer(Extension(numbers));
    crate::api::around(routes, office, listen::STALL)
}

/// A path that leads nowhere: a page for those who look at it with a browser, JSON for all others.
async fn nowhere(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    match crate::web::nowhere(&headers) {
        Some(page) => page,
        None => crate::api::error::unknown_path(&method, &uri),
    }
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
