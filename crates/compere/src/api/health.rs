//! Whether the service lives, whether it is ready, and its numbers.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use compere_office::Office;
use metrics_exporter_prometheus::PrometheusHandle;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::Health;
use super::error::{ApiError, Failure, Kind};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(live)).routes(routes!(ready)).routes(routes!(both)).routes(routes!(numbers))
}

/// Does the process answer?
#[utoipa::path(get, operation_id = "live", path = "/health/live", tag = "operation", security(()),
    responses((status = 200, description = "It does", body = String)))]
async fn live() -> &'static str {
    "ok"
}

/// Can it take requests?
#[utoipa::path(get, operation_id = "ready", path = "/health/ready", tag = "operation", security(()),
    responses((status = 200, description = "It can", body = Health), (status = 503, description = "It cannot; `reasons` say why", body = Health)))]
async fn ready(State(office): State<Arc<Office>>) -> Response {
    state(&office).await
}

/// The same as `/health/ready`
#[utoipa::path(get, operation_id = "health", path = "/health", tag = "operation", security(()),
    responses((status = 200, description = "It can", body = Health), (status = 503, description = "It cannot; `reasons` say why", body = Health)))]
async fn both(State(office): State<Arc<Office>>) -> Response {
    state(&office).await
}

async fn state(office: &Office) -> Response {
    let reasons = office.ailments().await;
    let status = if reasons.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let state = if reasons.is_empty() { "ready" } else { "not ready" };
    let body = Health { status: state, reasons, version: env!("CARGO_PKG_VERSION"), running: office.running() };
    (status, axum::Json(body)).into_response()
}

/// Numbers for Prometheus
///
/// Requests by route and status, the queue, what runs, webhooks, credits. Asks for `metrics_token` of the settings as a
/// bearer token; without one it answers only where the service listens to its own machine.
#[utoipa::path(get, operation_id = "metrics", path = "/metrics", tag = "operation", security(()),
    responses((status = 200, description = "Prometheus text", body = String, content_type = "text/plain"),
        (status = 401, description = "The token is missing or wrong", body = Failure),
        (status = 503, description = "The storage is away", body = Failure)))]
async fn numbers(
    State(office): State<Arc<Office>>,
    Extension(numbers): Extension<PrometheusHandle>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let right = match &office.settings.metrics_token {
        Some(token) => super::gate::token(&headers).is_some_and(|sent| compere_store::same(sent, token)),
        None => office.settings.numbers_are_open(),
    };
    if !right {
        let msg = "the numbers are told to whoever sends `metrics_token` of the settings as a bearer token";
        return Err(ApiError::new(Kind::Unauthorized, msg));
    }
    let queue = office.queue().await?;
    for state in compere_store::ExportState::ALL {
        let count = queue.counts.iter().find(|(known, _)| *known == state).map_or(0, |(_, count)| *count);
        metrics::gauge!("compere_exports", "state" => state.as_str()).set(count as f64);
    }
    let age = queue.oldest.map_or(0.0, |since| (office.now() - since).max(0) as f64 / 1000.0);
    metrics::gauge!("compere_queue_oldest_seconds").set(age);
    metrics::gauge!("compere_exports_running_here").set(office.running() as f64);
    for (state, count) in office.mail().await? {
        metrics::gauge!("compere_webhooks", "state" => state.as_str()).set(count as f64);
    }
    for (kind, amount) in office.credit_sums().await? {
        metrics::gauge!("compere_credits", "kind" => kind.as_str()).set(amount as f64);
    }
    metrics::gauge!("compere_disk_free_bytes").set(office.free_bytes().unwrap_or(0) as f64);
    let text = numbers.render();
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

/// Lines that tell of things whose time has come, such as how long each stage of an export took.
pub fn watch_exports(office: &Arc<Office>) {
    let (mut changes, office) = (office.changes(), Arc::clone(office));
    tokio::spawn(async move {
        loop {
            match changes.recv().await {
                Ok(change) if change.state.is_over() => note(&office, &change.export).await,
                Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
            }
        }
    });
}

async fn note(office: &Office, export: &str) {
    let Ok(Some(export)) = office.ended(export).await else { return };
    metrics::counter!("compere_exports_ended_total", "state" => export.state.as_str()).increment(1);
    let Some(made) = &export.made else { return };
    for (stage, seconds) in &made.cut.took {
        metrics::histogram!("compere_stage_seconds", "stage" => stage.clone()).record(*seconds);
    }
    metrics::counter!("compere_frames_total", "from" => "drawn").increment(made.cut.drawn_frames);
    metrics::counter!("compere_frames_total", "from" => "cache")
        .increment(made.cut.frames.saturating_sub(made.cut.drawn_frames));
    metrics::counter!("compere_film_seconds_total").increment(made.cut.duration as u64);
}
