# causes: user_code.bug
# needs:
def flatten(tree):
    return flatten([tree])


flatten([])
