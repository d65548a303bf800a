//! Piper voices: any `NAME.onnx` with its `NAME.onnx.json` that an operator puts into `voices/piper`.
//!
//! None is shipped, because the corpora behind most have licences of their own. The file beside a model tells its
//! language, its phonemes (those of espeak-ng, or plain letters), its speakers and its rate; the model tells how long
//! each phoneme lasts. A model that does not is spread over its sound like espeak-ng is.
//!
//! `piper-NAME` is the first speaker of a model, `piper-NAME:SPEAKER` any of them.

use super::espeak;
use crate::align::{self, Timed};
use crate::onnx::{self, Damaged};
use crate::phonemes::{Spelling, Symbol, foreign, ipa_of};
use crate::sound::{self, loudness, resample::resample};
use crate::{Gender, Sentence, SpeechError, Utterance, Voice, VoiceInfo, VoiceKind, Word};
use compere_media::{SAMPLE_RATE, SampleSpan};
use rten::{ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::{NdTensor, Tensor};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Frames of every phoneme, in all models of this kind.
const DURATIONS: &str = "/Ceil_output_0";
/// Models of more speakers than this are listed once; their speakers can be asked for all the same.
const LISTED: usize = 20;

pub fn catalogue(folder: &Path) -> Vec<VoiceInfo> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().collect::<Vec<_>>();
    let mut voices: Vec<VoiceInfo> = Vec::new();
    for entry in entries {
        let Some(info) = info(&entry.path()) else { continue };
        let speakers = read_config(&entry.path()).map(|config| speakers(&config)).unwrap_or_default();
        if (2..=LISTED).contains(&speakers.len()) {
            voices.extend(speakers.iter().skip(1).map(|(name, _)| of_speaker(&info, name)));
        }
        voices.push(info);
    }
    voices.sort_by(|a, b| a.id.cmp(&b.id));
    voices
}

/// The voice of that id, also one that is not listed.
pub fn find(folder: &Path, id: &str) -> Option<VoiceInfo> {
    let (model, speaker) = id.split_once(':').map_or((id, None), |(model, speaker)| (model, Some(speaker)));
    // Never a path to somewhere else.
    let name = model.strip_prefix("piper-").filter(|name| !name.contains(['/', '\\']))?;
    let path = folder.join(format!("{name}.onnx"));
    let info = path.is_file().then(|| info(&path)).flatten()?;
    let Some(speaker) = speaker else { return Some(info) };
    let known = speakers(&read_config(&path).ok()?);
    known.iter().any(|(name, _)| name == speaker).then(|| of_speaker(&info, speaker))
}

fn info(model: &Path) -> Option<VoiceInfo> {
    let name = model.file_name()?.to_str()?.strip_suffix(".onnx")?;
    let config = read_config(model);
    let language = config.as_ref().ok().and_then(language).unwrap_or_else(|| "en-US".into());
    let size = std::fs::metadata(model).map_or(0, |meta| meta.len());
    Some(VoiceInfo {
        id: format!("piper-{name}"),
        kind: VoiceKind::Piper,
        version: format!("piper 2 {size} marks {}", align::method(&language)),
        language,
        name: name.split('-').nth(1).unwrap_or(name).to_owned(),
        gender: Gender::Neutral,
        licence: "see the model card of this voice".into(),
        missing: config.err(),
        stands_in_for: None,
    })
}

fn of_speaker(model: &VoiceInfo, speaker: &str) -> VoiceInfo {
    let (id, name) = (format!("{}:{speaker}", model.id), format!("{} {speaker}", model.name));
    VoiceInfo { id, name, ..model.clone() }
}

/// `language.code`, or what espeak-ng calls it in the files of older models.
fn language(config: &Json) -> Option<String> {
    let code = config["language"]["code"].as_str().or_else(|| config["espeak"]["voice"].as_str())?;
    let mut parts = code.split(['_', '-']);
    let mut tag = parts.next()?.to_lowercase();
    for part in parts {
        tag = format!("{tag}-{}", if part.len() == 2 { part.to_uppercase() } else { part.to_owned() });
    }
    Some(tag)
}

/// Names and numbers of the speakers, by number; none for a model of one.
fn speakers(config: &Json) -> Vec<(String, i32)> {
    let named = config["speaker_id_map"].as_object().into_iter().flatten();
    let mut speakers: Vec<(String, i32)> =
        named.filter_map(|(name, id)| Some((name.clone(), i32::try_from(id.as_i64()?).ok()?))).collect();
    let count = i32::try_from(config["num_speakers"].as_i64().unwrap_or(1)).unwrap_or(1);
    if speakers.is_empty() && count > 1 {
        speakers = (0..count).map(|id| (id.to_string(), id)).collect();
    }
    speakers.sort_by_key(|(_, id)| *id);
    speakers
}

fn read_config(model: &Path) -> Result<Json, String> {
    let path = model.with_extension("onnx.json");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The model with a seed for each of its random numbers, so that a sentence always sounds the same, and with its
/// durations among its outputs, so that no optimisation takes them away.
fn prepared(model: &[u8]) -> Result<Vec<u8>, String> {
    let change = |graph: &mut onnx::Graph<'_>| -> Result<(), Damaged> {
        for (index, node) in graph.nodes.iter_mut().enumerate() {
            if matches!(node.op.as_str(), "RandomNormalLike" | "RandomUniformLike" | "RandomNormal" | "RandomUniform") {
                *node = std::mem::take(node).with_float("seed", (index + 1) as f32);
            }
        }
        if graph.wiring().maker(DURATIONS).is_some() {
            graph.outputs.push(DURATIONS.to_owned());
        }
        Ok(())
    };
    onnx::edit(model, change).map_err(|error| error.to_string())
}

/// How text becomes the numbers that a model reads.
struct Alphabet {
    /// The voice of espeak-ng, unless the model reads letters.
    espeak: Option<String>,
    replaced: HashMap<String, Vec<String>>,
    ids: HashMap<String, Vec<i32>>,
}

impl Alphabet {
    fn of(config: &Json) -> Result<Self, String> {
        let map = config["phoneme_id_map"].as_object().ok_or("the voice has no `phoneme_id_map`")?;
        let number = |id: &Json| id.as_i64().and_then(|id| i32::try_from(id).ok());
        let numbers = |ids: &Json| ids.as_array().into_iter().flatten().filter_map(number).collect();
        let texts = |texts: &Json| {
            texts.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
        };
        let replaced = config["phoneme_map"].as_object().into_iter().flatten();
        let espeak = config["espeak"]["voice"].as_str().unwrap_or("en-us").to_owned();
        Ok(Self {
            espeak: (config["phoneme_type"].as_str() != Some("text")).then_some(espeak),
            replaced: replaced.map(|(from, to)| (from.clone(), texts(to))).collect(),
            ids: map.iter().map(|(symbol, ids)| (symbol.clone(), numbers(ids))).collect(),
        })
    }

    fn spell(&self, sentence: &Sentence) -> Result<Spelling, String> {
        match &self.espeak {
            Some(voice) => foreign::spell(voice, sentence).map_err(|error| error.to_string()),
            None => Ok(letters(sentence)),
        }
    }

    /// Symbols that the model knows, each with its numbers.
    fn read(&self, spelling: Spelling) -> Vec<(Symbol, Vec<i32>)> {
        // A tie of ours would be the mark of a beginning.
        let symbols = spelling.symbols.into_iter().filter(|symbol| !matches!(symbol.letter, '^' | '$' | '_'));
        let mut read = Vec::new();
        for symbol in symbols {
            let letter = symbol.letter.to_string();
            let letters = self.replaced.get(&letter).cloned().unwrap_or_else(|| vec![letter]);
            let ids: Vec<i32> = letters.iter().filter_map(|letter| self.ids.get(letter)).flatten().copied().collect();
            if !ids.is_empty() {
                read.push((symbol, ids));
            }
        }
        read
    }

    /// The numbers of a mark: `^` begins, `_` stands behind every phoneme, `$` ends.
    fn mark(&self, mark: &str, usual: i32) -> Vec<i32> {
        self.ids.get(mark).cloned().unwrap_or_else(|| vec![usual])
    }
}

fn letters(sentence: &Sentence) -> Spelling {
    let mut spelling = Spelling::default();
    for (at, word) in sentence.words.iter().enumerate().filter(|(_, word)| !word.said.is_empty()) {
        if !spelling.symbols.is_empty() {
            spelling.push(" ", None);
        }
        spelling.push(&word.said.to_lowercase(), Some(at));
        spelling.push(&word.stop.map(String::from).unwrap_or_default(), None);
    }
    spelling
}

pub struct Piper {
    info: VoiceInfo,
    network: rten::Model,
    pool: Arc<ThreadPool>,
    inputs: [NodeId; 3],
    /// The input for the speaker, and which it is.
    speaker: Option<(NodeId, i32)>,
    sound: NodeId,
    durations: Option<NodeId>,
    alphabet: Alphabet,
    rate: u32,
    scales: [f32; 3],
    gain: OnceLock<f32>,
}

impl std::fmt::Debug for Piper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Piper").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Piper {
    pub fn open(folder: &Path, info: VoiceInfo, threads: usize) -> Result<Self, String> {
        let (model, speaker) = info.id.split_once(':').map_or((info.id.as_str(), None), |(m, s)| (m, Some(s)));
        let path = folder.join(format!("{}.onnx", model.trim_start_matches("piper-")));
        let config = read_config(&path)?;
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let network = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load(prepared(&bytes)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let id = |name: &str| network.node_id(name).map_err(|error| format!("{}: {error}", path.display()));
        let number = |key: &str, default: f64| config["inference"][key].as_f64().unwrap_or(default) as f32;
        let speaker = speaker.and_then(|name| speakers(&config).into_iter().find(|(known, _)| known == name));
        let rate = config["audio"]["sample_rate"].as_u64().and_then(|rate| u32::try_from(rate).ok());
        Ok(Self {
            inputs: [id("input")?, id("input_lengths")?, id("scales")?],
            speaker: network.find_node("sid").map(|input| (input, speaker.map_or(0, |(_, id)| id))),
            sound: id("output")?,
            durations: network.find_node(DURATIONS),
            alphabet: Alphabet::of(&config)?,
            rate: rate.filter(|rate| (4_000..=192_000).contains(rate)).unwrap_or(22_050),
            scales: [number("noise_scale", 0.667), number("length_scale", 1.0), number("noise_w", 0.8)],
            pool: Arc::new(ThreadPool::with_num_threads(threads.max(1))),
            gain: OnceLock::new(),
            network,
            info,
        })
    }

    fn spoken(&self, sentence: &Sentence) -> Result<(Vec<f32>, Vec<Timed>), String> {
        let symbols = self.alphabet.read(self.alphabet.spell(sentence)?);
        if symbols.iter().all(|(symbol, _)| symbol.word.is_none()) {
            return Ok((Vec::new(), Vec::new()));
        }
        let blank = self.alphabet.mark("_", 0);
        let mut ids = [self.alphabet.mark("^", 1), blank.clone()].concat();
        let mut lengths = vec![ids.len()];
        for (_, own) in &symbols {
            let before = ids.len();
            for id in own {
                ids.push(*id);
                ids.extend(&blank);
            }
            lengths.push(ids.len() - before);
        }
        ids.extend(self.alphabet.mark("$", 2));
        let (sound, frames) = self.run(&ids, sentence.speed)?;
        let samples = resample(&sound, self.rate, SAMPLE_RATE);
        let symbols: Vec<Symbol> = symbols.into_iter().map(|(symbol, _)| symbol).collect();
        let timed = match frames {
            Some(frames) => exact(&symbols, &lengths, &frames, samples.len()),
            None => espeak::timed(&foreign::untied(Spelling { symbols }), &samples),
        };
        Ok((samples, timed))
    }

    /// The sound, and how many frames each number took, if the model tells.
    fn run(&self, ids: &[i32], speed: f64) -> Result<(Vec<f32>, Option<Vec<f32>>), String> {
        let scales = vec![self.scales[0], self.scales[1] / speed as f32, self.scales[2]];
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> = vec![
            (self.inputs[0], NdTensor::from_data([1, ids.len()], ids.to_vec()).into()),
            (self.inputs[1], NdTensor::from_data([1], vec![ids.len() as i32]).into()),
            (self.inputs[2], NdTensor::from_data([3], scales).into()),
        ];
        if let Some((input, speaker)) = self.speaker {
            inputs.push((input, NdTensor::from_data([1], vec![speaker]).into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let outputs: Vec<NodeId> = [self.sound].into_iter().chain(self.durations).collect();
        let made: Vec<Value> = self.network.run(inputs, &outputs, Some(options)).map_err(|error| error.to_string())?;
        let floats = |value: Value| Tensor::<f32>::try_from(value).map(Tensor::into_data).ok();
        let mut made = made.into_iter().map(floats);
        let sound = made.next().flatten().ok_or("sound of an unexpected type")?;
        Ok((sound, made.next().flatten().filter(|frames| frames.len() == ids.len())))
    }

    /// A constant of the voice: what brings a plain reading to the common loudness.
    fn gain(&self) -> f32 {
        *self.gain.get_or_init(|| {
            let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
            let word = |text: &&str| Word { written: (*text).into(), said: (*text).into(), stop: None };
            let words = words.iter().map(word).collect();
            let sentence = Sentence { words, language: self.info.language.clone(), speed: 1.0 };
            let spoken = self.spoken(&sentence).ok();
            spoken.and_then(|(samples, _)| loudness::loudness(&samples)).map_or(1.0, loudness::gain_from)
        })
    }
}

/// Times as the model tells them: `lengths` numbers belong to the beginning, then to each symbol; frames are as long as
/// makes all of them the sound.
fn exact(symbols: &[Symbol], lengths: &[usize], frames: &[f32], samples: usize) -> Vec<Timed> {
    let total: f64 = frames.iter().map(|frames| f64::from(*frames)).sum();
    let frame = samples as f64 / total.max(1.0);
    let mut parts = lengths.iter().scan(0, |from, len| {
        *from += len;
        Some(frames[*from - len..*from].iter().map(|frames| f64::from(*frames)).sum::<f64>())
    });
    let mut passed = parts.next().unwrap_or_default();
    let mut timed = Vec::with_capacity(symbols.len());
    for (symbol, part) in symbols.iter().zip(parts) {
        let start = (passed * frame).round() as u64;
        passed += part;
        let span = SampleSpan { start, end: (passed * frame).round() as u64 };
        timed.push(Timed { letter: symbol.letter, word: symbol.word, span });
    }
    timed
}

impl Voice for Piper {
    fn info(&self) -> &VoiceInfo {
        &self.info
    }

    fn say(&self, sentence: &Sentence) -> Result<Utterance, SpeechError> {
        let gain = self.gain();
        let fail = |reason| SpeechError::Voice { voice: self.info.id.clone(), reason };
        let (samples, timed) = self.spoken(sentence).map_err(fail)?;
        Ok(sound::finished(align::utterance(sentence, &timed, samples), gain))
    }

    fn lacks(&self, word: &Sentence) -> bool {
        let heard = |(symbol, _): &(Symbol, Vec<i32>)| {
            ipa_of(symbol.letter).is_some() || self.alphabet.espeak.is_none() && symbol.letter.is_alphanumeric()
        };
        self.alphabet.spell(word).is_ok_and(|spelling| !self.alphabet.read(spelling).iter().any(heard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Json {
        serde_json::json!({
            "espeak": {"voice": "sv"}, "language": {"code": "sv_SE"}, "num_speakers": 2,
            "speaker_id_map": {"nst": 1, "lisa": 0}, "phoneme_type": "text", "phoneme_map": {"c": ["k", "s"]},
            "phoneme_id_map": {"_": [0], "^": [1], "$": [2], " ": [3], "a": [4], "k": [5, 6], "s": [7]}
        })
    }

    #[test]
    fn what_the_file_beside_a_model_says_is_understood() {
        assert_eq!(language(&config()).as_deref(), Some("sv-SE"));
        assert_eq!(language(&serde_json::json!({"espeak": {"voice": "en-us"}})).as_deref(), Some("en-US"));
        assert_eq!(speakers(&config()), [("lisa".to_owned(), 0), ("nst".to_owned(), 1)]);
        assert_eq!(speakers(&serde_json::json!({"num_speakers": 3})).len(), 3);
        assert!(speakers(&serde_json::json!({"num_speakers": 1})).is_empty());
    }

    #[test]
    fn letters_become_numbers_and_unknown_ones_nothing() {
        let word = |said: &str| Word { written: said.into(), said: said.into(), stop: None };
        let words = vec![word("Ca^x"), word("a")];
        let sentence = Sentence { words, language: "sv-SE".into(), speed: 1.0 };
        let alphabet = Alphabet::of(&config()).unwrap();
        let read = alphabet.read(alphabet.spell(&sentence).unwrap());
        let ids: Vec<_> = read.iter().map(|(symbol, ids)| (symbol.letter, symbol.word, ids.as_slice())).collect();
        let expected: [(char, Option<usize>, &[i32]); 4] =
            [('c', Some(0), &[5, 6, 7]), ('a', Some(0), &[4]), (' ', None, &[3]), ('a', Some(1), &[4])];
        assert_eq!(ids, expected);
    }

    #[test]
    fn frames_fill_the_sound() {
        let symbol = |letter| Symbol { letter, word: Some(0) };
        let timed =
            exact(&[symbol('k'), symbol('a')], &[2, 2, 4], &[1.0, 1.0, 2.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0], 1000);
        let spans: Vec<_> = timed.iter().map(|timed| (timed.span.start, timed.span.end)).collect();
        assert_eq!(spans, [(200, 400), (400, 800)]);
    }

    #[test]
    fn an_id_never_leads_out_of_the_folder() {
        assert_eq!(find(Path::new("/tmp"), "piper-../etc/passwd"), None);
        assert_eq!(find(Path::new("/nowhere"), "piper-a:b"), None);
    }
}
