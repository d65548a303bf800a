//! What a body would become: problems, length, price. Nothing is stored, spoken or drawn.

use std::sync::Arc;

use axum::extract::State;
use compere_house::desk::Flaw;
use compere_office::{Checked, Office};
use compere_scene::Problem;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{Data, number};
use super::body::Body;
use super::error::{ApiError, Kind};
use super::gate::Auth;
use super::schema::{CreateProject, Enveloped, Estimate, Failures};

pub fn router() -> OpenApiRouter<Arc<Office>> {
    OpenApiRouter::new().routes(routes!(estimate))
}

/// Check a body
///
/// Takes what create takes, of both generations, and answers with what is wrong with it, how long the film will be and
/// what it will cost. With `checkAssets` the links in it are fetched too.
#[utoipa::path(post, path = "/api/odin/v3/editor/estimate", tag = "projects", request_body = CreateProject,
    responses((status = 200, description = "Done", body = Enveloped<Estimate>), Failures))]
async fn estimate(State(office): State<Arc<Office>>, auth: Auth, body: Body) -> Result<Data, ApiError> {
    let estimate = office.estimate(&auth, &body.json).await?;
    let mut found = said(&estimate.problems);
    let Some((film, checked)) = estimate.film else {
        let nothing = json!({ "valid": false, "problems": found, "warnings": [], "credits": null, "duration": null });
        return Ok(Data(nothing));
    };
    if body.json["checkAssets"] == json!(true) {
        found.extend(office.broken_links(&auth, &film).await?.iter().map(broken));
    }
    Ok(Data(json!({
        "valid": found.is_empty(), "problems": found, "warnings": checked.warnings(),
        "duration": number(checked.seconds), "credits": checked.credits(), "scenes": scenes(&checked),
        "balance": estimate.balance, "resolution": checked.resolved.film.resolution,
        "orientation": checked.orientation(),
    })))
}

fn broken(flaw: &Flaw) -> Value {
    let (_, code, name) = Kind::of_number(flaw.code).parts();
    json!({ "path": flaw.path, "msg": flaw.message, "code": code, "name": name })
}

fn said(problems: &[Problem]) -> Vec<Value> {
    let one = |problem: &Problem| json!({ "path": problem.path, "msg": problem.advice(), "code": problem.code.number(), "name": problem.code.name() });
    problems.iter().map(one).collect()
}

fn scenes(checked: &Checked) -> Vec<Value> {
    let one = |(start, seconds): (f64, f64)| json!({ "start": number(start), "seconds": number(seconds) });
    checked.scenes().into_iter().map(one).collect()
}
