# causes: onnx.external_data
# needs: onnx numpy
import pathlib
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

weight = numpy_helper.from_array(numpy.ones((64, 64), numpy.float32), "w")
graph = helper.make_graph(
    [helper.make_node("MatMul", ["x", "w"], ["y"])],
    "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 64])],
    [weight],
)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.onnx"
    model = helper.make_model(graph)
    onnx.save_model(model, str(path), save_as_external_data=True, location="weights.bin", size_threshold=0)
    (pathlib.Path(folder) / "weights.bin").unlink()
    onnx.load(str(path))
