# causes: onnx.model_invalid
# needs: onnx
import onnx
from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("Relu", ["hidden"], ["y"])],
    "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])],
)
onnx.checker.check_model(helper.make_model(graph))
