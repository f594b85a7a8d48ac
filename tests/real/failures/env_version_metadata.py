# causes: env.module_missing
# needs:
import importlib.metadata

print(importlib.metadata.version("flash-attn"))
