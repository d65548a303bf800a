//! Adaptive instance normalisation as the one operator it is.
//!
//! The export spells it out in nine operators that each pass over the whole signal. Scale and shift come from the style,
//! so they are values, not constants.

use crate::onnx::{Constant, Graph, Node, Wiring};
use std::collections::{BTreeSet, HashMap};

pub fn fused(graph: &mut Graph<'_>) {
    let wiring = graph.wiring();
    let (mut replaced, mut dropped) = (HashMap::new(), BTreeSet::new());
    for index in 0..graph.nodes.len() {
        if let Some(norm) = Norm::at(graph, &wiring, index) {
            dropped.extend([index, norm.mul]);
            replaced.insert(norm.add, norm.nodes);
        }
    }
    graph.add(Constant::ints("flat", &[1], &[-1]));
    graph.rewrite(replaced, &dropped);
}

struct Norm {
    mul: usize,
    add: usize,
    nodes: Vec<Node>,
}

impl Norm {
    /// `Div(Sub(x, mean), Sqrt(variance + epsilon)) -> Mul(scale) -> Add(shift)`, found by its division.
    fn at(graph: &Graph<'_>, wiring: &Wiring, index: usize) -> Option<Self> {
        let made_by = |value: &str, op: &str| {
            let node = &graph.nodes[wiring.maker(value)?];
            (node.op == op).then_some(node)
        };
        let used_by = |value: &str, op: &str| {
            let user = wiring.only_user(value)?;
            (graph.nodes[user].op == op).then_some(user)
        };
        let div = &graph.nodes[index];
        if div.op != "Div" {
            return None;
        }
        let centred = made_by(&div.inputs[0], "Sub")?;
        made_by(&centred.inputs[1], "ReduceMean")?;
        let deviation = made_by(&div.inputs[1], "Sqrt")?;
        let epsilon = constant_input(graph, made_by(&deviation.inputs[0], "Add")?)?;
        let mul = used_by(&div.outputs[0], "Mul")?;
        let scale = dynamic_input(graph, &graph.nodes[mul], &div.outputs[0])?;
        let add = used_by(&graph.nodes[mul].outputs[0], "Add")?;
        let shift = dynamic_input(graph, &graph.nodes[add], &graph.nodes[mul].outputs[0])?;
        let output = &graph.nodes[add].outputs[0];
        let (flat_scale, flat_shift) = (format!("{output}_scale"), format!("{output}_shift"));
        let nodes = vec![
            Node::new("Reshape", &[scale, "flat"], &flat_scale),
            Node::new("Reshape", &[shift, "flat"], &flat_shift),
            Node::new("InstanceNormalization", &[&centred.inputs[0], &flat_scale, &flat_shift], output)
                .with_float("epsilon", epsilon),
        ];
        Some(Self { mul, add, nodes })
    }
}

fn constant_input(graph: &Graph<'_>, node: &Node) -> Option<f32> {
    let tensor = node.inputs.iter().find_map(|input| graph.tensors.get(input.as_str()))?;
    tensor.floats()?.first().copied()
}

fn dynamic_input<'a>(graph: &Graph<'_>, node: &'a Node, one: &str) -> Option<&'a str> {
    let other = node.inputs.iter().find(|input| *input != one)?;
    (!graph.tensors.contains_key(other.as_str())).then_some(other)
}
