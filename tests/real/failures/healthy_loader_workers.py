# causes: none
# needs: torch
import torch
from torch.utils.data import DataLoader

if __name__ == "__main__":
    loader = DataLoader(list(range(64)), batch_size=8, num_workers=2, pin_memory=True, persistent_workers=True)
    for epoch in range(2):
        total = sum(int(batch.sum()) for batch in loader)
        print(f"epoch {epoch} failed 0 skipped 0 total {total}")
    print(torch.utils.data.get_worker_info())
