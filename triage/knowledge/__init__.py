"""What triage knows: YAML files as typed records, checked, compiled and cached."""
