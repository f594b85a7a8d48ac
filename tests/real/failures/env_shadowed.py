# causes: env.module_shadowed
# needs: torch
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    script = pathlib.Path(folder) / "random.py"
    script.write_text("import torch\n\nvalue = torch.randn(1)\nprint(value)\n")
    sys.exit(subprocess.call([sys.executable, str(script)]))
