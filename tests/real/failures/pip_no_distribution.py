# causes: env.pip_conflict abi.python_version
# needs: pip
import subprocess
import sys

sys.exit(subprocess.call([sys.executable, "-m", "pip", "install", "--no-index", "torch==99.1"]))
