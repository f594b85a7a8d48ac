# causes: process.native_crash
# needs:
import faulthandler
import os

faulthandler.enable()


def checkpoint():
    os.abort()


checkpoint()
