# causes: numeric.sampling_invalid_probs
# needs: torch
import torch

torch.multinomial(torch.tensor([0.2, float("nan"), 0.8]), 1)
