# causes: abi.build_dependency
# needs: pip setuptools
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "setup.py").write_text("import torch_of_yore\nfrom setuptools import setup\n\nsetup()\n")
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--target", f"{folder}/t"]
    sys.exit(subprocess.call([*command, folder]))
