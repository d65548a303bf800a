//! Just enough of ONNX to change a graph: nodes are read and written, everything else is copied as it is.
//!
//! An ONNX file is a protobuf message. Only its wire format is needed here, so there is no schema and no generated code;
//! what the numbers mean stands beside them.

mod node;
mod tensor;
mod wire;

pub use node::Node;
pub use tensor::{Constant, Tensor};
pub use wire::Damaged;

use std::collections::{BTreeSet, HashMap, HashSet};
use wire::{Field, fields, put_bytes};

/// Field numbers of `ModelProto` and `GraphProto`.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_INITIALIZER: u64 = 5;
const GRAPH_INPUT: u64 = 11;
const GRAPH_OUTPUT: u64 = 12;
const GRAPH_VALUE_INFO: u64 = 13;

/// The part of a graph that an edit may touch.
#[derive(Debug, Default)]
pub struct Graph<'a> {
    /// In an order in which every value is made before it is used.
    pub nodes: Vec<Node>,
    /// Constants of the file, by name.
    pub tensors: HashMap<&'a str, Tensor<'a>>,
    /// Constants to add.
    pub constants: Vec<Constant>,
    /// Names of values to add to the inputs.
    pub inputs: Vec<String>,
    /// Names of values to add to the outputs.
    pub outputs: Vec<String>,
    /// Names of constants to keep although no node uses them.
    pub kept: HashSet<String>,
    /// Names of the outputs there are.
    published: Vec<String>,
}

impl Graph<'_> {
    /// Adds a constant unless one of that name was added before.
    pub fn add(&mut self, constant: Constant) {
        if self.constants.iter().all(|present| present.name != constant.name) {
            self.constants.push(constant);
        }
    }

    pub fn wiring(&self) -> Wiring {
        let mut wiring = Wiring::default();
        for (index, node) in self.nodes.iter().enumerate() {
            wiring.makers.extend(node.outputs.iter().map(|name| (name.clone(), index)));
            for name in &node.inputs {
                wiring.users.entry(name.clone()).or_default().push(index);
            }
        }
        wiring
    }

    /// Puts nodes in the place of some, leaves out others.
    pub fn rewrite(&mut self, mut replaced: HashMap<usize, Vec<Node>>, dropped: &BTreeSet<usize>) {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for (index, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            match replaced.remove(&index) {
                Some(instead) => nodes.extend(instead),
                None if dropped.contains(&index) => {}
                None => nodes.push(node),
            }
        }
        self.nodes = nodes;
    }

    /// Leaves out what no output depends on; tells what is still needed.
    pub fn prune(&mut self) -> HashSet<String> {
        let mut needed: HashSet<String> =
            self.published.iter().chain(&self.outputs).chain(&self.kept).cloned().collect();
        let mut kept = Vec::with_capacity(self.nodes.len());
        for node in std::mem::take(&mut self.nodes).into_iter().rev() {
            if node.outputs.iter().any(|name| needed.contains(name)) {
                needed.extend(node.inputs.iter().cloned());
                kept.push(node);
            }
        }
        kept.reverse();
        self.nodes = kept;
        needed
    }
}

/// Which node makes a value and which use it.
#[derive(Debug, Default)]
pub struct Wiring {
    makers: HashMap<String, usize>,
    users: HashMap<String, Vec<usize>>,
}

impl Wiring {
    pub fn maker(&self, value: &str) -> Option<usize> {
        self.makers.get(value).copied()
    }

    /// The node that uses a value, if it is the only one.
    pub fn only_user(&self, value: &str) -> Option<usize> {
        match self.users.get(value)?.as_slice() {
            [user] => Some(*user),
            _ => None,
        }
    }
}

/// The model with its graph changed by `change`, without what is no longer needed.
///
/// Recorded types of intermediate values are dropped: a changed graph makes some of them wrong, and none is needed.
pub fn edit<E: From<Damaged>>(
    model: &[u8],
    change: impl FnOnce(&mut Graph<'_>) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut change = Some(change);
    let mut out = Vec::with_capacity(model.len() + (1 << 17));
    for field in fields(model) {
        let field = field?;
        match change.take_if(|_| field.number == MODEL_GRAPH) {
            Some(change) => put_bytes(&mut out, MODEL_GRAPH, &edit_graph(field, change)?),
            None => out.extend_from_slice(field.whole),
        }
    }
    if change.is_some() { Err(Damaged("there is no graph in it").into()) } else { Ok(out) }
}

fn edit_graph<E: From<Damaged>>(
    field: Field<'_>,
    change: impl FnOnce(&mut Graph<'_>) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut graph = Graph::default();
    let (mut untouched, mut tensors) = (Vec::new(), Vec::new());
    for field in fields(field.payload) {
        let field = field?;
        match field.number {
            GRAPH_NODE => graph.nodes.push(Node::parse(field.payload)?),
            GRAPH_INITIALIZER => {
                let tensor = Tensor::parse(field.payload)?;
                tensors.push((tensor.name, field.whole));
                graph.tensors.insert(tensor.name, tensor);
            }
            GRAPH_VALUE_INFO => {}
            number => {
                if number == GRAPH_OUTPUT {
                    graph.published.push(node::name_of(field.payload)?);
                }
                untouched.extend_from_slice(field.whole);
            }
        }
    }
    change(&mut graph)?;
    let needed = graph.prune();
    let mut out = Vec::with_capacity(field.payload.len() + (1 << 16));
    for node in &graph.nodes {
        put_bytes(&mut out, GRAPH_NODE, &node.encode());
    }
    for constant in graph.constants.iter().filter(|constant| needed.contains(&constant.name)) {
        put_bytes(&mut out, GRAPH_INITIALIZER, &constant.encode());
    }
    for (_, whole) in tensors.iter().filter(|(name, _)| needed.contains(*name)) {
        out.extend_from_slice(whole);
    }
    out.extend_from_slice(&untouched);
    let inputs = graph.inputs.iter().map(|name| (GRAPH_INPUT, name));
    for (number, name) in inputs.chain(graph.outputs.iter().map(|name| (GRAPH_OUTPUT, name))) {
        let mut value_info = Vec::new();
        put_bytes(&mut value_info, 1, name.as_bytes());
        put_bytes(&mut out, number, &value_info);
    }
    Ok(out)
}

/// The constants of a model, by name.
pub fn tensors(model: &[u8]) -> Result<HashMap<&str, Tensor<'_>>, Damaged> {
    let mut tensors = HashMap::new();
    for field in fields(model) {
        let field = field?;
        if field.number != MODEL_GRAPH {
            continue;
        }
        for field in fields(field.payload) {
            let field = field?;
            if field.number == GRAPH_INITIALIZER {
                let tensor = Tensor::parse(field.payload)?;
                tensors.insert(tensor.name, tensor);
            }
        }
    }
    Ok(tensors)
}
