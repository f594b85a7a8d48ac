# causes: checkpoint.format_version
# needs: torch safetensors
import torch
from safetensors.torch import save_file

weight = torch.zeros(8, 8)
save_file({"embed.weight": weight, "lm_head.weight": weight}, "model.safetensors")
