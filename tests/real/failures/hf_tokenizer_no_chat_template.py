# causes: hf.chat_template
# needs: transformers tokenizers
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"hi": 0, "[UNK]": 1}, unk_token="[UNK]")))
tokenizer.apply_chat_template([{"role": "user", "content": "hi"}])
