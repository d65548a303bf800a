//! One convolution with the normalisation and the activation before it.

use super::constant;
use super::order::Order;
use super::rows::{Spread, TILE};
use crate::onnx::{Damaged, Tensor};
use rayon::prelude::*;
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix, QuantParams};
use rten_tensor::NdTensorView;
use std::collections::HashMap;

pub struct Layer {
    dilation: usize,
    taps: usize,
    bias: Vec<f32>,
    /// How fast the activation waves, for each channel.
    alpha: Vec<f32>,
    weights: PackedBMatrix<i8>,
    weights_zero: i32,
    weights_scale: f32,
}

impl Layer {
    pub fn read(tensors: &HashMap<&str, Tensor<'_>>, block: &str, layer: usize) -> Result<Self, Damaged> {
        let tensor = |what: &str| tensors.get(constant(block, layer, what).as_str());
        let floats = |what: &str| tensor(what).and_then(Tensor::floats).ok_or(Damaged("a layer is missing"));
        let (bias, alpha, numbers) = (floats("bias")?, floats("alpha")?, floats("numbers")?);
        let weights = tensor("weights").and_then(Tensor::bytes).ok_or(Damaged("a layer has no weights"))?;
        let &[weights_scale, zero, dilation] = &numbers[..] else { return Err(Damaged("a layer is cut short")) };
        let row = bias.len() * bias.len();
        if row == 0 || weights.is_empty() || !weights.len().is_multiple_of(row) || alpha.len() != bias.len() {
            return Err(Damaged("a layer has the wrong size"));
        }
        // Moved down by 64, the weights stay within what processors without VNNI multiply without saturating. What
        // remains of their zero point is taken off the sums.
        let signed: Vec<i8> = weights.iter().map(|weight| (i16::from(*weight) - 64) as i8).collect();
        let shape = [weights.len() / bias.len(), bias.len()];
        let executor = GemmExecutor::<u8, i8, i32>::default();
        let weights = executor.prepack_b(NdTensorView::from_data(shape, &signed[..]));
        Ok(Self {
            dilation: dilation as usize,
            taps: shape[0] / bias.len(),
            weights_zero: zero as i32 - 64,
            weights_scale,
            weights,
            alpha,
            bias,
        })
    }

    pub fn channels(&self) -> usize {
        self.bias.len()
    }

    pub fn dilation(&self) -> usize {
        self.dilation
    }

    /// Normalises each channel, gives it the style's scale and shift, and bends it: `x + sin²(αx) / α`.
    /// Tells the least and the greatest value.
    pub fn activate(&self, rows: &[f32], spread: &Spread, style: &[f32], out: &mut [f32]) -> (f32, f32) {
        let channels = self.channels();
        let (scale, shift) = style.split_at(channels);
        let (mut gain, mut offset) = (Vec::with_capacity(channels), Vec::with_capacity(channels));
        for (channel, (scale, shift)) in scale.iter().zip(shift).enumerate() {
            let (mean, deviation) = spread.of(channel);
            let factor = f64::from(*scale) / deviation;
            gain.push(factor as f32);
            offset.push((f64::from(*shift) - mean * factor) as f32);
        }
        let waves: Vec<f32> = self.alpha.iter().map(|alpha| 1.0 / alpha).collect();
        let tiles = rows.par_chunks(TILE * channels).zip(out.par_chunks_mut(TILE * channels));
        let ranges = tiles.map(|(rows, out)| {
            let (mut least, mut greatest) = (vec![f32::MAX; channels], vec![f32::MIN; channels]);
            for (row, out) in rows.chunks_exact(channels).zip(out.chunks_exact_mut(channels)) {
                let of_channel = gain.iter().zip(&offset).zip(&self.alpha).zip(&waves);
                for ((out, value), (((gain, offset), alpha), wave)) in out.iter_mut().zip(row).zip(of_channel) {
                    let value = value * gain + offset;
                    *out = value + sine_squared(value * alpha) * wave;
                }
                // Not `min` and `max`, which treat NaN in a way that processors have no instruction for.
                for ((value, least), greatest) in out.iter().zip(&mut least).zip(&mut greatest) {
                    *least = if *value < *least { *value } else { *least };
                    *greatest = if *value > *greatest { *value } else { *greatest };
                }
            }
            (least.into_iter().fold(f32::MAX, f32::min), greatest.into_iter().fold(f32::MIN, f32::max))
        });
        ranges.reduce(|| (f32::MAX, f32::MIN), |one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// Rounds rows that lie `step` moments apart to bytes, in the order that this layer wants, with what lies outside
    /// as zeros.
    pub fn quantise<'a>(
        &self,
        rows: &[f32],
        step: usize,
        (least, greatest): (f32, f32),
        bytes: &'a mut Vec<u8>,
    ) -> Quantised<'a> {
        let channels = self.channels();
        let from = Order { len: rows.len() / channels, step };
        let around = (self.taps - 1) * self.dilation;
        let order = Order { len: from.len + around, step: self.dilation };
        let (least, greatest) = (least.min(0.0), greatest.max(0.0));
        let scale = (greatest - least) / 255.0;
        let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
        let zero = (-least * inverse).round_ties_even().clamp(0.0, 255.0);
        bytes.resize(order.len * channels, 0);
        let mut sums = vec![0; order.len];
        bytes.par_chunks_mut(TILE * channels).zip(sums.par_chunks_mut(TILE)).enumerate().for_each(
            |(tile, (bytes, sums))| {
                for (at, (out, sum)) in bytes.chunks_exact_mut(channels).zip(sums).enumerate() {
                    let moment = order.moment(tile * TILE + at).checked_sub(around / 2);
                    match moment.filter(|moment| *moment < from.len) {
                        Some(moment) => {
                            let row = from.row(moment) * channels;
                            *sum = round(&rows[row..row + channels], inverse, zero, out);
                        }
                        None => {
                            out.fill(zero as u8);
                            *sum = i32::from(zero as u8) * channels as i32;
                        }
                    }
                }
            },
        );
        Quantised { bytes, sums, moments: from.len, order, scale, zero: zero as u8 }
    }

    /// Writes (or adds) the convolution to `out`, in the order of this layer's dilation, and measures what is there then.
    pub fn convolve(&self, input: &Quantised<'_>, out: &mut [f32], add: bool) -> Result<Spread, String> {
        let channels = self.channels();
        let order = Order { len: input.moments, step: self.dilation };
        let stretches = order.stretches(TILE);
        let mut rest = out;
        let mut tiles = Vec::with_capacity(stretches.len());
        for (phase, at, rows) in stretches {
            let (out, behind) = rest.split_at_mut(rows * channels);
            tiles.push((input.order.start(phase) + at, out));
            rest = behind;
        }
        // Executors cannot be shared; choosing one for this processor costs nothing.
        let start = || (GemmExecutor::default(), Vec::new());
        let tile = |(executor, sums): &mut (GemmExecutor<u8, i8, i32>, Vec<i32>), (row, out): (usize, &mut [f32])| {
            sums.resize(out.len(), 0);
            self.multiply(executor, input, row, sums).map(|()| self.finish(input, row, sums, out, add))
        };
        let spreads: Vec<Spread> = tiles.into_par_iter().map_init(start, tile).collect::<Result<_, _>>()?;
        Ok(Spread::total(channels, &spreads))
    }

    /// The product of the rows from `row` on with the weights: each row is what the convolution sees at one moment, and
    /// the next begins one moment further.
    fn multiply(
        &self,
        executor: &GemmExecutor<u8, i8, i32>,
        input: &Quantised<'_>,
        row: usize,
        sums: &mut [i32],
    ) -> Result<(), String> {
        let channels = self.channels();
        let rows = sums.len() / channels;
        let seen = &input.bytes[row * channels..];
        let matrix = NdTensorView::from_slice_with_strides([rows, self.taps * channels], seen, [channels, 1]);
        let options = GemmOptions {
            a_quant: Some(QuantParams { zero_point: &[input.zero; TILE][..rows] }),
            ..GemmOptions::default()
        };
        let matrix = GemmInputA::Unpacked(matrix.map_err(|error| error.to_string())?);
        executor.gemm(sums, matrix, GemmInputB::Packed(&self.weights), options).map_err(|error| error.to_string())
    }

    fn finish(&self, input: &Quantised<'_>, row: usize, sums: &[i32], out: &mut [f32], add: bool) -> Spread {
        let channels = self.channels();
        let scale = input.scale * self.weights_scale;
        let silent = i32::from(input.zero) * (self.taps * channels) as i32;
        let mut spread = Spread::new(channels);
        for (at, (sums, out)) in sums.chunks_exact(channels).zip(out.chunks_exact_mut(channels)).enumerate() {
            let seen: i32 = input.sums[row + at..row + at + self.taps].iter().sum();
            let correction = self.weights_zero * (seen - silent);
            for ((out, sum), bias) in out.iter_mut().zip(sums).zip(&self.bias) {
                let value = (sum - correction) as f32 * scale + bias;
                *out = if add { *out + value } else { value };
            }
            spread.take(out);
        }
        spread
    }
}

/// A signal in bytes: `(byte - zero) * scale` is the value.
pub struct Quantised<'a> {
    bytes: &'a [u8],
    /// Of each row.
    sums: Vec<i32>,
    moments: usize,
    order: Order,
    scale: f32,
    zero: u8,
}

/// Rounds a row to bytes; tells their sum.
fn round(row: &[f32], inverse: f32, zero: f32, out: &mut [u8]) -> i32 {
    // Added to a small number, this leaves its integer, rounded to even, in the lowest bits.
    const MAGIC: f32 = 12_582_912.0;
    let (least, greatest) = (MAGIC, MAGIC + 255.0);
    let zero = MAGIC + zero;
    for (value, out) in row.iter().zip(out.iter_mut()) {
        let rounded = value * inverse + zero;
        let rounded = if rounded > least { rounded } else { least };
        let rounded = if rounded < greatest { rounded } else { greatest };
        *out = rounded.to_bits() as u8;
    }
    out.iter().map(|byte| i32::from(*byte)).sum()
}

/// To a millionth, for angles of up to some thousand turns.
#[allow(clippy::inline_always, reason = "the loop around it is vectorised only with it inside")]
#[inline(always)]
fn sine_squared(angle: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0;
    // Pi in two parts: the first times a small integer is exact.
    const PI: (f32, f32) = (3.140_625, 9.676_536e-4);
    let half_turns = (angle * std::f32::consts::FRAC_1_PI + MAGIC) - MAGIC;
    let rest = (angle - half_turns * PI.0) - half_turns * PI.1;
    let square = rest * rest;
    let series = square * (2.755_731_9e-6 - square * 2.505_21e-8);
    let series = square * (8.333_333e-3 - square * (1.984_127e-4 - series));
    let sine = rest - rest * square * (0.166_666_67 - series);
    sine * sine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sine_is_a_sine() {
        for at in -40_000..40_000 {
            let angle = at as f32 * 0.001_7;
            let sine = compere_media::math::sin(f64::from(angle));
            assert!((f64::from(sine_squared(angle)) - sine * sine).abs() < 2e-6, "{angle}");
        }
    }

    #[test]
    fn rounding_is_to_even_and_within_a_byte() {
        let mut out = [0; 6];
        let sum = round(&[0.0, 0.5, 1.5, -3.0, 400.0, -300.0], 1.0, 10.0, &mut out);
        assert_eq!(out, [10, 10, 12, 7, 255, 0]);
        assert_eq!(sum, 294);
    }

    fn constants(block: &str, channels: usize, taps: usize, numbers: [f32; 3]) -> Vec<crate::onnx::Constant> {
        use crate::onnx::Constant;
        let weights = (0..channels * channels * taps).map(|at| (at * 37 % 128) as u8).collect();
        let name = |what: &str| constant(block, 0, what);
        let bias: Vec<f32> = (0..channels).map(|channel| channel as f32).collect();
        vec![
            Constant::bytes(&name("weights"), &[taps * channels, channels], weights),
            Constant::floats(&name("bias"), &[channels], &bias),
            Constant::floats(&name("alpha"), &[channels], &vec![1.0; channels]),
            Constant::floats(&name("numbers"), &[3], &numbers),
        ]
    }

    /// Against the sum written down as it stands in books.
    #[test]
    fn a_dilated_convolution_is_what_books_say() {
        let (channels, taps, dilation, len) = (16, 3, 3, 1100);
        let made = constants("block", channels, taps, [0.01, 70.0, dilation as f32]);
        let encoded: Vec<Vec<u8>> = made.iter().map(crate::onnx::Constant::encode).collect();
        let tensors: Vec<Tensor<'_>> = encoded.iter().map(|bytes| Tensor::parse(bytes).unwrap()).collect();
        let weights = tensors[0].bytes().unwrap();
        let tensors: HashMap<&str, Tensor<'_>> = tensors.into_iter().map(|tensor| (tensor.name, tensor)).collect();
        let layer = Layer::read(&tensors, "block", 0).unwrap();
        // Whole numbers of which a byte loses nothing.
        let value = |moment: usize, channel: usize| ((moment * 31 + channel * 17) % 256) as f32 - 100.0;
        let rows: Vec<f32> = (0..len * channels).map(|at| value(at / channels, at % channels)).collect();
        let (mut bytes, mut out) = (Vec::new(), vec![0.0; rows.len()]);
        let quantised = layer.quantise(&rows, 1, (-100.0, 155.0), &mut bytes);
        let spread = layer.convolve(&quantised, &mut out, false).unwrap();
        let order = Order { len, step: dilation };
        let mut sum = 0.0;
        for moment in 0..len {
            for output in 0..channels {
                let mut exact = output as f64;
                for tap in 0..taps {
                    let Some(seen) = (moment + tap * dilation).checked_sub(dilation).filter(|seen| *seen < len) else {
                        continue;
                    };
                    for input in 0..channels {
                        let weight = f64::from(weights[(tap * channels + input) * channels + output]) - 70.0;
                        exact += weight * 0.01 * f64::from(value(seen, input));
                    }
                }
                let heard = f64::from(out[order.row(moment) * channels + output]);
                assert!((heard - exact).abs() < 1e-3, "moment {moment}, channel {output}: {heard} for {exact}");
                sum += if output == 0 { exact } else { 0.0 };
            }
        }
        assert!((spread.of(0).0 - sum / len as f64).abs() < 1e-3);
    }
}
