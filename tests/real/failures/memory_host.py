# causes: memory.host_oom
# needs: 
def load():
    return bytearray(1 << 52)


load()
