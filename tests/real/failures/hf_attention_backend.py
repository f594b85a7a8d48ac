# causes: hf.attention_backend
# needs: torch transformers
from transformers import AutoModelForCausalLM, LlamaConfig

config = LlamaConfig(
    hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2, vocab_size=32
)
AutoModelForCausalLM.from_config(config, attn_implementation="flash_attention_2")
