"""From clean lines to structure: Python tracebacks, native frames, and how processes ended."""
