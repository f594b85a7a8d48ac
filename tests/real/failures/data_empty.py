# causes: data.missing_file
# needs: torch
import pathlib

from torch.utils.data import DataLoader

images = sorted(pathlib.Path("data/train").glob("*.jpg"))
loader = DataLoader(images, batch_size=4, shuffle=True)
for batch in loader:
    print(batch)
