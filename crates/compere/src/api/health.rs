//! Whether the service lives, whether it is ready, and its numbers.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::schema::{Failure, Health};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(live)).routes(routes!(ready)).routes(routes!(both)).routes(routes!(numbers))
}

/// Does the process answer?
#[utoipa::path(get, path = "/health/live", tag = "operation", security(()),
    responses((status = 200, description = "It does", body = String)))]
async fn live() -> &'static str {
    "ok"
}

/// Can it take requests?
#[utoipa::path(get, path = "/health/ready", tag = "operation", security(()),
    responses((status = 200, description = "It can", body = Health), (status = 503, description = "It cannot; `reasons` say why", body = Health)))]
async fn ready(State(app): State<Arc<App>>) -> Response {
    state(&app).await
}

/// The same as `/health/ready`
#[utoipa::path(get, path = "/health", tag = "operation", security(()),
    responses((status = 200, description = "It can", body = Health), (status = 503, description = "It cannot; `reasons` say why", body = Health)))]
async fn both(State(app): State<Arc<App>>) -> Response {
    state(&app).await
}

/// Whoever asks is answered soon, however stuck a part may be.
const PATIENCE: Duration = Duration::from_secs(3);
/// Less free space than this, in bytes, and exports will fail.
const SPACE: u64 = 500 << 20;

async fn state(app: &App) -> Response {
    let mut reasons = Vec::new();
    let (store, objects) = tokio::join!(
        tokio::time::timeout(PATIENCE, app.store.ping()),
        tokio::time::timeout(PATIENCE, app.objects.ping())
    );
    if !matches!(store, Ok(Ok(()))) {
        reasons.push("the database does not answer");
    }
    if !matches!(objects, Ok(Ok(()))) {
        reasons.push("the object store does not answer");
    }
    if !app.engine.is_alive() {
        reasons.push("the export engine has stopped");
    }
    if *app.stopping.borrow() {
        reasons.push("the service is stopping");
    }
    if free(app).is_some_and(|bytes| bytes < SPACE) {
        reasons.push("less than 500 MB are free in the data folder");
    }
    let status = if reasons.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let state = if reasons.is_empty() { "ready" } else { "not ready" };
    let body = json!({
        "status": state, "reasons": reasons, "version": env!("CARGO_PKG_VERSION"), "running": app.engine.running().len(),
    });
    (status, axum::Json(body)).into_response()
}

fn free(app: &App) -> Option<u64> {
    let disk = rustix::fs::statvfs(&app.home.data).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Numbers for Prometheus
///
/// Requests by route and status, the queue, what runs, webhooks, credits.
#[utoipa::path(get, path = "/metrics", tag = "operation", security(()),
    responses((status = 200, description = "Prometheus text", body = String, content_type = "text/plain"),
        (status = 503, description = "The storage is away", body = Failure)))]
async fn numbers(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let (states, oldest) = app.store.queue().await?;
    for state in compere_store::ExportState::ALL {
        let count = states.iter().find(|(known, _)| *known == state).map_or(0, |(_, count)| *count);
        metrics::gauge!("compere_exports", "state" => state.as_str()).set(count as f64);
    }
    let age = oldest.map_or(0.0, |since| (app.store.now() - since).max(0) as f64 / 1000.0);
    metrics::gauge!("compere_queue_oldest_seconds").set(age);
    metrics::gauge!("compere_exports_running_here").set(app.engine.running().len() as f64);
    for (state, count) in app.store.delivery_counts().await? {
        metrics::gauge!("compere_webhooks", "state" => state).set(count as f64);
    }
    for (kind, amount) in app.store.credit_sums().await? {
        metrics::gauge!("compere_credits", "kind" => kind).set(amount as f64);
    }
    metrics::gauge!("compere_disk_free_bytes").set(free(&app).unwrap_or(0) as f64);
    let text = app.numbers.render();
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

/// Lines that tell of things whose time has come, such as how long each stage of an export took.
pub fn watch_exports(app: &Arc<App>) {
    let (mut changes, app) = (app.engine.changes(), Arc::clone(app));
    tokio::spawn(async move {
        loop {
            match changes.recv().await {
                Ok(change) if change.state.is_over() => note(&app, &change.export).await,
                Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
            }
        }
    });
}

async fn note(app: &App, export: &str) {
    let Ok(Some(export)) = app.store.export(export).await else { return };
    metrics::counter!("compere_exports_ended_total", "state" => export.state.as_str()).increment(1);
    let Some(made) = &export.made else { return };
    for (stage, seconds) in &made.took {
        metrics::histogram!("compere_stage_seconds", "stage" => stage.clone()).record(*seconds);
    }
    metrics::counter!("compere_frames_total", "from" => "drawn").increment(made.drawn_frames);
    metrics::counter!("compere_frames_total", "from" => "cache")
        .increment(made.frames.saturating_sub(made.drawn_frames));
    metrics::counter!("compere_film_seconds_total").increment(made.duration as u64);
}
