# causes: hf.peft_target
# needs: torch peft
import torch
from peft import LoraConfig, get_peft_model


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.dense(x)


get_peft_model(Net(), LoraConfig(target_modules=["q_proj", "v_proj"]))
