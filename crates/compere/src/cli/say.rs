//! `compere say` and `compere voices`

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use compere_codec::wav::{self, Depth};
use compere_media::{Marks, SampleSpan};
use compere_render::BesideSource;
use compere_speech::{NoCache, Script, Utterance, Voice, VoiceKind, Voices, Warning, speak_each};
use serde_json::{Value, json};

use super::{Failure, answer, say};
use compere_house::home::Home;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  compere say \"Good morning.\" -o morning.wav
  compere say \"Bonjour à tous.\" --voice ff_siwis -o bonjour.wav --marks bonjour.json
  compere say \"Kubernetes\" --as \"Kubernetes=koo ber net eez\" -o k.wav")]
pub(crate) struct Say {
    text: String,
    /// A voice by id; `compere voices` lists them
    #[arg(short, long, default_value = "af_heart")]
    voice: String,
    /// 0.5 to 2
    #[arg(short, long, default_value_t = 1.0)]
    speed: f64,
    /// A language such as en-GB, when it is not the voice's own
    #[arg(short, long)]
    language: Option<String>,
    /// Say a word another way: WORD=PRONUNCIATION (may be repeated)
    #[arg(long = "as", value_name = "WORD=SAY")]
    dictionary: Vec<String>,
    /// Where the sound goes, a 48 kHz WAV
    #[arg(short, long, default_value = "speech.wav", value_name = "FILE")]
    output: PathBuf,
    /// Where the times of words and phonemes go, as JSON
    #[arg(long, value_name = "FILE")]
    marks: Option<PathBuf>,
}

impl Say {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        let threads = std::thread::available_parallelism().map_or(1, Into::into);
        let voices = Voices::keeping(&home.assets, threads, Arc::new(BesideSource));
        let voice = voices.get(&self.voice).map_err(|error| Failure::BadInput(error.to_string()))?;
        let mut script = Script::plain(self.text.clone());
        script.speed = self.speed;
        script.language.clone_from(&self.language);
        script.dictionary = self.dictionary.iter().map(|entry| pair(entry)).collect::<Result<_, _>>()?;
        let heard = self.speak(&script, voice.as_ref(), threads)?;
        for warning in &heard.warnings {
            say(&format!("warning: {warning}"));
        }
        if let Some(path) = &self.marks {
            put(path, &marks_json(&heard.marks))?;
        }
        let seconds = heard.samples as f64 / f64::from(compere_media::SAMPLE_RATE);
        answer(&format!("{}: {seconds:.2} s", self.output.display()));
        Ok(())
    }

    /// Sentence by sentence into the file, so that a long text needs no more memory than a short one.
    fn speak(&self, script: &Script, voice: &dyn Voice, threads: usize) -> Result<Heard, Failure> {
        let unwritten = |error| Failure::failed(format!("{}: {error}", self.output.display()));
        let mut file = wav::Writer::create(&self.output, 1, Depth::Bits16).map_err(unwritten)?;
        let mut heard = Heard { marks: Marks::default(), samples: 0, warnings: Vec::new() };
        let mut written = Ok(());
        let mut hand_on = |piece: Utterance| {
            heard.marks.append(&piece.marks, heard.samples);
            heard.samples += piece.sound.len();
            if written.is_ok() {
                written = file.write(piece.sound.samples());
            }
        };
        let mut watch = |_| ControlFlow::Continue(());
        let warnings = speak_each(script, voice, &NoCache, &mut watch, threads, &mut hand_on);
        heard.warnings = warnings.map_err(Failure::failed)?;
        written.and_then(|()| file.finish()).map_err(unwritten)?;
        Ok(heard)
    }
}

/// What was said, its sound being in the file.
struct Heard {
    marks: Marks,
    samples: u64,
    warnings: Vec<Warning>,
}

fn pair(entry: &str) -> Result<(String, String), Failure> {
    let pair = entry.split_once('=').map(|(word, said)| (word.to_owned(), said.to_owned()));
    pair.ok_or_else(|| Failure::BadInput(format!("--as {entry}: WORD=PRONUNCIATION would be right")))
}

fn put(path: &Path, json: &Value) -> Result<(), Failure> {
    std::fs::write(path, format!("{json:#}\n")).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
}

/// Times in seconds, for people and other programs.
fn marks_json(marks: &Marks) -> Value {
    let span = |span: SampleSpan| {
        let (start, end) = span.seconds();
        (round(start), round(end))
    };
    let word = |mark: &compere_media::WordMark| {
        let (start, end) = span(mark.span);
        json!({"word": mark.text, "start": start, "end": end})
    };
    let phoneme = |mark: &compere_media::PhonemeMark| {
        let (start, end) = span(mark.span);
        json!({"phoneme": mark.ipa, "start": start, "end": end})
    };
    json!({
        "words": marks.words.iter().map(word).collect::<Vec<_>>(),
        "phonemes": marks.phonemes.iter().map(phoneme).collect::<Vec<_>>(),
    })
}

/// To a tenth of a millisecond: a sample is a fifth of one.
fn round(seconds: f64) -> f64 {
    (seconds * 10_000.0).round() / 10_000.0
}

#[derive(Debug, Args)]
pub(crate) struct ListVoices {
    /// Only those of a language, such as en or en-GB
    #[arg(short, long)]
    language: Option<String>,
    /// Print them as JSON
    #[arg(long)]
    json: bool,
}

impl ListVoices {
    pub(crate) fn run(&self, home: &Home) {
        let mut voices = Voices::open(&home.assets, 1).list();
        if let Some(language) = &self.language {
            voices.retain(|voice| voice.language.to_lowercase().starts_with(&language.to_lowercase()));
        }
        if self.json {
            let voice = |voice: &compere_speech::VoiceInfo| {
                json!({"id": voice.id, "kind": voice.kind.name(), "language": voice.language, "name": voice.name,
                       "gender": voice.gender.name(), "licence": voice.licence, "missing": voice.missing})
            };
            answer(&Value::from(voices.iter().map(voice).collect::<Vec<_>>()).to_string());
            return;
        }
        answer(&format!("{:<32} {:<8} {:<8} {:<8} name", "id", "kind", "language", "gender"));
        for voice in &voices {
            let note = voice.missing.as_deref().map_or(String::new(), |missing| format!("   not installed: {missing}"));
            let (id, kind, language) = (&voice.id, voice.kind.name(), &voice.language);
            answer(&format!("{id:<32} {kind:<8} {language:<8} {:<8} {}{note}", voice.gender.name(), voice.name));
        }
        for command in samples(&voices) {
            answer(&command);
        }
    }
}

/// One command for each language of the neural voices that are there, in that language; for any voice if there are none.
fn samples(voices: &[compere_speech::VoiceInfo]) -> Vec<String> {
    let neural = |voice: &&compere_speech::VoiceInfo| matches!(voice.kind, VoiceKind::Kokoro | VoiceKind::Piper);
    let ready: Vec<_> = voices.iter().filter(|voice| voice.missing.is_none()).collect();
    let mut heard = Vec::new();
    let mut first_of_each = |voice: &&compere_speech::VoiceInfo| {
        let new = !heard.contains(&voice.language);
        heard.push(voice.language.clone());
        new
    };
    let mut chosen: Vec<_> = ready.iter().copied().filter(neural).filter(&mut first_of_each).collect();
    if chosen.is_empty() {
        chosen.extend(ready.first());
    }
    let command = |voice: &&compere_speech::VoiceInfo| {
        let text = compere_speech::language_sample(&voice.language);
        format!("  compere say \"{text}\" --voice {} -o {}.wav", voice.id, voice.id)
    };
    let heading = chosen.first().map(|_| "\nHear one:".to_owned());
    heading.into_iter().chain(chosen.iter().map(command)).collect()
}
