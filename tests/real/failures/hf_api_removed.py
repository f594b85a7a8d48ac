# causes: hf.api_removed
# needs: transformers
from transformers import AdamW

print(AdamW)
