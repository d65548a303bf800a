//! A runner for the TFLite files of the face networks: a dozen operators on single pictures, in plain arithmetic.

use compere_media::math;
use std::collections::{BTreeMap, BTreeSet};

use super::file::{Map, Table};
use super::layers::{self, Activation, Convolution, Shape, Spread, Tensor, Window};

/// A loaded network.
#[derive(Debug)]
pub(super) struct Net {
    steps: Vec<Step>,
    input: usize,
    outputs: Vec<usize>,
    /// Numbers that belong to the file.
    fixed: BTreeMap<usize, Tensor>,
    pub(super) input_shape: Vec<usize>,
}

#[derive(Debug)]
struct Step {
    layer: Layer,
    from: Vec<usize>,
    to: usize,
    shape: Vec<usize>,
}

#[derive(Debug)]
enum Layer {
    Convolution(Convolution),
    Depthwise(Convolution),
    Prelu(Vec<f32>),
    Relu,
    HardSwish,
    Logistic,
    Add(Activation),
    Multiply,
    MaxPool(Window),
    /// The mean of the whole picture, in one pixel.
    Mean,
    /// The same picture, larger or smaller.
    Resize,
    /// Every pixel becomes a block of them.
    Spread(Spread),
    Pad(Vec<i32>),
    /// The same numbers in another shape.
    Reshape,
    Concat,
    /// A square that follows some of the landmarks.
    Crop(Follow),
    /// Part of a picture, seen through a matrix.
    Look {
        height: usize,
        width: usize,
    },
    /// Points, moved by a matrix.
    Move,
}

/// Around which landmarks a crop lies.
#[derive(Debug)]
struct Follow {
    left: usize,
    right: usize,
    angle: f32,
    scale: [f32; 2],
    size: [f32; 2],
    subset: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the network file is not as expected: {0}")]
pub struct NetError(String);

fn wrong(what: impl Into<String>) -> NetError {
    NetError(what.into())
}

struct Reading<'a> {
    tensors: Vec<Table<'a>>,
    fixed: BTreeMap<usize, Tensor>,
}

impl Reading<'_> {
    fn shape(&self, tensor: usize) -> Shape {
        let dims = self.tensors.get(tensor).map(|table| table.ints(0)).unwrap_or_default();
        dims.into_iter().map(|side| usize::try_from(side).unwrap_or(0)).collect()
    }

    fn fixed(&self, tensor: Option<&usize>) -> Result<&Tensor, NetError> {
        tensor.and_then(|tensor| self.fixed.get(tensor)).ok_or_else(|| wrong("a layer without its weights"))
    }
}

impl Net {
    /// Reads a file. Of its outputs only those named by number in `outputs` are computed; what they do not need is left out.
    pub(super) fn load(file: &[u8], outputs: &[usize]) -> Result<Self, NetError> {
        let model = Table::root(file).ok_or_else(|| wrong("no table"))?;
        let graphs = model.tables(2);
        let graph = graphs.first().ok_or_else(|| wrong("no graph"))?;
        let (codes, buffers) = (model.tables(1), model.tables(4));
        let mut reading = Reading { tensors: graph.tables(0), fixed: BTreeMap::new() };
        for (number, tensor) in reading.tensors.iter().enumerate() {
            let buffer = buffers.get(tensor.int(2) as usize).map(|buffer| buffer.bytes(0)).unwrap_or_default();
            if !buffer.is_empty() {
                let shape = reading.shape(number);
                reading.fixed.insert(number, constant(tensor.byte(1), shape, buffer)?);
            }
        }
        let mut steps = Vec::new();
        for operator in graph.tables(3) {
            let code = codes.get(operator.int(0) as usize).ok_or_else(|| wrong("an operator without a code"))?;
            steps.extend(step(&operator, code, &mut reading)?);
        }
        let list = |field: usize| graph.ints(field).into_iter().map(|n| n as usize).collect::<Vec<_>>();
        let all = list(2);
        let wanted: Option<Vec<usize>> = outputs.iter().map(|&n| all.get(n).copied()).collect();
        let wanted = wanted.ok_or_else(|| wrong("too few outputs"))?;
        let input = *list(1).first().ok_or_else(|| wrong("no input"))?;
        let input_shape = reading.shape(input);
        needed(&mut steps, &wanted);
        Ok(Self { steps, input, outputs: wanted, fixed: reading.fixed, input_shape })
    }

    pub(super) fn run(&self, input: Vec<f32>) -> Result<Vec<Tensor>, NetError> {
        let mut values: BTreeMap<usize, Tensor> = BTreeMap::new();
        values.insert(self.input, Tensor::new(self.input_shape.clone(), input));
        let last = self.last_uses();
        for (number, step) in self.steps.iter().enumerate() {
            let from: Option<Vec<&Tensor>> =
                step.from.iter().map(|from| values.get(from).or_else(|| self.fixed.get(from))).collect();
            let from = from.filter(|from| !from.is_empty()).ok_or_else(|| wrong("a layer before its input"))?;
            let out = step.layer.run(&from, &step.shape)?;
            values.insert(step.to, out);
            for used in step.from.iter().filter(|from| last.get(from) == Some(&number)) {
                values.remove(used);
            }
        }
        self.outputs.iter().map(|out| values.remove(out).ok_or_else(|| wrong("an output that is not made"))).collect()
    }

    /// The last step that reads each tensor; outputs are kept.
    fn last_uses(&self) -> BTreeMap<usize, usize> {
        let reads = self.steps.iter().enumerate().flat_map(|(n, step)| step.from.iter().map(move |&from| (from, n)));
        reads.filter(|(from, _)| !self.outputs.contains(from)).collect()
    }
}

/// Leaves out steps that nothing wanted depends on.
fn needed(steps: &mut Vec<Step>, wanted: &[usize]) {
    let mut open: BTreeSet<usize> = wanted.iter().copied().collect();
    let mut kept: Vec<Step> = Vec::new();
    while let Some(step) = steps.pop() {
        if open.contains(&step.to) {
            open.extend(step.from.iter().copied());
            kept.push(step);
        }
    }
    kept.reverse();
    *steps = kept;
}

fn constant(kind: u8, shape: Shape, bytes: &[u8]) -> Result<Tensor, NetError> {
    let numbers = match kind {
        0 => bytes.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect(),
        1 => bytes.as_chunks().0.iter().map(|&two| half(u16::from_le_bytes(two))).collect(),
        2 => bytes.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four) as f32).collect(),
        other => return Err(wrong(format!("numbers of type {other}"))),
    };
    Ok(Tensor::new(shape, numbers))
}

fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    match exponent {
        0 => sign * mantissa as f32 / 16_777_216.0,
        31 => f32::NAN,
        _ => sign * f32::from_bits((exponent + 112) << 23 | mantissa << 13),
    }
}

/// One operator; none when it only hands on numbers of the file.
fn step(operator: &Table<'_>, code: &Table<'_>, reading: &mut Reading<'_>) -> Result<Option<Step>, NetError> {
    let from: Vec<usize> = operator.ints(1).into_iter().map(|n| n as usize).collect();
    let to = operator.ints(2).first().map(|&n| n as usize).ok_or_else(|| wrong("an operator without output"))?;
    let number = code.int(3).max(i32::from(code.byte(0)));
    let options = operator.table(4);
    let option = |field: usize| options.map_or(0, |options| options.int(field)) as usize;
    let flag = |field: usize| options.map_or(0, |options| options.byte(field));
    let window = |k: [usize; 2]| Window { size: k, stride: option(1).max(1), same: flag(0) == 0 };
    let layer = match number {
        6 => {
            let constant = reading.fixed(from.first())?.clone();
            reading.fixed.insert(to, constant);
            return Ok(None);
        }
        3 => {
            let (weights, bias) = (reading.fixed(from.get(1))?, reading.fixed(from.get(2))?);
            let &[outputs, height, width, inputs] = &weights.shape[..] else { return Err(wrong("a flat filter")) };
            let window = window([height, width]);
            let relu = Activation::of(flag(3));
            Layer::Convolution(Convolution::new(window, &weights.numbers, &bias.numbers, inputs, outputs, relu))
        }
        4 => {
            let (weights, bias) = (reading.fixed(from.get(1))?, reading.fixed(from.get(2))?);
            let &[_, height, width, channels] = &weights.shape[..] else { return Err(wrong("a flat filter")) };
            let window = window([height, width]);
            let relu = Activation::of(flag(4));
            Layer::Depthwise(Convolution::depthwise(window, &weights.numbers, &bias.numbers, channels, relu))
        }
        54 => Layer::Prelu(reading.fixed(from.get(1))?.numbers.clone()),
        19 => Layer::Relu,
        0 => Layer::Add(Activation::of(flag(0))),
        18 => Layer::Multiply,
        17 => Layer::MaxPool(Window { size: [option(4), option(3)], stride: option(1).max(1), same: flag(0) == 0 }),
        1 => whole([option(4), option(3)], &reading.shape(from.first().copied().unwrap_or(usize::MAX)))?,
        // Only from middles of pixels to middles of pixels.
        23 if flag(2) == 0 && flag(3) != 0 => Layer::Resize,
        14 => Layer::Logistic,
        117 => Layer::HardSwish,
        34 => Layer::Pad(reading.fixed(from.get(1))?.numbers.iter().map(|&n| n as i32).collect()),
        // The only slice in these files takes everything.
        22 | 45 => Layer::Reshape,
        2 => Layer::Concat,
        32 if code.text(1) == "Convolution2DTransposeBias" => {
            let (weights, bias) = (reading.fixed(from.get(1))?, reading.fixed(from.get(2))?);
            let &[outputs, height, width, inputs] = &weights.shape[..] else { return Err(wrong("a flat filter")) };
            // Padding, then both strides: blocks lie side by side.
            if ints(operator.bytes(5)).get(1..3) != Some(&[width, height]) {
                return Err(wrong("blocks that overlap"));
            }
            let weights = weights.numbers.clone();
            Layer::Spread(Spread { size: [height, width], inputs, outputs, weights, bias: bias.numbers.clone() })
        }
        32 => custom(code.text(1), operator.bytes(5))?,
        other => return Err(wrong(format!("operator {other}"))),
    };
    let inputs = match layer {
        Layer::Add(_) | Layer::Multiply | Layer::Look { .. } | Layer::Move | Layer::Concat => from,
        _ => from.into_iter().take(1).collect(),
    };
    Ok(Some(Step { layer, from: inputs, to, shape: reading.shape(to) }))
}

/// A mean over a picture is all that these files ask of a pool of means.
fn whole(window: [usize; 2], picture: &[usize]) -> Result<Layer, NetError> {
    if picture.get(1..3) == Some(&window) { Ok(Layer::Mean) } else { Err(wrong("a mean of a part")) }
}

fn ints(bytes: &[u8]) -> Vec<usize> {
    bytes.as_chunks().0.iter().map(|&four| u32::from_le_bytes(four) as usize).collect()
}

fn custom(name: &str, options: &[u8]) -> Result<Layer, NetError> {
    let map = Map::root(options);
    let number = |key: &str| map.and_then(|map| map.number(key)).ok_or_else(|| wrong(format!("{name} without {key}")));
    Ok(match name {
        "Landmarks2TransformMatrix" => Layer::Crop(Follow {
            left: number("left_rotation_idx")? as usize,
            right: number("right_rotation_idx")? as usize,
            angle: number("target_rotation_radians")? as f32,
            scale: [number("scale_x")? as f32, number("scale_y")? as f32],
            size: [number("output_width")? as f32, number("output_height")? as f32],
            subset: map.and_then(|map| map.list("subset_idxs")).ok_or_else(|| wrong("a crop around nothing"))?,
        }),
        "TransformTensorBilinear" => {
            Layer::Look { height: number("output_height")? as usize, width: number("output_width")? as usize }
        }
        "TransformLandmarks" => Layer::Move,
        other => return Err(wrong(format!("operator {other}"))),
    })
}

impl Layer {
    fn run(&self, from: &[&Tensor], shape: &[usize]) -> Result<Tensor, NetError> {
        let x = from[0];
        let second = || from.get(1).copied().ok_or_else(|| wrong("a layer with one input of two"));
        let picture = || x.picture().ok_or_else(|| wrong("a layer on something that is no picture"));
        Ok(match self {
            Self::Convolution(convolution) => convolution.run(x, picture()?),
            Self::Depthwise(convolution) => convolution.run_depthwise(x, picture()?),
            Self::MaxPool(window) => layers::max_pool(x, picture()?, window),
            Self::Pad(by) => layers::pad(x, picture()?, by),
            Self::Prelu(slopes) => {
                let mut out = x.clone();
                for pixel in out.numbers.chunks_exact_mut(slopes.len().max(1)) {
                    // Both halves of every number, since a choice between them would stop the processor at each.
                    pixel
                        .iter_mut()
                        .zip(slopes)
                        .for_each(|(value, slope)| *value = value.max(0.0) + slope * value.min(0.0));
                }
                out
            }
            Self::Relu => {
                let mut out = x.clone();
                Activation::Relu.apply(&mut out.numbers);
                out
            }
            Self::HardSwish => {
                let swish = |n: &f32| n * (n + 3.0).clamp(0.0, 6.0) / 6.0;
                Tensor::new(x.shape.clone(), x.numbers.iter().map(swish).collect())
            }
            Self::Logistic => {
                let logistic = |n: &f32| 1.0 / (1.0 + math::expf(-n.clamp(-80.0, 80.0)));
                Tensor::new(x.shape.clone(), x.numbers.iter().map(logistic).collect())
            }
            Self::Mean => layers::mean(x, picture()?),
            Self::Resize => {
                let &[_, rows, columns, _] = shape else { return Err(wrong("a size of something that is no picture")) };
                layers::resize(x, picture()?, rows, columns)
            }
            Self::Spread(spread) => spread.run(x, picture()?),
            Self::Add(activation) => {
                let mut out = layers::pairwise(x, second()?, |a, b| a + b);
                activation.apply(&mut out.numbers);
                out
            }
            Self::Multiply => layers::pairwise(x, second()?, |a, b| a * b),
            Self::Reshape => Tensor::new(shape.to_vec(), x.numbers.clone()),
            Self::Concat => {
                Tensor::new(shape.to_vec(), from.iter().flat_map(|tensor| tensor.numbers.iter().copied()).collect())
            }
            Self::Crop(follow) => follow.matrix(&x.numbers)?,
            Self::Look { height, width } => layers::look(x, picture()?, &second()?.numbers, *height, *width),
            Self::Move => {
                let &[a, b, _, c, d, e, _, f, ..] = &second()?.numbers[..] else { return Err(wrong("no matrix")) };
                let moved = x.numbers.as_chunks::<2>().0.iter().map(|[x, y]| [a * x + b * y + c, d * x + e * y + f]);
                Tensor::new(shape.to_vec(), moved.flatten().collect())
            }
        })
    }
}

impl Follow {
    /// From the crop's pixels to those of the picture that the landmarks lie in: turned with the line between two of
    /// them, as large as the subset scaled.
    fn matrix(&self, landmarks: &[f32]) -> Result<Tensor, NetError> {
        let point = |n: usize| {
            let found = landmarks.get(3 * n..3 * n + 2).map(|xy| [xy[0], xy[1]]);
            found.ok_or_else(|| wrong("a crop around points that are not there"))
        };
        let (left, right) = (point(self.left)?, point(self.right)?);
        let turn = self.angle - math::atan2f(right[1] - left[1], right[0] - left[0]);
        let (cos, sin) = (math::cosf(turn), math::sinf(turn));
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for &n in &self.subset {
            let [x, y] = point(n)?;
            for (axis, value) in [x * cos - y * sin, x * sin + y * cos].into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        let middle = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
        let centre = [middle[0] * cos + middle[1] * sin, middle[1] * cos - middle[0] * sin];
        let scale: [f32; 2] = std::array::from_fn(|axis| self.scale[axis] * (high[axis] - low[axis]) / self.size[axis]);
        let (a, b, c, d) = (cos * scale[0], sin * scale[1], -sin * scale[0], cos * scale[1]);
        let [half_x, half_y] = [self.size[0] / 2.0, self.size[1] / 2.0];
        let (x, y) = (centre[0] - a * half_x - b * half_y, centre[1] - c * half_x - d * half_y);
        let matrix = vec![a, b, 0.0, x, c, d, 0.0, y, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        Ok(Tensor::new(vec![1, 4, 4], matrix))
    }
}
