//! One text, one presenter: video on chroma green, the voice alone, or the voice while somebody waits.

use std::sync::Arc;

use compere_house::desk::{Desk, Who};
use compere_scene::{Catalogue, Code, Problem, Speaker};
use compere_speech::same_language;
use compere_store::{Asset, Key, Movement, ProjectKind, new_id};
use serde_json::{Value, json};

use crate::accept::Draft;
use crate::older::with_options;
use crate::refusal::problem;
use crate::turns::Work;
use crate::{Accepted, Checked, Member, Office, Refusal};

/// What is spoken while somebody waits; longer texts are for exports.
const CHARS: usize = 3000;
/// The same with a test key.
const TEST_CHARS: usize = 300;

/// A text that was spoken.
#[derive(Debug)]
pub struct Spoken {
    /// Where the sound can be had for some days.
    pub asset: Asset,
    pub seconds: f64,
    pub voice: String,
    pub meta_list: Value,
    pub warnings: Vec<String>,
}

impl Office {
    /// Makes a project of a text and a presenter, and exports it where the request, or else `by_default`, says so.
    pub async fn create_simple(
        &self,
        member: &Member,
        body: &Value,
        kind: ProjectKind,
        by_default: bool,
    ) -> Result<Accepted, Refusal> {
        let limits = self.settings.limits.of_scenes();
        let house = self.house_of(&member.account.id);
        let film = match kind {
            ProjectKind::SimpleAudio => compere_scene::simple_audio_to_project(body, &limits, &*house),
            _ => compere_scene::simple_video_to_project(body, &limits, &*house),
        };
        let film = film.map_err(|problems| with_options(body, problems))?;
        let (options, checked) = self.read(member, kind, body, &film).await.map_err(in_words_of_the_request)?;
        let export = options.is_export.unwrap_or(by_default);
        let draft = Draft { request: Some(body.clone()), ..Draft::new(kind, film) };
        let project = self.found(member, draft, &options, &checked, export).await?;
        Ok(Accepted { project, warnings: checked.resolved.warnings })
    }

    /// Speaks a text at once.
    pub async fn speak(&self, member: &Member, body: &Value) -> Result<Spoken, Refusal> {
        let mut limits = self.settings.limits.of_scenes();
        limits.script_chars = limits.script_chars.min(if member.test { TEST_CHARS } else { CHARS });
        let house = self.house_of(&member.account.id);
        let film = compere_scene::simple_audio_to_project(body, &limits, &*house);
        let film = film.map_err(|problems| with_options(body, problems))?;
        let read = self.read(member, ProjectKind::SimpleAudio, body, &film).await;
        let (_, checked) = read.map_err(in_words_of_the_request)?;
        let text = body["text"].as_str().unwrap_or_default().to_owned();
        let needed = checked.credits();
        let balance = self.register.balance(&member.account).await?;
        if let Some(balance) = balance.filter(|balance| !member.test && *balance < needed) {
            return Err(Refusal::Credits { balance, needed });
        }
        let who = self.speaker(body, &checked)?;
        let foreign = self.foreign(body, &who);
        let say = |desk: Arc<dyn Desk>| async move { desk.say(text, who).await };
        let speech = self.ask(&member.account.id, Work::Speech, say).await?;
        if !member.test {
            let needed = compere_jobs::credits_for(speech.seconds);
            let paid = self.store.charge(&member.account.id, Movement::Speech, needed, "speech").await?;
            paid.map_err(|balance| Refusal::Credits { balance, needed })?;
        }
        let _held = self.hold_room(&member.account, speech.wav.len() as i64).await?;
        let now = self.now();
        let asset = Asset {
            id: new_id(now),
            account: member.account.id.clone(),
            name: "speech.wav".to_owned(),
            media_type: "audio/wav".to_owned(),
            size: speech.wav.len() as i64,
            created_at: now,
            // Fetched within days and never looked at again; who wants to keep it uploads it.
            expires_at: Some(now + i64::from(self.settings.keep_exports) * 86_400_000),
        };
        self.objects.put(&Key::Asset(asset.id.clone()), speech.wav.into()).await?;
        self.store.add_asset(&asset).await?;
        Ok(Spoken {
            asset,
            seconds: speech.seconds,
            voice: speech.voice,
            meta_list: speech.meta_list,
            warnings: foreign.into_iter().chain(speech.warnings).collect(),
        })
    }

    /// A voice speaks its own language, whatever is asked of it: who names both is told where they do not fit.
    fn foreign(&self, body: &Value, who: &Who) -> Option<String> {
        let Who::Voice { id, .. } = who else { return None };
        let own = &self.house.find_voice(id)?.languages;
        let fits =
            |wanted: &str| wanted.is_empty() || own.is_empty() || own.iter().any(|own| same_language(own, wanted));
        let said = [("tts.language", &body["tts"]["language"]), ("language", &body["language"])];
        let mut said = said.into_iter().filter_map(|(path, wanted)| Some((path, wanted.as_str()?.trim())));
        let (path, wanted) = said.find(|(_, wanted)| !fits(wanted))?;
        let wanted: String = wanted.chars().take(40).collect();
        Some(format!("{path}: `{id}` speaks {}, not `{wanted}`", own.join(", ")))
    }

    /// A text spoken by a voice that needs no presenter: `{script, model, language}`, as the vendor's tool has it.
    pub async fn speak_as(&self, member: &Member, body: &Value) -> Result<Spoken, Refusal> {
        let text = |key: &str| body[key].as_str().map(str::trim).filter(|text| !text.is_empty());
        let mut problems = Vec::new();
        for (key, what) in
            [("script", "the text to be spoken"), ("model", "the id of a voice"), ("language", "a language")]
        {
            if text(key).is_none() {
                problems.push(problem(key, format!("must be {what}")));
            }
        }
        if !problems.is_empty() {
            return Err(Refusal::Problems(problems));
        }
        let who = self.presenter_of(Some(&member.account));
        let asked = json!({
            "text": body["script"], "language": body["language"], "model": who.model, "clothes": who.cloth,
            "tts": { "voice": body["model"], "language": body["language"] },
        });
        let words = [("text", "script"), ("tts.voice", "model"), ("tts", "model")];
        self.speak(member, &asked).await.map_err(|refusal| match refusal {
            Refusal::Problems(mut problems) => {
                for problem in &mut problems {
                    if let Some((_, own)) = words.iter().find(|(path, _)| *path == problem.path) {
                        (*own).clone_into(&mut problem.path);
                    }
                }
                Refusal::Problems(problems)
            }
            other => other,
        })
    }

    fn speaker(&self, body: &Value, checked: &Checked) -> Result<Who, Refusal> {
        let line = checked.resolved.film.scenes.first().and_then(|scene| scene.lines.first());
        let language = body["language"].as_str().map(str::to_owned);
        match body.get("tts").filter(|tts| !tts.is_null()) {
            Some(tts) => {
                let named = tts["voice"].as_str().or_else(|| tts["model"].as_str()).unwrap_or_default();
                let Some(voice) = self.house.find_voice(named) else {
                    let unknown = Problem {
                        code: Code::UnknownVoice,
                        ..problem("tts.voice", format!("`{named}` is not a voice; GET /api/odin/v3/voices lists them"))
                    };
                    return Err(Refusal::Problems(vec![unknown]));
                };
                let speed = tts["speed"].as_f64().unwrap_or(1.0);
                if !(0.5..=2.0).contains(&speed) {
                    return Err(Refusal::field("tts.speed", "must be from 0.5 to 2"));
                }
                let language = tts["language"].as_str().map(str::to_owned);
                Ok(Who::Voice { id: voice.id.clone(), speed, language })
            }
            None => match line.map(|line| &line.speaker) {
                Some(Speaker::Avatar { avatar, .. }) => Ok(Who::Presenter { id: avatar.clone(), language }),
                Some(Speaker::Voice { voice, speed, .. }) => {
                    Ok(Who::Voice { id: voice.clone(), speed: *speed, language: None })
                }
                None => Err(Refusal::field("text", "must not be empty")),
            },
        }
    }
}

/// The project is ours; what is wrong with it stands in the request as `text` or `model`.
fn in_words_of_the_request(refusal: Refusal) -> Refusal {
    let Refusal::Problems(mut problems) = refusal else { return refusal };
    for problem in &mut problems {
        for (ours, theirs) in [("scenes[0].scripts[0]", "text"), ("scenes[0].clips[0]", "model")] {
            if problem.path.starts_with(ours) {
                problem.path = theirs.to_owned();
            }
            problem.message = problem.message.replace(ours, theirs);
        }
    }
    Refusal::Problems(problems)
}
