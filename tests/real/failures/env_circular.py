# causes: env.module_shadowed
# needs:
import pathlib
import subprocess
import sys
import tempfile

FILES = {
    "train.py": "from models import Net\n\nprint(Net())\n",
    "models.py": "from layers import Block\n\n\nclass Net:\n    block = Block()\n",
    "layers.py": "from models import Net\n\n\nclass Block:\n    parent: Net\n",
}
with tempfile.TemporaryDirectory() as folder:
    for name, text in FILES.items():
        (pathlib.Path(folder) / name).write_text(text)
    sys.exit(subprocess.call([sys.executable, f"{folder}/train.py"]))
