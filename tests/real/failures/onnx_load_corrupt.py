# causes: onnx.model_invalid
# needs: onnx
import pathlib
import tempfile

import onnx

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.onnx"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 90210\n")
    onnx.load(path)
