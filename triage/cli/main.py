"""`triage`: the group of commands; without a command's name, `triage LOG` is `triage diagnose LOG`."""

from __future__ import annotations

import errno
import gc
import os
import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import click

from triage.cli.group import LazyGroup
from triage.errors import TriageError
from triage.version import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "diagnose": "triage.cli.diagnose",
    "doctor": "triage.cli.doctor",
    "probe": "triage.cli.probe",
    "explain": "triage.cli.explain",
    "config": "triage.cli.config",
    "rules": "triage.cli.rules",
    "tui": "triage.cli.tui",
}
"""Module of each command."""
SHARED = ("--lang", "--color", "--rules")
"""Options that may stand before a command too."""
RESERVED = ("run", "fleet", "mcp", "slurm", "ray", "kube", "report", "completion")
"""Names that commands to come may have: no log is meant by them."""
CRASH = 70
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why a disk takes no more of what is written."""


def _command_first(args: list[str]) -> list[str]:
    """Return the arguments of `triage --lang zh explain 719` as those of `triage explain --lang zh 719`."""
    place = 0
    while place < len(args) and args[place].partition("=")[0] in SHARED:
        place += 1 if "=" in args[place] else 2
    if place < len(args) and args[place] in COMMANDS:
        return [args[place], *args[:place], *args[place + 1 :]]
    return args


class Commands(LazyGroup):
    """Anything that is no command is a log to diagnose."""

    modules: ClassVar[Mapping[str, str]] = COMMANDS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in RESERVED:
            raise click.UsageError(f"there is no command {args[0]} yet; a log of that name needs ./ before it", ctx)
        if not args and not sys.stdin.isatty():
            args = ["diagnose"]
        args = _command_first(args)
        if args and args[0] not in COMMANDS and args[0] not in ("--help", "-h", "--version"):
            args = ["diagnose", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands, and what `diagnose` takes: its options, and the names of logs."""
        from click.shell_completion import CompletionItem

        diagnose = self.get_command(ctx, "diagnose")
        own = super().shell_complete(ctx, incomplete)
        if diagnose is None:
            return own
        if incomplete.startswith("-"):
            known = {item.value for item in own}
            options = diagnose.shell_complete(click.Context(diagnose), incomplete)
            return own + [item for item in options if item.value not in known]
        return [*own, CompletionItem(incomplete, type="file")]


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="A log called like a command needs ./ before its name.",
)
@click.version_option(VERSION, prog_name="triage")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Say why an AI program failed, and how to fix it on this machine.

    \b
    Examples:
      triage < error.log                  diagnose what is piped in
      triage train.log worker-*.log       diagnose files
      python train.py 2>&1 | triage       diagnose a run
      triage --json error.log             for programs
      triage explain cuda.driver_too_old  read about a cause
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        ctx.exit(0)


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 healthy, 1 cause, 2 wrong use, 3 unknown, 70 own crash."""
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        result: Any = cli.main(args=argv, prog_name="triage", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except TriageError as error:
        return _say(f"triage: {error}", 2)
    except click.exceptions.NoArgsIsHelpError as error:
        return _say(error.format_message(), 2)
    except click.ClickException as error:
        hint = ""
        if isinstance(error, click.UsageError) and error.ctx is not None:
            hint = f"\nTry '{error.ctx.command_path} --help'."
        return _say(f"triage: {error.format_message()}{hint}", 2)
    except click.exceptions.Abort:
        return _say("triage: stopped", 130)
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as error:
        if error.errno not in UNWRITABLE:
            return _crashed(error)
        _drop_output()
        return _say(f"triage: cannot write {error.filename or 'all of its output'}: {error.strerror}", 2)
    except Exception as error:
        return _crashed(error)


def _crashed(error: Exception) -> int:
    from triage.crash import write_crash_report

    return _say(write_crash_report(error), CRASH)


def _open_missing_streams() -> None:
    """Give a standard stream that the caller closed (`>&-`, some daemons) the null device, lowest descriptor first."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end


def _drop_output() -> None:
    """Send what is still buffered for standard output nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(sentence: str, status: int) -> int:
    from triage.sanitize import clean_text

    for line in sentence.splitlines():
        print(clean_text(line), file=sys.stderr)
    return status


def run() -> None:
    """Entry point of the console scripts."""
    gc.set_threshold(100_000)  # what a run loads at first is no garbage, and looking through it takes time
    status = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _drop_output()
    if threading.active_count() == 1 and sys.getprofile() is None and sys.gettrace() is None:
        os._exit(status)  # all is written and nothing else runs: to take the interpreter apart would only take time
    sys.exit(status)
