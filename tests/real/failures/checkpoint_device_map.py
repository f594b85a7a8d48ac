# causes: checkpoint.device_map
# needs: torch
import torch
from torch.serialization import _get_restore_location

location = _get_restore_location(None)
location(torch.UntypedStorage(4), "cuda:0")
