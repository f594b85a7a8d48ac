# causes: onnx.model_invalid checkpoint.corrupt
# needs: onnxruntime
import pathlib
import tempfile

import onnxruntime as ort

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.onnx"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 440473133\n")
    ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
