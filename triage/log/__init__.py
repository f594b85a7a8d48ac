"""From whatever was given to clean, attributed lines: source, clean, streams."""
