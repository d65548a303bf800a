//! Convolutions as matrix products.
//!
//! Three quarters of the time went into quantised convolutions, and most of that into the runtime's packing of their
//! input, which fetches byte by byte. A product of matrices packs its left side whole rows at a time. So each convolution
//! becomes: turn to time-major, lay the taps of every moment side by side (a gather of whole rows), one product, turn
//! back. The sums are the same integers; what follows them differs only in that the bias is added unquantised.
//!
//! Weights stay unsigned and are moved up by 64, for two reasons. The runtime packs signed ones ahead of time and then
//! forgets their zero point. And it subtracts 128, after which 255 x 64 x 2 still fits the 16 bits in which processors
//! without VNNI add pairs.

use super::PatchError;
use crate::onnx::{Constant, Graph, Node, Wiring};
use std::collections::{BTreeSet, HashMap};

/// Products shorter than this do not pay for laying the taps out.
const SHORTEST: usize = 200;

pub fn as_products(graph: &mut Graph<'_>) -> Result<(), PatchError> {
    let wiring = graph.wiring();
    let (mut replaced, mut dropped, mut constants) = (HashMap::new(), BTreeSet::new(), Vec::new());
    for index in 0..graph.nodes.len() {
        if let Some(found) = Convolution::at(graph, &wiring, index)? {
            dropped.extend([index, found.bias_add, found.cast]);
            replaced.insert(found.scale_mul, found.product(&mut constants));
        }
    }
    for constant in constants {
        graph.add(constant);
    }
    graph.rewrite(replaced, &dropped);
    Ok(())
}

/// `ConvInteger -> Add(bias) -> Cast -> Mul(scale)`, with what is needed to say it otherwise.
struct Convolution {
    bias_add: usize,
    cast: usize,
    scale_mul: usize,
    input: String,
    input_zero: String,
    scale: String,
    output: String,
    dilation: usize,
    /// Outputs, inputs, taps.
    shape: [usize; 3],
    weights: Vec<u8>,
    weights_zero: u8,
    bias: Vec<f32>,
}

impl Convolution {
    fn at(graph: &Graph<'_>, wiring: &Wiring, index: usize) -> Result<Option<Self>, PatchError> {
        let node = &graph.nodes[index];
        let simple = node.op == "ConvInteger"
            && node.ints("strides")? == [1]
            && node.ints("pads")?.iter().all(|pad| *pad == 0)
            && node.int("group")?.unwrap_or(1) == 1;
        if !simple {
            return Ok(None);
        }
        let dilation = node.ints("dilations")?.first().map_or(1, |dilation| *dilation as usize);
        Ok(Self::assembled(graph, wiring, node, dilation))
    }

    fn assembled(graph: &Graph<'_>, wiring: &Wiring, node: &Node, dilation: usize) -> Option<Self> {
        let step = |value: &str, op: &str| {
            let user = wiring.only_user(value)?;
            (graph.nodes[user].op == op).then_some(user)
        };
        let bias_add = step(&node.outputs[0], "Add")?;
        let cast = step(&graph.nodes[bias_add].outputs[0], "Cast")?;
        let scale_mul = step(&graph.nodes[cast].outputs[0], "Mul")?;
        let weights = graph.tensors.get(node.inputs[1].as_str())?;
        let zero = graph.tensors.get(node.inputs.get(3)?.as_str())?.bytes()?;
        let shape: [usize; 3] = weights.shape.as_slice().try_into().ok()?;
        let weights = weights.bytes()?;
        let reduced = weights.iter().chain(&zero).all(|weight| *weight < 128) && zero.len() == 1;
        if !reduced || shape[1] * shape[2] < SHORTEST || weights.len() != shape.iter().product::<usize>() {
            return None;
        }
        Some(Self {
            bias: bias(graph, wiring, &graph.nodes[bias_add], &node.outputs[0], shape[0])?,
            scale: other_input(&graph.nodes[scale_mul], &graph.nodes[cast].outputs[0])?,
            output: graph.nodes[scale_mul].outputs[0].clone(),
            input: node.inputs[0].clone(),
            input_zero: node.inputs[2].clone(),
            weights_zero: zero[0],
            bias_add,
            cast,
            scale_mul,
            dilation,
            shape,
            weights,
        })
    }

    fn product(&self, constants: &mut Vec<Constant>) -> Vec<Node> {
        let [outputs, inputs, taps] = self.shape;
        let own = |what: &str| format!("{}_{what}", self.output);
        let mut nodes = vec![Node::new("Transpose", &[&self.input], &own("rows")).with_ints("perm", &[0, 2, 1])];
        let left = if taps == 1 { own("rows") } else { self.lay_out(&mut nodes, constants) };
        constants.push(Constant::bytes(&own("weights"), &[taps * inputs, outputs], self.turned_weights()));
        constants.push(Constant::bytes(&own("weights_zero"), &[], vec![self.weights_zero + 64]));
        constants.push(Constant::floats(&own("bias"), &[1, outputs, 1], &self.bias));
        let (right, right_zero) = (own("weights"), own("weights_zero"));
        nodes.push(Node::new("MatMulInteger", &[&left, &right, &self.input_zero, &right_zero], &own("sums")));
        nodes.push(Node::new("Cast", &[&own("sums")], &own("float")).with_int("to", 1));
        nodes.push(Node::new("Mul", &[&own("float"), &self.scale], &own("scaled")));
        nodes.push(Node::new("Transpose", &[&own("scaled")], &own("channels")).with_ints("perm", &[0, 2, 1]));
        nodes.push(Node::new("Add", &[&own("channels"), &own("bias")], &self.output));
        nodes
    }

    /// Rows of `taps` moments: row `t` holds what the convolution sees at `t`.
    fn lay_out(&self, nodes: &mut Vec<Node>, constants: &mut Vec<Constant>) -> String {
        let [_, inputs, taps] = self.shape;
        let own = |what: &str| format!("{}_{what}", self.output);
        let reach = (taps - 1) * self.dilation;
        let (offsets, reach_name) = (format!("taps_{taps}_{}", self.dilation), format!("reach_{reach}"));
        let shape = format!("row_of_{}", taps * inputs);
        let steps: Vec<i64> = (0..taps).map(|tap| (tap * self.dilation) as i64).collect();
        constants.push(Constant::ints(&offsets, &[1, taps], &steps));
        constants.push(Constant::ints(&reach_name, &[], &[reach as i64]));
        constants.push(Constant::ints(&shape, &[3], &[1, -1, (taps * inputs) as i64]));
        constants.push(Constant::ints("number_0", &[], &[0]));
        constants.push(Constant::ints("number_1", &[], &[1]));
        constants.push(Constant::ints("axis_1", &[1], &[1]));
        nodes.push(Node::new("Shape", &[&own("rows")], &own("size")));
        nodes.push(Node::new("Gather", &[&own("size"), "number_1"], &own("padded")).with_int("axis", 0));
        nodes.push(Node::new("Sub", &[&own("padded"), &reach_name], &own("moments")));
        nodes.push(Node::new("Range", &["number_0", &own("moments"), "number_1"], &own("times")));
        nodes.push(Node::new("Unsqueeze", &[&own("times"), "axis_1"], &own("column")));
        nodes.push(Node::new("Add", &[&own("column"), &offsets], &own("indices")));
        nodes.push(Node::new("Gather", &[&own("rows"), &own("indices")], &own("seen")).with_int("axis", 1));
        nodes.push(Node::new("Reshape", &[&own("seen"), &shape], &own("left")));
        own("left")
    }

    fn turned_weights(&self) -> Vec<u8> {
        turned(&self.weights, self.shape).map(|weight| weight + 64).collect()
    }
}

/// From (outputs, inputs, taps) to (taps, inputs, outputs).
pub fn turned(weights: &[u8], [outputs, inputs, taps]: [usize; 3]) -> impl Iterator<Item = u8> {
    (0..taps).flat_map(move |tap| {
        (0..inputs)
            .flat_map(move |input| (0..outputs).map(move |output| weights[(output * inputs + input) * taps + tap]))
    })
}

/// The bias before it was quantised: `Div(bias, scale) -> Floor -> Cast -> Reshape`.
fn bias(graph: &Graph<'_>, wiring: &Wiring, add: &Node, convolved: &str, len: usize) -> Option<Vec<f32>> {
    let mut value = other_input(add, convolved)?;
    loop {
        let maker = &graph.nodes[wiring.maker(&value)?];
        value = maker.inputs.first()?.clone();
        match maker.op.as_str() {
            "Reshape" | "Cast" | "Floor" => {}
            "Div" => return graph.tensors.get(value.as_str())?.floats().filter(|bias| bias.len() == len),
            _ => return None,
        }
    }
}

fn other_input(node: &Node, one: &str) -> Option<String> {
    node.inputs.iter().find(|input| *input != one).cloned()
}
