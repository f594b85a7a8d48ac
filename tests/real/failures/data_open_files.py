# causes: data.too_many_files
# needs:
import os
import resource

resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def shards(count):
    return [open(os.devnull, "rb") for _ in range(count)]


shards(100)
