# causes: abi.glibcxx_too_old
# needs:
# tools: gcc
import os
import subprocess
import sys
import sysconfig
import tempfile

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("stub.c", "w") as file:
        file.write("int fresh_call(void) { return 1; }\n")
    with open("map", "w") as file:
        file.write("GLIBCXX_3.4.99 { global: fresh_call; };\n")
    with open("ext.c", "w") as file:
        file.write("int fresh_call(void);\nint f(void) { return fresh_call(); }\n")
    stub = ["gcc", "-shared", "-fPIC", "-nostdlib", "stub.c", "-o", "libstub.so"]
    subprocess.run([*stub, "-Wl,-soname,libstdc++.so.6", "-Wl,--version-script=map"], check=True)
    target = "_matcher" + sysconfig.get_config_var("EXT_SUFFIX")
    subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "ext.c", "./libstub.so", "-o", target], check=True)
    sys.path.insert(0, folder)
    import _matcher
