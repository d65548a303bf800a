//! The residual blocks of the vocoder, where nine tenths of the work is.
//!
//! The runtime executes the rest of the graph one operator at a time, and for these blocks that meant some fifteen passes
//! over signals of many megabytes for each convolution, two of them transpositions. Here a signal lies in memory moment
//! after moment, all channels of a moment side by side, and three passes remain: normalise and bend ([`activate`]),
//! quantise ([`quantise`]), convolve ([`Layer::convolve`]), the last of which also measures what the next needs to
//! normalise. The products are the runtime's own, so the integers are the same integers.
//!
//! A convolution over moments that lie side by side is a product with a matrix whose rows overlap in memory, so nothing
//! has to be laid out for it. A dilated one becomes such a convolution when every `dilation`th moment is put beside the
//! other; that is what [`order::Order`] is for.

mod layer;
mod order;
mod rows;

use crate::onnx::{Damaged, Tensor};
use layer::Layer;
use rayon::prelude::*;
use rows::Spread;
use std::collections::HashMap;

/// In the order of their inputs: the source's block and three of the signal's, in each of two stages.
pub const BLOCKS: [&str; 8] = [
    "noise_res.0",
    "resblocks.0",
    "resblocks.1",
    "resblocks.2",
    "noise_res.1",
    "resblocks.3",
    "resblocks.4",
    "resblocks.5",
];
/// Convolutions of a block: three pairs of a dilated and a plain one.
pub const LAYERS: usize = 6;

/// Where the constants of a layer are kept in the patched file.
pub fn constant(block: &str, layer: usize, what: &str) -> String {
    format!("vocoder/{block}/{layer}/{what}")
}

pub struct Vocoder {
    blocks: Vec<Vec<Layer>>,
}

impl Vocoder {
    pub fn new(tensors: &HashMap<&str, Tensor<'_>>) -> Result<Self, Damaged> {
        let block = |name: &&str| (0..LAYERS).map(|at| Layer::read(tensors, name, at)).collect();
        Ok(Self { blocks: BLOCKS.iter().map(block).collect::<Result<_, _>>()? })
    }

    /// One stage: the signal, already upsampled, and the harmonic source come in channel after channel and go out so.
    /// `styles` are those of the stage's four blocks: for each layer the scale of every channel, then the shift.
    pub fn stage(&self, stage: usize, signal: &[f32], source: &[f32], styles: &[&[f32]]) -> Result<Vec<f32>, String> {
        let blocks = &self.blocks[stage * 4..stage * 4 + 4];
        let channels = blocks[0][0].channels();
        let fits = styles.len() == 4 && styles.iter().all(|style| style.len() == 2 * LAYERS * channels);
        if signal.len() != source.len() || signal.is_empty() || !signal.len().is_multiple_of(channels) || !fits {
            return Err("the parts of the voice model do not fit together".into());
        }
        let mut scratch = Scratch::default();
        let source = rows::to_rows(source, channels);
        let mut input = rows::to_rows(signal, channels);
        let heard = block(&blocks[0], &source, &rows::spread(&source, channels), styles[0], &mut scratch)?;
        rows::add(&mut input, &heard);
        let spread = rows::spread(&input, channels);
        let mut sum = block(&blocks[1], &input, &spread, styles[1], &mut scratch)?;
        for at in [2, 3] {
            rows::add(&mut sum, &block(&blocks[at], &input, &spread, styles[at], &mut scratch)?);
        }
        sum.par_iter_mut().for_each(|value| *value /= 3.0);
        Ok(rows::to_channels(&sum, channels))
    }
}

fn block(
    layers: &[Layer],
    input: &[f32],
    spread: &Spread,
    style: &[f32],
    scratch: &mut Scratch,
) -> Result<Vec<f32>, String> {
    let mut signal = input.to_vec();
    let mut spread = spread.clone();
    scratch.between.resize(input.len(), 0.0);
    scratch.active.resize(input.len(), 0.0);
    for (at, pair) in layers.chunks_exact(2).enumerate() {
        let [dilated, plain] = pair else { continue };
        let of_layer = |layer: usize| &style[layer * 2 * dilated.channels()..(layer + 1) * 2 * dilated.channels()];
        let range = dilated.activate(&signal, &spread, of_layer(2 * at), &mut scratch.active);
        let quantised = dilated.quantise(&scratch.active, 1, range, &mut scratch.bytes);
        spread = dilated.convolve(&quantised, &mut scratch.between, false)?;
        let range = plain.activate(&scratch.between, &spread, of_layer(2 * at + 1), &mut scratch.active);
        let quantised = plain.quantise(&scratch.active, dilated.dilation(), range, &mut scratch.bytes);
        spread = plain.convolve(&quantised, &mut signal, true)?;
    }
    Ok(signal)
}

/// Kept from layer to layer: signals of many megabytes are dear to allocate.
#[derive(Default)]
struct Scratch {
    active: Vec<f32>,
    between: Vec<f32>,
    bytes: Vec<u8>,
}
