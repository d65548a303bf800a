//! How far an export is: asked for again and again, or told as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use compere_jobs::Change;
use compere_office::{Member, Office, Seat, State, warned};
use compere_store::{ExportState, Project};
use futures_util::Stream;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Chapter, Progress, ProgressAnswer, Warned, date};
use super::error::{ApiError, Kind};
use super::extract::Id;
use super::gate::Auth;
use super::schema::Failures;
use crate::http::Whence;

/// A stream on which nothing was told for so long ends: whoever still wants to know asks again.
const IDLE: Duration = Duration::from_secs(15 * 60);

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(read)).routes(routes!(events))
}

/// Ask how far an export is
///
/// A failed export answers with status 200, `success` false and error 5010, so that every polling loop ends.
#[utoipa::path(get, operation_id = "readProgress", path = "/api/odin/v3/editor/progress/{id}", tag = "exports",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "Done", body = ProgressAnswer), Failures))]
async fn read(
    extract::State(office): extract::State<Arc<Office>>,
    auth: Auth,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let project = office.project(&auth, &id).await?;
    Ok(axum::Json(answer(&office, &project)).into_response())
}

/// The whole answer, with the failure in the envelope where there is one.
pub fn answer(office: &Office, project: &Project) -> ProgressAnswer {
    let failure = failure(project);
    let error = failure.map(|error| error.to_body());
    ProgressAnswer { success: error.is_none(), error, data: record(office, project) }
}

/// Why there will be no film.
pub fn failure(project: &Project) -> Option<ApiError> {
    let reason = || project.export.as_ref().and_then(|export| export.error.clone());
    match State::of(project) {
        State::ImportFailed { kind, reason } => Some(ApiError::new(kind, reason)),
        State::Export(ExportState::Failed) => {
            Some(ApiError::new(Kind::ExportFailed, reason().unwrap_or_else(|| "the export failed".to_owned())))
        }
        State::Export(ExportState::Cancelled) => Some(ApiError::new(Kind::ExportFailed, "the export was cancelled")),
        _ => None,
    }
}

/// The fields of a progress record.
pub fn record(office: &Office, project: &Project) -> Progress {
    let export = project.export.as_ref();
    let progress = office.progress(project);
    let made = progress.made;
    // Nobody shall poll for ever for what was never asked for.
    let idle = export.is_none() && progress.state == State::Draft;
    Progress {
        state: progress.state.word().into(),
        progress: progress.percent,
        download_url: progress.film,
        project_id: project.id.clone(),
        started_at: export.and_then(|export| export.started_at).map(date),
        finished_at: export.and_then(|export| export.finished_at).map(date),
        eta_seconds: progress.seconds_left.map(|seconds| seconds.ceil() as i64),
        step: export.map(|export| export.activity),
        duration: made.map(|made| made.cut.duration),
        thumbnail_url: progress.poster,
        captions_url: progress.captions,
        chapters_url: progress.chapters,
        chapters: made.map(|made| made.cut.chapters.iter().map(Chapter::from).collect()).unwrap_or_default(),
        stream_url: progress.stream,
        size_bytes: made.map(|made| made.size),
        backend_task_id: export.map(|export| export.id.clone()),
        callback_id: callback(project).map(str::to_owned),
        warnings: export.map(|export| warned(export, made).iter().map(Warned::of).collect()).unwrap_or_default(),
        note: idle.then(|| NOTHING_IS_MADE.to_owned()),
        meta_list: made.map(|made| made.meta_list.clone()).filter(|list| !list.is_null()),
    }
}

const NOTHING_IS_MADE: &str =
    "nothing is being made: POST /api/odin/v3/editor/project/export with this projectId starts it";

fn callback(project: &Project) -> Option<&str> {
    let asked = project.export.as_ref().and_then(|export| export.callback_id.as_deref());
    asked.or(project.callback_id.as_deref())
}

/// Follow an export as it happens
///
/// Server-sent events: `progress` with the record after every change, until the export is over, or nothing was told for
/// a quarter of an hour. An account may have 32 streams open at once.
#[utoipa::path(get, operation_id = "followProgress", path = "/api/odin/v3/editor/progress/{id}/events", tag = "exports",
    params(("id" = String, Path, description = "Id of the project")),
    responses((status = 200, description = "A stream of progress records", body = String, content_type = "text/event-stream"), Failures))]
async fn events(
    extract::State(office): extract::State<Arc<Office>>,
    auth: Auth,
    Whence(address): Whence,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let seat = office.crowd.stream(address, &auth.account.id, None)?;
    // Listening first: what happens while the project is read is told after it.
    let changes = office.changes();
    office.project(&auth, &id).await?;
    let follower = Follower {
        stopping: office.stopping.clone(),
        office,
        member: auth.0,
        id,
        changes,
        last: None,
        told: Instant::now(),
        over: false,
        _seat: seat,
    };
    let stream = futures_util::stream::unfold(follower, Follower::next);
    Ok(sse(stream).into_response())
}

fn sse(stream: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> impl IntoResponse {
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

struct Follower {
    office: Arc<Office>,
    member: Member,
    id: String,
    changes: Receiver<Change>,
    stopping: watch::Receiver<bool>,
    /// As it was sent.
    last: Option<String>,
    told: Instant,
    over: bool,
    /// Among the streams of its account, for as long as it is open.
    _seat: Seat,
}

impl Follower {
    /// The next record that differs from the last one told.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            if self.over || *self.stopping.borrow() || self.told.elapsed() > IDLE {
                return None;
            }
            // Gone, or for a moment not readable: either way there is nothing more to tell on this stream.
            let project = self.office.project(&self.member, &self.id).await.ok()?;
            let answer = serde_json::to_string(&answer(&self.office, &project)).ok()?;
            self.over =
                project.export.as_ref().is_none_or(|export| export.state.is_over()) && project.importing.is_none();
            if self.last.as_ref() != Some(&answer) {
                self.last = Some(answer.clone());
                self.told = Instant::now();
                return Some((Ok(Event::default().event("progress").data(answer)), self));
            }
            if !self.over {
                self.wait().await;
            }
        }
    }

    /// Until something of this project changed, the service stops, or a while has passed.
    async fn wait(&mut self) {
        let change = async {
            loop {
                match self.changes.recv().await {
                    Ok(change) if change.project == self.id => return,
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => return,
                    Err(RecvError::Closed) => std::future::pending().await,
                }
            }
        };
        tokio::select! {
            () = change => {}
            _ = self.stopping.changed() => {}
            () = tokio::time::sleep(Duration::from_secs(10)) => {}
        }
    }
}
