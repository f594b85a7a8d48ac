# causes: data.corrupt_sample
# needs: torch PIL
import io

from PIL import Image
from torch.utils.data import DataLoader

buffer = io.BytesIO()
Image.effect_noise((64, 64), 90).save(buffer, "PNG")
broken = buffer.getvalue()[:300]


class Images:
    def __len__(self):
        return 2

    def __getitem__(self, i):
        return Image.open(io.BytesIO(broken)).convert("RGB")


if __name__ == "__main__":
    for _ in DataLoader(Images(), num_workers=1):
        pass
