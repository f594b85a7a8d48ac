# causes: device.backend_unavailable dtype.not_implemented user_code.config triton.unsupported_capability
# needs: torch transformers accelerate
import tempfile

from transformers import TrainingArguments

TrainingArguments(output_dir=tempfile.mkdtemp(), fp16=True, bf16=True, report_to="none")
