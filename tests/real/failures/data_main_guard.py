# causes: data.main_guard
# needs: torch
from torch.utils.data import DataLoader

for batch in DataLoader(list(range(8)), num_workers=1, multiprocessing_context="spawn"):
    print(batch)
