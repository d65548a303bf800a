//! What a body would become: problems, length, price. Nothing is stored, spoken or drawn.

use std::sync::Arc;

use axum::extract::State;
use compere_house::desk::Flaw;
use compere_office::{Checked, Office, Tongue};
use compere_scene::Problem;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answers::{Data, Enveloped, Estimate, LineLanguage, SceneTime, Trouble, Warned};
use super::body::Body;
use super::error::{ApiError, Kind};
use super::gate::Auth;
use super::schema::{CreateProject, Failures};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(estimate))
}

/// Check a body
///
/// Takes what create takes, of both generations, and answers with what is wrong with it, how long the film will be and
/// what it will cost. With `checkAssets` the links in it are fetched too.
#[utoipa::path(post, operation_id = "checkBody", path = "/api/odin/v3/editor/estimate", tag = "projects", request_body = CreateProject,
    responses((status = 200, description = "Done", body = Enveloped<Estimate>), Failures))]
async fn estimate(State(office): State<Arc<Office>>, auth: Auth, body: Body) -> Result<Data<Estimate>, ApiError> {
    let estimate = office.estimate(&auth, &body.json).await?;
    let mut found = said(&estimate.problems);
    let languages = estimate.tongues.into_iter().map(language).collect();
    let Some((film, checked)) = estimate.film else {
        return Ok(Data(Estimate { problems: found, languages, ..Estimate::default() }));
    };
    if body.json["checkAssets"] == json!(true) {
        found.extend(office.broken_links(&auth, &film).await?.iter().map(broken));
    }
    Ok(Data(Estimate {
        valid: found.is_empty(),
        problems: found,
        warnings: checked.resolved.warnings.iter().map(Warned::from).collect(),
        duration: Some(checked.seconds),
        credits: Some(checked.credits()),
        scenes: scenes(&checked),
        languages,
        balance: estimate.balance,
        resolution: Some(checked.resolved.film.resolution),
        orientation: Some(checked.orientation()),
    }))
}

fn broken(flaw: &Flaw) -> Trouble {
    trouble(flaw.kind.unwrap_or(Kind::Internal), &flaw.path, flaw.message.clone())
}

fn said(problems: &[Problem]) -> Vec<Trouble> {
    problems.iter().map(|problem| trouble(Kind::Invalid(problem.code), &problem.path, problem.advice())).collect()
}

fn trouble(kind: Kind, path: &str, msg: String) -> Trouble {
    let (_, code, name) = kind.parts();
    Trouble { path: path.to_owned(), msg, code, name: name.into() }
}

fn language(tongue: Tongue) -> LineLanguage {
    let (spoken, told_by) = tongue.spoken.unzip();
    let fits = tongue.clash.is_none();
    LineLanguage { scene: tongue.scene, path: tongue.path, heard: tongue.written, spoken, told_by, fits }
}

fn scenes(checked: &Checked) -> Vec<SceneTime> {
    let one = |(start, seconds)| SceneTime { start, seconds };
    checked.scenes().into_iter().map(one).collect()
}
