# causes: distributed.launcher_config user_code.config
# needs: torch accelerate
import os

from accelerate import Accelerator

os.environ["ACCELERATE_MIXED_PRECISION"] = "fp12"
Accelerator()
