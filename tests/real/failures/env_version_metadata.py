# causes: env.module_missing env.partial_install
# needs:
import importlib.metadata

print(importlib.metadata.version("flash-attn"))
