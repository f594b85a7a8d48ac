"""Looking at the machine: running the probes, reading facts files, reading compiled extensions."""
