//! Just enough of ONNX to change a graph: nodes are read and written, everything else is copied as it is.
//!
//! An ONNX file is a protobuf message. Only its wire format is needed here, so there is no schema and no generated code;
//! what the numbers mean stands beside them.

mod node;
mod wire;

pub use node::{Node, float_scalar, int_vector};
pub use wire::Damaged;

use wire::{Field, fields, put_bytes};

/// Field numbers of `ModelProto` and `GraphProto`.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_INITIALIZER: u64 = 5;
const GRAPH_OUTPUT: u64 = 12;
const GRAPH_VALUE_INFO: u64 = 13;

/// The part of a graph that an edit may touch.
#[derive(Debug, Default)]
pub struct Graph {
    /// In an order in which every value is made before it is used.
    pub nodes: Vec<Node>,
    /// Encoded constants to add.
    pub constants: Vec<Vec<u8>>,
    /// Names of values to add to the outputs.
    pub outputs: Vec<String>,
}

/// The model with its graph changed by `change`.
///
/// Recorded types of intermediate values are dropped: a changed graph makes some of them wrong, and none is needed.
pub fn edit<E: From<Damaged>>(model: &[u8], change: impl FnOnce(&mut Graph) -> Result<(), E>) -> Result<Vec<u8>, E> {
    let mut change = Some(change);
    let mut out = Vec::with_capacity(model.len() + (1 << 17));
    for field in fields(model) {
        let field = field?;
        match (field.number, change.take()) {
            (MODEL_GRAPH, Some(change)) => put_bytes(&mut out, MODEL_GRAPH, &edit_graph(field, change)?),
            (_, unused) => {
                change = unused;
                out.extend_from_slice(field.whole);
            }
        }
    }
    if change.is_some() { Err(Damaged("there is no graph in it").into()) } else { Ok(out) }
}

fn edit_graph<E: From<Damaged>>(
    field: Field<'_>,
    change: impl FnOnce(&mut Graph) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut graph = Graph::default();
    let mut untouched = Vec::with_capacity(field.payload.len());
    for field in fields(field.payload) {
        let field = field?;
        match field.number {
            GRAPH_NODE => graph.nodes.push(Node::parse(field.payload)?),
            GRAPH_VALUE_INFO => {}
            _ => untouched.extend_from_slice(field.whole),
        }
    }
    change(&mut graph)?;
    let mut out = Vec::with_capacity(field.payload.len() + (1 << 16));
    for node in &graph.nodes {
        put_bytes(&mut out, GRAPH_NODE, &node.encode());
    }
    for constant in &graph.constants {
        put_bytes(&mut out, GRAPH_INITIALIZER, constant);
    }
    out.extend_from_slice(&untouched);
    for name in &graph.outputs {
        let mut value_info = Vec::new();
        put_bytes(&mut value_info, 1, name.as_bytes());
        put_bytes(&mut out, GRAPH_OUTPUT, &value_info);
    }
    Ok(out)
}
