# causes: env.partial_install
# needs: safetensors
import pathlib
import shutil
import subprocess
import sys
import tempfile

import safetensors

with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder) / "safetensors"
    shutil.copytree(pathlib.Path(safetensors.__file__).parent, copy)
    for native in copy.glob("*.so"):
        native.unlink()
    code = f"import sys; sys.path.insert(0, {folder!r}); import safetensors.torch"
    sys.exit(subprocess.call([sys.executable, "-c", code]))
