# causes: distributed.launcher_config user_code.config
# needs: torch accelerate
from accelerate import Accelerator

Accelerator(mixed_precision="fp12")
