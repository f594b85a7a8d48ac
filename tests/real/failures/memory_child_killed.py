# causes: memory.host_oom data.worker_exception
# needs:
import concurrent.futures
import os
import signal


def tokenize(shard):
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        print(list(pool.map(tokenize, range(2))))
