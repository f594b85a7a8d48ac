# causes: device.backend_unavailable dtype.not_implemented user_code.config dtype.autocast
# needs: torch accelerate
from accelerate import Accelerator

Accelerator(mixed_precision="fp16", cpu=True)
