# causes: shape.loss_target
# needs: torch
import torch

torch.nn.BCEWithLogitsLoss()(torch.randn(8, 1), torch.ones(8))
