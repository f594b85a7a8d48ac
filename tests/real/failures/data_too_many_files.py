# causes: data.too_many_files
# needs: torch
import resource

import torch
from torch.utils.data import DataLoader

resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))


class Samples:
    def __len__(self):
        return 200

    def __getitem__(self, i):
        return torch.zeros(4)


if __name__ == "__main__":
    kept = []
    for batch in DataLoader(Samples(), num_workers=1):
        kept.append(batch)
