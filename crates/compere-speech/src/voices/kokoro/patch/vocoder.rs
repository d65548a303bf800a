//! Takes the residual blocks of the vocoder out of the graph: [`super::super::vocoder`] computes them.
//!
//! What goes into them becomes outputs, what comes out of them becomes inputs, and their constants are kept in the file in
//! the shape in which they are wanted.

use super::super::vocoder::{BLOCKS, LAYERS, constant};
use super::{GENERATOR, PatchError};
use crate::onnx::{Constant, Graph, Node, Wiring};

/// For each stage: the upsampled signal, the harmonic source, and what the blocks make of them.
pub const STAGES: [[&str; 3]; 2] = [
    [
        "/decoder/decoder/generator/ups.0/ConvTranspose_output_0",
        "/decoder/decoder/generator/noise_convs.0/Conv_output_0",
        "/decoder/decoder/generator/Div_2_output_0",
    ],
    [
        "/decoder/decoder/generator/reflection_pad/Pad_output_0",
        "/decoder/decoder/generator/noise_convs.1/Conv_output_0",
        "/decoder/decoder/generator/Div_4_output_0",
    ],
];

/// The name under which the graph tells the style of a block: scale and shift of each layer.
pub fn style_of(block: &str) -> String {
    format!("vocoder/{block}/style")
}

pub fn cut(graph: &mut Graph<'_>) -> Result<(), PatchError> {
    let wiring = graph.wiring();
    for block in BLOCKS {
        let mut styles = Vec::new();
        for layer in 0..LAYERS {
            keep(graph, &wiring, block, layer)?;
            let norm = format!("{GENERATOR}{block}/adain{}.{}", layer % 2 + 1, layer / 2);
            styles.extend([format!("{norm}/Add_1_output_0"), format!("{norm}/Slice_1_output_0")]);
        }
        if styles.iter().any(|style| wiring.maker(style).is_none()) {
            return Err(PatchError::Unfamiliar("the style of the vocoder"));
        }
        let styles: Vec<&str> = styles.iter().map(String::as_str).collect();
        graph.nodes.push(Node::new("Concat", &styles, &style_of(block)).with_int("axis", 1));
        graph.outputs.push(style_of(block));
    }
    for [signal, source, heard] in STAGES {
        let made = |value| wiring.maker(value).ok_or(PatchError::Unfamiliar("a stage of the vocoder"));
        made(signal)?;
        made(source)?;
        let maker = made(heard)?;
        // Whatever led to it alone is pruned.
        graph.nodes[maker] = Node::new("Identity", &[heard], &format!("{heard}_cut"));
        graph.inputs.push(heard.to_owned());
        graph.outputs.extend([signal.to_owned(), source.to_owned()]);
    }
    Ok(())
}

/// Keeps the constants of one layer, weights turned to (taps, inputs, outputs).
fn keep(graph: &mut Graph<'_>, wiring: &Wiring, block: &str, layer: usize) -> Result<(), PatchError> {
    let kept = constants(graph, wiring, block, layer).ok_or(PatchError::Unfamiliar("a layer of the vocoder"))?;
    graph.kept.extend(kept.iter().map(|constant| constant.name.clone()));
    graph.constants.extend(kept);
    Ok(())
}

fn constants(graph: &Graph<'_>, wiring: &Wiring, block: &str, layer: usize) -> Option<[Constant; 4]> {
    let (kind, at) = (layer % 2 + 1, layer / 2);
    let exported = format!("decoder.decoder.generator.{block}");
    let convolution = format!("{GENERATOR}{block}/convs{kind}.{at}/Conv_output_0_output_quantized");
    let node = &graph.nodes[wiring.maker(&convolution)?];
    let weights = graph.tensors.get(node.inputs.get(1)?.as_str())?;
    let &[outputs, inputs, taps] = weights.shape.as_slice() else { return None };
    let bytes = weights.bytes().filter(|bytes| bytes.iter().all(|weight| *weight < 128))?;
    let zero = *graph.tensors.get(node.inputs.get(3)?.as_str())?.bytes()?.first()?;
    let dilation = node.ints("dilations").ok()?.first().map_or(1, |dilation| *dilation as usize);
    let scale_name = format!("{exported}.convs{kind}.{at}.bias_scale");
    let scales = &graph.nodes[wiring.maker(&scale_name)?];
    let scale = scales.inputs.iter().find_map(|input| graph.tensors.get(input.as_str())?.floats())?;
    let floats = |name: String| graph.tensors.get(name.as_str())?.floats().filter(|floats| floats.len() == outputs);
    let (bias, alpha) =
        (floats(format!("{exported}.convs{kind}.{at}.bias"))?, floats(format!("{exported}.alpha{kind}.{at}"))?);
    if inputs != outputs || bytes.len() != outputs * inputs * taps || node.op != "ConvInteger" {
        return None;
    }
    let name = |what: &str| constant(block, layer, what);
    let turned = super::convolution::turned(&bytes, [outputs, inputs, taps]);
    Some([
        Constant::bytes(&name("weights"), &[taps * inputs, outputs], turned.collect()),
        Constant::floats(&name("bias"), &[outputs], &bias),
        Constant::floats(&name("alpha"), &[outputs], &alpha),
        Constant::floats(&name("numbers"), &[3], &[*scale.first()?, f32::from(zero), dilation as f32]),
    ])
}
