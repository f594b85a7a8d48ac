# causes: env.partial_install
# needs:
import pathlib
import sys
import sysconfig
import tempfile

with tempfile.TemporaryDirectory() as folder:
    name = "_kernels" + sysconfig.get_config_var("EXT_SUFFIX")
    (pathlib.Path(folder) / name).write_bytes(b"\x7fELF\x02\x01\x01" + bytes(40))
    sys.path.insert(0, folder)
    import _kernels
