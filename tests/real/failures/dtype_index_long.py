# causes: dtype.index_long
# needs: torch
import torch

emb = torch.nn.Embedding(10, 4)
emb(torch.rand(3))
