# causes: shape.collate
# needs: torch
import torch
from torch.utils.data import DataLoader


class Texts:
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.zeros(i + 1)


for _ in DataLoader(Texts(), batch_size=4):
    pass
