//! What the layers of a network compute.

pub(super) type Shape = Vec<usize>;

#[derive(Clone, Debug, Default)]
pub(super) struct Tensor {
    pub(super) shape: Shape,
    pub(super) numbers: Vec<f32>,
}

/// Height, width and channels.
pub(super) type Picture = [usize; 3];

impl Tensor {
    pub(super) fn new(shape: Shape, numbers: Vec<f32>) -> Self {
        Self { shape, numbers }
    }

    pub(super) fn picture(&self) -> Option<Picture> {
        let &[1, height, width, channels] = &self.shape[..] else { return None };
        (self.numbers.len() == height * width * channels).then_some([height, width, channels])
    }

    fn of_picture([height, width, channels]: Picture, numbers: Vec<f32>) -> Self {
        Self { shape: vec![1, height, width, channels], numbers }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activation {
    None,
    Relu,
    Relu6,
}

impl Activation {
    pub(super) fn of(code: u8) -> Self {
        match code {
            1 => Self::Relu,
            3 => Self::Relu6,
            _ => Self::None,
        }
    }

    pub(super) fn apply(self, numbers: &mut [f32]) {
        match self {
            Self::None => {}
            Self::Relu => numbers.iter_mut().for_each(|n| *n = n.max(0.0)),
            Self::Relu6 => numbers.iter_mut().for_each(|n| *n = n.clamp(0.0, 6.0)),
        }
    }
}

/// A filter's reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) size: [usize; 2],
    pub(super) stride: usize,
    /// The border is filled up so that only the stride makes the picture smaller.
    pub(super) same: bool,
}

impl Window {
    /// Pixels of the result, and how far the first window begins before the picture, along one side.
    fn span(&self, side: usize, size: usize) -> (usize, usize) {
        if self.same {
            let out = side.div_ceil(self.stride);
            (out, ((out - 1) * self.stride + size).saturating_sub(side) / 2)
        } else {
            (side.saturating_sub(size) / self.stride + 1, 0)
        }
    }

    fn over(&self, [height, width, _]: Picture) -> ([usize; 2], [usize; 2]) {
        let (rows, top) = self.span(height, self.size[0]);
        let (columns, left) = self.span(width, self.size[1]);
        ([rows, columns], [top, left])
    }
}

#[derive(Debug)]
pub(super) struct Convolution {
    window: Window,
    /// By place in the window, input and output; outputs lie side by side.
    weights: Vec<f32>,
    bias: Vec<f32>,
    outputs: usize,
    relu: Activation,
}

/// Pixels and outputs that are summed at a time: what fits into registers.
const PIXELS: usize = 4;
const OUTPUTS: usize = 8;

impl Convolution {
    pub(super) fn new(
        window: Window,
        weights: &[f32],
        bias: &[f32],
        inputs: usize,
        outputs: usize,
        relu: Activation,
    ) -> Self {
        let row = window.size[0] * window.size[1] * inputs;
        let padded = outputs.next_multiple_of(OUTPUTS);
        let mut turned = vec![0.0; row * padded];
        for (at, &weight) in weights.iter().enumerate().take(row * outputs) {
            let (output, place) = (at / row, at % row);
            // Blocks of outputs, each with all its places.
            turned[(output / OUTPUTS * row + place) * OUTPUTS + output % OUTPUTS] = weight;
        }
        let mut bias = bias.to_vec();
        bias.resize(padded, 0.0);
        Self { window, weights: turned, bias, outputs, relu }
    }

    pub(super) fn depthwise(window: Window, weights: &[f32], bias: &[f32], channels: usize, relu: Activation) -> Self {
        Self { window, weights: weights.to_vec(), bias: bias.to_vec(), outputs: channels, relu }
    }

    pub(super) fn run(&self, x: &Tensor, picture: Picture) -> Tensor {
        let ([rows, columns], _) = self.window.over(picture);
        let row = self.window.size[0] * self.window.size[1] * picture[2];
        let mut out = vec![0.0; rows * columns * self.outputs];
        let mut patch = vec![0.0f32; PIXELS * row];
        for first in (0..rows * columns).step_by(PIXELS) {
            let count = PIXELS.min(rows * columns - first);
            for (pixel, to) in patch.chunks_exact_mut(row).take(count).enumerate() {
                self.gather(x, picture, columns, first + pixel, to);
            }
            for (block, weights) in self.weights.chunks_exact(row * OUTPUTS).enumerate() {
                let sums = sums(&patch, weights, row);
                let at = block * OUTPUTS;
                let width = OUTPUTS.min(self.outputs - at);
                for (pixel, sums) in sums.iter().take(count).enumerate() {
                    let to = &mut out[(first + pixel) * self.outputs + at..][..width];
                    for ((to, sum), bias) in to.iter_mut().zip(sums).zip(&self.bias[at..]) {
                        *to = sum + bias;
                    }
                }
            }
        }
        self.relu.apply(&mut out);
        Tensor::of_picture([rows, columns, self.outputs], out)
    }

    /// What one window sees, in a row.
    fn gather(&self, x: &Tensor, [height, width, channels]: Picture, columns: usize, pixel: usize, to: &mut [f32]) {
        let (_, [top, left]) = self.window.over([height, width, channels]);
        let (y, x0) = (pixel / columns * self.window.stride, pixel % columns * self.window.stride);
        let [window_height, window_width] = self.window.size;
        for dy in 0..window_height {
            for dx in 0..window_width {
                let to = &mut to[(dy * window_width + dx) * channels..][..channels];
                let at = (y + dy).checked_sub(top).zip((x0 + dx).checked_sub(left));
                match at.filter(|&(y, x)| y < height && x < width) {
                    Some((y, column)) => to.copy_from_slice(&x.numbers[(y * width + column) * channels..][..channels]),
                    None => to.fill(0.0),
                }
            }
        }
    }

    pub(super) fn run_depthwise(&self, x: &Tensor, picture: Picture) -> Tensor {
        let channels = picture[2];
        let each = |to: &mut [f32], from: &[f32], place: usize| {
            let weights = &self.weights[place * channels..][..channels];
            for ((to, from), weight) in to.iter_mut().zip(from).zip(weights) {
                *to += from * weight;
            }
        };
        let mut out = windows(x, picture, &self.window, &self.bias, each);
        self.relu.apply(&mut out.numbers);
        out
    }
}

fn sums(patch: &[f32], weights: &[f32], row: usize) -> [[f32; OUTPUTS]; PIXELS] {
    let mut sums = [[0.0f32; OUTPUTS]; PIXELS];
    let (a, rest) = patch.split_at(row);
    let (b, rest) = rest.split_at(row);
    let (c, d) = rest.split_at(row);
    let pixels = a.iter().zip(b).zip(c.iter().zip(&d[..row]));
    for (((a, b), (c, d)), weights) in pixels.zip(weights.as_chunks::<OUTPUTS>().0) {
        for n in 0..OUTPUTS {
            sums[0][n] += a * weights[n];
            sums[1][n] += b * weights[n];
            sums[2][n] += c * weights[n];
            sums[3][n] += d * weights[n];
        }
    }
    sums
}

fn windows(
    x: &Tensor,
    picture: Picture,
    window: &Window,
    start: &[f32],
    mut each: impl FnMut(&mut [f32], &[f32], usize),
) -> Tensor {
    let [height, width, channels] = picture;
    let ([rows, columns], [top, left]) = window.over(picture);
    let mut out = vec![0.0; rows * columns * channels];
    for (pixel, to) in out.chunks_exact_mut(channels.max(1)).enumerate() {
        to.copy_from_slice(&start[..channels]);
        let (y, x0) = (pixel / columns * window.stride, pixel % columns * window.stride);
        for dy in 0..window.size[0] {
            for dx in 0..window.size[1] {
                let at = (y + dy).checked_sub(top).zip((x0 + dx).checked_sub(left));
                if let Some((y, column)) = at.filter(|&(y, x)| y < height && x < width) {
                    let from = &x.numbers[(y * width + column) * channels..][..channels];
                    each(to, from, dy * window.size[1] + dx);
                }
            }
        }
    }
    Tensor::of_picture([rows, columns, channels], out)
}

/// Every pixel as a block of pixels, side by side.
#[derive(Debug)]
pub(super) struct Spread {
    /// Height and width of a block.
    pub(super) size: [usize; 2],
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// By output, place in the block and input.
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl Spread {
    pub(super) fn run(&self, x: &Tensor, [height, width, _]: Picture) -> Tensor {
        let [high, wide] = self.size;
        let (rows, columns) = (height * high, width * wide);
        let mut out = Vec::with_capacity(rows * columns * self.outputs);
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let from = &x.numbers[(row / high * width + column / wide) * self.inputs..][..self.inputs];
            let place = row % high * wide + column % wide;
            for (output, bias) in self.bias.iter().enumerate().take(self.outputs) {
                let weights = &self.weights[(output * high * wide + place) * self.inputs..][..self.inputs];
                out.push(bias + from.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f32>());
            }
        }
        Tensor::of_picture([rows, columns, self.outputs], out)
    }
}

pub(super) fn mean(x: &Tensor, [height, width, channels]: Picture) -> Tensor {
    let mut sums = vec![0.0f32; channels];
    for pixel in x.numbers.chunks_exact(channels.max(1)) {
        sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += value);
    }
    let count = (height * width).max(1) as f32;
    Tensor::of_picture([1, 1, channels], sums.into_iter().map(|sum| sum / count).collect())
}

/// Between the middles of four pixels; the border goes on for ever.
pub(super) fn resize(x: &Tensor, [height, width, channels]: Picture, rows: usize, columns: usize) -> Tensor {
    let span = |n: usize, from: usize, to: usize| {
        let at = ((n as f32 + 0.5) * from as f32 / to as f32 - 0.5).clamp(0.0, (from - 1) as f32);
        let first = at as usize;
        (first, (first + 1).min(from - 1), at - first as f32)
    };
    let mut out = Vec::with_capacity(rows * columns * channels);
    for row in 0..rows {
        let (top, low, fy) = span(row, height, rows);
        for column in 0..columns {
            let (left, right, fx) = span(column, width, columns);
            let at = |row: usize, column: usize| &x.numbers[(row * width + column) * channels..][..channels];
            let corners = [at(top, left), at(top, right), at(low, left), at(low, right)];
            out.extend((0..channels).map(|n| {
                let upper = corners[0][n] + (corners[1][n] - corners[0][n]) * fx;
                let lower = corners[2][n] + (corners[3][n] - corners[2][n]) * fx;
                upper + (lower - upper) * fy
            }));
        }
    }
    Tensor::of_picture([rows, columns, channels], out)
}

pub(super) fn max_pool(x: &Tensor, picture: Picture, window: &Window) -> Tensor {
    let lowest = vec![f32::MIN; picture[2]];
    windows(x, picture, window, &lowest, |to, from, _| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = to.max(*from));
    })
}

pub(super) fn pad(x: &Tensor, [height, width, channels]: Picture, by: &[i32]) -> Tensor {
    let by = |n: usize| by.get(n).map_or(0, |&n| n.max(0) as usize);
    let size = [height + by(2) + by(3), width + by(4) + by(5), channels + by(6) + by(7)];
    let mut out = vec![0.0; size.iter().product()];
    for y in 0..height {
        for column in 0..width {
            let to = ((y + by(2)) * size[1] + column + by(4)) * size[2] + by(6);
            out[to..to + channels].copy_from_slice(&x.numbers[(y * width + column) * channels..][..channels]);
        }
    }
    Tensor::of_picture(size, out)
}

/// Two tensors of one shape, or a tensor and a few numbers that repeat.
pub(super) fn pairwise(a: &Tensor, b: &Tensor, both: impl Fn(f32, f32) -> f32) -> Tensor {
    let (a, b) = if a.numbers.len() >= b.numbers.len() { (a, b) } else { (b, a) };
    let mut out = a.clone();
    for part in out.numbers.chunks_mut(b.numbers.len().max(1)) {
        part.iter_mut().zip(&b.numbers).for_each(|(a, b)| *a = both(*a, *b));
    }
    out
}

/// A picture seen through a matrix that leads from the pixels of the result (their middles) to its own.
pub(super) fn look(x: &Tensor, picture: Picture, matrix: &[f32], rows: usize, columns: usize) -> Tensor {
    let [height, width, channels] = picture;
    let mut out = vec![0.0; rows * columns * channels];
    let &[a, b, _, c, d, e, _, f, ..] = matrix else { return Tensor::of_picture([rows, columns, channels], out) };
    let (c, f) = (c + (a + b) * 0.5 - 0.5, f + (d + e) * 0.5 - 0.5);
    for (pixel, to) in out.chunks_exact_mut(channels).enumerate() {
        let (column, row) = ((pixel % columns) as f32, (pixel / columns) as f32);
        let (px, py) = (a * column + b * row + c, d * column + e * row + f);
        if px < 0.0 || py < 0.0 || px > (width - 1) as f32 || py > (height - 1) as f32 {
            continue;
        }
        let (left, top) = (px as usize, py as usize);
        let (fx, fy) = (px - left as f32, py - top as f32);
        let (right, low) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
        let at = |row: usize, column: usize| &x.numbers[(row * width + column) * channels..][..channels];
        let corners = [at(top, left), at(top, right), at(low, left), at(low, right)];
        for (n, to) in to.iter_mut().enumerate() {
            let upper = corners[0][n] + (corners[1][n] - corners[0][n]) * fx;
            let lower = corners[2][n] + (corners[3][n] - corners[2][n]) * fx;
            *to = upper + (lower - upper) * fy;
        }
    }
    Tensor::of_picture([rows, columns, channels], out)
}
