# causes: onnx.custom_op_missing onnx.op_not_implemented
# needs: onnx onnxruntime
import onnxruntime as ort
from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("DeformConvX", ["x"], ["y"], domain="mmdeploy")],
    "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])],
)
opsets = [helper.make_opsetid("", 17), helper.make_opsetid("mmdeploy", 1)]
model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
