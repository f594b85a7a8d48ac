# causes: numeric.sampling_invalid_probs
# needs: torch
import torch

logits = torch.tensor([1.0, float("nan"), 2.0])
torch.distributions.Categorical(logits=logits).sample()
