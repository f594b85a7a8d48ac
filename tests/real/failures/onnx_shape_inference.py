# causes: onnx.model_invalid
# needs: onnx
import onnx
from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("MatMul", ["a", "b"], ["y"])],
    "g",
    [
        helper.make_tensor_value_info("a", TensorProto.FLOAT, [2, 3]),
        helper.make_tensor_value_info("b", TensorProto.FLOAT, [4, 5]),
    ],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 5])],
)
onnx.shape_inference.infer_shapes(helper.make_model(graph), strict_mode=True)
