# causes: data.pickle_spawn
# needs: torch
import torch
from torch.utils.data import DataLoader


def loader():
    def collate(items):
        return items

    return DataLoader(list(range(8)), num_workers=1, collate_fn=collate, multiprocessing_context="spawn")


if __name__ == "__main__":
    next(iter(loader()))
