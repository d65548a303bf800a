//! Piper voices: any `NAME.onnx` with its `NAME.onnx.json` that an operator puts into `voices/piper`.
//!
//! None is shipped, because the corpora behind most have licences of their own. The file beside a model tells its
//! language, its phonemes (those of espeak-ng) and its rate; the model tells how long each lasts.

use crate::align::{self, Timed};
use crate::onnx::{self, Damaged};
use crate::phonemes::foreign;
use crate::sound::{loudness, resample::resample, trim};
use crate::{Gender, Kind, Sentence, SpeechError, Utterance, Voice, VoiceInfo, Word};
use compere_media::{SAMPLE_RATE, SampleSpan};
use rten::{ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::{NdTensor, Tensor};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Samples in a frame of the model.
const HOP: u64 = 256;
/// Frames of every phoneme, in all models of this kind.
const DURATIONS: &str = "/Ceil_output_0";

pub fn catalogue(folder: &Path) -> Vec<VoiceInfo> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().collect::<Vec<_>>();
    let mut voices: Vec<VoiceInfo> = entries.iter().filter_map(|entry| info(&entry.path())).collect();
    voices.sort_by(|a, b| a.id.cmp(&b.id));
    voices
}

fn info(model: &Path) -> Option<VoiceInfo> {
    let name = model.file_name()?.to_str()?.strip_suffix(".onnx")?;
    let config = read_config(model);
    let language = config.as_ref().ok().and_then(|config| config["language"]["code"].as_str()).unwrap_or("en_US");
    let size = std::fs::metadata(model).map_or(0, |meta| meta.len());
    Some(VoiceInfo {
        id: format!("piper-{name}"),
        kind: Kind::Piper,
        language: language.replace('_', "-"),
        name: name.split('-').nth(1).unwrap_or(name).to_owned(),
        gender: Gender::Neutral,
        licence: "see the model card of this voice".into(),
        version: format!("piper 1 {size}"),
        missing: config.err(),
        stands_in_for: None,
    })
}

fn read_config(model: &Path) -> Result<serde_json::Value, String> {
    let path = model.with_extension("onnx.json");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The model with a seed for each of its random numbers, so that a sentence always sounds the same.
fn seeded(model: &[u8]) -> Result<Vec<u8>, String> {
    let seed = |graph: &mut onnx::Graph<'_>| -> Result<(), Damaged> {
        for (index, node) in graph.nodes.iter_mut().enumerate() {
            if matches!(node.op.as_str(), "RandomNormalLike" | "RandomUniformLike" | "RandomNormal" | "RandomUniform") {
                *node = std::mem::take(node).with_float("seed", (index + 1) as f32);
            }
        }
        Ok(())
    };
    onnx::edit(model, seed).map_err(|error| error.to_string())
}

pub struct Piper {
    info: VoiceInfo,
    network: rten::Model,
    pool: Arc<ThreadPool>,
    outputs: [NodeId; 2],
    ids: HashMap<char, i32>,
    espeak: String,
    rate: u32,
    scales: [f32; 3],
    speakers: bool,
    gain: OnceLock<f32>,
}

impl std::fmt::Debug for Piper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Piper").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Piper {
    pub fn open(folder: &Path, info: VoiceInfo, threads: usize) -> Result<Self, String> {
        let path = folder.join(format!("{}.onnx", info.id.trim_start_matches("piper-")));
        let config = read_config(&path)?;
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let network = ModelOptions::with_all_ops().load(seeded(&bytes)?).map_err(|error| error.to_string())?;
        let id = |name: &str| network.node_id(name).map_err(|error| error.to_string());
        let number = |key: &str, default: f64| config["inference"][key].as_f64().unwrap_or(default) as f32;
        let ids = config["phoneme_id_map"].as_object().ok_or("the voice has no `phoneme_id_map`")?;
        let entry =
            |(letter, ids): (&String, &serde_json::Value)| Some((letter.chars().next()?, ids[0].as_i64()? as i32));
        Ok(Self {
            outputs: [id("output")?, id(DURATIONS)?],
            ids: ids.iter().filter_map(entry).collect(),
            espeak: config["espeak"]["voice"].as_str().unwrap_or("en-us").to_owned(),
            rate: config["audio"]["sample_rate"].as_u64().unwrap_or(22_050) as u32,
            scales: [number("noise_scale", 0.667), number("length_scale", 1.0), number("noise_w", 0.8)],
            speakers: network.find_node("sid").is_some(),
            pool: Arc::new(ThreadPool::with_num_threads(threads.max(1))),
            gain: OnceLock::new(),
            network,
            info,
        })
    }

    fn spoken(&self, sentence: &Sentence) -> Result<(Vec<f32>, Vec<Timed>), String> {
        let spelling = foreign::spell(&self.espeak, sentence).map_err(|error| error.to_string())?;
        let symbols: Vec<_> = spelling
            .symbols
            .into_iter()
            .filter(|symbol| symbol.letter != '^' && self.ids.contains_key(&symbol.letter))
            .collect();
        // Begin, then each phoneme with a blank behind it, then end.
        let mut ids = vec![1, 0];
        ids.extend(symbols.iter().flat_map(|symbol| [self.ids[&symbol.letter], 0]));
        ids.push(2);
        let (sound, frames) = self.run(&ids, sentence.speed)?;
        let factor = f64::from(SAMPLE_RATE) / f64::from(self.rate);
        let at = |frames: u64| (frames as f64 * HOP as f64 * factor).round() as u64;
        let mut passed: u64 = frames[..2].iter().sum();
        let mut timed = Vec::with_capacity(symbols.len());
        for (symbol, pair) in symbols.iter().zip(frames[2..].chunks(2)) {
            let start = at(passed);
            passed += pair.iter().sum::<u64>();
            timed.push(Timed { letter: symbol.letter, word: symbol.word, span: SampleSpan { start, end: at(passed) } });
        }
        Ok((resample(&sound, self.rate, SAMPLE_RATE), timed))
    }

    fn run(&self, ids: &[i32], speed: f64) -> Result<(Vec<f32>, Vec<u64>), String> {
        let id = |name: &str| self.network.node_id(name).map_err(|error| error.to_string());
        let scales = vec![self.scales[0], self.scales[1] / speed as f32, self.scales[2]];
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> = vec![
            (id("input")?, NdTensor::from_data([1, ids.len()], ids.to_vec()).into()),
            (id("input_lengths")?, NdTensor::from_data([1], vec![ids.len() as i32]).into()),
            (id("scales")?, NdTensor::from_data([3], scales).into()),
        ];
        if self.speakers {
            inputs.push((id("sid")?, NdTensor::from_data([1], vec![0i32]).into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let [sound, frames]: [Value; 2] =
            self.network.run_n(inputs, self.outputs, Some(options)).map_err(|error| error.to_string())?;
        let sound: Tensor<f32> = sound.try_into().map_err(|_| "sound of an unexpected type")?;
        let frames: Tensor<f32> = frames.try_into().map_err(|_| "durations of an unexpected type")?;
        let frames: Vec<u64> = frames.into_data().into_iter().map(|frames| frames.max(0.0) as u64).collect();
        if frames.len() != ids.len() {
            return Err("the voice does not tell how long its phonemes last".into());
        }
        Ok((sound.into_data(), frames))
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

impl Voice for Piper {
    fn info(&self) -> &VoiceInfo {
        &self.info
    }

    fn say(&self, sentence: &Sentence) -> Result<Utterance, SpeechError> {
        let gain = self.gain();
        let fail = |reason| SpeechError::Voice { voice: self.info.id.clone(), reason };
        let (mut samples, timed) = self.spoken(sentence).map_err(fail)?;
        for sample in &mut samples {
            *sample *= gain;
        }
        loudness::limit(&mut samples);
        Ok(trim::trimmed(align::utterance(sentence, &timed, samples)))
    }
}
