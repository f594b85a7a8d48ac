"""Check knowledge before it is merged: references, samples, patterns, templates, closure."""
