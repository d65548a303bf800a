//! The network: symbols, style and speed in; sound and durations out.

use super::patch::{self, DURATIONS, PATCH};
use rten::{ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::{NdTensor, Tensor};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

pub const RATE: u32 = 24_000;
/// Numbers in a style, and how many lengths of text there is one for.
const STYLE: usize = 256;
const STYLES: usize = 510;

pub struct Model {
    network: rten::Model,
    pool: Arc<ThreadPool>,
    vocabulary: HashMap<char, i32>,
    inputs: [NodeId; 3],
    outputs: [NodeId; 2],
}

impl Model {
    pub fn open(home: &Path, threads: usize) -> Result<Self, String> {
        let network = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load(patched_file(home)?)
            .map_err(|error| format!("the Kokoro model cannot be loaded: {error}"))?;
        let id = |name: &str| network.node_id(name).map_err(|error| error.to_string());
        Ok(Self {
            inputs: [id("tokens")?, id("style")?, id("speed")?],
            outputs: [id("audio")?, id(DURATIONS)?],
            vocabulary: read_vocabulary(&home.join("vocab.json"))?,
            pool: Arc::new(ThreadPool::with_num_threads(threads.max(1))),
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
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let inputs = self.inputs.into_iter().zip(values).collect();
        let [sound, frames]: [Value; 2] =
            self.network.run_n(inputs, self.outputs, Some(options)).map_err(|error| error.to_string())?;
        let sound: Tensor<f32> = sound.try_into().map_err(|_| "sound of an unexpected type")?;
        let frames: Tensor<i32> = frames.try_into().map_err(|_| "durations of an unexpected type")?;
        let (sound, frames) = (sound.into_data(), frames.into_data());
        let total: i64 = frames.iter().map(|frames| i64::from(*frames)).sum();
        if frames.len() != ids.len() || total * 600 != sound.len() as i64 {
            return Err("the durations do not add up to the sound".into());
        }
        Ok((sound, frames.into_iter().map(|frames| frames.max(0) as u32).collect()))
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("symbols", &self.vocabulary.len()).finish_non_exhaustive()
    }
}

/// The patched model, from beside the published one if it is there and newer. A folder that cannot be written to costs
/// half a second at every start, nothing else.
fn patched_file(home: &Path) -> Result<Vec<u8>, String> {
    let (source, kept) = (home.join("model.onnx"), home.join(format!("patched-{PATCH}.onnx")));
    let changed = |path: &Path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok();
    if changed(&kept) >= changed(&source)
        && let Ok(bytes) = std::fs::read(&kept)
    {
        return Ok(bytes);
    }
    let model = std::fs::read(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let patched = patch::patched(&model).map_err(|error| format!("{}: {error}", source.display()))?;
    // Renamed into place, so that another process never reads half of it.
    let beside = home.join(format!("patched-{PATCH}.{}.part", std::process::id()));
    if std::fs::write(&beside, &patched).and_then(|()| std::fs::rename(&beside, &kept)).is_err() {
        let _ = std::fs::remove_file(&beside);
    }
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
