# causes: memory.host_oom
# needs:
import subprocess
import sys

CODE = "import os, signal; print('loading shard 3/8', flush=True); os.kill(os.getpid(), signal.SIGKILL)"
sys.exit(subprocess.call(["bash", "-c", f'"{sys.executable}" -c "{CODE}"; echo "exit code: $?"']))
