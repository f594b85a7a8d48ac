# causes: user_code.bug numeric.invalid_math
# needs: 
def accuracy(right, total):
    return right / total


accuracy(3, 0)
