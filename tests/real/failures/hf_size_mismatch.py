# causes: checkpoint.size_mismatch
# needs: torch transformers
import tempfile

from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(
    hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, vocab_size=32, num_labels=3
)
with tempfile.TemporaryDirectory() as folder:
    BertForSequenceClassification(config).save_pretrained(folder)
    BertForSequenceClassification.from_pretrained(folder, num_labels=5)
