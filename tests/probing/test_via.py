"""`--via`: scripts that behave as docker exec -i, kubectl exec -i, srun and ssh do, and a real sshd."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.probes.machine import left_behind
from triage.errors import TriageError
from triage.probing.run import run_probes
from triage.probing.target import Target, make_target

WRAPPERS = {
    "plain": 'exec "$@"',
    "banner": 'echo "Welcome to node7"; echo "** down {tonight} **"; "$@"; status=$?; echo "me@node:~$ "; exit $status',
    "colours": "printf '\\033[1;32mhello\\033[0m\\r\\n'; \"$@\" | sed 's/$/\\r/'",
    "labels": '"$@" | sed "s/^/0: /"',
    "prompt-before": 'printf "(base) root@pod:/# "; "$@"',
    "stderr-noise": 'echo "Defaulted container trainer out of: trainer, sidecar" >&2; "$@"',
    "two-tasks": 'all=$("$@"); echo "$all"; echo "$all"',
}
LOST = {
    "dies": (
        "echo 'client_loop: send disconnect: Broken pipe' >&2; exit 255",
        "exit status 255: client_loop: send disconnect: Broken pipe",
    ),
    "oom": ("exit 137", "SIGKILL"),
    "segv": ("exit 139", "SIGSEGV"),
    "evicted": ("echo 'error: unable to upgrade connection: container not found' >&2; exit 1", None),
    "half": ("\"$@\" | head -c 20; echo; echo 'Connection to node7 closed by remote host.' >&2; exit 255", None),
}
UNREACHABLE = {
    "docker": (
        "echo 'Error response from daemon: No such container: trainer' >&2; exit 1",
        "No such container: trainer",
    ),
    "kubectl": ("echo 'Error from server (NotFound): pods \"x\" not found' >&2; exit 1", "NotFound"),
    "srun": (
        "echo 'srun: error: Unable to allocate resources: Invalid node name specified' >&2; exit 1",
        "Invalid node name",
    ),
    "ssh": (
        "echo 'ssh: Could not resolve hostname node7: Name or service not known' >&2; exit 255",
        "Could not resolve hostname",
    ),
    "no-python": (
        "echo 'exec: \"python3\": executable file not found in $PATH' >&2; exit 127",
        "executable file not found",
    ),
    "quiet": ("exit 1", "exit status 1"),
}


def wrap(folder: Path, name: str, script: str) -> str:
    """Write a wrapper script; the command prefix that uses it."""
    path = folder / f"wrap-{name}"
    path.write_text("#!/bin/sh\n" + script + "\n")
    path.chmod(0o755)
    return f"{path} "


@pytest.mark.parametrize("name", WRAPPERS)
def test_reports_survive_what_wrappers_print_around_them(
    fakes: dict[str, Path], tmp_path: Path, mark: str, name: str
) -> None:
    target = make_target(sys.executable, wrap(tmp_path, name, WRAPPERS[name]))
    runs = run_probes(["good", "chatty", "segv"], target)
    assert [run.status for run in runs[:2]] == ["ok", "ok"]
    assert runs[0].facts == {"a.b": 1}
    assert runs[2].status in ("crashed", "garbled")
    assert left_behind(mark) == []


@pytest.mark.parametrize("name", ["plain", "labels", "stderr-noise"])
def test_what_hangs_behind_a_wrapper_is_killed_with_it(
    fakes: dict[str, Path], tmp_path: Path, mark: str, name: str
) -> None:
    target = make_target(sys.executable, wrap(tmp_path, name, WRAPPERS[name]))
    runs = run_probes(["hang", "stubborn", "spin"], target, each=0.6)
    assert [run.status for run in runs] == ["timeout"] * 3
    assert left_behind(mark) == []


@pytest.mark.parametrize("name", LOST)
def test_a_connection_that_is_lost_later_is_a_crash_with_its_reason(
    fakes: dict[str, Path], tmp_path: Path, name: str
) -> None:
    script, detail = LOST[name]
    # The first call, which says hello, goes through; those after it are lost.
    first = f'if [ ! -e {tmp_path}/seen ]; then touch {tmp_path}/seen; exec "$@"; fi\n'
    (run,) = run_probes(["good"], make_target(sys.executable, wrap(tmp_path, name, first + script)))
    assert (run.status, run.facts) == ("crashed", {})
    assert detail is None or run.detail == detail


@pytest.mark.parametrize("name", UNREACHABLE)
def test_a_host_that_is_not_reached_is_a_plain_sentence(fakes: dict[str, Path], tmp_path: Path, name: str) -> None:
    script, words = UNREACHABLE[name]
    with pytest.raises(TriageError, match=words.replace("(", r"\(")):
        run_probes(["good"], make_target("python3", wrap(tmp_path, name, script)))


def test_a_host_that_does_not_answer_is_given_up(fakes: dict[str, Path], tmp_path: Path, mark: str) -> None:
    start = time.monotonic()
    with pytest.raises(TriageError, match="did not answer within"):
        run_probes(["good"], make_target("python3", wrap(tmp_path, "mute", "sleep 60")), deadline=0.6)
    assert time.monotonic() - start < 2
    assert left_behind(mark) == []


def test_nothing_of_the_script_is_on_the_command_line(fakes: dict[str, Path], tmp_path: Path) -> None:
    target = make_target(sys.executable, wrap(tmp_path, "log", f'echo "$@" >> {tmp_path}/words; exec "$@"'))
    run_probes(["good"], target, deep=True, each=10)
    assert (tmp_path / "words").read_text().splitlines() == [
        f"{sys.executable} -",
        f"{sys.executable} - --limit 8.90 --deep",
    ]


def test_ssh_gets_one_quoted_word_and_others_get_words() -> None:
    target = Target("/opt/my env/bin/python", ("ssh", "-p", "22", "node7"))
    assert target.command("-", "--deep") == ["ssh", "-p", "22", "node7", "'/opt/my env/bin/python' - --deep"]
    target = Target("python3", ("docker", "exec", "-i", "trainer"))
    assert target.command("-") == ["docker", "exec", "-i", "trainer", "python3", "-"]


@pytest.mark.parametrize(
    ("via", "words"), [("", "empty"), ("ssh 'node", "close the quotes"), ("no-such-program x", "no program")]
)
def test_a_wrong_prefix_is_a_plain_sentence(via: str, words: str) -> None:
    with pytest.raises(TriageError, match=words):
        make_target(None, via)


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """A real sshd on 127.0.0.1 with keys of its own; the words of an ssh command that reaches it."""
    program = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if program is None or shutil.which("ssh") is None or shutil.which("ssh-keygen") is None:
        pytest.skip("OpenSSH is not installed")
    folder = tmp_path_factory.mktemp("sshd")
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    (folder / "authorized").write_bytes((folder / "user.pub").read_bytes())
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "banner").write_text("AUTHORISED USE ONLY {node}\n")
    settings = {
        "Port": port, "ListenAddress": "127.0.0.1", "HostKey": folder / "host",
        "AuthorizedKeysFile": folder / "authorized",
        "StrictModes": "no", "UsePAM": "no", "PidFile": "none", "PasswordAuthentication": "no",
        "Banner": folder / "banner",
        "PermitRootLogin": "prohibit-password",
    }  # fmt: skip
    (folder / "config").write_text("".join(f"{key} {value}\n" for key, value in settings.items()))
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    words = [program, "-D", "-e", "-f", str(folder / "config")]
    server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=(folder / "log").open("wb"))
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        if server.poll() is not None:
            pytest.skip("sshd does not start: " + (folder / "log").read_text()[-300:])
        time.sleep(0.05)
    options = [
        "BatchMode=yes",
        "StrictHostKeyChecking=no",
        f"UserKnownHostsFile={folder / 'known'}",
        "IdentitiesOnly=yes",
    ]
    words = ["ssh", "-p", str(port), "-i", str(folder / "user")]
    yield [*words, *(word for option in options for word in ("-o", option)), f"{getpass.getuser()}@127.0.0.1"]
    server.terminate()
    server.wait(5)


@pytest.mark.ssh
def test_probes_run_through_a_real_sshd(fakes: dict[str, Path], sshd: list[str], tmp_path: Path) -> None:
    spaced = tmp_path / "my env"
    spaced.mkdir()
    (spaced / "python").symlink_to(sys.executable)
    target = Target(str(spaced / "python"), tuple(sshd))
    runs = run_probes(["good", "options", "segv"], target, deep=True, each=3)
    assert [run.status for run in runs] == ["ok", "ok", "crashed"]
    assert runs[1].facts["a.b"] == ["--limit", "2.60", "--deep"]


@pytest.mark.ssh
def test_a_real_probe_travels_through_a_real_sshd(sshd: list[str]) -> None:
    runs = run_probes(["host", "python", "nvidia"], Target(sys.executable, tuple(sshd)), each=10)
    assert all(run.status in ("ok", "absent", "denied") for run in runs)
    assert runs[1].facts["python.executable"] == sys.executable


@pytest.mark.ssh
def test_a_refused_key_is_a_plain_sentence(fakes: dict[str, Path], sshd: list[str], tmp_path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "other")], check=True)
    words = [str(tmp_path / "other") if word.endswith("/user") else word for word in sshd]
    with pytest.raises(TriageError, match="Permission denied"):
        run_probes(["good"], Target(sys.executable, tuple(words)))


@pytest.mark.ssh
def test_a_closed_port_is_a_plain_sentence(fakes: dict[str, Path], sshd: list[str]) -> None:
    words = ["1" if word.isdigit() else word for word in sshd]
    with pytest.raises(TriageError, match="Connection refused"):
        run_probes(["good"], Target("python3", tuple(words)))
