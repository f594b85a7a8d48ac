# causes: data.preprocess_range data.corrupt_sample shape.broadcast
# needs: torch
import torch

mean, std = torch.tensor([0.485, 0.456, 0.406])[:, None, None], torch.tensor([0.229, 0.224, 0.225])[:, None, None]
image = torch.rand(4, 32, 32)
print((image - mean) / std)
