//! The network: symbols, style and speed in; sound and durations out.
//!
//! The graph is run in three parts: up to the vocoder, between its two stages, and behind them.

use super::patch::{self, DURATIONS, PATCH, STAGES, style_of};
use super::vocoder::{BLOCKS, Vocoder};
use crate::onnx;
use crate::voices::Derived;
use rten::{ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

pub const RATE: u32 = 24_000;
/// Numbers in a style, and how many lengths of text there is one for.
const STYLE: usize = 256;
const STYLES: usize = 510;
/// How the names of patched models begin; each has the version of the patch behind it.
const PATCHED: &str = "patched-";

pub struct Model {
    network: rten::Model,
    pool: Arc<ThreadPool>,
    vocabulary: HashMap<char, i32>,
    vocoder: Vocoder,
    inputs: [NodeId; 3],
    durations: NodeId,
    styles: [NodeId; BLOCKS.len()],
    /// Of each stage: signal and source, which the graph makes, and what the vocoder makes of them.
    stages: [[NodeId; 3]; 2],
    audio: NodeId,
}

impl Model {
    pub fn open(home: &Path, threads: usize, derived: &dyn Derived) -> Result<Self, String> {
        let bytes = patched_file(home, derived)?;
        let damaged = |error| format!("the Kokoro model cannot be loaded: {error}");
        let vocoder = onnx::tensors(&bytes).and_then(|tensors| Vocoder::new(&tensors)).map_err(damaged)?;
        let network = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load(bytes)
            .map_err(|error| format!("the Kokoro model cannot be loaded: {error}"))?;
        let id = |name: &str| network.node_id(name).map_err(|error| error.to_string());
        let ids = |names: &[&str]| names.iter().map(|name| id(name)).collect::<Result<Vec<_>, _>>();
        let styles = BLOCKS.map(style_of);
        Ok(Self {
            inputs: [id("tokens")?, id("style")?, id("speed")?],
            durations: id(DURATIONS)?,
            styles: fixed(ids(&styles.each_ref().map(String::as_str))?)?,
            stages: [fixed(ids(&STAGES[0])?)?, fixed(ids(&STAGES[1])?)?],
            audio: id("audio")?,
            vocabulary: read_vocabulary(&home.join("vocab.json"))?,
            pool: Arc::new(ThreadPool::with_num_threads(threads.max(1))),
            vocoder,
            network,
        })
    }

    pub fn knows(&self, letter: char) -> bool {
        self.vocabulary.contains_key(&letter)
    }

    /// The sound at [`RATE`], and the frames of each symbol with the silence at both ends.
    pub fn run(&self, letters: &[char], style: &[f32], speed: f32) -> Result<(Vec<f32>, Vec<u32>), String> {
        let ids = letters.iter().filter_map(|letter| self.vocabulary.get(letter).copied());
        let ids: Vec<i32> = std::iter::once(0).chain(ids).chain([0]).collect();
        let of_length = (ids.len() - 2).min(STYLES - 1) * STYLE;
        let style = style[of_length..of_length + STYLE].to_vec();
        let values: [ValueOrView<'_>; 3] = [
            NdTensor::from_data([1, ids.len()], ids.clone()).into(),
            NdTensor::from_data([1, STYLE], style).into(),
            NdTensor::from_data([1], vec![speed]).into(),
        ];
        let inputs = self.inputs.into_iter().zip(values).collect();
        let [first, second] = self.stages;
        let wanted = [self.durations, first[0], first[1], second[1]].into_iter().chain(self.styles);
        let mut made = self.part(inputs, &wanted.collect::<Vec<_>>())?.into_iter();
        let frames: Tensor<i32> = next(&mut made)?;
        let [signal, source, second_source]: [Tensor<f32>; 3] = [next(&mut made)?, next(&mut made)?, next(&mut made)?];
        let styles = made.map(|style| style.try_into().map_err(|_| UNEXPECTED)).collect::<Result<Vec<_>, _>>()?;
        let (early, late) = styles.split_at(BLOCKS.len() / 2);
        let heard = self.stage(0, signal, source, early)?;
        let signal = next(&mut self.part(vec![(first[2], heard.into())], &[second[0]])?.into_iter())?;
        let heard = self.stage(1, signal, second_source, late)?;
        let sound: Tensor<f32> = next(&mut self.part(vec![(second[2], heard.into())], &[self.audio])?.into_iter())?;
        let (sound, frames) = (sound.into_data(), frames.into_data());
        let total: i64 = frames.iter().map(|frames| i64::from(*frames)).sum();
        if frames.len() != ids.len() || total * 600 != sound.len() as i64 {
            return Err("the durations do not add up to the sound".into());
        }
        Ok((sound, frames.into_iter().map(|frames| frames.max(0) as u32).collect()))
    }

    fn part(&self, inputs: Vec<(NodeId, ValueOrView<'_>)>, outputs: &[NodeId]) -> Result<Vec<Value>, String> {
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        self.network.run(inputs, outputs, Some(options)).map_err(|error| error.to_string())
    }

    /// A stage of the vocoder: signals of shape (1, channels, moments).
    fn stage(
        &self,
        stage: usize,
        signal: Tensor<f32>,
        source: Tensor<f32>,
        styles: &[Tensor<f32>],
    ) -> Result<NdTensor<f32, 3>, String> {
        let &[_, channels, moments] = signal.shape() else { return Err(UNEXPECTED.into()) };
        let (signal, source) = (signal.into_data(), source.into_data());
        let styles: Vec<Vec<f32>> = styles.iter().map(Tensor::to_vec).collect();
        let styles: Vec<&[f32]> = styles.iter().map(Vec::as_slice).collect();
        let heard = self.pool.run(|| self.vocoder.stage(stage, &signal, &source, &styles))?;
        Ok(NdTensor::from_data([1, channels, moments], heard))
    }
}

const UNEXPECTED: &str = "the voice model tells something unexpected";

fn next<T: TryFrom<Value>>(values: &mut impl Iterator<Item = Value>) -> Result<T, String> {
    values.next().and_then(|value| value.try_into().ok()).ok_or_else(|| UNEXPECTED.to_owned())
}

fn fixed<const N: usize>(ids: Vec<NodeId>) -> Result<[NodeId; N], String> {
    ids.try_into().map_err(|_| UNEXPECTED.to_owned())
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("symbols", &self.vocabulary.len()).finish_non_exhaustive()
    }
}

/// The model as it is run here. Patching it takes half a second, so it is kept where that is possible.
fn patched_file(home: &Path, derived: &dyn Derived) -> Result<Vec<u8>, String> {
    let source = home.join("model.onnx");
    let name = format!("{PATCHED}{PATCH}.onnx");
    if let Some(bytes) = derived.get(&source, &name) {
        return Ok(bytes);
    }
    let model = std::fs::read(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let patched = patch::patched(&model).map_err(|error| format!("{}: {error}", source.display()))?;
    derived.put(&source, PATCHED, &name, &patched);
    Ok(patched)
}

fn read_vocabulary(path: &Path) -> Result<HashMap<char, i32>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let json: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let entries = json["vocab"].as_object().ok_or_else(|| format!("{}: there is no `vocab` in it", path.display()))?;
    let entry = |(letter, id): (&String, &serde_json::Value)| Some((letter.chars().next()?, id.as_i64()? as i32));
    Ok(entries.iter().filter_map(entry).collect())
}

pub fn read_style(path: &Path) -> Result<Vec<f32>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if bytes.len() != STYLES * STYLE * 4 {
        return Err(format!("{} has {} bytes instead of {}", path.display(), bytes.len(), STYLES * STYLE * 4));
    }
    Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}
