# causes: checkpoint.corrupt
# needs: torch safetensors
import pathlib
import tempfile

from safetensors.torch import load_file

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.safetensors"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 440473133\n")
    load_file(path)
