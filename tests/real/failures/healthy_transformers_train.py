# causes: none
# needs: torch transformers accelerate
import tempfile

from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=16))
rows = [{"input_ids": [1, 2, 3], "labels": [1, 2, 3]}] * 32
arguments = TrainingArguments(output_dir=tempfile.mkdtemp(), report_to="none", use_cpu=True, logging_steps=2)
Trainer(model=model, args=arguments, train_dataset=rows).train()
