"""`python -m triage`."""

from triage.cli.main import run

run()
