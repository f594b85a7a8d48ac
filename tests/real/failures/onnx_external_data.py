# causes: onnx.external_data
# needs: onnx numpy onnxruntime
import pathlib
import tempfile

import numpy
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

weight = numpy_helper.from_array(numpy.ones((64, 64), numpy.float32), "w")
graph = helper.make_graph(
    [helper.make_node("MatMul", ["x", "w"], ["y"])],
    "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 64])],
    [weight],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.onnx"
    onnx.save_model(model, str(path), save_as_external_data=True, location="model.onnx.data", size_threshold=0)
    (pathlib.Path(folder) / "model.onnx.data").unlink()
    ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
