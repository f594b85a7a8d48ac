# causes: hf.unexpected_argument
# needs: torch transformers accelerate
import tempfile

from transformers import TrainingArguments

TrainingArguments(output_dir=tempfile.mkdtemp(), evaluation_strategy="steps", per_gpu_train_batch_size=8)
