"""The screen in a real browser, through what `textual serve` runs: it is drawn there, and keys typed there arrive."""

from __future__ import annotations

import asyncio
import base64
import json
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tui.base import SYMBOL_LOG

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--remote-debugging-port=0")
SERVE = "import sys; from textual_serve.server import Server; Server(sys.argv[1], port=int(sys.argv[2])).serve()"
FOCUS = "document.querySelector('.xterm-helper-textarea')?.focus()"
PATIENCE = 90.0
pytestmark = [pytest.mark.browser, pytest.mark.skipif(BROWSER is None, reason="no chromium is installed")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def address(place: Path) -> Iterator[str]:
    pytest.importorskip("textual_serve")
    log = SYMBOL_LOG.replace("_ZN3c105Error", "_ZN3c105ErrorC2ENS_14SourceLocationESs")
    (place / "error.log").write_text(log, encoding="utf-8")
    command = shlex.join([sys.executable, "-m", "triage", "tui", "--no-probes", "error.log"])
    port = free_port()
    words = [sys.executable, "-c", SERVE, command, str(port)]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://localhost:{port}/?fontsize=14"
    server.terminate()
    server.wait(20)


class Page:
    """A page of a browser, driven by its debugging protocol."""

    def __init__(self, socket_: Any) -> None:
        self.socket = socket_
        self.number = 0

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        await self.socket.send_json({"id": self.number, "method": method, "params": params})
        while True:
            answer = json.loads((await self.socket.receive(timeout=PATIENCE)).data)
            if answer.get("id") == self.number:
                result: dict[str, Any] = answer["result"]
                return result

    async def type(self, key: str) -> None:
        code = "Key" + key.upper()
        await self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, text=key)
        await self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)

    async def picture(self) -> bytes:
        return base64.b64decode((await self.call("Page.captureScreenshot"))["data"])


def test_it_is_drawn_and_a_walk_is_answered_in_the_browser(address: str, place: Path) -> None:
    profile = place / "profile"
    assert BROWSER is not None
    command = [BROWSER, *FLAGS, f"--user-data-dir={profile}", "--window-size=1200,800", address]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        asyncio.run(drive(profile, place))
    finally:
        browser.terminate()
        browser.wait(20)


async def drive(profile: Path, place: Path) -> None:
    import aiohttp

    port_file, end = profile / "DevToolsActivePort", time.monotonic() + PATIENCE
    while not port_file.exists() or not port_file.read_text().strip():
        assert time.monotonic() < end, "the browser did not start"
        await asyncio.sleep(0.1)
    port = port_file.read_text().splitlines()[0]
    async with aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/json") as answer:
            pages = [page for page in await answer.json() if page["type"] == "page"]
        async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=64 << 20) as socket_:
            page = Page(socket_)
            blank = len(await page.picture())
            saved = place / "state" / "walks"
            while not list(saved.glob("*.json")):
                assert time.monotonic() < end, "no answer arrived"
                await page.call("Runtime.evaluate", expression=FOCUS)
                await page.type("w")
                await asyncio.sleep(1)
                await page.type("y")
                await asyncio.sleep(1)
            picture = await page.picture()
            (place / "picture.png").write_bytes(picture)
    answers = json.loads(next(iter(saved.glob("*.json"))).read_text(encoding="utf-8"))["choices"]
    assert answers[0]["fact"] == "torch.cxx11_abi"
    assert len(picture) > blank
