# causes: hf.chat_template
# needs: transformers tokenizers
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

TEMPLATE = """{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}
{{ m['content'] }}{% endfor %}"""
tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"hi": 0, "[UNK]": 1}, unk_token="[UNK]")))
tokenizer.chat_template = TEMPLATE
tokenizer.apply_chat_template([{"role": "user", "content": "hi"}, {"role": "user", "content": "hi"}])
