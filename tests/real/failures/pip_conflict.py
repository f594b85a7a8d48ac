# causes: env.pip_conflict
# needs: pip setuptools
import pathlib
import subprocess
import sys
import tempfile
import zipfile


def wheel(folder, name, version, requires=""):
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(pathlib.Path(folder) / f"{name}-{version}-py3-none-any.whl", "w") as file:
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        file.writestr(f"{info}/METADATA", text + (f"Requires-Dist: {requires}\n" if requires else ""))
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", "")


with tempfile.TemporaryDirectory() as folder:
    wheel(folder, "tokenkit", "0.13.0")
    wheel(folder, "tokenkit", "0.21.0")
    wheel(folder, "modelzoo", "4.20.0", "tokenkit<0.14")
    wheel(folder, "trainkit", "1.0.0", "tokenkit>=0.21")
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--find-links", folder, "--target", f"{folder}/t"]
    sys.exit(subprocess.call([*command, "modelzoo", "trainkit"]))
