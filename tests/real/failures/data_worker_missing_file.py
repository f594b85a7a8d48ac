# causes: data.missing_file
# needs: torch
from torch.utils.data import DataLoader


class Images:
    def __len__(self):
        return 4

    def __getitem__(self, i):
        with open(f"/data/train/{i}.jpg", "rb") as file:
            return file.read()


if __name__ == "__main__":
    for _ in DataLoader(Images(), num_workers=1):
        pass
