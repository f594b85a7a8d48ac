# causes: none
# needs: torch transformers
import tempfile

from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification

config = BertConfig(hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, vocab_size=32)
with tempfile.TemporaryDirectory() as folder:
    BertForMaskedLM(config).save_pretrained(folder)
    model = BertForSequenceClassification.from_pretrained(folder)
print("parameters", sum(p.numel() for p in model.parameters()))
