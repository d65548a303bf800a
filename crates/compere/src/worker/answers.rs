//! Questions, answered.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use compere_avatar::{Design, NoCache, Slip, paint_portrait};
use compere_codec::image::{self, Want};
use compere_codec::sandbox::Left;
use compere_codec::sound::master_sound;
use compere_codec::wav::{self, Depth};
use compere_house::Kind;
use compere_media::FRAME_RATE;
use compere_render::{Glance, Progress, RenderError, Stills, Studio, Watcher};
use compere_scene::{Code, Film, Limits, Resolution, Speaker, SpeechLine};
use compere_speech::Voices;
use serde_json::{Value, json};

use super::films;
use super::protocol::{
    Answer, Checked, DeskError, Dress, Flaw, MediaLength, Picture, Question, SceneLength, Speech, View, Who,
};
use crate::worker::studio::LocalStudio;
use compere_house::settings::Settings;

/// Where a viewer stops seeing the difference on a preview.
const JPEG_QUALITY: u8 = 85;
const WIDEST: u32 = 3840;
/// Of a design that is looked at.
const WIDEST_LOOK: u32 = 720;
const UNREACHABLE: Kind = Kind::Invalid(Code::AssetUnreachable);

/// Keeps what the next question of the same kind may need.
pub(super) struct Answers<'a> {
    studio: &'a LocalStudio,
    limits: Limits,
    stills: Stills,
}

impl<'a> Answers<'a> {
    pub(super) fn new(studio: &'a LocalStudio, settings: &Settings) -> Self {
        Self { studio, limits: settings.limits.of_scenes(), stills: Stills::new(!settings.ai_label) }
    }

    /// A bug met by one question must not take the answers to others along. `left` turns true when nobody waits for it
    /// any more: it is given up between two steps then.
    pub(super) fn answer(
        &self,
        question: Question,
        account: &str,
        left: &Arc<AtomicBool>,
    ) -> Result<Answer, DeskError> {
        let asker = Asker { left, account };
        if asker.has_left() {
            return Err(of_render(RenderError::Cancelled));
        }
        let answered = catch_unwind(AssertUnwindSafe(|| match question {
            Question::Still { project, view } => self.still(&project, view, &asker),
            Question::Say { text, speaker, dictionary } => self.say(&text, speaker, &dictionary, &asker),
            Question::Check { project } => self.check(&project, &asker).map(Answer::Checked),
            Question::Size { link } => self.size(&link, &asker),
            Question::BakeAhead { project } => self.bake_ahead(&project, &asker),
            Question::Look { design, dress } => self.look(&design, &dress),
        }));
        answered.unwrap_or_else(|_| Err(DeskError::new(Kind::Internal, "the question met a fault of ours")))
    }

    fn still(&self, project: &Value, view: View, asker: &Asker<'_>) -> Result<Answer, DeskError> {
        let View { scene, at, width, jpeg, soon } = view;
        let width = width.clamp(16, WIDEST);
        let mut film = self.film(project, asker.account)?;
        if scene >= film.scenes.len() {
            let message = format!("there is no scene {scene}; the project has {}, counted from 0", film.scenes.len());
            return Err(DeskError::new(Kind::Invalid(Code::InvalidBody), message));
        }
        // The smallest picture that is not smaller than the one wanted.
        let wide_enough = |resolution: &Resolution| film.orientation.turned(resolution.landscape()).0 >= width;
        film.resolution = Resolution::ALL.into_iter().find(wide_enough).unwrap_or(Resolution::P4k);
        let still = self.stills.still(&film, Glance { scene, at, soon }, self.studio, asker).map_err(of_render)?;
        let picture = image::frame_to_pixmap(&still.frame);
        let picture = image::shrunk(picture, Want { max_width: width, max_height: u32::MAX });
        let (bytes, media_type) = if jpeg {
            (image::pixmap_to_jpeg(&picture, JPEG_QUALITY), "image/jpeg")
        } else {
            (image::pixmap_to_png(&picture), "image/png")
        };
        let bytes = bytes.map_err(|error| DeskError::new(Kind::Internal, error.to_string()))?;
        Ok(Answer::Picture(Picture {
            bytes: image::commented(bytes, still.comment),
            media_type: media_type.to_owned(),
            width: picture.width(),
            height: picture.height(),
            spoken: still.spoken,
            sketched: still.sketched,
        }))
    }

    fn say(
        &self,
        text: &str,
        who: Who,
        dictionary: &[(String, String)],
        asker: &Asker<'_>,
    ) -> Result<Answer, DeskError> {
        let speaker = match who {
            Who::Presenter { id, language } => Speaker::Avatar { avatar: id, outfit: String::new(), language },
            Who::Voice { id, speed, language } => {
                self.voices()
                    .get(&id)
                    .map_err(|error| DeskError::new(Kind::Invalid(Code::UnknownVoice), error.to_string()))?;
                Speaker::Voice { voice: id, speed: speed.clamp(0.5, 2.0), language }
            }
        };
        let parts = compere_scene::parts(text);
        let (marks, steps, path) = (Vec::new(), Vec::new(), "text".to_owned());
        let line = SpeechLine { parts, marks, steps, speaker, clip: None, audio: None, path };
        if line.is_silent() {
            return Err(DeskError::new(Kind::Invalid(Code::InvalidBody), "text: there is nothing to say"));
        }
        let mut on = || asker.stays();
        let said = compere_render::say(&line, dictionary, self.studio.workshop(), &mut on).map_err(of_render);
        let (spoken, voice) = said?;
        let mut sound = spoken.utterance.sound;
        master_sound(&mut sound);
        Ok(Answer::Spoken(Speech {
            wav: wav::to_bytes(&sound, Depth::Bits16)
                .map_err(|error| DeskError::new(Kind::Internal, error.to_string()))?,
            seconds: sound.seconds(),
            voice,
            meta_list: films::words(&spoken.utterance.marks),
            warnings: spoken.warnings.iter().map(ToString::to_string).collect(),
        }))
    }

    fn voices(&self) -> &Voices {
        &self.studio.workshop().voices
    }

    fn check(&self, project: &Value, asker: &Asker<'_>) -> Result<Checked, DeskError> {
        let resolved = match compere_scene::resolve(project, &self.limits, &*self.studio.catalogue_of(asker.account)) {
            Ok(resolved) => resolved,
            Err(problems) => {
                let problems = problems.iter().map(flaw_of).collect();
                return Ok(Checked { problems, ..Checked::default() });
            }
        };
        let film = resolved.film;
        let mut checked = Checked::default();
        checked.problems.extend(self.studio.mismatched(&film).iter().map(flaw_of));
        let warning =
            |path: &str, message: &str| Flaw { kind: None, path: path.to_owned(), message: message.to_owned() };
        checked.warnings.extend(resolved.warnings.iter().map(|told| warning(&told.path, &told.message)));
        let look = compere_render::look(&film, self.studio, asker).map_err(of_render)?;
        for broken in &look.broken {
            let flaw = Flaw { kind: Some(UNREACHABLE), path: broken.path.clone(), message: broken.message.clone() };
            let skips = film.on_asset_error == compere_scene::OnAssetError::Skip;
            if skips { checked.warnings.push(Flaw { kind: None, ..flaw }) } else { checked.problems.push(flaw) }
        }
        checked.warnings.extend(look.warnings.iter().map(|told| warning(&told.path, &told.message)));
        let timeline = compere_scene::timeline(&film, &look.measured);
        let seconds = |frames| FRAME_RATE.seconds(frames);
        checked.seconds = seconds(timeline.frames());
        checked.exact = look.exact;
        checked.scenes = timeline
            .scenes
            .iter()
            .map(|scene| SceneLength { start: seconds(scene.frames.start), seconds: seconds(scene.frames.len) })
            .collect();
        let media =
            |seen: compere_render::Seen| MediaLength { link: seen.link, seconds: seen.seconds, size: seen.size };
        checked.media = look.media.into_iter().map(media).collect();
        Ok(checked)
    }

    fn size(&self, link: &str, asker: &Asker<'_>) -> Result<Answer, DeskError> {
        let (width, height) =
            self.studio.measured(link, &asker.left()).map_err(|what| DeskError::new(UNREACHABLE, what))?;
        Ok(Answer::Size { width, height })
    }

    fn bake_ahead(&self, project: &Value, asker: &Asker<'_>) -> Result<Answer, DeskError> {
        let resolved = compere_scene::resolve(project, &self.limits, &*self.studio.catalogue_of(asker.account));
        let film = resolved.map_err(|problems| refused(&problems))?.film;
        compere_render::bake_ahead(&film, self.studio.workshop(), asker).map_err(of_render)?;
        Ok(Answer::Baked)
    }

    fn look(&self, design: &Value, dress: &Dress) -> Result<Answer, DeskError> {
        let invalid = |message: String| DeskError::new(Kind::Invalid(Code::InvalidBody), message);
        let slip =
            |slips: Vec<Slip>| slips.first().map_or_else(String::new, |one| format!("{}: {}", one.path, one.message));
        let design = Design::read(design).map_err(|slips| invalid(slip(slips)))?;
        let shop = self.studio.workshop();
        let logo = compere_own::logo_of(&design, &shop.sandbox).map_err(|error| invalid(error.to_string()))?;
        let (designer, width) = (shop.cast.designer(), dress.width.clamp(64, WIDEST_LOOK));
        let size = [width, width * 5 / 4];
        let picture = match dress.fine {
            true => {
                let presenter = designer.presenter("design", &design, logo.as_ref());
                paint_portrait(presenter.as_ref(), &dress.outfit, size, &NoCache)
            }
            false => designer.glance(&design, logo.as_ref(), &dress.outfit, size),
        };
        let picture = picture.map_err(|error| invalid(error.to_string()))?;
        Ok(Answer::Picture(Picture {
            bytes: image::pixmap_to_jpeg(&picture, JPEG_QUALITY)
                .map_err(|error| DeskError::new(Kind::Internal, error.to_string()))?,
            media_type: "image/jpeg".to_owned(),
            width: picture.width(),
            height: picture.height(),
            spoken: false,
            sketched: !dress.fine,
        }))
    }

    fn film(&self, project: &Value, account: &str) -> Result<Film, DeskError> {
        let mut project = project.clone();
        if let Some(body) = project.as_object_mut() {
            // A still has a size of its own.
            body.insert("resolution".to_owned(), json!("1080"));
        }
        let resolved = compere_scene::resolve(&project, &self.limits, &*self.studio.catalogue_of(account));
        resolved.map(|resolved| resolved.film).map_err(|problems| refused(&problems))
    }
}

/// Whoever waits for an answer.
struct Asker<'a> {
    left: &'a Arc<AtomicBool>,
    /// Whose presenters they may see; nobody's where it is empty.
    account: &'a str,
}

impl Asker<'_> {
    fn has_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    fn stays(&self) -> ControlFlow<()> {
        if self.has_left() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watcher for Asker<'_> {
    fn see(&self, _: Progress, _: f64) -> ControlFlow<()> {
        self.stays()
    }

    fn left(&self) -> Left {
        Left::when(Arc::clone(self.left))
    }
}

fn flaw_of(problem: &compere_scene::Problem) -> Flaw {
    Flaw { kind: Some(Kind::Invalid(problem.code)), path: problem.path.clone(), message: problem.advice() }
}

fn refused(problems: &[compere_scene::Problem]) -> DeskError {
    DeskError {
        kind: Kind::Invalid(Code::leading(problems)),
        message: films::told(problems),
        details: problems.iter().map(flaw_of).collect(),
    }
}

fn of_render(error: RenderError) -> DeskError {
    match error {
        RenderError::Asset { path, what } => one_flaw(UNREACHABLE, path, what),
        RenderError::Scene { path, what } => one_flaw(Kind::Invalid(Code::InvalidBody), path, what),
        RenderError::Cancelled => DeskError::new(Kind::Unavailable, "nobody waits for this any more"),
        other => DeskError::new(Kind::Internal, other.to_string()),
    }
}

fn one_flaw(kind: Kind, path: String, what: String) -> DeskError {
    let message = format!("{path}: {what}");
    DeskError { kind, message, details: vec![Flaw { kind: Some(kind), path, message: what }] }
}
