# causes: user_code.bug data.corrupt_sample data.worker_exception
# needs: torch
from torch.utils.data import DataLoader


class Rows:
    def __len__(self):
        return 4

    def __getitem__(self, i):
        row = {"text": "hello"}
        return row["label"]


if __name__ == "__main__":
    for _ in DataLoader(Rows(), num_workers=2):
        pass
