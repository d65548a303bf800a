//! The catalogue, and its pictures and voices: for the library, the editor and the ways to a new film.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use bytes::Bytes;
use compere_avatar::PresenterInfo;
use compere_backdrop as backdrop;
use compere_house::desk::Who;
use compere_office::Office;
use compere_speech::{VoiceInfo, VoiceKind, language_name};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::fault::Fault;
use crate::web::member::Member;
use crate::web::shell::kept_by_browsers;

pub fn routes() -> Router<Arc<Office>> {
    Router::new()
        .route("/app/catalogue", get(catalogue))
        .route("/app/presenters/{id}/{outfit}/portrait", get(portrait))
        .route("/app/presenters/{id}/{outfit}/sheet.png", get(sheet))
        .route("/app/presenters/{id}/sample.wav", get(own_sample))
        .route("/app/backgrounds/{file}", get(background))
        .route("/app/voices/{id}/sample.wav", get(sample))
        .route("/app/starts/{file}", get(start))
}

/// Where a presenter's picture is.
pub fn portrait_of(presenter: &str, outfit: &str) -> String {
    format!("/app/presenters/{presenter}/{outfit}/portrait")
}

/// The same, at another address whenever somebody is made anew.
fn pictured(info: &PresenterInfo, outfit: &str) -> String {
    let plain = portrait_of(&info.id, outfit);
    if info.made.is_empty() { plain } else { format!("{plain}?v={}", info.made) }
}

/// Where a presenter is heard in one of its languages.
pub fn sample_of(presenter: &str, language: &str) -> String {
    format!("/app/presenters/{presenter}/sample.wav?language={language}")
}

async fn catalogue(State(office): State<Arc<Office>>, member: Member) -> Result<Json<Value>, Fault> {
    let voices: Vec<Value> = voices(&office).iter().map(voice).collect();
    let presenters: Vec<Value> = office.people(&member.who.account.id).iter().map(presenter).collect();
    let backgrounds: Vec<Value> = backdrop::catalogue().iter().map(background_entry).collect();
    let cues: Vec<String> = compere_media::Cue::all().into_iter().map(|(name, _)| name).collect();
    let mut fonts: Vec<String> = office.fonts(&member.who).await?.into_iter().map(|font| font.family).collect();
    fonts.dedup();
    let told =
        json!({ "presenters": presenters, "voices": voices, "backgrounds": backgrounds, "cues": cues, "fonts": fonts });
    Ok(Json(told))
}

/// Voices for people: those that are installed and not for tests.
pub fn voices(office: &Office) -> Vec<VoiceInfo> {
    office.voices.list().into_iter().filter(|voice| voice.missing.is_none() && voice.kind != VoiceKind::Tone).collect()
}

fn presenter(info: &PresenterInfo) -> Value {
    let outfit = |outfit: &compere_avatar::OutfitInfo| json!({"id": outfit.id, "aliases": outfit.aliases, "name": outfit.name, "picture": pictured(info, &outfit.id)});
    json!({
        "id": info.id, "aliases": info.aliases, "name": info.name, "gender": info.gender, "style": info.style.name(),
        "outfits": info.outfits.iter().map(outfit).collect::<Vec<_>>(),
        "voices": info.voices.iter().map(|v| json!({
            "language": v.language, "languageName": spoken(&v.language), "voice": v.voice,
            "sample": sample_of(&info.id, &v.language),
        })).collect::<Vec<_>>(),
    })
}

fn voice(info: &VoiceInfo) -> Value {
    json!({
        "id": info.id, "name": info.name, "language": info.language, "languageName": tongue(info),
        "gender": info.gender.name(), "kind": info.kind.name(),
        "sample": format!("/app/voices/{}/sample.wav", info.id),
    })
}

/// `English (US)` for `en-US`.
pub fn spoken(language: &str) -> String {
    let name = language_name(language);
    match language.split_once('-') {
        Some((_, region)) if name != language => format!("{name} ({region})"),
        _ => name.to_owned(),
    }
}

/// The language of a voice. Those that no table here knows are called as the voice is, which is called after them:
/// `Klingon` for `piqd`, `English (Caribbean)` for `en-029`.
pub fn tongue(voice: &VoiceInfo) -> String {
    let (base, region) = voice.language.split_once('-').unwrap_or((&voice.language, ""));
    let country = region.is_empty() || (region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_uppercase()));
    let known = country && language_name(base) != base;
    if known || voice.kind != VoiceKind::Espeak { spoken(&voice.language) } else { voice.name.clone() }
}

fn background_entry(entry: &backdrop::Backdrop) -> Value {
    json!({
        "name": entry.name, "title": entry.title, "tags": entry.tags,
        "url": format!("/images/background/{}.png", entry.name),
        "uprightUrl": format!("/images/background/{}-portrait.png", entry.name),
        "picture": format!("/app/backgrounds/{}.png", entry.name),
        "uprightPicture": format!("/app/backgrounds/{}-portrait.png", entry.name),
    })
}

/// Somebody before a plain wall, upright, down to the hips.
async fn portrait(
    State(office): State<Arc<Office>>,
    member: Member,
    Path((id, outfit)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let (bytes, media_type) = office.bust(&member.who.account.id, &id, &outfit).await?;
    Ok(kept_by_browsers(bytes, media_type))
}

/// Every shape of the mouth, and what the eyes can do.
async fn sheet(
    State(office): State<Arc<Office>>,
    Path((id, outfit)): Path<(String, String)>,
) -> Result<Response, Fault> {
    Ok(kept_by_browsers(office.contact_sheet(&id, &outfit).await?, "image/png"))
}

/// `office.png`, `office-portrait.png`, small.
async fn background(State(office): State<Arc<Office>>, Path(file): Path<String>) -> Result<Response, Fault> {
    let name = file.strip_suffix(".png").ok_or_else(|| Fault::missing("background"))?;
    Ok(kept_by_browsers(office.backdrop(name).await?, "image/png"))
}

#[derive(Deserialize)]
struct Language {
    #[serde(default)]
    language: Option<String>,
}

/// A sentence in the voice's own language, or in another one that it is given.
async fn sample(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Query(Language { language }): Query<Language>,
) -> Result<Response, Fault> {
    let voice = voices(&office).into_iter().find(|voice| voice.id == id).ok_or_else(|| Fault::missing("voice"))?;
    let language = language.unwrap_or(voice.language);
    let who = Who::Voice { id, speed: 1.0, language: Some(language.clone()) };
    Ok(kept_by_browsers(office.say(&member.who.account.id, sentence(&language), who).await?, "audio/wav"))
}

/// A presenter's own voice for a language.
async fn own_sample(
    State(office): State<Arc<Office>>,
    member: Member,
    Path(id): Path<String>,
    Query(Language { language }): Query<Language>,
) -> Result<Response, Fault> {
    let info = office.presenter_for(&member.who.account.id, &id).ok_or_else(|| Fault::missing("presenter"))?;
    let language = language.or_else(|| info.voices.first().map(|voice| voice.language.clone()));
    let known = language.filter(|language| info.voices.iter().any(|voice| voice.language == *language));
    let language = known.ok_or_else(|| Fault::missing("language"))?;
    let who = Who::Presenter { id: info.id, language: Some(language.clone()) };
    Ok(kept_by_browsers(office.say(&member.who.account.id, sentence(&language), who).await?, "audio/wav"))
}

/// What samples say.
pub fn sentence(language: &str) -> &'static str {
    const SENTENCES: [(&str, &str); 22] = [
        ("ar", "مرحبا! هكذا يبدو صوتي في الفيلم."),
        ("cs", "Dobrý den! Takhle zní můj hlas ve filmu."),
        ("da", "Hej! Sådan lyder min stemme i en film."),
        ("de", "Guten Tag! So klingt meine Stimme in einem Film."),
        ("el", "Γεια σας! Έτσι ακούγεται η φωνή μου σε μια ταινία."),
        ("es", "¡Hola! Así suena mi voz en una película."),
        ("fi", "Hei! Tältä ääneni kuulostaa elokuvassa."),
        ("fr", "Bonjour ! Voilà comment ma voix sonne dans un film."),
        ("hi", "नमस्ते! फ़िल्म में मेरी आवाज़ ऐसी लगती है।"),
        ("hu", "Jó napot! Így szól a hangom egy filmben."),
        ("id", "Halo! Beginilah suara saya di dalam film."),
        ("it", "Buongiorno! Così suona la mia voce in un film."),
        ("ja", "こんにちは。映画の中では、私の声はこのように聞こえます。"),
        ("ko", "안녕하세요. 영화에서 제 목소리는 이렇게 들립니다."),
        ("nl", "Hallo! Zo klinkt mijn stem in een film."),
        ("pl", "Dzień dobry! Tak brzmi mój głos w filmie."),
        ("pt", "Olá! É assim que a minha voz soa num filme."),
        ("ru", "Здравствуйте! Так звучит мой голос в фильме."),
        ("sv", "Hej! Så här låter min röst i en film."),
        ("tr", "Merhaba! Sesim bir filmde böyle duyuluyor."),
        ("uk", "Вітаю! Так звучить мій голос у фільмі."),
        ("zh", "你好！我的声音在影片里就是这样的。"),
    ];
    let base = language.split('-').next().unwrap_or(language);
    let found = SENTENCES.iter().find(|(known, _)| *known == base || (base == "cmn" && *known == "zh"));
    found.map_or("Hello! This is how my voice sounds in a film.", |(_, sentence)| sentence)
}

/// The first scene of what a new film can begin as, drawn by `scripts/portraits.sh`: nobody who begins a film wants to wait for
/// its presenter.
async fn start(_member: Member, Path(file): Path<String>) -> Result<Response, Fault> {
    let kept = DRAWN.iter().find(|(name, _)| *name == file).ok_or_else(|| Fault::missing("template"))?;
    Ok(kept_by_browsers(Bytes::from_static(kept.1), "image/webp"))
}

macro_rules! drawn {
    ($($name:literal),+) => { &[$(($name, include_bytes!(concat!("../../../static/starts/", $name)))),+] };
}

const DRAWN: &[(&str, &[u8])] = drawn!["blank.webp", "upright.webp", "welcome.webp", "training.webp", "news.webp"];

#[cfg(test)]
mod tests {
    use super::DRAWN;
    use crate::web::STARTS;

    #[test]
    fn whatever_a_film_can_begin_as_is_seen_at_once() {
        for (name, ..) in STARTS {
            let kept = DRAWN.iter().find(|(file, _)| file.strip_suffix(".webp") == Some(name));
            let (_, bytes) = kept.unwrap_or_else(|| panic!("{name} has no picture: scripts/portraits.sh"));
            assert_eq!((&bytes[..4], &bytes[8..12]), (&b"RIFF"[..], &b"WEBP"[..]), "{name}");
            assert!((1000..=15_000).contains(&bytes.len()), "{name}: {}", bytes.len());
        }
    }
}
