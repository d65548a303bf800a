//! What a body would become: problems, length, price. Nothing is stored, spoken or drawn.

use std::sync::Arc;

use axum::extract::State;
use compere_media::SAMPLE_RATE;
use compere_scene::Problem;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accept::{self, Checked};
use super::answer::{Data, number};
use super::body::Body;
use super::error::ApiError;
use super::gate::Auth;
use super::options;
use super::schema::{CreateProject, Enveloped, Estimate, Failures};
use crate::serve::app::App;

pub fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(estimate))
}

/// Check a body
///
/// Takes what create takes, of both generations, and answers with what is wrong with it, how long the film will be and
/// what it will cost. With `checkAssets` the links in it are fetched too.
#[utoipa::path(post, path = "/api/odin/v3/editor/estimate", tag = "projects", request_body = CreateProject,
    responses((status = 200, body = Enveloped<Estimate>), Failures))]
async fn estimate(State(app): State<Arc<App>>, auth: Auth, body: Body) -> Result<Data, ApiError> {
    let plan = app.store.plan(&auth.account.plan);
    let (_, mut problems) = options::read(&body.json);
    let film = match compere_scene::is_legacy(&body.json) {
        true => {
            let sizes = super::ask::sizes(&app, &body.json).await;
            let limits = app.settings.limits.of_scenes();
            compere_scene::legacy_to_project(&body.json, &limits, &app.house, &|link| sizes.get(link).copied())
        }
        false => Ok(body.json.clone()),
    };
    let checked = film.and_then(|film| accept::check(&app, &plan, &film).map(|checked| (film, checked)));
    let balance = app.store.balance(&auth.account.id).await?;
    let metered = plan.monthly_credits.is_some();
    match checked {
        Err(mut all) => {
            all.append(&mut problems);
            Ok(Data(
                json!({ "valid": false, "problems": said(&all), "warnings": [], "credits": null, "duration": null }),
            ))
        }
        Ok((film, checked)) => {
            let mut found = said(&problems);
            if body.json["checkAssets"] == json!(true) {
                found.extend(super::ask::broken_links(&app, &film).await?);
            }
            Ok(Data(json!({
                "valid": found.is_empty(), "problems": found, "warnings": checked.warnings(),
                "duration": number(checked.seconds), "credits": checked.credits(), "scenes": scenes(&checked),
                "balance": metered.then_some(balance), "resolution": checked.resolved.film.resolution.name(),
                "orientation": accept::orientation(&checked),
            })))
        }
    }
}

fn said(problems: &[Problem]) -> Vec<Value> {
    let one = |problem: &Problem| json!({ "path": problem.path, "msg": problem.advice(), "code": problem.code.number(), "name": problem.code.name() });
    problems.iter().map(one).collect()
}

fn scenes(checked: &Checked) -> Vec<Value> {
    let film = &checked.resolved.film;
    let times = compere_scene::timeline(film, &compere_scene::estimate(film)).scenes;
    let seconds = |samples: u64| number(samples as f64 / f64::from(SAMPLE_RATE));
    let one = |time: &compere_scene::SceneTime| {
        let span = time.samples();
        json!({ "start": seconds(span.start), "seconds": seconds(span.end - span.start) })
    };
    times.iter().map(one).collect()
}
