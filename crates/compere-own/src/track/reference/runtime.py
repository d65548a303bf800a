#!/usr/bin/env python3
"""What the networks' own runtime says of two small pictures: mesh.txt and boxes.txt, which `exact.rs` compares with.

    pip install --no-deps mediapipe==0.10.14 "numpy<2" absl-py "protobuf<5"
    runtime.py FOLDER      # with the pictures that the test `writes_what_the_networks_are_given` left there
"""
import os
import sys
import types
from importlib.util import find_spec

import numpy as np

# The package as it is imports drawing, sound and cameras; its graphs need none of them.
HOME = find_spec("mediapipe").submodule_search_locations[0]
for name, path in [("mediapipe", HOME), ("mediapipe.python", HOME + "/python")]:
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [path]
from google.protobuf import text_format
from mediapipe.calculators.core import split_vector_calculator_pb2  # noqa: F401
from mediapipe.calculators.tensor import image_to_tensor_calculator_pb2, inference_calculator_pb2  # noqa: F401
from mediapipe.framework import calculator_pb2
from mediapipe.python import _framework_bindings as runtime

GRAPH = """
input_stream: "image" %(named)s
node { calculator: "ImageToTensorCalculator" input_stream: "IMAGE:image" output_stream: "TENSORS:input"
  options { [mediapipe.ImageToTensorCalculatorOptions.ext] { output_tensor_width: %(side)d output_tensor_height: %(side)d
    output_tensor_float_range { min: %(low)f max: 1.0 } } } }
node { calculator: "TfLiteCustomOpResolverCalculator" output_side_packet: "OP_RESOLVER:resolver" }
node { calculator: "InferenceCalculatorCpu" input_stream: "TENSORS:input" output_stream: "TENSORS:tensors"
  input_side_packet: "OP_RESOLVER:resolver"
  options { [mediapipe.InferenceCalculatorOptions.ext] { model_path: "%(model)s" delegate { xnnpack {} } } } }
node { calculator: "SplitTensorVectorCalculator" input_stream: "tensors" %(parts)s
  options { [mediapipe.SplitVectorCalculatorOptions.ext] { %(ranges)s } } }
%(floats)s
"""


def asked(folder, model, name, side, low, outputs):
    """All outputs of a network, each as a row of numbers."""
    every = range(outputs)
    text = GRAPH % {
        "named": " ".join(f'output_stream: "out{n}"' for n in every), "side": side, "low": low, "model": model,
        "parts": " ".join(f'output_stream: "part{n}"' for n in every),
        "ranges": " ".join(f"ranges: {{begin: {n} end: {n + 1}}}" for n in every),
        "floats": "\n".join(f'node {{ calculator: "TensorsToFloatsCalculator" input_stream: "TENSORS:part{n}" '
                            f'output_stream: "FLOATS:out{n}" }}' for n in every),
    }
    graph = runtime.calculator_graph.CalculatorGraph(
        graph_config=text_format.Parse(text, calculator_pb2.CalculatorGraphConfig()))
    got = {}
    for n in every:
        numbers = runtime._packet_getter.get_float_list
        graph.observe_output_stream(f"out{n}", lambda _, packet, n=n: got.update({n: np.array(numbers(packet))}))
    graph.start_run()
    pixels = np.fromfile(f"{folder}/{name}.rgb", np.uint8).reshape(side, side, 3)
    image = runtime._packet_creator._create_image_frame_from_pixel_data(
        runtime.image_frame.ImageFormat.SRGB, pixels, True)
    graph.add_packet_to_input_stream("image", image.at(0))
    graph.close_all_packet_sources()
    graph.wait_until_done()
    return [got[n] for n in every]


def written(name, rows):
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    with open(beside, "w") as out:
        out.writelines(" ".join(f"{number:.4f}".rstrip("0").rstrip(".") for number in row) + "\n" for row in rows)


def main(folder):
    runtime.resource_util.set_resource_dir(os.path.dirname(HOME))
    mesh = "mediapipe/modules/face_landmark/face_landmark_with_attention.tflite"
    out = asked(folder, mesh, "face_landmark_with_attention", 192, 0.0, 7)
    # Nobody needs the irises.
    written("mesh.txt", [out[n] for n in (0, 1, 2, 3, 6)])
    detector = "mediapipe/modules/face_detection/face_detection_short_range.tflite"
    boxes, sure = asked(folder, detector, "face_detection_short_range", 128, -1.0, 2)
    best = np.argsort(-sure)[:12]
    written("boxes.txt", [[n, sure[n], *boxes[16 * n:16 * n + 16]] for n in best])


main(os.path.abspath(sys.argv[1]))
