# causes: data.corrupt_sample
# needs: PIL
import io

from PIL import Image

buffer = io.BytesIO()
Image.effect_noise((64, 64), 50).save(buffer, "JPEG")
Image.open(io.BytesIO(buffer.getvalue()[:900])).convert("RGB").resize((32, 32))
