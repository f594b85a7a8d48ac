# causes: onnx.export_dynamic
# needs: onnx onnxruntime numpy
import numpy
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

graph = helper.make_graph(
    [helper.make_node("Reshape", ["x", "s"], ["y"], name="/head/Reshape")],
    "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 6])],
    [numpy_helper.from_array(numpy.array([2, 6]), "s")],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
session.run(None, {"x": numpy.ones((2, 4), numpy.float32)})
