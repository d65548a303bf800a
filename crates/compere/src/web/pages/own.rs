//! Presenters of a person's own footage or of a model: filmed before the browser or sent as files, made, and looked at by an
//! operator.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use compere_office::{Office, OwnView, TakeOf};
use compere_own::{Finding, Level};
use compere_store::{OwnPresenter, PresenterBackground, PresenterKind, PresenterState, Take, WithdrawnBy};
use serde::Deserialize;
use serde_json::{Value, json};

use super::media::portrait_of;
use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::sent::Sent;
use crate::web::session::{Admin, said};
use crate::web::shell::{Shell, page};
use crate::web::{uploads, words};
use compere_house::settings::Megabytes;

/// This page alone may use the camera, and it asks nobody but the browser for it.
const CAMERA: &str = "camera=(self), microphone=(self), geolocation=()";
/// Where one is seen: a presenter in what it was filmed in first, an outfit on whoever wears it, once that presents.
fn seen(record: &OwnPresenter, worn_by: Option<&OwnPresenter>) -> Option<String> {
    let shown = [Some(record), worn_by].into_iter().flatten().all(|one| one.state == PresenterState::Ready);
    let address = match &record.outfit_of {
        Some(wearer) => portrait_of(wearer, &record.id),
        None => portrait_of(&record.id, record.kind.as_str()),
    };
    (shown && record.outfit_of.as_deref() == worn_by.map(|one| one.id.as_str())).then_some(address)
}

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/library/own", get(list).post(create))
        .route("/library/own/{id}", get(studio))
        .route("/library/own/{id}/outfits", post(create_outfit))
        .route("/library/own/{id}/withdraw", post(withdraw))
        .route("/app/own/{id}", get(state))
        .route("/app/own/{id}/consent", post(consent))
        .route("/app/own/{id}/look", get(look))
        .route("/app/own/{id}/takes", post(take))
        .route("/app/own/{id}/takes/{name}", get(show))
        .route("/app/own/{id}/takes/{name}/delete", post(drop_take))
        .route("/app/own/{id}/build", post(build))
        .route("/app/own/{id}/cancel", post(cancel))
        .route("/admin/presenters", get(approvals))
        .route("/admin/presenters/{id}/approve", post(approve))
        .route("/admin/presenters/{id}/decline", post(decline))
        .route("/app/admin/own/{id}/look", get(look_operator))
        .route("/app/admin/own/{id}/takes/{name}", get(show_operator))
        .layer(DefaultBodyLimit::disable())
}

fn behind(background: PresenterBackground) -> &'static str {
    match background {
        PresenterBackground::Auto => "Cut out if that works",
        PresenterBackground::Cut => "Cut out",
        PresenterBackground::Keep => "As it was filmed",
    }
}

/// What a state is called, and in which tone.
pub fn word(state: PresenterState) -> (&'static str, &'static str) {
    match state {
        PresenterState::Collecting => ("collecting", ""),
        PresenterState::Queued => ("waiting its turn", "busy"),
        PresenterState::Building => ("being made", "busy"),
        PresenterState::Waiting => ("waiting for approval", "warn"),
        PresenterState::Ready => ("ready", "good"),
        PresenterState::Refused => ("refused", "bad"),
        PresenterState::Withdrawn => ("taken away", ""),
    }
}

#[derive(Template)]
#[template(path = "own.html")]
struct Own {
    shell: Shell,
    tab: &'static str,
    all: Vec<OwnPresenter>,
    /// Taken away by whoever is shown.
    taken_back: Vec<OwnPresenter>,
    languages: Vec<(String, String)>,
    now: i64,
}

impl Own {
    fn word(&self, one: &OwnPresenter) -> (&'static str, &'static str) {
        word(one.state)
    }

    fn picture(&self, one: &OwnPresenter) -> Option<String> {
        // Browsers keep it until its address changes: a design does.
        seen(one, self.wearer(one)).map(|shown| format!("{shown}?v={}", one.updated_at))
    }

    fn wearer(&self, one: &OwnPresenter) -> Option<&OwnPresenter> {
        self.all.iter().find(|other| Some(&other.id) == one.outfit_of.as_ref())
    }

    fn backgrounds(&self) -> [(PresenterBackground, &'static str); 3] {
        PresenterBackground::ALL.map(|one| (one, behind(one)))
    }

    fn day_gone(&self, one: &OwnPresenter) -> String {
        words::day(one.withdrawn_at.unwrap_or(one.updated_at))
    }

    fn room(&self, one: &OwnPresenter) -> &'static str {
        if one.kind == PresenterKind::Design { "design" } else { "own" }
    }
}

async fn list(State(office): State<Arc<Office>>, member: Member) -> Result<Response, Fault> {
    let mut languages: BTreeMap<String, String> = BTreeMap::new();
    for voice in super::media::voices(&office) {
        languages.entry(super::media::tongue(&voice)).or_insert(voice.language);
    }
    page(&Own {
        shell: Shell::new(&member, "library", "Your own presenters"),
        tab: "own",
        all: office.own_presenters(&member.who).await?,
        taken_back: office.presenters_taken_back(&member.who).await?,
        languages: languages.into_iter().collect(),
        now: office.now(),
    })
}

#[derive(Deserialize)]
struct New {
    kind: String,
    name: String,
    gender: String,
    language: String,
    background: Option<String>,
}

async fn create(State(office): State<Arc<Office>>, member: Member, Form(new): Form<New>) -> Result<Response, Fault> {
    let New { kind, name, gender, language, background } = new;
    let background = background.unwrap_or_else(|| PresenterBackground::default().to_string());
    let asked = json!({ "kind": kind, "name": name, "gender": gender, "language": language, "background": background });
    let made = office.new_presenter(&member.who, &asked).await?;
    Ok(axum::response::Redirect::to(&format!("/library/own/{}", made.id)).into_response())
}

#[derive(Deserialize)]
struct NewOutfit {
    name: String,
    background: Option<String>,
}

async fn create_outfit(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Form(NewOutfit { name, background }): Form<NewOutfit>,
) -> Result<Response, Fault> {
    let background = background.unwrap_or_else(|| PresenterBackground::default().to_string());
    let asked = json!({ "outfitOf": id, "name": name, "background": background });
    let made = office.new_presenter(&member.who, &asked).await?;
    Ok(axum::response::Redirect::to(&format!("/library/own/{}", made.id)).into_response())
}

#[derive(Template)]
#[template(path = "own_studio.html")]
struct Studio {
    shell: Shell,
    view: OwnView,
    prompts: Vec<(usize, &'static str)>,
    most: Megabytes,
}

impl Studio {
    fn word(&self) -> (&'static str, &'static str) {
        word(self.view.record.state)
    }

    fn told(&self) -> String {
        told(&self.view).to_string()
    }

    /// What may become of what is behind the person, in words, and whether it is chosen.
    fn backgrounds(&self) -> [(PresenterBackground, &'static str, bool); 3] {
        PresenterBackground::ALL.map(|one| (one, behind(one), one == self.view.record.background))
    }

    /// Outfits that were begun, each with the word for where it is.
    fn outfits(&self) -> Vec<(&OwnPresenter, &'static str, &'static str)> {
        let all = self.view.outfits.iter().map(|outfit| (outfit, word(outfit.state)));
        all.map(|(outfit, (word, tone))| (outfit, word, tone)).collect()
    }

    /// Who has to agree: whoever agreed before, of an outfit.
    fn person(&self) -> String {
        let wearer = self.view.worn_by.as_ref().and_then(|one| one.consent.as_ref());
        wearer.and_then(|consent| consent["person"].as_str()).unwrap_or_default().to_owned()
    }

    /// What its person speaks, in English, where what is given out to them is English for want of anything in it.
    fn without_lines(&self) -> Option<String> {
        let language = &self.view.record.language;
        let has_none = compere_own::Tongue::of(language).is_none() && !self.of_model();
        has_none.then(|| compere_speech::language_name(language).to_owned())
    }

    fn may_have_outfits(&self) -> bool {
        let record = &self.view.record;
        record.outfit_of.is_none() && !self.of_model() && record.state != PresenterState::Withdrawn
    }

    fn of_photo(&self) -> bool {
        self.view.record.kind == PresenterKind::Photo
    }

    fn of_model(&self) -> bool {
        self.view.record.kind == PresenterKind::Model
    }
}

/// One that was taken away: by whom, and the films that are left.
#[derive(Template)]
#[template(path = "own_gone.html")]
struct Gone {
    shell: Shell,
    view: OwnView,
}

impl Gone {
    fn told(&self) -> String {
        let record = &self.view.record;
        let by = match record.withdrawn_by {
            Some(WithdrawnBy::Person) => "Whoever is shown took it away",
            Some(WithdrawnBy::Operator) => "An operator took it away",
            Some(WithdrawnBy::Account) | None => "It was taken away",
        };
        format!("{by} on {}", words::day(record.withdrawn_at.unwrap_or(record.updated_at)))
    }
}

async fn studio(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    let view = office.view_presenter(&member.who, &id).await?;
    if view.record.kind == PresenterKind::Design {
        return Ok(axum::response::Redirect::to(&format!("/library/design/{id}")).into_response());
    }
    if view.record.state == PresenterState::Withdrawn {
        return page(&Gone { shell: Shell::new(&member, "library", view.record.name.clone()), view });
    }
    let mut shown = page(&Studio {
        shell: Shell::new(&member, "library", view.record.name.clone()),
        prompts: view.tongue.lines().enumerate().map(|(at, text)| (at + 1, text)).collect(),
        most: office.settings.limits.asset,
        view,
    })?;
    shown.headers_mut().insert(HeaderName::from_static("permissions-policy"), HeaderValue::from_static(CAMERA));
    Ok(shown)
}

/// What the page's script shows.
fn told(view: &OwnView) -> Value {
    let finding = |finding: &Finding| {
        json!({
            "refused": finding.level == Level::Refused, "about": finding.about, "what": finding.what,
            "advice": finding.advice,
        })
    };
    let take = |take: &Take| json!({ "name": take.name, "text": take.said, "size": take.size, "at": take.created_at });
    let (word, tone) = word(view.record.state);
    json!({
        "id": view.record.id, "kind": view.record.kind, "state": view.record.state, "word": word, "tone": tone,
        "progress": view.record.progress, "wait": view.wait, "seconds": view.record.seconds,
        "open": view.record.state.is_open(),
        "consent": agreed(view), "hasLink": view.record.code.is_some(),
        "licence": view.licence.as_ref().and_then(|licence| licence.told.as_deref()),
        "takes": view.takes.iter().map(take).collect::<Vec<_>>(),
        "findings": view.findings.iter().map(finding).collect::<Vec<_>>(),
        "missing": view.missing.iter().map(|one| one.path.clone()).collect::<Vec<_>>(),
        "coverage": {
            "prompts": view.coverage.prompts, "sounds": view.coverage.sounds, "seconds": view.coverage.seconds,
            "enough": view.coverage.is_enough, "plenty": view.coverage.is_plenty,
        },
        "picture": picture(view),
    })
}

/// What somebody reads to agree to be shown, or stated of a model.
fn agreed(view: &OwnView) -> Option<String> {
    let stated = || view.licence.as_ref().map(|licence| licence.statement.text());
    view.consent.as_ref().map(compere_own::Form::text).or_else(stated)
}

/// Once it may be shown; of a model, once it is made.
fn picture(view: &OwnView) -> Option<String> {
    let record = &view.record;
    match record.state {
        PresenterState::Ready => seen(record, view.worn_by.as_ref()),
        PresenterState::Waiting if record.kind == PresenterKind::Model => Some(format!("/app/own/{}/look", record.id)),
        _ => None,
    }
}

async fn answered(office: &Office, member: &Member, id: &str) -> Result<Json<Value>, Fault> {
    Ok(Json(told(&office.view_presenter(&member.who, id).await?)))
}

async fn state(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    answered(&office, &member, &id).await
}

async fn consent(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Sent(asked, _room): Sent<Value>,
) -> Result<Json<Value>, Fault> {
    let link = office.ask_consent(&member.who, &id, &asked).await?;
    let Json(mut answer) = answered(&office, &member, &id).await?;
    answer["withdrawalLink"] = json!(link);
    Ok(Json(answer))
}

/// `?prompt=7`, `?prompt=all`, `?prompt=idle`, `?prompt=talk`, `?prompt=photo`, `?prompt=model`, `?text=…` or `?consent=1`.
async fn take(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Query(asked): Query<BTreeMap<String, String>>,
    body: Body,
) -> Result<Json<Value>, Fault> {
    let of = if asked.contains_key("consent") { TakeOf::Consent } else { TakeOf::read(&json!(asked))? };
    let upload = uploads::receive(&office, body, "take", office.settings.limits.asset).await?;
    office.add_take(&member.who, &id, of, upload).await?;
    answered(&office, &member, &id).await
}

async fn drop_take(
    State(office): State<Arc<Office>>,
    member: Member,
    Path((id, name)): Path<(String, String)>,
) -> Result<Json<Value>, Fault> {
    office.drop_take(&member.who, &id, &name).await?;
    answered(&office, &member, &id).await
}

async fn build(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Query(asked): Query<BTreeMap<String, String>>,
) -> Result<Json<Value>, Fault> {
    if let Some(background) = asked.get("background") {
        office.choose_background(&member.who, &id, background).await?;
    }
    office.build_presenter(&member.who, &id).await?;
    answered(&office, &member, &id).await
}

async fn cancel(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Json<Value>, Fault> {
    office.cancel_presenter(&member.who, &id).await?;
    answered(&office, &member, &id).await
}

async fn show(
    State(office): State<Arc<Office>>,
    member: Member,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Fault> {
    played(&office, &member, &id, &name, false).await
}

/// Whoever has to approve sees what they approve.
async fn show_operator(
    State(office): State<Arc<Office>>,
    Admin(member): Admin,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Fault> {
    played(&office, &member, &id, &name, true).await
}

async fn look(State(office): State<Arc<Office>>, member: Member, Path(id): Path<String>) -> Result<Response, Fault> {
    looked(office.model_look(&member.who, &id, false).await?)
}

async fn look_operator(
    State(office): State<Arc<Office>>,
    Admin(member): Admin,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    looked(office.model_look(&member.who, &id, true).await?)
}

fn looked(jpeg: Vec<u8>) -> Result<Response, Fault> {
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg"))], jpeg).into_response())
}

async fn played(office: &Office, member: &Member, id: &str, name: &str, anybody: bool) -> Result<Response, Fault> {
    let offer = office.take_offer(&member.who, id, name, anybody).await?;
    let gone = || Fault::missing("take");
    let stored = office.stored(&offer).await?.ok_or_else(gone)?;
    let body = Body::from_stream(office.bytes_of(&offer, stored, 0..stored.size).await?.ok_or_else(gone)?);
    let kind = HeaderValue::from_str(&offer.media_type).map_err(Fault::inside)?;
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_LENGTH, HeaderValue::from(stored.size))], body).into_response())
}

/// A ticked box is there, and another one is not.
#[derive(Deserialize)]
struct Away {
    keep: Option<String>,
}

async fn withdraw(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Form(Away { keep }): Form<Away>,
) -> Result<Response, Fault> {
    let gone = office.withdraw_presenter(&member.who, &id, keep.is_some()).await?;
    let films: Vec<&str> = gone.films.iter().map(|film| film.order.name.as_str()).take(8).collect();
    let with = if gone.record.kind == PresenterKind::Design { "" } else { ", with takes and consent" };
    let told = match films.as_slice() {
        [] => format!("{} is gone{with}.", gone.record.name),
        films => format!(
            "{} is gone{with}. Films made with it stay until you delete them: {}.",
            gone.record.name,
            films.join(", ")
        ),
    };
    let stay: Vec<&str> =
        gone.originals.iter().filter(|one| !one.is_deleted).map(|one| one.asset.name.as_str()).take(8).collect();
    let told = match stay.as_slice() {
        [] => told,
        stay => {
            format!("{told} Of the files that takes were begun from, these stay in the library: {}.", stay.join(", "))
        }
    };
    Ok(said("/library/own", &told))
}

#[derive(Template)]
#[template(path = "approvals.html")]
struct Approvals {
    shell: Shell,
    tab: &'static str,
    all: Vec<(OwnView, String)>,
}

impl Approvals {
    fn text(&self, view: &OwnView) -> String {
        agreed(view).unwrap_or_default()
    }

    fn of_model(&self, view: &OwnView) -> bool {
        view.record.kind == PresenterKind::Model
    }

    /// What is kept of the consent: the wording, and the hashes that its text and its recording are known by.
    fn evidence(&self, view: &OwnView) -> Option<[(&'static str, String); 3]> {
        let kept = view.evidence.as_ref().filter(|_| !self.of_model(view))?;
        let wording = format!("{}, given out on {}", kept.text_version, kept.date);
        Some([
            ("Wording", wording),
            ("Hash of the text", kept.text_hash.clone()),
            ("Hash of the recording", kept.hash.clone()),
        ])
    }

    /// What a model's file says of its licence.
    fn told(&self, view: &OwnView) -> String {
        view.licence.as_ref().and_then(|licence| licence.told.clone()).unwrap_or_default()
    }
}

async fn approvals(State(office): State<Arc<Office>>, Admin(member): Admin) -> Result<Response, Fault> {
    let accounts = office.register.accounts().await?;
    let owner = |id: &str| {
        let found = accounts.iter().find(|account| account.id == id);
        found.map_or_else(|| "a former account".to_owned(), |account| account.email.clone())
    };
    let mut all = Vec::new();
    for view in office.presenters_to_approve().await? {
        let of = owner(&view.record.account);
        all.push((view, of));
    }
    page(&Approvals { shell: Shell::new(&member, "admin", "Presenters to approve"), tab: "presenters", all })
}

async fn approve(
    State(office): State<Arc<Office>>,
    Admin(member): Admin,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let account = &member.who.account;
    let approved = office.approve_presenter(&id, &format!("{} ({})", account.name, account.email)).await?;
    Ok(said("/admin/presenters", &format!("{} may present from now on.", approved.name)))
}

#[derive(Deserialize)]
struct Why {
    why: String,
}

async fn decline(
    State(office): State<Arc<Office>>,
    Admin(_): Admin,
    Path(id): Path<String>,
    Form(Why { why }): Form<Why>,
) -> Result<Response, Fault> {
    let declined = office.decline_presenter(&id, &why).await?;
    Ok(said("/admin/presenters", &format!("{} was declined; its owner reads why.", declined.name)))
}
