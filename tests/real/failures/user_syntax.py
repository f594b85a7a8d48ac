# causes: user_code.bug
# needs:
import subprocess
import sys

CODE = "def train(epochs)\n    for e in range(epochs):\n        print(e)\n"
with open("train.py", "w") as file:
    file.write(CODE)
sys.exit(subprocess.call([sys.executable, "train.py"]))
