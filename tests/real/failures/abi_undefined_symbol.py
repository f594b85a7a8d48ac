# causes: abi.undefined_symbol abi.plugin_version_skew
# needs: torch
# tools: g++
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

import torch

SOURCE = """
#include <Python.h>
extern "C" int _ZN3c1012gone_for_everERKNS_6DeviceE(void);
static int call() { return _ZN3c1012gone_for_everERKNS_6DeviceE(); }
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "old_ext", 0, -1, 0};
extern "C" PyObject* PyInit_old_ext(void) { call(); return PyModule_Create(&def); }
"""
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "old_ext.cpp").write_text(SOURCE)
    target = pathlib.Path(folder) / ("old_ext" + sysconfig.get_config_var("EXT_SUFFIX"))
    include = sysconfig.get_paths()["include"]
    subprocess.run(
        ["g++", "-shared", "-fPIC", "-Wl,-z,now", f"-I{include}", f"{folder}/old_ext.cpp", "-o", str(target)], check=True
    )
    sys.path.insert(0, folder)
    import old_ext
