# causes: data.corrupt_sample
# needs:
import json
import pathlib
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "train.jsonl"
    path.write_text('{"text": "one"}\n{"text": "tw')
    for line in path.read_text().splitlines():
        json.loads(line)
