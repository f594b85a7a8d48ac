# causes: data.encoding
# needs: 
import pathlib
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "labels.csv"
    path.write_bytes("名称,标签\n".encode("gbk"))
    rows = path.read_text(encoding="utf-8").splitlines()
