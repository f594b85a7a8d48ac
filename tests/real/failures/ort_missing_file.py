# causes: checkpoint.missing_file onnx.model_invalid
# needs: onnxruntime
import onnxruntime as ort

ort.InferenceSession("models/detector.onnx", providers=["CPUExecutionProvider"])
