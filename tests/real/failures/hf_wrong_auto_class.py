# causes: hf.unknown_architecture
# needs: torch transformers
from transformers import AutoModelForCausalLM, ViTConfig

AutoModelForCausalLM.from_config(ViTConfig(num_hidden_layers=1, hidden_size=8, num_attention_heads=2, intermediate_size=8))
