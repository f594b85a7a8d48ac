"""The version of triage."""

VERSION = "0.1.0"
