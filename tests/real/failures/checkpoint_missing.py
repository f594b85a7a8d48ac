# causes: checkpoint.missing_file
# needs: torch
import torch

torch.load("/models/run7/checkpoint-5000/pytorch_model.bin")
