# causes: env.module_shadowed
# needs: torch
import pathlib
import runpy
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "random.py").write_text("import torch\nvalue = torch.randn(1)\n")
    sys.path.insert(0, folder)
    sys.modules.pop("random", None)
    runpy.run_path(str(pathlib.Path(folder) / "random.py"))
