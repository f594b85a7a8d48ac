# causes: onnx.op_not_implemented
# needs: onnx onnxruntime
import onnxruntime as ort
from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("Conv", ["x", "w"], ["y"])],
    "g",
    [
        helper.make_tensor_value_info("x", TensorProto.BFLOAT16, [1, 3, 8, 8]),
        helper.make_tensor_value_info("w", TensorProto.BFLOAT16, [4, 3, 3, 3]),
    ],
    [helper.make_tensor_value_info("y", TensorProto.BFLOAT16, [1, 4, 6, 6])],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
