"""Small probes that behave in every way, well and badly."""

from __future__ import annotations

from pathlib import Path

GOOD = 'import json\nprint(json.dumps({"probe": "NAME", "status": "ok", "facts": {"a.b": 1}, "notes": []}))\n'

FAKES = {
    "good": GOOD,
    "absent": GOOD.replace('"ok"', '"absent"').replace('{"a.b": 1}', '{"a.b": None}'),
    "denied": GOOD.replace('"ok"', '"denied"'),
    "chatty": "print('banner')\nprint('{not json')\n" + GOOD + "print('bye')\n",
    "twice": GOOD.replace("1}", "0}") + GOOD,
    "late-crash": GOOD + "import os, sys\nsys.stdout.flush()\nos.kill(os.getpid(), 11)\n",
    "late-hang": GOOD + "import sys, time\nsys.stdout.flush()\ntime.sleep(60)\n",
    "fails": "import sys\nsys.exit('the disk is on fire\\nmore')\n",
    "silent": "pass\n",
    "binary": "import os\nos.write(1, bytes(range(256)) * 100)\n",
    "flood": "import os\nfor _ in range(100):\n    os.write(1, b'x' * (1 << 20))\n",
    "endless": "import os\nwhile True:\n    os.write(1, b'yes\\n' * 10000)\n",
    "loud": "import os\nfor _ in range(30):\n    os.write(2, b'x' * (1 << 20))\n" + GOOD,
    "other-name": GOOD.replace("NAME", "somebody"),
    "nested": GOOD.replace('{"a.b": 1}', '{"a.b": {"c": 1}}'),
    "list-of-lists": GOOD.replace('{"a.b": 1}', '{"a.b": [[1]]}'),
    "bad-status": GOOD.replace('"ok"', '"fine"'),
    "no-facts": GOOD.replace('"facts"', '"fakts"'),
    "deep-json": "print('[' * 100000)\nprint('{\"probe\":' * 50000)\n",
    "nan": 'print(\'{"probe": "NAME", "status": "ok", "facts": {"a.b": NaN}, "notes": []}\')\n',
    "segv": "import os\nos.kill(os.getpid(), 11)\n",
    "abort": "import os\nos.abort()\n",
    "killed": "import os\nos.kill(os.getpid(), 9)\n",
    "hang": "import time\ntime.sleep(60)\n",
    "stubborn": "import signal, time\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\nwhile 1: time.sleep(9)\n",
    "spin": "while True: pass\n",
    "stopped": "import os\nos.kill(os.getpid(), 19)\n",
    "orphan": "import subprocess\nsubprocess.Popen(['sleep', '60'])\n" + GOOD,
    "hanging-family": "import subprocess, time\nfor _ in range(3): subprocess.Popen(['sleep', '60'])\ntime.sleep(60)\n",
    "own-group": "import os, subprocess as s, time\ns.Popen(['sleep', '60'], preexec_fn=os.setpgrp)\ntime.sleep(60)\n",
    "reads-input": "import sys\nsys.stdin.read()\n" + GOOD,
    "options": "import json, sys\n" + GOOD.replace('{"a.b": 1}', '{"a.b": sys.argv[1:]}'),
}


def write_fakes(folder: Path) -> dict[str, Path]:
    """Write each fake probe into a folder; its path by its name."""
    paths = {}
    for name, code in FAKES.items():
        paths[name] = folder / f"{name}.py"
        paths[name].write_text(code.replace("NAME", name))
    return paths
