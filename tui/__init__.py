"""The terminal interface: reads results and shows them; what it asks of the engine stands in `desk`."""
