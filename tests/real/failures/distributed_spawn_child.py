# causes: shape.matmul
# needs: torch
import torch
import torch.multiprocessing as mp


def train(rank, width):
    torch.set_num_threads(1)
    net = torch.nn.Linear(width, 2)
    net(torch.randn(3, width + rank))


if __name__ == "__main__":
    mp.spawn(train, args=(8,), nprocs=2)
