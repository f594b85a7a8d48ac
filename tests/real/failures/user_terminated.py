# causes: user_code.interrupted
# needs:
import signal
import subprocess
import sys

CODE = "import time; print('epoch 3 step 1200 loss 0.41', flush=True); time.sleep(30)"
child = subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE)
print(child.stdout.readline().decode(), end="", flush=True)
child.send_signal(signal.SIGTERM)
child.wait()
raise subprocess.CalledProcessError(child.returncode, ["python", "train.py"])
