# causes: memory.host_oom data.worker_exception memory.shm_too_small
# needs: torch
import os
import signal

from torch.utils.data import DataLoader


class Videos:
    def __len__(self):
        return 4

    def __getitem__(self, i):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    for _ in DataLoader(Videos(), num_workers=1):
        pass
