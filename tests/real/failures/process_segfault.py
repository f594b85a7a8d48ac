# causes: process.native_crash
# needs: 
import ctypes
import faulthandler

faulthandler.enable()


def read_weights():
    ctypes.string_at(0)


read_weights()
