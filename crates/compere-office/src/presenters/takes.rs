//! Takes: files of footage, each with what is said in it.

use std::time::Duration;

use compere_codec::sniff::media_type;
use compere_house::assets::{Fetcher, site};
use compere_own::{Finding, Tongue};
use compere_scene::{Code, Problem};
use compere_store::{Key, OwnPresenter, PresenterKind, PresenterState, Take, WithdrawnBy};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::{closed, form_of, tongue_of};
use crate::ask::Ask;
use crate::files::Offer;
use crate::refusal::problem;
use crate::turns::Work;
use crate::uploads::head;
use crate::{Member, Office, Refusal, Upload, schema};

/// Takes of one presenter.
const MOST: usize = 120;
/// Letters of what is said in one.
const SAID: usize = 2000;
const PHOTOS: [&str; 4] = ["image/jpeg", "image/png", "image/webp", "image/avif"];
const GLTF: &[u8] = b"glTF";
const BINARY_GLTF: &str = "model/gltf-binary";
/// For a linked video to come.
const PATIENCE: Duration = Duration::from_secs(300);
pub(super) const IDLE: &str = "idle";
/// Free talk, of which nobody needs to know the text.
pub(super) const TALK: &str = "talk";
/// A film of many lines.
pub(super) const ALL: &str = "all";
pub(super) const CONSENT: &str = "consent";
pub(super) const PHOTO: &str = "photo";
pub(super) const MODEL: &str = "model";
/// A video that came before anybody told what is said in it.
pub(super) const VIDEO: &str = "video";

/// What a take is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeOf {
    /// One of the lines that are given out, from 1.
    Prompt(usize),
    /// A text of one's own.
    Said(String),
    /// Many lines in one film: these, or else all that are given out.
    All(Option<String>),
    /// Silence with relaxed lips, which films are made on.
    Idle,
    /// Free talk, which films are made on as well.
    Talk,
    /// The portrait, of a presenter that is made of one.
    Photo,
    /// The file, of a presenter that is made of one.
    Model,
    /// The consent.
    Consent,
    /// Somebody speaks, and what is not known yet.
    Unheard,
}

impl TakeOf {
    /// Reads `prompt` (`7`, `idle`, `talk`) or `text` of a request.
    pub fn read(request: &Value) -> Result<Self, Refusal> {
        let (prompt, text) = Ask::read(request, &schema::TAKE, |ask| (ask.word("prompt"), ask.word("text")))?;
        // There are as many in every language.
        let count = Tongue::english().lines().count();
        match (prompt, text) {
            (Some(prompt), text) if prompt.eq_ignore_ascii_case(ALL) => Self::all(text),
            (Some(prompt), None) if prompt.eq_ignore_ascii_case(IDLE) => Ok(Self::Idle),
            (Some(prompt), None) if prompt.eq_ignore_ascii_case(TALK) => Ok(Self::Talk),
            (Some(prompt), None) if prompt.eq_ignore_ascii_case(PHOTO) => Ok(Self::Photo),
            (Some(prompt), None) if prompt.eq_ignore_ascii_case(MODEL) => Ok(Self::Model),
            (Some(prompt), None) => match prompt.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => Ok(Self::Prompt(number)),
                _ => {
                    let known = format!(
                        "must be a number from 1 to {count}, `{ALL}`, `{IDLE}`, `{TALK}`, `{PHOTO}` or `{MODEL}`"
                    );
                    Err(Refusal::field("prompt", known))
                }
            },
            (None, Some(text)) if text.chars().count() > SAID => {
                Err(Refusal::field("text", format!("must have at most {SAID} characters; send longer speech in parts")))
            }
            (None, Some(text)) => Ok(Self::Said(text)),
            (Some(_), Some(_)) => {
                Err(Refusal::field("text", "must not be there beside `prompt`: one of them says it all"))
            }
            (None, None) => Err(Refusal::field(
                "prompt",
                format!("must be a number from 1 to {count} or `{IDLE}`; for a text of your own give `text` instead"),
            )),
        }
    }

    /// All prompts in one film, or lines of one's own, one to a line.
    fn all(text: Option<String>) -> Result<Self, Refusal> {
        let Some(lines) = text else { return Ok(Self::All(None)) };
        let count = lines.lines().filter(|line| !line.trim().is_empty()).count();
        if !(1..=MOST).contains(&count) || lines.chars().count() > 5 * SAID {
            let right = format!("must be 1 to {MOST} lines, one below the other, of {} characters at most", 5 * SAID);
            return Err(Refusal::field("text", right));
        }
        Ok(Self::All(Some(lines)))
    }

    /// What the take is known by. A later one of the same name takes its place.
    pub fn name(&self) -> String {
        match self {
            Self::Prompt(number) => format!("{number:02}"),
            Self::Said(text) => format!("said-{}", &blake3::hash(text.as_bytes()).to_hex()[..8]),
            Self::All(_) => ALL.to_owned(),
            Self::Idle => IDLE.to_owned(),
            Self::Talk => TALK.to_owned(),
            Self::Photo => PHOTO.to_owned(),
            Self::Model => MODEL.to_owned(),
            Self::Consent => CONSENT.to_owned(),
            Self::Unheard => VIDEO.to_owned(),
        }
    }

    /// What its file is, which has to be of the right family.
    fn media_type(&self, head: &[u8]) -> Result<&'static str, Refusal> {
        let kind = if head.starts_with(GLTF) { Some(BINARY_GLTF) } else { media_type(head) };
        // Operators look at it in their browsers: no drawing that can carry a script.
        let (families, right): (&[&str], _) = match self {
            Self::Photo => (&PHOTOS, "a photo as JPEG, PNG, WebP or AVIF"),
            Self::Model => (&[BINARY_GLTF], "a model as GLB (binary glTF 2.0) or VRM"),
            _ => (&["video/"], "a video with sound, such as MP4 or WebM"),
        };
        kind.filter(|kind| families.iter().any(|family| kind.starts_with(family))).ok_or_else(|| {
            let what = kind.unwrap_or("something unknown");
            Refusal::field("file", format!("must be {right}; this is {what}"))
        })
    }

    /// Whether a presenter of this kind is made of such a take.
    fn belongs_to(&self, kind: PresenterKind) -> Result<(), Refusal> {
        let wrong = match (kind, self) {
            (PresenterKind::Photo, Self::Photo | Self::Consent) | (PresenterKind::Model, Self::Model) => return Ok(()),
            (PresenterKind::Photo, _) => "must be `photo`: this presenter is made of one",
            (PresenterKind::Model, _) => "must be `model`: this presenter is made of one, and nobody is filmed for it",
            (PresenterKind::Footage, Self::Photo) => {
                "must not be `photo`: begin a presenter with `kind` = `photo` for that"
            }
            (PresenterKind::Footage, Self::Model) => {
                "must not be `model`: begin a presenter with `kind` = `model` for that"
            }
            (PresenterKind::Footage, _) => return Ok(()),
            (PresenterKind::Design, _) => "must not be sent: this presenter is designed, and made of nothing else",
        };
        Err(Refusal::field("prompt", wrong))
    }

    /// By somebody who is given lines in a language.
    fn said(&self, tongue: &Tongue) -> String {
        match self {
            Self::Prompt(number) => tongue.line(*number).unwrap_or_default().to_owned(),
            Self::All(None) => tongue.prompts().to_owned(),
            Self::Said(text) | Self::All(Some(text)) => text.clone(),
            Self::Idle | Self::Talk | Self::Photo | Self::Model | Self::Consent | Self::Unheard => String::new(),
        }
    }
}

impl Office {
    /// Takes a file of footage in, instead of the one of the same name.
    pub async fn add_take(&self, member: &Member, id: &str, of: TakeOf, upload: Upload) -> Result<Take, Refusal> {
        self.take_in(member, id, of, (upload, None)).await
    }

    /// The same; beside it the account's file that it is a copy of.
    async fn take_in(
        &self,
        member: &Member,
        id: &str,
        of: TakeOf,
        (upload, asset): (Upload, Option<String>),
    ) -> Result<Take, Refusal> {
        let found = self.open_presenter(member, id).await?;
        let kind = of.media_type(&head(upload.file.path()).map_err(Refusal::inside)?)?;
        of.belongs_to(found.kind)?;
        let takes = self.store.takes(&found.id).await?;
        let said = match &of {
            TakeOf::Consent => match form_of(&found) {
                Some(form) => form.text(),
                None => {
                    return Err(Refusal::Untimely(
                        "nobody was given a text to read yet; POST /api/odin/v3/avatars/{id}/consent with `person` and `purpose` \
                     gives one",
                    ));
                }
            },
            of => of.said(tongue_of(&found)),
        };
        if takes.len() >= MOST && !takes.iter().any(|take| take.name == of.name()) {
            return Err(Refusal::Untimely("the presenter has a hundred and twenty takes; more do not make it better"));
        }
        let _held = self.hold_room(&member.account, upload.size as i64).await?;
        let take = Take {
            presenter: found.id.clone(),
            name: of.name(),
            said,
            media_type: kind.to_owned(),
            size: upload.size as i64,
            created_at: self.now(),
            asset,
        };
        let (_, path) = upload.file.keep().map_err(Refusal::inside)?;
        self.objects.put_file(&Key::Take(found.id.clone(), take.name.clone()), &path).await?;
        let left = others(&found, &take.name);
        if !self.store.put_take(&take, Some(&left)).await? {
            return Err(closed(PresenterState::Queued));
        }
        let language = match &of {
            TakeOf::Consent => form_of(&found).map(|form| form.spoken_in(&found.language).to_owned()),
            _ => None,
        };
        self.prompter.note(&found.id, language.as_deref().unwrap_or(&found.language), &take.said);
        Ok(take)
    }

    /// The same of a file that was uploaded before, which stays where it is.
    pub async fn take_of_upload(&self, member: &Member, id: &str, of: TakeOf, asset: &str) -> Result<Take, Refusal> {
        self.open_presenter(member, id).await?;
        let found = self.store.asset(asset).await?.filter(|asset| asset.account == member.account.id);
        let found =
            found.ok_or_else(|| Refusal::field("assetId", format!("`{asset}` is none of the account's files")))?;
        let (file, size) = (self.fetched(&found).await?, found.size as u64);
        self.take_in(member, id, of, (Upload { file, name: found.name, size }, Some(found.id))).await
    }

    /// Tells what is said in a take that came without.
    pub async fn say_take(&self, member: &Member, id: &str, name: &str, text: &str) -> Result<Take, Refusal> {
        let found = self.open_presenter(member, id).await?;
        let takes = self.store.takes(&found.id).await?;
        let take = takes.into_iter().find(|take| take.name == name).filter(|take| take.name == VIDEO);
        let Some(take) = take else {
            return Err(Refusal::field("name", format!("must be `{VIDEO}`, where such a take came without its text")));
        };
        if text.trim().is_empty() || text.chars().count() > 5 * SAID {
            return Err(Refusal::field("text", format!("must be what is said, in at most {} characters", 5 * SAID)));
        }
        let take = Take { said: text.trim().to_owned(), ..take };
        let left = others(&found, &take.name);
        if self.store.put_take(&take, Some(&left)).await? { Ok(take) } else { Err(closed(PresenterState::Queued)) }
    }

    /// Takes one away.
    pub async fn drop_take(&self, member: &Member, id: &str, name: &str) -> Result<(), Refusal> {
        let found = self.open_presenter(member, id).await?;
        if !self.store.delete_take(&found.id, name).await? {
            return Err(Refusal::missing("take"));
        }
        Ok(self.objects.delete(&Key::Take(found.id, name.to_owned())).await?)
    }

    /// A take, to be looked at by its owner, or by an operator where `anybody` is true.
    pub async fn take_offer(&self, member: &Member, id: &str, name: &str, anybody: bool) -> Result<Offer, Refusal> {
        let found = match anybody {
            true => self.store.any_presenter(id).await?.ok_or_else(|| Refusal::missing("presenter"))?,
            false => self.own_presenter(member, id).await?,
        };
        let take = self.store.takes(&found.id).await?.into_iter().find(|take| take.name == name);
        Ok(Self::take_file(&take.ok_or_else(|| Refusal::missing("take"))?))
    }

    /// As the vendor has it: a presenter of one video, which is linked. What is missing is told with it.
    pub async fn presenter_of_video(&self, member: &Member, request: &Value) -> Result<OwnPresenter, Refusal> {
        let (link, text, gender, locale) = Ask::read(request, &schema::CUSTOM_AVATAR, |ask| {
            let link = ask.need_text("url", "must be the address of a video");
            ask.need_text("name", "must be what the presenter is called");
            let gender = ask.choice("gender", &["NEUTRAL", "FEMALE", "MALE"]).to_lowercase();
            let locale = ask.choice("locale", &["en", "ko", "zh"]);
            for key in ["perFrame", "isWebcam"] {
                ask.flag(key);
            }
            (link, ask.word("text"), gender, locale)
        })?;
        let language = match locale {
            "ko" => "ko-KR",
            "zh" => "zh-CN",
            _ => "en-US",
        };
        let new = json!({ "name": request["name"], "gender": gender, "language": language });
        self.presenter_of_link(member, link, &new, text.map_or(TakeOf::Unheard, TakeOf::Said)).await
    }

    /// As the vendor has it: a presenter of one photo, which is linked. What is missing is told with it.
    pub async fn presenter_of_photo(&self, member: &Member, request: &Value) -> Result<OwnPresenter, Refusal> {
        let (link, gender) = Ask::read(request, &schema::DREAM_AVATAR, |ask| {
            let link = ask.need_text("url", "must be the address of a photo");
            ask.need_text("name", "must be what the presenter is called");
            (link, ask.choice("gender", &["NEUTRAL", "FEMALE", "MALE"]).to_lowercase())
        })?;
        let new = json!({ "kind": "photo", "name": request["name"], "gender": gender });
        self.presenter_of_link(member, link, &new, TakeOf::Photo).await
    }

    async fn presenter_of_link(
        &self,
        member: &Member,
        link: String,
        new: &Value,
        of: TakeOf,
    ) -> Result<OwnPresenter, Refusal> {
        let upload = self.linked(member, link, &of).await?;
        let made = self.new_presenter(member, new).await?;
        if let Err(refusal) = self.take_in(member, &made.id, of, upload).await {
            self.store.withdraw_presenter(&made.id, WithdrawnBy::Account).await?;
            return Err(match refusal {
                // It came by a link, not in a form.
                Refusal::Problems(mut all) => {
                    all.iter_mut().filter(|one| one.path == "file").for_each(|one| "url".clone_into(&mut one.path));
                    Refusal::Problems(all)
                }
                other => other,
            });
        }
        self.own_presenter(member, &made.id).await
    }

    /// A linked video or photo, by the rules for every link; beside it the account's file where it leads to one.
    async fn linked(&self, member: &Member, link: String, of: &TakeOf) -> Result<(Upload, Option<String>), Refusal> {
        let (what, file) = match of {
            TakeOf::Photo => ("photo", "me.jpg"),
            _ => ("video", "me.mp4"),
        };
        let unreachable = |message: String| {
            Refusal::Problems(vec![Problem { code: Code::AssetUnreachable, ..problem("url", message) }])
        };
        if let Some(Key::Asset(id)) = self.links.own(&link).and_then(|path| self.links.leads_to(path)) {
            let found = self.store.asset(&id).await?.filter(|asset| asset.account == member.account.id);
            let found = found.ok_or_else(|| unreachable("leads to a file that is there no more".to_owned()))?;
            let (file, size) = (self.fetched(&found).await?, found.size as u64);
            return Ok((Upload { file, name: found.name, size }, Some(found.id)));
        }
        if site::is_site_path(&link) {
            return Err(unreachable(format!("must be the address of a {what}, like `https://example.com/{file}`")));
        }
        let (settings, dir) = (self.fetching("pages", self.settings.limits.asset, PATIENCE), self.arrivals());
        let turn = self.turns.wait(&member.account.id, Work::Writing).await?;
        let fetching = tokio::task::spawn_blocking(move || {
            let fetcher = Fetcher::new(settings).map_err(|error| error.to_string())?;
            let found = fetcher.fetch(&link).map_err(|error| error.to_string())?;
            let copy = || {
                std::fs::create_dir_all(&dir)?;
                let file = NamedTempFile::new_in(&dir)?;
                let size = std::fs::copy(&found, file.path())?;
                Ok::<_, std::io::Error>((file, size))
            };
            let copied = copy().map_err(|error| error.to_string());
            drop(turn);
            copied
        });
        let (file, size) = fetching.await.map_err(Refusal::inside)?.map_err(unreachable)?;
        Ok((Upload { file, name: VIDEO.to_owned(), size }, None))
    }
}

/// What was found in the footage, without what was found in one take.
fn others(presenter: &OwnPresenter, take: &str) -> Value {
    let mut left: Vec<Finding> = findings(presenter);
    left.retain(|finding| finding.about != take && !(take == IDLE && finding.about == "the base take"));
    left.retain(|finding| !(take == TALK && finding.about == "the free talk"));
    left.retain(|finding| !(take == CONSENT && finding.about == "the consent"));
    left.retain(|finding| !(take == PHOTO && finding.about == "the photo"));
    left.retain(|finding| !(take == MODEL && finding.about == "the model"));
    json!(left)
}

pub(super) fn findings(presenter: &OwnPresenter) -> Vec<Finding> {
    presenter.findings.clone().and_then(|list| serde_json::from_value(list).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_take_is_a_prompt_a_text_or_silence() {
        let read = |request: Value| TakeOf::read(&request);
        assert_eq!(read(json!({"prompt": 7})).map(|of| of.name()), Ok("07".to_owned()));
        assert_eq!(read(json!({"prompt": "idle"})), Ok(TakeOf::Idle));
        let talk = read(json!({"prompt": "talk"})).expect("free talk");
        let english = Tongue::english();
        assert_eq!((talk.name().as_str(), talk.said(english).as_str()), ("talk", ""));
        let said = read(json!({"text": " Good morning. "})).expect("a text");
        assert_eq!((said.said(english).as_str(), said.name().len()), ("Good morning.", 13));
        let german = Tongue::of("de-CH").expect("German");
        for of in [json!({"prompt": 7}), json!({"prompt": "all"})] {
            let [one, other] = [english, german].map(|tongue| read(of.clone()).expect("lines").said(tongue));
            assert!(one != other && one.lines().count() == other.lines().count(), "{of}");
        }
        for wrong in [
            json!({}),
            json!({"prompt": 0}),
            json!({"prompt": 41}),
            json!({"prompt": 1, "text": "x"}),
            json!({"prompt": "talk", "text": "x"}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
