# causes: env.system_library_missing
# needs:
# tools: gcc
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "dep.c").write_text("int sox_version(void) { return 1; }\n")
    (pathlib.Path(folder) / "audio.c").write_text("int sox_version(void);\nint f(void) { return sox_version(); }\n")
    os.chdir(folder)
    subprocess.run(["gcc", "-shared", "-fPIC", "dep.c", "-o", "libsoxr_x.so.3", "-Wl,-soname,libsoxr_x.so.3"], check=True)
    target = "_audio" + sysconfig.get_config_var("EXT_SUFFIX")
    subprocess.run(["gcc", "-shared", "-fPIC", "audio.c", "./libsoxr_x.so.3", "-o", target], check=True)
    os.remove("libsoxr_x.so.3")
    sys.path.insert(0, folder)
    import _audio
