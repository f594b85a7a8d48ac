# causes: abi.glibc_too_old
# needs:
# tools: gcc
import os
import subprocess
import sys
import sysconfig
import tempfile

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("libc_stub.c", "w") as file:
        file.write("int fresh_call(void) { return 1; }\n")
    with open("map", "w") as file:
        file.write("GLIBC_2.99 { global: fresh_call; };\n")
    with open("ext.c", "w") as file:
        file.write("int fresh_call(void);\nint f(void) { return fresh_call(); }\n")
    stub = ["gcc", "-shared", "-fPIC", "-nostdlib", "libc_stub.c", "-o", "libstub.so"]
    subprocess.run([*stub, "-Wl,-soname,libc.so.6", "-Wl,--version-script=map"], check=True)
    target = "_fast" + sysconfig.get_config_var("EXT_SUFFIX")
    subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "ext.c", "./libstub.so", "-o", target], check=True)
    sys.path.insert(0, folder)
    import _fast
